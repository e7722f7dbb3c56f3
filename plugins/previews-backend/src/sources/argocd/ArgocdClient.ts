import { Agent, fetch, Response } from 'undici';
import { ArgocdInstanceConfig } from '../../config';
import { CallOutcome } from '../calls';
import { asObject, JsonObject, objectAt, objectsOf } from '../objects/values';
import { readLines } from '../readLines';
import { ArgocdRequestError } from './ArgocdRequestError';

/** One event of a stream. */
export interface ArgocdEvent {
  type: string;
  application: JsonObject;
}

/** A list as Argo CD answers it. */
export interface ArgocdList {
  /** Empty where this version tells none. */
  resourceVersion: string;
  items: JsonObject[];
}

function problemOf({ status }: Response): ArgocdRequestError {
  const error = (reason: ArgocdRequestError['reason'], message: string) =>
    new ArgocdRequestError({ reason, message });
  switch (status) {
    case 401:
      return error('TokenInvalid', 'Argo CD does not accept the token.');
    case 403:
      return error('Forbidden', 'Argo CD denies this.');
    case 404:
      return error('NotFound', 'Argo CD has no such thing.');
    case 429:
      return error('RateLimited', 'Argo CD limits the calls.');
    default:
      return error(
        status >= 500 ? 'ServerError' : 'UnexpectedAnswer',
        `Argo CD answered with status ${status}.`,
      );
  }
}

/** Reads from the API of one Argo CD. */
export class ArgocdClient {
  readonly #config: ArgocdInstanceConfig;
  readonly #callTimeout: number;
  readonly #onCall: (outcome: CallOutcome) => void;
  readonly #dispatcher: Agent;

