import {
  ClusterReading,
  MergeRequestKey,
  NamespaceFact,
  ProjectReading,
  ReadingReference,
} from '../../model';
import { GeneratorUse } from '../generator';
import { labelledFor } from '../join';
import { keyString, WorldIndex } from '../worldIndex';
import { KnownMergeRequests } from './KnownMergeRequests';
import { markOn, NamespaceMark } from './namespaceMarks';
import { NumberedNamespaces, NumberedUse } from './NumberedNamespaces';
import { usedProjects } from './usedProjects';

/** Whose a namespace could be. */
export interface NamespaceClaim {
  candidates: readonly NamespaceCandidate[];
  /** The candidates, and others that are none because of what GitLab says of them. */
  asked: readonly NamespaceCandidate[];
  uses: readonly GeneratorUse[];
  /** More than its name says so. */
  isMarked: boolean;
  isAnyUnread: boolean;
  restsOn: readonly ReadingReference[];
}

/** An MR, which need not be among those that were read. */
export interface NamespaceCandidate {
  key: MergeRequestKey;
  project: ProjectReading;
}

interface Surroundings {
  /** Where the namespace is. */
  cluster: ClusterReading;
  index: WorldIndex;
  numbered: NumberedNamespaces;
  known: KnownMergeRequests;
}

interface Possible extends NamespaceCandidate {
  use: GeneratorUse;
  mark: NamespaceMark;
}

/** The MRs that a namespace was made for, or could have been; undefined where nothing says so. */
export function claimOn(
  fact: NamespaceFact,
  surroundings: Surroundings,
): NamespaceClaim | undefined {
  const labelled = labelledFor(fact.meta);
  return labelled
    ? claimByLabels(labelled, surroundings.index)
    : claimByName(fact, surroundings);
}

/** By the labels that name an MR; they carry no host, so that every host may be meant that has the project. */
function claimByLabels(
  labelled: Omit<MergeRequestKey, 'host'>,
  index: WorldIndex,
): NamespaceClaim | undefined {
  const candidates = [...index.gitlab.keys()].flatMap(host => {
    const project = index.project(host, labelled.projectId);
    return project ? [{ key: { host, ...labelled }, project }] : [];
  });
  return candidates.length === 0
    ? undefined
    : {
        candidates,
        asked: candidates,
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
  fact: NamespaceFact,
  surroundings: Surroundings,
): NamespaceClaim | undefined {
  const { cluster, index, numbered, known } = surroundings;
  const named = numbered.usesFor(cluster.cluster, fact.meta.name);
  if (named.length === 0) {
    return undefined;
  }
  const possible = named.flatMap(one => possibleOf(fact, one, index));
  const unread = named.filter(({ use }) => index.projectsOf(use).length === 0);
  const marked = markedOf(possible, known);
  const asked =
    marked.length > 0
      ? marked
      : possible.filter(one => mayHaveBeenOpened(one, known));
  const meant = asked.filter(
    one => marked.length > 0 || !isOfNoNumber(one, known),
  );
  const uses = [
    ...meant.map(({ use }) => use),
    ...unread
      // A set that would have written something else on it cannot be meant.
      .filter(one => marked.length === 0 || markOn(fact, one) !== 'none')
      .map(({ use }) => use),
  ];
  const { isAnyUnread, restsOn } = usedProjects(uses, index);
  return {
    candidates: candidatesOf(meant),
    asked: candidatesOf(asked),
    uses,
    isMarked: marked.length > 0,
    isAnyUnread,
    restsOn,
  };
}

/** Several uses may list one MR. */
function candidatesOf(possible: readonly Possible[]): NamespaceCandidate[] {
  return [
    ...new Map(
      possible.map(({ key, project }) => [keyString(key), { key, project }]),
    ).values(),
  ];
}

/** The MRs of a number, in the projects of a use that are read. */
function possibleOf(
  fact: NamespaceFact,
  { use, iid }: NumberedUse,
  index: WorldIndex,
): Possible[] {
  return index.projectsOf(use).map(project => ({
    use,
    key: { host: use.host, projectId: project.fact.id, iid },
    project,
    mark: markOn(fact, { use, iid }, project.mergeRequests.get(iid)?.fact),
  }));
}

/**
 * Those that more than the name speaks for. What a set writes whatever the number
 * says that a set made it; for which MR is known only where each that could be
 * meant is known to have been.
 */
function markedOf(
  possible: readonly Possible[],
  known: KnownMergeRequests,
): readonly Possible[] {
  const byNumber = possible.filter(({ mark }) => mark === 'number');
  if (byNumber.length > 0) {
    return byNumber;
  }
  const bySet = possible.filter(
    one =>
      (one.mark === 'set' || one.mark === 'unclear') &&
      isAnyOpened(one, known) !== false,
  );
  return bySet.every(
    one => one.mark === 'set' && isAnyOpened(one, known) === true,
  )
    ? bySet
    : [];
}

/** Whether an MR of that number has been; undefined where no MR of the project is known. */
function isAnyOpened(
  { key, project }: NamespaceCandidate,
  known: KnownMergeRequests,
): boolean | undefined {
  const newest = known.newest(key.host, project);
  return newest === undefined ? undefined : key.iid <= newest;
}

/** MRs that are over are in no list: between the newest that is known and the next there may have been so many. */
const UNKNOWN_AT_MOST = 100;

/** A number that is far above all others, such as a year, is that of no MR. */
function mayHaveBeenOpened(
  { key, project }: NamespaceCandidate,
  known: KnownMergeRequests,
): boolean {
  const newest = known.newest(key.host, project);
  return newest === undefined || key.iid <= 2 * newest + UNKNOWN_AT_MOST;
}

/** GitLab has none of the number, nor can one have been deleted. */
function isOfNoNumber(
  { key, project }: NamespaceCandidate,
  known: KnownMergeRequests,
): boolean {
  const newest = known.newest(key.host, project);
  const past = project.past?.get(key.iid);
  return (
    newest !== undefined &&
    key.iid > newest &&
    past !== undefined &&
    past.createdAt === undefined
  );
}
