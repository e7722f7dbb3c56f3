import { MergeRequestFact, PipelineFact, ProjectFact } from '../../model';
import {
  asObject,
  compact,
  integerOf,
  objectAt,
  textOf,
  timeOf,
  wholeTextOf,
  wordOf,
} from './values';

/** A tag of a project's container registry. */
export interface RegistryTag {
  name: string;
  /** As the registry names the whole image. */
  location?: string;
}

/** A repository of a project's container registry. */
export interface RegistryRepository {
  id: number;
  /** Full path, such as `group/project/image`. */
  path: string;
}

function idOf(value: unknown): number | undefined {
  const id = integerOf(value);
  return id !== undefined && id > 0 ? id : undefined;
}

function shaOf(value: unknown): string | undefined {
  return typeof value === 'string' &&
    /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(value)
    ? value
    : undefined;
}

/** With `with_labels_details` a label is an object. */
function labelsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [])
    .slice(0, 200)
    .flatMap(label => textOf(label) ?? textOf(objectAt(label).name) ?? []);
}

/**
 * Parses an MR as lists and single answers of the REST API have it; undefined
 * for anything else. The title is no evidence of a draft: people write it.
 */
export function parseMergeRequest(
  value: unknown,
  options: { host: string },
): MergeRequestFact | undefined {
  const json = asObject(value);
  const iid = idOf(json?.iid);
  const projectId = idOf(json?.project_id) ?? idOf(json?.target_project_id);
  const state = wordOf(
    json?.state,
    ['opened', 'locked', 'merged', 'closed'] as const,
    undefined,
  );
  const sourceBranch = wholeTextOf(json?.source_branch);
  const targetBranch = wholeTextOf(json?.target_branch);
  const createdAt = timeOf(json?.created_at);
  const updatedAt = timeOf(json?.updated_at);
  if (
    !json ||
    iid === undefined ||
    projectId === undefined ||
    state === undefined ||
    sourceBranch === undefined ||
    targetBranch === undefined ||
    (createdAt === undefined && updatedAt === undefined)
  ) {
    return undefined;
  }
  const author = objectAt(json, 'author');
  const sourceProjectId = idOf(json.source_project_id);
  return compact({
    key: { host: options.host, projectId, iid },
    title: textOf(json.title) ?? '',
    webUrl: wholeTextOf(json.web_url),
    author: compact({
      username: textOf(author.username) ?? '',
      name: textOf(author.name),
    }),
    sourceBranch,
    targetBranch,
    sourceProjectId,
    // A fork that was deleted leaves null.
    fork:
      json.source_project_id === null ||
      (sourceProjectId !== undefined &&
        sourceProjectId !== (idOf(json.target_project_id) ?? projectId)),
    draft:
      json.draft === undefined
        ? json.work_in_progress === true
        : json.draft === true,
    labels: labelsOf(json.labels),
    state,
    headSha: shaOf(json.sha),
    createdAt: (createdAt ?? updatedAt)!,
    updatedAt: (updatedAt ?? createdAt)!,
    mergedAt: timeOf(json.merged_at),
    closedAt: timeOf(json.closed_at),
  });
}

/** Refs that GitLab makes for pipelines of merged results and of merge trains. */
const MERGED_RESULT = /^refs\/merge-requests\/\d+\/(merge|train)$/;

/** Parses a pipeline; undefined for anything else, jobs and deployments too. */
export function parsePipeline(value: unknown): PipelineFact | undefined {
  const json = asObject(value);
  const id = idOf(json?.id);
  const sha = shaOf(json?.sha);
  const status = wholeTextOf(json?.status);
  if (!json || id === undefined || sha === undefined || status === undefined) {
    return undefined;
  }
  const ofOthers = ['stage', 'deployable', 'environment', 'merge_request'];
  if (ofOthers.some(key => key in json)) {
    return undefined;
  }
  return compact({
    id,
    status,
    sha,
    ofMergedResult:
      MERGED_RESULT.test(wholeTextOf(json.ref) ?? '') || undefined,
    source: wholeTextOf(json.source),
    webUrl: wholeTextOf(json.web_url),
    createdAt: timeOf(json.created_at),
    startedAt: timeOf(json.started_at),
    finishedAt: timeOf(json.finished_at),
  });
}

/** Paths of one entry of an MR's diffs: two where the file was moved, none for anything else. */
export function parseChangedPaths(value: unknown): string[] {
  const json = asObject(value);
  return [wholeTextOf(json?.old_path), wholeTextOf(json?.new_path)].filter(
    path => path !== undefined,
  );
}

/** Parses a project; undefined for anything else. */
export function parseProject(value: unknown): ProjectFact | undefined {
  const json = asObject(value);
  const id = idOf(json?.id);
  const path = wholeTextOf(json?.path_with_namespace);
  if (!json || id === undefined || path === undefined) {
    return undefined;
  }
  return compact({
    id,
    path,
    webUrl: wholeTextOf(json.web_url),
    registryPath: wholeTextOf(json.container_registry_image_prefix),
    httpUrl: wholeTextOf(json.http_url_to_repo),
    sshUrl: wholeTextOf(json.ssh_url_to_repo),
  });
}

/** Parses a tag of a registry; undefined for anything else. */
export function parseRegistryTag(value: unknown): RegistryTag | undefined {
  const json = asObject(value);
  const name = wholeTextOf(json?.name);
  // Repositories look the same but for their id.
  if (
    !json ||
    name === undefined ||
    'id' in json ||
    wholeTextOf(json.path) === undefined ||
    !('location' in json)
  ) {
    return undefined;
  }
  return compact({ name, location: wholeTextOf(json.location) });
}

/** Parses a repository of a registry; undefined for anything else. */
export function parseRegistryRepository(
  value: unknown,
): RegistryRepository | undefined {
  const json = asObject(value);
  const id = idOf(json?.id);
  const path = wholeTextOf(json?.path);
  if (
    !json ||
    id === undefined ||
    path === undefined ||
    !('location' in json)
  ) {
    return undefined;
  }
  return { id, path };
}
