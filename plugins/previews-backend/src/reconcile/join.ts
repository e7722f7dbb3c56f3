import {
  ApplicationSetFact,
  Memory,
  MergeRequestKey,
  MergeRequestReading,
  ObjectMeta,
} from '../model';
import { EvidenceIndex } from './evidenceIndex';
import { GeneratorUse, iidPattern, listsHost } from './generator';
import { isMadeAfterwards } from './madeAfterwards';
import { isSelected, NamedMergeRequests, NameIndex } from './nameIndex';
import {
  keyString,
  LocatedApplication,
  projectString,
  WorldIndex,
} from './worldIndex';

export const LABEL_PROJECT_ID = 'previews/project-id';
export const LABEL_MERGE_REQUEST = 'previews/merge-request';

/** Which of the rules joined an Application. */
export type JoinRule = 'before' | 'labels' | 'name' | 'number' | 'evidence';

export interface Joined extends LocatedApplication {
  key: MergeRequestKey;
  rule: JoinRule;
  set?: ApplicationSetFact;
}

/** An Application of a GitLab set that belongs to no MR that is known. */
export interface Unjoined extends LocatedApplication {
  set?: ApplicationSetFact;
  /** More than one MR has this name in the set. */
  candidates: MergeRequestKey[];
}

export interface JoinResult {
  /** By key string. */
  byMergeRequest: ReadonlyMap<string, Joined[]>;
  unjoined: readonly Unjoined[];
  /** MRs that Applications point to and that have not been read. */
  wanted: readonly MergeRequestKey[];
  /**
   * What the rules say of one Application. It holds as long as no other one, no
   * set and no MR changes in a way that the rules look at.
   */
  outcomeOf(application: LocatedApplication): JoinOutcome | undefined;
}

/** What earlier passes joined, by Application uid. */
export type FormerJoins = ReadonlyMap<
  string,
  { key: MergeRequestKey; ownerUid?: string }
>;

export function formerJoinsOf(
  memories: Iterable<{ key: MergeRequestKey; memory: Memory }>,
): FormerJoins {
  const joins = new Map<string, { key: MergeRequestKey; ownerUid?: string }>();
  for (const { key, memory } of memories) {
    for (const { uid, ownerUid } of memory.joined) {
      joins.set(uid, { key, ownerUid });
    }
  }
  return joins;
}

/**
 * Gives every Application its merge request, by the first rule that holds. What
 * no rule joins is reported, never taken for an orphan.
 */
export function joinApplications(
  index: WorldIndex,
  former: FormerJoins,
): JoinResult {
  const byMergeRequest = new Map<string, Joined[]>();
  const unjoined: Unjoined[] = [];
  const wanted = new Map<string, MergeRequestKey>();
  const names = new NameIndex(index);
  const evidence = new EvidenceIndex(index);
  const outcomeOf = (application: LocatedApplication) =>
    joinOne(application, { index, former, names, evidence });

  for (const application of index.applications) {
    const outcome = outcomeOf(application);
    if (!outcome) {
      continue;
    }
    if (!outcome.key) {
      unjoined.push({
        ...application,
        set: outcome.set,
        candidates: outcome.candidates,
      });
      continue;
    }
    const { key, rule, set } = outcome;
    if (rule !== 'before' && isMissing(key, index)) {
      // It was deleted before anybody saw it, so that no preview can tell of it.
      wanted.set(keyString(key), key);
      unjoined.push({ ...application, set, candidates: [] });
      continue;
    }
    const known = byMergeRequest.get(keyString(key)) ?? [];
    known.push({ ...application, key, rule, set });
    byMergeRequest.set(keyString(key), known);
    if (!index.mergeRequest(key)) {
      wanted.set(keyString(key), key);
    }
  }
  return {
    byMergeRequest,
    unjoined,
    wanted: [...wanted.values()],
    outcomeOf,
  };
}

/** GitLab has no such MR, and nothing was ever read of it. */
function isMissing(
  { host, projectId, iid }: MergeRequestKey,
  index: WorldIndex,
): boolean {
  const project = index.project(host, projectId);
  return project?.missing?.has(iid) === true && !project.mergeRequests.has(iid);
}

