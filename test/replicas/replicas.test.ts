import {
  phases,
  Preview,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import { Entity } from '@backstage/catalog-model';
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { Simulator, startSimulator } from 'simulator';
import { FaultTally } from '../support/FaultTally';
import { freePort } from '../support/freePort';
import {
  DatabaseConnection,
  Replica,
  ReplicaOptions,
  startReplica,
  webhookOf,
} from '../support/startReplica';
import { startTcpProxy, TcpProxy } from '../support/tcpProxy';
import { waitFor } from '../support/waitFor';

jest.setTimeout(600_000);

const POSTGRES =
  process.env.BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING;
/** A lease lasts 20 s; with the first complete reading a take-over takes less than this. */
const TAKE_OVER = { timeoutMilliseconds: 60_000 };
const NAMES = ['replica-1', 'replica-2', 'replica-3'];

function connection(port?: number): DatabaseConnection {
  if (!POSTGRES) {
    throw new Error(
      'These tests need PostgreSQL: the root test script starts one; by hand run "node scripts/postgres.mjs" and set BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING',
    );
  }
  const url = new URL(POSTGRES);
  return {
    host: '127.0.0.1',
    port: port ?? Number(url.port),
    user: url.username,
    password: url.password,
  };
}

function entitiesOf(simulator: Simulator): Entity[] {
  const instance = new URL(simulator.gitlab.url).host;
  return ['checkout', 'payments'].map(name => ({
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name,
      annotations: {
        'gitlab.com/project-slug': `shop/${name}`,
        'gitlab.com/instance': instance,
      },
    },
  }));
}

/** Where a timeline does not go on from where it was: as `subject: from instead of before`. */
function breaksIn(transitions: readonly Transition[]): string[] {
  const last = new Map<string, string>();
  return transitions.flatMap(({ kind, type, from, to }) => {
    if (kind !== 'phase' && kind !== 'condition') {
      return [];
    }
    const subject = `${kind} ${type ?? ''}`;
    const before = last.get(subject);
    last.set(subject, to);
    // A condition that did not apply in between begins anew.
    const goesOn =
      before === undefined || from === undefined || from === before;
    return goesOn ? [] : [`${subject}: ${from} instead of ${before}`];
  });
}

