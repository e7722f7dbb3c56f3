import { Entity, stringifyEntityRef } from '@backstage/catalog-model';
import {
  ANNOTATION_GITLAB_INSTANCE,
  annotationProblem,
  AnnotationProblem,
  isPreviewsAvailable,
  ownLocationUrl,
  PreviewsAnnotations,
  projectSlugFromLocation,
  readPreviewsAnnotations,
} from '@previews/backstage-plugin-previews-common';
import { GitLabHostConfig } from '../../config';
import { EntityFact } from '../../model';

const ANNOTATION_SOURCE_LOCATION = 'backstage.io/source-location';

type Hosts = readonly GitLabHostConfig[];

/** The instance and full path that a location belongs to, by the base URLs. */
function projectOfLocation(
  hosts: Hosts,
  locationUrl: string | undefined,
): { host: string; path: string } | undefined {
  for (const { host, webUrl } of locationUrl ? hosts : []) {
    const path = projectSlugFromLocation({
      locationUrl: locationUrl!,
      baseUrl: webUrl,
    });
    if (path !== undefined) {
      return { host, path };
    }
  }
  return undefined;
}

/** An annotated host only selects a configured one; no URL is built from it. */
function projectOf(
  annotations: PreviewsAnnotations,
  options: { hosts: Hosts; ownHost: string | undefined },
): { project?: EntityFact['project']; problem?: AnnotationProblem } {
  const { hosts } = options;
  const { project, sourceLocationUrl } = annotations;
  if (!project) {
    return {};
  }
  if (project.from === 'source-location') {
    const found = projectOfLocation(hosts, sourceLocationUrl);
    if (found) {
      return { project: found };
    }
    const host = project.host ?? '';
    return hosts.some(candidate => candidate.host === host)
      ? {}
      : {
          problem: annotationProblem({
            annotation: ANNOTATION_SOURCE_LOCATION,
            reason: 'UnknownHost',
            params: { host },
          }),
        };
  }
  // Without an instance: that of the entity's own location, else the first.
  const host = project.host ?? options.ownHost ?? hosts[0]?.host;
  if (!hosts.some(candidate => candidate.host === host)) {
    return host === undefined
      ? {}
      : {
          problem: annotationProblem({
            annotation: ANNOTATION_GITLAB_INSTANCE,
            reason: 'UnknownHost',
            params: { host },
          }),
        };
  }
  return {
    project: {
      host,
      ...(project.slug !== undefined && { path: project.slug }),
      ...(project.id !== undefined && { id: project.id }),
    },
  };
}

/**
 * What an entity says of its previews; undefined when it has none: because it
 * says so, or because nothing leads to a project.
 */
export function parseEntity(
  entity: Entity,
  options: { hosts: Hosts },
): EntityFact | undefined {
  if (!isPreviewsAvailable(entity)) {
    return undefined;
  }
  const { hosts } = options;
  const annotations = readPreviewsAnnotations(entity);
  const own = projectOfLocation(hosts, ownLocationUrl(entity));
  const { project, problem } = projectOf(annotations, {
    hosts,
    ownHost: own?.host,
  });
  return {
    entityRef: stringifyEntityRef(entity),
    ...(project && { project }),
    ...(own && {
      ownGroup: { host: own.host, group: own.path.split('/')[0] },
    }),
    applicationSets: annotations.applicationSets,
    explicit: annotations.explicit,
    ...(annotations.cluster && { cluster: annotations.cluster }),
    ...(annotations.path && { path: annotations.path }),
    ...(annotations.timeToLive !== undefined && {
      timeToLive: annotations.timeToLive,
    }),
    problems: [...annotations.problems, ...(problem ? [problem] : [])],
  };
}
