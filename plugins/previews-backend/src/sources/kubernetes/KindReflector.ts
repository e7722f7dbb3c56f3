import { isDeepStrictEqual } from 'node:util';
import { LoggerService } from '@backstage/backend-plugin-api';
import { SourceError } from '@previews/backstage-plugin-previews-common';
import { KindFacts, KindName, KindReading, ReadingState } from '../../model';
import { KindDefinition } from '../objects';
import { asObject, integerOf, objectAt, wholeTextOf } from '../objects/values';
import { pick } from '../pick';
import { levelOf } from '../levelOf';
import { sleep } from '../sleep';
import { FactPool } from '../FactPool';
import { discoverVersion, pathOf } from './discovery';
import { KubernetesClient } from './KubernetesClient';
import {
  KubernetesRequestError,
  toKubernetesRequestError,
} from './KubernetesRequestError';
import { ReflectorDelays } from './options';

const CHUNK = 500;

/** A list that expires again and again is at last asked for in one piece. */
const MAXIMUM_CHUNKED_TRIES = 3;

/** After this many failures in a row the cluster is asked from the beginning. */
const MAXIMUM_RESUMPTIONS = 5;

/**
 * A watch that lasted so long has lived. Something that ends them sooner every time does
 * not watch, whatever else it answers: after this many in a minute it is left alone for
 * as long as one that cannot be reached.
 */
const LIVED_MILLISECONDS = 5_000;
const MAXIMUM_EARLY_ENDS = 10;

type Fact = KindFacts[KindName];

interface Listed {
  objects: Map<string, Fact>;
  resourceVersion: string;
}

