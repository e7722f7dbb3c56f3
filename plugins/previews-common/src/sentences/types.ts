import { FindingParams, FindingType } from '../findings';
import { ConditionType, ParamsOf, ReasonOf } from '../reasons';
import { SourceNoteParams, SourceNoteReason } from '../sourceNotes';
import { TimelineEvent, TimelineEventParams } from '../timelineEvents';
import { AnnotationProblem, SourceErrorReason, SourceState } from '../types';
import { Language } from './languages';
import { SentenceFormat } from './format';

/**
 * Makes a sentence from facts. The texts among them are already clean, their
 * types are checked, and lists may be empty.
 *
 * @public
 */
export type Sentence<P> = (params: P, format: SentenceFormat) => string;

/** @public */
export type AnnotationProblemReason = AnnotationProblem['reason'];

/**
 * The facts of each problem of an annotation. The annotation's own name is
 * added to them.
 *
 * @public
 */
export interface AnnotationProblemParams {
  /** `expected` is a form that needs no translation, such as `group/project`. */
  Malformed: { value: string; expected: string };
  /** The host is not among the configured ones. */
  UnknownHost: { host: string };
  /** GitLab answers 404: no such project, or not for the portal's token. */
  ProjectNotFound: { project: string; host: string };
  /** The entity's own location is in another top-level group than the project. */
  ProjectClaimedFromElsewhere: { project: string };
  ApplicationSetNotFound: { applicationSet: string };
}

/**
 * The facts of a source's error.
 *
 * @public
 */
export interface SourceErrorParams {
  source: Pick<SourceState, 'kind' | 'name'>;
  /** What could not be read; absent when it is the whole source. */
  subject?: string;
  since?: string;
  retryAt?: string;
}

/**
 * The sentences of one language. The compiler demands every reason of every
 * condition, every problem and every error.
 *
 * @public
 */
export interface Catalogue {
  language: Language;
  conditions: {
    [T in ConditionType]: {
      [R in ReasonOf<T>]: Sentence<ParamsOf<T, R>>;
    };
  };
  problems: {
    [R in AnnotationProblemReason]: Sentence<
      AnnotationProblemParams[R] & { annotation: string }
    >;
  };
  sourceErrors: Record<SourceErrorReason, Sentence<SourceErrorParams>>;
  sourceNotes: {
    [N in SourceNoteReason]: Sentence<
      SourceNoteParams[N] & Pick<SourceErrorParams, 'source'>
    >;
  };
  events: { [E in TimelineEvent]: Sentence<TimelineEventParams[E]> };
  findings: { [T in FindingType]: Sentence<FindingParams[T]> };
}

/** Sentences of the reasons that every condition shares. */
export type UnknownSentences = {
  [R in
    | 'SourceUnavailable'
    | 'NotObserved'
    | 'NotReadYet'
    | 'KindForbidden'
    | 'ProjectNotReadable'
    | 'ClusterNotConfigured']: Sentence<ParamsOf<'MergeRequestOpen', R>>;
};
