import { ParamsFrom, ReasonDefinition } from './reasons';

/**
 * What is to be said of a source that is no error, with the names and types of
 * the facts.
 *
 * @public
 */
export const sourceNotes = {
  /** The token has scopes beyond `read_api`. */
  TokenCanWrite: {},
  /** `expiresOn` is a date, as GitLab gives it: the token ends as that day begins, UTC. */
  TokenExpiresSoon: { expiresOn: 'time' },
  /** The token is that of `integrations.gitlab`. */
  TokenOfIntegrations: {},
  /** Approvals of so many projects are not given to the token. */
  ApprovalsRefused: { projects: 'number' },
  /** Nothing but public projects can be read. */
  NoToken: {},
} as const satisfies Record<string, ReasonDefinition['params']>;

/** @public */
export type SourceNoteReason = keyof typeof sourceNotes;

/** @public */
export type SourceNoteParams = {
  [N in SourceNoteReason]: ParamsFrom<(typeof sourceNotes)[N]>;
};
