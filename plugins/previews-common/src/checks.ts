import { ParamsFrom, ReasonDefinition } from './reasons';

/**
 * What a readiness check says of a set-up:
 * - `error`: previews will leak, collide, reach what they must not, or not come up;
 * - `warning`: it works until something happens that is bound to happen;
 * - `info`: somebody may want to know.
 *
 * @public
 */
export const checkSeverities = ['error', 'warning', 'info'] as const;

/** @public */
export type CheckSeverity = (typeof checkSeverities)[number];

/** @public */
export interface CheckDefinition {
  severity: CheckSeverity;
  /** Names and types of the facts that its sentences are rendered from. */
  params: ReasonDefinition['params'];
}

/** What every check tells: the object or the file that it is about. */
const object = 'string';

/**
 * The readiness checks: what a set-up of previews has to have before it can be
 * trusted, by name. Each is a lesson that somebody paid for.
 *
 * @public
 */
export const checkDefinitions = {
  /** The template's own finalizers leave out the one that deletes what was deployed. */
  FinalizerMissing: { severity: 'error', params: { object } },
  /** The template names no finalizer, and Argo CD adds the right one by default. */
  FinalizerImplicit: { severity: 'info', params: { object } },
  /** The set keeps what it deployed when an Application goes. */
  ResourcesPreserved: { severity: 'error', params: { object } },
  /** `CreateNamespace=true` makes a namespace that nobody owns. */
  NamespaceCreatedBySync: { severity: 'error', params: { object } },
  /** What is rendered for a preview lacks its Namespace. */
  NamespaceNotRendered: {
    severity: 'error',
    params: { object, namespace: 'string' },
  },
  /** `pullRequestState` is unset, which takes merge requests of any state. */
  StateUnset: { severity: 'error', params: { object } },
  /** `pullRequestState` is something else than `opened`. */
  StateNotOpened: { severity: 'error', params: { object, state: 'string' } },
  /** Webhooks carry the number of a project, which a path never equals. */
  ProjectByPath: {
    severity: 'warning',
    params: { object, project: 'string' },
  },
  /** `head_short_sha_7`, while GitLab's CI writes eight characters. */
  SevenCharacterTag: { severity: 'error', params: { object } },
  /** The image's tag does not change with the head commit. */
  TagWithoutCommit: { severity: 'warning', params: { object, name: 'string' } },
  /** A Go template without `missingkey=error` writes `<no value>`. */
  MissingKeyTolerated: { severity: 'warning', params: { object } },
  /** The template uses what its generator does not give. */
  TemplateKeyUnknown: { severity: 'error', params: { object, keys: 'list' } },
  /** Without a time, Argo CD asks GitLab every 30 minutes. */
  RequeueUnset: { severity: 'warning', params: { object } },
  /** A lost webhook is noticed late. */
  RequeueLong: { severity: 'info', params: { object, seconds: 'number' } },
  /** Applications are generated and never synced by themselves. */
  AutomatedSyncOff: { severity: 'error', params: { object } },
  /** What a push removes stays in the cluster. */
  PruneOff: { severity: 'warning', params: { object } },
  /** What is changed by hand stays changed. */
  SelfHealOff: { severity: 'warning', params: { object } },
  /** `continueOnRepoNotFoundError: true` deletes everything when access is lost. */
  LostRepositoryDeletesAll: { severity: 'error', params: { object } },
  /** Applications lack the labels that tie them to their merge requests. */
  JoinLabelsMissing: { severity: 'info', params: { object, labels: 'list' } },
  /** No webhook of the project was seen. */
  WebhookNotSeen: { severity: 'info', params: { object } },
  /** Two merge requests give one Application name. */
  NameWithoutMergeRequest: { severity: 'error', params: { object } },
  /** Merge requests of two projects with one number give one Application name. */
  NameWithoutProject: { severity: 'warning', params: { object } },
  /** Several previews live in one namespace. */
  NamespaceShared: {
    severity: 'error',
    params: { object, namespace: 'string' },
  },
  /** Previews of two projects with one number live in one namespace. */
  NamespaceWithoutProject: {
    severity: 'warning',
    params: { object, namespace: 'string' },
  },
  /** Two sets give the same names. */
  NamesCollide: { severity: 'error', params: { object, others: 'list' } },
  /** A branch's name as it is, with slashes and capitals, in a name. */
  BranchUnslugged: { severity: 'error', params: { object, name: 'string' } },
  /** A name or the label of a host that can grow beyond what is allowed. */
  NameTooLong: {
    severity: 'error',
    params: { object, name: 'string', length: 'number', limit: 'number' },
  },
  /** Previews in Argo CD's project `default`. */
  DefaultProject: { severity: 'warning', params: { object } },
  /** An AppProject that admits any namespace. */
  ProjectDestinationsOpen: { severity: 'error', params: { object } },
  /** An AppProject that admits any repository. */
  ProjectSourcesOpen: { severity: 'warning', params: { object } },
  /** An AppProject that admits any kind of the cluster's own. */
  ProjectKindsOpen: { severity: 'warning', params: { object } },
  /** An AppProject that admits the previews of other services. */
  ProjectReachesOthers: {
    severity: 'warning',
    params: { object, destination: 'string' },
  },
  /** An object of a preview that is told to survive it. */
  ResourceKept: { severity: 'error', params: { object, annotation: 'string' } },
  /** A volume that outlives its preview, and goes on costing. */
  StorageRetained: { severity: 'error', params: { object, storage: 'string' } },
  /** An issuer that signs in to AWS with a stored key. */
  StaticAwsKey: { severity: 'error', params: { object } },
  /** A wildcard that its issuer can only prove over HTTP, which never works. */
  WildcardByHttp01: { severity: 'error', params: { object, host: 'string' } },
  /** A policy of AWS that lets more of DNS be written than challenges. */
  DnsPolicyOpen: { severity: 'warning', params: { object } },
  /** A role of AWS that others than cert-manager can take. */
  RoleTrustOpen: { severity: 'error', params: { object } },
  /** Images are built with Kaniko, which is archived. */
  KanikoRetired: { severity: 'warning', params: { object } },
  /** Images are built with a privileged Docker in Docker. */
  PrivilegedBuild: { severity: 'warning', params: { object } },
  /** The tag is the commit of the pipeline, which in merged results is no head. */
  MergedResultsTag: { severity: 'warning', params: { object } },
  /** A pipeline that deploys, and therefore holds a key to the cluster. */
  ClusterAccessFromCi: { severity: 'warning', params: { object } },
  /** A token or a key that can be read. */
  TokenInPlainText: { severity: 'error', params: { object } },
  /** People can push to the branch that is deployed, or anyone can merge. */
  BranchUnprotected: {
    severity: 'warning',
    params: { object, branch: 'string' },
  },
  /** Anyone who may push can make a release. */
  TagsUnprotected: { severity: 'warning', params: { object } },
  /** Copies of the origin that differ. */
  OriginsDisagree: { severity: 'error', params: { object, origins: 'list' } },
  /** Traffic through ingress-nginx, which is not maintained any more. */
  IngressNginxRetired: { severity: 'warning', params: { object } },
  /** A Gateway to which routes of any namespace attach. */
  GatewayAdmitsAll: { severity: 'warning', params: { object } },
  /** A load balancer of its own for a preview. */
  LoadBalancerInPreview: { severity: 'warning', params: { object } },
  /** A load balancer that hides the addresses of clients. */
  LoadBalancerHidesClients: { severity: 'warning', params: { object } },
  /** A Secret where the edge reads all of them. */
  SecretInServedNamespace: {
    severity: 'error',
    params: { object, namespace: 'string' },
  },
  /** A Secret with its values in a file. */
  SecretInGit: { severity: 'error', params: { object } },
  /** An image that is another one tomorrow. */
  ImageTagMutable: { severity: 'error', params: { object, image: 'string' } },
  /** An image outside previews without a digest. */
  ImageWithoutDigest: {
    severity: 'warning',
    params: { object, image: 'string' },
  },
  /** An image of a preview whose tag is no short SHA. */
  PreviewTagForeign: { severity: 'error', params: { object, image: 'string' } },
  /** An image whose tag does not name its environment. */
  EnvironmentTagForeign: {
    severity: 'warning',
    params: { object, image: 'string', environment: 'string' },
  },
  /** Traffic before the process can answer. */
  ReadinessProbeMissing: {
    severity: 'warning',
    params: { object, containers: 'list' },
  },
  /** A rebuilt node takes all pods at once. */
  DisruptionBudgetMissing: { severity: 'warning', params: { object } },
  /** A single pod outside previews. */
  SingleReplica: {
    severity: 'warning',
    params: { object, replicas: 'number' },
  },
  RootFileSystemWritable: {
    severity: 'warning',
    params: { object, containers: 'list' },
  },
  RunsAsRoot: { severity: 'warning', params: { object, containers: 'list' } },
  PrivilegedContainer: {
    severity: 'error',
    params: { object, containers: 'list' },
  },
  /** Without requests a preview has no known cost, and no bounds without limits. */
  ResourcesMissing: {
    severity: 'warning',
    params: { object, containers: 'list' },
  },
  /** A token of the cluster in pods that do not ask for it. */
  ServiceAccountTokenMounted: { severity: 'warning', params: { object } },
  /** Pods that anything in the cluster can reach. */
  NetworkPolicyMissing: { severity: 'warning', params: { object } },
  /** A policy that admits everything. */
  NetworkPolicyOpen: { severity: 'warning', params: { object } },
  /** Terraform or OpenTofu and Argo CD undo each other's changes. */
  TwoOwners: { severity: 'error', params: { object, managers: 'list' } },
} as const satisfies Record<string, CheckDefinition>;

/** @public */
export type CheckId = keyof typeof checkDefinitions;

/**
 * All checks, in the order of the documentation.
 *
 * @public
 */
export const checkIds = Object.keys(checkDefinitions) as CheckId[];

/**
 * The facts of each check.
 *
 * @public
 */
export type CheckParams = {
  [I in CheckId]: ParamsFrom<(typeof checkDefinitions)[I]['params']>;
};
