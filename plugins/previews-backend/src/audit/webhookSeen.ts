import { ProjectReading, WebhookMemory } from '../model';

/** A webhook comes within this. */
const GRACE_MILLISECONDS = 5 * 60_000;

/**
 * Whether a webhook of a project came. That none did is known only when a merge
 * request was opened since it is remembered, which every webhook tells of.
 *
 * @returns undefined where nobody can know.
 */
export function webhookSeen(options: {
  host: string;
  project: ProjectReading;
  memory: WebhookMemory;
  /** Hosts that may send webhooks to the portal at all. */
  hosts: ReadonlySet<string>;
  /** ISO. */
  now: string;
}): boolean | undefined {
  const { host, project, memory, hosts, now } = options;
  if (memory.projects[`${host}/${project.fact.id}`] !== undefined) {
    return true;
  }
  if (!hosts.has(host)) {
    return undefined;
  }
  const latest = Date.parse(now) - GRACE_MILLISECONDS;
  const isAnyUntold = [...project.mergeRequests.values()].some(({ fact }) => {
    const at = Date.parse(fact.createdAt);
    return at > Date.parse(memory.since) && at < latest;
  });
  return isAnyUntold ? false : undefined;
}
