import type { Commit } from './model';

/** Where a history begins, and the commits that it goes through. */
export interface HistoryStart {
  commits: ReadonlyMap<string, Commit>;
  sha: string;
}

/** Commits that can be reached from one, itself first, the nearest before the farther. */
export function ancestorsOf(start: HistoryStart): Commit[] {
  const seen = new Set([start.sha]);
  const found: Commit[] = [];
  for (const sha of seen) {
    const commit = start.commits.get(sha);
    if (commit) {
      found.push(commit);
      commit.parents.forEach(parent => seen.add(parent));
    }
  }
  return found;
}

/** The nearest commit that both histories have. */
export function mergeBaseOf(options: {
  ours: HistoryStart;
  theirs: HistoryStart;
}): string | undefined {
  const ours = new Set(ancestorsOf(options.ours).map(({ sha }) => sha));
  return ancestorsOf(options.theirs).find(({ sha }) => ours.has(sha))?.sha;
}

/** Commits of one history that the other lacks, the oldest first, as `git log from..to --reverse`. */
export function commitsBetween(options: {
  commits: ReadonlyMap<string, Commit>;
  from: string;
  to: string;
}): Commit[] {
  const { commits } = options;
  const known = new Set(
    ancestorsOf({ commits, sha: options.from }).map(({ sha }) => sha),
  );
  return ancestorsOf({ commits, sha: options.to })
    .filter(({ sha }) => !known.has(sha))
    .reverse();
}
