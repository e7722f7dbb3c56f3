import { badRequest, type GitLabRequest } from './request';

function text(value: unknown): string | undefined {
  return value === undefined || value === null || value === ''
    ? undefined
    : String(value);
}

/** Of the body, or as GitLab's own clients sometimes send it, of the query. */
export function field(
  request: GitLabRequest,
  name: string,
): string | undefined {
  return text(request.fields[name]) ?? text(request.query.get(name));
}

export function requiredField(request: GitLabRequest, name: string): string {
  const value = field(request, name);
  if (value === undefined) {
    throw badRequest(`${name} is missing`);
  }
  return value;
}

/**
 * Keeps the names that a search means: `^text` begins with it, `text$` ends with it, and any
 * other text is somewhere in it. Case does not matter.
 */
export function searched(names: string[], search: string | null): string[] {
  if (!search) {
    return names;
  }
  const begins = search.startsWith('^');
  const ends = search.endsWith('$');
  const wanted = search
    .slice(begins ? 1 : 0, ends ? -1 : undefined)
    .toLowerCase();
  return names.filter(name => {
    const own = name.toLowerCase();
    if (begins && ends) {
      return own === wanted;
    }
    if (begins) {
      return own.startsWith(wanted);
    }
    return ends ? own.endsWith(wanted) : own.includes(wanted);
  });
}

/** Whether git takes a name for a branch or a tag. */
export function isRefName(name: string): boolean {
  return (
    !/[^!-~\u0080-\uffff]|[~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$/.test(name) &&
    name !== '@' &&
    name
      .split('/')
      .every(part => !part.startsWith('.') && !part.endsWith('.lock'))
  );
}