function keyOf(fact: Fact): string {
  const { namespace, name } = fact.meta;
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function resourceVersionOf(object: unknown): string | undefined {
  return wholeTextOf(objectAt(object, 'metadata').resourceVersion);
}

function isExpired(error: unknown): boolean {
  return error instanceof KubernetesRequestError && error.status === 410;
}

/** Whether a watch can go on where it was once this is over. */
function isPassing({ reason }: KubernetesRequestError): boolean {
  return ['Unreachable', 'TimedOut', 'RateLimited', 'ServerError'].includes(
    reason,
  );
}

/**
 * Keeps the facts of one kind in step with a cluster: a list in chunks, then a
 * watch from where the list stood, resumed where it is cut, and a list again
 * where the cluster does not remember that far or says nothing for too long.
 */
export class KindReflector {
  readonly #cluster: string;
  readonly #client: KubernetesClient;
  readonly #definition: KindDefinition;
  readonly #pool: FactPool;
  readonly #delays: ReflectorDelays;
  readonly #relistAfter: number;
  readonly #logger: LoggerService;
  readonly #clock: () => Date;
  readonly #onChange: (keys?: readonly string[]) => void;

  #state: ReadingState = 'pending';
  #completeAt?: string;
  #error?: SourceError;
  /** ISO: when the cluster last told anything of the kind. */
  #heardAt?: string;
  /** ISO: since when the watch that was given up had been silent. */
  #silentSince?: string;
  #missed?: { from: string; to: string };
  #objects = new Map<string, Fact>();
  #snapshot?: KindReading<Fact>;

  #failuresInARow = 0;
  /** When watches ended before they had lived, in the last minute. */
  #earlyEnds: number[] = [];
  #expiriesInARow = 0;
  #interrupt = new AbortController();
  #waiting: (() => void)[] = [];

  private constructor(options: KindReflectorOptions) {
    this.#cluster = options.cluster;
    this.#client = options.client;
    this.#definition = options.definition;
    this.#pool = options.pool;
    this.#delays = options.delays;
    this.#relistAfter = options.relistAfterMilliseconds;
    this.#logger = options.logger;
    this.#clock = options.clock;
    this.#onChange = options.onChange;
  }

  static create(options: KindReflectorOptions): KindReflector {
    return new KindReflector(options);
  }

  reading(): KindReading<Fact> {
    this.#snapshot ??= this.#readingOf(new Map(this.#objects));
    return this.#snapshot;
  }

  /** The reading with no other objects than these. */
  readObjects(keys: Iterable<string>): KindReading<Fact> {
    return this.#readingOf(pick(this.#objects, keys));
  }

  #readingOf(objects: ReadonlyMap<string, Fact>): KindReading<Fact> {
    return {
      state: this.#state,
      ...(this.#completeAt && { completeAt: this.#completeAt }),
      ...(this.#error && { error: this.#error }),
      ...(this.#missed && { missed: this.#missed }),
      objects,
    };
  }

  /** Lists again now; resolves when that has ended, well or not. */
  async relist(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#waiting.push(resolve);
      this.#interrupt.abort();
    });
  }

  /** Reads until the signal aborts; never rejects. */
  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      this.#interrupt = new AbortController();
      const waiting = this.#waiting;
      this.#waiting = [];
      const interrupt = AbortSignal.any([stop, this.#interrupt.signal]);
      let pause = 0;
      let verb = 'list';
      try {
        const version = await discoverVersion({
          client: this.#client,
          definition: this.#definition,
          signal: stop,
        });
        if (version === undefined) {
          this.#putNotInstalled();
          pause = this.#delays.notInstalledRecheck;
        } else {
          const path = pathOf(this.#definition, version);
          const startedAt = this.#clock().toISOString();
          const listed = await this.#list(path, stop);
          this.#putList(listed.objects, startedAt);
          waiting.forEach(resolve => resolve());
          verb = 'watch';
          await this.#watchOn(path, listed.resourceVersion, interrupt);
        }
      } catch (error) {
        if (isExpired(error)) {
          pause = this.#pauseAfterExpiry();
        } else if (!interrupt.aborted) {
          pause = this.#putFailure(toKubernetesRequestError(error), verb);
        }
      }
      waiting.forEach(resolve => resolve());
      if (pause > 0) {
        await sleep(pause, interrupt);
      }
    }
    this.#waiting.forEach(resolve => resolve());
    this.#waiting = [];
  }

  /** Only facts are kept: the objects of a chunk go when it has been read. */
  async #list(path: string, signal: AbortSignal): Promise<Listed> {
    for (let tries = 1; ; tries += 1) {
      const chunked = tries <= MAXIMUM_CHUNKED_TRIES;
      try {
        return await this.#listOnce(path, { chunked, signal });
      } catch (error) {
        // The list became too old while it was read: what was read of it is
        // not complete, and the fresh token would make it inconsistent.
        if (!isExpired(error) || !chunked) {
          throw error;
        }
      }
    }
  }

  async #listOnce(
    path: string,
    options: { chunked: boolean; signal: AbortSignal },
  ): Promise<Listed> {
    const { chunked, signal } = options;
    const objects = new Map<string, Fact>();
    let next: string | undefined;
    for (;;) {
      const list = await this.#client.get(path, {
        query: {
          ...(chunked && { limit: String(CHUNK) }),
          ...(next !== undefined && { continue: next }),
        },
        signal,
      });
      const resourceVersion = resourceVersionOf(list);
      // Clusters write null for an empty list.
      const items = list.items ?? [];
      if (resourceVersion === undefined || !Array.isArray(items)) {
        throw new KubernetesRequestError({
          reason: 'UnexpectedAnswer',
          message: 'The cluster answered with something that is not a list.',
          status: 200,
        });
      }
      for (const item of items) {
        const fact = this.#parse(item);
        if (fact) {
          objects.set(keyOf(fact), fact);
        }
      }
      const token = objectAt(list, 'metadata').continue;
      if (typeof token !== 'string' || token === '') {
        return { objects, resourceVersion };
      }
      next = token;
    }
  }

  /** Watches, resuming where it was cut; returns when a list is needed. */
  async #watchOn(
    path: string,
    from: string,
    interrupt: AbortSignal,
  ): Promise<void> {
    let resourceVersion = from;
    while (!interrupt.aborted) {
      const silence = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      const heard = () => {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), this.#relistAfter);
      };
      let openedAt: number | undefined;
      let pause = 0;
      try {
        heard();
        const events = this.#client.watch(path, {
          query: {
            watch: 'true',
            allowWatchBookmarks: 'true',
            resourceVersion,
            timeoutSeconds: String(this.#timeoutSeconds()),
          },
          signal: AbortSignal.any([interrupt, silence.signal]),
          onOpen: () => {
            openedAt = this.#clock().getTime();
            this.#putAlive();
          },
        });
        for await (const { type, object } of events) {
          heard();
          if (type === 'ERROR') {
            throw new KubernetesRequestError({
              reason: 'ServerError',
              message: 'The cluster ended the watch with an error.',
              status: integerOf(asObject(object)?.code),
            });
          }
          resourceVersion = resourceVersionOf(object) ?? resourceVersion;
          this.#putEvent(type, object);
        }
      } catch (error) {
        if (interrupt.aborted) {
          return;
        }
        if (silence.signal.aborted) {
          this.#silentSince = this.#heardAt;
          if (openedAt !== undefined) {
            // Nobody ended it: it lasted for as long as it was wanted.
            this.#earlyEnds = [];
          }
          this.#logger.debug(
            `Listing ${this.#definition.plural} again: the watch was silent`,
          );
          return;
        }
        this.#noteEnd(openedAt);
        if (isExpired(error)) {
          throw error;
        }
        const failure = toKubernetesRequestError(error);
        if (
          !isPassing(failure) ||
          this.#failuresInARow >= MAXIMUM_RESUMPTIONS
        ) {
          throw failure;
        }
        // A stream that was cut is no failure; not to get a new one is.
        pause =
          openedAt !== undefined && failure.reason === 'Unreachable'
            ? this.#backOff()
            : this.#putFailure(failure, 'watch');
      } finally {
        clearTimeout(timer);
      }
      if (pause === 0 && !interrupt.aborted) {
        if (!this.#noteEnd(openedAt)) {
          // Without an error: not to be tried in a tight circle.
          pause = this.#backOff();
        }
      }
      if (pause > 0) {
        await sleep(pause, interrupt);
      }
    }
  }

  /** Longer than silence is borne: a watch that lives is cut by the cluster. */
  #timeoutSeconds(): number {
    const seconds = (this.#relistAfter / 1000) * (1.5 + Math.random());
    return Math.max(1, Math.ceil(seconds));
  }

  #parse(object: unknown): Fact | undefined {
    return this.#pool.compact(
      this.#definition.parse(object, { cluster: this.#cluster }),
    );
  }

  #putList(objects: Map<string, Fact>, startedAt: string): void {
    const from = this.#silentSince;
    if (from !== undefined && !isDeepStrictEqual(this.#objects, objects)) {
      this.#missed = { from, to: startedAt };
    }
    this.#silentSince = undefined;
    this.#heardAt = startedAt;
    this.#objects = objects;
    this.#failuresInARow = 0;
    this.#put({ state: 'ready', completeAt: startedAt });
  }

  /** The watch is answered again; what it has to tell is still to come. */
  #putAlive(): void {
    if (this.#error) {
      this.#put({ state: 'ready' });
    }
  }

  #putEvent(type: string, object: unknown): void {
    this.#failuresInARow = 0;
    this.#expiriesInARow = 0;
    // A watch goes on where a list was complete; only after a failure more changes
    // than the object.
    const isGoingOn = this.#state === 'ready' && !this.#error;
    const keys: string[] = [];
    if (type !== 'BOOKMARK') {
      const fact = this.#parse(object);
      if (fact && type === 'DELETED') {
        this.#objects.delete(keyOf(fact));
        keys.push(keyOf(fact));
      } else if (fact && (type === 'ADDED' || type === 'MODIFIED')) {
        this.#objects.set(keyOf(fact), fact);
        keys.push(keyOf(fact));
      }
    }
    this.#heardAt = this.#clock().toISOString();
    this.#put(
      { state: 'ready', completeAt: this.#heardAt },
      isGoingOn ? keys : undefined,
    );
  }

  #putNotInstalled(): void {
    this.#objects = new Map();
    this.#failuresInARow = 0;
    this.#put({
      state: 'notInstalled',
      completeAt: this.#clock().toISOString(),
    });
  }

  /** Returns how long to wait before the next try. */
  #putFailure(failure: KubernetesRequestError, verb: string): number {
    const { group, plural } = this.#definition;
    const resource = group === '' ? plural : `${plural}.${group}`;
    const isForbidden = failure.reason === 'Forbidden';
    let state: ReadingState = this.#completeAt ? 'failing' : 'pending';
    if (isForbidden) {
      state = 'forbidden';
    }
    const pause = isForbidden
      ? this.#delays.forbiddenRecheck
      : Math.max(this.#backOff(), failure.retryAfterMilliseconds ?? 0);
    const now = this.#clock();
    const isNew = this.#error?.reason !== failure.reason;
    this.#put({
      state,
      error: {
        reason: failure.reason,
        subject: resource,
        message: isForbidden
          ? `The cluster does not allow to ${verb} ${plural} in the API group '${group}'.`
          : failure.message,
        since: isNew ? now.toISOString() : this.#error!.since,
        ...(failure.retryAfterMilliseconds !== undefined && {
          retryAt: new Date(now.getTime() + pause).toISOString(),
        }),
      },
    });
    if (isNew) {
      const { reason, message } = failure;
      this.#logger[levelOf(reason)](`Cannot ${verb} ${resource}: ${message}`, {
        reason,
      });
    }
    return pause;
  }

  #put(
    options: {
      state: ReadingState;
      completeAt?: string;
      error?: SourceError;
    },
    changedKeys?: readonly string[],
  ): void {
    this.#state = options.state;
    const { completeAt } = options;
    if (completeAt && this.#isLater(completeAt)) {
      this.#completeAt = completeAt;
    }
    this.#error = options.error;
    this.#snapshot = undefined;
    this.#onChange(changedKeys);
  }

  /** Where the clock was set back, what was complete in the future is not. */
  #isLater(completeAt: string): boolean {
    const before = this.#completeAt ?? '';
    return completeAt > before || before > this.#clock().toISOString();
  }

  /** A watch has ended, which was opened at the time, or never. Returns whether it had lived. */
  #noteEnd(openedAt: number | undefined): boolean {
    const now = this.#clock().getTime();
    // One that is asked to end sooner lives until then.
    const lived = Math.min(LIVED_MILLISECONDS, this.#relistAfter);
    if (openedAt !== undefined && now - openedAt >= lived) {
      this.#earlyEnds = [];
      return true;
    }
    this.#earlyEnds = [
      ...this.#earlyEnds.filter(ended => now - ended < 60_000),
      now,
    ];
    return false;
  }

  /** Doubles with every failure in a row; half of it is chance. */
  #backOff(): number {
    const { backOffStart, backOffMaximum } = this.#delays;
    const full =
      this.#earlyEnds.length > MAXIMUM_EARLY_ENDS
        ? backOffMaximum
        : Math.min(
            backOffStart * 2 ** Math.min(this.#failuresInARow, 20),
            backOffMaximum,
          );
    this.#failuresInARow += 1;
    return full / 2 + Math.random() * (full / 2);
  }

  /** A list that expires as soon as it was read is not repeated in a tight circle. */
  #pauseAfterExpiry(): number {
    const { backOffStart, backOffMaximum } = this.#delays;
    if (this.#earlyEnds.length > MAXIMUM_EARLY_ENDS) {
      return this.#backOff();
    }
    const pause =
      this.#expiriesInARow === 0
        ? 0
        : Math.min(
            backOffStart * 2 ** Math.min(this.#expiriesInARow, 20),
            backOffMaximum,
          );
    this.#expiriesInARow += 1;
    return pause;
  }
}

/** What a reflector is made of. */
export interface KindReflectorOptions {
  /** Name of the cluster as configured. */
  cluster: string;
  client: KubernetesClient;
  definition: KindDefinition;
  /** Shared by the reflectors of one cluster, whose objects name each other. */
  pool: FactPool;
  delays: ReflectorDelays;
  relistAfterMilliseconds: number;
  logger: LoggerService;
  clock: () => Date;
  /** Told the keys of what changed; nothing where it may be more than objects. */
  onChange: (keys?: readonly string[]) => void;
}
