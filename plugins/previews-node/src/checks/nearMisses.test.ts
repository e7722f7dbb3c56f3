import {
  CheckId,
  CheckResult,
} from '@previews/backstage-plugin-previews-common';
import { runReadinessChecks } from './runReadinessChecks';
import { Draft } from './testing/breakSetUp';
import { goodSetUp } from './testing/goodSetUp';

const TEMPLATE = ['spec', 'template'];
const SYNC_POLICY = [...TEMPLATE, 'spec', 'syncPolicy'];

function idsOf(results: readonly CheckResult[]): CheckId[] {
  return [...new Set(results.map(({ id }) => id))];
}

/** What looks wrong and is not. */
const harmless: [title: string, change: (draft: Draft) => unknown][] = [
  [
    'a finalizer that deletes in the background',
    draft =>
      draft.inSet(
        [...TEMPLATE, 'metadata', 'finalizers'],
        ['resources-finalizer.argocd.argoproj.io/background'],
      ),
  ],
  [
    'a patch that switches syncing on',
    draft =>
      draft
        .inSet(SYNC_POLICY, undefined)
        .inSet(
          ['spec', 'templatePatch'],
          'spec:\n  syncPolicy:\n    automated: {prune: true, selfHeal: true}\n',
        ),
  ],
  [
    'a number where GitLab’s ID is a text',
    draft => draft.inGenerator(['gitlab', 'project'], 4711),
  ],
  [
    'a name that the service is in',
    draft =>
      draft.inSet([...TEMPLATE, 'metadata', 'name'], 'shop-mr-{{ .number }}'),
  ],
  [
    'a branch that is cut',
    draft =>
      draft.inSet(
        [...TEMPLATE, 'metadata', 'name'],
        'shop-{{ .branch_slug | trunc 20 }}-{{ .number }}',
      ),
  ],
  [
    'a key inside a loop, where the dot is another',
    draft =>
      draft.inSet(
        [...TEMPLATE, 'metadata', 'labels', 'first'],
        '{{ range .labels }}{{ .name }}{{ end }}',
      ),
  ],
  [
    'a parameter of another generator of the matrix',
    draft => {
      const set = draft.object('ApplicationSet') as {
        spec: { generators: unknown[] };
      };
      set.spec.generators = [
        { matrix: { generators: [{ clusters: {} }, ...set.spec.generators] } },
      ];
      draft.set(
        set,
        [...TEMPLATE, 'metadata', 'labels', 'cluster'],
        '{{ .nameNormalized }}',
      );
    },
  ],
  [
    'the commit through a value of the generator',
    draft =>
      draft
        .inGenerator(['values', 'stage'], 'mr-{{ .head_short_sha }}')
        .inSet(
          [...TEMPLATE, 'spec', 'source', 'helm', 'parameters', 0, 'value'],
          '{{ .values.stage }}',
        ),
  ],
  [
    'an open AppProject of the platform, in which no preview is',
    draft =>
      draft.add({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'AppProject',
        metadata: { name: 'platform', namespace: 'argocd' },
        spec: {
          sourceRepos: ['*'],
          destinations: [{ server: '*', namespace: '*' }],
        },
      }),
  ],
  [
    'a denied destination',
    draft =>
      draft.set(draft.object('AppProject'), ['spec', 'destinations', 1], {
        server: 'https://kubernetes.default.svc',
        namespace: '!kube-system',
      }),
  ],
  [
    'an issuer with HTTP-01 beside DNS-01',
    draft =>
      draft.set(draft.object('ClusterIssuer'), ['spec', 'acme', 'solvers', 1], {
        http01: {},
      }),
  ],
  [
    'what is kept outside previews',
    draft =>
      draft.set(draft.object('Service', 'prod'), ['metadata', 'annotations'], {
        'helm.sh/resource-policy': 'keep',
      }),
  ],
  [
    'a volume that is retained outside previews',
    draft =>
      draft
        .add({
          apiVersion: 'storage.k8s.io/v1',
          kind: 'StorageClass',
          metadata: { name: 'kept' },
          reclaimPolicy: 'Retain',
        })
        .add(
          {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            metadata: { name: 'data', namespace: 'shop' },
            spec: { storageClassName: 'kept' },
          },
          'prod',
        ),
  ],
  [
    'a registry pull key where routes are',
    draft => {
      draft.context.servedNamespaces = ['shop'];
      draft.add(
        {
          apiVersion: 'external-secrets.io/v1',
          kind: 'ExternalSecret',
          metadata: { name: 'registry', namespace: 'shop' },
          spec: {
            target: { template: { type: 'kubernetes.io/dockerconfigjson' } },
          },
        },
        'prod',
      );
    },
  ],
  [
    'a Secret without values, and one that is encrypted',
    draft =>
      draft
        .add({
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'empty', namespace: 'shop' },
          data: { token: '' },
        })
        .add({
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'sealed', namespace: 'shop' },
          data: { token: 'ENC[AES256_GCM,data:x]' },
          sops: { version: '3' },
        }),
  ],
  [
    'a token that is filled in where it is used',
    draft =>
      draft
        .inContainer('prod', ['env', 2], {
          name: 'API_TOKEN',
          value: '$(TOKEN_FROM_SECRET)'.replace('(', '{').replace(')', '}'),
        })
        .line('.gitlab-ci.yml', '  url: https://bot:${TOKEN}@example.com/'),
  ],
  [
    'another controller whose class is called nginx',
    draft =>
      draft
        .add({
          apiVersion: 'networking.k8s.io/v1',
          kind: 'IngressClass',
          metadata: { name: 'nginx' },
          spec: { controller: 'nginx.org/ingress-controller' },
        })
        .add({
          apiVersion: 'networking.k8s.io/v1',
          kind: 'Ingress',
          metadata: { name: 'shop', namespace: 'other' },
          spec: { ingressClassName: 'nginx' },
        }),
  ],
  [
    'two replicas by an autoscaler',
    draft =>
      draft.inDeployment('prod', ['spec', 'replicas'], undefined).add(
        {
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { name: 'shop', namespace: 'shop' },
          spec: {
            minReplicas: 2,
            scaleTargetRef: { kind: 'Deployment', name: 'shop' },
          },
        },
        'prod',
      ),
  ],
  [
    'no replicas at all, which is an environment that sleeps',
    draft => draft.inDeployment('prod', ['spec', 'replicas'], 0),
  ],
  [
    'a ServiceAccount that mounts no token',
    draft =>
      draft
        .inDeployment(
          'preview',
          ['spec', 'template', 'spec', 'automountServiceAccountToken'],
          undefined,
        )
        .add(
          {
            apiVersion: 'v1',
            kind: 'ServiceAccount',
            metadata: { name: 'shop', namespace: 'preview-mr-4711-7' },
            automountServiceAccountToken: false,
          },
          'preview',
        ),
  ],
  [
    'a user that is not root by its number',
    draft =>
      draft.inDeployment(
        'prod',
        ['spec', 'template', 'spec', 'securityContext'],
        { runAsUser: 10001 },
      ),
  ],
  [
    'an image by its digest alone',
    draft =>
      draft.inContainer(
        'prod',
        ['image'],
        `docker.io/library/redis@sha256:${'0a'.repeat(32)}`,
      ),
  ],
  [
    'an image of somebody else in a preview',
    draft =>
      draft.inContainer('preview', ['image'], 'docker.io/library/redis:7.2.4'),
  ],
  [
    'a Job without a probe, a budget and a policy',
    draft => {
      const { spec } = structuredClone(draft.object('Deployment', 'prod')) as {
        spec: { template: { spec: { containers: object[] } } };
      };
      const { template } = spec;
      draft.set(template.spec.containers[0], ['ports'], undefined);
      draft.set(template.spec.containers[0], ['readinessProbe'], undefined);
      draft.set(template, ['metadata', 'labels'], { app: 'migrations' });
      draft.add(
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          metadata: { name: 'migrate', namespace: 'shop' },
          spec: { template },
        },
        'prod',
      );
    },
  ],
  [
    'fields of Terraform on what Argo CD does not manage',
    draft =>
      draft.set(
        draft.object('Service', 'prod'),
        ['metadata', 'managedFields'],
        [{ manager: 'Terraform' }, { manager: 'kube-controller-manager' }],
      ),
  ],
  [
    'a dry run in the pipeline',
    draft =>
      draft.line(
        '.gitlab-ci.yml',
        '    - kubectl apply --dry-run=client -f rendered.yaml',
      ),
  ],
  [
    'protections and webhooks that were not read',
    draft => {
      draft.context.webhookSeen = undefined;
      draft.context.repositories = [
        { path: 'platform/gitops', role: 'gitops', defaultBranch: 'main' },
        { path: 'group/shop', role: 'service' },
      ];
    },
  ],
  [
    'a branch that a pattern protects',
    draft => {
      draft.context.repositories = [
        {
          path: 'platform/gitops',
          role: 'gitops',
          defaultBranch: 'main',
          protectedBranches: [
            {
              name: 'm*',
              push_access_levels: [{ access_level: 0 }],
              merge_access_levels: [{ access_level: 60 }],
            },
          ],
        },
      ];
    },
  ],
  [
    'an ApplicationSet that generates no previews of GitLab',
    draft =>
      draft.add({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'ApplicationSet',
        metadata: { name: 'other', namespace: 'argocd' },
        spec: {
          generators: [{ pullRequest: { github: { owner: 'o', repo: 'r' } } }],
          template: {
            metadata: { name: 'pr-{{number}}' },
            spec: {
              project: 'default',
              syncPolicy: { syncOptions: ['CreateNamespace=true'] },
            },
          },
        },
      }),
  ],
];

