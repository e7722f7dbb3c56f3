import {
  AnnotationProblem,
  annotationProblem,
} from '@previews/backstage-plugin-previews-common';
import { EntityFact, StoredPreview } from '../model';
import { GeneratorUse, setReference } from './generator';
import { Observed } from './gather';
import { isLost } from './lostClusters';
import { projectString, WorldIndex } from './worldIndex';

/** Whether the configuration allows a claim that the entity's own location does not. */
export type ClaimPolicy = (claim: {
  entityRef: string;
  host: string;
  projectPath: string;
}) => boolean;

/** What an entity's annotations lead to. */
export interface EntityLink {
  entity: EntityFact;
  /** The project that is claimed, once it was read and if the claim is allowed. */
  project?: { host: string; path: string; id: number };
  /** Sets that generate from the project, or that the entity names, as `cluster:namespace/name`. */
  applicationSets: string[];
  problems: AnnotationProblem[];
  /** A set that the entity names may be in a cluster that was not read. */
  isAnySetUnread: boolean;
}

/** Follows every entity's annotations to a project and to sets. */
export function linkEntities(
  index: WorldIndex,
  isAllowed: ClaimPolicy,
): EntityLink[] {
  return index.world.catalog.entities.map(entity =>
    linkEntity(entity, { index, isAllowed }),
  );
}

function linkEntity(
  entity: EntityFact,
  context: {
    index: WorldIndex;
    isAllowed: ClaimPolicy;
  },
): EntityLink {
  const { index } = context;
  const problems = [...entity.problems];
  const named = namedUses(entity, index, problems);
  const isAnySetUnread =
    entity.applicationSets.length > 0 && !areSetsReadable(index);
  if (!entity.project) {
    return {
      entity,
      applicationSets: referencesOf(named),
      problems,
      isAnySetUnread,
    };
  }
  const { host, path, id } = entity.project;
  const found =
    id !== undefined
      ? index.project(host, id)
      : index.projectAt(host, path ?? '');
  const projectPath = found?.fact.path ?? path;
  if (
    projectPath !== undefined &&
    !isClaimAllowed(entity, { host, projectPath }, context.isAllowed)
  ) {
    problems.push(
      annotationProblem({
        annotation: annotationOf(entity),
        reason: 'ProjectClaimedFromElsewhere',
        params: { project: projectPath },
      }),
    );
    return { entity, applicationSets: [], problems, isAnySetUnread: false };
  }
  if (!found) {
    if (isUnreadable(entity, index)) {
      problems.push(
        annotationProblem({
          annotation: annotationOf(entity),
          reason: 'ProjectNotFound',
          params: { project: path ?? String(id), host },
        }),
      );
    }
    return {
      entity,
      applicationSets: referencesOf(named),
      problems,
      isAnySetUnread,
    };
  }
  const { fact } = found;
  const uses =
    entity.applicationSets.length > 0 ? named : index.usesOfProject(host, fact);
  return {
    entity,
    project: { host, path: fact.path, id: fact.id },
    applicationSets: referencesOf(uses),
    problems,
    isAnySetUnread,
  };
}

function annotationOf(entity: EntityFact): string {
  return entity.project?.id !== undefined
    ? 'gitlab.com/project-id'
    : 'gitlab.com/project-slug';
}

function referencesOf(uses: readonly GeneratorUse[]): string[] {
  return [
    ...new Set(uses.map(use => setReference(use.cluster, use.set))),
  ].sort();
}

function areSetsReadable({ world }: WorldIndex): boolean {
  return world.clusters.every(
    ({ kinds }) =>
      kinds.applicationSets.state === 'ready' ||
      kinds.applicationSets.state === 'notInstalled',
  );
}

/** Uses of the sets that an entity names; a set that no readable cluster has is a problem. */
function namedUses(
  entity: EntityFact,
  index: WorldIndex,
  problems: AnnotationProblem[],
): GeneratorUse[] {
  return entity.applicationSets.flatMap(named => {
    const uses = index
      .usesOfSetNamed(named.namespace, named.name)
      .filter(
        ({ cluster }) =>
          named.cluster === undefined || named.cluster === cluster,
      );
    if (
      uses.length === 0 &&
      areSetsReadable(index) &&
      index.world.clusters.length > 0
    ) {
      const applicationSet = `${named.cluster ? `${named.cluster}:` : ''}${
        named.namespace
      }/${named.name}`;
      problems.push(
        annotationProblem({
          annotation: 'previews/application-set',
          reason: 'ApplicationSetNotFound',
          params: { applicationSet },
        }),
      );
    }
    return uses;
  });
}

/** GitLab answered, and the project is not among what the token may read. */
function isUnreadable(entity: EntityFact, index: WorldIndex): boolean {
  const { host, path, id } = entity.project!;
  const reference = (path ?? String(id)).toLowerCase();
  return (
    index.gitlab
      .get(host)
      ?.unreadable.some(
        ({ reference: tried, status }) =>
          tried.toLowerCase() === reference && status === 404,
      ) ?? false
  );
}

