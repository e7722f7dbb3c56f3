import { Requirement } from './requirement';

/**
 * Facts of Kubernetes objects as the parsers of `sources/objects` understand
 * them. Times are ISO 8601 UTC as the upstream gave them. Every text is hostile:
 * it is carried, cut to a bounded length, and never interpreted.
 */

/** What every object has. */
export interface ObjectMeta {
  cluster: string;
  namespace?: string;
  name: string;
  uid: string;
  labels: Record<string, string>;
  /** Only those a decision reads; values are cut at 2,000 characters. */
  annotations: Record<string, string>;
  createdAt?: string;
  deletionRequestedAt?: string;
  finalizers: string[];
  generation?: number;
  /** The controlling owner reference. */
  owner?: { kind: string; name: string; uid: string };
}

export interface ApplicationSource {
  repoUrl?: string;
  chart?: string;
  path?: string;
  targetRevision?: string;
  /** The source as written, for looking up where an expression's value landed. */
  raw: Record<string, unknown>;
}

export interface ApplicationFact {
  meta: ObjectMeta;
  project?: string;
  destination: { server?: string; name?: string; namespace?: string };
  /** `spec.sources` where given, else the one of `spec.source`. */
  sources: ApplicationSource[];
  multiSource: boolean;
  /** `info[]` entries as name and value. */
  info: { name: string; value: string }[];
  /** `Unknown` for anything that is no value of Argo CD's. */
  sync: {
    status: 'Synced' | 'OutOfSync' | 'Unknown';
    /** One per source, in order; empty when Argo CD has not resolved any. */
    revisions: string[];
  };
  health: {
    status:
      | 'Healthy'
      | 'Progressing'
      | 'Degraded'
      | 'Suspended'
      | 'Missing'
      | 'Unknown';
    message?: string;
  };
  /** A sync was asked for and has not begun. */
  operationRequested: boolean;
  operation?: {
    phase:
      | 'Running'
      | 'Terminating'
      | 'Failed'
      | 'Error'
      | 'Succeeded'
      | 'Unknown';
    message?: string;
    startedAt?: string;
    finishedAt?: string;
    revisions: string[];
    /** Resources that failed, and hooks with their phase. */
    resources: {
      kind: string;
      namespace?: string;
      name: string;
      status?: string;
      message?: string;
      hookType?: string;
      hookPhase?: string;
    }[];
  };
  /** Presence means active; these conditions have no status. */
  conditions: { type: string; message: string; lastTransitionAt?: string }[];
  resources: {
    group: string;
    kind: string;
    namespace?: string;
    name: string;
    status?: string;
    health?: string;
    requiresPruning: boolean;
    hook: boolean;
  }[];
  /** `status.summary.images`. */
  images: string[];
  /** `status.summary.externalURLs`, unchecked. */
  externalUrls: string[];
  /** When the revision that is deployed now was deployed first, by the history. */
  deployed?: { revisions: string[]; at?: string };
  reconciledAt?: string;
}

/** A pull request generator of an ApplicationSet, wherever it stands in the tree. */
export interface PullRequestGenerator {
  /** Generators of other forges are left alone. */
  forge: 'gitlab' | 'other';
  /** API base of the GitLab instance as written; absent means gitlab.com. */
  api?: string;
  /** Project id or path as written; may be a template in a matrix. */
  project: string;
  /** All of them must be on the MR. */
  labels: string[];
  /** `pullRequestState`; absent means all states. */
  state?: string;
  filters: {
    branchMatch?: string;
    targetBranchMatch?: string;
    titleMatch?: string;
  }[];
  /** What its own `selector`, and those of the matrices around it, ask of all parameters; absent without one. */
  selector?: Requirement[];
  requeueAfterSeconds: number;
  continueOnRepoNotFoundError: boolean;
  /** `values` of the generator, templates over the parameters. */
  values: Record<string, string>;
  /**
   * Parameters that sibling generators of a matrix give, where they are written
   * in the set itself (list generators); `dynamic` when only a running Argo CD
   * knows them; one empty set without a matrix.
   */
  siblings: Record<string, unknown>[] | 'dynamic';
}

