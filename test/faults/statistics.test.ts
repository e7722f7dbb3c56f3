import {
  DurationStatistics,
  StatsResponse,
} from '@previews/backstage-plugin-previews-common';
import { Simulator } from 'simulator';
import {
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const CHECKOUT = 'shop/checkout';
const SEARCH = 'shop/search';
/** What is first seen later than this was not seen from its beginning. */
const STALE_AFTER_MILLISECONDS = 6_000;

describe('statistics of whole lives', () => {
  let plugin: StartedPlugin;
  let simulator: Simulator;

  beforeEach(async () => {
    plugin = await startPlugin({
      previews: {
        schedule: {
          gitlabStaleAfter: { milliseconds: STALE_AFTER_MILLISECONDS },
        },
      },
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout' });
        scenario.addService({ name: 'search' });
      },
    });
    simulator = plugin.simulator;
  });

  afterEach(async () => {
    await plugin?.stop();
  });

  function open(project: string): MergeRequestReference {
    const { iid } = simulator.control.openMergeRequest({
      project,
      sourceBranch: `feature/${simulator.control.mergeRequests().length}`,
      title: 'A change',
      author: 'dev1',
    });
    return { project, iid };
  }

  const stats = async (query = ''): Promise<StatsResponse> =>
    JSON.parse(await plugin.fetchText(`/v1/stats${query}`));

  /** A row may be shown a moment before its statistics are asked for again. */
  const until = (
    description: string,
    predicate: (found: StatsResponse) => boolean,
  ) =>
    waitFor(description, async () => {
      const found = await stats();
      return predicate(found) ? found : undefined;
    });

  function lengthOf({ stages }: DurationStatistics): number {
    return stages.reduce((sum, { p50Seconds }) => sum + p50Seconds, 0);
  }

  it('measure each environment once, by service, with stages that make up the whole', async () => {
    const first = open(CHECKOUT);
    await plugin.untilPhase(first, 'Live');
    const second = open(SEARCH);
    const live = await plugin.untilPhase(second, 'Live');
    // An update is no spin-up.
    const { sha } = simulator.control.push(first);
    await plugin.until(
      first,
      ({ phase, mergeRequest, commit }) =>
        phase === 'Live' &&
        mergeRequest.headSha === sha &&
        sha!.startsWith(commit.running ?? 'none'),
    );
    simulator.control.merge(first);
    await plugin.untilPhase(first, 'Gone');

    const { overall, services } = await until(
      'one teardown',
      found => found.overall.teardown.count === 1,
    );
    expect(overall).toMatchObject({
      spinUp: { count: 2, imprecise: 0 },
      teardown: { count: 1, imprecise: 0 },
      created: { total: 2 },
    });
    // Both are of one week, but for the moment at which it ends.
    const { weeks } = overall.created;
    expect(weeks.length).toBeLessThanOrEqual(2);
    expect(weeks.reduce((sum, { count }) => sum + count, 0)).toBe(2);
    expect(services).toMatchObject([
      { project: CHECKOUT, spinUp: { count: 1 }, teardown: { count: 1 } },
      { project: SEARCH, spinUp: { count: 1 }, teardown: { count: 0 } },
    ]);

    const [{ spinUp, teardown }, search] = services;
    for (const measured of [spinUp, teardown, search.spinUp]) {
      expect(lengthOf(measured)).toBeCloseTo(measured.p50Seconds!, 3);
    }
    // From GitLab's own time of opening to what the row says.
    expect(search.spinUp.p50Seconds).toBeCloseTo(
      (Date.parse(live.phaseSince) - Date.parse(live.mergeRequest.createdAt)) /
        1000,
      3,
    );
    expect(plugin.errors).toEqual([]);
  });

  it('go on over a restart in the midst of a spin-up', async () => {
    const reference = open(CHECKOUT);
    await plugin.until(reference, ({ phase }) => phase !== 'Unknown');
    await plugin.stopBackend();
    await plugin.startBackend();
    await plugin.untilPhase(reference, 'Live');
    const { overall } = await until(
      'one spin-up',
      found => found.overall.spinUp.count === 1,
    );
    expect(overall).toMatchObject({
      spinUp: { imprecise: 0 },
      created: { total: 1 },
    });
    expect(await stats('?to=2026-01-01T00:00:00Z')).toMatchObject({
      overall: { spinUp: { count: 0 } },
      totalServices: 0,
    });
  });

  it('do not use the length of what was live before the portal was there', async () => {
    const reference = open(CHECKOUT);
    await plugin.untilPhase(reference, 'Live');
    await plugin.stopBackend();
    const openedAt = Date.now();
    const again = open(CHECKOUT);
    await waitFor('the Application to be healthy', async () =>
      simulator.clusters[0].cluster
        .list({ kind: 'Application' })
        .some(
          ({ metadata, status }) =>
            metadata.name.endsWith(`-${again.iid}`) &&
            status?.health?.status === 'Healthy',
        )
        ? true
        : undefined,
    );
    await waitFor('its beginning to be forgotten', async () =>
      Date.now() - openedAt > STALE_AFTER_MILLISECONDS + 500 ? true : undefined,
    );
    await plugin.startBackend();
    await plugin.untilPhase(again, 'Live');
    const { overall } = await until(
      'two spin-ups',
      found => found.overall.spinUp.count === 2,
    );
    expect(overall.spinUp.imprecise).toBe(1);
    expect(overall.created.total).toBe(2);
  });
});
