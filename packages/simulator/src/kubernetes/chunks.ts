import { badRequest, expired } from './errors';
import type { KubernetesObject } from './object';
import { storageKey } from './store';

/** One chunk of a list. */
export interface Chunk {
  items: KubernetesObject[];
  /** The version of the snapshot all chunks belong to. */
  resourceVersion: number;
  continueToken?: string;
  remainingItemCount?: number;
}

interface Token {
  v: 'meta.k8s.io/v1';
  /** Version of the snapshot; -1 continues on what is there now. */
  rv: number;
  /** Key of the last object answered. */
  start: string;
}

/** Older snapshots go when there are more; each holds references only. */
const MAXIMUM_SNAPSHOTS = 100;

const EXPIRED_MESSAGE =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/**
 * Serves lists in chunks from the snapshot that the first chunk was cut from,
 * as etcd does from its history.
 */
export class ChunkedLists {
  readonly #snapshots = new Map<string, KubernetesObject[]>();

  /** Makes every token given out so far answer 410. */
  expire(): void {
    this.#snapshots.clear();
  }

  /**
   * @param scope - what is listed: tokens are good for the same only
   * @param current - reads all objects in scope as they are now
   * @param isSelected - filters, undefined when all are wanted
   * @throws ApiStatusError 410 with a token for an inconsistent rest
   */
  read(options: {
    scope: string;
    limit: number;
    continueToken?: string;
    resourceVersion: number;
    current: () => KubernetesObject[];
    isSelected?: (object: KubernetesObject) => boolean;
  }): Chunk {
    const { scope, limit, continueToken, current, isSelected } = options;
    const token = continueToken ? decodeToken(continueToken) : undefined;
    let { resourceVersion } = options;
    let all: KubernetesObject[];
    if (token && token.rv >= 0) {
      const snapshot = this.#snapshots.get(`${scope} ${token.rv}`);
      if (!snapshot) {
        throw expired(EXPIRED_MESSAGE, encodeToken({ ...token, rv: -1 }));
      }
      resourceVersion = token.rv;
      all = snapshot;
    } else {
      all = current();
    }

    const rest = token
      ? all.filter(object => storageKey(object) > token.start)
      : all;
    const selected = isSelected ? rest.filter(isSelected) : rest;
    if (limit <= 0 || selected.length <= limit) {
      return { items: selected, resourceVersion };
    }
    const items = selected.slice(0, limit);
    this.#keep(`${scope} ${resourceVersion}`, all);
    return {
      items,
      resourceVersion,
      continueToken: encodeToken({
        v: 'meta.k8s.io/v1',
        rv: resourceVersion,
        start: storageKey(items[items.length - 1]),
      }),
      // The server does not count what a selector would still have to filter.
      remainingItemCount: isSelected ? undefined : selected.length - limit,
    };
  }

  #keep(key: string, objects: KubernetesObject[]): void {
    this.#snapshots.delete(key);
    this.#snapshots.set(key, objects);
    for (const oldest of this.#snapshots.keys()) {
      if (this.#snapshots.size <= MAXIMUM_SNAPSHOTS) {
        break;
      }
      this.#snapshots.delete(oldest);
    }
  }
}

function encodeToken(token: Token): string {
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

function decodeToken(text: string): Token {
  let token: Partial<Token> | undefined;
  try {
    token = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    // Not ours: refused below like any other malformed token.
  }
  if (
    token?.v !== 'meta.k8s.io/v1' ||
    typeof token.rv !== 'number' ||
    typeof token.start !== 'string'
  ) {
    throw badRequest('continue key is not valid: incorrect encoding');
  }
  return token as Token;
}
