import type { ServerResponse } from 'node:http';
import type { Cluster } from './cluster';
import type { ApiStatusError } from './errors';
import type { FaultState } from './faults';
import type { KubernetesObject } from './object';
import type { Presenter } from './representation';
import type { ObjectPredicate } from './selectors';
import type { StoredChange } from './store';

/** A real server sends bookmarks about once a minute. */
const BOOKMARK_MILLISECONDS = 60_000;
/** A client that leaves this much unread is dropped, and will list again. */
const MAXIMUM_UNREAD_BYTES = 64 * 1024 * 1024;
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** What a client asks to watch. */
export interface WatchRequest {
  kind: string;
  namespace?: string;
  isSelected: ObjectPredicate;
  presenter: Presenter;
  /** Where to resume; undefined begins with all that is there. */
  since?: number;
  /** Neither past changes nor what is there: only what comes. */
  onlyNew: boolean;
  /** Ends the initial events with a marked bookmark. */
  marksInitialEvents: boolean;
  allowsBookmarks: boolean;
  timeoutSeconds?: number;
}

interface OpenWatch {
  kind: string;
  end(): void;
}

/** Holds the open watches of one server. */
export class Watches {
  readonly #cluster: Cluster;
  readonly #faults: FaultState;
  readonly #open = new Set<OpenWatch>();

  constructor(options: { cluster: Cluster; faults: FaultState }) {
    this.#cluster = options.cluster;
    this.#faults = options.faults;
  }

  /** Ends watches, of one kind or all. */
  cut(kind?: string): void {
    for (const watch of [...this.#open]) {
      if (kind === undefined || watch.kind === kind) {
        watch.end();
      }
    }
  }

  /**
   * Answers with a stream of events until the client leaves, the time is over
   * or the watch is cut.
   *
   * @throws ApiStatusError 410 when it cannot resume, before anything is sent
   */
  serve(request: WatchRequest, response: ServerResponse): void {
    const { store, clock } = this.#cluster;
    const { kind, presenter, since, onlyNew } = request;
    let replayed: StoredChange[] = [];
    if (since !== undefined && !onlyNew) {
      try {
        replayed = store.changesSince(kind, since);
      } catch (error) {
        if (!this.#faults.isGoneInStream) {
          throw error;
        }
        begin(response);
        send(response, 'ERROR', (error as ApiStatusError).toStatus());
        response.end();
        return;
      }
    }
    begin(response);

    const cleanUps: Array<() => void> = [];
    const watch: OpenWatch = {
      kind,
      end: () => {
        this.#open.delete(watch);
        cleanUps.splice(0).forEach(cleanUp => cleanUp());
        response.end();
      },
    };
    this.#open.add(watch);
    response.on('close', watch.end);

    const deliver = (type: string, object: unknown) => {
      if (!this.#faults.isHanging(kind)) {
        send(response, type, object);
        if (response.writableLength > MAXIMUM_UNREAD_BYTES) {
          watch.end();
          response.destroy();
        }
      }
    };
    const bookmark = (annotations?: Record<string, string>) =>
      deliver(
        'BOOKMARK',
        presenter.bookmark(String(store.resourceVersion), annotations),
      );

    if (since === undefined && !onlyNew) {
      store
        .list(kind, request.namespace)
        .filter(request.isSelected)
        .forEach(object => deliver('ADDED', presenter.event(object)));
    }
    replayed.forEach(change => this.#pass(change, request, deliver));
    if (request.marksInitialEvents && request.allowsBookmarks) {
      bookmark({ [INITIAL_EVENTS_END]: 'true' });
    }

    cleanUps.push(
      store.onChange(change => {
        if (change.object.kind === kind) {
          this.#pass(change, request, deliver);
        }
      }),
    );
    if (request.allowsBookmarks) {
      let cancel = () => {};
      const repeat = () => {
        cancel = clock.after(BOOKMARK_MILLISECONDS, () => {
          bookmark();
          repeat();
        });
      };
      repeat();
      cleanUps.push(() => cancel());
    }
    if (request.timeoutSeconds !== undefined) {
      // In real time: the client measures it by its own clock.
      const timer = setTimeout(watch.end, request.timeoutSeconds * 1000);
      timer.unref();
      cleanUps.push(() => clearTimeout(timer));
    }
  }

  #pass(
    change: StoredChange,
    request: WatchRequest,
    deliver: (type: string, object: unknown) => void,
  ): void {
    const event = seenThrough(change, request);
    if (event) {
      deliver(event.type, request.presenter.event(event.object));
    }
  }
}

/**
 * A change as seen through a selection: an object that no longer matches is
 * deleted for the watcher, one that begins to match is added.
 */
function seenThrough(
  change: StoredChange,
  request: Pick<WatchRequest, 'namespace' | 'isSelected'>,
): { type: string; object: KubernetesObject } | undefined {
  const { type, object, previous } = change;
  const isVisible = (candidate: KubernetesObject | undefined) =>
    candidate !== undefined &&
    (request.namespace === undefined ||
      candidate.metadata.namespace === request.namespace) &&
    request.isSelected(candidate);

  const wasVisible = isVisible(previous);
  if (type === 'DELETED') {
    return wasVisible ? { type, object } : undefined;
  }
  const nowVisible = isVisible(object);
  if (nowVisible) {
    return { type: wasVisible ? 'MODIFIED' : 'ADDED', object };
  }
  if (!wasVisible || !previous) {
    return undefined;
  }
  const { resourceVersion } = object.metadata;
  return {
    type: 'DELETED',
    object: {
      ...previous,
      metadata: { ...previous.metadata, resourceVersion },
    },
  };
}

function begin(response: ServerResponse): void {
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache, private',
  });
  response.flushHeaders();
}

function send(response: ServerResponse, type: string, object: unknown): void {
  response.write(`${JSON.stringify({ type, object })}\n`);
}
