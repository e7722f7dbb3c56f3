import { ReasonParams } from '../reasons';
import { SourceNoteReason } from '../sourceNotes';

/**
 * Why a source could not be read. The token of a source is never part of it.
 *
 * @public
 */
export type SourceErrorReason =
  | 'Unreachable'
  | 'TimedOut'
  | 'RateLimited'
  | 'TokenInvalid'
  | 'TokenExpired'
  | 'TokenRevoked'
  | 'ScopeMissing'
  | 'Forbidden'
  | 'NotFound'
  | 'ServerError'
  | 'UnexpectedAnswer'
  | 'NotConfigured';

/** @public */
export interface SourceError {
  reason: SourceErrorReason;
  /** What could not be read, such as a project's path or `challenges.acme.cert-manager.io`. */
  subject?: string;
  /** English sentence without secrets and without the upstream's body. */
  message: string;
  since: string;
  /** When it will be tried again, where the upstream said so. */
  retryAt?: string;
}

/**
 * What is to be said of a source that is no error, such as a token that can do
 * more than read.
 *
 * @public
 */
export interface SourceNote {
  reason: SourceNoteReason;
  params: ReasonParams;
  /** English sentence. */
  message: string;
}

/** @public */
export type SourceStatus = 'fresh' | 'stale' | 'failing' | 'pending';

/**
 * Freshness of one source: GitLab host, cluster, Argo CD, zone of DNS or what a
 * module of the backend added.
 *
 * @public
 */
export interface SourceState {
  /**
   * `gitlab:<host>`, `cluster:<name>`, `argocd:<name>`, `dns:<hosted zone>` or
   * `extension:<id>`.
   */
  id: string;
  kind: 'gitlab' | 'cluster' | 'argocd' | 'dns' | 'extension';
  name: string;
  /** `pending`: never read completely. `failing`: last reading failed but is recent enough. */
  status: SourceStatus;
  /** Last complete reading. */
  lastCompleteAt?: string;
  errors: SourceError[];
  notes: SourceNote[];
  /** Kinds that are not installed in the cluster, as `kind.group`. */
  notInstalled?: string[];
}
