/**
 * The conditions of a preview in the order of its life.
 *
 * @public
 */
export const conditionTypes = [
  'MergeRequestOpen',
  'Selected',
  'ImageBuilt',
  'ApplicationGenerated',
  'Synced',
  'Available',
  'CertificateReady',
  'RouteAccepted',
  'Reachable',
  'CleanedUp',
] as const;

/** @public */
export type ConditionType = (typeof conditionTypes)[number];

/**
 * Facts of a reason. Texts come from GitLab and the cluster and are hostile:
 * they are shown as text only. Times are ISO 8601 UTC, durations seconds.
 *
 * @public
 */
export type ReasonParams = Record<string, string | number | boolean | string[]>;

/**
 * What a reason means for the preview's way to `Live`:
 * - `fulfilled`: the fact holds;
 * - `waiting`: it will hold without a person;
 * - `blocked`: a person has to do something;
 * - `warning`: it holds (or is not needed), but someone should know;
 * - `ended`: the MR's own end, which is neither good nor bad;
 * - `unknown`: it could not be read.
 *
 * @public
 */
export type ReasonEffect =
  | 'fulfilled'
  | 'waiting'
  | 'blocked'
  | 'warning'
  | 'ended'
  | 'unknown';

/**
 * Where the next step is taken, as a link of the row.
 *
 * @public
 */
export type NextStep =
  | 'mergeRequest'
  | 'pipeline'
  | 'logs'
  | 'application'
  | 'applicationSet'
  | 'sources';

/** @public */
export interface ReasonDefinition {
  effect: ReasonEffect;
  nextStep?: NextStep;
  /** Names and types of its params; `?` marks an optional one. */
  params: Record<
    string,
    | 'string'
    | 'number'
    | 'time'
    | 'list'
    | 'string?'
    | 'number?'
    | 'time?'
    | 'list?'
  >;
}

function reason<P extends ReasonDefinition['params']>(
  effect: ReasonEffect,
  params: P,
  nextStep?: NextStep,
): { effect: ReasonEffect; params: P; nextStep?: NextStep } {
  return { effect, params, ...(nextStep && { nextStep }) };
}

const none = {} as const;

/** Reasons of status `Unknown`, the same for every condition. */
const unknownReasons = {
  /** The source has not answered since `since`; what is shown is from then. */
  SourceUnavailable: reason(
    'unknown',
    { source: 'string', since: 'time?' },
    'sources',
  ),
  /** Nothing that could tell is read by this portal. */
  NotObserved: reason('unknown', { what: 'string' }),
  /** The source is being read for the first time. */
  NotReadYet: reason('unknown', { source: 'string' }),
  /** The cluster denies listing the kind. */
  KindForbidden: reason(
    'unknown',
    { kind: 'string', group: 'string', cluster: 'string' },
    'sources',
  ),
  /** GitLab answers 401, 403 or 404 for the project. */
  ProjectNotReadable: reason(
    'unknown',
    { project: 'string', status: 'number' },
    'sources',
  ),
  /** The Application's destination is no configured cluster. */
  ClusterNotConfigured: reason('unknown', {
    destination: 'string',
    application: 'string',
  }),
} as const;

/**
 * Every reason of every condition, declared once. Both the backend's decisions
 * and the catalogues of sentences are held to this table by the compiler.
 *
 * @public
 */
