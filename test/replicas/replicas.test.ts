import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import {
  phases,
  Preview,
  SourcesResponse,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import { createRandom, Simulator, startSimulator } from 'simulator';
import { FaultTally } from '../support/FaultTally';
import { freePort } from '../support/freePort';
import { Busyness, keepBusy } from '../support/keepBusy';
import { componentsOf, postgresConnection } from '../support/replicaPlatform';
import {
  Replica,
  ReplicaOptions,
  startReplica,
  webhookOf,
} from '../support/startReplica';
import { startTcpProxy, TcpProxy } from '../support/tcpProxy';
import { waitFor } from '../support/waitFor';
import { History } from './History';
import { faultsOf, missingIn, recreationsIn } from './judge';

jest.setTimeout(600_000);

/** A lease lasts 20 s; with the first complete reading a take-over takes less than this. */
const TAKE_OVER = { timeoutMilliseconds: 60_000 };
/** A lease that its holder did not give up lasts for 15 s more at least. */
const HAND_OVER = { timeoutMilliseconds: 12_000 };
const NAMES = ['replica-1', 'replica-2', 'replica-3'];
const PROJECTS = ['shop/checkout', 'shop/payments'];
const KILLS = 3;
const PAUSES = 4;
/** A lease lasts 20 s. */
const PAST_THE_LEASE_MILLISECONDS = 25_000;
/**
 * Sets look this often, in seconds, and what is unwanted for twice that is an orphan:
 * soon enough for a false one to be called so before the truth is read again.
 */
const REQUEUE_AFTER_SECONDS = 2;
/** Nobody deletes what its set made for a closed MR; people do not work on it. */
const ABANDONED = 'shop/abandoned';
/** What every write sends first: it locks the row of the lease. */
const LOCKS_THE_LEASE = 'for update';

describe('three replicas on one PostgreSQL', () => {
  let simulator: Simulator;
  let history: History;
  const random = createRandom('moments');
  /** Each replica's own way to the database. */
  const proxies = new Map<string, TcpProxy>();
  const replicas = new Map<string, Replica>();
  const options = new Map<string, ReplicaOptions>();
  const logs: string[] = [];
  const tally = new FaultTally();
  /** Times in which no replica wrote. */
  const absences: { from: string; until: string }[] = [];
  /** Of the last turn that was taken from a replica. */
  let lostEpoch = 0;
  let opened = 0;
  let hour: Busyness | undefined;
  /** MRs whose Applications somebody deleted. */
  const deletedByHand = new Set<string>();

  beforeAll(async () => {
    const ports = await Promise.all(NAMES.map(() => freePort()));
    simulator = await startSimulator({
      seed: 'replicas',
      speed: 40,
      rbacFile: resolve(__dirname, '../../docs/rbac.yaml'),
      webhook: webhookOf(ports[1]),
      scenario: ({ scenario }) => {
        const requeueAfterSeconds = REQUEUE_AFTER_SECONDS;
        scenario.addService({ name: 'checkout', requeueAfterSeconds });
        scenario.addService({
          name: 'payments',
          template: 'valuesObject',
          requeueAfterSeconds,
        });
        scenario.addService({
          name: 'abandoned',
          requeueAfterSeconds,
          setSyncPolicy: { applicationsSync: 'create-update' },
        });
      },
    });
    history = new History(simulator);
    const { host, port } = postgresConnection();
    for (const [index, name] of NAMES.entries()) {
      const proxy = await startTcpProxy({ host, port });
      proxies.set(name, proxy);
      options.set(name, {
        name,
        port: ports[index],
        platform: simulator,
        database: postgresConnection(proxy.port),
        databasePrefix: `replicas_${ports[0]}_`,
        entities: componentsOf(simulator, [...PROJECTS, ABANDONED]),
        config: { previews: { grace: { minimum: { seconds: 1 } } } },
      });
    }
    // The first makes the tables.
    await start(NAMES[0]);
    await Promise.all(NAMES.slice(1).map(start));
  });

  afterAll(async () => {
    tally.write();
    hour?.stop();
    await Promise.all([...replicas.values()].map(replica => replica.kill()));
    history?.stop();
    await simulator?.stop();
    await Promise.all([...proxies.values()].map(proxy => proxy.close()));
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
    // Until now it ran.
    expect(replica.process.exitCode ?? replica.process.signalCode).toBeNull();
    lostEpoch = replica.epoch();
    await replica[how]();
    logs.push(replica.log());
    replicas.delete(replica.name);
  }

  /**
   * The one that had its turn last: a replica says nothing where it loses its turn
   * by an error.
   */
  function currentWriter(
    candidates = [...replicas.values()],
  ): Replica | undefined {
    const [latest] = candidates
      .filter(replica => replica.isWriter() && replica.epoch() > lostEpoch)
      .sort((a, b) => b.epoch() - a.epoch());
    return latest;
  }
  const writer = () => waitFor('a writer', () => currentWriter(), TAKE_OVER);
  const othersThan = (replica: Replica) =>
    [...replicas.values()].filter(other => other !== replica);
  const proxyOf = ({ name }: Replica) => proxies.get(name)!;

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

  /** A row may come between the count and the page of one answer: it is asked for again. */
  function all(replica: Replica): Promise<Preview[]> {
    return waitFor('a whole list', async () => {
      const { items, totalItems } = await replica.client.listPreviews({
        phase: [...phases],
        limit: 200,
      });
      expect(items).toHaveLength(totalItems);
      return items;
    });
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
    deleteAnApplication();
  }

  /** Somebody deletes an Application that is wanted; its set makes it anew. */
  function deleteAnApplication() {
    const { cluster } = simulator.clusters[0];
    const applicationOf = (reference: { project: string; iid: number }) => ({
      kind: 'Application',
      namespace: 'argocd',
      name: history.nameOf(reference),
    });
    const chosen = simulator.control
      .mergeRequests()
      .filter(
        ({ project, state }) =>
          PROJECTS.includes(project) && state === 'opened',
      )
      .map(applicationOf)
      .find(application => {
        const { metadata } = cluster.get(application) ?? {};
        return (
          metadata &&
          !metadata.deletionTimestamp &&
          !deletedByHand.has(application.name)
        );
      });
    if (chosen) {
      deletedByHand.add(chosen.name);
      cluster.delete(chosen);
    }
  }

  /** Returns how many times something happened. */
  function endBusyHour(): number {
    hour?.stop();
    return hour?.events ?? 0;
  }

  /** Waits until replicas tell that every source was read completely since a writer went. */
  async function untilAllIsFreshSince(
    time: Date,
    witnesses = [...replicas.values()],
  ): Promise<void> {
    const from = time.toISOString();
    await Promise.all(
      witnesses.map(({ name, fetchText }) =>
        waitFor(
          `all to be fresh by the word of ${name}`,
          async () => {
            const { items } = JSON.parse(
              await fetchText('/v1/sources'),
            ) as SourcesResponse;
            return items.length > 0 &&
              items.every(
                ({ status, lastCompleteAt = '' }) =>
                  status === 'fresh' && lastCompleteAt > from,
              )
              ? true
              : undefined;
          },
          TAKE_OVER,
        ),
      ),
    );
    absences.push({ from, until: new Date().toISOString() });
  }

  /** One of these writes within a minute of this time, and all of them show what is fresh. */
  async function untilTakenOver(
    time: Date,
    candidates: Replica[],
  ): Promise<void> {
    await waitFor('another writer', () => currentWriter(candidates), TAKE_OVER);
    await untilAllIsFreshSince(time, candidates);
    expect(Date.now() - time.getTime()).toBeLessThan(60_000);
  }

  /** In the middle of its next write, with the row of the lease locked. Returns when. */
  async function whenItHoldsTheLock(
    replica: Replica,
    act: () => void,
  ): Promise<Date> {
    let time: Date | undefined;
    proxyOf(replica).before(LOCKS_THE_LEASE, () => {
      act();
      time = new Date();
    });
    return waitFor(`${replica.name} to write`, () => time);
  }

  /** Whatever it does then. Returns when. */
  async function atAnyMoment(act: () => void): Promise<Date> {
    let time: Date | undefined;
    simulator.platform.clock.after(random.next() * 2 * 60_000, () => {
      act();
      time = new Date();
    });
    return waitFor('the moment', () => time);
  }

  /** What is wrong with the timelines that a replica has now, while people are at work. */
  async function faultsSeenBy(replica: Replica): Promise<string[]> {
    const found: string[] = [];
    for (const preview of await all(replica)) {
      const timeline = await timelineOf(replica, preview.id);
      found.push(...faultsOf({ preview, timeline, history }));
    }
    return found;
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
    // A row may change between two of the answers: all are asked again.
    const seen = await waitFor('one answer from all', async () => {
      const hashes = await Promise.all(
        [...replicas.values()].map(async replica =>
          createHash('sha256')
            .update(JSON.stringify(await all(replica)))
            .digest('hex'),
        ),
      );
      return new Set(hashes).size === 1 ? hashes : undefined;
    });
    expect(seen).toHaveLength(NAMES.length);
  });

  it('goes on at once when the writer shuts down', async () => {
    const leaving = await writer();
    beginBusyHour();
    const leftAt = new Date();
    await end(leaving, 'shutDown');
    await waitFor('another writer at once', () => currentWriter(), HAND_OVER);
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
      await untilTakenOver(killedAt, [...replicas.values()]);
      expect(await faultsSeenBy(await writer())).toEqual([]);
      await start(victim.name);
    }
    expect(endBusyHour()).toBeGreaterThan(10);
    expect(await allAgreeWithGitLab()).toBe(true);
  });

  it('loses nothing while the database cannot be reached for longer than a lease lasts', async () => {
    await writer();
    beginBusyHour();
    tally.count('The database cannot be reached');
    const cutAt = new Date();
    const known = new Map(
      [...replicas.values()].map(replica => [replica, replica.log().length]),
    );
    proxies.forEach(proxy => proxy.cut());
    await waitFor('all to notice, and the lease to run out', () =>
      Date.now() - cutAt.getTime() > PAST_THE_LEASE_MILLISECONDS &&
      [...known].every(([{ log }, from]) =>
        /could not be (renewed|taken)/.test(log().slice(from)),
      )
        ? true
        : undefined,
    );
    proxies.forEach(proxy => proxy.mend());
    await untilAllIsFreshSince(cutAt);
    expect(endBusyHour()).toBeGreaterThan(3);
    expect(await allAgreeWithGitLab()).toBe(true);
  });

  it('has everything fresh again within a minute when the database says no more to the writer, which holds a lock', async () => {
    const unheard = await writer();
    const way = proxyOf(unheard);
    beginBusyHour();
    const frozenAt = await whenItHoldsTheLock(unheard, () => way.freeze());
    lostEpoch = unheard.epoch();
    tally.count('The database says no more to the writer');
    const others = othersThan(unheard);
    await untilTakenOver(frozenAt, others);
    expect(await faultsSeenBy(others[0])).toEqual([]);

    // What it sent too late arrives.
    way.mend();
    await untilAllIsFreshSince(frozenAt);
    endBusyHour();
    expect(await allAgreeWithGitLab()).toBe(true);
  });

  it('lets no replica write that slept through its lease, again and again in a busy hour', async () => {
    beginBusyHour();
    for (let round = 0; round < PAUSES; round += 1) {
      const sleeper = await writer();
      const asleepAt =
        round % 2 === 0
          ? await whenItHoldsTheLock(sleeper, () => sleeper.pause())
          : await atAnyMoment(() => sleeper.pause());
      lostEpoch = sleeper.epoch();
      tally.count('The writer sleeps past its lease (SIGSTOP)');
      await untilTakenOver(asleepAt, othersThan(sleeper));

      sleeper.goOn();
      await untilAllIsFreshSince(asleepAt);
      expect(await faultsSeenBy(sleeper)).toEqual([]);
      deleteAnApplication();
    }
    expect(endBusyHour()).toBeGreaterThan(10);
    expect(await allAgreeWithGitLab()).toBe(true);
  });

  it('has kept every transition once and in order through all of it', async () => {
    const [replica] = replicas.values();
    let recreations = 0;
    for (const preview of await all(replica)) {
      const timeline = await timelineOf(replica, preview.id);
      expect(faultsOf({ preview, timeline, history })).toEqual([]);
      // Row and timeline are two answers, and something may come between them.
      const { project, iid } = preview.mergeRequest;
      await waitFor(`${project}!${iid} to be what is told of it`, async () => {
        const row = (await all(replica)).find(({ id }) => id === preview.id)!;
        const told = await timelineOf(replica, preview.id);
        return missingIn({ preview: row, timeline: told }).length === 0
          ? true
          : undefined;
      });
      recreations += recreationsIn(timeline);
    }
    // Some of what was deleted was merged before anybody saw that it was made anew.
    expect(recreations).toBeGreaterThan(0);
  });

  it('would have called an orphan what is one', async () => {
    const abandoned = simulator.control.openMergeRequest({
      project: ABANDONED,
      sourceBranch: 'feature/abandoned',
      title: 'Abandoned',
      author: 'dev1',
    });
    const phaseBy = (phase: Preview['phase']) =>
      Promise.all(
        [...replicas.values()].map(replica =>
          waitFor(`${replica.name} to call it ${phase}`, async () => {
            const row = (await all(replica)).find(
              ({ mergeRequest }) => mergeRequest.project === ABANDONED,
            );
            return row?.phase === phase ? phase : undefined;
          }),
        ),
      );
    await phaseBy('Live');
    simulator.control.close(abandoned);
    expect(await phaseBy('Orphaned')).toHaveLength(NAMES.length);
  });

  it('has left no rejection unhandled, in any of its processes', () => {
    for (const { log, process } of replicas.values()) {
      expect(process.exitCode ?? process.signalCode).toBeNull();
      logs.push(log());
    }
    expect(logs).toHaveLength(NAMES.length + KILLS + 1);
    for (const log of logs) {
      // It was listened to from its first word.
      expect(log).toMatch(/Plugin initialization/);
      expect(log).not.toMatch(/unhandled|uncaught/i);
    }
  });
});
