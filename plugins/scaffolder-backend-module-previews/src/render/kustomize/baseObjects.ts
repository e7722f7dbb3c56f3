import type { OnboardingInput } from '../input';
import type { CommentedDocument } from '../toYaml';

/** Stands where an overlay, or the ApplicationSet, puts the host of the environment. */
const HOST = 'host.invalid';

function web(input: OnboardingInput): Record<string, string> {
  return {
    'app.kubernetes.io/name': input.service,
    'app.kubernetes.io/component': 'web',
  };
}

function meta(input: OnboardingInput, name = input.service) {
  return {
    name,
    labels: {
      'app.kubernetes.io/name': input.service,
      'app.kubernetes.io/part-of': input.service,
    },
  };
}

function workload(input: OnboardingInput): CommentedDocument[] {
  const probe = { httpGet: { path: input.healthPath, port: 'http' } };
  return [
    {
      value: {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: meta(input),
        automountServiceAccountToken: false,
      },
    },
    {
      value: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: meta(input),
        spec: {
          replicas: 1,
          revisionHistoryLimit: 3,
          strategy: {
            type: 'RollingUpdate',
            rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
          },
          selector: { matchLabels: web(input) },
          template: {
            metadata: { labels: web(input) },
            spec: {
              serviceAccountName: input.service,
              automountServiceAccountToken: false,
              enableServiceLinks: false,
              ...(input.pullSecret && {
                imagePullSecrets: [{ name: input.pullSecret }],
              }),
              securityContext: {
                runAsNonRoot: true,
                runAsUser: 10001,
                runAsGroup: 10001,
                fsGroup: 10001,
                seccompProfile: { type: 'RuntimeDefault' },
              },
              containers: [
                {
                  name: 'web',
                  image: input.image,
                  imagePullPolicy: 'IfNotPresent',
                  ports: [{ name: 'http', containerPort: input.port }],
                  env: [
                    { name: 'PORT', value: String(input.port) },
                    { name: 'APP_ORIGIN', value: `https://${HOST}` },
                  ],
                  startupProbe: {
                    ...probe,
                    periodSeconds: 5,
                    failureThreshold: 30,
                  },
                  readinessProbe: {
                    ...probe,
                    periodSeconds: 5,
                    timeoutSeconds: 2,
                  },
                  livenessProbe: {
                    ...probe,
                    periodSeconds: 20,
                    timeoutSeconds: 5,
                    failureThreshold: 6,
                  },
                  resources: input.resources,
                  securityContext: {
                    allowPrivilegeEscalation: false,
                    readOnlyRootFilesystem: true,
                    capabilities: { drop: ['ALL'] },
                  },
                  volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
                },
              ],
              volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '128Mi' } }],
            },
          },
        },
      },
      notes: {
        'spec.strategy.rollingUpdate':
          'New pods first: never fewer than were asked for.',
      },
    },
    {
      value: {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: meta(input),
        spec: {
          type: 'ClusterIP',
          selector: web(input),
          ports: [{ name: 'http', port: 80, targetPort: 'http' }],
        },
      },
    },
  ];
}

function policies(input: OnboardingInput): CommentedDocument[] {
  const policy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
  };
  return [
    {
      value: {
        ...policy,
        metadata: meta(input, `${input.service}-deny`),
        spec: { podSelector: {}, policyTypes: ['Ingress'] },
      },
      comment: 'Nobody reaches a pod of this namespace …',
    },
    {
      value: {
        ...policy,
        metadata: meta(input),
        spec: {
          podSelector: { matchLabels: web(input) },
          policyTypes: ['Ingress'],
          ingress: [
            {
              from: [
                {
                  namespaceSelector: {
                    matchLabels: {
                      'kubernetes.io/metadata.name': input.edgeNamespace,
                    },
                  },
                },
              ],
              ports: [{ protocol: 'TCP', port: 'http' }],
            },
          ],
        },
      },
      comment: '… but the edge the service.',
    },
  ];
}

