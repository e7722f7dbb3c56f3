/**
 * That something about an MR, or about a project, may have changed. A hint is
 * never a fact: what it names is read again, and nothing else of the event is used.
 */
export interface Hint {
  /** Host of the GitLab instance in lower case, with the port if any; absent when the event does not say. */
  host?: string;
  projectId: number;
  /** Absent when the event is about the project as a whole. */
  iid?: number;
  /** Somebody may have approved the MR, or taken that back. */
  approvals?: boolean;
  /** GitLab itself tells of it. */
  webhook?: true;
}

/** What GitLab calls it when somebody approves; some are of paid tiers only. */
const APPROVAL_ACTIONS: readonly unknown[] = [
  'approved',
  'approval',
  'unapproved',
  'unapproval',
];

const LONGEST_URL = 2000;

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

function hintOf(parts: {
  host?: string;
  projectId?: number;
  iid?: number;
  approvals?: boolean;
}): Hint | undefined {
  const { host, projectId, iid, approvals } = parts;
  return projectId === undefined
    ? undefined
    : {
        ...(host && { host }),
        projectId,
        ...(iid && { iid }),
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
    return hintOf({
      host,
      projectId:
        readNumber(mergeRequest.target_project_id) ?? readNumber(project.id),
      iid: readNumber(mergeRequest.iid),
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
