import {
  ApplicationFact,
  KindFacts,
  KindName,
  KindReading,
  MergeRequestFact,
  MergeRequestKey,
  MergeRequestReading,
  ProbeObservation,
  ProjectReading,
} from '../model';
import { Decision } from './decide';
import { decidePreview, Deciding } from './decidePreview';
import { isAsFresh } from './freshUntil';
import { GeneratorUse, namesFor, selects } from './generator';
import { destinationFor } from './intendedNamespaces';
import {
  isTrackedKind,
  TRACKED_KINDS,
  TrackedKind,
  namespacesBeside,
} from './listed';
import { PassBasis } from './PassBasis';
import { isEqual } from './sameness';
import { hasElapsed } from './time';
import { trackedForOf } from './tracking';
import {
  namespaceItself,
  objectInNamespace,
  trackedInNamespace,
  wholeNamespace,
} from './watches';
import { keyString } from './worldIndex';

type Fact = KindFacts[KindName];

/** Kinds that previews look for in their namespaces and nowhere else. */
const LOOKED_UP_BY_NAMESPACE: ReadonlySet<KindName> = new Set<KindName>([
  'deployments',
  'statefulSets',
  'replicaSets',
  'pods',
  'certificates',
  'certificateRequests',
  'orders',
  'challenges',
  'issuers',
  'acmeEvents',
  'httpRoutes',
  'listenerSets',
  'ingresses',
]);

/** Kinds whose objects name hosts, which nobody else's records are left of then. */
const NAMING_HOSTS: ReadonlySet<KindName> = new Set<KindName>([
  'httpRoutes',
  'ingresses',
  'certificates',
]);

/** What was read since the last pass, of what a source says has changed. */
export interface WorldChanges {
  objects: readonly {
    cluster: string;
    kind: KindName;
    keys: ReadonlySet<string>;
    /** Holds those of the keys that exist, and no others. */
    reading: KindReading<Fact>;
  }[];
  projects: readonly { host: string; reading: ProjectReading }[];
  /** What visits found; undefined for a host of which nothing is known any more. */
  probes?: readonly {
    host: string;
    observation: ProbeObservation | undefined;
  }[];
  /** Previews to look at whatever changed. */
  previews: readonly MergeRequestKey[];
}

export interface NarrowResult {
  /** By key string; of the previews that were looked at. */
  decisions: ReadonlyMap<string, Decision>;
  /** MRs to read again now. */
  heads: readonly MergeRequestKey[];
  /** The sources are to read something else now, which only a full pass can tell. */
  isDemandChanged: boolean;
  /** ISO: the earliest time at which time alone may change a decision. */
  lookAgainAt?: string;
}

/**
 * Decides the previews that some changes can matter to, those that the pass before
 * changed and those whose time has come, on what the last full pass found out about all of them. The outcome is
 * that of a full pass. Where a change may matter to more than can be told, such
 * as who is joined to whom, it decides nothing and returns undefined: then a full
 * pass has to, on a basis of its own.
 */
export function decideChanged(
  options: Deciding & { basis: PassBasis; changes: WorldChanges },
): NarrowResult | undefined {
  const { basis, changes, stored, headChecks, now } = options;
  const { freshUntil } = basis;
  // A reading that becomes stale matters to all that were decided from it.
  if (freshUntil === undefined || hasElapsed(freshUntil, now, 0)) {
    return undefined;
  }
  const touched = new Map<string, MergeRequestKey>();
  for (const key of changes.previews) {
    touched.set(keyString(key), key);
  }
  // What is not stored is of no preview that a full pass would decide.
  const touch: Touch = id => {
    const key = stored.get(id)?.key;
    if (key) {
      touched.set(id, key);
    }
  };
  const isKnown =
    changes.projects.every(change => takeProject(change, options, touch)) &&
    changes.objects.every(change => takeObjects(change, options, touch));
  if (!isKnown) {
    return undefined;
  }
  for (const { host, observation } of changes.probes ?? []) {
    basis.index.putProbe(host, observation);
    basis.visitorsOf(host).forEach(touch);
  }
  basis.takeUnsettled().forEach(touch);
  basis.lookAgain.takeDue(now).forEach(touch);
  headChecks?.begin();

  const decisions = new Map<string, Decision>();
  let isDemandChanged = false;
  for (const [id, key] of touched) {
    const outcome = decidePreview(key, options);
    if (outcome.decision) {
      decisions.set(id, outcome.decision);
    }
    isDemandChanged = basis.note(id, outcome) || isDemandChanged;
  }
  const lookAgainAt = basis.lookAgain.earliest();
  return {
    decisions,
    heads: headChecks?.due() ?? [],
    isDemandChanged,
    ...(lookAgainAt !== undefined && { lookAgainAt }),
  };
}

