import {
  createSecureContext,
  getCACertificates,
  rootCertificates,
  SecureContext,
} from 'node:tls';
import {
  ProbeObservation,
  ProbeTarget,
  ReachabilityReading,
} from '../../model';
import { Listeners } from '../Listeners';
import { HostsChange, ReachabilitySource } from '../types';
import { AddressPolicy } from './AddressPolicy';
import { HostProbe } from './HostProbe';
import { ReachabilitySourceOptions } from './options';
import { ProbeSchedule } from './ProbeSchedule';
import { createHostResolver } from './resolveHost';

/** What was found stands for so many intervals without another visit. */
const INTERVALS_UNTIL_STALE = 3;

interface Seen {
  observation: ProbeObservation;
  /** By the monotonic clock of the process. */
  at: number;
}

/** Visits the hosts of previews, each at its own pace and a few at a time. */
export class DefaultReachabilitySource implements ReachabilitySource {
  readonly id = 'reachability';
  readonly #options: ReachabilitySourceOptions;
  readonly #probe: HostProbe;
  readonly #listeners = new Listeners<HostsChange>();
  #schedule: ProbeSchedule;
  #seen = new Map<string, Seen>();
  #signal?: AbortSignal;
  #running = 0;
  #timer?: NodeJS.Timeout;
  #waiting: { hosts: Set<string>; resolve: () => void }[] = [];

  private constructor(options: ReachabilitySourceOptions) {
    this.#options = options;
    const { config } = options;
    const secureContext = secureContextOf(config.caCertificates);
    this.#probe = HostProbe.create({
      policy: AddressPolicy.create({ allowedNetworks: config.allowedNetworks }),
      resolve: options.resolve ?? createHostResolver(),
      port: config.port,
      timeoutMilliseconds: config.timeoutMilliseconds,
      ...(secureContext && { secureContext }),
      clock: options.clock ?? (() => new Date()),
    });
    this.#schedule = this.#newSchedule();
  }

  static create(options: ReachabilitySourceOptions): DefaultReachabilitySource {
    return new DefaultReachabilitySource(options);
  }

  start({ signal }: { signal: AbortSignal }): void {
    this.#signal = signal;
    this.#schedule = this.#newSchedule();
    this.#seen = new Map();
    this.#running = 0;
    this.#endWaiting();
    signal.addEventListener('abort', () => {
      if (this.#signal === signal) {
        clearTimeout(this.#timer);
        this.#endWaiting();
      }
    });
    this.#listeners.notify();
  }

  onChange(listener: (change?: HostsChange) => void): () => void {
    return this.#listeners.add(listener);
  }

  visit(targets: readonly ProbeTarget[]): void {
    const { domains } = this.#options.config;
    const allowed = targets.filter(({ host }) =>
      domains.some(domain => host === domain || host.endsWith(`.${domain}`)),
    );
    for (const host of this.#schedule.replace(allowed, performance.now())) {
      this.#seen.delete(host);
      this.#endWaitingFor(host);
    }
    this.#pump();
  }

  hurry(hosts: readonly string[]): void {
    for (const host of hosts) {
      this.#schedule.hurry(host, performance.now());
    }
    this.#pump();
  }

  async refresh(): Promise<void> {
    const hosts = this.#schedule.hosts();
    if (!this.#isRunning || hosts.length === 0) {
      return;
    }
    await new Promise<void>(resolve => {
      this.#waiting.push({ hosts: new Set(hosts), resolve });
      this.#schedule.hurryAll(performance.now());
      this.#pump();
    });
  }

  reading(): ReachabilityReading {
    const { domains, everyMilliseconds } = this.#options.config;
    const oldest =
      performance.now() - INTERVALS_UNTIL_STALE * everyMilliseconds;
    return {
      domains,
      observations: new Map(
        [...this.#seen]
          .filter(([, { at }]) => at >= oldest)
          .map(([host, { observation }]) => [host, observation]),
      ),
    };
  }

  readHost(host: string): ProbeObservation | undefined {
    return this.#seen.get(host)?.observation;
  }

  get #isRunning(): boolean {
    return this.#signal !== undefined && !this.#signal.aborted;
  }

  #newSchedule(): ProbeSchedule {
    return new ProbeSchedule({
      everyMilliseconds: this.#options.config.everyMilliseconds,
      random: this.#options.random ?? Math.random,
    });
  }

  /** Begins as many visits as are due and may be made at once. */
  #pump(): void {
    if (!this.#signal || this.#signal.aborted) {
      return;
    }
    clearTimeout(this.#timer);
    const { concurrency } = this.#options.config;
    while (this.#running < concurrency) {
      const host = this.#schedule.take(performance.now());
      if (host === undefined) {
        break;
      }
      this.#running += 1;
      void this.#visit(host, this.#signal);
    }
    const dueAt = this.#schedule.nextDueAt();
    if (dueAt !== undefined && this.#running < concurrency) {
      this.#timer = setTimeout(
        () => this.#pump(),
        Math.max(0, dueAt - performance.now()),
      );
    }
  }

  /** Never rejects. */
  async #visit(host: string, signal: AbortSignal): Promise<void> {
    const observation = await this.#probe.visit(host, signal);
    if (signal.aborted || this.#signal !== signal) {
      return;
    }
    const now = performance.now();
    this.#running -= 1;
    const { kind } = observation.result;
    const isTarget = this.#schedule.ended(host, {
      isGood: kind === 'answered' || kind === 'redirectedAway',
      now,
    });
    if (isTarget) {
      const before = this.#seen.get(host)?.observation;
      this.#seen.set(host, { observation, at: now });
      if (!isSameFinding(before, observation)) {
        this.#listeners.notify({ hosts: [host] });
      }
    }
    this.#endWaitingFor(host);
    this.#pump();
  }

  #endWaitingFor(host: string): void {
    for (const waiting of this.#waiting) {
      waiting.hosts.delete(host);
      if (waiting.hosts.size === 0) {
        waiting.resolve();
      }
    }
    this.#waiting = this.#waiting.filter(({ hosts }) => hosts.size > 0);
  }

  #endWaiting(): void {
    this.#waiting.forEach(({ resolve }) => resolve());
    this.#waiting = [];
  }
}

/** Undefined where the authorities that Node.js trusts are all there are. */
function secureContextOf(
  caCertificates: readonly string[],
): SecureContext | undefined {
  if (caCertificates.length === 0) {
    return undefined;
  }
  // Those of `NODE_EXTRA_CA_CERTS` too, where this Node.js can tell them.
  const known =
    typeof getCACertificates === 'function'
      ? getCACertificates('default')
      : rootCertificates;
  return createSecureContext({ ca: [...known, ...caCertificates] });
}

/** Whether two visits found the same, whenever that was and however long it took. */
function isSameFinding(
  before: ProbeObservation | undefined,
  after: ProbeObservation,
): boolean {
  const textOf = (observation: ProbeObservation) =>
    JSON.stringify({
      ...observation,
      observedAt: undefined,
      milliseconds: undefined,
    });
  return before !== undefined && textOf(before) === textOf(after);
}
