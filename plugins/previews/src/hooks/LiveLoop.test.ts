import { LiveLoop, LiveLoopOptions } from './LiveLoop';

function setHidden(hidden: boolean) {
  Object.defineProperty(document, 'hidden', {
    configurable: true,
    get: () => hidden,
  });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Lets promises settle and time go on. */
const pass = (milliseconds: number) =>
  jest.advanceTimersByTimeAsync(milliseconds);

describe('a live query', () => {
  let loops: LiveLoop<number>[] = [];

  function start(options: Partial<LiveLoopOptions<number>> = {}) {
    let count = 0;
    const load = jest.fn(options.load ?? (async () => ++count));
    const onValue = jest.fn();
    const onError = jest.fn();
    const loop = new LiveLoop<number>({
      isMoving: () => false,
      ...options,
      load,
      onValue,
      onError,
    });
    loops.push(loop);
    loop.start();
    return { loop, load, onValue, onError };
  }

  beforeEach(() => {
    jest.useFakeTimers();
    loops = [];
  });

  afterEach(() => {
    loops.forEach(loop => loop.stop());
    setHidden(false);
    jest.useRealTimers();
  });

  it('asks every 10 s, and every 5 s while something moves', async () => {
    let moving = true;
    const { load } = start({ isMoving: () => moving });
    await pass(0);
    expect(load).toHaveBeenCalledTimes(1);
    await pass(5_000);
    expect(load).toHaveBeenCalledTimes(2);
    moving = false;
    await pass(5_000);
    expect(load).toHaveBeenCalledTimes(3);
    await pass(9_000);
    expect(load).toHaveBeenCalledTimes(3);
    await pass(1_000);
    expect(load).toHaveBeenCalledTimes(4);
  });

  it('asks soon after a hint, and at most once a second in a burst', async () => {
    const { loop, load } = start();
    await pass(0);
    for (let sent = 0; sent < 30; sent++) {
      loop.hint();
      await pass(100);
    }
    expect(load.mock.calls.length).toBeGreaterThanOrEqual(3);
    expect(load.mock.calls.length).toBeLessThanOrEqual(4);
  });

  it('asks again after a hint that came while an answer was on its way', async () => {
    const answers: ((value: number) => void)[] = [];
    const { loop, load, onValue } = start({
      load: () => new Promise(resolve => answers.push(resolve)),
    });
    await pass(0);
    loop.hint();
    expect(load).toHaveBeenCalledTimes(1);
    answers[0](1);
    await pass(1_600);
    expect(onValue).toHaveBeenCalledWith(1);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('is still while the page is hidden and catches up when it is shown', async () => {
    const { load } = start();
    await pass(0);
    setHidden(true);
    await pass(120_000);
    expect(load).toHaveBeenCalledTimes(1);
    setHidden(false);
    await pass(0);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('does not ask again for a glance away', async () => {
    const { load } = start();
    await pass(1_000);
    setHidden(true);
    await pass(1_000);
    setHidden(false);
    await pass(0);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('goes on after an error', async () => {
    let fails = true;
    const { onError, onValue } = start({
      load: async () => {
        if (fails) {
          throw new Error('down');
        }
        return 1;
      },
    });
    await pass(0);
    expect(onError).toHaveBeenCalledWith(
      expect.objectContaining({ message: 'down' }),
    );
    fails = false;
    await pass(10_000);
    expect(onValue).toHaveBeenCalledWith(1);
  });

  it('aborts and says nothing more once stopped', async () => {
    let signal: AbortSignal | undefined;
    const { loop, load, onValue, onError } = start({
      load: given => {
        signal = given;
        return new Promise((_, reject) =>
          given.addEventListener('abort', () => reject(new Error('aborted'))),
        );
      },
    });
    await pass(0);
    loop.stop();
    await pass(60_000);
    expect(signal?.aborted).toBe(true);
    expect(load).toHaveBeenCalledTimes(1);
    expect(onValue).not.toHaveBeenCalled();
    expect(onError).not.toHaveBeenCalled();
  });
});
