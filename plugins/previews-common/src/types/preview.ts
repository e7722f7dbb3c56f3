import { PreviewTtl } from './ttl';
import { ReasonParams } from '../reasons';
import {
  Condition,
  ConditionStatus,
  FurtherCondition,
  Texts,
} from './condition';
import { Phase } from './phase';

/** @public */
export type MergeRequestState =
  | 'opened'
  | 'locked'
  | 'merged'
  | 'closed'
  | 'deleted';

/**
 * The state of a pipeline, in GitLab's words.
 *
 * @public
 */
export interface Pipeline {
  id: number;
  /** GitLab's status, such as `running`, `success`, `failed`, `skipped`, `manual`. */
  status: string;
  /** The full SHA that the pipeline ran for; it may differ from the head. */
  sha: string;
  webUrl?: string;
  createdAt?: string;
  startedAt?: string;
  finishedAt?: string;
}

/** @public */
export interface MergeRequest {
  /** Host of the GitLab instance, as configured, such as `gitlab.example.com`. */
  host: string;
  /** Full path of the project that the MR is opened against. */
  project: string;
  projectId: number;
  iid: number;
  title: string;
  /** Only on the configured GitLab origin; absent when GitLab sent another one. */
  webUrl?: string;
  author: { username: string; name?: string };
  sourceBranch: string;
  targetBranch: string;
  /** The source project is another one than the target project. */
  fork: boolean;
  draft: boolean;
  labels: string[];
  state: MergeRequestState;
  /** Full SHA of the head; absent when the source branch is gone. */
  headSha?: string;
  createdAt: string;
  updatedAt: string;
  mergedAt?: string;
  closedAt?: string;
  /**
   * When the first of the approvals that stand was given. Absent when there is
   * none, and where GitLab does not tell.
   */
  approvedAt?: string;
  /** The newest pipeline that ran for the head; never one of an older commit. */
  pipeline?: Pipeline;
}

/**
 * Which commit is meant, wanted and running, and how they were compared.
 *
 * @public
 */
export interface Commit {
  /** Full SHA of the MR's head. */
  head?: string;
  /** The tag or revision that the ApplicationSet's own expression gives for the head. */
  expected?: string;
  /** What the Application asks for now. */
  wantedByArgo?: string;
  /** What ready pods run. */
  running?: string;
  /** `none`: no expression names the commit, so it is not known which one runs. */
  by: 'tag' | 'revision' | 'none';
  /** Tag that was found in the registry for the head, if it was looked for. */
  pushed?: string;
}

/** @public */
export interface ApplicationSummary {
  cluster: string;
  namespace: string;
  name: string;
  /** `namespace/name` of the owning ApplicationSet. */
  applicationSet?: string;
  /** The AppProject. */
  project?: string;
  destination: {
    cluster?: string;
    server?: string;
    name?: string;
    namespace?: string;
  };
  /** As Argo CD writes it: `Synced`, `OutOfSync`, `Unknown`. */
  sync: string;
  /** As Argo CD writes it: `Healthy`, `Progressing`, `Degraded`, `Suspended`, `Missing`, `Unknown`. */
  health: string;
  revision?: string;
  operation?: {
    phase: string;
    startedAt?: string;
    finishedAt?: string;
    message?: string;
  };
  /** Link into the configured Argo CD UI. */
  webUrl?: string;
  /** When the Application itself was created, by Kubernetes. */
  createdAt?: string;
  deletionRequestedAt?: string;
}

/** @public */
export interface NamespaceSummary {
  cluster: string;
  name: string;
  phase: string;
  /**
   * It is there for this preview alone and ends with it; of others only what Argo CD
   * lists or tracks for the preview's Applications counts.
   */
  own: boolean;
  terminatingSince?: string;
}

/**
 * One object on the way from a Certificate to what is issued.
 *
 * @public
 */
export interface CertificateStep {
  kind: 'Certificate' | 'CertificateRequest' | 'Order' | 'Challenge';
  name: string;
  status: 'done' | 'waiting' | 'failed';
  /** In the object's own words, such as `Issued`, `pending` or `DoesNotExist`. */
  state?: string;
  /** What its status says, in the upstream's words, without identities of cloud accounts. */
  reason?: string;
  /** The name that a Challenge is for. */
  host?: string;
  /** `DNS-01` or `HTTP-01`, of a Challenge. */
  type?: string;
  /** When it was created. */
  since?: string;
}

/** @public */
export interface CertificateSummary {
  cluster: string;
  namespace: string;
  name: string;
  /** The names in it; `*` stands for one label. */
  hosts: string[];
  wildcard: boolean;
  /** It serves a host of the preview, and is not the preview's own. Absent means false. */
  shared?: boolean;
  state: 'waiting' | 'ready' | 'failed' | 'expired' | 'unknown';
  issuer?: string;
  notAfter?: string;
  renewalTime?: string;
  reason: string;
  params: ReasonParams;
  message: string;
  /** When cert-manager tries again, or the certificate authority lets it. */
  retryAt?: string;
  /** From the Certificate down to its Challenges, as far as they are read. */
  chain?: CertificateStep[];
}

