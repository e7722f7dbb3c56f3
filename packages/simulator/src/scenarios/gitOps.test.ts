import type { KubernetesObject } from '../kubernetes';
import { startSimulator, type Simulator } from '../simulator';
import { eventually } from '../testing/eventually';

const GITOPS = 'platform/gitops';
const CHART = {
  'Chart.yaml': 'apiVersion: v2\nname: reviews\nversion: 1.0.0\n',
  'values.yaml': 'host: ""\nimage: { tag: "" }\nhook: true\n',
  'templates/all.yaml': `{{- if not (regexMatch "^[0-9a-f]{8}$" .Values.image.tag) }}
{{- fail (printf "image.tag %q is not the short SHA of a commit" .Values.image.tag) }}
{{- end }}
apiVersion: v1
kind: Namespace
metadata:
  name: {{ .Release.Namespace }}
---
{{- if .Values.hook }}
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations:
    argocd.argoproj.io/hook: Sync
    argocd.argoproj.io/hook-delete-policy: BeforeHookCreation
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: migrate
          image: registry.example.com/shop/reviews:{{ .Values.image.tag }}
---
{{- end }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: reviews
  annotations:
    argocd.argoproj.io/sync-wave: "1"
spec:
  selector: { matchLabels: { app: reviews } }
  template:
    metadata: { labels: { app: reviews } }
    spec:
      containers:
        - name: reviews
          image: registry.example.com/shop/reviews:{{ .Values.image.tag }}
---
apiVersion: v1
kind: Service
metadata:
  name: reviews
spec:
  selector: { app: reviews }
  ports: [{ name: http, port: 80 }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: reviews
  annotations:
    argocd.argoproj.io/sync-wave: "2"
spec:
  parentRefs: [{ name: edge, namespace: edge }]
  hostnames: [{{ .Values.host }}]
  rules: [{ backendRefs: [{ name: reviews, port: 80 }] }]
`,
};

function argocdFiles(projectId: number, url: string): Record<string, string> {
  return {
    'argocd/reviews/token.yaml': `apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: { name: previews-reviews-gitlab, namespace: argocd, annotations: { argocd.argoproj.io/sync-wave: "-1" } }
spec:
  secretStoreRef: { kind: ClusterSecretStore, name: platform }
  target: { name: previews-reviews-gitlab }
  data: [{ secretKey: token, remoteRef: { key: gitlab/previews, property: token } }]
`,
    'argocd/reviews/project.yaml': `apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: { name: previews-reviews, namespace: argocd }
spec:
  sourceRepos: ["${url}/platform/gitops.git"]
  destinations: [{ server: https://kubernetes.default.svc, namespace: "preview-mr-${projectId}-*" }]
  clusterResourceWhitelist: [{ group: "", kind: Namespace }]
`,
    'argocd/reviews/applicationset.yaml': `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: previews-reviews, namespace: argocd }
spec:
  goTemplate: true
  generators:
    - pullRequest:
        requeueAfterSeconds: 60
        gitlab:
          api: ${url}
          project: "${projectId}"
          pullRequestState: opened
          tokenRef: { secretName: previews-reviews-gitlab, key: token }
  template:
    metadata:
      name: preview-mr-${projectId}-{{ .number }}
      finalizers: [resources-finalizer.argocd.argoproj.io]
    spec:
      project: previews-reviews
      source:
        repoURL: ${url}/platform/gitops.git
        targetRevision: main
        path: services/reviews/chart
        helm:
          parameters:
            - { name: image.tag, value: "{{ .head_short_sha }}", forceString: true }
            - { name: host, value: "reviews-mr-{{ .number }}.preview.example.com" }
      destination: { server: https://kubernetes.default.svc, namespace: "preview-mr-${projectId}-{{ .number }}" }
      syncPolicy: { automated: { prune: true, selfHeal: true } }
`,
  };
}

