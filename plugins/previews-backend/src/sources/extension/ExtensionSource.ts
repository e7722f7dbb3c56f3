import { LoggerService } from '@backstage/backend-plugin-api';
import { toError } from '@backstage/errors';
import {
  SourceError,
  SourceErrorReason,
  SourceState,
  SourceStatus,
} from '@previews/backstage-plugin-previews-common';
import { PreviewsSourceProvider } from '@previews/backstage-plugin-previews-node';
import { FurtherReading, PreviewSubject } from '../../model';
import { CallListener } from '../calls';
import { Listeners } from '../Listeners';
import { Loop } from '../Loop';
import { FurtherSource } from '../FurtherSource';
import { factsText, frozenFacts } from './clamp';
import { ExtensionErrors } from './ExtensionErrors';

const DEFAULT_EVERY_SECONDS = 60;
const DEFAULT_TIMEOUT_SECONDS = 30;
/** A source is stale when so many readings in a row gave nothing. */
const READINGS_UNTIL_STALE = 3;

class ReadingFailure extends Error {
  constructor(readonly reason: SourceErrorReason, message: string) {
    super(message);
  }
}

interface Facts {
  text: string;
  value: unknown;
}

/**
 * Reads what a module reads, and keeps it from doing harm: what it throws, leaves
 * unanswered or gives too much of concerns this source alone.
 */
export class ExtensionSource implements FurtherSource {
  readonly id: string;
  readonly #provider: PreviewsSourceProvider;
  readonly #logger: LoggerService;
  readonly #clock: () => Date;
  readonly #onCall?: CallListener;
  readonly #errors: ExtensionErrors;
  readonly #everySeconds: number;
  readonly #timeoutMilliseconds: number;
  readonly #listeners = new Listeners();
  readonly #loop: Loop;
  #previews: () => readonly PreviewSubject[] = () => [];
  #facts = new Map<string, Facts>();
  #unusable: ReadonlySet<string> = new Set();
  #completeAt?: string;
  #error?: SourceError;
  #isPending = false;

