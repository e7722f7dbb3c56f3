import { Preview } from '@previews/backstage-plugin-previews-common';
import { hasEnded } from './ended';

/** Argo CD's and GitLab CI's short SHA have 8 digits. */
const SHORT = 8;
/** A shorter prefix is not evidence. */
const LEAST_PREFIX = 7;

/** What the commit cell says. */
export type CommitState =
  | { kind: 'none' }
  | { kind: 'unknown' }
  /** One commit; `current` when the head is what runs, and is to run. */
  | { kind: 'one'; sha: string; current: boolean }
  | { kind: 'updating'; from: string; to: string };

function isSha(value: string): boolean {
  return /^[0-9a-f]{7,64}$/i.test(value);
}

/** The eight digits of a SHA; a tag that is none stays whole. */
export function shortSha(value: string): string {
  return isSha(value) ? value.slice(0, SHORT) : value;
}

function sameCommit(left: string, right: string): boolean {
  const length = Math.min(left.length, right.length);
  return (
    left === right ||
    (length >= LEAST_PREFIX &&
      isSha(left) &&
      isSha(right) &&
      left.slice(0, length).toLowerCase() ===
        right.slice(0, length).toLowerCase())
  );
}

/** Which commit runs against the one that should. */
export function commitState(preview: Preview): CommitState {
  const { head, expected, running, by } = preview.commit;
  if (preview.phase === 'NotSelected') {
    return { kind: 'none' };
  }
  if (by === 'none') {
    return { kind: 'unknown' };
  }
  const wanted = head ?? expected;
  if (!running) {
    return wanted
      ? { kind: 'one', sha: wanted, current: false }
      : { kind: 'none' };
  }
  if (!wanted) {
    // Nothing to compare with: a branch that is gone has no head.
    return { kind: 'one', sha: running, current: false };
  }
  const same =
    running === expected ||
    sameCommit(running, wanted) ||
    (expected !== undefined && sameCommit(running, expected));
  return same
    ? { kind: 'one', sha: wanted, current: !hasEnded(preview.phase) }
    : { kind: 'updating', from: running, to: wanted };
}
