/** The files of a commit: text by path. Commits that change nothing share the tree of their parent. */
export type Tree = ReadonlyMap<string, string>;

/** The tree of a commit that nobody gave files. */
export const EMPTY_TREE: Tree = new Map();

/** What a commit does to one file, in the words of GitLab's API. */
export type FileAction =
  | { action: 'create' | 'update'; path: string; content: string }
  | { action: 'delete'; path: string }
  /** Files have no mode here, so this changes nothing. */
  | { action: 'chmod'; path: string }
  | { action: 'move'; path: string; previousPath: string; content?: string };

/** A file action that does not fit the tree; the message is GitLab's. */
export class FileActionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FileActionError';
  }
}

/** Whether a file or a folder has the path, or a file that of one of its folders. */
function isTaken(tree: Tree, path: string): boolean {
  const parts = path.split('/');
  return (
    parts.some((_, index) => tree.has(parts.slice(0, index + 1).join('/'))) ||
    [...tree.keys()].some(file => file.startsWith(`${path}/`))
  );
}

/** The tree after a commit's actions, applied one after the other. */
export function applyActions(
  tree: Tree,
  actions: readonly FileAction[],
): { tree: Tree; changedPaths: string[] } {
  const result = new Map(tree);
  const changed = new Set<string>();
  for (const action of actions) {
    const { path } = action;
    if (
      path === '' ||
      path.startsWith('/') ||
      path.split('/').some(part => part === '..' || part === '.git')
    ) {
      throw new FileActionError('Path cannot include directory traversal');
    }
    const needed = action.action === 'move' ? action.previousPath : path;
    if (action.action !== 'create' && !result.has(needed)) {
      throw new FileActionError("A file with this name doesn't exist");
    }
    if (
      (action.action === 'create' || action.action === 'move') &&
      isTaken(result, path)
    ) {
      throw new FileActionError('A file with this name already exists');
    }
    switch (action.action) {
      case 'chmod':
        break;
      case 'delete':
        result.delete(path);
        break;
      case 'move':
        result.set(path, action.content ?? (result.get(needed) as string));
        result.delete(needed);
        changed.add(needed);
        break;
      default:
        result.set(path, action.content);
    }
    changed.add(path);
  }
  return { tree: result, changedPaths: [...changed].sort() };
}

/** Paths whose content differs, in order. */
export function changedPaths(before: Tree, after: Tree): string[] {
  if (before === after) {
    return [];
  }
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter(path => before.get(path) !== after.get(path))
    .sort();
}

/**
 * Merges by whole files: a file that only one side changed is taken from it. What both
 * sides changed, and not to the same text, is a conflict, which keeps the file of `ours`.
 */
export function mergeTrees(options: { base: Tree; ours: Tree; theirs: Tree }): {
  tree: Tree;
  conflicts: string[];
} {
  const { base, ours, theirs } = options;
  const wanted = changedPaths(base, theirs).filter(
    path => ours.get(path) !== theirs.get(path),
  );
  if (wanted.length === 0) {
    return { tree: ours, conflicts: [] };
  }
  const tree = new Map(ours);
  const conflicts: string[] = [];
  for (const path of wanted) {
    const content = theirs.get(path);
    if (ours.get(path) !== base.get(path)) {
      conflicts.push(path);
    } else if (content === undefined) {
      tree.delete(path);
    } else {
      tree.set(path, content);
    }
  }
  return { tree, conflicts };
}
