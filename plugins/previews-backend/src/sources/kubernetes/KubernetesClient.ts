import { fetch, Response } from 'undici';
import { CallOutcome } from '../calls';
import { asObject } from '../objects/values';
import { ClusterConnection } from './ClusterConnection';
import { KubernetesRequestError } from './KubernetesRequestError';
import { readLines } from '../readLines';

/** One line of a watch. */
export interface WatchEvent {
  type: string;
  object: unknown;
}

function problemOf(response: Response): KubernetesRequestError {
  const { status } = response;
  const retryAfter = response.headers.get('retry-after') ?? '';
  const retryAfterMilliseconds = /^\d{1,5}$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : undefined;
  const error = (reason: KubernetesRequestError['reason'], message: string) =>
    new KubernetesRequestError({
      reason,
      message,
      status,
      retryAfterMilliseconds,
    });
  switch (status) {
    case 401:
      return error('TokenInvalid', 'The cluster does not accept the token.');
    case 403:
      return error('Forbidden', 'The cluster denies this.');
    case 404:
      return error('NotFound', 'The cluster has no such thing.');
    case 429:
      return error('RateLimited', 'The cluster limits the calls.');
    default:
      return error(
        status >= 500 ? 'ServerError' : 'UnexpectedAnswer',
        `The cluster answered with status ${status}.`,
      );
  }
}

/** Reads from the API of one cluster. */
export class KubernetesClient {
  readonly #connection: ClusterConnection;
  readonly #callTimeout: number;
  readonly #onCall: (outcome: CallOutcome) => void;

  private constructor(options: {
    connection: ClusterConnection;
    callTimeoutMilliseconds: number;
    onCall?: (outcome: CallOutcome) => void;
  }) {
    this.#connection = options.connection;
    this.#callTimeout = options.callTimeoutMilliseconds;
    this.#onCall = options.onCall ?? (() => {});
  }

  static create(options: {
    connection: ClusterConnection;
    callTimeoutMilliseconds: number;
    onCall?: (outcome: CallOutcome) => void;
  }): KubernetesClient {
    return new KubernetesClient(options);
  }

  /** An object of the API, whole. */
  async get(
    path: string,
    options: { query?: Record<string, string>; signal: AbortSignal },
  ): Promise<Record<string, unknown>> {
    const timeout = AbortSignal.timeout(this.#callTimeout);
    const signal = AbortSignal.any([options.signal, timeout]);
    try {
      const response = await this.#call(path, {
        query: options.query,
        signal,
      });
      const json = asObject(JSON.parse(await response.text()));
      if (!json) {
        throw new SyntaxError('not an object');
      }
      this.#onCall('ok');
      return json;
    } catch (error) {
      throw this.#failed(error, { timeout, stop: options.signal });
    }
  }

  /**
   * Asks whether the API is served whole.
   *
   * @throws KubernetesRequestError where it is not, or does not tell.
   */
  async checkReady({ signal: stop }: { signal: AbortSignal }): Promise<void> {
    const timeout = AbortSignal.timeout(this.#callTimeout);
    try {
      const response = await this.#call('/readyz', {
        signal: AbortSignal.any([stop, timeout]),
      });
      await response.body?.cancel();
      this.#onCall('ok');
    } catch (error) {
      throw this.#failed(error, { timeout, stop });
    }
  }

  /**
   * Events of a watch, to the end of the stream. The time-out holds until the
   * cluster begins to answer; how long silence is borne after that, the caller
   * decides by the signal.
   */
  async *watch(
    path: string,
    options: {
      query: Record<string, string>;
      signal: AbortSignal;
      onOpen: () => void;
    },
  ): AsyncGenerator<WatchEvent> {
    const opening = new AbortController();
    const timer = setTimeout(() => opening.abort(), this.#callTimeout);
    const signal = AbortSignal.any([options.signal, opening.signal]);
    const signals = { timeout: opening.signal, stop: options.signal };
    let response: Response;
    try {
      response = await this.#call(path, { query: options.query, signal });
      this.#onCall('ok');
    } catch (error) {
      throw this.#failed(error, signals);
    } finally {
      clearTimeout(timer);
    }
    options.onOpen();
    try {
      for await (const line of readLines(response.body ?? [])) {
        const event = asObject(JSON.parse(line));
        if (typeof event?.type !== 'string') {
          throw new SyntaxError('not an event');
        }
        yield { type: event.type, object: event.object };
      }
    } catch (error) {
      throw this.#toError(error, signals);
    }
  }

  async #call(
    path: string,
    options: { query?: Record<string, string>; signal: AbortSignal },
  ): Promise<Response> {
    const url = new URL(`${this.#connection.server}${path}`);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      url.searchParams.set(name, value);
    }
    const send = async () =>
      fetch(url, {
        headers: {
          accept: 'application/json',
          'user-agent': 'backstage-previews',
          ...(await this.#connection.authorization()),
        },
        dispatcher: this.#connection.dispatcher,
        redirect: 'manual',
        signal: options.signal,
      });
    let response = await send();
    if (response.status === 401) {
      // Tokens of service accounts are rotated; the file has a newer one.
      await response.body?.cancel();
      this.#connection.forgetToken();
      response = await send();
    }
    if (response.status !== 200) {
      await response.body?.cancel();
      throw problemOf(response);
    }
    return response;
  }

  #failed(
    error: unknown,
    signals: { timeout: AbortSignal; stop: AbortSignal },
  ): KubernetesRequestError {
    const failure = this.#toError(error, signals);
    if (!signals.stop.aborted) {
      this.#onCall(failure.reason);
    }
    return failure;
  }

  #toError(
    error: unknown,
    signals: { timeout: AbortSignal; stop: AbortSignal },
  ): KubernetesRequestError {
    if (error instanceof KubernetesRequestError) {
      return error;
    }
    if (error instanceof SyntaxError) {
      return new KubernetesRequestError({
        reason: 'UnexpectedAnswer',
        message: 'The cluster answered with something that is not its API.',
        cause: error,
      });
    }
    if (signals.timeout.aborted && !signals.stop.aborted) {
      return new KubernetesRequestError({
        reason: 'TimedOut',
        message: `The cluster did not answer within ${
          this.#callTimeout / 1000
        } seconds.`,
        cause: error,
      });
    }
    return new KubernetesRequestError({
      reason: 'Unreachable',
      message: 'The cluster cannot be reached.',
      cause: error,
    });
  }
}
