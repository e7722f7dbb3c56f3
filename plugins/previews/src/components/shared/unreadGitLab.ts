import { SourceState } from '@previews/backstage-plugin-previews-common';

/**
 * The GitLab that has never been read completely: until it is, that there is no
 * row does not mean that no merge request is open.
 */
export function unreadGitLab(
  sources: readonly SourceState[],
): SourceState | undefined {
  return sources.find(
    ({ kind, lastCompleteAt }) => kind === 'gitlab' && !lastCompleteAt,
  );
}
