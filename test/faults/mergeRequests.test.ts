import { Preview } from '@previews/backstage-plugin-previews-common';
import { AddServiceOptions, Service, Simulator } from 'simulator';
import {
  condition,
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';

jest.setTimeout(120_000);

type Style = Omit<AddServiceOptions, 'name'>;

interface StyleCase {
  title: string;
  style: Style;
}

const hostOf = (name: string) => (iid: number) =>
  `mr-${iid}.${name}.preview.example.com`;

/** Enough of Argo CD's rule for the branches of these tests. */
const slugOf = ({ mergeRequest }: Preview) =>
  mergeRequest.sourceBranch.toLowerCase().replace(/[/_]/g, '-');

const styles: StyleCase[] = [
  { title: 'a Helm parameter', style: {} },
  {
    title: 'a Helm parameter of an old template',
    style: { goTemplate: false },
  },
  {
    title: 'an object of values',
    style: { template: 'valuesObject' },
  },
  {
    title: 'an object of values of an old template',
    style: { template: 'valuesObject', goTemplate: false },
  },
  { title: 'values as text', style: { template: 'valuesText' } },
  {
    title: 'values as text of an old template',
    style: { template: 'valuesText', goTemplate: false },
  },
  { title: 'a Kustomize image', style: { template: 'kustomize' } },
  {
    title: 'a Kustomize image behind an Ingress',
    style: { template: 'kustomize', route: 'ingress' },
  },
  {
    title: 'one of several sources',
    style: { template: 'multiSource' },
  },
  { title: 'the revision', style: { template: 'revision' } },
  {
    title: 'a tag of seven characters',
    style: { tag: '{{ .head_short_sha_7 }}' },
  },
  {
    title: 'names by the slug of the branch',
    style: { naming: 'branchSlug' },
  },
  {
    title: 'names by the slug of the branch in an old template',
    style: { naming: 'branchSlug', goTemplate: false },
  },
  {
    title: 'names that tell nothing, with labels that do',
    style: {
      applicationName: 'env-{{ .author | sha1sum | trunc 6 }}-{{ .number }}',
      previewLabels: true,
    },
  },
  { title: 'no route at all', style: { route: 'none' } },
  { title: 'an Ingress', style: { route: 'ingress' } },
  { title: 'a StatefulSet', style: { workload: 'StatefulSet' } },
  {
    title: 'a path instead of the id of the project',
    style: { generatorProject: 'path', requeueAfterSeconds: 20 },
  },
  {
    title: 'a destination in a second cluster',
    style: { destinationCluster: 1 },
  },
];

describe('a merge request', () => {
  let plugin: StartedPlugin;
  let simulator: Simulator;
  const services = new Map<string, Service>();
  let matrix: Service[];

  const nameOf = (index: number) => `style-${index}`;

  beforeAll(async () => {
    plugin = await startPlugin({
      simulator: { clusterPorts: [0, 0, 0] },
      // The third one is nowhere in the configuration.
      readClusters: [0, 1],
      scenario: started => {
        const { scenario, faults } = started;
        const add = (options: AddServiceOptions) =>
          services.set(options.name, scenario.addService(options));
        styles.forEach(({ style }, index) => {
          add({ name: nameOf(index), ...style });
          if (style.tag) {
            faults.platform.setStanding(
              'imageTag',
              `shop/${nameOf(index)}`,
              'sevenCharacters',
            );
          }
        });
        add({ name: 'checkout' });
        add({ name: 'catalogue' });
        add({ name: 'slugs', naming: 'branchSlug' });
        add({ name: 'twice' });
        scenario.addSet(services.get('twice')!, {
          applicationSet: 'twice-again',
          applicationName: 'again-{{ .number }}',
          namespace: 'again-{{ .number }}',
          host: 'again-{{ .number }}.preview.example.com',
          template: 'valuesObject',
        });
        add({ name: 'elsewhere', destinationCluster: 2 });
        ['roommate-a', 'roommate-b'].forEach(name =>
          add({
            name,
            namespace: 'preview-shared',
            createNamespaceBySync: true,
          }),
        );
        add({ name: 'short-tag' });
        faults.platform.setStanding(
          'imageTag',
          'shop/short-tag',
          'sevenCharacters',
        );
        matrix = scenario.addMatrix({
          applicationSet: 'matrix',
          services: ['red', 'green'],
        });
      },
    });
    simulator = plugin.simulator;
  });

  afterAll(async () => {
    await plugin?.stop();
  });

  function open(
    project: string,
    options: {
      sourceBranch?: string;
      fork?: boolean;
      draft?: boolean;
    } = {},
  ): MergeRequestReference {
    const { iid } = simulator.control.openMergeRequest({
      project,
      sourceBranch: `feature/A_${simulator.control.mergeRequests().length}`,
      title: 'A change',
      author: 'dev1',
      ...options,
    });
    return { project, iid };
  }

  const headOf = (reference: MergeRequestReference) =>
    simulator.gitlab.state.mergeRequest(reference).sha!;

  /** Until the head is live, and Argo CD and the cluster agree about it. */
  async function untilLive(reference: MergeRequestReference): Promise<Preview> {
    const head = headOf(reference);
    return plugin.until(
      reference,
      preview =>
        preview.phase === 'Live' &&
        preview.mergeRequest.headSha === head &&
        preview.stale.length === 0 &&
        preview.conditions.every(({ status }) => status === 'True') &&
        preview.applications.every(({ health }) => health === 'Healthy') &&
        head.startsWith(preview.commit.running ?? 'none'),
    );
  }

  async function close(reference: MergeRequestReference): Promise<Preview> {
    simulator.control.close(reference);
    const gone = await plugin.untilPhase(reference, 'Gone');
    expect(gone.applications).toEqual([]);
    expect(gone.goneAt).toBeDefined();
    return gone;
  }

  it.each(styles.map((style, index) => ({ ...style, index })))(
    'is live on its head, updated and torn down where the set gives $title',
    async ({ index, style }) => {
      const reference = open(services.get(nameOf(index))!.project);
      const live = await untilLive(reference);
      expect(live.commit.by).toBe(
        style.template === 'revision' ? 'revision' : 'tag',
      );
      expect(live.applications).toMatchObject([
        { sync: 'Synced', health: 'Healthy' },
      ]);
      expect(live.namespaces).toMatchObject([
        {
          cluster: style.destinationCluster ? 'preview-2' : 'preview',
          own: true,
        },
      ]);
      expect(live.workloads).toMatchObject([
        { kind: style.workload ?? 'Deployment', ready: 1, desired: 1 },
      ]);
      const hosts = live.urls.map(({ host }) => host);
      expect(hosts).toEqual(
        style.route === 'none'
          ? []
          : [
              style.naming === 'branchSlug'
                ? `${slugOf(live)}.${nameOf(index)}.preview.example.com`
                : hostOf(nameOf(index))(reference.iid),
            ],
      );
      expect(live.urls.every(({ clickable }) => clickable)).toBe(true);
      expect(condition(live, 'RouteAccepted')?.status).toBe(
        style.route === 'none' ? undefined : 'True',
      );
      expect(live.entityRefs).toEqual([`component:default/${nameOf(index)}`]);

      simulator.control.push(reference);
      const updated = await untilLive(reference);
      expect(updated.id).toBe(live.id);
      const phases = (await plugin.timeline(live.id)).map(({ to }) => to);
      expect(phases).not.toContain('Failed');
      expect(phases).not.toContain('Degraded');

      expect((await close(reference)).id).toBe(live.id);
    },
  );

  it('of each project of a matrix has a preview of its own', async () => {
    const references = matrix.map(({ project }) => open(project));
    expect(references.map(({ iid }) => iid)).toEqual([1, 1]);
    const rows = await Promise.all(references.map(untilLive));
    expect(rows.map(({ applications }) => applications[0].name)).toEqual(
      matrix.map(({ projectId }) => `preview-mr-${projectId}-1`),
    );
    await Promise.all(references.map(close));
  });

  it('has the same number in two projects of one cluster, and is told apart', async () => {
    const one = open('shop/checkout');
    const other = open('shop/catalogue');
    expect(one.iid).toBe(other.iid);
    const [first, second] = [await untilLive(one), await untilLive(other)];
    expect(first.id).not.toBe(second.id);
    expect(first.namespaces[0].name).not.toBe(second.namespaces[0].name);
    await close(one);
    expect((await plugin.find(other))?.phase).toBe('Live');
    await close(other);
  });

  it('that is closed and reopened goes on in its timeline', async () => {
    const reference = open('shop/checkout');
    const { id } = await untilLive(reference);
    await close(reference);
    const before = await plugin.timeline(id);
    simulator.control.reopen(reference);
    const again = await untilLive(reference);
    expect(again.id).toBe(id);
    expect(again.goneAt).toBeUndefined();
    const timeline = await plugin.timeline(id);
    expect(timeline.slice(0, before.length)).toEqual(before);
    expect(timeline.filter(({ kind }) => kind === 'application')).toHaveLength(
      1,
    );
    await close(reference);
  });

  it('that is locked counts as open', async () => {
    const reference = open('shop/checkout');
    await untilLive(reference);
    simulator.control.setLocked({ ...reference, locked: true });
    const locked = await plugin.until(
      reference,
      ({ mergeRequest }) => mergeRequest.state === 'locked',
    );
    expect(condition(locked, 'MergeRequestOpen')).toMatchObject({
      status: 'True',
      reason: 'Locked',
    });
    simulator.control.setLocked({ ...reference, locked: false });
    await untilLive(reference);
    await close(reference);
  });

  it('that is pushed to by force shows the new head', async () => {
    const reference = open('shop/checkout');
    const { mergeRequest } = await untilLive(reference);
    simulator.control.push({ ...reference, force: true });
    const after = await untilLive(reference);
    expect(after.mergeRequest.headSha).not.toBe(mergeRequest.headSha);
    await close(reference);
  });

  it('from a fork has a preview, also when the fork is deleted', async () => {
    const reference = open('shop/checkout', { fork: true });
    const row = await untilLive(reference);
    expect(row.mergeRequest.fork).toBe(true);
    const { sourceProjectId } = simulator.gitlab.state.mergeRequest(reference);
    simulator.gitlab.state.deleteProject(sourceProjectId!);
    simulator.control.edit({ ...reference, title: 'Without its fork' });
    const after = await plugin.until(
      reference,
      ({ mergeRequest }) => mergeRequest.title === 'Without its fork',
    );
    expect(after).toMatchObject({
      phase: 'Live',
      mergeRequest: { fork: true },
    });
    await close(reference);
  });

  it('that is a draft has a preview and says that it is one', async () => {
    const reference = open('shop/checkout', { draft: true });
    const row = await untilLive(reference);
    expect(row.mergeRequest.draft).toBe(true);
    expect(
      (await plugin.previews({ draft: true })).items.map(({ id }) => id),
    ).toEqual([row.id]);
    await close(reference);
  });

  it('whose source branch is deleted keeps its row and names the branch', async () => {
    const reference = open('shop/checkout', { sourceBranch: 'feature/short' });
    const { id } = await untilLive(reference);
    simulator.control.deleteSourceBranch(reference);
    const row = await plugin.until(
      reference,
      preview =>
        condition(preview, 'MergeRequestOpen')?.reason ===
        'SourceBranchDeleted',
    );
    expect(row).toMatchObject({ id, mergeRequest: { state: 'opened' } });
    expect(row.mergeRequest.headSha).toBeUndefined();
    await close(reference);
  });

  it('with a branch of two hundred characters is joined by its slug', async () => {
    const sourceBranch = `feature/${'very-long-'.repeat(19)}x1`;
    expect(sourceBranch).toHaveLength(200);
    const reference = open('shop/slugs', { sourceBranch });
    const row = await untilLive(reference);
    expect(row.mergeRequest.sourceBranch).toBe(sourceBranch);
    await close(reference);
  });

  it('on the branch of one that was closed takes over what Argo CD keeps for it', async () => {
    const sourceBranch = 'feature/once-more';
    const former = open('shop/slugs', { sourceBranch });
    const before = await untilLive(former);
    // The set looks at GitLab after both: its Application is the same one.
    simulator.control.close(former);
    const latter = open('shop/slugs', { sourceBranch });
    const after = await untilLive(latter);
    expect(after.applications.map(({ name }) => name)).toEqual(
      before.applications.map(({ name }) => name),
    );
    const gone = await plugin.untilPhase(former, 'Gone');
    expect(gone).toMatchObject({ id: before.id, applications: [] });
    const findings = JSON.parse(
      await plugin.fetchText('/v1/findings?state=all'),
    );
    const ids = [before.id, after.id];
    expect(
      findings.items.filter(({ previewIds }: { previewIds: string[] }) =>
        previewIds.some(id => ids.includes(id)),
      ),
    ).toEqual([]);
    const told = (await plugin.timeline(after.id)).map(
      ({ type, reason }) => `${type} ${reason}`,
    );
    expect(told).not.toContain('ApplicationGenerated NameCollision');
    await close(latter);
  });

  it('of a project with several sets waits for all of them', async () => {
    const reference = open('shop/twice');
    const row = await plugin.until(
      reference,
      preview =>
        preview.phase === 'Live' &&
        preview.applications.length === 2 &&
        preview.conditions.every(({ status }) => status === 'True'),
    );
    expect(
      row.applications.map(({ applicationSet }) => applicationSet).sort(),
    ).toEqual(['argocd/twice-again', 'argocd/twice-previews']);
    expect(row.urls).toHaveLength(2);
    await close(reference);
  });

  it('with a destination that is not configured says which', async () => {
    const reference = open('shop/elsewhere');
    const row = await plugin.until(
      reference,
      preview =>
        condition(preview, 'Available')?.reason === 'ClusterNotConfigured',
    );
    expect(condition(row, 'Available')).toMatchObject({
      status: 'Unknown',
      params: { destination: simulator.clusters[2].url },
    });
    await plugin.until(
      reference,
      ({ applications }) => applications[0]?.health === 'Healthy',
    );
    simulator.control.close(reference);
    await plugin.untilPhase(reference, 'Gone');
  });

  it('that shares its namespace takes nothing of the others for its own', async () => {
    const one = open('shop/roommate-a');
    const other = open('shop/roommate-b');
    for (const reference of [one, other]) {
      const row = await untilLive(reference);
      expect(row.namespaces).toMatchObject([
        { name: 'preview-shared', own: false },
      ]);
    }
    await close(one);
    expect((await plugin.find(other))?.phase).toBe('Live');
    // Argo CD deletes no namespace that it made by its sync option; which its sets give
    // to all of their merge requests, and the last one does not leave for itself.
    simulator.control.close(other);
    await plugin.untilPhase(other, 'Gone');
  });

  it('whose image was pushed by a shorter tag than the set asks for says so', async () => {
    const reference = open('shop/short-tag');
    const row = await plugin.until(
      reference,
      preview =>
        condition(preview, 'ImageBuilt')?.reason === 'TagLengthDiffers',
    );
    const head = headOf(reference);
    expect(condition(row, 'ImageBuilt')?.params).toEqual({
      tag: head.slice(0, 8),
      near: [head.slice(0, 7)],
    });
    await plugin.untilPhase(reference, 'Failed');
    await close(reference);
  });

  it('in all of its forms makes no pass of the engine fail', () => {
    expect(plugin.errors).toEqual([]);
  });
});
