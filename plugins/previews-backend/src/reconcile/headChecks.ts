import { MergeRequestKey, StoredPreview } from '../model';
import { namesCommit } from './commit';
import { Observed } from './gather';
import { hasElapsed } from './time';
import { keyString } from './worldIndex';

/** Longer than this GitLab is not waited for: what is known then has to do. */
const PATIENCE_SECONDS = 30;

/**
 * Argo CD may hear of a push before the portal does: its Application then asks for
 * a commit that the portal does not know as the head yet. That is no old commit and
 * no trouble of the preview. GitLab is asked again, and until it has answered the
 * preview stays as it is stored.
 */
export class HeadChecks {
  /** When GitLab was asked because of it, by key string. */
  readonly #askedAt = new Map<string, string>();
  #due: MergeRequestKey[] = [];

  /** Begins a pass. */
  begin(): void {
    this.#due = [];
  }

  /** Whether the preview waits for GitLab's word on its head. */
  isPending(
    observed: Observed,
    previous: StoredPreview | undefined,
    now: string,
  ): boolean {
    const id = keyString(observed.key);
    if (!isAheadOfHead(observed, previous)) {
      this.#askedAt.delete(id);
      return false;
    }
    const askedAt = this.#askedAt.get(id);
    if (askedAt === undefined) {
      this.#askedAt.set(id, now);
      this.#due.push(observed.key);
      return true;
    }
    const readAt = Date.parse(observed.mergeRequest?.readAt ?? '');
    const isAnswered = readAt >= Date.parse(askedAt);
    return !isAnswered && !hasElapsed(askedAt, now, PATIENCE_SECONDS);
  }

  /** MRs that GitLab is to be asked for, each once. */
  due(): readonly MergeRequestKey[] {
    return this.#due;
  }
}

/** Argo CD asked for the head before, the head is the same, and it asks for another commit now. */
function isAheadOfHead(
  { mergeRequest, applications }: Observed,
  previous: StoredPreview | undefined,
): boolean {
  const head = mergeRequest?.fact.headSha;
  const before = previous?.preview;
  return (
    head !== undefined &&
    before?.mergeRequest.headSha === head &&
    namesCommit(before.commit.wantedByArgo, head) &&
    applications.some(
      ({ commit }) => commit.wantedByArgo !== undefined && !commit.wantsHead,
    )
  );
}