export const reasons = {
  MergeRequestOpen: {
    Opened: reason('fulfilled', none),
    Locked: reason('fulfilled', none),
    SourceBranchDeleted: reason(
      'warning',
      { branch: 'string' },
      'mergeRequest',
    ),
    /** Nobody has worked on it for so long that its time to live ends soon. */
    IdleNearEnd: reason(
      'warning',
      { idleSince: 'time', expiresAt: 'time' },
      'mergeRequest',
    ),
    /** Its time to live is over. */
    IdlePastEnd: reason(
      'warning',
      { idleSince: 'time', expiresAt: 'time' },
      'mergeRequest',
    ),
    Merged: reason('ended', { at: 'time?' }),
    Closed: reason('ended', { at: 'time?' }),
    Deleted: reason('ended', none),
    ...unknownReasons,
  },
  Selected: {
    Selected: reason('fulfilled', { applicationSets: 'list' }),
    KeptByGenerator: reason(
      'warning',
      { applicationSet: 'string', state: 'string' },
      'applicationSet',
    ),
    LabelMissing: reason(
      'waiting',
      { applicationSet: 'string', labels: 'list' },
      'mergeRequest',
    ),
    BranchFiltered: reason('waiting', {
      applicationSet: 'string',
      pattern: 'string',
      branch: 'string',
    }),
    TitleFiltered: reason(
      'waiting',
      { applicationSet: 'string', pattern: 'string' },
      'mergeRequest',
    ),
    TargetFiltered: reason('waiting', {
      applicationSet: 'string',
      pattern: 'string',
      branch: 'string',
    }),
    /** The `selector` of the generator, on the parameters that it gives. */
    SelectorExcluded: reason('waiting', {
      applicationSet: 'string',
      requirement: 'string',
    }),
    StateExcluded: reason('ended', {
      applicationSet: 'string',
      state: 'string',
    }),
    MergeRequestDeleted: reason('ended', none),
    NoApplicationSet: reason('blocked', { project: 'string' }),
    ...unknownReasons,
  },
  ImageBuilt: {
    ImagePulled: reason('fulfilled', { tag: 'string' }),
    TagInRegistry: reason('fulfilled', { tag: 'string' }),
    PipelineRunning: reason(
      'waiting',
      {
        tag: 'string',
        pipeline: 'number',
        startedAt: 'time?',
        usualSeconds: 'number?',
      },
      'pipeline',
    ),
    PipelineManual: reason(
      'blocked',
      { tag: 'string', pipeline: 'number' },
      'pipeline',
    ),
    PipelineFailed: reason(
      'blocked',
      { tag: 'string', pipeline: 'number' },
      'pipeline',
    ),
    PipelineCanceled: reason(
      'blocked',
      { tag: 'string', pipeline: 'number' },
      'pipeline',
    ),
    PipelineSkipped: reason(
      'blocked',
      { tag: 'string', pipeline: 'number' },
      'pipeline',
    ),
    NoPipeline: reason(
      'waiting',
      { tag: 'string', sha: 'string' },
      'mergeRequest',
    ),
    /** The pipeline succeeded and the tag is not there. */
    TagMissing: reason(
      'blocked',
      { tag: 'string', pipeline: 'number?' },
      'pipeline',
    ),
    /** A tag of the same commit with another length is there. */
    TagLengthDiffers: reason(
      'blocked',
      { tag: 'string', near: 'list' },
      'pipeline',
    ),
    RegistryNotRead: reason('unknown', { tag: 'string', status: 'number?' }),
    /** It is one of a merged result, whose commit cannot be read; so it may be one of the head. */
    PipelineNotTold: reason('unknown', { tag: 'string', pipeline: 'number' }),
    HeadUnknown: reason('unknown', { branch: 'string' }),
    ...unknownReasons,
  },
  ApplicationGenerated: {
    Generated: reason('fulfilled', { applications: 'list' }),
    NotPolledYet: reason(
      'waiting',
      { applicationSet: 'string', requeueAfterSeconds: 'number' },
      'applicationSet',
    ),
    GeneratorError: reason(
      'blocked',
      { applicationSet: 'string', error: 'string' },
      'applicationSet',
    ),
    ValidationError: reason(
      'blocked',
      { applicationSet: 'string', error: 'string' },
      'applicationSet',
    ),
    /** It is there, but its set creates, updates and deletes nothing now. */
    FrozenByGenerator: reason(
      'warning',
      { applicationSet: 'string', error: 'string' },
      'applicationSet',
    ),
    NameCollision: reason(
      'blocked',
      { name: 'string', other: 'string' },
      'applicationSet',
    ),
    Deleting: reason(
      'waiting',
      { application: 'string', since: 'time' },
      'application',
    ),
    ...unknownReasons,
  },
  Synced: {
    Synced: reason('fulfilled', { revision: 'string?' }),
    SyncRunning: reason(
      'waiting',
      { application: 'string', startedAt: 'time?' },
      'application',
    ),
    NeverSynced: reason('waiting', { application: 'string' }, 'application'),
    /** `error`: what its set reports, which updates nothing as long as it does. */
    OldCommit: reason(
      'waiting',
      {
        application: 'string',
        wanted: 'string',
        expected: 'string',
        error: 'string?',
      },
      'application',
    ),
    /** Its set only creates Applications, and so never takes it to another commit. */
    OldCommitKept: reason(
      'blocked',
      {
        application: 'string',
        applicationSet: 'string',
        wanted: 'string',
        expected: 'string',
      },
      'applicationSet',
    ),
    OutOfSync: reason(
      'waiting',
      { application: 'string', resources: 'list' },
      'application',
    ),
    SyncFailed: reason(
      'blocked',
      { application: 'string', error: 'string', resources: 'list' },
      'application',
    ),
    HookFailed: reason(
      'blocked',
      { application: 'string', hook: 'string', error: 'string' },
      'application',
    ),
    ComparisonError: reason(
      'blocked',
      { application: 'string', error: 'string', resources: 'list' },
      'application',
    ),
    /** A fork's commit is not in the repository that Argo CD reads. */
    CommitNotInProject: reason(
      'blocked',
      { application: 'string', sha: 'string', project: 'string' },
      'application',
    ),
    InvalidSpec: reason(
      'blocked',
      { application: 'string', error: 'string' },
      'application',
    ),
    ...unknownReasons,
  },
  Available: {
    Available: reason('fulfilled', { ready: 'number', desired: 'number' }),
    /** By Argo CD's word, where the workloads cannot be read. */
    Healthy: reason('fulfilled', { application: 'string' }),
    NoWorkloads: reason('fulfilled', { application: 'string' }),
    WaitingForImage: reason(
      'waiting',
      { image: 'string', workload: 'string', since: 'time?' },
      'pipeline',
    ),
    /** The pull was tried before the image was there, and is tried again. */
    PullRetried: reason(
      'waiting',
      { image: 'string', workload: 'string', since: 'time?' },
      'application',
    ),
    Progressing: reason(
      'waiting',
      { workload: 'string', ready: 'number', desired: 'number' },
      'application',
    ),
    Missing: reason('waiting', { application: 'string' }, 'application'),
    Asleep: reason('warning', { workload: 'string' }),
    ImageNotFound: reason(
      'blocked',
      { image: 'string', workload: 'string' },
      'pipeline',
    ),
    PullDenied: reason(
      'blocked',
      { image: 'string', workload: 'string' },
      'application',
    ),
    InvalidImageName: reason(
      'blocked',
      { image: 'string', container: 'string' },
      'application',
    ),
    CrashLoop: reason(
      'blocked',
      {
        container: 'string',
        workload: 'string',
        restarts: 'number',
        exitCode: 'number?',
      },
      'logs',
    ),
    OutOfMemory: reason(
      'blocked',
      { container: 'string', workload: 'string', restarts: 'number' },
      'logs',
    ),
    ContainerConfigError: reason(
      'blocked',
      { container: 'string', workload: 'string', error: 'string' },
      'application',
    ),
    Unschedulable: reason(
      'blocked',
      { workload: 'string', error: 'string' },
      'application',
    ),
    ReplicaFailure: reason(
      'blocked',
      { workload: 'string', error: 'string' },
      'application',
    ),
    ProgressDeadlineExceeded: reason(
      'blocked',
      { workload: 'string', ready: 'number', desired: 'number' },
      'logs',
    ),
    Degraded: reason(
      'blocked',
      { application: 'string', error: 'string' },
      'application',
    ),
    Suspended: reason('warning', { application: 'string' }, 'application'),
    ...unknownReasons,
  },
  CertificateReady: {
    Ready: reason('fulfilled', {
      certificate: 'string',
      notAfter: 'time?',
      issuer: 'string?',
    }),
    /** Valid, but the renewal fails: it ends when the certificate does. */
    RenewalFailing: reason('warning', {
      certificate: 'string',
      notAfter: 'time?',
      error: 'string',
      retryAt: 'time?',
    }),
    /** Valid, and due for a renewal that nobody has begun. */
    RenewalOverdue: reason('warning', {
      certificate: 'string',
      renewalTime: 'time',
      notAfter: 'time?',
    }),
    Issuing: reason('waiting', {
      certificate: 'string',
      hosts: 'list',
      since: 'time?',
      usualSeconds: 'number?',
    }),
    /** A Gateway or an Ingress asks for it, and cert-manager has not made it. */
    CertificateMissing: reason('waiting', {
      certificate: 'string',
      host: 'string',
      server: 'string',
    }),
    /** It was issued, and its Secret is gone. */
    SecretMissing: reason('waiting', {
      certificate: 'string',
      secret: 'string',
    }),
    ApprovalPending: reason('waiting', {
      certificate: 'string',
      request: 'string',
    }),
    /** cert-manager works at so many Challenges at a time, and at one per name. */
    ChallengeQueued: reason('waiting', {
      certificate: 'string',
      host: 'string',
      since: 'time?',
    }),
    ChallengePending: reason('waiting', {
      certificate: 'string',
      host: 'string',
      since: 'time?',
      usualSeconds: 'number?',
    }),
    /** The record is written, and cert-manager does not see it yet. */
    DnsNotPropagated: reason('waiting', {
      certificate: 'string',
      host: 'string',
      since: 'time?',
      usualSeconds: 'number?',
    }),
    HttpNotReached: reason('waiting', {
      certificate: 'string',
      host: 'string',
      error: 'string',
    }),
    DnsThrottled: reason('waiting', { certificate: 'string', host: 'string' }),
    ProviderUnreachable: reason('waiting', {
      certificate: 'string',
      host: 'string',
      error: 'string',
    }),
    PropagationStuck: reason('blocked', {
      certificate: 'string',
      host: 'string',
      since: 'time',
    }),
    ChallengeStuck: reason('blocked', {
      certificate: 'string',
      host: 'string',
      since: 'time',
      error: 'string',
    }),
    /** Nothing below the Certificate tells why it takes so long. */
    IssuanceStuck: reason('blocked', {
      certificate: 'string',
      hosts: 'list',
      since: 'time',
    }),
    ChallengeFailed: reason('blocked', {
      certificate: 'string',
      host: 'string',
      error: 'string',
      retryAt: 'time?',
    }),
    ChallengeError: reason('blocked', {
      certificate: 'string',
      host: 'string',
      error: 'string',
    }),
    /** The DNS provider denies it. `zone` is the provider's id of the zone. */
    AccessDenied: reason('blocked', {
      certificate: 'string',
      host: 'string',
      action: 'string?',
      zone: 'string?',
    }),
    CredentialsInvalid: reason('blocked', {
      certificate: 'string',
      host: 'string',
      code: 'string',
    }),
    ZoneNotFound: reason('blocked', { certificate: 'string', host: 'string' }),
    /** The issuer has no solver for the names. */
    NoSolver: reason('blocked', {
      certificate: 'string',
      hosts: 'list',
      issuer: 'string?',
    }),
    /** Too many certificates of a registered domain. */
    RateLimitedForDomain: reason('blocked', {
      certificate: 'string',
      domain: 'string?',
      retryAt: 'time?',
    }),
    /** The same set of names too often. */
    RateLimitedForNames: reason('blocked', {
      certificate: 'string',
      hosts: 'list',
      retryAt: 'time?',
    }),
    /** Too many failed validations. */
    RateLimitedForFailures: reason('blocked', {
      certificate: 'string',
      hosts: 'list',
      retryAt: 'time?',
    }),
    /** Any other limit of the certificate authority. */
    RateLimited: reason('blocked', {
      certificate: 'string',
      error: 'string',
      retryAt: 'time?',
    }),
    OrderExpired: reason('blocked', {
      certificate: 'string',
      order: 'string',
      retryAt: 'time?',
    }),
    OrderFailed: reason('blocked', {
      certificate: 'string',
      hosts: 'list',
      error: 'string',
      retryAt: 'time?',
    }),
    AccountMissing: reason('blocked', {
      certificate: 'string',
      issuer: 'string?',
    }),
    IdentifierRejected: reason('blocked', {
      certificate: 'string',
      hosts: 'list',
      error: 'string',
    }),
    /** A CAA record allows other certificate authorities only. */
    CaaForbids: reason('blocked', { certificate: 'string', hosts: 'list' }),
    RequestDenied: reason('blocked', {
      certificate: 'string',
      error: 'string',
    }),
    RequestInvalid: reason('blocked', {
      certificate: 'string',
      error: 'string',
    }),
    IssuerNotFound: reason('blocked', {
      certificate: 'string',
      issuer: 'string',
    }),
    IssuerNotReady: reason('blocked', {
      certificate: 'string',
      issuer: 'string',
      error: 'string',
    }),
    /** Several Certificates write one Secret. */
    SecretConflict: reason('blocked', {
      certificate: 'string',
      secret: 'string',
      others: 'list',
    }),
    IssuanceFailed: reason('blocked', {
      certificate: 'string',
      hosts: 'list',
      error: 'string',
      attempts: 'number?',
      retryAt: 'time?',
    }),
    /** It failed, and nothing that is read tells why. */
    BackingOff: reason('blocked', {
      certificate: 'string',
      attempts: 'number?',
      retryAt: 'time?',
    }),
    Expired: reason('blocked', {
      certificate: 'string',
      notAfter: 'time?',
      error: 'string?',
      retryAt: 'time?',
    }),
    /** What serves the host has a certificate of other names. */
    NotCovered: reason('blocked', {
      certificate: 'string',
      host: 'string',
      server: 'string',
      hosts: 'list',
    }),
    ...unknownReasons,
  },
  RouteAccepted: {
    Accepted: reason('fulfilled', { route: 'string', parents: 'list' }),
    /** Accepted by one parent while another one refuses. */
    AcceptedByOneParent: reason('warning', {
      route: 'string',
      parent: 'string',
      refusedBy: 'string',
    }),
    /** Served by ingress-nginx, which is maintained no more. */
    AcceptedByRetired: reason('warning', {
      route: 'string',
      className: 'string?',
    }),
    Pending: reason('waiting', { route: 'string' }),
    /** No controller has given the Ingress an address. */
    IngressPending: reason('waiting', {
      route: 'string',
      className: 'string?',
    }),
    /** Whether the listener serves is not known yet. */
    ListenerPending: reason('waiting', {
      route: 'string',
      parent: 'string',
      listener: 'string',
    }),
    /** The Gateway answers 503, since the Service has no pod that is ready. */
    BackendsUnavailable: reason('waiting', {
      route: 'string',
      error: 'string',
    }),
    GatewayMissing: reason(
      'blocked',
      { route: 'string', parent: 'string' },
      'application',
    ),
    GatewayNotProgrammed: reason('blocked', {
      route: 'string',
      parent: 'string',
      error: 'string',
    }),
    /** The Gateway takes no listeners of the ListenerSet's namespace (`allowedListeners`). */
    ListenersNotAdmitted: reason('blocked', {
      route: 'string',
      parent: 'string',
      gateway: 'string',
    }),
    ListenerConflicted: reason('blocked', {
      route: 'string',
      parent: 'string',
      listener: 'string',
    }),
    ListenerCertificateInvalid: reason('blocked', {
      route: 'string',
      parent: 'string',
      listener: 'string',
      error: 'string',
    }),
    /** `allowed` is the listener's `allowedRoutes.namespaces.from`. */
    NotAllowedByListeners: reason(
      'blocked',
      { route: 'string', parent: 'string', allowed: 'string?' },
      'application',
    ),
    NoMatchingHost: reason(
      'blocked',
      { route: 'string', parent: 'string', hosts: 'list' },
      'application',
    ),
    NoMatchingParent: reason(
      'blocked',
      { route: 'string', parent: 'string' },
      'application',
    ),
    BackendNotFound: reason(
      'blocked',
      { route: 'string', error: 'string' },
      'application',
    ),
    ReferenceNotPermitted: reason(
      'blocked',
      { route: 'string', error: 'string' },
      'application',
    ),
    ListenerNotProgrammed: reason('blocked', {
      route: 'string',
      parent: 'string',
      listener: 'string',
    }),
    NotAccepted: reason(
      'blocked',
      { route: 'string', parent: 'string', code: 'string', error: 'string' },
      'application',
    ),
    ...unknownReasons,
  },
  /**
   * What a request from the portal found. It is evidence beside the conditions
   * before it and holds nothing back, so that what is wrong is a warning.
   */
  Reachable: {
    /** HTTPS answered, with whatever status below 500. */
    Answered: reason('fulfilled', { host: 'string', status: 'number' }),
    /** It answered with a redirect to another origin, such as that of a login. */
    RedirectedAway: reason('fulfilled', {
      host: 'string',
      status: 'number',
      to: 'string',
    }),
    RedirectLoop: reason('warning', { host: 'string' }),
    Http5xx: reason('warning', { host: 'string', status: 'number' }),
    /** What answers is no HTTP, or HTTP beyond what browsers take. */
    InvalidAnswer: reason('warning', { host: 'string', error: 'string?' }),
    /** `names` are those of the certificate that is served. */
    TlsMismatch: reason('warning', { host: 'string', names: 'list' }),
    TlsExpired: reason('warning', { host: 'string', notAfter: 'time' }),
    /** `issuer` as the certificate says, `error` as OpenSSL names it. */
    TlsUntrusted: reason('warning', {
      host: 'string',
      issuer: 'string?',
      error: 'string',
    }),
    /** No certificate was shown at all. */
    TlsFailed: reason('warning', { host: 'string', error: 'string?' }),
    Timeout: reason('warning', { host: 'string' }),
    ConnectionRefused: reason('warning', { host: 'string' }),
    ConnectionReset: reason('warning', { host: 'string' }),
    ConnectionFailed: reason('warning', { host: 'string', error: 'string?' }),
    DnsNotFound: reason('warning', { host: 'string' }),
    /** The resolver of the portal does not answer, which says nothing of the host. */
    DnsUnavailable: reason('unknown', { host: 'string' }),
    /** Every address of the host is one that the portal may not visit. */
    NotAllowed: reason('unknown', { host: 'string', address: 'string' }),
    NotProbedYet: reason('unknown', { host: 'string' }),
    ...unknownReasons,
  },
  CleanedUp: {
    NothingLeft: reason('fulfilled', none),
    /** `everySeconds`: how often its set looks at GitLab, where that is known. */
    ApplicationLeft: reason(
      'waiting',
      { applications: 'list', everySeconds: 'number?' },
      'application',
    ),
    /** Nothing ever deletes it: its set is told not to, or it has none any more. */
    ApplicationKept: reason(
      'blocked',
      { application: 'string', applicationSet: 'string?' },
      'application',
    ),
    /** Nothing deletes the Application while its set reports an error. */
    FrozenByGenerator: reason(
      'blocked',
      { application: 'string', applicationSet: 'string', error: 'string' },
      'applicationSet',
    ),
    ApplicationDeleting: reason(
      'waiting',
      { application: 'string', since: 'time' },
      'application',
    ),
    /** A sync that still runs keeps the finalizer from finishing. */
    OperationBlocksDeletion: reason(
      'blocked',
      { application: 'string', since: 'time' },
      'application',
    ),
    ApplicationDeletionStuck: reason(
      'blocked',
      {
        application: 'string',
        since: 'time',
        finalizers: 'list',
        error: 'string?',
      },
      'application',
    ),
    NamespaceTerminating: reason('waiting', {
      namespace: 'string',
      since: 'time?',
    }),
    /** It takes too long, and none of its conditions tells why. */
    NamespaceStuck: reason('blocked', { namespace: 'string', since: 'time' }),
    /** `finalizers` and `resources` with how many of each are left. */
    FinalizerStuck: reason('blocked', {
      namespace: 'string',
      since: 'time?',
      error: 'string',
      finalizers: 'list?',
      resources: 'list?',
    }),
    /** Challenges of cert-manager cannot take their DNS records back. */
    ChallengeFinalizerStuck: reason('blocked', {
      namespace: 'string',
      since: 'time?',
      finalizer: 'string',
      count: 'number',
      error: 'string',
    }),
    NamespaceLeft: reason('waiting', { namespace: 'string' }),
    ResourcesLeft: reason('waiting', {
      namespace: 'string',
      resources: 'list',
    }),
    /** All else is gone; whether the records of these hosts are is looked for. */
    DnsRecordsLeaving: reason('waiting', { hosts: 'list' }),
    /**
     * Records such as `A mr-7.preview.example.com` that no record of ownership is
     * about, answers to challenges among them, and those that an external-dns owns,
     * such as `A mr-7.preview.example.com (external-dns/owner=edge)`.
     */
    DnsRecordLeft: reason('blocked', { unowned: 'list?', owned: 'list?' }),
    ...unknownReasons,
  },
} as const satisfies Record<ConditionType, Record<string, ReasonDefinition>>;

