import { resolve } from 'node:path';
import { Preview, phases } from '@previews/backstage-plugin-previews-common';
import { Simulator, startSimulator } from 'simulator';
import { freePort } from '../support/freePort';
import { componentsOf, postgresConnection } from '../support/replicaPlatform';
import { Replica, startReplica, webhookOf } from '../support/startReplica';
import { waitFor } from '../support/waitFor';

jest.setTimeout(300_000);

const PROJECT = 'shop/checkout';
/** What is polled for is seen after the test. */
const SCHEDULE = {
  gitlabPoll: { minutes: 10 },
  gitlabStaleAfter: { minutes: 30 },
  catalogPoll: { minutes: 10 },
};
const SECOND = 'Second';
const RENAMED_IN_SILENCE = 'Renamed, and nobody was told';
/** Of a hint, on a machine that has much to do. */
const SOON = { timeoutMilliseconds: 30_000 };

/** A log without the lines of requests that were answered. */
function withoutRequests(log: string): string {
  return log
    .split('\n')
    .filter(line => !line.includes('incomingRequest'))
    .join('\n');
}

describe('hints that reach a replica that does not write', () => {
  let simulator: Simulator;
  const replicas: Replica[] = [];
  const ports = new Map<Replica, number>();

  beforeAll(async () => {
    simulator = await startSimulator({
      seed: 'hints',
      speed: 40,
      rbacFile: resolve(__dirname, '../../docs/rbac.yaml'),
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout' });
      },
    });
    const databasePrefix = `hints_${await freePort()}_`;
    const start = async (name: string) => {
      const port = await freePort();
      const replica = await startReplica({
        name,
        port,
        platform: simulator,
        database: postgresConnection(),
        databasePrefix,
        entities: componentsOf(simulator, [PROJECT]),
        schedule: SCHEDULE,
      });
      ports.set(replica, port);
      replicas.push(replica);
    };
    // Seen by the first reading; what comes later is seen by hints alone.
    open('First');
    open(SECOND);
    // The first makes the tables.
    await start('hints-1');
    await Promise.all([start('hints-2'), start('hints-3')]);
  });

  afterAll(async () => {
    await Promise.all(replicas.map(replica => replica.kill()));
    await simulator?.stop();
  });

  function open(title: string) {
    simulator.control.openMergeRequest({
      project: PROJECT,
      sourceBranch: `feature/${title.toLowerCase()}`,
      title,
      author: 'dev1',
    });
  }

  const writer = () =>
    waitFor('a writer', () => replicas.find(({ isWriter }) => isWriter()));

  async function bystanders(): Promise<Replica[]> {
    const writing = await writer();
    return replicas.filter(replica => replica !== writing);
  }

  async function find(
    replica: Replica,
    iid: number,
  ): Promise<Preview | undefined> {
    const { items } = await replica.client.listPreviews({
      phase: [...phases],
      limit: 200,
    });
    return items.find(({ mergeRequest }) => mergeRequest.iid === iid);
  }

  const titlesOf = (iid: number) =>
    Promise.all(
      replicas.map(async replica => {
        const preview = await find(replica, iid);
        return preview?.mergeRequest.title;
      }),
    );

  /** Every replica shows the MR with this title; where not, says whether it was read at all. */
  async function untilAllShow(
    { iid, title }: { iid: number; title: string },
    options = SOON,
  ): Promise<void> {
    const { requests } = simulator.gitlab;
    try {
      await waitFor(
        `all to show ${title}`,
        async () => {
          const titles = await titlesOf(iid);
          return titles.every(shown => shown === title) ? true : undefined;
        },
        options,
      );
    } catch (error) {
      const told = [
        // Argo CD asks for the list of open ones all the time.
        ...requests
          .filter(({ path }) => !path.includes('state=opened&page='))
          .slice(-20)
          .map(request => JSON.stringify(request)),
        ...replicas.map(
          ({ name, log }) => `${name}: ${withoutRequests(log()).slice(-4000)}`,
        ),
      ];
      throw new Error(told.join('\n'), { cause: error });
    }
  }

  it('shows everywhere what a webhook tells any of them', async () => {
    const { control, gitlab } = simulator;
    const [told, untold] = control.mergeRequests();
    await untilAllShow(told, { timeoutMilliseconds: 60_000 });
    await untilAllShow(untold);
    control.edit({ ...untold, title: RENAMED_IN_SILENCE });
    for (const replica of await bystanders()) {
      const { url, secret } = webhookOf(ports.get(replica)!);
      gitlab.state.addSystemHook({ url, token: secret });
      const title = `Told by a webhook to ${replica.name}`;
      control.edit({ ...told, title });
      await untilAllShow({ ...told, title });
      await waitFor('GitLab to have its answer', () =>
        gitlab.deliveries.find(
          delivery => delivery.url === url && delivery.outcome === 202,
        ),
      );
      gitlab.state.systemHooks.pop();
      expect(replica.isWriter()).toBe(false);
    }
  });

  it('reads anew what is asked of any of them', async () => {
    const { control } = simulator;
    const [asked] = control.mergeRequests();
    for (const replica of await bystanders()) {
      const title = `Asked of ${replica.name}`;
      control.edit({ ...asked, title });
      const { id } = (await find(replica, asked.iid))!;
      // It is taken once in ten seconds.
      await waitFor('the request to be taken', () =>
        replica.client.refresh(id),
      );
      await untilAllShow({ ...asked, title });
      expect(replica.isWriter()).toBe(false);
    }
  });

  it('was not told by a poll', async () => {
    const [, untold] = simulator.control.mergeRequests();
    expect(untold.title).toBe(RENAMED_IN_SILENCE);
    expect(await titlesOf(untold.iid)).toEqual(Array(3).fill(SECOND));
  });

  it('left no rejection unhandled, and no replica that does without the others', () => {
    expect(replicas.map(({ log }) => log()).join('\n')).not.toMatch(
      /unhandled|uncaught|events backend not found/i,
    );
  });
});