interface Context {
  index: WorldIndex;
  former: FormerJoins;
  names: NameIndex;
  evidence: EvidenceIndex;
}

/** An MR, or no MR that is known; an Application that is no preview has no outcome. */
export type JoinOutcome =
  | { key: MergeRequestKey; rule: JoinRule; set?: ApplicationSetFact }
  | {
      key?: undefined;
      set?: ApplicationSetFact;
      candidates: MergeRequestKey[];
    };

function joinOne(
  application: LocatedApplication,
  context: Context,
): JoinOutcome | undefined {
  const { index, former, names, evidence } = context;
  const { meta } = application.fact;
  if (meta.owner && meta.owner.kind !== 'ApplicationSet') {
    return undefined;
  }
  const set = index.setByUid(meta.owner?.uid)?.set;
  const uses = set ? index.usesOfSet(set) : [];
  const before = former.get(meta.uid);
  // A set that is deleted by itself leaves its Applications without an owner.
  const isUnchanged =
    before !== undefined && (!meta.owner || before.ownerUid === meta.owner.uid);
  if (set && uses.length === 0) {
    return isUnchanged && isOfLostHost(before.key, set, index)
      ? { key: before.key, rule: 'before', set }
      : undefined;
  }
  const labelled = keyFromLabels(application, uses, index);
  const named = set && names.named(set, meta.name);
  if (isUnchanged) {
    const next = successorOf(before.key, { labelled, named, uses, set, index });
    return next ? { ...next, set } : { key: before.key, rule: 'before', set };
  }
  if (labelled) {
    return { key: labelled, rule: 'labels', set };
  }
  if (set && named) {
    const { selected } = named;
    const candidates =
      selected.length > 0
        ? [...selected]
        : formerHoldersOf(named.others, application, set);
    if (candidates.length === 1) {
      return { key: candidates[0], rule: 'name', set };
    }
    if (candidates.length > 1) {
      return { set, candidates };
    }
    const numbered = keyFromNumber(uses, meta.name, index);
    if (numbered) {
      return { key: numbered, rule: 'number', set };
    }
  }
  const found = evidence.find(application, uses);
  if (found) {
    return { key: found, rule: 'evidence', set };
  }
  // An Application without an owner that no evidence ties to an MR is someone
  // else's; one that a GitLab set owns should have been joined.
  return meta.owner ? { set, candidates: [] } : undefined;
}

/**
 * Whether an MR is of a GitLab host that is configured no more, and that its set lists
 * all the same: nobody reads it, which says nothing of its Application.
 */
function isOfLostHost(
  { host }: MergeRequestKey,
  set: ApplicationSetFact,
  index: WorldIndex,
): boolean {
  return !index.gitlab.has(host) && listsHost(set, host);
}

/**
 * Who has an Application now that was another MR's. A branch may come back in a new
 * MR, whose Application has the name, and so is the same one with the same uid: Argo CD
 * keeps it for the MR that is selected.
 */
function successorOf(
  former: MergeRequestKey,
  options: {
    labelled: MergeRequestKey | undefined;
    named: NamedMergeRequests | undefined;
    uses: readonly GeneratorUse[];
    set: ApplicationSetFact | undefined;
    index: WorldIndex;
  },
): { key: MergeRequestKey; rule: JoinRule } | undefined {
  const { labelled, named, uses, set, index } = options;
  const wants = (key: MergeRequestKey) => {
    const reading = index.mergeRequest(key)?.reading;
    return (
      reading !== undefined &&
      uses.some(use => isSelectedBy(use, reading, index))
    );
  };
  if (!isUnselected(former, { uses, set, index })) {
    return undefined;
  }
  const id = keyString(former);
  if (labelled && keyString(labelled) !== id && wants(labelled)) {
    return { key: labelled, rule: 'labels' };
  }
  const [only, ...more] = named?.selected ?? [];
  return only && more.length === 0 ? { key: only, rule: 'name' } : undefined;
}

