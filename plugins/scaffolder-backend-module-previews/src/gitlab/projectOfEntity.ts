import { InputError, NotFoundError } from '@backstage/errors';
import { z } from 'zod/v3';
import { plainText } from './plainText';

const SLUG = 'gitlab.com/project-slug';
const ID = 'gitlab.com/project-id';
const INSTANCE = 'gitlab.com/instance';
const LOCATIONS = [
  'backstage.io/source-location',
  'backstage.io/managed-by-location',
];
/** GitLab separates a project's path from its pages by `/-/`; no other forge does. */
const PAGE = /^\/(.+?)\/-\/(?:tree|blob)\//;

const entitySchema = z.object({
  kind: z.string(),
  metadata: z.object({
    name: z.string(),
    namespace: z.string().optional(),
    annotations: z.record(z.unknown()).optional(),
  }),
  spec: z.object({ owner: z.unknown() }).partial().optional(),
  relations: z
    .array(z.object({ type: z.string(), targetRef: z.string() }).partial())
    .optional(),
});

/** What onboarding reads of an entity of the catalog. */
export interface ServiceEntity {
  ref: string;
  name: string;
  /** Reference of its owner. */
  owner?: string;
  /** The project as the annotations, or else its source location, say. */
  project: {
    /** Absent: not annotated, so the GitLab of the portal. */
    host?: string;
    /** By its number, which survives a rename, or its path. */
    idOrPath: number | string;
  };
}

type Entity = z.infer<typeof entitySchema>;

function annotationOf(entity: Entity, key: string): string | undefined {
  const value = entity.metadata.annotations?.[key];
  return typeof value === 'string' ? value.trim() : undefined;
}

function ownerOf(entity: Entity): string | undefined {
  const related = entity.relations?.find(({ type }) => type === 'ownedBy');
  const owner = related?.targetRef ?? entity.spec?.owner;
  return typeof owner === 'string' && owner !== '' ? owner : undefined;
}

function refOf({ kind, metadata }: Entity): string {
  return `${kind}:${metadata.namespace ?? 'default'}/${
    metadata.name
  }`.toLocaleLowerCase('en-US');
}

function ofLocation(
  entity: Entity,
  baseUrl: string,
): ServiceEntity['project'] | undefined {
  const location = LOCATIONS.map(key => annotationOf(entity, key)).find(
    Boolean,
  );
  if (!location?.startsWith('url:')) {
    return undefined;
  }
  let url: URL;
  try {
    url = new URL(location.slice('url:'.length));
  } catch {
    return undefined;
  }
  const mount = new URL(baseUrl).pathname.replace(/\/+$/, '');
  const page = PAGE.exec(url.pathname);
  if (!page || !url.pathname.startsWith(`${mount}/`)) {
    return undefined;
  }
  const path = `/${page[1]}`.slice(mount.length + 1);
  return path.includes('/') ? { host: url.host, idOrPath: path } : undefined;
}

/**
 * Which project of GitLab an entity is: by `gitlab.com/project-id`, else `gitlab.com/project-slug`, else
 * the page of GitLab that it was read from.
 *
 * @param entity - as the catalog answers it; null or undefined where there is none
 * @param baseUrl - of the GitLab in question, for one below a path
 * @throws NotFoundError where there is no such entity for the caller
 * @throws InputError for an entity without project, with the annotation that helps
 */
export function projectOfEntity(options: {
  entity: unknown;
  entityRef?: string;
  baseUrl: string;
}): ServiceEntity {
  const { entityRef, baseUrl } = options;
  if (options.entity === undefined || options.entity === null) {
    throw new NotFoundError(
      `The catalog has no ${plainText(
        entityRef ?? 'such entity',
      )}, or you may not see it`,
    );
  }
  const result = entitySchema.safeParse(options.entity);
  if (!result.success) {
    throw new InputError(
      `What was handed in as ${plainText(
        entityRef ?? 'entity',
      )} is no entity of the catalog`,
    );
  }
  const entity = result.data;
  const ref = plainText(refOf(entity));
  const refuse = (message: string): never => {
    throw new InputError(
      `${ref} ${message}; choose its repository instead, or annotate it with ${SLUG}`,
    );
  };
  const [slug, id, host] = [SLUG, ID, INSTANCE].map(key =>
    annotationOf(entity, key),
  );
  const found = (
    idOrPath: number | string,
    where = host?.toLocaleLowerCase('en-US') || undefined,
  ): ServiceEntity => ({
    ref,
    name: entity.metadata.name,
    owner: ownerOf(entity),
    project: { host: where, idOrPath },
  });
  if (id) {
    return /^[1-9]\d{0,14}$/.test(id)
      ? found(Number(id))
      : refuse(`says "${plainText(id)}" as ${ID}, which is no number`);
  }
  if (slug) {
    return /^[\w.-]+(\/[\w.-]+)+$/.test(slug)
      ? found(slug)
      : refuse(
          `says "${plainText(
            slug,
          )}" as ${SLUG}, which is no path such as group/project`,
        );
  }
  if (slug === '' || id === '') {
    return refuse('has an empty annotation, which says that it has no project');
  }
  const located = ofLocation(entity, baseUrl);
  return located
    ? found(located.idOrPath, located.host)
    : refuse('names no project of GitLab, and was not read from one');
}
