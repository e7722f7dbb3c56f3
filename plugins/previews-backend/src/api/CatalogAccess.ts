import {
  AuthService,
  BackstageCredentials,
} from '@backstage/backend-plugin-api';
import { stringifyEntityRef } from '@backstage/catalog-model';
import { ServiceUnavailableError } from '@backstage/errors';
import { CatalogService } from '@backstage/plugin-catalog-node';

const KEPT_MS = 30_000;
const MOST_CALLERS = 500;
const REFS_PER_REQUEST = 500;

interface Remembered {
  lastUsed: number;
  /** By entity ref: whether the caller may read it, until when. */
  entities: Map<string, { readable: boolean; until: number }>;
  /** By owners: refs of what they own, until when. */
  owned: Map<string, { entityRefs: string[]; until: number }>;
}

function dropExpired(kept: Map<string, { until: number }>, now: number): void {
  for (const [key, { until }] of kept) {
    if (until <= now) {
      kept.delete(key);
    }
  }
}

/** Name of the caller, by which answers of the catalog are kept apart. */
export function callerName(
  auth: AuthService,
  credentials: BackstageCredentials,
): string {
  if (auth.isPrincipal(credentials, 'user')) {
    return `user:${credentials.principal.userEntityRef}`;
  }
  if (auth.isPrincipal(credentials, 'service')) {
    return `service:${credentials.principal.subject}`;
  }
  return 'none';
}

/**
 * Asks the catalog, with the caller's own credentials, which entities they may
 * read. Answers are kept for 30 seconds a caller, for the callers seen last.
 */
export class CatalogAccess {
  readonly #catalog: CatalogService;
  readonly #auth: AuthService;
  readonly #now: () => number;
  /** In the order of last use: the first one is dropped when there are too many. */
  readonly #callers = new Map<string, Remembered>();

  constructor(options: {
    catalog: CatalogService;
    auth: AuthService;
    now?: () => number;
  }) {
    this.#catalog = options.catalog;
    this.#auth = options.auth;
    this.#now = options.now ?? Date.now;
  }

  /** Those of the entities that the catalog returns to the caller. */
  async readable(
    entityRefs: readonly string[],
    options: { credentials: BackstageCredentials },
  ): Promise<ReadonlySet<string>> {
    if (entityRefs.length === 0) {
      return new Set();
    }
    const { entities } = this.#remembered(options.credentials);
    const now = this.#now();
    const unknown = entityRefs.filter(
      ref => (entities.get(ref)?.until ?? 0) <= now,
    );
    if (unknown.length > 0) {
      dropExpired(entities, now);
    }
    const chunks: string[][] = [];
    for (let start = 0; start < unknown.length; start += REFS_PER_REQUEST) {
      chunks.push(unknown.slice(start, start + REFS_PER_REQUEST));
    }
    await Promise.all(
      chunks.map(async chunk => {
        const { items } = await this.#ask(() =>
          this.#catalog.getEntitiesByRefs(
            {
              entityRefs: chunk,
              fields: ['kind', 'metadata.namespace', 'metadata.name'],
            },
            options,
          ),
        );
        chunk.forEach((ref, index) =>
          entities.set(ref, {
            readable: items[index] !== undefined && items[index] !== null,
            until: now + KEPT_MS,
          }),
        );
      }),
    );
    return new Set(entityRefs.filter(ref => entities.get(ref)?.readable));
  }

  /** Refs of the entities that any of the owners owns and the caller may read. */
  async ownedBy(
    owners: readonly string[],
    options: { credentials: BackstageCredentials },
  ): Promise<string[]> {
    if (owners.length === 0) {
      // An empty filter would select everything.
      return [];
    }
    const { owned } = this.#remembered(options.credentials);
    const key = JSON.stringify([...owners].sort());
    const now = this.#now();
    const known = owned.get(key);
    if (known && known.until > now) {
      return known.entityRefs;
    }
    const { items } = await this.#ask(() =>
      this.#catalog.getEntities(
        {
          filter: { 'relations.ownedBy': [...owners] },
          fields: ['kind', 'metadata.namespace', 'metadata.name'],
        },
        options,
      ),
    );
    const entityRefs = items.map(entity => stringifyEntityRef(entity));
    dropExpired(owned, now);
    owned.set(key, { entityRefs, until: now + KEPT_MS });
    return entityRefs;
  }

  /**
   * An error of the catalog is no answer about the caller; its status (401, 403,
   * 404) must not be taken for one of ours.
   */
  async #ask<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw new ServiceUnavailableError(
        'The catalog did not say which entities you may read; try again',
        error,
      );
    }
  }

  #remembered(credentials: BackstageCredentials): Remembered {
    const caller = callerName(this.#auth, credentials);
    const now = this.#now();
    const remembered = this.#callers.get(caller);
    this.#callers.delete(caller);
    // Everything that is kept of those who asked nothing for that long is too old.
    for (const [other, { lastUsed }] of this.#callers) {
      if (lastUsed + KEPT_MS > now && this.#callers.size < MOST_CALLERS) {
        break;
      }
      this.#callers.delete(other);
    }
    const used = {
      entities: remembered?.entities ?? new Map(),
      owned: remembered?.owned ?? new Map(),
      lastUsed: now,
    };
    this.#callers.set(caller, used);
    return used;
  }
}
