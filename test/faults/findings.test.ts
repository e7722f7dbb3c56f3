import {
  Finding,
  FindingType,
} from '@previews/backstage-plugin-previews-common';
import { Simulator } from 'simulator';
import {
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(180_000);

const CHECKOUT = 'shop/checkout';
const ARCHIVE = 'shop/archive';
const MERGE_REQUESTS = 6;
/**
 * Long past at the end of each test, and longer than an alarm may take on a machine
 * that has much to do: until it rings, what is left would be an orphan.
 */
const GRACE_MILLISECONDS = 6_000;

describe('findings', () => {
  let plugin: StartedPlugin;
  let simulator: Simulator;
  let references: MergeRequestReference[];
  /** Over before the portal ever looked. */
  let closed: { iid: number; closedAt: string };

  beforeAll(async () => {
    plugin = await startPlugin({
      simulator: { speed: 10 },
      previews: {
        grace: { minimum: { milliseconds: GRACE_MILLISECONDS } },
      },
      scenario: ({ scenario, control, gitlab }) => {
        // Its namespaces are nobody's to delete: left behind when the Applications
        // go, each would be an orphan.
        scenario.addService({
          name: 'checkout',
          requireLabel: true,
          requeueAfterSeconds: 1,
          createNamespaceBySync: true,
        });
        scenario.addService({
          name: 'archive',
          requireLabel: true,
          requeueAfterSeconds: 1,
        });
        for (const project of [CHECKOUT, ARCHIVE]) {
          for (let number = 1; number <= MERGE_REQUESTS; number += 1) {
            control.openMergeRequest({
              project,
              sourceBranch: `feature/${number}`,
              title: `Change ${number}`,
              author: 'dev1',
              labels: ['preview'],
            });
          }
        }
        const { iid } = control.openMergeRequest({
          project: CHECKOUT,
          sourceBranch: 'feature/over',
          title: 'Without a preview',
          author: 'dev1',
        });
        control.close({ project: CHECKOUT, iid });
        const { closedAt } = gitlab.state.mergeRequest({
          project: CHECKOUT,
          iid,
        });
        closed = { iid, closedAt: closedAt! };
      },
    });
    simulator = plugin.simulator;
    references = Array.from({ length: MERGE_REQUESTS }, (_, index) => ({
      project: CHECKOUT,
      iid: index + 1,
    }));
  });

  afterAll(async () => {
    await plugin?.stop();
  });

  const applications = () =>
    simulator.clusters[0].cluster.list({ kind: 'Application' });

  function changeGenerator(
    name: string,
    change: (gitlab: Record<string, unknown>) => void,
  ): void {
    simulator.clusters[0].cluster.patch(
      { kind: 'ApplicationSet', namespace: 'argocd', name },
      draft => {
        const { generators } = draft.spec as {
          generators: { pullRequest: { gitlab: Record<string, unknown> } }[];
        };
        change(generators[0].pullRequest.gitlab);
      },
    );
  }

  async function findings(query = ''): Promise<Finding[]> {
    const text = await plugin.fetchText(`/v1/findings${query}`);
    return JSON.parse(text).items;
  }

  const untilFinding = (
    type: FindingType,
    predicate: (found: Finding[]) => boolean,
  ) =>
    waitFor(
      `findings of ${type}`,
      async () => {
        const found = await findings(`?type=${type}`);
        return predicate(found) ? found : undefined;
      },
      { timeoutMilliseconds: 60_000 },
    );

  async function allLive(project = CHECKOUT): Promise<void> {
    for (const { iid } of references) {
      await plugin.until({ project, iid }, ({ phase }) => phase === 'Live', {
        timeoutMilliseconds: 60_000,
      });
    }
  }

  async function phasesOf(project: string): Promise<string[]> {
    const { items } = await plugin.previews({ project });
    const timelines = await Promise.all(
      items.map(({ id }) => plugin.timeline(id)),
    );
    return timelines
      .flat()
      .filter(({ kind }) => kind === 'phase')
      .map(({ to }) => to);
  }

  /** Longer than anything unwanted may be left without being an orphan. */
  async function pastGrace(): Promise<void> {
    const since = Date.now();
    await waitFor(
      'the grace period to be over',
      async () => Date.now() - since > GRACE_MILLISECONDS + 2_000 || undefined,
    );
  }

  describe('of a generated set that shrinks while its merge requests are open', () => {
    it('by a label that no merge request has is an alarm and no orphan, and heals', async () => {
      await allLive();
      expect(await findings('?type=GeneratedSetShrank')).toEqual([]);
      changeGenerator('checkout-previews', gitlab => {
        gitlab.labels = ['preveiw'];
      });
      // It rings when most of them have gone, and the others follow.
      const [alarm] = await untilFinding(
        'GeneratedSetShrank',
        ([found]) => found?.previewIds.length === MERGE_REQUESTS,
      );
      expect(alarm).toMatchObject({
        severity: 'critical',
        subject: { kind: 'ApplicationSet', name: 'checkout-previews' },
        params: { before: MERGE_REQUESTS },
      });
      await pastGrace();
      const rows = await plugin.previews({ project: CHECKOUT });
      expect(rows.items.map(({ phase }) => phase)).toEqual(
        references.map(() => 'TearingDown'),
      );
      expect(await phasesOf(CHECKOUT)).not.toContain('Orphaned');
      expect(await findings('?type=WithoutMergeRequest')).toEqual([]);
      const summary = await plugin.summary('component:default/checkout');
      expect(summary.alarms.map(({ id }) => id)).toEqual([alarm.id]);
      expect(summary.findingCounts.critical).toBe(1);

      changeGenerator('checkout-previews', gitlab => {
        gitlab.labels = ['preview'];
      });
      await allLive();
      await untilFinding('GeneratedSetShrank', found => found.length === 0);
      expect(await phasesOf(CHECKOUT)).not.toContain('Orphaned');
      const [over] = await findings(`?state=resolved&type=GeneratedSetShrank`);
      expect(over).toMatchObject({ id: alarm.id });
      expect(over.resolvedAt).toBeDefined();
    });

    it('by a token that sees the project no more, over a restart of the portal, leaves no orphan of what stays', async () => {
      await allLive(ARCHIVE);
      const token = simulator.gitlab.state.tokens.find(
        ({ name }) => name === 'argocd',
      )!;
      const { projectIds } = token;
      await plugin.stopBackend();
      token.projectIds = new Set([simulator.gitlab.state.project(CHECKOUT).id]);
      // GitLab answers 404, which this option reads as a list without entries.
      changeGenerator('archive-previews', gitlab => {
        gitlab.continueOnRepoNotFoundError = true;
      });
      await waitFor(
        'Argo CD to delete everything of the set',
        async () => applications().length === MERGE_REQUESTS || undefined,
        { timeoutMilliseconds: 60_000 },
      );
      await plugin.startBackend();
      const [alarm] = await untilFinding(
        'GeneratedSetShrank',
        found => found.length === 1,
      );
      expect(alarm.subject.name).toBe('archive-previews');
      await pastGrace();
      expect(await phasesOf(ARCHIVE)).not.toContain('Orphaned');

      token.projectIds = projectIds;
      await allLive(ARCHIVE);
      await untilFinding('GeneratedSetShrank', found => found.length === 0);
      expect(await phasesOf(ARCHIVE)).not.toContain('Orphaned');
    });

    it('ends when the merge requests are closed instead', async () => {
      changeGenerator('archive-previews', gitlab => {
        gitlab.labels = ['preveiw'];
      });
      await untilFinding('GeneratedSetShrank', found => found.length === 1);
      const archived = references.map(({ iid }) => ({ project: ARCHIVE, iid }));
      archived.forEach(reference => simulator.control.close(reference));
      await untilFinding('GeneratedSetShrank', found => found.length === 0);
      for (const reference of archived) {
        await plugin.untilPhase(reference, 'Gone');
      }
      expect(await phasesOf(ARCHIVE)).not.toContain('Orphaned');
    });
  });

  it('tell of namespaces of merge requests whose previews nobody ever saw, the sure ones apart, until they go', async () => {
    await allLive();
    const { cluster } = simulator.clusters[0];
    const { namespaces } = (await plugin.find(references[0]))!;
    const [named, labelled] = [closed.iid, 102].map(iid =>
      namespaces[0].name.replace(/\d+$/, `${iid}`),
    );
    cluster.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: named },
    });
    cluster.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: labelled,
        labels: {
          'previews/project-id': `${
            simulator.gitlab.state.project(CHECKOUT).id
          }`,
          'previews/merge-request': '102',
        },
      },
    });
    const [maybe] = await untilFinding(
      'NamespaceMaybeLeft',
      found => found.length === 1,
    );
    expect(maybe).toMatchObject({
      severity: 'info',
      subject: { kind: 'Namespace', name: named },
      params: {
        mergeRequest: `${CHECKOUT}!${closed.iid}`,
        since: closed.closedAt,
        contents: 0,
      },
    });
    const [sure] = await untilFinding(
      'NamespaceLeft',
      found => found.length === 1,
    );
    expect(sure).toMatchObject({
      severity: 'warning',
      subject: { kind: 'Namespace', name: labelled },
      params: { mergeRequest: `${CHECKOUT}!102`, contents: 0 },
    });

    // Nobody can tell while GitLab is down, and the namespace goes for all that.
    simulator.faults.gitlab.down(502);
    await plugin.untilSource(
      plugin.gitlabSource,
      ({ status }) => status !== 'fresh',
    );
    cluster.delete({ kind: 'Namespace', name: named });
    await untilFinding('NamespaceMaybeLeft', found => found.length === 0);
    expect(await findings('?type=NamespaceLeft')).toEqual([sure]);
    await simulator.faults.clear();
    cluster.delete({ kind: 'Namespace', name: labelled });
    await untilFinding('NamespaceLeft', found => found.length === 0);
  });

  it('make no pass of the engine fail', () => {
    expect(plugin.errors).toEqual([]);
  });
});
