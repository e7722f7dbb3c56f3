import {
  ANNOTATION_LOCATION,
  ANNOTATION_SOURCE_LOCATION,
  Entity,
} from '@backstage/catalog-model';
import { gitLabLocationUrl } from './gitLabLocation';
import { annotationProblem } from './sentences/annotationProblem';
import { parseTimeToLive, TimeToLive } from './timeToLive';
import { AnnotationProblem } from './types';

/**
 * Full path of the project, `group/project`, as other GitLab plugins use it.
 *
 * @public
 */
export const ANNOTATION_GITLAB_PROJECT_SLUG = 'gitlab.com/project-slug';

/**
 * Number of the project, as other GitLab plugins use it.
 *
 * @public
 */
export const ANNOTATION_GITLAB_PROJECT_ID = 'gitlab.com/project-id';

/**
 * Host of the GitLab instance. It only selects a configured one.
 *
 * @public
 */
export const ANNOTATION_GITLAB_INSTANCE = 'gitlab.com/instance';

/**
 * ApplicationSets that generate the previews, as a comma list of
 * `[cluster:]namespace/name`; only where the project alone does not decide.
 *
 * @public
 */
export const ANNOTATION_APPLICATION_SET = 'previews/application-set';

/**
 * Folder of a monorepo: only MRs that touch it belong to the entity.
 *
 * @public
 */
export const ANNOTATION_PATH = 'previews/path';

/**
 * How long an idle preview is kept: an ISO 8601 duration such as `P7D`, or `never`.
 *
 * @public
 */
export const ANNOTATION_TTL = 'previews/ttl';

/**
 * `"true"` or `"false"`.
 *
 * @public
 */
export const ANNOTATION_ENABLED = 'previews/enabled';

/**
 * Limits the entity's previews to one destination cluster.
 *
 * @public
 */
export const ANNOTATION_KUBERNETES_CLUSTER = 'backstage.io/kubernetes-cluster';

/**
 * An ApplicationSet as an entity names it.
 *
 * @public
 */
export interface ApplicationSetReference {
  /** Absent: in whichever configured cluster it is found. */
  cluster?: string;
  namespace: string;
  name: string;
}

/**
 * The project that an entity names.
 *
 * @public
 */
export interface ProjectReference {
  /** Full path; absent when only the id or the source location is known. */
  slug?: string;
  id?: number;
  /**
   * Host as annotated, else of the source location. Absent: decided by the
   * configuration.
   */
  host?: string;
  /**
   * What tells which project it is. An id wins over a slug: it survives a
   * rename. For `source-location` the slug is left to
   * {@link projectSlugFromLocation}, which knows where GitLab is mounted.
   */
  from: 'slug' | 'id' | 'source-location';
}

/**
 * What the annotations of an entity say about its previews.
 *
 * @public
 */
export interface PreviewsAnnotations {
  /** False only by `previews/enabled: "false"`. */
  enabled: boolean;
  /**
   * The entity asks for previews by `previews/enabled: "true"` or by naming an
   * ApplicationSet. Only then is a project read that no readable
   * ApplicationSet generates from.
   */
  explicit: boolean;
  /** Absent when nothing well-formed names one. */
  project?: ProjectReference;
  /** Without duplicates; empty when the project alone decides. */
  applicationSets: ApplicationSetReference[];
  /** Folder without leading and trailing slashes; absent for the whole repository. */
  path?: string;
  /**
   * How long its idle previews are kept. Absent: as configured. `never` for a
   * malformed value, which was meant to be something else than what is configured.
   */
  timeToLive?: TimeToLive;
  /** Name of the only destination cluster that counts. */
  cluster?: string;
  /** The URL that `project` was told from, when it is `source-location`. */
  sourceLocationUrl?: string;
  /** Malformed values, each with the sentence that says what is expected. */
  problems: AnnotationProblem[];
}

/** A hostile list is not answered with as many problems. */
const MAXIMUM_PROBLEMS_OF_A_LIST = 5;

const SLUG_SEGMENT = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/;
const NAMESPACE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const OBJECT_NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const HOST = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:\d{1,5})?$/i;

/**
 * Value of an annotation: undefined when it is not there, and the empty string
 * when it is there and disables its own use.
 */
