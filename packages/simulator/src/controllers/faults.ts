/** What can go wrong on the platform, and how. */
export interface PlatformFaultValues {
  /** Of a CI run; the target is a project path, `path@branch` or `*`. */
  pipeline: 'fails' | 'neverEnds';
  /** Of the image tag that CI pushes; the target is as for `pipeline`. */
  imageTag: 'never' | 'sevenCharacters';
  /** Of containers; the target is a namespace or an image. */
  workload: 'crashLoop' | 'neverReady';
  /** Of Jobs; the target is a namespace, `namespace/job` or an image. */
  job: 'fails';
  /** Of certificates; the target is a namespace, a certificate `namespace/name` or a host. */
  certificate:
    | 'failed'
    | 'never'
    | 'queued'
    | 'zoneNotFound'
    | 'accessDenied'
    | 'cleanUpStuck'
    | 'denied'
    | 'accountMissing'
    | 'orderExpired'
    | 'rateLimited'
    | 'rateLimitedUndated'
    | 'rateLimitedSet'
    | 'rateLimitedSetUndated'
    | 'rateLimitedOrders'
    | 'rateLimitedAuthorizations'
    | 'renewalFails'
    | 'secretMissing'
    | 'controllerDown';
  /** Of issuers; the target is a name or `namespace/name`. */
  issuer: 'notReady' | 'notFound';
  /** Of records for hosts of routes; the target is a namespace or a host. */
  externalDns: 'leavesRecords' | 'down';
  /** Of Gateway listeners; the target is a listener, `namespace/gateway` or `namespace/gateway/listener`. */
  listener: 'conflicted' | 'notProgrammed' | 'invalidCertificateRef';
  /** Of routes; the target is a namespace or a host. */
  route:
    | 'NotAllowedByListeners'
    | 'BackendNotFound'
    | 'BackendsUnavailable'
    | 'NoMatchingParent'
    | 'never';
  /** Of Applications; the target is a name. */
  sync: 'SyncFailed' | 'OutOfSync' | 'ComparisonError';
  /** Of ApplicationSets; the target is a name. Messages of a generator that cannot read its source. */
  generator: 'error';
}

export type PlatformFaultKind = keyof PlatformFaultValues;

/** All kinds, for callers that come with a word. */
export const platformFaultKinds: PlatformFaultKind[] = [
  'pipeline',
  'imageTag',
  'workload',
  'job',
  'certificate',
  'issuer',
  'externalDns',
  'listener',
  'route',
  'sync',
  'generator',
];

/** The faults of the platform's controllers. Targets are names, or `*` for all. */
export class PlatformFaults {
  private readonly active = new Map<PlatformFaultKind, Map<string, string>>();
  private readonly standing = new Map<PlatformFaultKind, Map<string, string>>();
  private readonly listeners = new Set<() => void>();

  /** A fault that belongs to the scenario: clearing leaves it. */
  setStanding<K extends PlatformFaultKind>(
    kind: K,
    target: string,
    value: PlatformFaultValues[K],
  ): void {
    const targets = this.standing.get(kind) ?? new Map<string, string>();
    targets.set(target, value);
    this.standing.set(kind, targets);
    this.tell();
  }

  set<K extends PlatformFaultKind>(
    kind: K,
    target: string,
    value: PlatformFaultValues[K],
  ): void {
    const targets = this.active.get(kind) ?? new Map<string, string>();
    targets.set(target, value);
    this.active.set(kind, targets);
    this.tell();
  }

  /** The fault that meets any of these names. */
  find<K extends PlatformFaultKind>(
    kind: K,
    ...names: string[]
  ): PlatformFaultValues[K] | undefined {
    for (const name of [...names, '*']) {
      const value =
        this.active.get(kind)?.get(name) ?? this.standing.get(kind)?.get(name);
      if (value !== undefined) {
        return value as PlatformFaultValues[K];
      }
    }
    return undefined;
  }

  /** Heals one target, one kind or everything. */
  clear(kind?: PlatformFaultKind, target?: string): void {
    if (kind && target !== undefined) {
      this.active.get(kind)?.delete(target);
    } else if (kind) {
      this.active.delete(kind);
    } else {
      this.active.clear();
    }
    this.tell();
  }

  /** Calls the listener after every change. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private tell(): void {
    this.listeners.forEach(listener => listener());
  }
}
