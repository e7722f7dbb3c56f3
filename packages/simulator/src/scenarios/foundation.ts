import type { Cluster, KubernetesObjectInput } from '../kubernetes';
import { encode, storedCertificate } from '../certmanager/chain';
import type { PlatformCluster } from '../controllers/platform';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const DAY_MILLISECONDS = 24 * 3600 * 1000;
/** Where the shared Gateway is, with its certificate. */
/** Token of the generators of Argo CD. */
export const ARGOCD_GITLAB_TOKEN = 'glpat-simulated-argocd';

export const EDGE_NAMESPACE = 'gateways';
/** The platform's wildcard certificate, and its Secret. */
export const WILDCARD = 'preview-wildcard';
/** Names it is for: one label below, no deeper. */
export const WILDCARD_HOST = '*.preview.example.com';
const EDGE_SECRET = 'edge-tls';
/** The issuer that charts name. */
export const ISSUER = {
  group: 'cert-manager.io',
  kind: 'ClusterIssuer',
  name: 'letsencrypt',
};

function createMissing(cluster: Cluster, object: KubernetesObjectInput): void {
  const { kind, metadata } = object;
  if (
    !cluster.get({
      kind,
      namespace: metadata.namespace,
      name: metadata.name as string,
    })
  ) {
    cluster.create(object);
  }
}

/** What every cluster has before a preview comes: gateway, issuer, a node. */
export function layClusterFoundation(cluster: Cluster): void {
  const now = cluster.clock.now();
  createMissing(cluster, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'gateways' },
  });
  createMissing(cluster, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-1' },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
  createMissing(cluster, {
    apiVersion: 'cert-manager.io/v1',
    kind: 'ClusterIssuer',
    metadata: { name: 'letsencrypt' },
    spec: {
      acme: {
        server: 'https://acme.example.com/directory',
        privateKeySecretRef: { name: 'letsencrypt-account' },
        solvers: [
          {
            dns01: {
              route53: {
                region: 'eu-west-1',
                role: 'arn:aws:iam::123456789012:role/cert-manager',
                auth: {
                  kubernetes: { serviceAccountRef: { name: 'cert-manager' } },
                },
              },
            },
          },
        ],
      },
    },
  });
  createMissing(cluster, {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name: 'envoy' },
    spec: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
  });
  // Issued ten days ago: a certificate of the platform's own, which every preview may be under.
  createMissing(cluster, {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: {
      name: WILDCARD,
      namespace: EDGE_NAMESPACE,
      annotations: {
        'cert-manager.io/certificate-name': WILDCARD,
        'cert-manager.io/issuer-name': ISSUER.name,
        'cert-manager.io/issuer-kind': ISSUER.kind,
        'cert-manager.io/issuer-group': ISSUER.group,
      },
    },
    data: {
      'tls.crt': encode(
        storedCertificate({
          dnsNames: [WILDCARD_HOST],
          notBefore: new Date(now.getTime() - 10 * DAY_MILLISECONDS),
          notAfter: new Date(now.getTime() + 80 * DAY_MILLISECONDS),
          serial: '01',
        }),
      ),
      'tls.key': encode({ key: WILDCARD }),
    },
  });
  createMissing(cluster, {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name: WILDCARD, namespace: EDGE_NAMESPACE },
    spec: {
      dnsNames: [WILDCARD_HOST],
      issuerRef: ISSUER,
      secretName: WILDCARD,
    },
    status: { revision: 1 },
  });
  // Handed in from outside: cert-manager knows nothing of it, and it names no host of a preview.
  createMissing(cluster, {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { name: EDGE_SECRET, namespace: EDGE_NAMESPACE },
    data: {
      'tls.crt': base64('certificate of the edge'),
      'tls.key': base64('key of the edge'),
    },
  });
  createMissing(cluster, {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'shared', namespace: EDGE_NAMESPACE },
    spec: {
      gatewayClassName: 'envoy',
      listeners: [
        {
          name: 'https',
          protocol: 'HTTPS',
          port: 443,
          hostname: WILDCARD_HOST,
          allowedRoutes: { namespaces: { from: 'All' } },
          tls: {
            mode: 'Terminate',
            certificateRefs: [{ group: '', kind: 'Secret', name: EDGE_SECRET }],
          },
        },
      ],
    },
  });
}

/** What the cluster with Argo CD has besides. */
export function layControlFoundation(options: {
  control: Cluster;
  clusters: PlatformCluster[];
  gitlabToken: string;
}): void {
  const { control, clusters, gitlabToken } = options;
  createMissing(control, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'argocd' },
  });
  createMissing(control, {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: { name: 'gitlab-token', namespace: 'argocd' },
    data: { token: base64(gitlabToken) },
  });
  const servers = [
    'https://kubernetes.default.svc',
    ...clusters.slice(1).map(({ url }) => url),
  ];
  for (const project of ['default', 'previews']) {
    createMissing(control, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: project, namespace: 'argocd' },
      spec: {
        description:
          project === 'previews' ? 'Environments of merge requests' : '',
        sourceRepos: ['*'],
        sourceNamespaces: ['*'],
        destinations:
          project === 'previews'
            ? servers.map(server => ({ server, namespace: 'preview-*' }))
            : [{ server: '*', namespace: '*' }],
        clusterResourceWhitelist: [{ group: '', kind: 'Namespace' }],
      },
    });
  }
  for (const { name, url } of clusters.slice(1)) {
    createMissing(control, {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: {
        name: `cluster-${name}`,
        namespace: 'argocd',
        labels: { 'argocd.argoproj.io/secret-type': 'cluster' },
      },
      data: {
        name: base64(name),
        server: base64(url),
        config: base64('{}'),
      },
    });
  }
}
