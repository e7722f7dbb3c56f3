import { ObjectAnswer, ObjectRequest } from '../../model';
import {
  canExist,
  ObjectKindDefinition,
  setUpKindDefinitions,
} from '../objects';
import { objectAt, objectsOf } from '../objects/values';
import { discoverVersion } from './discovery';
import { KubernetesClient } from './KubernetesClient';
import { toKubernetesRequestError } from './KubernetesRequestError';

const MINUTE = 60_000;

/** How long it is believed which kinds a cluster has. */
const DISCOVERY_STANDS = 10 * MINUTE;

/** Most objects of one kind in a namespace; one with more is checked as far as that. */
const MAXIMUM_OBJECTS = 200;

interface Discovered {
  until: number;
  version: Promise<string | undefined>;
}

/**
 * Reads whole objects of a cluster on demand, and keeps none. Kinds that the cluster
 * role does not allow are unknown, as it need not allow them.
 */
export class WholeObjectReader {
  readonly #client: KubernetesClient;
  readonly #clock: () => Date;
  readonly #discovered = new Map<string, Discovered>();

  private constructor(options: {
    client: KubernetesClient;
    clock: () => Date;
  }) {
    this.#client = options.client;
    this.#clock = options.clock;
  }

  static create(options: {
    client: KubernetesClient;
    clock: () => Date;
  }): WholeObjectReader {
    return new WholeObjectReader(options);
  }

  /** Never rejects. */
  async read(
    request: ObjectRequest,
    options: { signal: AbortSignal },
  ): Promise<ObjectAnswer> {
    const definition = setUpKindDefinitions[request.kind];
    if (!canExist(request)) {
      return { state: 'unknown' };
    }
    try {
      const version = await this.#versionOf(definition, options.signal);
      return version === undefined
        ? { state: 'read', objects: [] }
        : await this.#readVersion(request, { definition, version, ...options });
    } catch (error) {
      const { reason } = toKubernetesRequestError(error);
      return reason === 'Forbidden' || reason === 'NotFound'
        ? { state: 'unknown' }
        : { state: 'failed' };
    }
  }

  async #readVersion(
    request: ObjectRequest,
    options: {
      definition: ObjectKindDefinition;
      version: string;
      signal: AbortSignal;
    },
  ): Promise<ObjectAnswer> {
    const { definition, version, signal } = options;
    const path = pathOf(request, { definition, version });
    // Those of a list do not say it.
    const typed = (object: Record<string, unknown>) => ({
      ...object,
      apiVersion:
        definition.group === '' ? version : `${definition.group}/${version}`,
      kind: definition.kind,
    });
    if (request.name !== undefined) {
      try {
        const object = await this.#client.get(path, { signal });
        return { state: 'read', objects: [typed(object)] };
      } catch (error) {
        if (toKubernetesRequestError(error).reason === 'NotFound') {
          return { state: 'read', objects: [] };
        }
        throw error;
      }
    }
    const list = await this.#client.get(path, {
      query: { limit: String(MAXIMUM_OBJECTS) },
      signal,
    });
    // Clusters write null for an empty list.
    if (!Array.isArray(list.items ?? [])) {
      return { state: 'failed' };
    }
    const isCut = Boolean(objectAt(list, 'metadata').continue);
    return {
      state: 'read',
      objects: objectsOf(list.items ?? [], MAXIMUM_OBJECTS).map(typed),
      ...(isCut && { isCut }),
    };
  }

  #versionOf(
    definition: ObjectKindDefinition,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { kind } = definition;
    const now = this.#clock().getTime();
    const known = this.#discovered.get(kind);
    if (known && known.until > now) {
      return known.version;
    }
    const version = discoverVersion({
      client: this.#client,
      definition,
      signal,
    });
    this.#discovered.set(kind, { until: now + DISCOVERY_STANDS, version });
    // What could not be found out is asked again.
    version.catch(() => this.#discovered.delete(kind));
    return version;
  }
}

function pathOf(
  { namespace, name }: ObjectRequest,
  options: { definition: ObjectKindDefinition; version: string },
): string {
  const { definition, version } = options;
  const { group, namespaced, plural } = definition;
  return [
    group === '' ? `/api/${version}` : `/apis/${group}/${version}`,
    ...(namespaced && namespace !== undefined ? ['namespaces', namespace] : []),
    plural,
    ...(name === undefined ? [] : [name]),
  ].join('/');
}
