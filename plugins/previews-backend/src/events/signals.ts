import { createHmac } from 'node:crypto';
import { LoggerService } from '@backstage/backend-plugin-api';
import { SignalsService } from '@backstage/plugin-signals-node';
import { SignalHints, SignalScope } from '../api';

const INTERVAL_MS = 1000;

/** Told of previews that changed, by the entities that claim them. */
export interface SignalPublisher {
  publish(entityRefs: readonly string[]): void;
}

interface Channel {
  timer: NodeJS.Timeout;
  /** Something changed since the last message. */
  pending: boolean;
}

/**
 * Tells browsers to fetch again. Signals reach anyone who knows a channel's name,
 * even without a token, so that messages are empty and names cannot be guessed:
 * they are keyed hashes, and only authorised answers hand them out.
 */
export class PreviewSignals implements SignalHints, SignalPublisher {
  readonly #signals: SignalsService;
  readonly #secret: () => Promise<string>;
  readonly #logger: LoggerService;
  readonly #channels = new Map<string, Channel>();
  #loadedSecret?: Promise<string>;
  #closed = false;

  constructor(options: {
    signals: SignalsService;
    /** Key of the names, the same on all replicas. */
    secret: () => Promise<string>;
    logger: LoggerService;
  }) {
    this.#signals = options.signals;
    this.#secret = options.secret;
    this.#logger = options.logger;
  }

  async channelFor(scope: SignalScope): Promise<string> {
    const secret = await this.#loadSecret();
    const name = scope === 'all' ? 'all' : `entity ${scope.entityRef}`;
    const hash = createHmac('sha256', secret).update(name).digest('base64url');
    return `previews:${hash}`;
  }

  /**
   * At once, and at most once a second a channel: changes within the second are
   * told together at its end. Failures cost a refetch's delay and no more.
   */
  publish(entityRefs: readonly string[]): void {
    const scopes: SignalScope[] = [
      'all',
      ...[...new Set(entityRefs)].map(entityRef => ({ entityRef })),
    ];
    for (const scope of scopes) {
      this.channelFor(scope).then(
        channel => this.#tell(channel),
        error => this.#failed(error),
      );
    }
  }

  /** Sends nothing more. */
  close(): void {
    this.#closed = true;
    for (const { timer } of this.#channels.values()) {
      clearTimeout(timer);
    }
    this.#channels.clear();
  }

  #tell(name: string): void {
    if (this.#closed) {
      return;
    }
    const channel = this.#channels.get(name);
    if (channel) {
      channel.pending = true;
      return;
    }
    const timer = setTimeout(() => this.#intervalOver(name), INTERVAL_MS);
    timer.unref();
    this.#channels.set(name, { timer, pending: false });
    this.#signals
      .publish({
        recipients: { type: 'broadcast' },
        channel: name,
        message: {},
      })
      .catch(error => this.#failed(error));
  }

  #intervalOver(name: string): void {
    const channel = this.#channels.get(name);
    this.#channels.delete(name);
    if (channel?.pending) {
      this.#tell(name);
    }
  }

  #loadSecret(): Promise<string> {
    this.#loadedSecret ??= this.#secret().catch(error => {
      this.#loadedSecret = undefined;
      throw error;
    });
    return this.#loadedSecret;
  }

  #failed(error: Error): void {
    this.#logger.warn('Could not signal a change; browsers will poll', error);
  }
}
