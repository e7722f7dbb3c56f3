import { projectUnknown } from '../readability';
import { Verdict, verdict } from '../verdict';
import { PolicyContext } from './context';

const TYPE = 'MergeRequestOpen';

/**
 * What GitLab says of the MR. A merge cannot be taken back, so it stays known
 * while GitLab is away; `locked` counts as open.
 */
export function mergeRequestOpen({
  observed,
  now,
  settings,
}: PolicyContext): Verdict {
  const { mergeRequest, deletedAt, project, key } = observed;
  if (deletedAt) {
    return verdict(TYPE, 'False', 'Deleted', {});
  }
  if (mergeRequest?.fact.state === 'merged') {
    return verdict(TYPE, 'False', 'Merged', { at: mergeRequest.fact.mergedAt });
  }
  const unknown = projectUnknown(TYPE, project, {
    host: key.host,
    now,
    settings,
  });
  if (unknown) {
    return unknown;
  }
  if (!mergeRequest) {
    return verdict(TYPE, 'Unknown', 'NotReadYet', {
      source: `gitlab:${key.host}`,
    });
  }
  const { fact } = mergeRequest;
  if (fact.state === 'closed') {
    return verdict(TYPE, 'False', 'Closed', { at: fact.closedAt });
  }
  if (!fact.headSha) {
    return verdict(TYPE, 'True', 'SourceBranchDeleted', {
      branch: fact.sourceBranch,
    });
  }
  return verdict(
    TYPE,
    'True',
    fact.state === 'locked' ? 'Locked' : 'Opened',
    {},
  );
}
