import { LoggerService } from '@backstage/backend-plugin-api';
import { SourceError } from '@previews/backstage-plugin-previews-common';
import { KindFacts, KindReading, ReadingState } from '../../model';
import { levelOf } from '../levelOf';
import { JsonObject, objectAt, wholeTextOf } from '../objects/values';
import { pick } from '../pick';
import { ArgocdRequestError } from './ArgocdRequestError';
import { ArgocdList } from './ArgocdClient';
import { ArgocdDelays } from './options';

/** Kinds that the API of Argo CD carries. */
export type ArgocdKind = 'applications' | 'applicationSets';

/** What is known of one kind, and how it came to be known. */
export class KindMemory<K extends ArgocdKind> {
  readonly #options: KindMemoryOptions<K>;
  #state: ReadingState = 'pending';
  #completeAt?: string;
  #error?: SourceError;
  #objects = new Map<string, KindFacts[K]>();
  /** Resource versions by key, for objects and for the list as a whole. */
  #versions = new Map<string, number>();
  #listVersion = Number.NaN;
  #snapshot?: KindReading<KindFacts[K]>;
  #failuresInARow = 0;

  private constructor(options: KindMemoryOptions<K>) {
    this.#options = options;
  }

  static create<K extends ArgocdKind>(
    options: KindMemoryOptions<K>,
  ): KindMemory<K> {
    return new KindMemory(options);
  }

  reading(): KindReading<KindFacts[K]> {
    this.#snapshot ??= this.#readingOf(new Map(this.#objects));
    return this.#snapshot;
  }

  /** The reading with no other objects than these. */
  readObjects(keys: Iterable<string>): KindReading<KindFacts[K]> {
    return this.#readingOf(pick(this.#objects, keys));
  }

  #readingOf(
    objects: ReadonlyMap<string, KindFacts[K]>,
  ): KindReading<KindFacts[K]> {
    return {
      state: this.#state,
      ...(this.#completeAt && { completeAt: this.#completeAt }),
      ...(this.#error && { error: this.#error }),
      objects,
    };
  }

  /** A complete list that was asked for at that time. */
  putList(list: ArgocdList, startedAt: string): void {
    this.#objects = new Map();
    this.#versions = new Map();
    this.#listVersion = Number(list.resourceVersion || Number.NaN);
    list.items.forEach(item => this.#set(item));
    this.#failuresInARow = 0;
    this.#state = 'ready';
    this.#completeAt = startedAt;
    this.#error = undefined;
    this.#changed();
  }

  /**
   * An event of the stream. One that the list knew already is left out, since
   * both come on their own ways. It says nothing of what the stream dropped, so
   * that completeness stays that of the list.
   */
  putEvent(type: string, object: JsonObject): void {
    const key = keyOf(object);
    const version = versionOf(object);
    if (key === undefined || this.#isOld(key, version)) {
      return;
    }
    if (type === 'DELETED') {
      this.#objects.delete(key);
      this.#versions.delete(key);
    } else if (type === 'ADDED' || type === 'MODIFIED') {
      this.#set(object);
    }
    this.#changed([key]);
  }

  /** Keeps what was known; returns how long to wait before the next try. */
  putFailure(failure: ArgocdRequestError): number {
    const { resource, clock, logger } = this.#options;
    const isNew = this.#error?.reason !== failure.reason;
    this.#state = this.#completeAt ? 'failing' : 'pending';
    this.#error = {
      reason: failure.reason,
      subject: resource,
      message: failure.message,
      since: isNew ? clock().toISOString() : this.#error!.since,
    };
    if (isNew) {
      const { reason, message } = failure;
      logger[levelOf(reason)](`Cannot read ${resource}: ${message}`, {
        reason,
      });
    }
    this.#changed();
    this.#failuresInARow += 1;
    return backOff(this.#failuresInARow, this.#options.delays);
  }

  #isOld(key: string, version: number): boolean {
    const known = this.#versions.get(key);
    return known === undefined ? version <= this.#listVersion : version < known;
  }

  #set(object: JsonObject): void {
    const key = keyOf(object);
    // Argo CD leaves both out of the items of its lists.
    const fact = this.#options.parse({
      ...object,
      apiVersion: 'argoproj.io/v1alpha1',
      kind: this.#options.kind,
    });
    if (key !== undefined && fact) {
      this.#objects.set(key, fact);
      this.#versions.set(key, versionOf(object));
    }
  }

  #changed(keys?: readonly string[]): void {
    this.#snapshot = undefined;
    this.#options.onChange(keys);
  }
}

/** What the memory of a kind is made of. */
export interface KindMemoryOptions<K extends ArgocdKind> {
  kind: 'Application' | 'ApplicationSet';
  /** Name in the paths of the API. */
  resource: 'applications' | 'applicationsets';
  parse(object: JsonObject): KindFacts[K] | undefined;
  delays: ArgocdDelays;
  logger: LoggerService;
  clock: () => Date;
  /** Told the keys of what changed; nothing where it may be more than objects. */
  onChange: (keys?: readonly string[]) => void;
}

/** Doubles with every failure in a row, the first being 1; half of it is chance. */
export function backOff(failuresInARow: number, delays: ArgocdDelays): number {
  const full = Math.min(
    delays.backOffStart * 2 ** Math.min(failuresInARow - 1, 20),
    delays.backOffMaximum,
  );
  return full / 2 + Math.random() * (full / 2);
}

function keyOf(object: JsonObject): string | undefined {
  const metadata = objectAt(object, 'metadata');
  const namespace = wholeTextOf(metadata.namespace);
  const name = wholeTextOf(metadata.name);
  return namespace !== undefined && name !== undefined
    ? `${namespace}/${name}`
    : undefined;
}

/** Not a number where there is none, which compares as neither older nor newer. */
function versionOf(object: JsonObject): number {
  return Number(objectAt(object, 'metadata').resourceVersion || Number.NaN);
}
