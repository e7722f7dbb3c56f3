import { ParamsFrom, ReasonDefinition } from './reasons';

/**
 * What a timeline tells beside changed conditions, with the names and types of
 * the facts. A transition carries the name as its `reason`.
 *
 * @public
 */
export const timelineEvents = {
  /** A push: the MR has another head than before. */
  HeadChanged: { commit: 'string' },
  /** An Application of the same name has another uid than before. */
  ApplicationRecreated: { application: 'string' },
  /** The first approval, by GitLab's time. */
  Approved: { at: 'time' },
  /** No approval stands any more. */
  ApprovalsGone: {},
  /** A phase that no condition is the reason of, such as `Live`. */
  PhaseReached: { phase: 'string' },
} as const satisfies Record<string, ReasonDefinition['params']>;

/** @public */
export type TimelineEvent = keyof typeof timelineEvents;

/** @public */
export type TimelineEventParams = {
  [E in TimelineEvent]: ParamsFrom<(typeof timelineEvents)[E]>;
};