/** @public */
export type Reasons = typeof reasons;

/** @public */
export type ReasonOf<T extends ConditionType> = keyof Reasons[T] & string;

type ParamValue<K> = K extends 'string' | 'string?' | 'time' | 'time?'
  ? string
  : K extends 'number' | 'number?'
  ? number
  : K extends 'list' | 'list?'
  ? string[]
  : never;

/**
 * The facts that a table of names and types declares.
 *
 * @public
 */
export type ParamsFrom<P> = {
  [K in keyof P as P[K] extends `${string}?` ? never : K]: ParamValue<P[K]>;
} & {
  [K in keyof P as P[K] extends `${string}?` ? K : never]?: ParamValue<P[K]>;
};

/**
 * The params that a reason's sentence is rendered from.
 *
 * @public
 */
export type ParamsOf<
  T extends ConditionType,
  R extends ReasonOf<T>,
> = Reasons[T][R] extends {
  params: infer P;
}
  ? ParamsFrom<P>
  : never;

/**
 * Looks up a reason by name; undefined for one that this version does not know.
 *
 * @public
 */
export function findReason(
  type: string,
  name: string,
): ReasonDefinition | undefined {
  const ofType = Object.hasOwn(reasons, type)
    ? (reasons as Record<string, Record<string, ReasonDefinition>>)[type]
    : undefined;
  return ofType && Object.hasOwn(ofType, name) ? ofType[name] : undefined;
}