describe('three replicas on one PostgreSQL', () => {
  let simulator: Simulator;
  let proxy: TcpProxy;
  const replicas = new Map<string, Replica>();
  const options = new Map<string, ReplicaOptions>();
  const logs: string[] = [];
  const tally = new FaultTally();
  let opened = 0;

  beforeAll(async () => {
    const direct = connection();
    proxy = await startTcpProxy({ host: direct.host, port: direct.port });
    const ports = await Promise.all(NAMES.map(() => freePort()));
    simulator = await startSimulator({
      seed: 'replicas',
      speed: 40,
      rbacFile: resolve(__dirname, '../../docs/rbac.yaml'),
      webhook: webhookOf(ports[1]),
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout' });
        scenario.addService({ name: 'payments', template: 'valuesObject' });
      },
    });
    for (const [index, name] of NAMES.entries()) {
      options.set(name, {
        name,
        port: ports[index],
        platform: simulator,
        database: connection(proxy.port),
        databasePrefix: `replicas_${ports[0]}_`,
        entities: entitiesOf(simulator),
      });
      await start(name);
    }
  });

  afterAll(async () => {
    tally.write();
    await Promise.all([...replicas.values()].map(replica => replica.kill()));
    await simulator?.stop();
    await proxy?.close();
  });

  async function start(name: string) {
    replicas.set(name, await startReplica(options.get(name)!));
  }

  async function end(replica: Replica, how: 'kill' | 'shutDown') {
    tally.count(
      how === 'kill'
        ? 'The writer is killed (kill -9)'
        : 'The writer shuts down',
    );
    await replica[how]();
    logs.push(replica.log());
    replicas.delete(replica.name);
  }

  const writer = () =>
    waitFor(
      'a writer',
      () => [...replicas.values()].find(replica => replica.isWriter()),
      TAKE_OVER,
    );

  /** Something happens in GitLab. */
  function bustle() {
    const project = opened % 2 === 0 ? 'shop/checkout' : 'shop/payments';
    opened += 1;
    const { iid } = simulator.control.openMergeRequest({
      project,
      sourceBranch: `feature/${opened}`,
      title: `Change ${opened}`,
      author: 'dev1',
    });
    const open = simulator.control
      .mergeRequests()
      .filter(({ state }) => state === 'opened');
    if (open.length > 4) {
      simulator.control.push(open[1]);
      simulator.control.merge(open[0]);
    }
    return { project, iid };
  }

  async function all(replica: Replica): Promise<Preview[]> {
    const { items, totalItems } = await replica.client.listPreviews({
      phase: [...phases],
      limit: 200,
    });
    expect(items).toHaveLength(totalItems);
    return items;
  }

  /** What a replica says of the MRs that is not what GitLab says. */
  async function liesOf(replica: Replica): Promise<string[]> {
    const truth = simulator.control.mergeRequests();
    const rows = await all(replica);
    const wrong = truth.flatMap(({ project, iid, state, sha }) => {
      const row = rows.find(
        ({ mergeRequest }) =>
          mergeRequest.project === project && mergeRequest.iid === iid,
      );
      // What came and went while nobody could write was never seen there.
      const right =
        state === 'opened'
          ? row?.phase === 'Live' && row.mergeRequest.headSha === sha
          : (row?.phase === 'Gone' || row?.phase === 'NotSelected') &&
            row.mergeRequest.state === state;
      return right ? [] : [`${project}!${iid} ${state} is ${row?.phase}`];
    });
    return rows.length === truth.length
      ? wrong
      : [...wrong, `${rows.length} rows for ${truth.length} MRs`];
  }

  async function untilItAgrees(replica: Replica): Promise<true> {
    return waitFor(
      `${replica.name} to tell the truth`,
      async () => {
        const lies = await liesOf(replica);
        if (lies.length > 0) {
          throw new Error(lies.join(', '));
        }
        return true as const;
      },
      { timeoutMilliseconds: 120_000 },
    );
  }

  /** Every replica says of every MR what GitLab says. */
  async function allAgreeWithGitLab(): Promise<boolean> {
    const agreed = await Promise.all([...replicas.values()].map(untilItAgrees));
    return agreed.every(Boolean);
  }

  async function timelineOf(
    replica: Replica,
    id: string,
  ): Promise<Transition[]> {
    const items: Transition[] = [];
    let cursor: string | undefined;
    do {
      const page = await replica.client.getTimeline(id, { cursor, limit: 200 });
      items.unshift(...[...page.items].reverse());
      cursor = page.nextCursor;
    } while (cursor);
    return items;
  }

  it('serves the same previews from each, whichever writes', async () => {
    bustle();
    bustle();
    await writer();
    expect(await allAgreeWithGitLab()).toBe(true);
    const seen = await Promise.all(
      [...replicas.values()].map(async replica =>
        createHash('sha256')
          .update(JSON.stringify(await all(replica)))
          .digest('hex'),
      ),
    );
    expect(new Set(seen).size).toBe(1);
  });

  it('goes on at once when the writer shuts down', async () => {
    await end(await writer(), 'shutDown');
    bustle();
    await writer();
    expect(await allAgreeWithGitLab()).toBe(true);
    await start(NAMES.find(name => !replicas.has(name))!);
  });

  it('goes on within a minute when the writer is killed, again and again', async () => {
    for (let round = 0; round < 2; round += 1) {
      const victim = await writer();
      bustle();
      await end(victim, 'kill');
      bustle();
      await start(victim.name);
      await writer();
      expect(await allAgreeWithGitLab()).toBe(true);
    }
  });

  it('loses nothing while the database cannot be reached', async () => {
    await writer();
    tally.count('The database cannot be reached');
    proxy.cut();
    bustle();
    await waitFor('someone to notice', () =>
      [...replicas.values()].some(replica =>
        /could not be (renewed|taken)/.test(replica.log()),
      )
        ? true
        : undefined,
    );
    proxy.mend();
    bustle();
    expect(await allAgreeWithGitLab()).toBe(true);
  });

  it('does not let a replica write that slept through its lease', async () => {
    const sleeper = await writer();
    tally.count('The writer sleeps past its lease (SIGSTOP)');
    sleeper.pause();
    bustle();
    await waitFor(
      'another writer',
      () =>
        [...replicas.values()].find(
          replica => replica !== sleeper && replica.isWriter(),
        ),
      TAKE_OVER,
    );
    bustle();
    sleeper.goOn();
    await waitFor('the sleeper to notice', () =>
      sleeper.isWriter() ? undefined : true,
    );
    expect(await allAgreeWithGitLab()).toBe(true);
  });

  it('has kept every transition once and in order through all of it', async () => {
    const [replica] = replicas.values();
    for (const preview of await all(replica)) {
      const transitions = await timelineOf(replica, preview.id);
      const ids = transitions.map(({ id }) => Number(id));
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
      const times = transitions.map(({ at }) => Date.parse(at));
      expect(times).toEqual([...times].sort((a, b) => a - b));

      expect(breaksIn(transitions)).toEqual([]);
      const phasesSeen = transitions.filter(({ kind }) => kind === 'phase');
      expect(phasesSeen[phasesSeen.length - 1].to).toBe(preview.phase);
      expect(transitions.filter(({ to }) => to === 'Orphaned')).toEqual([]);
    }
    logs.push(...[...replicas.values()].map(({ log }) => log()));
    expect(logs.join('\n')).not.toMatch(/unhandled/i);
  });
});
