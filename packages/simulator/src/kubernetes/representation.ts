import type { KubernetesObject } from './object';
import { apiVersionOf, type ResourceDefinition } from './resources';

/**
 * How a client wants objects: as they are, as rows of a table, or only their
 * metadata.
 */
export type Representation = 'object' | 'table' | 'metadata';

/** Chooses by the Accept header; undefined when JSON is not acceptable. */
export function representationFor(
  accept: string | undefined,
): Representation | undefined {
  for (const entry of (accept || '*/*').split(',')) {
    const [type, ...parameters] = entry.split(';').map(part => part.trim());
    if (!['application/json', 'application/*', '*/*'].includes(type)) {
      continue;
    }
    const as = parameters.find(parameter => parameter.startsWith('as='));
    if (as === 'as=Table') {
      return 'table';
    }
    if (as?.startsWith('as=PartialObjectMetadata')) {
      return 'metadata';
    }
    if (!as) {
      return 'object';
    }
  }
  return undefined;
}

/** Renders the objects of a kind in one version for one client. */
export class Presenter {
  readonly #resource: ResourceDefinition;
  readonly #version: string;
  readonly #representation: Representation;
  readonly #now: () => Date;
  readonly #includeObject: string;
  #columnsSent = false;

  constructor(options: {
    resource: ResourceDefinition;
    version: string;
    representation: Representation;
    now: () => Date;
    /** `None`, `Metadata` or `Object`: what a table row carries along. */
    includeObject?: string;
  }) {
    this.#resource = options.resource;
    this.#version = options.version;
    this.#representation = options.representation;
    this.#now = options.now;
    this.#includeObject = options.includeObject ?? 'Metadata';
  }

  /** An answer with one object. */
  one(object: KubernetesObject): unknown {
    switch (this.#representation) {
      case 'table':
        return this.#table([object], {
          resourceVersion: object.metadata.resourceVersion,
        });
      case 'metadata':
        return metadataOf(object);
      default:
        return this.#versioned(object);
    }
  }

  /** An answer with a list. */
  list(items: KubernetesObject[], metadata: Record<string, unknown>): unknown {
    switch (this.#representation) {
      case 'table':
        return this.#table(items, metadata);
      case 'metadata':
        return {
          kind: 'PartialObjectMetadataList',
          apiVersion: 'meta.k8s.io/v1',
          metadata,
          items: items.map(metadataOf),
        };
      default:
        return {
          kind: `${this.#resource.kind}List`,
          apiVersion: apiVersionOf(this.#resource, this.#version),
          metadata,
          items: items.map(item => this.#versioned(item)),
        };
    }
  }

  /** The object of a watch event; columns are named in the first one only. */
  event(object: KubernetesObject): unknown {
    if (this.#representation !== 'table') {
      return this.one(object);
    }
    const table = this.#table([object], {
      resourceVersion: object.metadata.resourceVersion,
    });
    if (this.#columnsSent) {
      table.columnDefinitions = null;
    }
    this.#columnsSent = true;
    return table;
  }

  /** The object of a bookmark. */
  bookmark(
    resourceVersion: string,
    annotations?: Record<string, string>,
  ): unknown {
    const metadata = { resourceVersion, creationTimestamp: null, annotations };
    switch (this.#representation) {
      case 'table':
        return {
          kind: 'Table',
          apiVersion: 'meta.k8s.io/v1',
          metadata: { resourceVersion },
          columnDefinitions: null,
          rows: [
            {
              cells: [],
              object: {
                kind: 'PartialObjectMetadata',
                apiVersion: 'meta.k8s.io/v1',
                metadata,
              },
            },
          ],
        };
      case 'metadata':
        return {
          kind: 'PartialObjectMetadata',
          apiVersion: 'meta.k8s.io/v1',
          metadata,
        };
      default:
        return {
          kind: this.#resource.kind,
          apiVersion: apiVersionOf(this.#resource, this.#version),
          metadata,
        };
    }
  }

  #versioned(object: KubernetesObject): KubernetesObject {
    const apiVersion = apiVersionOf(this.#resource, this.#version);
    return object.apiVersion === apiVersion
      ? object
      : { ...object, apiVersion };
  }

  #table(items: KubernetesObject[], metadata: Record<string, unknown>) {
    const now = this.#now();
    const table: Record<string, unknown> = {
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      columnDefinitions: this.#resource.columns.map(
        ({ name, type, format, description, priority }) => ({
          name,
          type,
          format: format ?? '',
          description,
          priority,
        }),
      ),
      rows: items.map(item => ({
        cells: this.#resource.columns.map(column => column.value(item, now)),
        object: this.#rowObject(item),
      })),
    };
    return table;
  }

  #rowObject(object: KubernetesObject): unknown {
    switch (this.#includeObject) {
      case 'None':
        return undefined;
      case 'Object':
        return this.#versioned(object);
      default:
        return metadataOf(object);
    }
  }
}

function metadataOf({ metadata }: KubernetesObject) {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
  };
}
