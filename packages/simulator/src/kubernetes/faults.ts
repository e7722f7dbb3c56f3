import { ApiStatusError } from './errors';

/** What the server does for the faults that happen at once. */
export interface FaultActions {
  cutWatches(kind?: string): void;
  forgetChanges(): void;
  expireContinueTokens(): void;
  setListening(listening: boolean): Promise<void>;
}

const GENERIC_REASONS: Record<number, [reason: string, message: string]> = {
  400: ['BadRequest', 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', 'Unauthorized'],
  403: ['Forbidden', 'forbidden: simulated refusal'],
  404: ['NotFound', 'the server could not find the requested resource'],
  409: ['Conflict', 'the server reported a conflict'],
  410: ['Expired', 'The resourceVersion for the provided list is too old.'],
  429: [
    'TooManyRequests',
    'the server has received too many requests and has asked us to try again later',
  ],
  500: [
    'InternalError',
    'Internal error occurred: etcdserver: request timed out',
  ],
  503: [
    'ServiceUnavailable',
    'the server is currently unable to handle the request',
  ],
  504: [
    'Timeout',
    'Timeout: request did not complete within the allotted duration',
  ],
};

/** The faults in force: what the server looks at while it answers. */
export class FaultState {
  delayMilliseconds = 0;
  isGoneInStream = false;
  readonly forbidden = new Set<string>();
  readonly hanging = new Set<string>();
  readonly rejectedTokens = new Set<string>();
  readonly failures = new Map<string, { status: number; left: number }>();

  isForbidden(kind: string, verb: string): boolean {
    return (
      this.forbidden.has(`${kind} ${verb}`) || this.forbidden.has(`${kind} *`)
    );
  }

  isHanging(kind: string): boolean {
    return this.hanging.has(kind) || this.hanging.has('*');
  }

  /** The failure that is due for a kind, which is one less then. */
  takeFailure(kind: string): ApiStatusError | undefined {
    const failure = this.failures.get(kind);
    if (!failure) {
      return undefined;
    }
    failure.left -= 1;
    if (failure.left <= 0) {
      this.failures.delete(kind);
    }
    const [reason, message] = GENERIC_REASONS[failure.status] ?? [
      '',
      `the server responded with the status code ${failure.status}`,
    ];
    return new ApiStatusError({
      code: failure.status,
      reason,
      message,
      details: failure.status === 429 ? { retryAfterSeconds: 1 } : {},
    });
  }
}

/**
 * Breaks an API server on purpose. Every fault stays until it is taken back or
 * {@link ClusterFaults.clear} is called; those that happen once are methods
 * without a counterpart.
 *
 * @public
 */
export class ClusterFaults {
  readonly #state: FaultState;
  readonly #actions: FaultActions;

  constructor(options: { state: FaultState; actions: FaultActions }) {
    this.#state = options.state;
    this.#actions = options.actions;
  }

  /** Ends open watches, of one kind or all; clients may resume at once. */
  cutWatches(kind?: string): void {
    this.#actions.cutWatches(kind);
  }

  /** Forgets past changes: the next watch that resumes is told 410. */
  expireResourceVersions(): void {
    this.#actions.forgetChanges();
  }

  /** The next chunk of any list in progress answers 410. */
  expireContinueTokens(): void {
    this.#actions.expireContinueTokens();
  }

  /** Stops or resumes listening; while stopped, connecting is refused. */
  async refuseConnections(refuse: boolean): Promise<void> {
    await this.#actions.setListening(!refuse);
  }

  /** Answers 403 to a verb on a kind, whatever the roles say; `*` is any verb. */
  forbid(kind: string, verb: string = '*'): void {
    this.#state.forbidden.add(`${kind} ${verb}`);
  }

  /** Takes back {@link ClusterFaults.forbid}. */
  allow(kind: string, verb: string = '*'): void {
    this.#state.forbidden.delete(`${kind} ${verb}`);
  }

  /** Open and new watches, of one kind or all, stay open and say nothing. */
  hangWatches(kind?: string): void {
    this.#state.hanging.add(kind ?? '*');
  }

  /**
   * Takes back {@link ClusterFaults.hangWatches}. Watches that hung are cut:
   * what they missed is not sent later.
   */
  resumeWatches(kind?: string): void {
    this.#state.hanging.delete(kind ?? '*');
    this.#actions.cutWatches(kind);
  }

  /** Answers the next requests for a kind with an HTTP status. */
  failNext(kind: string, status: number, times: number = 1): void {
    this.#state.failures.set(kind, { status, left: times });
  }

  /** Delays every answer by so many real milliseconds; 0 takes it back. */
  delay(milliseconds: number): void {
    this.#state.delayMilliseconds = milliseconds;
  }

  /** Drops all connections and what was remembered of the past; keeps data. */
  async restart(): Promise<void> {
    await this.#actions.setListening(false);
    this.#actions.forgetChanges();
    this.#actions.expireContinueTokens();
    await this.#actions.setListening(true);
  }

  /** Whether 410 comes as an event in an accepted watch, not as HTTP status. */
  inStreamGone(inStream: boolean): void {
    this.#state.isGoneInStream = inStream;
  }

  /** Answers 401 to a token, as if it was revoked. */
  rejectToken(token: string): void {
    this.#state.rejectedTokens.add(token);
  }

  /** Takes back {@link ClusterFaults.rejectToken}. */
  acceptToken(token: string): void {
    this.#state.rejectedTokens.delete(token);
  }

  /** Takes back all that can be taken back. */
  async clear(): Promise<void> {
    this.#state.forbidden.clear();
    this.#state.rejectedTokens.clear();
    this.#state.failures.clear();
    this.#state.delayMilliseconds = 0;
    this.#state.isGoneInStream = false;
    const hanging = [...this.#state.hanging];
    this.#state.hanging.clear();
    hanging.forEach(kind =>
      this.#actions.cutWatches(kind === '*' ? undefined : kind),
    );
    await this.#actions.setListening(true);
  }
}
