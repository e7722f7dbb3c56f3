/**
 * That something about an MR, or about those that a pipeline builds, may have changed.
 * A hint is never a fact: what it names is read again, and nothing else of the event
 * is used.
 */
export interface Hint {
  /** Host of the GitLab instance in lower case, with the port if any; absent when the event does not say. */
  host?: string;
  projectId: number;
  iid?: number;
  /** Instead of an MR: what a pipeline of the project was run for. */
  built?: Built;
  /** Somebody may have approved the MR, or taken that back. */
  approvals?: boolean;
  /** GitLab itself tells of it. */
  webhook?: true;
}

/** A branch and its commit; a pipeline of a branch names no MR. */
export interface Built {
  sha?: string;
  branch?: string;
}

/** What GitLab calls it when somebody approves; some are of paid tiers only. */
const APPROVAL_ACTIONS: readonly unknown[] = [
  'approved',
  'approval',
  'unapproved',
  'unapproval',
];

const LONGEST_URL = 2000;
/** GitLab takes no longer names of branches. */
const LONGEST_BRANCH = 255;

type Fields = Record<string, unknown>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

function readNumber(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) > 0
    ? (value as number)
    : undefined;
}

function readHost(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_URL) {
    return undefined;
  }
  try {
    const { protocol, host } = new URL(value);
    return protocol === 'https:' || protocol === 'http:'
      ? host.toLowerCase()
      : undefined;
  } catch {
    // No URL: the hint goes without a host.
    return undefined;
  }
}

function readBuilt(attributes: Fields): Built | undefined {
  const { sha, ref, tag } = attributes;
  const built: Built = {
    ...(typeof sha === 'string' && /^[0-9a-f]{40,64}$/i.test(sha) && { sha }),
    ...(typeof ref === 'string' &&
      ref !== '' &&
      ref.length <= LONGEST_BRANCH &&
      tag !== true && { branch: ref }),
  };
  return Object.keys(built).length > 0 ? built : undefined;
}

function hintOf(parts: {
  host?: string;
  projectId?: number;
  iid?: number;
  built?: Built;
  approvals?: boolean;
}): Hint | undefined {
  const { host, projectId, iid, built, approvals } = parts;
  if (projectId === undefined || !(iid || built)) {
    return undefined;
  }
  return {
    ...(host && { host }),
    projectId,
    ...(iid ? { iid } : { built }),
    ...(iid && approvals && { approvals }),
  };
}

/**
 * Reads GitLab's webhook payloads of MRs and pipelines. Payloads may come from
 * anyone who knows a webhook's secret, and on shared topics from other modules:
 * anything else gives nothing, and never an error.
 */
export function parseGitLabHint(payload: unknown): Hint | undefined {
  const event = fieldsOf(payload);
  const project = fieldsOf(event.project);
  const host = readHost(project.web_url);
  if (event.object_kind === 'merge_request') {
    const attributes = fieldsOf(event.object_attributes);
    return hintOf({
      host,
      projectId:
        readNumber(attributes.target_project_id) ?? readNumber(project.id),
      iid: readNumber(attributes.iid),
      approvals: APPROVAL_ACTIONS.includes(attributes.action),
    });
  }
  if (event.object_kind === 'pipeline') {
    const mergeRequest = fieldsOf(event.merge_request);
    const iid = readNumber(mergeRequest.iid);
    return hintOf({
      host,
      projectId:
        (iid && readNumber(mergeRequest.target_project_id)) ||
        readNumber(project.id),
      iid,
      built: readBuilt(fieldsOf(event.object_attributes)),
    });
  }
  return undefined;
}

/** Reads what {@link EventsRefresh} publishes. */
export function parseRefreshHint(payload: unknown): Hint | undefined {
  const { host, projectId, iid } = fieldsOf(payload);
  return hintOf({
    host: typeof host === 'string' ? host : undefined,
    projectId: readNumber(projectId),
    iid: readNumber(iid),
    // Who wants everything to be looked at means that too.
    approvals: true,
  });
}