/** @public */
export interface RouteSummary {
  cluster: string;
  namespace: string;
  kind: 'HTTPRoute' | 'Ingress';
  name: string;
  hosts: string[];
  /** `namespace/name` of the Gateways, or the ingress class. */
  parents: string[];
  accepted: 'True' | 'False' | 'Unknown';
  reason?: string;
  params?: ReasonParams;
  /** English sentence of `reason`. */
  message?: string;
}

/**
 * The certificate that a host showed when the portal visited it.
 *
 * @public
 */
export interface ShownCertificate {
  /** DNS names that it is for; at most 20. */
  names: string[];
  /** Common name of its issuer, else the organization. */
  issuer?: string;
  /** Issuers from its own up to the root, as far as they are told. */
  chain: string[];
  /** ISO 8601 UTC. */
  notBefore: string;
  /** ISO 8601 UTC. */
  notAfter: string;
  /** It is for the host that showed it. */
  namesHost: boolean;
  /** In force, and signed by authorities that the portal trusts. */
  trusted: boolean;
  /** Why not, as OpenSSL names it. */
  error?: string;
}

/**
 * What the portal found when it visited a host of the preview. Only where the
 * probe is configured.
 *
 * @public
 */
export interface ProbeSummary {
  host: string;
  /** ISO 8601 UTC: of the visit that found this first, or of a later one. */
  observedAt: string;
  status: ConditionStatus;
  /** A reason of the condition `Reachable`. */
  reason: string;
  params: ReasonParams;
  /** English sentence of `reason`. */
  message: string;
  /** From the first packet to the first byte of the answer, in that visit. */
  milliseconds?: number;
  certificate?: ShownCertificate;
}

/** @public */
export interface WorkloadSummary {
  cluster: string;
  namespace: string;
  kind: 'Deployment' | 'StatefulSet';
  name: string;
  ready: number;
  desired: number;
  images: string[];
  reason?: string;
}

/**
 * An address of the preview. `clickable` is decided by the backend: an
 * `http:` or `https:` URL on a host of the preview's own routes or of an
 * allowed domain.
 *
 * @public
 */
export interface PreviewUrl {
  url: string;
  host: string;
  clickable: boolean;
}

/**
 * The environment of one merge request: all that was generated for it, in all
 * clusters. Times are ISO 8601 UTC.
 *
 * @public
 */
export interface Preview {
  /** Opaque, `[a-z0-9-]`, stable over renames of the project. */
  id: string;
  entityRefs: string[];
  mergeRequest: MergeRequest;
  phase: Phase;
  /** When the phase became what it is. */
  phaseSince: string;
  /** Ids of sources whose facts are older than they should be. */
  stale: string[];
  /** Condition type and reason of the row's sentence; absent when plainly live. */
  reason?: {
    type: string;
    reason: string;
    params: ReasonParams;
    /** Of a {@link FurtherCondition}. */
    sentences?: Texts;
  };
  /** English sentence of `reason`. */
  message?: string;
  conditions: Condition[];
  /** Of modules of the backend, in the order in which they were added; absent where there is none. */
  furtherConditions?: FurtherCondition[];
  urls: PreviewUrl[];
  commit: Commit;
  applications: ApplicationSummary[];
  namespaces: NamespaceSummary[];
  certificates: CertificateSummary[];
  routes: RouteSummary[];
  /** Absent where no host is visited. */
  probes?: ProbeSummary[];
  workloads: WorkloadSummary[];
  createdAt: string;
  /** When it first served the head commit of the day. */
  liveAt?: string;
  goneAt?: string;
  /** Absent where it is kept as long as its merge request is open. */
  ttl?: PreviewTtl;
  /**
   * Latest change of the MR or of a condition; lists are ordered by it. What a
   * source's outage changes in what is known is none.
   */
  activityAt: string;
  /** Usual durations of this service's steps, in seconds, where enough were seen. */
  usual?: Partial<Record<string, number>>;
}

/**
 * A change of a condition, of the phase or of a fact worth remembering.
 *
 * @public
 */
export interface Transition {
  id: string;
  previewId: string;
  at: string;
  kind: 'condition' | 'phase' | 'head' | 'application' | 'approval';
  /** Condition type for `condition`, else absent. */
  type?: string;
  from?: string;
  to: string;
  /**
   * Of a condition; for a `phase` that of the row, where it has one; else a
   * {@link TimelineEvent}.
   */
  reason?: string;
  params?: ReasonParams;
  /** English sentence. */
  message: string;
  /** Of a {@link FurtherCondition}. */
  sentences?: Texts;
  /** Seconds that the state left behind had lasted. */
  lastedSeconds?: number;
}