type Context = Deciding & { basis: PassBasis };
type Touch = (id: string) => void;

/** Returns false where it cannot be told whom the change matters to. */
function takeProject(
  { host, reading }: WorldChanges['projects'][number],
  { basis }: Context,
  touch: Touch,
): boolean {
  const before = basis.index.project(host, reading.fact.id);
  if (!before || !isSameProject(before, reading)) {
    return false;
  }
  const ids: string[] = [];
  for (const [iid, after] of reading.mergeRequests) {
    const known = before.mergeRequests.get(iid);
    if (known === after) {
      continue;
    }
    if (
      !known ||
      !isOfItselfOnly(known, after, { basis, host, project: reading })
    ) {
      return false;
    }
    ids.push(keyString(after.fact.key));
  }
  basis.index.putProject(host, reading);
  ids.forEach(touch);
  return true;
}

function isSameProject(before: ProjectReading, after: ProjectReading): boolean {
  const missing = [...(after.missing ?? [])];
  return (
    isAsFresh(before, after) &&
    before.status === after.status &&
    isEqual(before.fact, after.fact) &&
    before.mergeRequests.size === after.mergeRequests.size &&
    missing.length === (before.missing?.size ?? 0) &&
    missing.every(([iid, at]) => before.missing?.get(iid) === at)
  );
}

/**
 * Whether what two readings of an MR differ in matters to its own preview alone:
 * its sets select it as before, what they render for it is the same, and no
 * Application is told by its head to be its own.
 */
function isOfItselfOnly(
  before: MergeRequestReading,
  after: MergeRequestReading,
  options: { basis: PassBasis; host: string; project: ProjectReading },
): boolean {
  if (before.deletedAt !== after.deletedAt) {
    return false;
  }
  if (before.fact === after.fact) {
    return true;
  }
  const { basis, host, project } = options;
  return (
    isEqual(identityOf(before.fact), identityOf(after.fact)) &&
    (before.fact.headSha === after.fact.headSha ||
      !basis.areCommitsEvidence()) &&
    basis.index
      .usesOfProject(host, project.fact)
      .every(use =>
        isEqual(
          whatSetsMakeOf(use, before.fact),
          whatSetsMakeOf(use, after.fact),
        ),
      )
  );
}

function identityOf(fact: MergeRequestFact) {
  const { key, state, author, sourceBranch, targetBranch } = fact;
  return { key, state, author: author.username, sourceBranch, targetBranch };
}

function whatSetsMakeOf(use: GeneratorUse, fact: MergeRequestFact) {
  return {
    isSelected: selects(use, fact).selected,
    names: namesFor(use, fact),
    destination: destinationFor(use, fact),
  };
}

/** Returns false where it cannot be told whom the change matters to. */
function takeObjects(
  { cluster, kind, keys, reading }: WorldChanges['objects'][number],
  context: Context,
  touch: Touch,
): boolean {
  const { index } = context.basis;
  const known: KindReading<Fact> | undefined =
    index.clusters.get(cluster)?.kinds[kind];
  if (!known || !isAsFresh(known, reading)) {
    return false;
  }
  const changed: string[] = [];
  for (const key of keys) {
    const before = known.objects.get(key);
    const after = reading.objects.get(key);
    if (isEqual(before, after)) {
      continue;
    }
    if (!isTold({ cluster, kind, before, after }, context, touch)) {
      return false;
    }
    changed.push(key);
  }
  index.putObjects({ cluster, kind, keys: changed, reading });
  if (NAMING_HOSTS.has(kind) && changed.length > 0) {
    context.basis.hostsInUse.forget();
  }
  return true;
}

/** Touches the previews that one object matters to; false where that cannot be told. */
function isTold(
  change: {
    cluster: string;
    kind: KindName;
    before: Fact | undefined;
    after: Fact | undefined;
  },
  context: Context,
  touch: Touch,
): boolean {
  const { cluster, kind, before, after } = change;
  const { basis } = context;
  if (kind === 'applications') {
    return (
      before !== undefined &&
      after !== undefined &&
      isApplicationTold(
        {
          cluster,
          before: before as ApplicationFact,
          after: after as ApplicationFact,
        },
        context,
        touch,
      )
    );
  }
  const touchWatchersOf = (watched: string) =>
    basis.watchersOf(watched).forEach(touch);
  if (kind === 'namespaces' && before && after) {
    const { name } = after.meta;
    touchWatchersOf(wholeNamespace(cluster, name));
    touchWatchersOf(namespaceItself(cluster, name));
    return true;
  }
  if (!LOOKED_UP_BY_NAMESPACE.has(kind)) {
    return false;
  }
  const namespace = (after ?? before)?.meta.namespace ?? '';
  touchWatchersOf(wholeNamespace(cluster, namespace));
  if (isTrackedKind(kind)) {
    for (const fact of [before, after]) {
      watchesOn(fact, { cluster, kind, namespace }).forEach(touchWatchersOf);
    }
  }
  return true;
}

