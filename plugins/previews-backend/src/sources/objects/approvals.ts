import { asObject, compact, objectAt, timeOf, wholeTextOf } from './values';

/** Most approvals of one MR that are looked at. */
const MAXIMUM_APPROVALS = 100;

/** One person's approval of an MR. */
export interface Approval {
  /** Login. */
  username: string;
  /** ISO; only newer versions of GitLab tell. */
  approvedAt?: string;
}

/** What a system note tells of an approval. */
export interface ApprovalNote {
  /** Login. */
  username: string;
  action: 'approved' | 'unapproved';
  /** ISO. */
  at: string;
}

/** System notes are English, whatever language a reader of GitLab has chosen. */
const ACTION_OF_NOTE: Readonly<Record<string, ApprovalNote['action']>> = {
  'approved this merge request': 'approved',
  'unapproved this merge request': 'unapproved',
};

/**
 * Parses the approvals of an MR; undefined for anything else. Only who approved
 * counts: where no approval is required, `approved` is true of every MR in paid
 * tiers.
 */
export function parseApprovals(value: unknown): Approval[] | undefined {
  const approvedBy = asObject(value)?.approved_by;
  if (!Array.isArray(approvedBy)) {
    return undefined;
  }
  return approvedBy.slice(0, MAXIMUM_APPROVALS).flatMap(item => {
    const username = wholeTextOf(objectAt(item, 'user').username);
    return username === undefined
      ? []
      : [
          compact({
            username,
            approvedAt: timeOf(asObject(item)?.approved_at),
          }),
        ];
  });
}

/** Parses a system note of an approval; undefined for all other notes. */
export function parseApprovalNote(value: unknown): ApprovalNote | undefined {
  const json = asObject(value);
  const body = json?.system === true ? wholeTextOf(json.body) : undefined;
  const action =
    body !== undefined && Object.hasOwn(ACTION_OF_NOTE, body)
      ? ACTION_OF_NOTE[body]
      : undefined;
  const username = wholeTextOf(objectAt(json, 'author').username);
  const at = timeOf(json?.created_at);
  return action === undefined || username === undefined || at === undefined
    ? undefined
    : { username, action, at };
}
