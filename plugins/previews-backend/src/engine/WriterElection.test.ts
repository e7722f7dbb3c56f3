import { mockServices } from '@backstage/backend-test-utils';
import { LeaseTerm, PreviewStore } from '../store';
import { WriterElection } from './WriterElection';

const TERM: LeaseTerm = { holder: 'replica-a', epoch: 3 };

describe('the election of the writer', () => {
  let stop: AbortController;
  let running: Promise<void>;

  beforeEach(() => {
    stop = new AbortController();
  });

  afterEach(async () => {
    stop.abort();
    await running;
  });

  let leaseMilliseconds: number;

  beforeEach(() => {
    leaseMilliseconds = 400;
  });

  /** A store whose lease is free once, and is renewed as it is told. */
  function elect(
    renewLease: () => Promise<boolean>,
    ...before: (() => Promise<LeaseTerm | undefined>)[]
  ) {
    const acquireLease = jest.fn(
      async (): Promise<LeaseTerm | undefined> => undefined,
    );
    before.forEach(answer => acquireLease.mockImplementationOnce(answer));
    acquireLease.mockResolvedValueOnce(TERM);
    const releaseLease = jest.fn(async () => {});
    const logger = mockServices.logger.mock();
    const held: AbortSignal[] = [];
    const ended: LeaseTerm[] = [];
    let silent: Promise<void> | undefined;
    /** Lets the work hear nothing from now on, not even that it has to stop. */
    const silence = () => {
      let fail: (error: Error) => void = () => {};
      silent = new Promise<void>((_, reject) => {
        fail = reject;
      });
      return { fail };
    };
    running = new WriterElection({
      store: {
        acquireLease,
        renewLease,
        releaseLease,
      } as unknown as PreviewStore,
      logger,
      holder: TERM.holder,
      leaseMilliseconds,
      renewMilliseconds: 100,
    }).run(stop.signal, async (term, signal) => {
      held.push(signal);
      await new Promise<void>(resolve => {
        signal.addEventListener('abort', () => resolve());
      });
      await silent;
      ended.push(term);
    });
    const said = () => logger.info.mock.calls.map(([message]) => message);
    return {
      acquireLease,
      releaseLease,
      logger,
      held,
      ended,
      said,
      silence,
    };
  }

  async function until(holds: () => boolean): Promise<void> {
    const end = performance.now() + 30_000;
    while (!holds() && performance.now() < end) {
      await new Promise(resolve => setTimeout(resolve, 10));
    }
    expect(holds()).toBe(true);
  }

  it('goes on while the lease is renewed, and gives it back in the end', async () => {
    const renewLease = jest.fn(async () => true);
    const { ended, releaseLease, said } = elect(renewLease);
    await until(() => renewLease.mock.calls.length > 5);
    expect(ended).toEqual([]);
    stop.abort();
    await running;
    expect(ended).toEqual([TERM]);
    expect(releaseLease).toHaveBeenCalledWith(TERM);
    expect(said()).toEqual(['This instance reconciles previews, epoch 3']);
  });

  it.each<[string, () => Promise<boolean>]>([
    ['somebody else has the lease', async () => false],
    [
      'the lease cannot be renewed for as long as it lasts',
      async () => {
        throw new Error('connection refused');
      },
    ],
    ['the database never answers', () => new Promise<boolean>(() => {})],
  ])('ends the work when %s, and tries again', async (_name, renewLease) => {
    const { acquireLease, ended, said } = elect(renewLease);
    await until(() => ended.length === 1);
    await until(() => acquireLease.mock.calls.length > 2);
    expect(said()).toEqual([
      'This instance reconciles previews, epoch 3',
      'This instance does not reconcile previews any more, epoch 3',
    ]);
  });

  it('bears a database that is away for less than a lease', async () => {
    // Longer than this process may be kept from running between two tries.
    leaseMilliseconds = 10_000;
    let failures = 2;
    const renewLease = jest.fn(async () => {
      failures -= 1;
      if (failures >= 0) {
        throw new Error('connection refused');
      }
      return true;
    });
    const { ended, logger } = elect(renewLease);
    await until(() => renewLease.mock.calls.length > 6);
    expect(ended).toEqual([]);
    expect(logger.warn).toHaveBeenCalledTimes(2);
  });

  it('tries again where the database does not answer', async () => {
    const { acquireLease, held } = elect(
      async () => true,
      () => new Promise(() => {}),
    );
    await until(() => held.length === 1);
    expect(acquireLease.mock.calls.length).toBeGreaterThan(1);
  });

  it('waits no longer than a lease for work that does not stop, and says nothing of how it ends', async () => {
    let lose = () => {};
    const lost = new Promise<boolean>(resolve => {
      lose = () => resolve(false);
    });
    const { acquireLease, ended, logger, silence } = elect(() => lost);
    const { fail } = silence();
    lose();
    await until(() => acquireLease.mock.calls.length > 2);
    expect(ended).toEqual([]);
    expect(logger.warn).toHaveBeenCalledWith(
      'What the previews writer of epoch 3 waits for has no answer; nothing waits for it any more',
    );
    fail(new Error('connection timed out'));
    await until(() => logger.debug.mock.calls.length === 1);
    expect(logger.error).not.toHaveBeenCalled();
  });

  it('does not wait for a lease that cannot be given back', async () => {
    const { releaseLease, held } = elect(async () => true);
    releaseLease.mockImplementation(() => new Promise<void>(() => {}));
    await until(() => held.length === 1);
    stop.abort();
    await running;
    expect(releaseLease).toHaveBeenCalledTimes(1);
  });
});
