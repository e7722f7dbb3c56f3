import { mockServices } from '@backstage/backend-test-utils';
import { FactPool } from '../FactPool';
import { kindDefinitions } from '../objects';
import { KindReflector } from './KindReflector';
import { KubernetesClient, WatchEvent } from './KubernetesClient';
import { KubernetesRequestError } from './KubernetesRequestError';
import { defaultDelays } from './options';

/** Of a clock that goes on only while somebody waits. */
const START = Date.parse('2026-03-01T12:00:00.000Z');
const time = {
  now: START,
  pauses: [] as number[],
  onPause: () => {},
};

jest.mock('../sleep', () => ({
  sleep: async (milliseconds: number, signal: AbortSignal) => {
    if (!signal.aborted) {
      time.pauses.push(milliseconds);
      time.now += milliseconds;
      time.onPause();
      // Whoever looks on has a turn between two pauses.
      await new Promise(resolve => setImmediate(resolve));
    }
    return !signal.aborted;
  },
}));

const refused = () =>
  new KubernetesRequestError({
    reason: 'Unreachable',
    message: 'The cluster cannot be reached.',
  });

/** A cluster of one kind that answers by rules of the time. */
class FakeCluster {
  lists = 0;
  watches = 0;
  /** Watches that are open now. */
  open = 0;
  isUp: () => boolean = () => true;
  /** What a watch that was opened tells before it is cut; undefined where it lives. */
  events: () => WatchEvent[] | undefined = () => undefined;

  get client(): KubernetesClient {
    const client: Pick<KubernetesClient, 'get' | 'watch'> = {
      get: async () => {
        this.lists += 1;
        if (!this.isUp()) {
          throw refused();
        }
        return { metadata: { resourceVersion: '1' }, items: [] };
      },
      watch: (_path, options) => this.#watch(options),
    };
    return client as KubernetesClient;
  }

  async *#watch(options: {
    signal: AbortSignal;
    onOpen: () => void;
  }): AsyncGenerator<WatchEvent> {
    this.watches += 1;
    if (!this.isUp()) {
      throw refused();
    }
    options.onOpen();
    this.open += 1;
    try {
      const events = this.events();
      if (events) {
        yield* events;
        throw refused();
      }
      await new Promise<void>(resolve => {
        options.signal.addEventListener('abort', () => resolve());
      });
      options.signal.throwIfAborted();
    } finally {
      this.open -= 1;
    }
  }
}

