import { FindingEvidence } from '@previews/backstage-plugin-previews-common';
import {
  ClusterReading,
  MergeRequestKey,
  NamespaceFact,
  ReadingReference,
} from '../../model';
import { errorOfSet } from '../conditions';
import { Decision } from '../decide';
import { GeneratorUse, selects, setReference } from '../generator';
import { isOlder } from '../observeNamespaces';
import { DecisionSettings } from '../settings';
import { hasElapsed } from '../time';
import { keyString, WorldIndex } from '../worldIndex';
import { Found, found, mergeRequestOf } from './found';
import { KnownMergeRequests } from './KnownMergeRequests';
import { namespaceContents } from './namespaceContents';
import { NamespaceClaim, NamespaceCandidate, claimOn } from './namespaceClaims';
import { NumberedNamespaces } from './NumberedNamespaces';
import { Readings } from './Readings';

interface Context {
  index: WorldIndex;
  decisions: ReadonlyMap<string, Decision>;
  readings: Readings;
  /** Sets under an alarm, of which nothing is called left behind. */
  frozenSets: ReadonlySet<string>;
  settings: DecisionSettings;
  now: string;
}

/** Nobody asks GitLab about each of more that a namespace could be of. */
const MAX_ASKED = 10;

/** What became of namespaces, and what would tell more. */
export interface NamespacesLeft {
  found: readonly Found[];
  /** MRs that nobody reads: when they began and ended matters. */
  past: readonly MergeRequestKey[];
}

/**
 * Namespaces that were made for MRs which nobody wants, of which no Application was
 * ever seen: those that ended before the portal looked. Labels and what Argo CD
 * tracks tell for sure; with the name alone it is said that it may be.
 */
export function namespacesLeft(context: Context): NamespacesLeft {
  const { index } = context;
  const numbered = new NumberedNamespaces(index);
  const known = new KnownMergeRequests(context.decisions);
  let followed: ReadonlySet<string> | undefined;
  const result: Found[] = [];
  const past = new Map<string, MergeRequestKey>();
  for (const cluster of index.clusters.values()) {
    for (const fact of cluster.kinds.namespaces.objects.values()) {
      if (!isStray(cluster, fact, index)) {
        continue;
      }
      const claim = claimOn(fact, { cluster, index, numbered, known });
      if (!claim) {
        continue;
      }
      followed ??= followedNamespaces(context.decisions);
      if (!followed.has(placeKey(cluster.cluster, fact.meta.name))) {
        for (const { key } of unreadOf(claim, context)) {
          past.set(keyString(key), key);
        }
        result.push(
          ...findingOf(cluster.cluster, fact, claim, { ...context, known }),
        );
      }
    }
  }
  return { found: result, past: [...past.values()] };
}

/** MRs that are in no list and of which there is no preview. */
function unreadOf(
  { asked }: NamespaceClaim,
  { decisions }: Context,
): NamespaceCandidate[] {
  return asked.length > MAX_ASKED
    ? []
    : asked.filter(
        ({ key, project }) =>
          !project.mergeRequests.has(key.iid) && !decisions.has(keyString(key)),
      );
}

/** Nobody is deleting it, and no Application has anything in it. */
function isStray(
  { cluster }: ClusterReading,
  { phase, meta }: NamespaceFact,
  index: WorldIndex,
): boolean {
  return (
    phase !== 'Terminating' &&
    meta.deletionRequestedAt === undefined &&
    index.applicationsInto(cluster, meta.name).length === 0 &&
    index.applicationsBeside(cluster, meta.name).size === 0
  );
}

function placeKey(cluster: string, name: string): string {
  return JSON.stringify([cluster, name]);
}

/** Those of previews, whose own phase tells what becomes of them. */
function followedNamespaces(
  decisions: ReadonlyMap<string, Decision>,
): Set<string> {
  const followed = new Set<string>();
  for (const { change } of decisions.values()) {
    for (const { own, cluster, name } of change.stored.preview.namespaces) {
      if (own) {
        followed.add(placeKey(cluster, name));
      }
    }
  }
  return followed;
}

