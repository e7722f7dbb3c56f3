import { MergeRequestReading } from '../../model';
import { Approval, ApprovalNote } from '../objects';

/**
 * How long after an update an approval can come without another update, in
 * milliseconds: the note of an approval touches its MR at most once a minute,
 * and is written by a job in the background.
 */
const SETTLES_AFTER = 2 * 60 * 1000;

/**
 * Whether the approvals of an MR can be others than those that were read: when it
 * was updated since, and once more when the time is over in which GitLab does not
 * tell of an approval by the time of the update.
 */
export function areApprovalsDue(
  { fact, approvals, deletedAt }: MergeRequestReading,
  now: Date,
): boolean {
  if (deletedAt !== undefined) {
    return false;
  }
  if (approvals?.forUpdate !== fact.updatedAt) {
    return true;
  }
  const settledAt = Date.parse(fact.updatedAt) + SETTLES_AFTER;
  return Date.parse(approvals.readAt) < settledAt && now.getTime() >= settledAt;
}

/** Whether all approvals came with their time. */
export function areDated(approvals: readonly Approval[]): boolean {
  return approvals.every(({ approvedAt }) => approvedAt !== undefined);
}

/**
 * When the first of the approvals that stand was given, by themselves or else by
 * what each person last did by the notes; undefined unless it is known of all.
 *
 * @param notes - the newest first
 */
export function firstApprovalAt(
  approvals: readonly Approval[],
  notes: readonly ApprovalNote[],
): string | undefined {
  const times = approvals.map(({ username, approvedAt }) => {
    const last = notes.find(note => note.username === username);
    return approvedAt ?? (last?.action === 'approved' ? last.at : undefined);
  });
  return times.includes(undefined)
    ? undefined
    : times
        .flatMap(time => time ?? [])
        .sort((a, b) => Date.parse(a) - Date.parse(b))[0];
}
