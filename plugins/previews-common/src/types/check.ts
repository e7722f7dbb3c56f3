import { CheckId, CheckSeverity } from '../checks';
import { ReasonParams } from '../reasons';

/**
 * What a readiness check is about: an object of Kubernetes, wherever it was read
 * from, or a file.
 *
 * @public
 */
export interface CheckSubject {
  /** `File` for one that is no object. */
  kind: string;
  /** Of a file, its path. */
  name: string;
  namespace?: string;
  /** Path of the file that it was read from. */
  path?: string;
  /** Name of the cluster that it was read from. */
  cluster?: string;
}

/**
 * What a check found its verdict on.
 *
 * @public
 */
export interface CheckEvidence {
  /** Such as `spec.template.metadata.name`, or `line 12` of a text. */
  path: string;
  /** What is there, as text that is cleaned and cut; absent when nothing is. Never a secret. */
  value?: string;
}

/**
 * Something that keeps a set-up from being ready for previews.
 *
 * @public
 */
export interface CheckResult {
  id: CheckId;
  severity: CheckSeverity;
  subject: CheckSubject;
  evidence: CheckEvidence;
  /** Facts that both sentences are rendered from. */
  params: ReasonParams;
  /** English sentence: what is wrong, and what comes of it. */
  message: string;
  /** English sentence: what to do. */
  fix: string;
}
