import type { Commit } from './model';

/** Where a history begins, and the commits that it goes through. */
export interface HistoryStart {
  commits: ReadonlyMap<string, Commit>;
  sha: string;
}

/** Commits that can be reached from one: itself first, and each before its parents. */
export function ancestorsOf(start: HistoryStart): Commit[] {
  const seen = new Set([start.sha]);
  const parentsFirst: Commit[] = [];
  const path: { commit: Commit; next: number }[] = [];
  const enter = (sha: string) => {
    const commit = start.commits.get(sha);
    if (commit) {
      path.push({ commit, next: 0 });
    }
  };
  enter(start.sha);
  for (let step = path.at(-1); step; step = path.at(-1)) {
    const parent: string | undefined = step.commit.parents[step.next++];
    if (parent === undefined) {
      parentsFirst.push(step.commit);
      path.pop();
    } else if (!seen.has(parent)) {
      seen.add(parent);
      enter(parent);
    }
  }
  return parentsFirst.reverse();
}

/** The commit that both histories have and that no other such commit comes after. */
export function mergeBaseOf(options: {
  ours: HistoryStart;
  theirs: HistoryStart;
}): string | undefined {
  const ours = new Set(ancestorsOf(options.ours).map(({ sha }) => sha));
  // Each comes before its parents, so the first in common is below no other.
  return ancestorsOf(options.theirs).find(({ sha }) => ours.has(sha))?.sha;
}

/** The commits from one back to another where each has one parent; undefined where it is not so. */
function straightLine(options: {
  commits: ReadonlyMap<string, Commit>;
  from: string;
  to: string;
}): Commit[] | undefined {
  const line: Commit[] = [];
  let sha: string | undefined = options.to;
  while (sha !== options.from) {
    const commit: Commit | undefined = options.commits.get(sha ?? '');
    if (commit?.parents.length !== 1) {
      return undefined;
    }
    line.push(commit);
    [sha] = commit.parents;
  }
  return line;
}

/** Commits of one history that the other lacks, the oldest first, as `git log from..to --reverse`. */
export function commitsBetween(options: {
  commits: ReadonlyMap<string, Commit>;
  from: string;
  to: string;
}): Commit[] {
  const { commits } = options;
  // Most branches are a few commits on a long history, which need not be walked.
  const line = straightLine(options);
  if (line) {
    return line.reverse();
  }
  const known = new Set(
    ancestorsOf({ commits, sha: options.from }).map(({ sha }) => sha),
  );
  return ancestorsOf({ commits, sha: options.to })
    .filter(({ sha }) => !known.has(sha))
    .reverse();
}