/** By what a preview watches an object in a namespace that it shares with others. */
function watchesOn(
  fact: Fact | undefined,
  place: { cluster: string; kind: TrackedKind; namespace: string },
): string[] {
  if (!fact) {
    return [];
  }
  const { cluster, kind, namespace } = place;
  const { meta } = fact;
  const application = trackedForOf({ ...TRACKED_KINDS[kind], meta });
  return [
    objectInNamespace(cluster, namespace, { kind, name: meta.name }),
    ...(application === undefined
      ? []
      : [trackedInNamespace(cluster, namespace, application)]),
  ];
}

/**
 * An Application that stays where it is and whose it is matters to its own
 * preview. One that is joined to none matters to nobody while the rules say the
 * same of it.
 */
function isApplicationTold(
  change: { cluster: string; before: ApplicationFact; after: ApplicationFact },
  { basis, stored }: Context,
  touch: Touch,
): boolean {
  const { cluster, before, after } = change;
  if (
    before.meta.uid !== after.meta.uid ||
    !isEqual(before.meta.owner, after.meta.owner) ||
    !isEqual(before.destination, after.destination)
  ) {
    return false;
  }
  touchNeighbours({ cluster, before, after }, basis, touch);
  if (!isEqual(before.resources, after.resources)) {
    // What is tracked for a name is of the one among several that lists it.
    for (const namesake of basis.index.applicationsOfName(after.meta.name)) {
      const other = basis.ownerOf(namesake);
      if (other !== undefined) {
        touch(other);
      }
    }
  }
  if (before.meta.deletionRequestedAt !== after.meta.deletionRequestedAt) {
    // Who waits for its name is told that it goes.
    basis.lackingApplications.forEach(touch);
  }
  const id = basis.ownerOf({ cluster, fact: after });
  const isSameToRules = () =>
    isEqual(whatRulesSee(before), whatRulesSee(after));
  if (id === undefined) {
    return (
      isSameToRules() ||
      isStillNobodys(
        basis.joins.outcomeOf({ cluster, fact: before }),
        basis.joins.outcomeOf({ cluster, fact: after }),
      )
    );
  }
  const owner = stored.get(id);
  if (!owner) {
    // Its MR was not read yet, so that there is no preview to decide.
    return isSameToRules();
  }
  // The first of the rules: it was joined before, and its owner is unchanged.
  const isRemembered = owner.memory.joined.some(
    ({ uid, ownerUid }) =>
      uid === after.meta.uid && ownerUid === after.meta.owner?.uid,
  );
  if (!isRemembered) {
    return false;
  }
  touch(id);
  basis.replaceJoined(id, { cluster, fact: after });
  return true;
}

/** Whether a namespace is a preview's own depends on who else has something in it. */
function touchNeighbours(
  change: { cluster: string; before: ApplicationFact; after: ApplicationFact },
  basis: PassBasis,
  touch: Touch,
): void {
  const { cluster, before, after } = change;
  const [former, now] = [namesBeside(before), namesBeside(after)];
  const entered = [...now].filter(name => !former.has(name));
  const left = [...former].filter(name => !now.has(name));
  const destination =
    entered.length + left.length > 0
      ? basis.index.destinationOf({ cluster, fact: after })?.cluster
      : undefined;
  if (destination === undefined) {
    return;
  }
  // Where many are, one more changes nothing for any of them.
  const isOthersAnyway = (name: string) =>
    basis.areSeveralBeside(destination, name);
  for (const name of [
    ...left,
    ...entered.filter(one => !isOthersAnyway(one)),
  ]) {
    for (const watched of [
      wholeNamespace(destination, name),
      namespaceItself(destination, name),
    ]) {
      basis.watchersOf(watched).forEach(touch);
    }
  }
}

function namesBeside(fact: ApplicationFact): Set<string> {
  return new Set(namespacesBeside(fact).map(({ name }) => name));
}

/** What an Application is joined by, besides its name, uid and owner. */
function whatRulesSee({ meta, info, images, sources }: ApplicationFact) {
  return {
    labels: meta.labels,
    annotations: meta.annotations,
    info,
    images,
    revisions: sources.map(({ targetRevision }) => targetRevision),
  };
}

type Outcome = ReturnType<PassBasis['joins']['outcomeOf']>;

function isStillNobodys(before: Outcome, after: Outcome): boolean {
  return (
    before?.key === undefined &&
    after?.key === undefined &&
    isEqual(before, after)
  );
}
