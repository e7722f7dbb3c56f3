import type { Project } from './model';

/** GitLab's number for nobody, among those of its roles. */
export const NOBODY = 0;

/** Whether a name is that of a protection, in which `*` stands for any text. */
function isMeant(pattern: string, name: string): boolean {
  const escaped = pattern
    .split('*')
    .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`, 's').test(name);
}

function protectionsOf<T>(
  protections: ReadonlyMap<string, T>,
  name: string,
): T[] {
  return [...protections]
    .filter(([pattern]) => isMeant(pattern, name))
    .map(([, protection]) => protection);
}

/**
 * Whether all protections of a name keep something from everybody. Where several mean a name,
 * the most lenient decides, as in GitLab; tokens have no roles here, so every other level lets
 * everybody.
 */
function isClosed(levels: readonly number[]): boolean {
  return levels.length > 0 && levels.every(level => level === NOBODY);
}

export function isBranchProtected(project: Project, branch: string): boolean {
  return protectionsOf(project.protectedBranches, branch).length > 0;
}

export function isTagProtected(project: Project, tag: string): boolean {
  return protectionsOf(project.protectedTags, tag).length > 0;
}

/** Whether somebody may commit to a branch. */
export function mayPush(project: Project, branch: string): boolean {
  return !isClosed(
    protectionsOf(project.protectedBranches, branch).map(({ push }) => push),
  );
}

/** Whether somebody may merge into a branch. */
export function mayMerge(project: Project, branch: string): boolean {
  return !isClosed(
    protectionsOf(project.protectedBranches, branch).map(({ merge }) => merge),
  );
}

/** Whether somebody may create a tag. */
export function mayTag(project: Project, tag: string): boolean {
  return !isClosed(
    protectionsOf(project.protectedTags, tag).map(({ create }) => create),
  );
}
