import {
  MergeRequest,
  SourceState,
} from '@previews/backstage-plugin-previews-common';

/** `!117 Faster checkout`, as a name in labels. */
export function mergeRequestName(mergeRequest: MergeRequest): string {
  return `!${mergeRequest.iid} ${mergeRequest.title}`;
}

/** Up to two letters for a person, from the name or else the login. */
export function initialsOf(author: MergeRequest['author']): string {
  const words = (author.name || author.username)
    .split(/[\s._-]+/)
    .filter(Boolean);
  const letters =
    words.length > 1
      ? [words[0], words[words.length - 1]].map(word => [...word][0])
      : [...(words[0] ?? '?')].slice(0, 2);
  return letters.join('').toLocaleUpperCase();
}

/** `GitLab gitlab.example.com` or `cluster edge`. */
export function sourceName(source: Pick<SourceState, 'kind' | 'name'>): string {
  return source.kind === 'gitlab'
    ? `GitLab ${source.name}`
    : `Kubernetes ${source.name}`;
}

/** The same from a source's id, for rows that name one that is not listed. */
export function sourceNameOfId(id: string): string {
  const [kind, ...name] = id.split(':');
  return sourceName({
    kind: kind === 'gitlab' ? 'gitlab' : 'cluster',
    name: name.join(':'),
  });
}