export interface ApplicationSetFact {
  meta: ObjectMeta;
  goTemplate: boolean;
  goTemplateOptions: string[];
  generators: PullRequestGenerator[];
  /** The smallest of all generators, which is the one Argo CD uses; default 1800. */
  requeueAfterSeconds: number;
  /** `spec.template` as written. */
  template: Record<string, unknown>;
  templatePatch?: string;
  applicationsSync?: string;
  preserveResourcesOnDeletion: boolean;
  conditions: {
    type: string;
    status: string;
    reason?: string;
    message: string;
    lastTransitionAt?: string;
  }[];
}

export interface NamespaceFact {
  meta: ObjectMeta;
  phase: 'Active' | 'Terminating' | 'Unknown';
  /** Only conditions with status True, each a problem of the termination. */
  problems: { type: string; message: string }[];
}

export interface WorkloadFact {
  kind: 'Deployment' | 'StatefulSet';
  meta: ObjectMeta;
  desired: number;
  ready: number;
  updated: number;
  available: number;
  /** The controller has seen the current spec. */
  observed: boolean;
  images: string[];
  conditions: {
    type: string;
    status: string;
    reason?: string;
    message?: string;
  }[];
}

export interface ReplicaSetFact {
  meta: ObjectMeta;
  desired: number;
  ready: number;
  images: string[];
  /** Message of the ReplicaFailure condition when it is True. */
  failure?: string;
}

export interface ContainerFact {
  name: string;
  init: boolean;
  image: string;
  /** Resolved image with its digest; present once the image was pulled. */
  imageId?: string;
  ready: boolean;
  restarts: number;
  waiting?: { reason: string; message?: string };
  terminated?: { reason?: string; exitCode?: number };
  lastTerminated?: { reason?: string; exitCode?: number };
  /** Of one that was started again and that nothing probes for readiness: when it began to run. */
  runningSince?: string;
}

export interface PodFact {
  meta: ObjectMeta;
  phase: string;
  ready: boolean;
  containers: ContainerFact[];
  /** Message of `PodScheduled=False`. */
  unschedulable?: string;
  startedAt?: string;
}

/**
 * A condition as cert-manager has it. Its message is free of what differs from
 * one try to the next, and of identities of cloud accounts.
 */
export interface IssuanceCondition {
  status: string;
  reason?: string;
  message?: string;
  lastTransitionAt?: string;
  observedGeneration?: number;
}

/** `Issuer` in the same namespace, or `ClusterIssuer`; other groups have other kinds. */
export interface IssuerReference {
  kind: string;
  name: string;
  /** Absent for `cert-manager.io`. */
  group?: string;
}

export interface CertificateFact {
  meta: ObjectMeta;
  dnsNames: string[];
  secretName?: string;
  issuer?: IssuerReference;
  ready?: IssuanceCondition;
  issuing?: IssuanceCondition;
  /** Number of the request that the Secret's certificate is from. */
  revision?: number;
  notBefore?: string;
  notAfter?: string;
  renewalTime?: string;
  lastFailureTime?: string;
  failedIssuanceAttempts?: number;
}

/** One try to get a certificate, of which the request itself is not kept. */
export interface CertificateRequestFact {
  meta: ObjectMeta;
  /** By its annotation; 1 is the first. */
  revision?: number;
  issuer?: IssuerReference;
  ready?: IssuanceCondition;
  approved?: IssuanceCondition;
  denied?: IssuanceCondition;
  invalid?: IssuanceCondition;
  failureTime?: string;
}

export interface OrderFact {
  meta: ObjectMeta;
  dnsNames: string[];
  issuer?: IssuerReference;
  /** As ACME has it; empty while cert-manager has not placed the order. */
  state: string;
  /** Free of what differs from one try to the next. */
  reason?: string;
  failureTime?: string;
}

export interface ChallengeFact {
  meta: ObjectMeta;
  /** Without the `*.` of a wildcard. */
  host?: string;
  wildcard: boolean;
  /** `DNS-01` or `HTTP-01`; older versions write it in lower case. */
  type?: string;
  /** As ACME has it; empty while it is queued. */
  state: string;
  processing: boolean;
  presented: boolean;
  /** Only from cert-manager 1.21 on. */
  presentedAt?: string;
  /** Free of what differs from one try to the next. */
  reason?: string;
}

