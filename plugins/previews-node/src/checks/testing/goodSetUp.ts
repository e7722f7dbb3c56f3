import { CheckInput } from '../types';

const preview = { tier: 'preview', name: 'preview' } as const;
const prod = { tier: 'prod', name: 'prod' } as const;

const DIGEST = `sha256:${'4f'.repeat(32)}`;

/** As GitLab answers for a role. */
function byLevel(level: number) {
  return { access_level: level, user_id: null, group_id: null };
}

function applicationSet() {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'shop-previews', namespace: 'argocd' },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [
        {
          pullRequest: {
            requeueAfterSeconds: 60,
            gitlab: {
              project: '4711',
              api: 'https://gitlab.example.com/',
              pullRequestState: 'opened',
              tokenRef: { secretName: 'merge-request-reader', key: 'token' },
            },
            values: { stage: 'preview' },
          },
        },
      ],
      template: {
        metadata: {
          name: 'preview-mr-4711-{{ .number }}',
          labels: {
            'previews/project-id': '4711',
            'previews/merge-request': '{{ .number }}',
            branch: '{{ .branch_slug }}',
            stage: '{{ .values.stage }}',
          },
          finalizers: ['resources-finalizer.argocd.argoproj.io'],
        },
        spec: {
          project: 'shop-previews',
          source: {
            repoURL: 'https://gitlab.example.com/platform/gitops.git',
            targetRevision: 'main',
            path: 'shop/chart',
            helm: {
              parameters: [
                { name: 'image.tag', value: '{{ .head_short_sha }}' },
                { name: 'redis.tag', value: '7.2.4' },
              ],
              valuesObject: {
                host: 'shop-mr-{{ .number }}.preview.example.com',
              },
            },
          },
          destination: {
            server: 'https://kubernetes.default.svc',
            namespace: 'preview-mr-4711-{{ .number }}',
          },
          syncPolicy: { automated: { prune: true, selfHeal: true } },
        },
      },
    },
  };
}

function appProject() {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'shop-previews', namespace: 'argocd' },
    spec: {
      sourceRepos: ['https://gitlab.example.com/platform/gitops.git'],
      destinations: [
        {
          server: 'https://kubernetes.default.svc',
          namespace: 'preview-mr-4711-*',
        },
      ],
      clusterResourceWhitelist: [{ group: '', kind: 'Namespace' }],
    },
  };
}

function deployment(options: {
  namespace: string;
  image: string;
  replicas: number;
  origin: string;
}) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'shop', namespace: options.namespace },
    spec: {
      replicas: options.replicas,
      selector: { matchLabels: { app: 'shop' } },
      template: {
        metadata: { labels: { app: 'shop' } },
        spec: {
          serviceAccountName: 'shop',
          automountServiceAccountToken: false,
          imagePullSecrets: [{ name: 'registry' }],
          securityContext: { runAsNonRoot: true },
          containers: [
            {
              name: 'web',
              image: options.image,
              ports: [{ containerPort: 8080 }],
              env: [
                { name: 'APP_ORIGIN', value: options.origin },
                {
                  name: 'DATABASE_PASSWORD',
                  valueFrom: {
                    secretKeyRef: { name: 'shop', key: 'password' },
                  },
                },
              ],
              readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
              securityContext: {
                readOnlyRootFilesystem: true,
                allowPrivilegeEscalation: false,
              },
              resources: {
                requests: { cpu: '50m', memory: '64Mi' },
                limits: { memory: '128Mi' },
              },
            },
          ],
        },
      },
    },
  };
}

function networkPolicy(namespace: string) {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'shop', namespace },
    spec: {
      podSelector: { matchLabels: { app: 'shop' } },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [
            {
              namespaceSelector: {
                matchLabels: { 'kubernetes.io/metadata.name': 'edge' },
              },
            },
          ],
        },
      ],
    },
  };
}

function httpRoute(options: { namespace: string; host: string }) {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'shop', namespace: options.namespace },
    spec: {
      parentRefs: [{ name: 'previews', namespace: 'edge' }],
      hostnames: [options.host],
      rules: [{ backendRefs: [{ name: 'shop', port: 80 }] }],
    },
  };
}

function ofPreview() {
  const namespace = 'preview-mr-4711-7';
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    },
    deployment({
      namespace,
      image: 'registry.example.com/group/shop/web:1a2b3c4d',
      replicas: 1,
      origin: 'https://shop-mr-7.preview.example.com',
    }),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'shop', namespace },
      spec: { type: 'ClusterIP', selector: { app: 'shop' } },
    },
    httpRoute({ namespace, host: 'shop-mr-7.preview.example.com' }),
    networkPolicy(namespace),
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'uploads', namespace },
      spec: { storageClassName: 'ephemeral' },
    },
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'ephemeral' },
      reclaimPolicy: 'Delete',
    },
    {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata: { name: 'shop', namespace },
      spec: { target: { name: 'shop' } },
    },
  ];
}

