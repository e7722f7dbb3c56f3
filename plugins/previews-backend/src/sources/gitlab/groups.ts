/** What can be read through a list of its group: anything with the full path of a project. */
export interface GroupCandidate {
  path: string;
}

/** Candidates that share a group. */
export interface GroupOf<T> {
  /** Full path of the group, as the first of its projects writes it. */
  path: string;
  members: T[];
}

/** Paths of GitLab do not depend on case. */
export function pathKeyOf(path: string): string {
  return path.toLocaleLowerCase('en-US');
}

/** `a/b/c` lies in `a` and in `a/b`, the highest first. */
function groupsAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/**
 * The groups whose lists stand for those of their projects: of each project the
 * highest one that is not refused and has enough candidates below it. By the
 * key of the group's path.
 */
export function chooseGroups<T extends GroupCandidate>(
  candidates: readonly T[],
  options: { minimum: number; isRefused: (groupKey: string) => boolean },
): Map<string, GroupOf<T>> {
  const counts = new Map<string, number>();
  for (const { path } of candidates) {
    for (const group of groupsAbove(path)) {
      const key = pathKeyOf(group);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const chosen = new Map<string, GroupOf<T>>();
  for (const candidate of candidates) {
    const group = groupsAbove(candidate.path).find(
      path =>
        (counts.get(pathKeyOf(path)) ?? 0) >= options.minimum &&
        !options.isRefused(pathKeyOf(path)),
    );
    if (group !== undefined) {
      const key = pathKeyOf(group);
      const known = chosen.get(key) ?? { path: group, members: [] };
      known.members.push(candidate);
      chosen.set(key, known);
    }
  }
  return chosen;
}
