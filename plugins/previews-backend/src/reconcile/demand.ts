import { MergeRequestKey, ProbeTarget, StoredPreview } from '../model';
import { Decision } from './decide';
import { Observed } from './gather';
import { mergedTargets, probeTargetsOf } from './probes';
import { keyString, WorldIndex } from './worldIndex';

/** What the sources should read next, by what is known now. */
export interface Demand {
  /** By GitLab host. */
  projects: ReadonlyMap<string, ({ id: number } | { path: string })[]>;
  mergeRequests: ReadonlyMap<string, { projectId: number; iid: number }[]>;
  tags: ReadonlyMap<
    string,
    { projectId: number; iid: number; tag: string; headSha: string }[]
  >;
  /** MRs to read again now, since Argo CD seems to know of a newer head. */
  heads: ReadonlyMap<string, { projectId: number; iid: number }[]>;
  /** Paths that entities limit their previews to. */
  paths: ReadonlyMap<string, { projectId: number; paths: string[] }[]>;
  /** A preview waits for a newer reading of DNS. */
  isDnsAwaited: boolean;
  /** Hosts to visit. */
  probes: readonly ProbeTarget[];
}

/** A preview that nothing will happen to any more unless its MR comes back. */
export function isEnded({ preview }: StoredPreview): boolean {
  const open =
    preview.mergeRequest.state === 'opened' ||
    preview.mergeRequest.state === 'locked';
  return preview.phase === 'Gone' || (preview.phase === 'NotSelected' && !open);
}

/** What the sources should read for these decisions. */
export function demandOf(options: {
  index: WorldIndex;
  observations: readonly Observed[];
  decisions: ReadonlyMap<string, Decision>;
  wanted: readonly MergeRequestKey[];
}): Omit<Demand, 'paths' | 'heads'> {
  const { index, observations, decisions, wanted } = options;
  const mergeRequests = new Map<string, MergeRequestKey>();
  const tags = new Map<
    string,
    { projectId: number; iid: number; tag: string; headSha: string }[]
  >();
  const probes: ProbeTarget[] = [];
  for (const key of wanted) {
    mergeRequests.set(keyString(key), key);
  }
  for (const observed of observations) {
    const decision = decisions.get(keyString(observed.key));
    if (!decision) {
      continue;
    }
    const { stored } = decision.change;
    if (!isEnded(stored)) {
      mergeRequests.set(keyString(observed.key), observed.key);
    }
    probes.push(...probeTargetsOf({ observed, decision }));
    const tag = wantedTag(observed, decision);
    if (tag) {
      append(tags, observed.key.host, tag);
    }
  }
  const byHost = byHostOf(mergeRequests.values());
  return {
    projects: projectsToRead(index),
    mergeRequests: byHost,
    tags,
    isDnsAwaited: [...decisions.values()].some(awaitsDns),
    probes: mergedTargets(probes),
  };
}

/**
 * What one preview asks the sources for, as a text that is the same while the
 * demand is. Empty for one that is only followed, which is the ordinary case.
 */
export function ownDemand(options: {
  observed: Observed;
  decision?: Decision;
  /** Paths that entities limit it to. */
  paths: readonly string[];
}): string {
  const { observed, decision, paths } = options;
  if (!decision) {
    return 'none';
  }
  const tag = wantedTag(observed, decision);
  return [
    ...(isEnded(decision.change.stored) ? ['ended'] : []),
    ...(tag ? [`tag ${tag.tag} of ${tag.headSha}`] : []),
    ...(awaitsDns(decision) ? ['dns'] : []),
    ...paths.map(path => `path ${path}`),
    ...probeTargetsOf({ observed, decision }).map(
      ({ host, state }) => `visit ${host} (${state})`,
    ),
  ].join('\n');
}

function awaitsDns({ change }: Decision): boolean {
  return change.stored.preview.conditions.some(
    ({ type, reason }) =>
      type === 'CleanedUp' && reason === 'DnsRecordsLeaving',
  );
}

/** Groups keys by their GitLab host. */
export function byHostOf(
  keys: Iterable<MergeRequestKey>,
): Map<string, { projectId: number; iid: number }[]> {
  const byHost = new Map<string, { projectId: number; iid: number }[]>();
  for (const { host, projectId, iid } of keys) {
    append(byHost, host, { projectId, iid });
  }
  return byHost;
}

function append<T>(map: Map<string, T[]>, key: string, item: T) {
  const known = map.get(key);
  if (known) {
    known.push(item);
  } else {
    map.set(key, [item]);
  }
}

/** The registry is asked only while no pod has pulled the tag. */
function wantedTag(
  { key, mergeRequest, expectedTags }: Observed,
  { change }: Decision,
):
  | { projectId: number; iid: number; tag: string; headSha: string }
  | undefined {
  const headSha = mergeRequest?.fact.headSha;
  const condition = change.stored.preview.conditions.find(
    ({ type }) => type === 'ImageBuilt',
  );
  const tag =
    change.stored.preview.commit.expected ??
    expectedTags.find(entry => entry.tag !== undefined)?.tag;
  const asked =
    condition !== undefined &&
    condition.reason !== 'ImagePulled' &&
    change.stored.preview.commit.by === 'tag';
  return asked && headSha && tag
    ? { projectId: key.projectId, iid: key.iid, tag, headSha }
    : undefined;
}

/**
 * Projects that generators of readable sets name, those of entities that ask for
 * previews by themselves, and those that a generator's pattern may mean.
 */
function projectsToRead(
  index: WorldIndex,
): Map<string, ({ id: number } | { path: string })[]> {
  const byHost = new Map<
    string,
    Map<string, { id: number } | { path: string }>
  >();
  const add = (host: string, reference: { id: number } | { path: string }) => {
    const known = byHost.get(host) ?? new Map();
    known.set(
      'id' in reference ? String(reference.id) : reference.path.toLowerCase(),
      reference,
    );
    byHost.set(host, known);
  };
  for (const host of index.gitlab.keys()) {
    byHost.set(host, new Map());
  }
  for (const { host, project } of index.uses) {
    if (project.kind === 'id') {
      add(host, { id: project.id });
    } else if (project.kind === 'path') {
      add(host, { path: project.path });
    }
  }
  for (const { project, explicit } of index.world.catalog.entities) {
    if (!project || !index.gitlab.has(project.host)) {
      continue;
    }
    const { host, path, id } = project;
    const fitsPattern = () =>
      index.patternUses.some(
        use =>
          use.host === host &&
          use.project.kind === 'pattern' &&
          path !== undefined &&
          use.project.pattern.test(path),
      );
    if (explicit || fitsPattern()) {
      add(host, id !== undefined ? { id } : { path: path! });
    }
  }
  return new Map(
    [...byHost].map(([host, references]) => [host, [...references.values()]]),
  );
}
