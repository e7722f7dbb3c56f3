import { Loop } from './Loop';
import { eventually } from './testing/ScriptedServer';

describe('Loop', () => {
  const stop = { current: new AbortController() };
  const readings: ('whole' | 'part')[] = [];

  beforeEach(() => {
    stop.current = new AbortController();
    readings.length = 0;
  });

  afterEach(() => stop.current.abort());

  function create(
    options: { delay?: number; read?: () => Promise<void> } = {},
  ) {
    return Loop.create({
      read: async ({ whole }) => {
        readings.push(whole ? 'whole' : 'part');
        await options.read?.();
      },
      delay: () => options.delay ?? 3_600_000,
    });
  }

  it('reads whole at once and then on schedule', async () => {
    create({ delay: 1 }).start(stop.current.signal);
    await eventually(() => expect(readings.length).toBeGreaterThan(3));
    expect(new Set(readings)).toEqual(new Set(['whole']));
  });

  it('reads only what is new when it is woken', async () => {
    const loop = create();
    loop.start(stop.current.signal);
    await eventually(() => expect(readings).toEqual(['whole']));
    loop.wake();
    await eventually(() => expect(readings).toEqual(['whole', 'part']));
  });

  it('is not kept from its schedule by being woken', async () => {
    const loop = create({ delay: 40 });
    loop.start(stop.current.signal);
    await eventually(() => {
      loop.wake();
      expect(readings.filter(kind => kind === 'whole').length).toBeGreaterThan(
        2,
      );
    });
  });

  it('reads whole now, after a reading that runs already', async () => {
    let release = () => {};
    const loop = create({
      read: () =>
        readings.length === 1
          ? new Promise<void>(resolve => {
              release = resolve;
            })
          : Promise.resolve(),
    });
    loop.start(stop.current.signal);
    const done = jest.fn();
    const now = loop.runNow().then(done);
    await eventually(() => expect(readings).toEqual(['whole']));
    expect(done).not.toHaveBeenCalled();
    release();
    await now;
    expect(readings).toEqual(['whole', 'whole']);
  });

  it('does not let anybody wait when it is stopped', async () => {
    const loop = create({ read: () => new Promise(() => {}) });
    await loop.runNow();
    stop.current.abort();
    loop.start(stop.current.signal);
    await loop.runNow();
    expect(loop.isRunning).toBe(false);
  });

  it('stops', async () => {
    const loop = create({ delay: 1 });
    loop.start(stop.current.signal);
    await eventually(() => expect(readings.length).toBeGreaterThan(1));
    const waiting = loop.runNow();
    stop.current.abort();
    await waiting;
    const count = readings.length;
    await new Promise(resolve => setImmediate(resolve));
    expect(readings).toHaveLength(count);
  });
});
