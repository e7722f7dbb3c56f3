import { GitLabHostConfig, NamedTokenConfig } from '../../config';
import { TokenReading } from '../../model';
import { CallListener } from '../calls';
import { Listeners } from '../Listeners';
import { Loop } from '../Loop';
import { TokenSource } from '../types';
import { GitLabClient } from './GitLabClient';
import { toGitLabRequestError } from './GitLabRequestError';
import { HostGate } from './HostGate';

const MINUTE = 60_000;
const EVERY = 60 * MINUTE;
/** While one of them could not be asked. */
const RETRY_EVERY = 5 * MINUTE;
const TIMEOUT = 20_000;

const REFUSALS: readonly string[] = [
  'TokenInvalid',
  'TokenExpired',
  'TokenRevoked',
];

export interface NamedTokensSourceOptions {
  tokens: readonly NamedTokenConfig[];
  /** Configured hosts, of which each token's is one. */
  hosts: readonly GitLabHostConfig[];
  onCall?: CallListener;
  /** Default: the machine's clock. */
  clock?: () => Date;
}

interface Asked {
  reading: TokenReading;
  /** Absent where there is no token to ask about. */
  config?: GitLabHostConfig;
  gate: HostGate;
}

/** Asks tokens that were handed over for it about themselves; they are used for nothing else. */
export class NamedTokensSource implements TokenSource {
  readonly id = 'tokens';
  readonly #options: NamedTokensSourceOptions;
  readonly #clock: () => Date;
  readonly #listeners = new Listeners();
  readonly #loop: Loop;
  #asked: Asked[];
  #couldAsk = true;

  private constructor(options: NamedTokensSourceOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => new Date());
    this.#asked = this.#unasked();
    this.#loop = Loop.create({
      read: ({ signal }) => this.#read(signal),
      delay: () => (this.#couldAsk ? EVERY : RETRY_EVERY),
    });
  }

  static create(options: NamedTokensSourceOptions): NamedTokensSource {
    return new NamedTokensSource(options);
  }

  start({ signal }: { signal: AbortSignal }): void {
    this.#asked = this.#unasked();
    this.#listeners.notify();
    this.#loop.start(signal);
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async refresh(): Promise<void> {
    await this.#loop.runNow();
  }

  readings(): TokenReading[] {
    return this.#asked.map(({ reading }) => reading);
  }

  #unasked(): Asked[] {
    const { tokens, hosts, onCall } = this.#options;
    return tokens.map(({ name, host, token }) => {
      const config = hosts.find(one => one.host === host);
      const canAsk = config !== undefined && token !== undefined;
      return {
        reading: { name, host, state: canAsk ? 'pending' : 'unverifiable' },
        ...(canAsk && { config: { ...config, token } }),
        gate: HostGate.create({
          maximum: 1,
          onCall: outcome => onCall?.({ source: `gitlab:${host}`, outcome }),
        }),
      };
    });
  }

  async #read(signal: AbortSignal): Promise<void> {
    const asked = this.#asked;
    let couldAsk = true;
    for (const one of asked) {
      if (one.config && !signal.aborted) {
        one.reading = await this.#ask(one, one.config, signal);
        couldAsk &&= one.reading.state !== 'unverifiable';
      }
    }
    if (!signal.aborted && this.#asked === asked) {
      this.#couldAsk = couldAsk;
      this.#listeners.notify();
    }
  }

  async #ask(
    { reading, gate }: Asked,
    config: GitLabHostConfig,
    signal: AbortSignal,
  ): Promise<TokenReading> {
    const { name, host, fact, readAt } = reading;
    gate.noteAnswer();
    try {
      const client = GitLabClient.create({
        config,
        gate,
        signal,
        timeoutMilliseconds: TIMEOUT,
        clock: this.#clock,
      });
      return {
        name,
        host,
        state: 'ready',
        fact: await client.token(),
        readAt: this.#clock().toISOString(),
      };
    } catch (error) {
      if (signal.aborted) {
        return reading;
      }
      const isRefused = REFUSALS.includes(toGitLabRequestError(error).reason);
      return {
        name,
        host,
        state: isRefused ? 'refused' : 'unverifiable',
        ...(fact && { fact }),
        ...(readAt !== undefined && { readAt }),
      };
    }
  }
}
