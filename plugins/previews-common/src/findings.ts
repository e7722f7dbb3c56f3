import { ParamsFrom, ReasonDefinition } from './reasons';

/**
 * How urgent a finding is:
 * - `critical`: environments are being lost, or will be, and somebody should look now;
 * - `warning`: a person has to do something, some time;
 * - `info`: somebody may want to know.
 *
 * @public
 */
export const findingSeverities = ['critical', 'warning', 'info'] as const;

/** @public */
export type FindingSeverity = (typeof findingSeverities)[number];

/** @public */
export interface FindingDefinition {
  severity: FindingSeverity;
  /** Names and types of the facts that its sentence is rendered from. */
  params: ReasonDefinition['params'];
}

/**
 * Where the merge requests and what is deployed for them differ, by kind.
 *
 * @public
 */
export const findingDefinitions = {
  /**
   * Many Applications of one ApplicationSet went at once while their MRs are
   * open. While it lasts, nothing of the set is called left behind.
   */
  GeneratedSetShrank: {
    severity: 'critical',
    params: { applicationSet: 'string', lost: 'number', before: 'number' },
  },
  /** Several selected MRs give one Application's name, so that one of them has it. */
  NameCollision: {
    severity: 'warning',
    params: { application: 'string', count: 'number' },
  },
  /** The MR is over, and a set that takes MRs of any state keeps its environment. */
  KeptByGenerator: {
    severity: 'warning',
    params: { mergeRequest: 'string', state: 'string' },
  },
  /** The MR is open and selected, and has no Application past the time that it takes. */
  WithoutEnvironment: {
    severity: 'warning',
    params: { mergeRequest: 'string' },
  },
  /** Nobody wants the environment any more, and it is still there past the grace period. */
  WithoutMergeRequest: {
    severity: 'warning',
    params: { mergeRequest: 'string', since: 'time?' },
  },
  /** An Application of a set with a GitLab generator that no known MR explains. */
  Unjoined: {
    severity: 'info',
    params: { application: 'string', applicationSet: 'string' },
  },
  /** An entity names a project of another top-level group than its own file's. */
  ProjectClaimedFromElsewhere: {
    severity: 'info',
    params: { entity: 'string', project: 'string' },
  },
} as const satisfies Record<string, FindingDefinition>;

/** @public */
export type FindingType = keyof typeof findingDefinitions;

/**
 * All types, the most urgent first.
 *
 * @public
 */
export const findingTypes = Object.keys(findingDefinitions) as FindingType[];

/**
 * The facts of each finding.
 *
 * @public
 */
export type FindingParams = {
  [T in FindingType]: ParamsFrom<(typeof findingDefinitions)[T]['params']>;
};
