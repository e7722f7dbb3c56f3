import { createRealClock } from './clock';
import { createRandom } from './random';

describe('createRealClock', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('shortens delays by the speed and leaves the time alone', () => {
    const clock = createRealClock({ speed: 10 });
    const before = clock.now().getTime();
    const action = jest.fn();
    clock.after(1_000, action);
    jest.advanceTimersByTime(99);
    expect(action).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(action).toHaveBeenCalledTimes(1);
    expect(clock.now().getTime() - before).toBe(100);
  });

  it('cancels one action, or all when it stops', () => {
    const clock = createRealClock();
    const action = jest.fn();
    const cancel = clock.after(10, action);
    cancel();
    clock.after(10, action);
    clock.stop();
    clock.after(10, action);
    jest.advanceTimersByTime(1_000);
    expect(action).not.toHaveBeenCalled();
  });

  it('refuses a speed that is no speed', () => {
    expect(() => createRealClock({ speed: 0 })).toThrow(RangeError);
  });
});

describe('createRandom', () => {
  it('repeats itself for the same seed and differs for another', () => {
    const draw = (seed: number | string) => {
      const random = createRandom(seed);
      return [random.next(), random.hex(8), random.integer(1, 6)];
    };
    expect(draw('demo')).toEqual(draw('demo'));
    expect(draw(1)).not.toEqual(draw(2));
  });

  it('stays within the bounds it is given', () => {
    const random = createRandom(7);
    const values = Array.from({ length: 500 }, () => random.integer(2, 4));
    expect(new Set(values)).toEqual(new Set([2, 3, 4]));
    expect(['a', 'b']).toContain(random.pick(['a', 'b']));
    expect(() => random.pick([])).toThrow(RangeError);
  });
});
