import { cleanText } from '@previews/backstage-plugin-previews-common';
import { CommitFact } from '../../model';
import { asObject, integerOf, objectsOf, textOf, timeOf } from './values';

const MAXIMUM_NAME = 255;

const SHA = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** What GitLab merges has two. */
const MAXIMUM_PARENTS = 10;

function nameOf(value: unknown): string {
  return cleanText(textOf(value) ?? '').slice(0, MAXIMUM_NAME);
}

/** Parses a commit of GitLab; undefined for anything else. */
export function parseCommit(value: unknown): CommitFact | undefined {
  const commit = asObject(value);
  const sha = commit?.id;
  const committedAt = timeOf(commit?.committed_date ?? commit?.created_at);
  return commit &&
    typeof sha === 'string' &&
    SHA.test(sha) &&
    committedAt !== undefined
    ? {
        sha,
        title: nameOf(commit.title),
        author: nameOf(commit.author_name),
        committedAt: new Date(committedAt).toISOString(),
      }
    : undefined;
}

/** The parents of a commit of GitLab; undefined for anything else. */
export function parseParents(value: unknown): string[] | undefined {
  const parents = asObject(value)?.parent_ids;
  return Array.isArray(parents)
    ? parents
        .slice(0, MAXIMUM_PARENTS)
        .filter(sha => typeof sha === 'string' && SHA.test(sha))
    : undefined;
}

/** The merged one among the MRs that GitLab names for a commit, else none. */
export function parseCommitMergeRequests(
  value: unknown,
): CommitFact['mergeRequest'] {
  for (const item of objectsOf(value)) {
    const iid = integerOf(item.iid);
    if (iid !== undefined && iid > 0 && item.state === 'merged') {
      const by = asObject(item.merge_user) ?? asObject(item.merged_by);
      const mergedBy = nameOf(by?.username);
      return {
        iid,
        title: nameOf(item.title),
        author: nameOf(asObject(item.author)?.username),
        ...(mergedBy && { mergedBy }),
      };
    }
  }
  return undefined;
}