function tlsSecret(input: OnboardingInput): string | undefined {
  return input.certificate.kind === 'wildcard'
    ? input.certificate.secret
    : `${input.service}-tls`;
}

function gatewayRoute(input: OnboardingInput): CommentedDocument[] {
  const { route, certificate } = input;
  if (route.kind !== 'gateway') {
    return [];
  }
  const group = 'gateway.networking.k8s.io';
  const gateway = {
    group,
    kind: 'Gateway',
    name: route.name,
    namespace: route.namespace,
  };
  const perHost = certificate.kind === 'perMergeRequest';
  const httpRoute: CommentedDocument = {
    value: {
      apiVersion: `${group}/v1`,
      kind: 'HTTPRoute',
      metadata: meta(input),
      spec: {
        parentRefs: [
          perHost
            ? { group, kind: 'ListenerSet', name: input.service }
            : gateway,
        ],
        hostnames: [HOST],
        rules: [
          {
            matches: [{ path: { type: 'PathPrefix', value: '/' } }],
            backendRefs: [
              {
                group: '',
                kind: 'Service',
                name: input.service,
                port: 80,
                weight: 1,
              },
            ],
          },
        ],
      },
    },
  };
  if (!perHost) {
    return [httpRoute];
  }
  return [
    {
      value: {
        apiVersion: `${group}/v1`,
        kind: 'ListenerSet',
        metadata: meta(input),
        spec: {
          parentRef: gateway,
          listeners: [
            {
              name: 'https',
              hostname: HOST,
              port: 443,
              protocol: 'HTTPS',
              tls: {
                mode: 'Terminate',
                certificateRefs: [
                  { group: '', kind: 'Secret', name: tlsSecret(input) },
                ],
              },
              allowedRoutes: { namespaces: { from: 'Same' } },
            },
          ],
        },
      },
      comment:
        'A certificate of one host needs a listener of its own, which this adds to the platform’s Gateway.',
    },
    httpRoute,
  ];
}

function ingressRoute(input: OnboardingInput): CommentedDocument[] {
  const { route } = input;
  if (route.kind !== 'ingress') {
    return [];
  }
  const secretName = tlsSecret(input);
  return [
    {
      value: {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: meta(input),
        spec: {
          ingressClassName: route.className,
          rules: [
            {
              host: HOST,
              http: {
                paths: [
                  {
                    path: '/',
                    pathType: 'Prefix',
                    backend: {
                      service: { name: input.service, port: { number: 80 } },
                    },
                  },
                ],
              },
            },
          ],
          tls: [{ hosts: [HOST], ...(secretName && { secretName }) }],
        },
      },
    },
  ];
}

function certificateObjects(input: OnboardingInput): CommentedDocument[] {
  if (input.certificate.kind !== 'perMergeRequest') {
    return [];
  }
  return [
    {
      value: {
        apiVersion: 'cert-manager.io/v1',
        kind: 'Certificate',
        metadata: meta(input, `${input.service}-tls`),
        spec: {
          secretName: `${input.service}-tls`,
          dnsNames: [HOST],
          issuerRef: {
            group: 'cert-manager.io',
            kind: 'ClusterIssuer',
            name: input.certificate.issuer,
          },
          privateKey: {
            algorithm: 'ECDSA',
            size: 256,
            rotationPolicy: 'Always',
          },
          usages: ['digital signature', 'server auth'],
        },
      },
    },
  ];
}

/** Objects of every environment, by the file of the base that holds them. */
export function baseObjects(
  input: OnboardingInput,
): Record<string, CommentedDocument[]> {
  const files = {
    'workload.yaml': workload(input),
    'networkpolicy.yaml': policies(input),
    'route.yaml': [...gatewayRoute(input), ...ingressRoute(input)],
    'certificate.yaml': certificateObjects(input),
  };
  return Object.fromEntries(
    Object.entries(files).filter(([, documents]) => documents.length > 0),
  );
}