function isSelectedBy(
  use: GeneratorUse,
  reading: MergeRequestReading,
  index: WorldIndex,
): boolean {
  const { host, projectId } = reading.fact.key;
  const project = index.project(host, projectId);
  return (
    project !== undefined &&
    index.usesOfProject(host, project.fact).includes(use) &&
    isSelected(use, reading)
  );
}

/** Known not to be selected any more: read so, or not in a list that has all that could be. */
function isUnselected(
  key: MergeRequestKey,
  options: {
    uses: readonly GeneratorUse[];
    set: ApplicationSetFact | undefined;
    index: WorldIndex;
  },
): boolean {
  const { uses, set, index } = options;
  if (!index.gitlab.has(key.host)) {
    // Its host has another name now, or the set lists MRs of another one.
    return set !== undefined && !listsHost(set, key.host);
  }
  const reading = index.mergeRequest(key)?.reading;
  if (reading) {
    return !uses.some(use => isSelectedBy(use, reading, index));
  }
  return (
    index.project(key.host, key.projectId)?.completeAt !== undefined &&
    uses.every(({ generator }) => generator.state === 'opened')
  );
}

/**
 * Who left an Application behind: of several MRs of one project that had the name one
 * after the other the newest. What was made long after an MR was over is not of it,
 * but of one that the portal has yet to read.
 */
function formerHoldersOf(
  others: readonly MergeRequestReading[],
  application: LocatedApplication,
  { requeueAfterSeconds }: ApplicationSetFact,
): MergeRequestKey[] {
  const newest = new Map<string, MergeRequestKey>();
  for (const reading of others) {
    const { key } = reading.fact;
    const project = projectString(key.host, key.projectId);
    if (
      !isMadeAfterwards(application, reading, requeueAfterSeconds) &&
      (newest.get(project)?.iid ?? 0) < key.iid
    ) {
      newest.set(project, key);
    }
  }
  return [...newest.values()];
}

/**
 * By the labels that a set's template writes. Whoever may create an Application can
 * write labels too, so that one without an owning set is not believed.
 */
function keyFromLabels(
  { fact }: LocatedApplication,
  uses: GeneratorUse[],
  index: WorldIndex,
): MergeRequestKey | undefined {
  const labelled = labelledFor(fact.meta);
  if (!labelled) {
    return undefined;
  }
  const hosts = new Set(uses.map(use => use.host));
  if (hosts.size === 0 && fact.meta.owner && index.gitlab.size === 1) {
    // The set itself cannot be read.
    hosts.add([...index.gitlab.keys()][0]);
  }
  return hosts.size === 1 ? { host: [...hosts][0], ...labelled } : undefined;
}

/** The MR that an object's labels name, on whichever host. */
export function labelledFor({
  labels,
}: Pick<ObjectMeta, 'labels'>): Omit<MergeRequestKey, 'host'> | undefined {
  const projectId = positiveInteger(labels[LABEL_PROJECT_ID]);
  const iid = positiveInteger(labels[LABEL_MERGE_REQUEST]);
  return projectId === undefined || iid === undefined
    ? undefined
    : { projectId, iid };
}

function positiveInteger(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text)
    ? Number(text)
    : undefined;
}

function keyFromNumber(
  uses: GeneratorUse[],
  name: string,
  index: WorldIndex,
): MergeRequestKey | undefined {
  const keys = new Map<string, MergeRequestKey>();
  for (const use of uses) {
    const iid = positiveInteger(iidPattern(use)?.exec(name)?.[1]);
    const projectId = iid === undefined ? undefined : projectIdOf(use, index);
    if (iid !== undefined && projectId !== undefined) {
      const key = { host: use.host, projectId, iid };
      keys.set(keyString(key), key);
    }
  }
  return keys.size === 1 ? [...keys.values()][0] : undefined;
}

function projectIdOf(use: GeneratorUse, index: WorldIndex): number | undefined {
  if (use.project.kind === 'id') {
    return use.project.id;
  }
  return use.project.kind === 'path'
    ? index.projectsOf(use)[0]?.fact.id
    : undefined;
}
