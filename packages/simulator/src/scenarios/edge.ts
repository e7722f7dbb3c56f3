import type { Cluster } from '../kubernetes';
import { ISSUER, WILDCARD, WILDCARD_HOST } from './foundation';
import type { AddServiceOptions } from './scenarioBuilder';
import { gatewayOf } from './serviceManifests';

/** An issuer to add. */
export interface IssuerOptions {
  name: string;
  /** Makes it an Issuer of this namespace instead of a ClusterIssuer. */
  namespace?: string;
  /** How its solver comes to Route 53. Default `webIdentity`, which needs no key. */
  credentials?: 'webIdentity' | 'staticKey' | 'ambient';
}

const CREDENTIALS = {
  webIdentity: {
    role: 'arn:aws:iam::123456789012:role/cert-manager',
    auth: { kubernetes: { serviceAccountRef: { name: 'cert-manager' } } },
  },
  staticKey: {
    accessKeyID: 'AKIASIMULATEDISSUER0',
    secretAccessKeySecretRef: {
      name: 'route53-credentials',
      key: 'secret-access-key',
    },
  },
  ambient: {},
};

/** Adds an issuer that is not there yet. */
export function layIssuer(cluster: Cluster, options: IssuerOptions): void {
  const { name, namespace, credentials = 'webIdentity' } = options;
  const kind = namespace ? 'Issuer' : 'ClusterIssuer';
  if (cluster.get({ kind, namespace, name })) {
    return;
  }
  cluster.create({
    apiVersion: 'cert-manager.io/v1',
    kind,
    metadata: { name, namespace },
    spec: {
      acme: {
        server: 'https://acme.example.com/directory',
        privateKeySecretRef: { name: `${name}-account` },
        solvers: [
          {
            dns01: {
              route53: { region: 'eu-west-1', ...CREDENTIALS[credentials] },
            },
          },
        ],
      },
    },
  });
}

/**
 * Adds the Gateway that a service's routes are for, where it is not the shared one: the one with the
 * platform's wildcard, or one of its own, for which cert-manager makes a Certificate.
 */
export function layGateway(
  cluster: Cluster,
  options: Pick<AddServiceOptions, 'name' | 'certificate'>,
): void {
  const reference = gatewayOf(options);
  if (!reference || cluster.get({ kind: 'Gateway', ...reference })) {
    return;
  }
  const isWildcard = options.certificate === 'wildcard';
  cluster.create({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: {
      ...reference,
      ...(!isWildcard && {
        annotations: { 'cert-manager.io/cluster-issuer': ISSUER.name },
      }),
    },
    spec: {
      gatewayClassName: 'envoy',
      listeners: [
        {
          name: 'https',
          protocol: 'HTTPS',
          port: 443,
          hostname: isWildcard
            ? WILDCARD_HOST
            : `*.${options.name}.preview.example.com`,
          allowedRoutes: { namespaces: { from: 'All' } },
          tls: {
            mode: 'Terminate',
            certificateRefs: [
              {
                group: '',
                kind: 'Secret',
                name: isWildcard ? WILDCARD : `${options.name}-wildcard-tls`,
              },
            ],
          },
        },
      ],
    },
  });
}