function ofProd() {
  const namespace = 'shop';
  return [
    deployment({
      namespace,
      image: `registry.example.com/group/shop/web:prod-1.4.2@${DIGEST}`,
      replicas: 2,
      origin: 'https://shop.example.com',
    }),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'shop', namespace },
      spec: {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        selector: { app: 'shop' },
      },
    },
    httpRoute({ namespace, host: 'shop.example.com' }),
    networkPolicy(namespace),
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'shop', namespace },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'shop' } } },
    },
  ];
}

function ofPlatform() {
  return [
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: { name: 'previews', namespace: 'edge' },
      spec: {
        listeners: [
          {
            name: 'https',
            hostname: '*.preview.example.com',
            allowedRoutes: {
              namespaces: {
                from: 'Selector',
                selector: { matchLabels: { previews: 'true' } },
              },
            },
          },
        ],
      },
    },
    {
      apiVersion: 'cert-manager.io/v1',
      kind: 'ClusterIssuer',
      metadata: { name: 'letsencrypt' },
      spec: {
        acme: {
          server: 'https://acme.example.com/directory',
          solvers: [
            {
              dns01: {
                route53: {
                  role: 'arn:aws:iam::000000000000:role/dns01',
                  auth: {
                    kubernetes: { serviceAccountRef: { name: 'dns01' } },
                  },
                },
              },
            },
          ],
        },
      },
    },
    {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: 'previews', namespace: 'edge' },
      spec: {
        secretName: 'previews-tls',
        dnsNames: ['*.preview.example.com'],
        issuerRef: { kind: 'ClusterIssuer', name: 'letsencrypt' },
      },
    },
  ];
}

function dnsPolicy() {
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: 'route53:ChangeResourceRecordSets',
        Resource: 'arn:aws:route53:::hostedzone/Z000EXAMPLE',
        Condition: {
          'ForAllValues:StringLike': {
            'route53:ChangeResourceRecordSetsNormalizedRecordNames': [
              '_acme-challenge.*',
            ],
          },
          'ForAllValues:StringEquals': {
            'route53:ChangeResourceRecordSetsRecordTypes': ['TXT'],
          },
        },
      },
    ],
  };
}

function roleTrust() {
  return {
    Version: '2012-10-17',
    Statement: {
      Effect: 'Allow',
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: {
        StringEquals: {
          'issuer.example.com:aud': 'sts.amazonaws.com',
          'issuer.example.com:sub':
            'system:serviceaccount:cert-manager:cert-manager',
        },
      },
    },
  };
}

const PIPELINE = `include: []
build:
  image:
    name: moby/buildkit:v0.25.1-rootless
    entrypoint: ['']
  script:
    # never docker:27-dind, and no kubectl apply
    - TAG=$(printf '%.8s' "\${CI_MERGE_REQUEST_SOURCE_BRANCH_SHA:-$CI_COMMIT_SHA}")
    - buildctl-daemonless.sh build --output type=image,name=$CI_REGISTRY_IMAGE:$TAG,push=true
`;

const DOCKERFILE = `FROM --platform=linux/amd64 node:24.4.1-slim AS build
RUN make
FROM build
ARG APP_ORIGIN=https://shop.example.com
USER 10001
`;

/** A set-up as it should be, new each time: tests break one thing of it. */
export function goodSetUp() {
  const inFile = (path: string) => (object: object) => ({
    source: { path },
    object,
  });
  return {
    manifests: [
      ...[applicationSet(), appProject()].map(inFile('argocd/shop.yaml')),
      ...ofPlatform().map(inFile('platform/edge.yaml')),
      inFile('aws/dns01-policy.json')(dnsPolicy()),
      inFile('aws/dns01-trust.json')(roleTrust()),
      ...ofPreview().map(object => ({
        ...inFile('shop/preview.yaml')(object),
        environment: preview,
      })),
      ...ofProd().map(object => ({
        ...inFile('shop/prod.yaml')(object),
        environment: prod,
      })),
    ],
    files: [
      { path: '.gitlab-ci.yml', text: PIPELINE },
      { path: 'Dockerfile', text: DOCKERFILE },
    ],
    context: {
      service: 'shop',
      projectId: 4711,
      project: 'group/shop',
      originVariable: 'APP_ORIGIN',
      webhookSeen: true,
      repositories: [
        {
          path: 'platform/gitops',
          role: 'gitops',
          defaultBranch: 'main',
          protectedBranches: [
            {
              name: 'main',
              push_access_levels: [byLevel(0)],
              merge_access_levels: [byLevel(40)],
            },
          ],
        },
        {
          path: 'group/shop',
          role: 'service',
          protectedTags: [{ name: 'v*', create_access_levels: [byLevel(40)] }],
        },
      ],
    },
  } satisfies CheckInput;
}
