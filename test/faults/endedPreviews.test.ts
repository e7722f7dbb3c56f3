import { Preview } from '@previews/backstage-plugin-previews-common';
import {
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

/** A project that is read by a list of its own, and one that its group stands for. */
const lists = [
  { list: 'its project alone', service: 'checkout' },
  { list: 'its group', service: 'cart' },
];

/** Together with `cart`, enough for the lists of their group. */
const NEIGHBOURS = ['basket', 'catalogue', 'search', 'stock'];

/** No test lets GitLab send webhooks. */
describe('a merge request whose preview has ended', () => {
  let plugin: StartedPlugin;
  const projects = new Map<string, string>();

  beforeAll(async () => {
    plugin = await startPlugin({
      scenario: ({ scenario }) => {
        const add = (name: string, group: string) =>
          projects.set(name, scenario.addService({ name, group }).project);
        add('checkout', 'alone');
        ['cart', ...NEIGHBOURS].forEach(name => add(name, 'shop'));
        projects.set(
          'labelled',
          scenario.addService({
            name: 'labelled',
            group: 'shop',
            requireLabel: true,
          }).project,
        );
      },
    });
  });

  afterAll(async () => {
    await plugin?.stop();
  });

  function open(service: string): MergeRequestReference {
    const project = projects.get(service)!;
    const { iid } = plugin.simulator.control.openMergeRequest({
      project,
      sourceBranch: `feature/${
        plugin.simulator.control.mergeRequests().length
      }`,
      title: 'A change',
      author: 'dev1',
    });
    return { project, iid };
  }

  /** What was updated is read twice more, by both lists: what the first brought is decided. */
  async function untilReadAgain(): Promise<void> {
    const { requests } = plugin.simulator.gitlab;
    const last = requests[requests.length - 1];
    await waitFor('two more readings', () => {
      const since = requests.slice(requests.indexOf(last) + 1);
      const isReadTwice = (list: RegExp) =>
        since.filter(
          ({ path }) => list.test(path) && path.includes('updated_after='),
        ).length > 2;
      return isReadTwice(/\/groups\//) && isReadTwice(/\/projects\//)
        ? true
        : undefined;
    });
  }

  /** Nobody follows it, and the writer has forgotten that it ever read it. */
  async function untilForgotten(): Promise<void> {
    await plugin.stopBackend();
    await plugin.startBackend();
    await untilReadAgain();
  }

  async function untilEnded(service: string): Promise<{
    reference: MergeRequestReference;
    ended: Preview;
  }> {
    const reference = open(service);
    await plugin.untilPhase(
      reference,
      service === 'labelled' ? 'NotSelected' : 'Live',
    );
    plugin.simulator.control.close(reference);
    const ended = await plugin.until(
      reference,
      ({ phase, mergeRequest }) =>
        mergeRequest.state === 'closed' &&
        ['Gone', 'NotSelected'].includes(phase),
    );
    return { reference, ended };
  }

  const outages: {
    when: string;
    during: (change: () => void) => Promise<void>;
  }[] = [
    {
      when: 'between two polls',
      during: async change => {
        await untilForgotten();
        change();
      },
    },
    {
      when: 'while the portal was stopped',
      during: async change => {
        await plugin.stopBackend();
        change();
        await plugin.startBackend();
      },
    },
    {
      when: 'after the portal was killed',
      during: async change => {
        await plugin.killBackend();
        change();
        await plugin.startBackend();
      },
    },
  ];

  const cases = lists.flatMap(list =>
    outages.map(outage => ({ ...list, ...outage })),
  );

  it.each(cases)(
    'is shown as merged that was reopened and merged $when, in $list',
    async ({ service, during }) => {
      const { reference, ended } = await untilEnded(service);
      const before = await plugin.timeline(ended.id);
      await during(() => {
        plugin.simulator.control.reopen(reference);
        plugin.simulator.control.edit({ ...reference, title: 'Renamed' });
        plugin.simulator.control.merge(reference);
      });
      const merged = await plugin.until(
        reference,
        ({ mergeRequest }) => mergeRequest.state === 'merged',
      );
      const truth = plugin.simulator.gitlab.state.mergeRequest(reference);
      expect(merged).toMatchObject({
        id: ended.id,
        phase: 'Gone',
        stale: [],
        goneAt: ended.goneAt,
        applications: [],
        mergeRequest: {
          title: 'Renamed',
          mergedAt: truth.mergedAt,
          updatedAt: truth.updatedAt,
        },
      });

      await untilReadAgain();
      const timeline = await plugin.timeline(ended.id);
      expect(timeline.slice(0, before.length)).toEqual(before);
      expect(timeline.slice(before.length)).toMatchObject([
        {
          kind: 'condition',
          type: 'MergeRequestOpen',
          to: 'False',
          reason: 'Merged',
        },
      ]);
    },
  );

  it.each(cases)(
    'says when it was closed that was reopened and closed $when, in $list',
    async ({ service, during }) => {
      const { reference, ended } = await untilEnded(service);
      const before = await plugin.timeline(ended.id);
      await during(() => {
        plugin.simulator.control.reopen(reference);
        plugin.simulator.control.close(reference);
      });
      const { closedAt } =
        plugin.simulator.gitlab.state.mergeRequest(reference);
      expect(closedAt).not.toBe(ended.mergeRequest.closedAt);
      await plugin.until(
        reference,
        ({ phase, mergeRequest }) =>
          phase === 'Gone' && mergeRequest.closedAt === closedAt,
      );
      await untilReadAgain();
      expect(await plugin.timeline(ended.id)).toEqual(before);
    },
  );

  it('stays one that was never selected', async () => {
    const { reference, ended } = await untilEnded('labelled');
    await untilForgotten();
    plugin.simulator.control.reopen(reference);
    plugin.simulator.control.merge(reference);
    expect(
      await plugin.until(
        reference,
        ({ mergeRequest }) => mergeRequest.state === 'merged',
      ),
    ).toMatchObject({ id: ended.id, phase: 'NotSelected' });
  });

  it('is seen through an outage of GitLab that outlasts the portal', async () => {
    const { reference } = await untilEnded('checkout');
    plugin.simulator.faults.gitlab.down(502);
    plugin.simulator.control.reopen(reference);
    plugin.simulator.control.merge(reference);
    for (let restart = 0; restart < 2; restart += 1) {
      await plugin.stopBackend();
      await plugin.startBackend();
      await plugin.untilSource(
        plugin.gitlabSource,
        ({ status }) => status === 'failing',
      );
    }
    plugin.simulator.faults.gitlab.clear();
    const merged = await plugin.until(
      reference,
      ({ mergeRequest }) => mergeRequest.state === 'merged',
    );
    expect(merged).toMatchObject({ phase: 'Gone', stale: [] });
  });

  it('has no row that had ended before the portal looked, though somebody comments on it', async () => {
    await plugin.stopBackend();
    const reference = open('checkout');
    plugin.simulator.control.merge(reference);
    await plugin.startBackend();
    await untilReadAgain();
    plugin.simulator.control.edit({ ...reference, title: 'Commented on' });
    await untilReadAgain();
    expect(await plugin.find(reference)).toBeUndefined();
  });
});
