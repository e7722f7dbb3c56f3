import { Condition, Preview } from '@previews/backstage-plugin-previews-common';

/** Id of the source that an unknown condition could not be read from, where one is told. */
export function unreadSource(
  { status, reason, params }: Condition,
  preview: Preview,
): string | undefined {
  if (status !== 'Unknown') {
    return undefined;
  }
  if (typeof params.source === 'string') {
    return params.source;
  }
  if (reason === 'ProjectNotReadable') {
    return `gitlab:${preview.mergeRequest.host}`;
  }
  return reason === 'KindForbidden' ? `cluster:${params.cluster}` : undefined;
}