  private constructor(options: {
    provider: PreviewsSourceProvider;
    /** Of its conditions. */
    errors: ExtensionErrors;
    logger: LoggerService;
    onCall?: CallListener;
    clock?: () => Date;
  }) {
    const { provider } = options;
    this.id = `extension:${provider.id}`;
    this.#provider = provider;
    this.#errors = options.errors;
    this.#logger = options.logger.child({ source: this.id });
    this.#clock = options.clock ?? (() => new Date());
    this.#onCall = options.onCall;
    this.#everySeconds = provider.everySeconds ?? DEFAULT_EVERY_SECONDS;
    this.#timeoutMilliseconds =
      (provider.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000;
    this.#loop = Loop.create({
      read: ({ signal }) => this.#read(signal),
      delay: () => this.#everySeconds * 1000,
    });
  }

  static create(options: {
    provider: PreviewsSourceProvider;
    errors: ExtensionErrors;
    logger: LoggerService;
    onCall?: CallListener;
    clock?: () => Date;
  }): ExtensionSource {
    return new ExtensionSource(options);
  }

  start({ signal }: { signal: AbortSignal }): void {
    this.#facts = new Map();
    this.#unusable = new Set();
    this.#completeAt = undefined;
    this.#error = undefined;
    this.#errors.clear();
    this.#listeners.notify();
    this.#loop.start(signal);
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async refresh(): Promise<void> {
    await this.#loop.runNow();
  }

  previewsFrom(previews: () => readonly PreviewSubject[]): void {
    this.#previews = previews;
  }

  reading(): FurtherReading {
    let state: FurtherReading['state'] = 'pending';
    if (this.#error) {
      state = 'failing';
    } else if (this.#completeAt) {
      state = 'ready';
    }
    return {
      sourceId: this.id,
      state,
      ...(this.#completeAt && { completeAt: this.#completeAt }),
      staleAfterSeconds: this.#staleAfterSeconds,
      facts: new Map([...this.#facts].map(([id, { value }]) => [id, value])),
      unusable: this.#unusable,
    };
  }

  state(now: Date): SourceState {
    const errors = [
      ...(this.#error ? [this.#error] : []),
      ...this.#errors.at(now),
    ];
    const completeAt = this.#completeAt;
    let status: SourceStatus = errors.length > 0 ? 'failing' : 'fresh';
    if (!completeAt) {
      status = errors.length > 0 ? 'failing' : 'pending';
    } else if (
      now.getTime() - Date.parse(completeAt) >=
      this.#staleAfterSeconds * 1000
    ) {
      status = 'stale';
    }
    return {
      id: this.id,
      kind: 'extension',
      name: this.#provider.id,
      status,
      ...(completeAt && { lastCompleteAt: completeAt }),
      errors,
      notes: [],
    };
  }

  get #staleAfterSeconds(): number {
    return READINGS_UNTIL_STALE * this.#everySeconds;
  }

  /** Never rejects. */
  async #read(signal: AbortSignal): Promise<void> {
    const now = this.#clock().toISOString();
    try {
      const previews = this.#previews();
      const answer = await this.#ask({ previews, now, signal });
      if (signal.aborted) {
        return;
      }
      this.#take(answer, { previews, now });
      this.#error = undefined;
      this.#onCall?.({ source: this.id, outcome: 'ok' });
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      this.#noteFailure(error, now);
    }
    this.#listeners.notify();
  }

  async #ask(request: {
    previews: readonly PreviewSubject[];
    now: string;
    signal: AbortSignal;
  }): Promise<unknown> {
    if (this.#isPending) {
      throw new ReadingFailure(
        'TimedOut',
        'an earlier reading has not come to its end',
      );
    }
    const timeout = AbortSignal.timeout(this.#timeoutMilliseconds);
    const signal = AbortSignal.any([request.signal, timeout]);
    this.#isPending = true;
    const answer = Promise.resolve()
      .then(() => this.#provider.read({ ...request, signal }))
      .finally(() => {
        this.#isPending = false;
      });
    const givenUp = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () =>
        reject(
          new ReadingFailure(
            'TimedOut',
            `nothing came within ${this.#timeoutMilliseconds / 1000} seconds`,
          ),
        ),
      );
    });
    return Promise.race([answer, givenUp]);
  }

  /** Facts that are the same stay the same object, so that nothing is decided again for them. */
  #take(
    answer: unknown,
    options: { previews: readonly PreviewSubject[]; now: string },
  ): void {
    if (!(answer instanceof Map)) {
      throw new ReadingFailure('UnexpectedAnswer', 'the answer is no Map');
    }
    const facts = new Map<string, Facts>();
    const unusable = new Set<string>();
    for (const { id } of options.previews) {
      const given: unknown = answer.get(id);
      if (given === undefined) {
        continue;
      }
      const text = factsText(given);
      if (text === undefined) {
        unusable.add(id);
        continue;
      }
      const before = this.#facts.get(id);
      facts.set(
        id,
        before?.text === text ? before : { text, value: frozenFacts(text) },
      );
    }
    if (unusable.size > 0) {
      this.#noteUnusable(unusable, options.now);
    }
    this.#facts = facts;
    this.#unusable = unusable;
    this.#completeAt = options.now;
  }

  #noteUnusable(ids: ReadonlySet<string>, now: string): void {
    if (this.#errors.note('facts', { reason: 'UnexpectedAnswer', now })) {
      this.#logger.warn(
        `Facts of ${ids.size} previews are no JSON of at most 16 kB, and are left out`,
      );
    }
  }

  #noteFailure(error: unknown, now: string): void {
    const reason =
      error instanceof ReadingFailure ? error.reason : 'ServerError';
    const isNews = this.#error?.reason !== reason;
    this.#error = {
      reason,
      message: `${
        this.#provider.id
      } could not be read; the log of the backend has more.`,
      since: isNews ? now : this.#error!.since,
    };
    this.#onCall?.({ source: this.id, outcome: reason });
    if (isNews) {
      this.#logger.warn(
        'The source of a module could not be read',
        toError(error),
      );
    }
  }
}