function annotationOf(entity: Entity, annotation: string): string | undefined {
  const value: unknown = entity.metadata.annotations?.[annotation];
  return typeof value === 'string' ? value.trim() : undefined;
}

function malformed(
  annotation: string,
  value: string,
  expected: string,
): AnnotationProblem {
  return annotationProblem({
    annotation,
    reason: 'Malformed',
    params: { value, expected },
  });
}

/**
 * URL of the entity's source, when it is in a GitLab. An empty slug or id
 * disables the fallback too: whoever empties it does not want a project.
 */
function sourceLocationOf(entity: Entity): string | undefined {
  if (
    annotationOf(entity, ANNOTATION_GITLAB_PROJECT_SLUG) === '' ||
    annotationOf(entity, ANNOTATION_GITLAB_PROJECT_ID) === ''
  ) {
    return undefined;
  }
  return gitLabLocationUrl(
    annotationOf(entity, ANNOTATION_SOURCE_LOCATION) ||
      annotationOf(entity, ANNOTATION_LOCATION),
  );
}

/**
 * Whether an entity can have previews: `previews/enabled` is not `"false"`, and
 * a project or an ApplicationSet is named, or its source is in a GitLab. True
 * for a malformed value, so that the tab is there to show the problem.
 *
 * @public
 */
export function isPreviewsAvailable(entity: Entity): boolean {
  if (annotationOf(entity, ANNOTATION_ENABLED) === 'false') {
    return false;
  }
  return Boolean(
    annotationOf(entity, ANNOTATION_GITLAB_PROJECT_SLUG) ||
      annotationOf(entity, ANNOTATION_GITLAB_PROJECT_ID) ||
      annotationOf(entity, ANNOTATION_APPLICATION_SET) ||
      sourceLocationOf(entity),
  );
}

/**
 * URL of the GitLab file that the catalog read the entity from, for deciding
 * which projects it may claim. Only `backstage.io/managed-by-location` tells:
 * the catalog sets it itself, while the source location is whatever the
 * entity's author writes.
 *
 * @public
 */
export function ownLocationUrl(entity: Entity): string | undefined {
  return gitLabLocationUrl(annotationOf(entity, ANNOTATION_LOCATION));
}

function isSlug(value: string, host: string | undefined): boolean {
  const segments = value.split('/');
  const looksLikeHost =
    segments[0].toLocaleLowerCase('en-US') === host ||
    /^(gitlab|www)\./i.test(segments[0]);
  return (
    segments.length >= 2 &&
    value.length <= 1024 &&
    !looksLikeHost &&
    !/\.(git|atom)$/.test(value) &&
    segments.every(
      segment => SLUG_SEGMENT.test(segment) && !/^\.+$/.test(segment),
    )
  );
}

/** Cluster names may hold slashes and colons, as those of EKS do. */
function parseApplicationSet(
  value: string,
): ApplicationSetReference | undefined {
  const colon = value.lastIndexOf(':');
  const cluster = colon < 0 ? undefined : value.slice(0, colon);
  const [namespace, name, ...rest] = value.slice(colon + 1).split('/');
  if (
    rest.length > 0 ||
    !NAMESPACE.test(namespace) ||
    name === undefined ||
    !OBJECT_NAME.test(name) ||
    (cluster !== undefined && !/^\S+$/.test(cluster))
  ) {
    return undefined;
  }
  return { ...(cluster && { cluster }), namespace, name };
}

function readApplicationSets(
  entity: Entity,
  problems: AnnotationProblem[],
): ApplicationSetReference[] {
  const items = (annotationOf(entity, ANNOTATION_APPLICATION_SET) ?? '')
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');
  const references: ApplicationSetReference[] = [];
  let malformedItems = 0;
  for (const item of new Set(items)) {
    const reference = parseApplicationSet(item);
    if (reference) {
      references.push(reference);
    } else if (malformedItems < MAXIMUM_PROBLEMS_OF_A_LIST) {
      malformedItems += 1;
      problems.push(
        malformed(ANNOTATION_APPLICATION_SET, item, '[cluster:]namespace/name'),
      );
    }
  }
  return references;
}

