import {
  ClusterReading,
  MergeRequestKey,
  NamespaceFact,
  ProjectReading,
  ReadingReference,
} from '../../model';
import { GeneratorUse, nameTemplate, renderNumbered } from '../generator';
import { labelledFor } from '../join';
import { isTrackedBy } from '../tracking';
import { keyString, WorldIndex } from '../worldIndex';
import { NumberedNamespaces, NumberedUse } from './NumberedNamespaces';
import { usedProjects } from './usedProjects';

/** Whose a namespace could be. */
export interface NamespaceClaim {
  candidates: readonly NamespaceCandidate[];
  uses: readonly GeneratorUse[];
  /** Its labels, or what Argo CD tracks, say so; else it has the name alone. */
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
  const { cluster, index, numbered } = surroundings;
  const named = numbered.usesFor(cluster.cluster, fact.meta.name);
  if (named.length === 0) {
    return undefined;
  }
  const marked = named.filter(one => isMarkedBy(one, fact));
  const meant = marked.length > 0 ? marked : named;
  const candidates = new Map<string, NamespaceCandidate>();
  for (const { use, iid } of meant) {
    for (const project of index.projectsOf(use)) {
      const key = { host: use.host, projectId: project.fact.id, iid };
      candidates.set(keyString(key), { key, project });
    }
  }
  const uses = meant.map(({ use }) => use);
  const { isAnyUnread, restsOn } = usedProjects(uses, index);
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
