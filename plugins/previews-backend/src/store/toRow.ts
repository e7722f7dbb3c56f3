import { phases, Preview } from '@previews/backstage-plugin-previews-common';
import { StoredPreview } from '../model';
import { storableText } from './dialect';
import { PreviewRow } from './tables';

/** Longest part of a hostile text that is searched. */
const SEARCHED_CHARACTERS = 500;

/** Milliseconds since 1970; 0 for what is no time, which sorts as the oldest. */
export function toMilliseconds(time: string | undefined): number {
  const parsed = time === undefined ? NaN : Date.parse(time);
  return Number.isNaN(parsed) ? 0 : parsed;
}

/**
 * Whether lists show it without being asked for its phase: not when it is over,
 * and not when its MR was closed without ever having an environment.
 */
export function isListed(preview: Preview): boolean {
  return (
    preview.phase !== 'Gone' &&
    (preview.phase !== 'NotSelected' || isMergeRequestOpen(preview))
  );
}

function isMergeRequestOpen({ mergeRequest: { state } }: Preview): boolean {
  return state === 'opened' || state === 'locked';
}

/**
 * Since when nothing can come of it any more, in milliseconds since 1970: its MR is
 * over, and its environment is gone or in a cluster that is configured no more. Undefined
 * while that is not so, as of an open MR that lost its label.
 */
export function endedAtOf({
  preview,
  memory: { lostSince },
}: Pick<StoredPreview, 'preview' | 'memory'>): number | undefined {
  const isThere = isListed(preview) && lostSince === undefined;
  if (isThere || isMergeRequestOpen(preview)) {
    return undefined;
  }
  const { goneAt, mergeRequest, activityAt } = preview;
  const ended = Math.max(
    ...[goneAt, mergeRequest.mergedAt, mergeRequest.closedAt, lostSince].map(
      toMilliseconds,
    ),
  );
  return ended || toMilliseconds(activityAt);
}

function searchText(preview: Preview): string {
  const { title, sourceBranch, author, host } = preview.mergeRequest;
  return storableText(
    [title, sourceBranch, author.username, host]
      .map(text => text.slice(0, SEARCHED_CHARACTERS))
      .join('\n'),
  ).toLowerCase();
}

/** The row of a preview, but for its version. */
export function toRow(stored: StoredPreview): Omit<PreviewRow, 'version'> {
  const { key, preview } = stored;
  return {
    id: preview.id,
    host: storableText(key.host),
    project_id: key.projectId,
    iid: key.iid,
    project: storableText(preview.mergeRequest.project),
    author: storableText(preview.mergeRequest.author.username),
    draft: preview.mergeRequest.draft,
    head_sha: storableText(preview.mergeRequest.headSha ?? '').toLowerCase(),
    search: searchText(preview),
    phase: preview.phase,
    attention: phases.indexOf(preview.phase),
    listed: isListed(preview),
    activity_at: toMilliseconds(preview.activityAt),
    // People see the age of the MR, and sort by what they see.
    created_at: toMilliseconds(preview.mergeRequest.createdAt),
    ended_at: endedAtOf(stored) ?? null,
    document: JSON.stringify(preview),
    memory: JSON.stringify(stored.memory),
  };
}

/** Entities that the preview belongs to. */
export function entitiesOf({ entityRefs }: Preview): string[] {
  return [...new Set(entityRefs.map(storableText))].sort();
}

/** Clusters that anything of the preview is in. */
export function clustersOf(preview: Preview): string[] {
  const clusters = new Set<string>();
  for (const application of preview.applications) {
    clusters.add(application.cluster);
    if (application.destination.cluster) {
      clusters.add(application.destination.cluster);
    }
  }
  for (const { cluster } of [
    ...preview.namespaces,
    ...preview.certificates,
    ...preview.routes,
    ...preview.workloads,
  ]) {
    clusters.add(cluster);
  }
  return [...clusters].map(storableText).sort();
}

export function fromRow(
  row: Pick<PreviewRow, 'host' | 'project_id' | 'iid' | 'document' | 'memory'>,
): StoredPreview {
  return {
    key: {
      host: row.host,
      projectId: Number(row.project_id),
      iid: Number(row.iid),
    },
    preview: JSON.parse(row.document),
    memory: JSON.parse(row.memory),
  };
}
