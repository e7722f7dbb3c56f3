import {
  Cluster,
  createRandom,
  createRealClock,
  KubernetesObject,
  KubernetesServer,
  Simulator,
  startKubernetesServer,
} from 'simulator';
import {
  condition,
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const PROJECT = 'shop/checkout';
const MARKUP = '<img src=x onerror=alert(1)><script>alert(2)</script>';

const SCRIPT_URL = ['javascript', 'alert(1)'].join(':');

/** Kinds that are watched, with the group and version they have. */
const KINDS: Record<string, string> = {
  Application: 'argoproj.io/v1alpha1',
  ApplicationSet: 'argoproj.io/v1alpha1',
  Namespace: 'v1',
  Pod: 'v1',
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  ReplicaSet: 'apps/v1',
  Certificate: 'cert-manager.io/v1',
  HTTPRoute: 'gateway.networking.k8s.io/v1',
  Gateway: 'gateway.networking.k8s.io/v1',
  Ingress: 'networking.k8s.io/v1',
};

/** Shapes that no schema has. */
const SHAPES: Record<string, Record<string, unknown>> = {
  empty: {},
  'spec-is-text': { spec: 'nothing', status: 7 },
  'lists-are-objects': {
    spec: { generators: {}, template: [], sources: { a: 1 }, hostnames: 'x' },
    status: { conditions: {}, parents: 'none', resources: 1, history: null },
  },
  'items-are-null': {
    spec: {
      generators: [null],
      rules: [null],
      containers: [null],
      tls: [null],
    },
    status: {
      conditions: [null, 1, 'x', []],
      parents: [null],
      containerStatuses: [null],
    },
  },
  'fields-nobody-knows': {
    spec: { future: { deeply: { nested: [1, 2, { three: true }] } } },
    status: {
      conditions: [{ type: MARKUP, status: 'Perhaps', reason: MARKUP }],
    },
  },
};

describe('hostile input', () => {
  let plugin: StartedPlugin;
  let simulator: Simulator;
  /** Without controllers, which such objects would break. */
  let cluster: Cluster;
  let server: KubernetesServer;
  const clock = createRealClock();

  beforeAll(async () => {
    const random = createRandom('hostile');
    cluster = new Cluster({ name: 'hostile', clock, random });
    cluster.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'hostile' },
    });
    server = await startKubernetesServer({
      cluster,
      tokens: [{ token: 'portal', user: 'portal', groups: ['system:masters'] }],
    });
    plugin = await startPlugin({
      otherClusters: [{ name: 'hostile', url: server.url, token: 'portal' }],
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout' });
      },
    });
    simulator = plugin.simulator;
  });

  afterAll(async () => {
    await plugin?.stop();
    await server?.close();
    clock.stop();
  });

  async function live(title: string): Promise<MergeRequestReference> {
    const { iid } = simulator.control.openMergeRequest({
      project: PROJECT,
      sourceBranch: `feature/${simulator.control.mergeRequests().length}`,
      title,
      author: 'dev1',
    });
    const reference = { project: PROJECT, iid };
    await plugin.untilPhase(reference, 'Live');
    return reference;
  }

  const applicationOf = ({ iid }: MergeRequestReference) => ({
    kind: 'Application',
    namespace: 'argocd',
    name: `preview-mr-${simulator.gitlab.state.project(PROJECT).id}-${iid}`,
  });

  it('in a title is text and nothing else, in an answer that is no page', async () => {
    const reference = await live(MARKUP);
    const row = await plugin.find(reference);
    expect(row?.mergeRequest.title).toBe(MARKUP);
    const text = await plugin.fetchText('/v1/previews');
    expect(JSON.parse(text).items[0].mergeRequest.title).toBe(MARKUP);
  });

  it('in addresses is no link', async () => {
    const reference = await live('Addresses');
    simulator.clusters[0].cluster.patch(applicationOf(reference), draft => {
      draft.status!.summary.externalURLs = [
        SCRIPT_URL,
        'data:text/html,<script>alert(1)</script>',
        'https://evil.example.org/',
        'https://preview.example.com.evil.example.org/',
      ];
      draft.metadata.annotations = {
        ...draft.metadata.annotations,
        'link.argocd.argoproj.io/external-link': SCRIPT_URL,
      };
    });
    const { id } = (await plugin.find(reference))!;
    const { sha } = simulator.control.push(reference);
    await plugin.until(
      reference,
      ({ phase, mergeRequest, commit }) =>
        phase === 'Live' &&
        mergeRequest.headSha === sha &&
        sha!.startsWith(commit.running ?? 'none'),
    );
    const { preview } = await plugin.preview(id);
    expect(
      preview.urls.filter(({ clickable }) => clickable).map(({ host }) => host),
    ).toEqual([`mr-${reference.iid}.checkout.preview.example.com`]);
    const text = await plugin.fetchText(`/v1/previews/${id}`);
    expect(text).not.toMatch(/"(javascript|data):/i);
  });

  it('of a megabyte in an annotation goes no further', async () => {
    const reference = await live('Large');
    const large = 'x'.repeat(1024 * 1024);
    simulator.clusters[0].cluster.patch(applicationOf(reference), draft => {
      draft.metadata.annotations = {
        ...draft.metadata.annotations,
        'example.com/large': large,
      };
    });
    const { sha } = simulator.control.push(reference);
    const row = await plugin.until(
      reference,
      ({ phase, mergeRequest, commit }) =>
        phase === 'Live' &&
        mergeRequest.headSha === sha &&
        sha!.startsWith(commit.running ?? 'none'),
    );
    const text = await plugin.fetchText(`/v1/previews/${row.id}`);
    expect(text.length).toBeLessThan(100_000);
  });

  it.each(Object.keys(KINDS))(
    'as an object of the kind %s and of any shape stops nothing',
    async kind => {
      const created: KubernetesObject[] = [];
      for (const [name, shape] of Object.entries(SHAPES)) {
        try {
          created.push(
            cluster.create({
              apiVersion: KINDS[kind],
              kind,
              metadata: {
                name: `hostile-${name}`,
                ...(kind !== 'Namespace' && { namespace: 'hostile' }),
                labels: { 'previews/project-id': 'NaN' },
                annotations: {
                  'argocd.argoproj.io/tracking-id': ':::///___',
                },
              },
              ...shape,
            } as never),
          );
        } catch {
          // What the API server itself refuses never comes to the portal.
        }
      }
      expect(created.length).toBeGreaterThan(0);
      const reference = await live(`Beside a hostile ${kind}`);
      simulator.control.close(reference);
      await plugin.untilPhase(reference, 'Gone');
      // The server's own end of a namespace needs a status that it can read.
      const deletable = kind === 'Namespace' ? [] : created;
      deletable.forEach(({ metadata }) =>
        cluster.delete({
          kind,
          namespace: metadata.namespace,
          name: metadata.name,
        }),
      );
      expect(plugin.errors).toEqual([]);
      expect((await plugin.source('cluster:hostile')).errors).toEqual([]);
    },
  );

  it('of all these kinds has left the others as they were', async () => {
    const { items } = await plugin.previews({ phase: ['Live'] });
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) {
      expect(condition(item, 'RouteAccepted')?.status).toBe('True');
    }
  });
});

describe('configuration', () => {
  it.each([
    [
      { clusters: [{ name: 'a', url: 'nonsense' }] },
      'previews.clusters[0].url',
    ],
    [{ schedules: {} }, 'schedules'],
    [{ grace: { minimum: 'soon' } }, 'previews.grace.minimum'],
  ])('%j stops the start and names the key', async (previews, key) => {
    await expect(
      startPlugin({ previews: previews as never }).then(started =>
        started.stop(),
      ),
    ).rejects.toThrow(key);
  });
});

describe('an annotation', () => {
  let plugin: StartedPlugin;

  afterEach(async () => {
    await plugin?.stop();
  });

  it('that is malformed shows in the summary of its entity', async () => {
    plugin = await startPlugin({
      annotations: { 'previews/enabled': 'perhaps' },
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout' });
      },
    });
    const problems = await waitFor('a problem of the entity', async () => {
      const summary = await plugin.summary('component:default/checkout');
      return summary.problems.length > 0 ? summary.problems : undefined;
    });
    expect(problems).toMatchObject([
      { annotation: 'previews/enabled', reason: 'Malformed' },
    ]);
  });
});
