import { createExtensionPoint } from '@backstage/backend-plugin-api';
import { PreviewsSubject } from './subject';
import { PreviewsTexts } from './texts';

/**
 * What a reason means for the preview:
 * - `fulfilled`: the fact holds;
 * - `waiting`: it will hold without a person;
 * - `blocked`: a person has to do something;
 * - `warning`: it holds (or is not needed), but someone should know.
 *
 * @public
 */
export interface PreviewsReason {
  effect: 'fulfilled' | 'waiting' | 'blocked' | 'warning';
  /** `{name}` stands for the param of that name. At most 300 characters. */
  sentence: PreviewsTexts;
}

/**
 * What a further condition finds.
 *
 * @public
 */
export interface PreviewsVerdict {
  /** `Unknown` blocks nothing, and what was known before stays beside it. */
  status: 'True' | 'False' | 'Unknown';
  /** A name of `reasons`. */
  reason: string;
  /** For the sentence; at most 20, texts are cut at 300 characters. */
  params?: Record<string, string | number>;
  /** ISO 8601 UTC: when time alone may change the verdict. */
  lookAgainAt?: string;
}

/**
 * A further condition: one more fact that is checked of every preview that is
 * wanted.
 *
 * @public
 */
export interface PreviewsConditionProvider<Facts = unknown> {
  /** CamelCase, at most 40 characters; none of the plugin's own. */
  type: string;
  title: PreviewsTexts;
  /** Id of the further source whose facts it is given. */
  source?: string;
  /**
   * Whether the preview is `Live` only when this does not wait or block. Default
   * false: then it is shown, and changes no phase.
   */
  blocksLive?: boolean;
  /** CamelCase names. */
  reasons: Record<string, PreviewsReason>;
  /**
   * Decides, as a pure function of what it is given: it is called again only when
   * something of that, or the time it asked for, has come. What it throws makes the
   * condition `Unknown` and shows as an error of the source.
   *
   * @returns undefined where the condition does not apply.
   */
  evaluate(input: {
    preview: PreviewsSubject;
    /** Undefined where the source has none, or there is no source. */
    facts: Facts | undefined;
    /** ISO 8601 UTC. */
    now: string;
  }): PreviewsVerdict | undefined;
}

/**
 * Adds further conditions.
 *
 * @public
 */
export interface PreviewsConditionsExtensionPoint {
  /** A type that is taken, a text that is missing or a source that nobody added stops the start. */
  addCondition<Facts>(condition: PreviewsConditionProvider<Facts>): void;
}

/**
 * Extension point of the plugin `previews` for further conditions.
 *
 * @public
 */
export const previewsConditionsExtensionPoint =
  createExtensionPoint<PreviewsConditionsExtensionPoint>({
    id: 'previews.conditions',
  });
