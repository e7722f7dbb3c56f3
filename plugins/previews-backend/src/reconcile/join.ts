import {
  ApplicationSetFact,
  Memory,
  MergeRequestKey,
  ObjectMeta,
} from '../model';
import { EvidenceIndex } from './evidenceIndex';
import { GeneratorUse, iidPattern } from './generator';
import { NameIndex } from './nameIndex';
import { keyString, LocatedApplication, WorldIndex } from './worldIndex';

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
  if (set && uses.length === 0) {
    return undefined;
  }
  const before = former.get(meta.uid);
  if (before && before.ownerUid === meta.owner?.uid) {
    return { key: before.key, rule: 'before', set };
  }
  const labelled = keyFromLabels(application, uses, index);
  if (labelled) {
    return { key: labelled, rule: 'labels', set };
  }
  if (set) {
    const candidates = names.candidates(set, meta.name);
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
