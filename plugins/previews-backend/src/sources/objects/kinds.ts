import { KindFacts, KindName } from '../../model';
import { parseApplication } from './application';
import { parseApplicationSet } from './applicationSet';
import { parseAcmeEvent } from './acmeEvent';
import { parseCertificate } from './certificate';
import { parseCertificateRequest } from './certificateRequest';
import { parseChallenge, parseOrder } from './acme';
import { parseGateway, parseHttpRoute, parseListenerSet } from './gatewayApi';
import { parseIngress } from './ingress';
import { parseClusterIssuer, parseIssuer } from './issuer';
import { ParseContext } from './meta';
import { parseNamespace } from './namespace';
import { parsePod } from './pod';
import { parseDeployment, parseReplicaSet, parseStatefulSet } from './workload';

/** How a kind is found in the API of a cluster, and how its objects are read. */
export interface KindDefinition<K extends KindName = KindName> {
  group: string;
  kind: string;
  /** Name in paths, also of the role that allows to read it. */
  plural: string;
  /** Versions in the order of preference; another served one is taken last. */
  versions: readonly string[];
  namespaced: boolean;
  /** Only these are listed and watched, where not all of the kind are. */
  fieldSelector?: string;
  parse(value: unknown, context: ParseContext): KindFacts[K] | undefined;
}

/** Every kind that a cluster source reads. */
export const kindDefinitions: { readonly [K in KindName]: KindDefinition<K> } =
  {
    applications: {
      group: 'argoproj.io',
      kind: 'Application',
      plural: 'applications',
      versions: ['v1alpha1'],
      namespaced: true,
      parse: parseApplication,
    },
    applicationSets: {
      group: 'argoproj.io',
      kind: 'ApplicationSet',
      plural: 'applicationsets',
      versions: ['v1alpha1'],
      namespaced: true,
      parse: parseApplicationSet,
    },
    namespaces: {
      group: '',
      kind: 'Namespace',
      plural: 'namespaces',
      versions: ['v1'],
      namespaced: false,
      parse: parseNamespace,
    },
    deployments: {
      group: 'apps',
      kind: 'Deployment',
      plural: 'deployments',
      versions: ['v1'],
      namespaced: true,
      parse: parseDeployment,
    },
    statefulSets: {
      group: 'apps',
      kind: 'StatefulSet',
      plural: 'statefulsets',
      versions: ['v1'],
      namespaced: true,
      parse: parseStatefulSet,
    },
    replicaSets: {
      group: 'apps',
      kind: 'ReplicaSet',
      plural: 'replicasets',
      versions: ['v1'],
      namespaced: true,
      parse: parseReplicaSet,
    },
    pods: {
      group: '',
      kind: 'Pod',
      plural: 'pods',
      versions: ['v1'],
      namespaced: true,
      parse: parsePod,
    },
    certificates: {
      group: 'cert-manager.io',
      kind: 'Certificate',
      plural: 'certificates',
      versions: ['v1'],
      namespaced: true,
      parse: parseCertificate,
    },
    certificateRequests: {
      group: 'cert-manager.io',
      kind: 'CertificateRequest',
      plural: 'certificaterequests',
      versions: ['v1'],
      namespaced: true,
      parse: parseCertificateRequest,
    },
    orders: {
      group: 'acme.cert-manager.io',
      kind: 'Order',
      plural: 'orders',
      versions: ['v1'],
      namespaced: true,
      parse: parseOrder,
    },
    challenges: {
      group: 'acme.cert-manager.io',
      kind: 'Challenge',
      plural: 'challenges',
      versions: ['v1'],
      namespaced: true,
      parse: parseChallenge,
    },
    issuers: {
      group: 'cert-manager.io',
      kind: 'Issuer',
      plural: 'issuers',
      versions: ['v1'],
      namespaced: true,
      parse: parseIssuer,
    },
    clusterIssuers: {
      group: 'cert-manager.io',
      kind: 'ClusterIssuer',
      plural: 'clusterissuers',
      versions: ['v1'],
      namespaced: false,
      parse: parseClusterIssuer,
    },
    acmeEvents: {
      group: '',
      kind: 'Event',
      plural: 'events',
      versions: ['v1'],
      namespaced: true,
      // Of all Events of a cluster only the few that tell of certificates.
      fieldSelector:
        'involvedObject.apiVersion=acme.cert-manager.io/v1,type=Warning',
      parse: parseAcmeEvent,
    },
    httpRoutes: {
      group: 'gateway.networking.k8s.io',
      kind: 'HTTPRoute',
      plural: 'httproutes',
      versions: ['v1', 'v1beta1'],
      namespaced: true,
      parse: parseHttpRoute,
    },
    gateways: {
      group: 'gateway.networking.k8s.io',
      kind: 'Gateway',
      plural: 'gateways',
      versions: ['v1', 'v1beta1'],
      namespaced: true,
      parse: parseGateway,
    },
    listenerSets: {
      group: 'gateway.networking.k8s.io',
      kind: 'ListenerSet',
      plural: 'listenersets',
      versions: ['v1'],
      namespaced: true,
      parse: parseListenerSet,
    },
    ingresses: {
      group: 'networking.k8s.io',
      kind: 'Ingress',
      plural: 'ingresses',
      versions: ['v1'],
      namespaced: true,
      parse: parseIngress,
    },
  };