/** An Issuer or a ClusterIssuer. No Secret that it names is ever read. */
export interface IssuerFact {
  kind: 'Issuer' | 'ClusterIssuer';
  meta: ObjectMeta;
  /** URL of the ACME directory; absent where it is no ACME issuer. */
  acmeServer?: string;
  /** A solver signs in to AWS with a key that is stored in the cluster. */
  staticAwsKey?: true;
  ready?: IssuanceCondition;
}

/** A warning of an Order or a Challenge, which may tell what their status hides. */
export interface AcmeEventFact {
  meta: ObjectMeta;
  involved?: { kind: string; name: string; uid?: string };
  reason?: string;
  /** Free of what differs from one try to the next. */
  message?: string;
  /** ISO: when it was last seen. */
  observedAt?: string;
}

export interface RouteParentReference {
  kind: string;
  namespace: string;
  name: string;
  sectionName?: string;
  port?: number;
}

export interface HttpRouteFact {
  meta: ObjectMeta;
  hostnames: string[];
  parentRefs: RouteParentReference[];
  /** Entries of the status; a parent that cannot be resolved has none. */
  parents: {
    ref: RouteParentReference;
    controllerName?: string;
    conditions: RouteCondition[];
  }[];
}

export interface RouteCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  observedGeneration?: number;
}

export interface ListenerFact {
  name: string;
  hostname?: string;
  port: number;
  protocol: string;
  /** Secrets of the TLS block; without a namespace in that of the Gateway. */
  certificateRefs: { namespace?: string; name: string }[];
  /** `Passthrough` leaves TLS to the backend; absent means `Terminate`. */
  tlsMode?: string;
  /** Namespaces whose routes it takes: `All`, `Selector`, `Same`, which is the default. */
  allowedFrom?: string;
  conditions: RouteCondition[];
}

export interface GatewayFact {
  meta: ObjectMeta;
  className?: string;
  conditions: RouteCondition[];
  listeners: ListenerFact[];
}

/** Listeners that are added to a Gateway from outside, such as from a preview's own namespace. */
export interface ListenerSetFact {
  meta: ObjectMeta;
  gateway?: { namespace: string; name: string };
  conditions: RouteCondition[];
  /** Secrets without a namespace are in that of the ListenerSet. */
  listeners: ListenerFact[];
}

export interface IngressFact {
  meta: ObjectMeta;
  className?: string;
  hosts: string[];
  tls: { hosts: string[]; secretName?: string }[];
  /** The load balancer has given it an address. */
  addressed: boolean;
  /** ingress-nginx of Kubernetes serves it, by its class or its annotations. */
  ofIngressNginx: boolean;
}

/** Kinds that a cluster source reads, by the name of their reading. */
export interface KindFacts {
  applications: ApplicationFact;
  applicationSets: ApplicationSetFact;
  namespaces: NamespaceFact;
  deployments: WorkloadFact;
  statefulSets: WorkloadFact;
  replicaSets: ReplicaSetFact;
  pods: PodFact;
  certificates: CertificateFact;
  certificateRequests: CertificateRequestFact;
  orders: OrderFact;
  challenges: ChallengeFact;
  issuers: IssuerFact;
  clusterIssuers: IssuerFact;
  acmeEvents: AcmeEventFact;
  httpRoutes: HttpRouteFact;
  gateways: GatewayFact;
  listenerSets: ListenerSetFact;
  ingresses: IngressFact;
}

export type KindName = keyof KindFacts;

export const kindNames: readonly KindName[] = [
  'applications',
  'applicationSets',
  'namespaces',
  'deployments',
  'statefulSets',
  'replicaSets',
  'pods',
  'certificates',
  'certificateRequests',
  'orders',
  'challenges',
  'issuers',
  'clusterIssuers',
  'acmeEvents',
  'httpRoutes',
  'gateways',
  'listenerSets',
  'ingresses',
];