function readProject(
  entity: Entity,
  problems: AnnotationProblem[],
): { project?: ProjectReference; sourceLocationUrl?: string } {
  const slugValue = annotationOf(entity, ANNOTATION_GITLAB_PROJECT_SLUG);
  const idValue = annotationOf(entity, ANNOTATION_GITLAB_PROJECT_ID);
  const hostValue = annotationOf(entity, ANNOTATION_GITLAB_INSTANCE);

  let host: string | undefined;
  if (hostValue) {
    if (HOST.test(hostValue)) {
      host = hostValue.toLocaleLowerCase('en-US');
    } else {
      problems.push(
        malformed(ANNOTATION_GITLAB_INSTANCE, hostValue, 'gitlab.example.com'),
      );
    }
  }
  let slug: string | undefined;
  if (slugValue) {
    if (isSlug(slugValue, host)) {
      slug = slugValue;
    } else {
      problems.push(
        malformed(ANNOTATION_GITLAB_PROJECT_SLUG, slugValue, 'group/project'),
      );
    }
  }
  let id: number | undefined;
  if (idValue) {
    if (/^[1-9]\d{0,14}$/.test(idValue)) {
      id = Number(idValue);
    } else {
      problems.push(malformed(ANNOTATION_GITLAB_PROJECT_ID, idValue, '1234'));
    }
  }

  // Without the right instance the same path or id is somebody else's project.
  if (hostValue && !host) {
    return {};
  }
  if (slug !== undefined || id !== undefined) {
    return {
      project: {
        ...(slug !== undefined && { slug }),
        ...(id !== undefined && { id }),
        ...(host && { host }),
        from: id !== undefined ? 'id' : 'slug',
      },
    };
  }
  // A malformed value was meant to name another project than the source's.
  if (slugValue || idValue) {
    return {};
  }
  const sourceLocationUrl = sourceLocationOf(entity);
  if (!sourceLocationUrl) {
    return {};
  }
  return {
    project: {
      host: host ?? new URL(sourceLocationUrl).host,
      from: 'source-location',
    },
    sourceLocationUrl,
  };
}

function readPath(
  entity: Entity,
  problems: AnnotationProblem[],
): string | undefined {
  const value = annotationOf(entity, ANNOTATION_PATH);
  if (!value) {
    return undefined;
  }
  const segments = value
    .split('/')
    .filter(segment => segment !== '' && segment !== '.');
  if (segments.includes('..') || /[\\*?:]/.test(value)) {
    problems.push(malformed(ANNOTATION_PATH, value, 'services/api'));
    return undefined;
  }
  return segments.join('/') || undefined;
}

function readTimeToLive(
  entity: Entity,
  problems: AnnotationProblem[],
): TimeToLive | undefined {
  const value = annotationOf(entity, ANNOTATION_TTL);
  if (!value) {
    return undefined;
  }
  const timeToLive = parseTimeToLive(value);
  if (timeToLive === undefined) {
    problems.push(malformed(ANNOTATION_TTL, value, 'P7D|PT12H|never'));
    return 'never';
  }
  return timeToLive;
}

/**
 * Reads what an entity's annotations say about its previews. Never throws: a
 * malformed value is left out and becomes a problem.
 *
 * @public
 */
export function readPreviewsAnnotations(entity: Entity): PreviewsAnnotations {
  const problems: AnnotationProblem[] = [];

  const enabledValue = annotationOf(entity, ANNOTATION_ENABLED);
  if (enabledValue && enabledValue !== 'true' && enabledValue !== 'false') {
    problems.push(malformed(ANNOTATION_ENABLED, enabledValue, 'true|false'));
  }
  const { project, sourceLocationUrl } = readProject(entity, problems);
  const applicationSets = readApplicationSets(entity, problems);
  const path = readPath(entity, problems);
  const timeToLive = readTimeToLive(entity, problems);
  const cluster = annotationOf(entity, ANNOTATION_KUBERNETES_CLUSTER);

  return {
    enabled: enabledValue !== 'false',
    explicit: enabledValue === 'true' || applicationSets.length > 0,
    ...(project && { project }),
    applicationSets,
    ...(path && { path }),
    ...(timeToLive !== undefined && { timeToLive }),
    ...(cluster && { cluster }),
    ...(sourceLocationUrl && { sourceLocationUrl }),
    problems,
  };
}
