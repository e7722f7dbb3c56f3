import { ConditionType, ReasonEffect, ReasonParams } from '../reasons';
import type { Language } from '../sentences/languages';

/**
 * Whether a checked fact holds. `Unknown` means that it could not be read; it
 * never means "no".
 *
 * @public
 */
export type ConditionStatus = 'True' | 'False' | 'Unknown';

/**
 * What was known of a condition before it became `Unknown`.
 *
 * @public
 */
export interface LastKnown {
  status: Exclude<ConditionStatus, 'Unknown'>;
  reason: string;
  params: ReasonParams;
}

/**
 * One checked fact about a preview. A condition that does not apply is absent
 * and blocks nothing.
 *
 * @public
 */
export interface Condition {
  type: ConditionType;
  status: ConditionStatus;
  /** A name declared in {@link reasons} for this type, or a newer backend's. */
  reason: string;
  /** Typed facts that the sentence of the reason is rendered from. */
  params: ReasonParams;
  /** The English sentence. */
  message: string;
  /** ISO 8601 UTC: when status and reason became what they are. */
  since: string;
  /** ISO 8601 UTC: when the facts behind it were last read. */
  observedAt: string;
  /** Only when `Unknown`, and only when something was known before. */
  lastKnown?: LastKnown;
}

/**
 * A text in English, and in other languages where there is one.
 *
 * @public
 */
export type Texts = { en: string } & Partial<Record<Language, string>>;

/**
 * A fact that a module of the backend checks. Its reasons and sentences are the
 * module's own. `Unknown` may also have a reason that every condition shares, such
 * as `SourceUnavailable`; then there are no sentences.
 *
 * @public
 */
export interface FurtherCondition {
  type: string;
  title: Texts;
  status: ConditionStatus;
  reason: string;
  effect: ReasonEffect;
  /** Whether the preview is `Live` only when this does not wait or block. */
  blocksLive: boolean;
  params: ReasonParams;
  /** The English sentence. */
  message: string;
  sentences?: Texts;
  /** ISO 8601 UTC: when status and reason became what they are. */
  since: string;
  /** ISO 8601 UTC: when it was last decided. */
  observedAt: string;
  /** Only when `Unknown`, and only when something was known before. */
  lastKnown?: LastKnown & { effect: ReasonEffect; sentences: Texts };
}
