import { matchesGlob } from './glob';

/** A `.gitignore` of a repository, by its path in it. */
export interface IgnoreFile {
  path: string;
  content: string;
}

/** The line of a `.gitignore` that hides a file. */
export interface HidingRule {
  /** The file that is hidden. */
  hidden: string;
  /** Path of the `.gitignore`. */
  path: string;
  /** From 1. */
  line: number;
  rule: string;
}

interface Rule extends Omit<HidingRule, 'hidden'> {
  /** With a trailing slash, or empty. */
  folder: string;
  pattern: string;
  isNegated: boolean;
  isFolder: boolean;
}

function readRules({ path, content }: IgnoreFile): Rule[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return content.split(/\r?\n/).flatMap((rule, index) => {
    // Spaces at the end count only where a backslash says so.
    const text = rule.replace(/(?<!\\)(?:[ \t])+$/, '');
    if (text === '' || text.startsWith('#')) {
      return [];
    }
    const isNegated = text.startsWith('!');
    const body = isNegated ? text.slice(1) : text;
    const isFolder = body.endsWith('/');
    const bare = isFolder ? body.slice(0, -1) : body;
    const pattern = bare.includes('/') ? bare.replace(/^\//, '') : `**/${bare}`;
    return [
      {
        path,
        line: index + 1,
        rule: text,
        folder,
        pattern,
        isNegated,
        isFolder,
      },
    ];
  });
}

/**
 * The rule that hides a file, as Git decides it: the last rule that fits wins, those of deeper
 * folders after those above, and nothing in a hidden folder comes back.
 *
 * The publishing actions of the scaffolder leave out what a `.gitignore` beside it hides, without a
 * word: hence this check.
 *
 * @returns nothing where the file is not hidden
 */
export function findHidingRule(options: {
  /** Path in the repository. */
  path: string;
  ignoreFiles: readonly IgnoreFile[];
}): HidingRule | undefined {
  const { path, ignoreFiles } = options;
  const rules = ignoreFiles
    .toSorted((one, other) => one.path.length - other.path.length)
    .flatMap(readRules);
  const segments = path.split('/');
  for (let length = 1; length <= segments.length; length += 1) {
    const current = segments.slice(0, length).join('/');
    const isFile = length === segments.length;
    const last = rules.findLast(
      ({ folder, pattern, isFolder }) =>
        current.startsWith(folder) &&
        !(isFolder && isFile) &&
        matchesGlob(pattern, current.slice(folder.length)),
    );
    if (last && !last.isNegated) {
      return {
        hidden: path,
        path: last.path,
        line: last.line,
        rule: last.rule,
      };
    }
  }
  return undefined;
}
