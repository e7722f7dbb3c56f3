import { LoggerService } from '@backstage/backend-plugin-api';
import {
  SourceError,
  SourceState,
  SourceStatus,
} from '@previews/backstage-plugin-previews-common';
import { DnsRecordFact, DnsZoneReading } from '../../model';
import { Listeners } from '../Listeners';
import { Loop } from '../Loop';
import { DnsSource } from '../types';
import { DnsRequestError, toDnsRequestError } from './DnsRequestError';
import { Route53Delays, Route53SourceOptions } from './options';
import { ZoneLister } from './ZoneLister';

const defaultDelays: Route53Delays = {
  backOffStart: 15_000,
  soonest: 60_000,
  betweenPages: 250,
  callTimeout: 20_000,
};

/** What was read last, as a whole. */
interface Zone {
  completeAt: string;
  domain: string;
  records: ReadonlyMap<string, readonly DnsRecordFact[]>;
}

/**
 * Reads the records of one hosted zone of Route 53 at intervals. Whole readings
 * only: a page that fails leaves what was read before, and whatever lies behind it
 * is then neither there nor gone.
 */
export class DefaultRoute53Source implements DnsSource {
  readonly id: string;
  readonly #options: Route53SourceOptions;
  readonly #delays: Route53Delays;
  readonly #logger: LoggerService;
  readonly #clock: () => Date;
  readonly #listeners = new Listeners();
  readonly #loop: Loop;
  #lister?: ZoneLister;
  #zone?: Zone;
  #error?: SourceError;
  #failuresInARow = 0;
  /** By the monotonic clock of the process. */
  #begunAt = -Infinity;

  private constructor(options: Route53SourceOptions) {
    this.#options = options;
    this.#delays = { ...defaultDelays, ...options.delays };
    this.#clock = options.clock ?? (() => new Date());
    this.id = `dns:${options.config.hostedZone}`;
    this.#logger = options.logger.child({ source: this.id });
    this.#loop = Loop.create({
      read: ({ signal }) => this.#read(signal),
      delay: () => this.#delay(),
    });
  }

  static create(options: Route53SourceOptions): DefaultRoute53Source {
    return new DefaultRoute53Source(options);
  }

  start({ signal }: { signal: AbortSignal }): void {
    const { callTimeout, betweenPages } = this.#delays;
    const lister = ZoneLister.create({
      config: this.#options.config,
      callTimeout,
      betweenPages,
      onCall: outcome => this.#options.onCall?.({ source: this.id, outcome }),
    });
    signal.addEventListener('abort', () => lister.close(), { once: true });
    this.#lister = lister;
    this.#zone = undefined;
    this.#error = undefined;
    this.#failuresInARow = 0;
    this.#listeners.notify();
    this.#loop.start(signal);
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async refresh(): Promise<void> {
    await this.#loop.runNow();
  }

  readSoon(): void {
    const since = performance.now() - this.#begunAt;
    // After a failure the back-off alone decides.
    if (!this.#error && since >= this.#delays.soonest) {
      void this.#loop.runNow();
    }
  }

  reading(): DnsZoneReading {
    const zone = this.#zone;
    let state: DnsZoneReading['state'] = zone ? 'ready' : 'pending';
    if (zone && this.#error) {
      state = 'failing';
    }
    return {
      sourceId: this.id,
      state,
      ...(zone && { completeAt: zone.completeAt, domain: zone.domain }),
      ...(this.#error && { error: this.#error }),
      staleAfterSeconds: this.#staleAfterMilliseconds / 1000,
      affixes: this.#options.config.affixes,
      records: zone?.records ?? new Map(),
    };
  }

  state(now: Date): SourceState {
    const zone = this.#zone;
    let status: SourceStatus = this.#error ? 'failing' : 'fresh';
    if (!zone) {
      status = this.#error ? 'failing' : 'pending';
    } else if (
      now.getTime() - Date.parse(zone.completeAt) >=
      this.#staleAfterMilliseconds
    ) {
      status = 'stale';
    }
    return {
      id: this.id,
      kind: 'dns',
      name: zone?.domain ?? this.#options.config.hostedZone,
      status,
      ...(zone && { lastCompleteAt: zone.completeAt }),
      errors: this.#error ? [this.#error] : [],
      notes: [],
    };
  }

  get #staleAfterMilliseconds(): number {
    return this.#options.schedule.dnsStaleAfterMilliseconds;
  }

  /** Half of a back-off is chance, and a tenth of an interval either way. */
  #delay(): number {
    const { dnsPollMilliseconds: poll } = this.#options.schedule;
    if (this.#failuresInARow === 0) {
      return poll * (0.9 + Math.random() * 0.2);
    }
    const full = Math.min(
      this.#delays.backOffStart * 2 ** Math.min(this.#failuresInARow - 1, 20),
      poll,
    );
    return full / 2 + Math.random() * (full / 2);
  }

  /** Never rejects. */
  async #read(signal: AbortSignal): Promise<void> {
    const lister = this.#lister;
    if (!lister) {
      return;
    }
    this.#begunAt = performance.now();
    const completeAt = this.#clock().toISOString();
    try {
      const records = await lister.list({ signal });
      if (!signal.aborted) {
        this.#zone = {
          completeAt,
          domain: records.domain!,
          records: records.byName(),
        };
        this.#error = undefined;
        this.#failuresInARow = 0;
        this.#listeners.notify();
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#fail(toDnsRequestError(error));
      }
    }
  }

  #fail({ reason, message }: DnsRequestError): void {
    const isNews = this.#error?.reason !== reason;
    this.#failuresInARow += 1;
    this.#error = {
      reason,
      message,
      since: isNews ? this.#clock().toISOString() : this.#error!.since,
    };
    if (isNews) {
      this.#logger.warn(`Cannot read the hosted zone: ${message}`, { reason });
      this.#listeners.notify();
    }
  }
}
