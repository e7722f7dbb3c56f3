import { MergeRequest } from '@previews/backstage-plugin-previews-common';
import { safeUrl } from './safeUrl';

/** Addresses of GitLab end a project's path with this. */
const PROJECT_END = '/-/';

/**
 * The project's page, taken from the MR's own address so that instances under a
 * subpath work; undefined when that address is missing or no link.
 */
export function projectUrl(mergeRequest: MergeRequest): string | undefined {
  const url = safeUrl(mergeRequest.webUrl);
  const end = url?.indexOf(PROJECT_END) ?? -1;
  return url && end > 0 ? url.slice(0, end) : undefined;
}

/** The commit's page; undefined for what is not a SHA of at least 7 digits. */
export function commitUrl(
  mergeRequest: MergeRequest,
  sha: string,
): string | undefined {
  const project = projectUrl(mergeRequest);
  return project && /^[0-9a-f]{7,64}$/i.test(sha)
    ? `${project}/-/commit/${sha}`
    : undefined;
}

/** The head's pipeline, else the MR's list of pipelines. */
export function pipelineUrl(mergeRequest: MergeRequest): string | undefined {
  const pipeline = safeUrl(mergeRequest.pipeline?.webUrl);
  const url = safeUrl(mergeRequest.webUrl);
  return pipeline ?? (url && `${url}/pipelines`);
}
