import { FindingEvidence } from '@previews/backstage-plugin-previews-common';
import {
  ClusterReading,
  MergeRequestKey,
  NamespaceFact,
  ProjectReading,
  ReadingReference,
} from '../../model';
import { errorOfSet } from '../conditions';
import { Decision } from '../decide';
import {
  GeneratorUse,
  nameTemplate,
  renderNumbered,
  selects,
  setReference,
} from '../generator';
import { labelledFor } from '../join';
import { isOlder } from '../observeNamespaces';
import { DecisionSettings } from '../settings';
import { hasElapsed } from '../time';
import { isTrackedBy } from '../tracking';
import { keyString, WorldIndex } from '../worldIndex';
import { Found, found, mergeRequestOf } from './found';
import { namespaceContents } from './namespaceContents';
import { NumberedNamespaces, NumberedUse } from './NumberedNamespaces';
import { Readings } from './Readings';
import { usedProjects } from './usedProjects';

interface Context {
  index: WorldIndex;
  decisions: ReadonlyMap<string, Decision>;
  readings: Readings;
  /** Sets under an alarm, of which nothing is called left behind. */
  frozenSets: ReadonlySet<string>;
  settings: DecisionSettings;
  now: string;
}

/** Whose a namespace could be. */
interface Claim {
  candidates: readonly Candidate[];
  uses: readonly GeneratorUse[];
  /** Its labels, or what Argo CD tracks, say so; else it has the name alone. */
  isMarked: boolean;
  isAnyUnread: boolean;
  restsOn: readonly ReadingReference[];
}

interface Candidate {
  key: MergeRequestKey;
  project: ProjectReading;
}

/**
 * Namespaces that were made for MRs which nobody wants, of which no Application was
 * ever seen: those that ended before the portal looked. Labels and what Argo CD
 * tracks tell for sure; with the name alone it is said that it may be.
 */
export function namespacesLeft(context: Context): Found[] {
  const { index } = context;
  const numbered = new NumberedNamespaces(index);
  let followed: ReadonlySet<string> | undefined;
  const result: Found[] = [];
  for (const cluster of index.clusters.values()) {
    for (const fact of cluster.kinds.namespaces.objects.values()) {
      if (!isStray(cluster, fact, index)) {
        continue;
      }
      const labelled = labelledFor(fact.meta);
      const claim = labelled
        ? claimByLabels(labelled, index)
        : claimByName(cluster, fact, { index, numbered });
      if (!claim) {
        continue;
      }
      followed ??= followedNamespaces(context.decisions);
      if (!followed.has(placeKey(cluster.cluster, fact.meta.name))) {
        result.push(...findingOf(cluster.cluster, fact, claim, context));
      }
    }
  }
  return result;
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

/** By the labels that name an MR; they carry no host, so that every host may be meant that has the project. */
function claimByLabels(
  labelled: Omit<MergeRequestKey, 'host'>,
  index: WorldIndex,
): Claim | undefined {
  const candidates = [...index.gitlab.keys()].flatMap(host => {
    const project = index.project(host, labelled.projectId);
    return project ? [{ key: { host, ...labelled }, project }] : [];
  });
  return candidates.length === 0
    ? undefined
    : {
        candidates,
        uses: candidates.flatMap(({ key, project }) =>
          index.usesOfProject(key.host, project.fact),
        ),
        isMarked: true,
        isAnyUnread: false,
        restsOn: candidates.map(({ key, project: { fact } }) => ({
          kind: 'project',
          host: key.host,
          projectId: fact.id,
          path: fact.path,
        })),
      };
}

function claimByName(
  { cluster }: ClusterReading,
  fact: NamespaceFact,
  options: { index: WorldIndex; numbered: NumberedNamespaces },
): Claim | undefined {
  const named = options.numbered.usesFor(cluster, fact.meta.name);
  if (named.length === 0) {
    return undefined;
  }
  const marked = named.filter(one => isMarkedBy(one, fact));
  const meant = marked.length > 0 ? marked : named;
  const candidates = new Map<string, Candidate>();
  for (const { use, iid } of meant) {
    for (const project of options.index.projectsOf(use)) {
      const key = { host: use.host, projectId: project.fact.id, iid };
      candidates.set(keyString(key), { key, project });
    }
  }
  const uses = meant.map(({ use }) => use);
  const { isAnyUnread, restsOn } = usedProjects(uses, options.index);
  return {
    candidates: [...candidates.values()],
    uses,
    isMarked: marked.length > 0,
    isAnyUnread,
    restsOn,
  };
}

/** Whether more than the name says that an Application of the set made it. */
function isMarkedBy({ use, iid }: NumberedUse, fact: NamespaceFact): boolean {
  const render = (template: unknown) =>
    typeof template === 'string'
      ? renderNumbered(use, template, String(iid))
      : undefined;
  const labels = Object.entries(labelsOfNamespaces(use)).flatMap(
    ([label, template]) => {
      const value = render(template);
      return value === undefined ? [] : [[label, value]];
    },
  );
  const application = render(nameTemplate(use.set));
  return (
    (labels.length > 0 &&
      labels.every(([label, value]) => fact.meta.labels[label] === value)) ||
    (application !== undefined &&
      isTrackedBy(
        { group: '', kind: 'Namespace', meta: fact.meta },
        { meta: { namespace: use.set.meta.namespace, name: application } },
        {},
      ))
  );
}

/** Argo CD writes them on the Namespaces that it creates, and on no other. */
function labelsOfNamespaces({ set }: GeneratorUse): Record<string, unknown> {
  const { spec } = set.template as {
    spec?: {
      syncPolicy?: {
        managedNamespaceMetadata?: { labels?: Record<string, unknown> };
      };
    };
  };
  return spec?.syncPolicy?.managedNamespaceMetadata?.labels ?? {};
}

function findingOf(
  cluster: string,
  fact: NamespaceFact,
  claim: Claim,
  context: Context,
): Found[] {
  const { index, decisions } = context;
  const candidates = claim.candidates.filter(({ key, project }) => {
    const opened = project.mergeRequests.get(key.iid)?.fact.createdAt;
    return !isOlder(fact, opened);
  });
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
      certain: isCertain({ claim, candidates, context }),
    }),
  ];
}

interface Question {
  claim: Claim;
  candidates: readonly Candidate[];
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
function isWanted({ key, project }: Candidate, index: WorldIndex): boolean {
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
function mayBeWanted({ key, project }: Candidate, index: WorldIndex): boolean {
  return (
    !project.mergeRequests.has(key.iid) &&
    index
      .usesOfProject(key.host, project.fact)
      .some(({ generator }) => generator.state !== 'opened')
  );
}

/** ISO: when it was over, or nobody wanted it any more, where that is known. */
function unwantedSince(
  { key, project }: Candidate,
  { decisions }: Context,
): string | undefined {
  const reading = project.mergeRequests.get(key.iid);
  return (
    reading?.fact.mergedAt ??
    reading?.fact.closedAt ??
    reading?.deletedAt ??
    decisions.get(keyString(key))?.change.stored.memory.unwantedSince
  );
}

function mergeRequestWithEnd(
  candidate: Candidate,
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
