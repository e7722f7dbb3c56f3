import {
  ClusterReading,
  HttpRouteFact,
  IngressFact,
  ListenerFact,
  ObjectMeta,
} from '../../model';
import type { ObservedNamespace } from '../gather';
import { isCoveredBy } from '../routes/hosts';
import {
  attachmentOf,
  listenersFor,
  tlsListenerFor,
} from '../routes/listeners';
import { wholeNamespace } from '../watches';
import { WorldIndex } from '../worldIndex';
import { CertificateCollection } from './CertificateCollection';
import { ObservedTls, TlsEndpoint } from './types';

const SHIM_ANNOTATIONS = [
  'cert-manager.io/cluster-issuer',
  'cert-manager.io/issuer',
];

/** More than any preview has, and few enough for a route that somebody wrote in bad faith. */
const MAXIMUM_ENDPOINTS = 200;

/**
 * Collects the Certificates of a preview, and for each host of its routes the
 * Certificates whose Secrets serve it: in its own namespace behind an Ingress, in
 * that of the Gateway or the ListenerSet behind a listener.
 */
export function observeTls(options: {
  index: WorldIndex;
  namespaces: readonly ObservedNamespace[];
}): ObservedTls {
  const { namespaces } = options;
  const collection = new CertificateCollection(options.index);
  for (const { cluster, certificates } of namespaces) {
    for (const fact of certificates) {
      collection.put(fact, { cluster, own: true });
    }
  }
  const endpoints = namespaces.flatMap(namespace => [
    ...namespace.httpRoutes.flatMap(route =>
      ofHttpRoute(route, namespace.cluster, collection),
    ),
    ...namespace.ingresses.flatMap(ingress =>
      ofIngress(ingress, namespace.cluster, collection),
    ),
  ]);
  return {
    certificates: collection.all(),
    endpoints: endpoints.slice(0, MAXIMUM_ENDPOINTS),
  };
}

/** Namespaces that the certificates of its hosts come from, as `watches` names them. */
export function watchesOfTls({ endpoints }: ObservedTls): string[] {
  return endpoints.flatMap(({ cluster, secrets }) =>
    secrets.map(({ namespace }) => wholeNamespace(cluster.cluster, namespace)),
  );
}

function ofHttpRoute(
  route: HttpRouteFact,
  cluster: ClusterReading,
  collection: CertificateCollection,
): TlsEndpoint[] {
  return route.parentRefs.flatMap(parent => {
    const holder = attachmentOf(cluster, parent)?.holder;
    const listeners = holder ? listenersFor(route, parent, holder) : [];
    return route.hostnames.flatMap(host => {
      const listener = tlsListenerFor(host, listeners);
      return holder && listener
        ? [
            {
              cluster,
              host,
              server: `${parent.kind} ${holder.meta.namespace}/${holder.meta.name} (${listener.name})`,
              asksForCertificate: asksForCertificate(holder.meta),
              secrets: secretsOf(listener, holder.meta).map(
                ({ namespace, name }) => ({
                  namespace,
                  name,
                  certificates: collection.into(cluster, namespace, name),
                }),
              ),
            },
          ]
        : [];
    });
  });
}

/** None where TLS is left to the backend, whose certificate nothing tells. */
function secretsOf(
  { tlsMode, certificateRefs }: ListenerFact,
  holder: ObjectMeta,
): { namespace: string; name: string }[] {
  return tlsMode === 'Passthrough'
    ? []
    : certificateRefs.map(({ namespace, name }) => ({
        namespace: namespace ?? holder.namespace ?? '',
        name,
      }));
}

function ofIngress(
  { meta, hosts, tls }: IngressFact,
  cluster: ClusterReading,
  collection: CertificateCollection,
): TlsEndpoint[] {
  const namespace = meta.namespace ?? '';
  return hosts.flatMap(host => {
    const entries = tls.filter(
      entry =>
        entry.hosts.length === 0 ||
        entry.hosts.some(name => isCoveredBy(name, host)),
    );
    return entries.length === 0
      ? []
      : [
          {
            cluster,
            host,
            server: `Ingress ${meta.name}`,
            asksForCertificate: asksForCertificate(meta),
            // Without a name the controller takes a certificate of its own.
            secrets: entries.flatMap(({ secretName: name }) =>
              name === undefined
                ? []
                : [
                    {
                      namespace,
                      name,
                      certificates: collection.into(cluster, namespace, name),
                    },
                  ],
            ),
          },
        ];
  });
}

function asksForCertificate({ annotations }: ObjectMeta): boolean {
  return SHIM_ANNOTATIONS.some(name => annotations[name] !== undefined);
}