/** An entity may claim what lies in the top-level group of its own location. */
function isClaimAllowed(
  { entityRef, ownGroup }: EntityFact,
  claim: { host: string; projectPath: string },
  isAllowed: ClaimPolicy,
): boolean {
  const group = claim.projectPath.split('/')[0].toLowerCase();
  const own =
    ownGroup?.host === claim.host && ownGroup.group.toLowerCase() === group;
  return own || isAllowed({ entityRef, ...claim });
}

/** Looks up the entities of previews. */
export class EntityLinks {
  readonly #byProject = new Map<string, EntityLink[]>();
  readonly #bySetOnly: EntityLink[] = [];
  readonly #isAnyPath: boolean;

  constructor(
    readonly links: readonly EntityLink[],
    private readonly isAllowed: ClaimPolicy,
  ) {
    this.#isAnyPath = links.some(({ entity }) => entity.path !== undefined);
    for (const link of links) {
      if (link.project) {
        const key = projectString(link.project.host, link.project.id);
        this.#byProject.set(key, [...(this.#byProject.get(key) ?? []), link]);
      } else if (
        !link.entity.project &&
        // They may have been in a cluster that is configured no more.
        link.entity.applicationSets.length > 0
      ) {
        this.#bySetOnly.push(link);
      }
    }
  }

  /** The entities that a preview belongs to. */
  entitiesOf(
    observed: Observed,
    previous: StoredPreview | undefined,
  ): EntityFact[] {
    return this.#linksOf(observed, previous)
      .map(({ entity }) => entity)
      .filter(entity => touchesPath(entity, observed, previous));
  }

  /** Paths that the MR has to touch for one or another of the entities. */
  pathsOf(observed: Observed, previous: StoredPreview | undefined): string[] {
    return this.#isAnyPath
      ? this.#linksOf(observed, previous).flatMap(
          ({ entity }) => entity.path ?? [],
        )
      : [];
  }

  #linksOf(
    observed: Observed,
    previous: StoredPreview | undefined,
  ): EntityLink[] {
    const { key, project } = observed;
    const sets = new Set(setsOf(observed, previous?.memory.selectedBy ?? []));
    const wasOf = ({ entityRef }: EntityFact) =>
      previous?.preview.entityRefs.includes(entityRef) === true;
    const isAnyHomeLost = observed.homes.lost.applications.size > 0;
    // While a named set is not read, the preview stays where it was.
    const bySet = ({ applicationSets, isAnySetUnread, entity }: EntityLink) =>
      applicationSets.some(reference => sets.has(reference)) ||
      ((isAnySetUnread || isAnyHomeLost) && wasOf(entity));
    const byProject = (
      this.#byProject.get(projectString(key.host, key.projectId)) ?? []
    ).filter(link => link.entity.applicationSets.length === 0 || bySet(link));
    const projectPath = project?.fact.path;
    const bySetOnly =
      projectPath === undefined
        ? []
        : this.#bySetOnly.filter(
            link =>
              bySet(link) &&
              isClaimAllowed(
                link.entity,
                { host: key.host, projectPath },
                this.isAllowed,
              ),
          );
    return [...byProject, ...bySetOnly].filter(
      ({ entity }) =>
        entity.cluster === undefined ||
        isInCluster(observed, entity.cluster) ||
        (isLost(observed, entity.cluster) && wasOf(entity)),
    );
  }
}

/**
 * Whether an MR touches the path that an entity is limited to. While its changed
 * files are not read for the head, what was known before stands; without that it
 * counts, since a preview too many is better than one that nobody sees.
 */
function touchesPath(
  { entityRef, path }: EntityFact,
  { mergeRequest }: Observed,
  previous: StoredPreview | undefined,
): boolean {
  if (path === undefined) {
    return true;
  }
  const reading = mergeRequest?.touchedPaths;
  if (
    reading?.asked.includes(path) &&
    reading.forHead === mergeRequest?.fact.headSha
  ) {
    return reading.touched.includes(path);
  }
  return previous?.preview.entityRefs.includes(entityRef) ?? true;
}

/**
 * The sets that a preview is of: those that own or select it now, else those
 * that did, else all that look at its project.
 */
function setsOf(
  { uses, selecting, applications }: Observed,
  selectedBefore: readonly string[],
): readonly string[] {
  const now = [
    ...applications.flatMap(({ cluster, set }) =>
      set ? [setReference(cluster, set)] : [],
    ),
    ...selecting.map(use => setReference(use.cluster, use.set)),
  ];
  if (now.length > 0) {
    return now;
  }
  return selectedBefore.length > 0
    ? selectedBefore
    : uses.map(use => setReference(use.cluster, use.set));
}

/** A preview without an Application yet is in every cluster that it may come to. */
function isInCluster({ applications }: Observed, cluster: string): boolean {
  return (
    applications.length === 0 ||
    applications.some(({ destination }) => destination?.cluster === cluster)
  );
}
