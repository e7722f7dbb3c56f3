import {
  phases,
  Preview,
  SourcesResponse,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import { Entity } from '@backstage/catalog-model';
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { Simulator, startSimulator } from 'simulator';
import { FaultTally } from '../support/FaultTally';
import { freePort } from '../support/freePort';
import { Busyness, keepBusy } from '../support/keepBusy';
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
/** A lease that its holder did not give up lasts for 15 s more at least. */
const HAND_OVER = { timeoutMilliseconds: 12_000 };
const NAMES = ['replica-1', 'replica-2', 'replica-3'];
const PROJECTS = ['shop/checkout', 'shop/payments'];
const KILLS = 3;

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

/** By type, what a timeline told of a condition last. */
function lastsOf(transitions: readonly Transition[]): Record<string, string> {
  return Object.fromEntries(
    transitions
      .filter(({ kind }) => kind === 'condition')
      .map(({ type = '', to }) => [type, to]),
  );
}

/** By type, what is known of a preview's conditions. */
function statusesOf({ conditions }: Preview): Record<string, string> {
  return Object.fromEntries(
    conditions.map(({ type, status, lastKnown }) => [
      type,
      lastKnown?.status ?? status,
    ]),
  );
}

describe('three replicas on one PostgreSQL', () => {
  let simulator: Simulator;
  let proxy: TcpProxy;
  const replicas = new Map<string, Replica>();
  const options = new Map<string, ReplicaOptions>();
  const logs: string[] = [];
  const tally = new FaultTally();
  /** Times in which no replica wrote. */
  const absences: { from: string; until: string }[] = [];
  let opened = 0;
  let hour: Busyness | undefined;

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
    hour?.stop();
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

  const currentWriter = () =>
    [...replicas.values()].find(replica => replica.isWriter());
  const writer = () => waitFor('a writer', currentWriter, TAKE_OVER);

  /** Something happens in GitLab. */
  function bustle() {
    const project = PROJECTS[opened % PROJECTS.length];
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

  /** It came and went while nobody could write. */
  function wasNeverSeen(reference: { project: string; iid: number }): boolean {
    const { createdAt, mergedAt, closedAt } =
      simulator.gitlab.state.mergeRequest(reference);
    const endedAt = mergedAt ?? closedAt;
    return (
      endedAt !== undefined &&
      absences.some(({ from, until }) => createdAt > from && endedAt < until)
    );
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
      if (!row && wasNeverSeen({ project, iid })) {
        return [];
      }
      const right =
        state === 'opened'
          ? row?.phase === 'Live' && row.mergeRequest.headSha === sha
          : (row?.phase === 'Gone' || row?.phase === 'NotSelected') &&
            row.mergeRequest.state === state;
      return right ? [] : [`${project}!${iid} ${state} is ${row?.phase}`];
    });
    const known = new Set(truth.map(({ project, iid }) => `${project}!${iid}`));
    const invented = rows
      .map(({ mergeRequest: { project, iid } }) => `${project}!${iid}`)
      .filter((name, index, names) => {
        const isDouble = names.indexOf(name) !== index;
        return isDouble || !known.has(name);
      });
    return [...wrong, ...invented.map(name => `${name} is a row too many`)];
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

  /** People are at work from now on, until all that they did is to be compared. */
  function beginBusyHour() {
    hour = keepBusy({
      simulator,
      projects: PROJECTS,
      seed: `busy hour ${opened}`,
    });
  }

  /** Returns how many times something happened. */
  function endBusyHour(): number {
    hour?.stop();
    return hour?.events ?? 0;
  }

  /** Waits until every replica tells that every source was read completely since a writer went. */
  async function untilAllIsFreshSince(time: string): Promise<void> {
    await Promise.all(
      [...replicas.values()].map(({ name, fetchText }) =>
        waitFor(
          `all to be fresh by the word of ${name}`,
          async () => {
            const { items } = JSON.parse(
              await fetchText('/v1/sources'),
            ) as SourcesResponse;
            return items.length > 0 &&
              items.every(
                ({ status, lastCompleteAt = '' }) =>
                  status === 'fresh' && lastCompleteAt > time,
              )
              ? true
              : undefined;
          },
          TAKE_OVER,
        ),
      ),
    );
    absences.push({ from: time, until: new Date().toISOString() });
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
    const leaving = await writer();
    beginBusyHour();
    const leftAt = new Date().toISOString();
    await end(leaving, 'shutDown');
    await waitFor('another writer at once', currentWriter, HAND_OVER);
    await untilAllIsFreshSince(leftAt);
    endBusyHour();
    expect(await allAgreeWithGitLab()).toBe(true);
    await start(leaving.name);
  });

  it('has everything fresh again within a minute when the writer is killed, again and again in a busy hour', async () => {
    beginBusyHour();
    for (let round = 0; round < KILLS; round += 1) {
      const victim = await writer();
      const killedAt = new Date();
      await end(victim, 'kill');
      await writer();
      await untilAllIsFreshSince(killedAt.toISOString());
      expect(Date.now() - killedAt.getTime()).toBeLessThan(60_000);
      await start(victim.name);
    }
    expect(endBusyHour()).toBeGreaterThan(10);
    expect(await allAgreeWithGitLab()).toBe(true);
  });

  it('loses nothing while the database cannot be reached', async () => {
    await writer();
    beginBusyHour();
    tally.count('The database cannot be reached');
    const cutAt = new Date().toISOString();
    proxy.cut();
    await waitFor('someone to notice', () =>
      [...replicas.values()].some(replica =>
        /could not be (renewed|taken)/.test(replica.log()),
      )
        ? true
        : undefined,
    );
    proxy.mend();
    await untilAllIsFreshSince(cutAt);
    endBusyHour();
    expect(await allAgreeWithGitLab()).toBe(true);
  });

  it('does not let a replica write that slept through its lease', async () => {
    const sleeper = await writer();
    tally.count('The writer sleeps past its lease (SIGSTOP)');
    beginBusyHour();
    const asleepAt = new Date().toISOString();
    sleeper.pause();
    await waitFor(
      'another writer',
      () =>
        [...replicas.values()].find(
          replica => replica !== sleeper && replica.isWriter(),
        ),
      TAKE_OVER,
    );
    sleeper.goOn();
    await waitFor('the sleeper to notice', () =>
      sleeper.isWriter() ? undefined : true,
    );
    await untilAllIsFreshSince(asleepAt);
    endBusyHour();
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
      expect(lastsOf(transitions)).toMatchObject(statusesOf(preview));
      expect(transitions.filter(({ to }) => to === 'Orphaned')).toEqual([]);
    }
    logs.push(...[...replicas.values()].map(({ log }) => log()));
    expect(logs.join('\n')).not.toMatch(/unhandled/i);
  });
});
