import { MergeRequestKey, StoredPreview, World, previewIdOf } from '../model';
import { ClaimPolicy, EntityLink, EntityLinks, linkEntities } from './claims';
import { decide, Decision } from './decide';
import { DecisionCache } from './decisionCache';
import { gather, Observed } from './gather';
import { IntendedNamespaces } from './intendedNamespaces';
import { HeadChecks } from './headChecks';
import { formerJoinsOf, joinApplications, Unjoined } from './join';
import { DecisionSettings } from './settings';
import { addSeconds } from './time';
import { PathDemand } from './PathDemand';
import { keyString, WorldIndex } from './worldIndex';

/** How soon a preview is looked at again that waits for GitLab's word. */
const HEAD_CHECK_SECONDS = 2;

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
}

export interface PassResult {
  /** By key string. */
  decisions: ReadonlyMap<string, Decision>;
  links: readonly EntityLink[];
  unjoined: readonly Unjoined[];
  demand: Demand;
  /** ISO: the earliest time at which time alone may change a decision. */
  lookAgainAt?: string;
}

/** A preview that nothing will happen to any more unless its MR comes back. */
export function isEnded({ preview }: StoredPreview): boolean {
  const open =
    preview.mergeRequest.state === 'opened' ||
    preview.mergeRequest.state === 'locked';
  return preview.phase === 'Gone' || (preview.phase === 'NotSelected' && !open);
}

/** Decides every preview of a world: a pure function of it, what is stored and the time. */
export function decideAll(options: {
  world: World;
  /** By key string; those that are not ended, and ended ones whose MR was read again. */
  stored: ReadonlyMap<string, StoredPreview>;
  settings: DecisionSettings;
  isClaimAllowed: ClaimPolicy;
  /** How long the steps of a service usually take, by a preview's id. */
  usualOf?: (previewId: string) => Partial<Record<string, number>>;
  /** What earlier passes decided; saves deciding again what nothing has changed for. */
  cache?: DecisionCache;
  /** Which heads GitLab was asked for by earlier passes. */
  headChecks?: HeadChecks;
  now: string;
}): PassResult {
  const {
    world,
    stored,
    settings,
    isClaimAllowed,
    usualOf,
    cache,
    headChecks,
    now,
  } = options;
  const index = new WorldIndex(world);
  cache?.begin({ index, settings, now });
  headChecks?.begin();
  const intended = new IntendedNamespaces(index);
  const joins = joinApplications(index, formerJoinsOf(stored.values()));
  const links = linkEntities(index, isClaimAllowed);
  const entityLinks = new EntityLinks(links, isClaimAllowed);

  const decisions = new Map<string, Decision>();
  const observations: Observed[] = [];
  const paths = new PathDemand();
  for (const [id, key] of keysOf(index, stored)) {
    const previous = stored.get(id);
    const observed = gather({
      key,
      index,
      joined: joins.byMergeRequest.get(id) ?? [],
      intended,
      previous,
    });
    observations.push(observed);
    // Without a catalog it is not known who claims what; that nobody does would
    // hide the preview from its owners.
    const entityRefs =
      observed.project && world.catalog.state !== 'pending'
        ? entityLinks.entityRefsOf(observed, previous)
        : previous?.preview.entityRefs ?? [];
    paths.add(key, entityLinks.pathsOf(observed, previous));
    if (previous && headChecks?.isPending(observed, previous, now)) {
      decisions.set(id, {
        change: { stored: previous, transitions: [] },
        unchanged: true,
        lookAgainAt: addSeconds(now, HEAD_CHECK_SECONDS),
      });
      continue;
    }
    const usual = usualOf?.(previewIdOf(key));
    const inputs = cache?.inputsOf(observed, { entityRefs, usual }) ?? [];
    const known = cache?.find(id, inputs, previous, now);
    const decision =
      known ?? decide({ observed, previous, entityRefs, settings, usual, now });
    if (decision) {
      decisions.set(id, decision);
    }
    if (decision && !known) {
      cache?.remember(id, inputs, previous, decision);
    }
  }
  cache?.keepOnly(decisions);
  const times = [...decisions.values()]
    .flatMap(({ lookAgainAt }) => lookAgainAt ?? [])
    .sort();
  return {
    decisions,
    links,
    unjoined: joins.unjoined,
    demand: {
      ...demandOf({ index, observations, decisions, wanted: joins.wanted }),
      heads: byHostOf(headChecks?.due() ?? []),
      paths: paths.byHost(),
    },
    ...(times.length > 0 && { lookAgainAt: times[0] }),
  };
}

/** MRs that were read, and stored previews whose MR was not. */
function keysOf(
  index: WorldIndex,
  stored: ReadonlyMap<string, StoredPreview>,
): Map<string, MergeRequestKey> {
  const keys = new Map<string, MergeRequestKey>();
  for (const { reading } of index.mergeRequests()) {
    keys.set(keyString(reading.fact.key), reading.fact.key);
  }
  for (const [id, { key }] of stored) {
    keys.set(id, key);
  }
  return keys;
}

function demandOf(options: {
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
    const tag = wantedTag(observed, decision);
    if (tag) {
      append(tags, observed.key.host, tag);
    }
  }
  const byHost = byHostOf(mergeRequests.values());
  return { projects: projectsToRead(index), mergeRequests: byHost, tags };
}

function byHostOf(
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
