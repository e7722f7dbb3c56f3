import { gitlabAnswers, Simulator } from 'simulator';
import {
  condition,
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

/** Enough to be read by the lists of their group. */
const SERVICES = [
  'basket',
  'checkout',
  'orders',
  'payments',
  'search',
  'users',
];

const project = (service: string) => `shop/${service}`;

/** A list of one project, as only the portal asks for it. */
const OF_PROJECT = /^\/projects\/[^/]+\/merge_requests\?.*order_by=/;
const OF_GROUP = /^\/groups\/shop\/merge_requests\?/;

describe('A GitLab of a group with several projects', () => {
  let plugin: StartedPlugin;
  let simulator: Simulator;

  beforeAll(async () => {
    plugin = await startPlugin({
      scenario: ({ scenario, control }) => {
        for (const service of SERVICES) {
          scenario.addService({ name: service });
          control.openMergeRequest({
            project: project(service),
            sourceBranch: 'feature/first',
            title: `First of ${service}`,
            author: 'dev1',
          });
        }
      },
    });
    simulator = plugin.simulator;
    await allLive();
  });

  afterAll(async () => {
    await plugin?.stop();
  });

  // A test that failed must not fail the next one too.
  afterEach(() => simulator.faults.clear());

  const first = (service: string): MergeRequestReference => ({
    project: project(service),
    iid: 1,
  });

  async function allLive() {
    for (const service of SERVICES) {
      await plugin.until(
        first(service),
        ({ phase, stale }) => phase === 'Live' && stale.length === 0,
      );
    }
  }

  async function allFresh() {
    for (const service of SERVICES) {
      await plugin.until(first(service), ({ stale }) => stale.length === 0);
    }
  }

  /** Paths that the portal asks for from now on, until its lists were read so often. */
  async function pathsOf(lists: number): Promise<string[]> {
    const { requests } = simulator.gitlab;
    const begin = requests.length;
    const paths = () => requests.slice(begin).map(({ path }) => path);
    await waitFor('GitLab to be read again', () =>
      paths().filter(path => OF_GROUP.test(path)).length >= lists
        ? true
        : undefined,
    );
    return paths();
  }

  it('is asked for the lists of the group, and for none of a project', async () => {
    expect((await pathsOf(3)).filter(path => OF_PROJECT.test(path))).toEqual(
      [],
    );
  });

  it('that leaves a project out of the group is asked for that project alone', async () => {
    const { id } = simulator.gitlab.state.project(project('search'));
    simulator.faults.gitlab.hideFromGroups(id);
    const alone = new RegExp(`^/projects/${id}/merge_requests\\?.*order_by=`);
    await waitFor('the project to be read alone', () =>
      simulator.gitlab.requests.some(({ path }) => alone.test(path))
        ? true
        : undefined,
    );
    const { iid } = simulator.control.openMergeRequest({
      project: project('search'),
      sourceBranch: 'feature/second',
      title: 'Second of search',
      author: 'dev1',
    });
    const reference = { project: project('search'), iid };
    const live = await plugin.untilPhase(reference, 'Live');
    expect(live.stale).toEqual([]);
    simulator.control.close(reference);
    await plugin.untilPhase(reference, 'Gone');
    await simulator.faults.clear();
    await allLive();
  });

  it('that hides the group is asked for each project alone, and nothing changes', async () => {
    const before = await Promise.all(SERVICES.map(first).map(plugin.find));
    simulator.faults.gitlab.answer({
      path: '/groups/',
      answer: gitlabAnswers.notFound,
    });
    const { requests } = simulator.gitlab;
    const begin = requests.length;
    await waitFor('every project to be read alone', () =>
      new Set(
        requests
          .slice(begin)
          .flatMap(
            ({ path }) => OF_PROJECT.exec(path)?.[0].split('/')[2] ?? [],
          ),
      ).size === SERVICES.length
        ? true
        : undefined,
    );
    await plugin.untilSource(
      plugin.gitlabSource,
      ({ status, errors }) => status === 'fresh' && errors.length === 0,
    );
    const after = await Promise.all(SERVICES.map(first).map(plugin.find));
    expect(after.map(row => row?.phase)).toEqual(before.map(row => row?.phase));
  });

  it.each<
    [
      string,
      string,
      (simulator: Simulator) => void,
      (answersBefore: number) => Promise<boolean>,
    ]
  >([
    [
      'takes 30 seconds for each answer',
      'basket',
      ({ faults }) => {
        faults.gitlab.delay = 30_000;
      },
      // Nothing was answered in between: the call still hangs.
      async answersBefore => simulator.gitlab.requests.length === answersBefore,
    ],
    [
      'answers 429 for ten minutes',
      'checkout',
      ({ faults }) =>
        faults.gitlab.answer({
          path: '',
          answer: gitlabAnswers.tooManyRequests(600, new Date()),
        }),
      async () =>
        (await plugin.source(plugin.gitlabSource)).errors.some(
          ({ reason, retryAt = '' }) =>
            reason === 'RateLimited' && retryAt > new Date().toISOString(),
        ),
    ],
  ])('that %s does not delay what happens in a cluster', async (...row) => {
    const [, service, begin, isStillSo] = row;
    const reference = first(service);
    // What hung in the test before may hang for a while yet.
    await allFresh();
    const [{ name }] = (await plugin.find(reference))!.namespaces;
    begin(simulator);
    const stale = await plugin.until(
      reference,
      preview => condition(preview, 'MergeRequestOpen')?.status === 'Unknown',
    );
    expect(stale.phase).toBe('Live');
    const answersBefore = simulator.gitlab.requests.length;
    simulator.clusters[0].cluster.delete({ kind: 'Namespace', name });
    const seen = await plugin.until(
      reference,
      preview => condition(preview, 'Available')?.status !== 'True',
    );
    expect(await isStillSo(answersBefore)).toBe(true);
    expect(seen.stale).toEqual([plugin.gitlabSource]);
    expect((await plugin.source('cluster:preview')).status).toBe('fresh');
    expect(plugin.errors).toEqual([]);
  });
});
