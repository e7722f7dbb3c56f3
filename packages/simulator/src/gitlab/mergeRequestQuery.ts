import type { MergeRequest } from './model';
import { badRequest, type GitLabRequest } from './request';

const STATES = ['opened', 'closed', 'locked', 'merged', 'all'];

function values(query: URLSearchParams, name: string): string[] | undefined {
  const all = [...query.getAll(name), ...query.getAll(`${name}[]`)].flatMap(
    value => value.split(','),
  );
  return all.length > 0 ? all.map(value => value.trim()) : undefined;
}

function time(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (!text) {
    return undefined;
  }
  const parsed = Date.parse(text);
  if (Number.isNaN(parsed)) {
    throw badRequest(`${name} is invalid`);
  }
  return parsed;
}

function hasLabels(mergeRequest: MergeRequest, labels: string[]): boolean {
  if (labels.length === 1 && labels[0].toLowerCase() === 'none') {
    return mergeRequest.labels.length === 0;
  }
  if (labels.length === 1 && labels[0].toLowerCase() === 'any') {
    return mergeRequest.labels.length > 0;
  }
  return labels.every(label => mergeRequest.labels.includes(label));
}

/**
 * Applies the filters and the order of GitLab's merge request lists. `state` means all when it is
 * absent, `labels` must all be there, and `updated_after` includes its own instant.
 */
export function queryMergeRequests(
  request: GitLabRequest,
  candidates: MergeRequest[],
): MergeRequest[] {
  const { query } = request;
  const state = query.get('state') || 'all';
  if (!STATES.includes(state)) {
    throw badRequest('state does not have a valid value');
  }
  const labels = values(query, 'labels')?.filter(Boolean);
  const excludedLabels = values(query, 'not[labels]');
  const iids = values(query, 'iids')?.map(Number);
  const updatedAfter = time(query, 'updated_after');
  const updatedBefore = time(query, 'updated_before');
  const createdAfter = time(query, 'created_after');
  const createdBefore = time(query, 'created_before');
  const search = query.get('search')?.toLowerCase();
  const equal = (name: string, actual: string) =>
    !query.get(name) || query.get(name) === actual;

  const found = candidates.filter(mergeRequest => {
    const updated = Date.parse(mergeRequest.updatedAt);
    const created = Date.parse(mergeRequest.createdAt);
    return (
      (state === 'all' || mergeRequest.state === state) &&
      (!labels?.length || hasLabels(mergeRequest, labels)) &&
      !excludedLabels?.some(label => mergeRequest.labels.includes(label)) &&
      (!iids || iids.includes(mergeRequest.iid)) &&
      (updatedAfter === undefined || updated >= updatedAfter) &&
      (updatedBefore === undefined || updated <= updatedBefore) &&
      (createdAfter === undefined || created >= createdAfter) &&
      (createdBefore === undefined || created <= createdBefore) &&
      equal('source_branch', mergeRequest.sourceBranch) &&
      equal('target_branch', mergeRequest.targetBranch) &&
      equal('author_username', mergeRequest.author.username) &&
      equal('author_id', String(mergeRequest.author.id)) &&
      equal('source_project_id', String(mergeRequest.sourceProjectId)) &&
      equal('wip', mergeRequest.draft ? 'yes' : 'no') &&
      equal('draft', String(mergeRequest.draft)) &&
      (!search ||
        `${mergeRequest.title}\n${mergeRequest.description}`
          .toLowerCase()
          .includes(search))
    );
  });

  const direction = query.get('sort') === 'asc' ? 1 : -1;
  const orderBy = query.get('order_by') || 'created_at';
  const key = (mergeRequest: MergeRequest): string => {
    switch (orderBy) {
      case 'created_at':
        return mergeRequest.createdAt;
      case 'updated_at':
        return mergeRequest.updatedAt;
      case 'merged_at':
        return mergeRequest.mergedAt ?? '';
      case 'title':
        return mergeRequest.title;
      default:
        throw badRequest('order_by does not have a valid value');
    }
  };
  return found.sort((left, right) => {
    const [leftKey, rightKey] = [key(left), key(right)];
    if (leftKey === rightKey) {
      return direction * (left.id - right.id);
    }
    return leftKey < rightKey ? -direction : direction;
  });
}