it.each(harmless)('leaves alone %s', (_, change) => {
  const draft = new Draft();
  change(draft);
  expect(runReadinessChecks(draft)).toEqual([]);
});

describe('live objects', () => {
  function live(completeKinds?: string[]): CheckResult[] {
    const { manifests, context } = goodSetUp();
    return runReadinessChecks({
      manifests: manifests
        .filter(
          ({ object }) =>
            !('kind' in object) ||
            !['NetworkPolicy', 'PodDisruptionBudget', 'Namespace'].includes(
              String(object.kind),
            ),
        )
        .map(manifest => ({ ...manifest, source: { cluster: 'main' } })),
      context: { ...context, completeKinds },
    });
  }

  it('are not said to lack what was not read', () => {
    expect(live()).toEqual([]);
  });

  it('are said to lack what was completely read', () => {
    expect(
      idsOf(live(['NetworkPolicy', 'PodDisruptionBudget'])).sort(),
    ).toEqual(['DisruptionBudgetMissing', 'NetworkPolicyMissing']);
  });

  it('are of a preview by the namespace that a set gives', () => {
    const draft = new Draft();
    draft.inSet(
      [...TEMPLATE, 'spec', 'destination', 'namespace'],
      'shop-review-{{ .number }}',
    );
    draft.manifests.push({
      source: { cluster: 'main' },
      object: {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'shop', namespace: 'shop-review-12' },
        spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
      },
    });
    const results = runReadinessChecks(draft);
    expect(idsOf(results)).toEqual(['LoadBalancerInPreview']);
    expect(results[0].subject).toEqual({
      kind: 'Service',
      namespace: 'shop-review-12',
      name: 'shop',
      cluster: 'main',
    });
  });

  it('are unwrapped from lists', () => {
    const { manifests, context } = goodSetUp();
    expect(
      runReadinessChecks({
        manifests: [
          {
            source: { cluster: 'main' },
            object: {
              kind: 'List',
              items: manifests
                .map(({ object }) => object)
                .filter(({ kind }: { kind?: string }) =>
                  ['Gateway', 'Certificate'].includes(kind ?? ''),
                )
                .map(object => ({
                  ...object,
                  spec: {
                    listeners: [
                      { allowedRoutes: { namespaces: { from: 'All' } } },
                    ],
                  },
                })),
            },
          },
        ],
        context,
      }).map(({ id, message }) => ({ id, message })),
    ).toEqual([
      {
        id: 'GatewayAdmitsAll',
        message:
          'Gateway edge/previews admits routes of any namespace, so that any namespace can take any host.',
      },
    ]);
  });
});

it('tells the worst first', () => {
  const draft = new Draft();
  draft.inGenerator(['requeueAfterSeconds'], 3600);
  draft.inGenerator(['continueOnRepoNotFoundError'], true);
  draft.inSet(['spec', 'goTemplateOptions'], []);
  expect(runReadinessChecks(draft).map(({ severity }) => severity)).toEqual([
    'error',
    'warning',
    'info',
  ]);
});

it('changes nothing of what it is given', () => {
  const input = goodSetUp();
  runReadinessChecks(input);
  expect(input).toEqual(goodSetUp());
});