function findingOf(
  cluster: string,
  fact: NamespaceFact,
  claim: NamespaceClaim,
  context: Context & { known: KnownMergeRequests },
): Found[] {
  const { index, decisions, known } = context;
  const candidates = claim.candidates.filter(
    ({ key, project }) => !isOlder(fact, known.openedNotBefore(key, project)),
  );
  if (
    candidates.length === 0 ||
    !isLeft(fact, { claim, candidates, context })
  ) {
    return [];
  }
  const { name } = fact.meta;
  const contents = namespaceContents({ cluster, name }, context);
  const counted = contents !== undefined && { contents };
  const [only, ...others] = candidates.map(candidate =>
    mergeRequestWithEnd(candidate, context),
  );
  return [
    found({
      type: claim.isMarked ? 'NamespaceLeft' : 'NamespaceMaybeLeft',
      subject: { kind: 'Namespace', cluster, name },
      params: {
        namespace: name,
        cluster,
        ...(others.length === 0
          ? { mergeRequest: only.name, since: only.since }
          : // Who may see one of several projects is not told of the others.
            { mergeRequest: `!${candidates[0].key.iid}` }),
        ...counted,
      },
      previewIds: candidates.flatMap(
        ({ key }) =>
          decisions.get(keyString(key))?.change.stored.preview.id ?? [],
      ),
      evidence: [
        only,
        ...others,
        {
          kind: 'Namespace',
          cluster,
          name,
          ...(fact.meta.createdAt && { since: fact.meta.createdAt }),
          ...counted,
        },
        ...setsOf(claim.uses),
      ],
      restsOn: [
        { kind: 'objects', cluster, objects: 'namespaces' },
        ...[...index.clusters.keys()].flatMap(home => whereItMayBeUsed(home)),
        ...claim.restsOn,
      ],
      applicationSets: claim.uses.map(use =>
        setReference(use.cluster, use.set),
      ),
      certain:
        // Where these deploy to may be this namespace by another address.
        index.applicationsElsewhere(name).length === 0 &&
        isCertain({ claim, candidates, context }),
    }),
  ];
}

interface Question {
  claim: NamespaceClaim;
  candidates: readonly NamespaceCandidate[];
  context: Context;
}

/** Nobody wants it, and its sets had the time to look twice. */
function isLeft(
  { meta }: NamespaceFact,
  { claim, candidates, context }: Question,
): boolean {
  const { index, decisions, settings, now } = context;
  const graceSeconds = Math.max(
    settings.minimumGraceSeconds,
    ...claim.uses.map(({ set }) => 2 * set.requeueAfterSeconds),
  );
  return (
    hasElapsed(meta.createdAt, now, graceSeconds) &&
    candidates.every(candidate => {
      const since = unwantedSince(candidate, context);
      return (
        !isWanted(candidate, index) &&
        (hasElapsed(since, now, graceSeconds) ||
          // One that nobody follows was over before.
          (since === undefined && !decisions.has(keyString(candidate.key))))
      );
    })
  );
}

function isCertain({ claim, candidates, context }: Question): boolean {
  const { index, frozenSets } = context;
  return (
    !claim.isAnyUnread &&
    unreadOf(claim, context).every(({ key, project }) =>
      project.past?.has(key.iid),
    ) &&
    !candidates.some(candidate => mayBeWanted(candidate, index)) &&
    claim.uses.every(
      ({ cluster, set }) =>
        !frozenSets.has(setReference(cluster, set)) &&
        errorOfSet(set) === undefined,
    )
  );
}

function whereItMayBeUsed(cluster: string): ReadingReference[] {
  return [
    { kind: 'objects', cluster, objects: 'applicationSets' },
    { kind: 'objects', cluster, objects: 'applications' },
  ];
}

/** A set would generate an Application for it now. */
function isWanted(
  { key, project }: NamespaceCandidate,
  index: WorldIndex,
): boolean {
  const reading = project.mergeRequests.get(key.iid);
  return (
    reading !== undefined &&
    reading.deletedAt === undefined &&
    index
      .usesOfProject(key.host, project.fact)
      .some(use => selects(use, reading.fact).selected)
  );
}

/** Only open MRs are in the lists that are read; a set that takes others may want one that is not. */
function mayBeWanted(
  { key, project }: NamespaceCandidate,
  index: WorldIndex,
): boolean {
  return (
    !project.mergeRequests.has(key.iid) &&
    index
      .usesOfProject(key.host, project.fact)
      .some(({ generator }) => generator.state !== 'opened')
  );
}

/** ISO: when it was over, or nobody wanted it any more, where that is known. */
function unwantedSince(
  { key, project }: NamespaceCandidate,
  { decisions }: Context,
): string | undefined {
  const reading = project.mergeRequests.get(key.iid);
  return (
    reading?.fact.mergedAt ??
    reading?.fact.closedAt ??
    reading?.deletedAt ??
    project.past?.get(key.iid)?.endedAt ??
    decisions.get(keyString(key))?.change.stored.memory.unwantedSince
  );
}

function mergeRequestWithEnd(
  candidate: NamespaceCandidate,
  context: Context,
): FindingEvidence {
  const since = unwantedSince(candidate, context);
  return {
    ...mergeRequestOf(candidate.key, context.index),
    ...(since !== undefined && { since }),
  };
}

function setsOf(uses: readonly GeneratorUse[]): FindingEvidence[] {
  const sets = new Map(
    uses.map(use => [setReference(use.cluster, use.set), use]),
  );
  return [...sets.values()].map(({ cluster, set: { meta } }) => ({
    kind: 'ApplicationSet',
    cluster,
    namespace: meta.namespace ?? '',
    name: meta.name,
  }));
}
