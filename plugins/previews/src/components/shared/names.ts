import {
  MergeRequest,
  SourceState,
} from '@previews/backstage-plugin-previews-common';

/** GitLab's mark of a draft, in the forms that it takes as one. */
const DRAFT_MARK = /^\s*(?:draft:|\[draft\]|\(draft\))\s*/i;

/** The title without its mark of a draft, which a badge beside it says. */
export function mergeRequestTitle(mergeRequest: MergeRequest): string {
  const { draft, title } = mergeRequest;
  return (draft && title.replace(DRAFT_MARK, '')) || title;
}

/** `!117 Faster checkout`: the same name in rows, headings and labels. */
export function mergeRequestName(mergeRequest: MergeRequest): string {
  return `!${mergeRequest.iid} ${mergeRequestTitle(mergeRequest)}`;
}

/**
 * Up to two characters for a person, from the name or else the login: of one
 * word the first and the last, which tell `dev1` from `dev2`.
 */
export function initialsOf(author: MergeRequest['author']): string {
  const words = (author.name || author.username)
    .split(/[\s._-]+/)
    .filter(Boolean);
  if (words.length > 1) {
    return [words[0], words[words.length - 1]]
      .map(word => [...word][0])
      .join('')
      .toUpperCase();
  }
  const characters = [...(words[0] ?? '?')];
  return [characters[0], ...characters.slice(1).slice(-1)]
    .join('')
    .toUpperCase();
}

const SOURCE_KINDS: Record<SourceState['kind'], string> = {
  gitlab: 'GitLab',
  cluster: 'Kubernetes',
  argocd: 'Argo CD',
  dns: 'DNS',
  // A module's source has a name of its own.
  extension: '',
};

/** `GitLab gitlab.example.com`, `Kubernetes edge`, `Argo CD central` or `quality-gate`. */
export function sourceName(source: Pick<SourceState, 'kind' | 'name'>): string {
  return `${SOURCE_KINDS[source.kind]} ${source.name}`.trim();
}

/** The same from a source's id, for rows that name one that is not listed. */
export function sourceNameOfId(id: string): string {
  const [kind, ...name] = id.split(':');
  return sourceName({
    kind: Object.hasOwn(SOURCE_KINDS, kind)
      ? (kind as SourceState['kind'])
      : 'cluster',
    name: name.join(':'),
  });
}
