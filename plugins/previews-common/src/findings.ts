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

const leftNamespace = {
  namespace: 'string',
  cluster: 'string',
  mergeRequest: 'string',
  since: 'time?',
  contents: 'number?',
} as const;

/**
 * Where the merge requests and what is deployed for them differ, and what checks of
 * limits and credentials find, by kind.
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
  /**
   * A namespace that was made for an MR which nobody wants any more is still there, and
   * the portal never saw its Application: by labels or by what Argo CD tracks.
   */
  NamespaceLeft: {
    severity: 'warning',
    params: leftNamespace,
  },
  /** No new certificate can be had for the domain for now. */
  CertificateBudgetSpent: {
    severity: 'warning',
    params: {
      domain: 'string',
      limit: 'number',
      refillAt: 'time?',
      wildcard: 'string?',
    },
  },
  /** The certificates that may be issued for the domain run out. */
  CertificateBudgetLow: {
    severity: 'warning',
    params: {
      domain: 'string',
      left: 'number',
      limit: 'number',
      runsOutAt: 'time?',
      wildcard: 'string?',
    },
  },
  /** One and the same set of names was issued so often that it is refused for now. */
  NameSetBudgetSpent: {
    severity: 'warning',
    params: { names: 'string', limit: 'number', refillAt: 'time?' },
  },
  /** An issuer signs in to AWS with a key that is stored and does not expire. */
  IssuerStaticKey: {
    severity: 'warning',
    params: { issuer: 'string', cluster: 'string' },
  },
  /** GitLab does not accept the token any more. */
  TokenRefused: {
    severity: 'warning',
    params: { token: 'string', host: 'string' },
  },
  /** The token may do more than its holder needs. */
  TokenScopeTooWide: {
    severity: 'warning',
    params: { token: 'string', host: 'string', scopes: 'string' },
  },
  /** The token ends soon, or never. */
  TokenExpires: {
    severity: 'warning',
    params: { token: 'string', host: 'string', expiresAt: 'time?' },
  },
  /** What the token may do and when it ends could not be asked. */
  TokenNotVerifiable: {
    severity: 'info',
    params: { token: 'string', host: 'string' },
  },
  /** An Application of a set with a GitLab generator that no known MR explains. */
  Unjoined: {
    severity: 'info',
    params: { application: 'string', applicationSet: 'string' },
  },
  /** A namespace has the name that such an MR's would have, and nothing else says whose it is. */
  NamespaceMaybeLeft: {
    severity: 'info',
    params: leftNamespace,
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
