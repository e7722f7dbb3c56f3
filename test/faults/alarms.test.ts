import { Finding, Preview } from '@previews/backstage-plugin-previews-common';
import { createRealClock, Simulator } from 'simulator';
import { StartedPlugin, startPlugin } from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(180_000);

const BASKET = 'shop/basket';
const ALL = [1, 2, 3, 4, 5, 6];
const MOVED = [1, 2, 3, 4, 5];

interface Generator {
  pullRequest: {
    gitlab: Record<string, unknown>;
    filters?: { branchMatch: string }[];
  };
}

describe('the alarm of a set that shrinks', () => {
  const timers = createRealClock({ speed: 10 });
  let behindMilliseconds = 3_600_000;
  let plugin: StartedPlugin;
  let simulator: Simulator;

  beforeAll(async () => {
    plugin = await startPlugin({
      simulator: {
        clock: {
          now: () => new Date(Date.now() - behindMilliseconds),
          after: timers.after,
        },
      },
      scenario: ({ scenario, control }) => {
        scenario.addService({ name: 'basket', requeueAfterSeconds: 1 });
        scenario.addService({ name: 'empty', requeueAfterSeconds: 1 });
        ALL.forEach(number =>
          control.openMergeRequest({
            project: BASKET,
            sourceBranch: `feature/${number}`,
            title: `Change ${number}`,
            author: 'dev1',
          }),
        );
      },
    });
    simulator = plugin.simulator;
  });

  afterAll(async () => {
    await plugin?.stop();
    timers.stop();
  });

  const cluster = () => simulator.clusters[0].cluster;
  const set = (name: string) => ({
    kind: 'ApplicationSet',
    namespace: 'argocd',
    name,
  });

  const alarms = async (query = ''): Promise<Finding[]> =>
    JSON.parse(
      await plugin.fetchText(`/v1/findings?type=GeneratedSetShrank${query}`),
    ).items;

  const untilAlarms = (count: number) =>
    waitFor(`${count} alarms`, async () => {
      const found = await alarms();
      return found.length === count ? found : undefined;
    });

  async function until(
    iids: readonly number[],
    predicate: (preview: Preview) => boolean,
  ): Promise<void> {
    for (const iid of iids) {
      await plugin.until({ project: BASKET, iid }, predicate, {
        timeoutMilliseconds: 60_000,
      });
    }
  }

  /** What was opened now was read and decided on, and with it all that happened before. */
  async function readAgain(): Promise<void> {
    const since = new Date().toISOString();
    const { iid } = simulator.control.openMergeRequest({
      project: 'shop/empty',
      sourceBranch: `marker/${Date.parse(since)}`,
      title: 'Marker',
      author: 'dev1',
    });
    await plugin.untilPhase({ project: 'shop/empty', iid }, 'Live');
  }

  it('does not ring where a set is split in two', async () => {
    await until(ALL, ({ phase }) => phase === 'Live');
    // Of previews that are as young as a requeue nobody can tell whether another set
    // took them over or always generated for them too.
    behindMilliseconds = 0;
    const whole = cluster().get(set('basket-previews'))!;
    const { generators, template } = whole.spec as {
      generators: Generator[];
      template: { metadata: object; spec: { destination: object } };
    };
    const only = (iids: readonly number[]): Generator[] =>
      generators.map(({ pullRequest }) => ({
        pullRequest: {
          ...pullRequest,
          filters: [{ branchMatch: `^feature/[${iids.join('')}]$` }],
        },
      }));
    const prefix = `preview-mr-${
      simulator.gitlab.state.project(BASKET).id
    }-half-`;
    const name = `${prefix}{{ .number }}`;
    cluster().create({
      apiVersion: whole.apiVersion,
      kind: whole.kind,
      metadata: { name: 'basket-half', namespace: 'argocd' },
      spec: {
        ...(whole.spec as object),
        generators: only(MOVED),
        template: {
          metadata: { ...template.metadata, name },
          spec: {
            ...template.spec,
            destination: { ...template.spec.destination, namespace: name },
          },
        },
      },
    });
    // Both stand beside each other until the first set lets go of its own.
    await until(MOVED, ({ applications }) => applications.length === 2);
    cluster().patch(set('basket-previews'), draft => {
      (draft.spec as { generators: Generator[] }).generators = only([6]);
    });
    await until(
      MOVED,
      ({ phase, applications }) =>
        phase === 'Live' &&
        applications.every(application => application.name.startsWith(prefix)),
    );
    await readAgain();
    expect(await alarms()).toEqual([]);
    expect(await alarms('&state=resolved')).toEqual([]);
  });

  it('ends when the merge requests are closed of a set that was pointed to another project', async () => {
    const empty = String(simulator.gitlab.state.project('shop/empty').id);
    cluster().patch(set('basket-half'), draft => {
      const [{ pullRequest }] = (draft.spec as { generators: Generator[] })
        .generators;
      pullRequest.gitlab.project = empty;
    });
    cluster().patch(set('basket-previews'), draft => {
      const [{ pullRequest }] = (draft.spec as { generators: Generator[] })
        .generators;
      pullRequest.gitlab.project = empty;
    });
    const [alarm] = await untilAlarms(1);
    expect(alarm.subject.name).toBe('basket-half');
    // Nothing is left of the previews, so that nobody but the alarm asks for them.
    await until(ALL, ({ phase }) => phase === 'Gone');
    await readAgain();
    expect(await alarms()).toHaveLength(1);
    MOVED.forEach(iid => simulator.control.close({ project: BASKET, iid }));
    await untilAlarms(0);
  });
});
