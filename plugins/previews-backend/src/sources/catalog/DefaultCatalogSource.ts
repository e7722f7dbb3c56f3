import { LoggerService } from '@backstage/backend-plugin-api';
import { CATALOG_FILTER_EXISTS } from '@backstage/catalog-client';
import { toError } from '@backstage/errors';
import { CatalogReading, EntityFact } from '../../model';
import { Listeners } from '../Listeners';
import { Loop } from '../Loop';
import { CatalogSource } from '../types';
import { CatalogSourceOptions } from './options';
import { parseEntity } from './parseEntity';

const PER_PAGE = 500;

/** A catalog that goes on after this is not believed. */
const MAXIMUM_PAGES = 1000;

/**
 * Components can lead to a project by their location alone; of other kinds only
 * those that say so.
 */
const FILTER = [
  { kind: 'component' },
  ...[
    'gitlab.com/project-slug',
    'gitlab.com/project-id',
    'previews/application-set',
    'previews/enabled',
  ].map(annotation => ({
    [`metadata.annotations.${annotation}`]: CATALOG_FILTER_EXISTS,
  })),
];

const PENDING: CatalogReading = { state: 'pending', entities: [] };

/**
 * Reads which entities could have previews, as the plugin itself: which of them
 * a user may see is decided with the user's own credentials elsewhere.
 */
export class DefaultCatalogSource implements CatalogSource {
  readonly id = 'catalog';
  readonly #options: CatalogSourceOptions;
  readonly #logger: LoggerService;
  readonly #clock: () => Date;
  readonly #listeners = new Listeners();
  readonly #loop: Loop;
  #reading: CatalogReading = PENDING;

  private constructor(options: CatalogSourceOptions) {
    this.#options = options;
    this.#logger = options.logger.child({ source: this.id });
    this.#clock = options.clock ?? (() => new Date());
    this.#loop = Loop.create({
      read: ({ signal }) => this.#read(signal),
      delay: () => options.schedule.catalogPollMilliseconds,
    });
  }

  static create(options: CatalogSourceOptions): DefaultCatalogSource {
    return new DefaultCatalogSource(options);
  }

  start({ signal }: { signal: AbortSignal }): void {
    this.#reading = PENDING;
    this.#listeners.notify();
    this.#loop.start(signal);
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async refresh(): Promise<void> {
    await this.#loop.runNow();
  }

  reading(): CatalogReading {
    return this.#reading;
  }

  /** A page that fails leaves the whole of the last complete reading. */
  async #read(signal: AbortSignal): Promise<void> {
    const startedAt = this.#clock().toISOString();
    let reading: CatalogReading;
    try {
      const entities = await this.#readEntities(signal);
      reading = { state: 'ready', completeAt: startedAt, entities };
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      this.#logger.warn('Cannot read the catalog', toError(error));
      const { completeAt, entities } = this.#reading;
      reading = {
        state: completeAt ? 'failing' : 'pending',
        ...(completeAt && { completeAt }),
        entities,
      };
    }
    if (!signal.aborted) {
      this.#reading = reading;
      this.#listeners.notify();
    }
  }

  async #readEntities(signal: AbortSignal): Promise<EntityFact[]> {
    const { catalog, auth, gitlab } = this.#options;
    const facts = new Map<string, EntityFact>();
    let cursor: string | undefined;
    for (let page = 0; page < MAXIMUM_PAGES; page += 1) {
      signal.throwIfAborted();
      const credentials = await auth.getOwnServiceCredentials();
      const { items, pageInfo } = await catalog.queryEntities(
        cursor
          ? { cursor, limit: PER_PAGE }
          : {
              filter: FILTER,
              fields: [
                'kind',
                'metadata.name',
                'metadata.namespace',
                'metadata.annotations',
              ],
              limit: PER_PAGE,
            },
        { credentials },
      );
      for (const item of items) {
        const fact = parseEntity(item, { hosts: gitlab });
        if (fact) {
          facts.set(fact.entityRef, fact);
        }
      }
      cursor = pageInfo.nextCursor;
      if (!cursor) {
        break;
      }
    }
    return [...facts.values()];
  }
}