describe('the pauses of a reflector', () => {
  let cluster: FakeCluster;
  let stop: AbortController;

  beforeEach(() => {
    cluster = new FakeCluster();
    stop = new AbortController();
    time.now = START;
    time.pauses = [];
    time.onPause = () => {};
  });

  afterEach(() => {
    stop.abort();
    jest.restoreAllMocks();
  });

  function start(relistAfterMilliseconds = 300_000): Promise<void> {
    return KindReflector.create({
      cluster: 'staging',
      client: cluster.client,
      definition: kindDefinitions.pods,
      pool: FactPool.create(),
      delays: defaultDelays,
      relistAfterMilliseconds,
      logger: mockServices.logger.mock(),
      clock: () => new Date(time.now),
      onChange: () => {},
    }).run(stop.signal);
  }

  /** The pauses up to this time after the start, in milliseconds. */
  async function pausesOf(milliseconds: number): Promise<number[]> {
    time.onPause = () => {
      if (time.now - START >= milliseconds) {
        stop.abort();
      }
    };
    await start();
    return time.pauses;
  }

  it.each([
    ['the most', 1 - Number.EPSILON, [1, 2, 4, 8, 16, 30, 30, 30]],
    ['the least', 0, [0.5, 1, 2, 4, 8, 15, 15, 15]],
  ])(
    'double with every failure up to 30 seconds, of which half is chance: %s',
    async (_what, chance, seconds) => {
      jest.spyOn(Math, 'random').mockReturnValue(chance);
      cluster.isUp = () => false;
      const pauses = await pausesOf(
        seconds.reduce((sum, pause) => sum + pause * 1000, 0) - 10,
      );
      expect(pauses.map(pause => Math.round(pause))).toEqual(
        seconds.map(pause => pause * 1000),
      );
    },
  );

  it('are not the same for two that fail at the same time', async () => {
    cluster.isUp = () => false;
    const one = await pausesOf(300_000);
    time.now = START;
    time.pauses = [];
    stop = new AbortController();
    const other = await pausesOf(300_000);
    const common = Math.min(one.length, other.length);
    expect(common).toBeGreaterThan(5);
    expect(one.slice(0, common)).not.toEqual(other.slice(0, common));
  });

  it.each([
    ['the most', 1 - Number.EPSILON],
    ['the least', 0],
  ])(
    'make a few calls of a minute without the cluster, and one list and one watch of its return: %s by chance',
    async (_what, chance) => {
      jest.spyOn(Math, 'random').mockReturnValue(chance);
      cluster.isUp = () => time.now - START >= 60_000;
      const running = start();
      await until(() => cluster.open === 1);
      // The first failure too; the last list is that of the return.
      expect(cluster.lists - 1).toBeLessThanOrEqual(10);
      expect(cluster.watches).toBe(1);
      // It comes back within the longest pause.
      expect(time.now - START).toBeLessThan(90_000);
      stop.abort();
      await running;
      expect(cluster.open).toBe(0);
    },
  );

  it('begin anew with the first list that is answered', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(1 - Number.EPSILON);
    let isUp = false;
    cluster.isUp = () => isUp;
    time.onPause = () => {
      isUp = time.pauses.length === 6;
    };
    cluster.events = () => {
      isUp = false;
      return [];
    };
    const running = start();
    await until(() => time.pauses.length >= 9);
    stop.abort();
    await running;
    expect(
      time.pauses.slice(0, 9).map(pause => Math.round(pause / 1000)),
    ).toEqual([1, 2, 4, 8, 16, 30, 1, 2, 4]);
  });

  it('grow over watches that are opened and cut at once, and over the lists between them', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    cluster.events = () => [];
    await pausesOf(60_000);
    // Of the least pauses that chance gives.
    expect(cluster.lists).toBeLessThanOrEqual(10);
    expect(cluster.watches).toBeLessThanOrEqual(15);
  });

  const bookmark = {
    type: 'BOOKMARK',
    object: { metadata: { resourceVersion: '2' } },
  } as WatchEvent;
  it.each<[string, () => WatchEvent[] | undefined]>([
    ['tell one bookmark and are cut', () => [bookmark]],
    [
      'are answered by something that is no watch',
      () => {
        throw new KubernetesRequestError({
          reason: 'UnexpectedAnswer',
          message: 'A proxy answered.',
          status: 200,
        });
      },
    ],
    [
      'tell one bookmark and expire',
      () => {
        throw new KubernetesRequestError({
          reason: 'ServerError',
          message: 'Gone',
          status: 410,
        });
      },
    ],
  ])('grow over watches that %s, again and again', async (_what, events) => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    cluster.events = events;
    await pausesOf(600_000);
    // Of the least pauses that chance gives, in ten minutes.
    expect(cluster.lists).toBeLessThanOrEqual(120);
    expect(cluster.watches).toBeLessThanOrEqual(120);
  });

  it('do not grow over watches that last as long as they were asked to', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(1 - Number.EPSILON);
    cluster.events = () => {
      time.now += 1_500;
      return [bookmark];
    };
    const running = start(1_000);
    await until(() => time.pauses.length >= 20);
    stop.abort();
    await running;
    expect(Math.round(Math.max(...time.pauses))).toBe(1_000);
  });

  it('begin anew after a watch that was silent for too long', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(1 - Number.EPSILON);
    cluster.events = () => (cluster.watches === 12 ? undefined : [bookmark]);
    const running = start(1);
    await until(() => time.pauses.length >= 13);
    stop.abort();
    await running;
    expect(
      time.pauses.slice(8, 13).map(pause => Math.round(pause / 1000)),
    ).toEqual([1, 1, 30, 1, 1]);
  });

  it('begin anew after a watch that has lived', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(1 - Number.EPSILON);
    cluster.events = () => {
      // After eleven that did not, one lives for a while before it is cut.
      time.now += cluster.watches === 12 ? 6_000 : 0;
      return [bookmark];
    };
    const running = start();
    await until(() => time.pauses.length >= 13);
    stop.abort();
    await running;
    expect(
      time.pauses.slice(8, 13).map(pause => Math.round(pause / 1000)),
    ).toEqual([1, 1, 30, 1, 1]);
  });
});

describe('the time of a reading', () => {
  it('does not stay in the future where the clock is set back', async () => {
    const cluster = new FakeCluster();
    const stop = new AbortController();
    time.now = START + 3_600_000;
    const reflector = KindReflector.create({
      cluster: 'staging',
      client: cluster.client,
      definition: kindDefinitions.pods,
      pool: FactPool.create(),
      delays: defaultDelays,
      relistAfterMilliseconds: 300_000,
      logger: mockServices.logger.mock(),
      clock: () => new Date(time.now),
      onChange: () => {},
    });
    const running = reflector.run(stop.signal);
    await until(() => cluster.watches === 1);
    time.now = START;
    await reflector.relist();
    expect(reflector.reading().completeAt).toBe(new Date(START).toISOString());
    stop.abort();
    await running;
  });
});

/** Lets what is under way go on until it holds; nothing here waits for a clock. */
async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000 && !holds(); turn += 1) {
    await new Promise(resolve => setImmediate(resolve));
  }
  expect(holds()).toBe(true);
}