  private constructor(options: {
    config: ArgocdInstanceConfig;
    callTimeoutMilliseconds: number;
    onCall?: (outcome: CallOutcome) => void;
  }) {
    this.#config = options.config;
    this.#callTimeout = options.callTimeoutMilliseconds;
    this.#onCall = options.onCall ?? (() => {});
    this.#dispatcher = new Agent({
      // A stream answers nothing, not even headers, before its first event.
      bodyTimeout: 0,
      headersTimeout: 0,
      ...(options.config.skipTlsVerify && {
        connect: { rejectUnauthorized: false },
      }),
    });
  }

  static create(options: {
    config: ArgocdInstanceConfig;
    callTimeoutMilliseconds: number;
    onCall?: (outcome: CallOutcome) => void;
  }): ArgocdClient {
    return new ArgocdClient(options);
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  /**
   * All objects of a resource. Argo CD leaves out of a list what the account may
   * not see, so that lost access looks like nothing there: a list counts only
   * where the account may get all of them, which is asked before and after it.
   *
   * The parameter `fields` is not used: what it can select lacks the uid and the
   * owner, which Applications are joined by.
   *
   * @throws ArgocdRequestError
   */
  async list(
    resource: 'applications' | 'applicationsets',
    options: { signal: AbortSignal },
  ): Promise<ArgocdList> {
    await this.#assertAllowed(resource, options);
    const query =
      resource === 'applications' ? this.#selection() : new URLSearchParams();
    const list = await this.#get(
      `/api/v1/${resource}${query.size > 0 ? `?${query}` : ''}`,
      options,
    );
    const items = list.items ?? [];
    if (!Array.isArray(items)) {
      throw new ArgocdRequestError({
        reason: 'UnexpectedAnswer',
        message: 'Argo CD answered with something that is not a list.',
      });
    }
    await this.#assertAllowed(resource, options);
    const { resourceVersion } = objectAt(list, 'metadata');
    return {
      resourceVersion:
        typeof resourceVersion === 'string' ? resourceVersion : '',
      items: objectsOf(items, Infinity),
    };
  }

  /**
   * One object, whole.
   *
   * @throws ArgocdRequestError
   */
  async object(
    resource: 'applications' | 'applicationsets' | 'projects',
    options: { name: string; namespace?: string; signal: AbortSignal },
  ): Promise<JsonObject> {
    const { name, namespace, signal } = options;
    const key = {
      applications: 'appNamespace',
      applicationsets: 'appsetNamespace',
    };
    const query = new URLSearchParams(
      resource === 'projects' || namespace === undefined
        ? {}
        : { [key[resource]]: namespace },
    );
    return this.#get(
      `/api/v1/${resource}/${encodeURIComponent(name)}${
        query.size > 0 ? `?${query}` : ''
      }`,
      { signal },
    );
  }

  /** @throws ArgocdRequestError unless the account may get every object. */
  async #assertAllowed(
    resource: string,
    options: { signal: AbortSignal },
  ): Promise<void> {
    const answer = await this.#get(
      `/api/v1/account/can-i/${resource}/get/*/*`,
      options,
    );
    if (answer.value !== 'yes') {
      throw new ArgocdRequestError({
        reason: 'Forbidden',
        message: `Argo CD does not allow to get all ${resource}.`,
      });
    }
  }

  /**
   * Events of Applications from now on, to the end of the stream: Argo CD
   * repeats nothing, and leaves out what is older than the version.
   */
  async *streamApplications(options: {
    resourceVersion: string;
    signal: AbortSignal;
    onOpen: () => void;
  }): AsyncGenerator<ArgocdEvent> {
    const { signal } = options;
    const query = this.#selection();
    query.set('resourceVersion', options.resourceVersion);
    let response: Response;
    try {
      response = await this.#call(
        `/api/v1/stream/applications?${query}`,
        signal,
      );
      this.#onCall('ok');
    } catch (error) {
      throw this.#failed(error, { stop: signal });
    }
    options.onOpen();
    try {
      for await (const line of readLines(response.body ?? [])) {
        const result = asObject(asObject(JSON.parse(line))?.result);
        const application = asObject(result?.application);
        if (typeof result?.type !== 'string' || !application) {
          throw new SyntaxError('not an event');
        }
        yield { type: result.type, application };
      }
    } catch (error) {
      throw this.#toError(error, { stop: signal });
    }
  }

  /** Of the Applications that are configured to be read. */
  #selection(): URLSearchParams {
    const { selector } = this.#config;
    return new URLSearchParams(selector === undefined ? {} : { selector });
  }

  async #get(
    path: string,
    options: { signal: AbortSignal },
  ): Promise<JsonObject> {
    const timeout = AbortSignal.timeout(this.#callTimeout);
    try {
      const response = await this.#call(
        path,
        AbortSignal.any([options.signal, timeout]),
      );
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

  async #call(path: string, signal: AbortSignal): Promise<Response> {
    const { url, token } = this.#config;
    const response = await fetch(`${url}${path}`, {
      headers: {
        accept: 'application/json',
        'user-agent': 'backstage-previews',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      dispatcher: this.#dispatcher,
      redirect: 'manual',
      signal,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw problemOf(response);
    }
    return response;
  }

  #failed(
    error: unknown,
    signals: { timeout?: AbortSignal; stop: AbortSignal },
  ): ArgocdRequestError {
    const failure = this.#toError(error, signals);
    if (!signals.stop.aborted) {
      this.#onCall(failure.reason);
    }
    return failure;
  }

  #toError(
    error: unknown,
    signals: { timeout?: AbortSignal; stop: AbortSignal },
  ): ArgocdRequestError {
    if (error instanceof ArgocdRequestError) {
      return error;
    }
    if (error instanceof SyntaxError) {
      return new ArgocdRequestError({
        reason: 'UnexpectedAnswer',
        message: 'Argo CD answered with something that is not its API.',
        cause: error,
      });
    }
    if (signals.timeout?.aborted && !signals.stop.aborted) {
      return new ArgocdRequestError({
        reason: 'TimedOut',
        message: `Argo CD did not answer within ${
          this.#callTimeout / 1000
        } seconds.`,
        cause: error,
      });
    }
    return new ArgocdRequestError({
      reason: 'Unreachable',
      message: 'Argo CD cannot be reached.',
      cause: error,
    });
  }
}