describe('a repository that simulated Argo CD deploys', () => {
  let simulator: Simulator;
  let state: Simulator['gitlab']['state'];

  beforeEach(async () => {
    simulator = await startSimulator({ speed: 200 });
    state = simulator.gitlab.state;
  });

  afterEach(async () => {
    await simulator.stop();
  });

  const list = (kind: string, namespace?: string): KubernetesObject[] =>
    simulator.platform.clusters[0].cluster.list({ kind, namespace });
  const application = (name: string) =>
    list('Application').find(({ metadata }) => metadata.name === name);

  /** A service without previews, and a merge request that gives it some. */
  function propose(chart: Record<string, string> = CHART) {
    simulator.scenario.addGitOpsRepository();
    const reviews = simulator.scenario.addRepository({
      path: 'shop/reviews',
      files: { 'server.js': '// serves\n' },
    });
    const files = {
      ...argocdFiles(reviews.id, state.externalUrl),
      ...Object.fromEntries(
        Object.entries(chart).map(([name, content]) => [
          `services/reviews/chart/${name}`,
          content,
        ]),
      ),
    };
    state.commit({
      project: GITOPS,
      branch: 'previews/onboard-reviews',
      startBranch: 'main',
      message: 'Previews for reviews',
      actions: Object.entries(files).map(([path, content]) => ({
        action: 'create',
        path,
        content,
      })),
    });
    const { iid } = state.openMergeRequest({
      project: GITOPS,
      sourceBranch: 'previews/onboard-reviews',
      title: 'Previews for reviews',
      author: 'scaffolder-bot',
    });
    return { reviews, iid };
  }

  it('deploys what was merged, rendered by Helm, and takes all of it away with the merge request', async () => {
    const { reviews, iid } = propose();
    await simulator.quiet();
    expect(list('ApplicationSet')).toEqual([]);
    state.merge({ project: GITOPS, iid });
    await simulator.quiet();
    expect(list('ApplicationSet').map(({ metadata }) => metadata.name)).toEqual(
      ['previews-reviews'],
    );
    expect(
      list('Secret', 'argocd').map(({ metadata }) => metadata.name),
    ).toContain('previews-reviews-gitlab');

    const opened = simulator.control.openMergeRequest({
      project: 'shop/reviews',
      sourceBranch: 'feature/stars',
      title: 'Show stars',
      author: 'dev1',
    });
    await simulator.quiet();
    const name = `preview-mr-${reviews.id}-${opened.iid}`;
    expect(application(name)?.status).toMatchObject({
      sourceType: 'Helm',
      sync: { status: 'Synced' },
      health: { status: 'Healthy' },
      operationState: { phase: 'Succeeded' },
      summary: {
        images: [
          `registry.example.com/shop/reviews:${opened.sha?.slice(0, 8)}`,
        ],
      },
    });
    expect(list('Job', name)[0].status).toMatchObject({ succeeded: 1 });
    expect(list('HTTPRoute', name)).toHaveLength(1);

    simulator.control.close({ project: 'shop/reviews', iid: opened.iid });
    await simulator.quiet();
    expect(application(name)).toBeUndefined();
    expect(
      list('Namespace').filter(({ metadata }) => metadata.name === name),
    ).toEqual([]);
  });

  it('stops before what comes after a hook that failed', async () => {
    const { reviews, iid } = propose();
    state.merge({ project: GITOPS, iid });
    await simulator.quiet();
    simulator.faults.platform.setStanding(
      'job',
      `preview-mr-${reviews.id}-1`,
      'fails',
    );
    simulator.control.openMergeRequest({
      project: 'shop/reviews',
      sourceBranch: 'feature/stars',
      title: 'Show stars',
      author: 'dev1',
    });
    const name = `preview-mr-${reviews.id}-1`;
    await eventually(() =>
      expect(application(name)?.status?.operationState?.phase).toBe('Failed'),
    );
    expect(list('Deployment', name)).toEqual([]);
  });

  it('says what a chart refuses, as Argo CD does', async () => {
    const { reviews, iid } = propose({
      ...CHART,
      'templates/refusal.yaml': '{{- fail "the host is too long" }}\n',
    });
    state.merge({ project: GITOPS, iid });
    await simulator.quiet();
    simulator.control.openMergeRequest({
      project: 'shop/reviews',
      sourceBranch: 'feature/stars',
      title: 'Show stars',
      author: 'dev1',
    });
    await simulator.quiet();
    expect(application(`preview-mr-${reviews.id}-1`)?.status).toMatchObject({
      sync: { status: 'Unknown' },
      conditions: [
        {
          type: 'ComparisonError',
          message: expect.stringContaining('the host is too long'),
        },
      ],
    });
  });

  it('refuses what the AppProject does not permit', async () => {
    const { reviews, iid } = propose({
      ...CHART,
      'templates/role.yaml':
        'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: reviews }\nrules: []\n',
    });
    state.merge({ project: GITOPS, iid });
    await simulator.quiet();
    simulator.control.openMergeRequest({
      project: 'shop/reviews',
      sourceBranch: 'feature/stars',
      title: 'Show stars',
      author: 'dev1',
    });
    const name = `preview-mr-${reviews.id}-1`;
    await eventually(() =>
      expect(application(name)?.status?.operationState?.phase).toBe('Failed'),
    );
    expect(application(name)?.status?.operationState.message).toContain(
      'resource rbac.authorization.k8s.io:ClusterRole is not permitted in project previews-reviews',
    );
  });

  it('builds images only where the pipeline includes what builds them', async () => {
    const build = (files: Record<string, string>, path: string) => {
      simulator.scenario.addRepository({ path, files });
      return simulator.control.openMergeRequest({
        project: path,
        sourceBranch: 'feature/a',
        title: 'A',
        author: 'dev1',
      });
    };
    const without = build(
      { '.gitlab-ci.yml': 'test: { script: [ls] }\n' },
      'shop/a',
    );
    const included = build(
      {
        '.gitlab-ci.yml':
          'include:\n  - local: /.gitlab/previews.gitlab-ci.yml\n',
        '.gitlab/previews.gitlab-ci.yml': 'build: { script: [ls] }\n',
      },
      'shop/b',
    );
    await simulator.quiet();
    const hasImage = (path: string, sha: string | null) =>
      state.hasImage(`registry.example.com/${path}:${sha?.slice(0, 8)}`);
    expect(hasImage('shop/a', without.sha)).toBe(false);
    expect(hasImage('shop/b', included.sha)).toBe(true);
  });

  it('follows a tag, so that a release is one changed line', async () => {
    simulator.scenario.addGitOpsRepository();
    const write = (
      action: 'create' | 'update',
      path: string,
      content: string,
    ) =>
      state.commit({
        project: GITOPS,
        branch: 'main',
        message: path,
        actions: [{ action, path, content }],
      });
    const configMap = (version: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: version }\ndata: { version: "${version}" }\n`;
    const prod = (revision: string) =>
      `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: shop-prod, namespace: argocd }
spec:
  project: default
  source: { repoURL: "${state.externalUrl}/platform/gitops.git", targetRevision: ${revision}, path: services/shop, directory: { recurse: true } }
  destination: { server: https://kubernetes.default.svc, namespace: shop-prod }
  syncPolicy: { automated: { selfHeal: true }, syncOptions: [CreateNamespace=true] }
`;
    write('create', 'services/shop/version.yaml', configMap('1'));
    const first = state.tag({ project: GITOPS, name: 'shop-v1' });
    write('update', 'services/shop/version.yaml', configMap('2'));
    const second = state.tag({ project: GITOPS, name: 'shop-v2' });
    write('create', 'argocd/shop/prod.yaml', prod('shop-v1'));
    await simulator.quiet();
    expect(list('ConfigMap', 'shop-prod')[0]).toMatchObject({
      data: { version: '1' },
    });

    write('update', 'argocd/shop/prod.yaml', prod('shop-v2'));
    await simulator.quiet();
    expect(list('ConfigMap', 'shop-prod')[0]).toMatchObject({
      data: { version: '2' },
    });
    expect(application('shop-prod')?.status?.history).toMatchObject([
      { revision: first, initiatedBy: { automated: true } },
      { revision: second, initiatedBy: { automated: true } },
    ]);
  });
});
