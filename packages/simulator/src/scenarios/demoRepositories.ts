import type { Simulator } from '../simulator';
import type { Service } from './scenarioBuilder';

const CHART = {
  'Chart.yaml': `apiVersion: v2
name: checkout
description: Environments of checkout besides previews
version: 1.0.0
`,
  'values.yaml': `image:
  repository: registry.example.com/shop/checkout
  tag: main
replicas: 1
`,
  'values-dev.yaml': `image:
  tag: main
`,
  'values-prod.yaml': `image:
  tag: v1.0.0
replicas: 2
`,
  'templates/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: checkout
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels:
      app.kubernetes.io/name: checkout
  template:
    metadata:
      labels:
        app.kubernetes.io/name: checkout
    spec:
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
      containers:
        - name: checkout
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
          ports:
            - name: http
              containerPort: 8080
          readinessProbe:
            httpGet:
              path: /healthz
              port: http
          resources:
            requests:
              cpu: 50m
              memory: 128Mi
          securityContext:
            readOnlyRootFilesystem: true
            allowPrivilegeEscalation: false
`,
  'templates/service.yaml': `apiVersion: v1
kind: Service
metadata:
  name: checkout
spec:
  selector:
    app.kubernetes.io/name: checkout
  ports:
    - name: http
      port: 80
      targetPort: http
`,
  'templates/poddisruptionbudget.yaml': `{{- if gt (int .Values.replicas) 1 }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: checkout
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      app.kubernetes.io/name: checkout
{{- end }}
`,
};

function tierApplication(options: {
  tier: string;
  repositoryUrl: string;
  revision: string;
  projectId: number;
}): string {
  const { tier, repositoryUrl, revision, projectId } = options;
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: checkout-${tier}
  namespace: argocd
  labels:
    previews/project-id: "${projectId}"
    previews/tier: ${tier}
spec:
  project: checkout
  source:
    repoURL: ${repositoryUrl}
    targetRevision: ${revision}
    path: services/checkout/chart
    helm:
      valueFiles:
        - values-${tier}.yaml
  destination:
    server: https://kubernetes.default.svc
    namespace: checkout-${tier}
  syncPolicy:
    automated:
      prune: true
      selfHeal: true
`;
}

function projectAndNamespaces(repositoryUrl: string): string {
  const namespaces = ['checkout-dev', 'checkout-prod'];
  return `apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata:
  name: checkout
  namespace: argocd
spec:
  description: Environments of checkout besides previews
  sourceRepos:
    - ${repositoryUrl}
  destinations:
${namespaces
  .map(
    namespace =>
      `    - server: https://kubernetes.default.svc\n      namespace: ${namespace}\n`,
  )
  .join('')}  clusterResourceWhitelist: []
  namespaceResourceWhitelist:
    - group: ""
      kind: Service
    - group: apps
      kind: Deployment
    - group: policy
      kind: PodDisruptionBudget
${namespaces
  .map(
    namespace => `---
apiVersion: v1
kind: Namespace
metadata:
  name: ${namespace}
  annotations:
    argocd.argoproj.io/sync-wave: "-1"
    argocd.argoproj.io/sync-options: Prune=false,Delete=false
`,
  )
  .join('')}`;
}

/**
 * What the demonstration deploys from files: dev and prod of one service, prod pinned to a tag that main
 * has left behind, and a service that nobody has given previews yet.
 */
export function addDemoRepositories(
  simulator: Simulator,
  checkout: Service,
): void {
  const { state } = simulator.gitlab;
  const gitops = simulator.scenario.addGitOpsRepository();
  const repositoryUrl = `${state.externalUrl}/${gitops.pathWithNamespace}.git`;
  const tag = 'checkout-v1.0.0';
  const tier = (name: string, revision: string) => ({
    action: 'create' as const,
    path: `argocd/checkout/application-${name}.yaml`,
    content: tierApplication({
      tier: name,
      repositoryUrl,
      revision,
      projectId: checkout.projectId,
    }),
  });
  const commit = (
    message: string,
    actions: Parameters<typeof state.commit>[0]['actions'],
  ) => state.commit({ project: gitops.id, branch: 'main', message, actions });
  commit(
    'Add the chart of checkout',
    Object.entries(CHART).map(([name, content]) => ({
      action: 'create',
      path: `services/checkout/chart/${name}`,
      content,
    })),
  );
  state.tag({ project: gitops.id, name: tag });
  state.pushTag({ project: checkout.projectId, tag: 'v1.0.0' });
  commit('Deploy checkout to dev and prod', [
    {
      action: 'create',
      path: 'argocd/checkout/appprojects.yaml',
      content: projectAndNamespaces(repositoryUrl),
    },
    tier('dev', 'main'),
    tier('prod', tag),
  ]);
  for (const replicas of [3, 2]) {
    commit(`Run ${replicas} replicas of checkout in dev`, [
      {
        action: 'update',
        path: 'services/checkout/chart/values-dev.yaml',
        content: `image:\n  tag: main\nreplicas: ${replicas}\n`,
      },
    ]);
  }
  simulator.scenario.addRepository({
    path: 'shop/reviews',
    description: 'What customers think of products',
    files: {
      'README.md': '# Reviews\n\nWhat customers think of products.\n',
      Dockerfile:
        'FROM docker.io/library/node:24-slim\nUSER 1000\nCOPY . /app\nCMD ["node", "/app/server.js"]\n',
      'server.js':
        "require('node:http').createServer((_, response) => response.end('ok')).listen(8080);\n",
      '.gitlab-ci.yml':
        'stages: [test, build]\n\ntest:\n  stage: test\n  image: docker.io/library/node:24-slim\n  script:\n    - node --check server.js\n',
      'catalog-info.yaml': `apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: reviews
  description: What customers think of products
  annotations:
    gitlab.com/project-slug: shop/reviews
spec:
  type: service
  lifecycle: production
  owner: platform
`,
    },
  });
}
