import { ShownCertificate } from '@previews/backstage-plugin-previews-common';
import { isIPv4 } from 'node:net';
import { SecureContext, TLSSocket } from 'node:tls';
import { ProbeObservation, ProbeResult } from '../../model';
import { AddressPolicy } from './AddressPolicy';
import { AnswerHead, ask } from './ask';
import { connect } from './connect';
import { ProbeError } from './ProbeError';
import { HostResolver } from './resolveHost';
import { shownCertificate } from './shownCertificate';

/** Redirects of a host to itself that are followed; browsers follow 20. */
const MAXIMUM_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
const MAXIMUM_LOCATION = 2_000;

export interface HostProbeOptions {
  policy: AddressPolicy;
  resolve: HostResolver;
  port: number;
  /** Of a whole visit, redirects included. */
  timeoutMilliseconds: number;
  secureContext?: SecureContext;
  clock: () => Date;
}

interface Visit {
  result: ProbeResult;
  milliseconds?: number;
  certificate?: ShownCertificate;
}

/** One request of a visit, and what came of it. */
type Step = Visit | { head: AnswerHead; milliseconds: number };

/**
 * Visits a host as a browser would for the first time: one look at DNS, one `GET`
 * over HTTPS. Nothing is sent over a connection whose certificate is refused, and
 * nothing but that host is ever visited.
 */
export class HostProbe {
  static create(options: HostProbeOptions): HostProbe {
    return new HostProbe(options);
  }

  readonly #options: HostProbeOptions;

  private constructor(options: HostProbeOptions) {
    this.#options = options;
  }

  /** Never rejects; what it gives once the signal aborted means nothing. */
  async visit(host: string, signal: AbortSignal): Promise<ProbeObservation> {
    const found: { certificate?: ShownCertificate } = {};
    const { timeoutMilliseconds, clock } = this.#options;
    const limited = AbortSignal.any([
      signal,
      AbortSignal.timeout(timeoutMilliseconds),
    ]);
    let visit: Visit;
    try {
      visit = await this.#follow(host, found, limited);
    } catch (error) {
      const { failure, code } =
        error instanceof ProbeError ? error : new ProbeError('noConnection');
      visit = {
        result: {
          kind: 'failed',
          failure,
          ...(code !== undefined && { code }),
        },
      };
    }
    return {
      host,
      observedAt: clock().toISOString(),
      ...visit,
      ...(found.certificate && { certificate: found.certificate }),
    };
  }

  async #follow(
    host: string,
    found: { certificate?: ShownCertificate },
    signal: AbortSignal,
  ): Promise<Visit> {
    const resolved = await this.#addressesOf(host, signal);
    if ('result' in resolved) {
      return resolved;
    }
    const { addresses } = resolved;
    const origin = `https://${this.#authority(host)}`;
    let url = new URL('/', origin);
    for (let redirects = 0; redirects <= MAXIMUM_REDIRECTS; redirects += 1) {
      const step = await this.#ask(host, { url, addresses, found, signal });
      if (!('head' in step)) {
        return step;
      }
      const { head, milliseconds } = step;
      const target = targetOf(head, url);
      if (!target) {
        return {
          result: { kind: 'answered', status: head.status },
          milliseconds,
        };
      }
      if (target.origin !== url.origin) {
        return {
          result: {
            kind: 'redirectedAway',
            status: head.status,
            to: target.origin,
          },
          milliseconds,
        };
      }
      url = target;
    }
    return { result: { kind: 'redirectLoop' } };
  }

  /** At most one address of each family: one of them may lead nowhere from here. */
  async #addressesOf(
    host: string,
    signal: AbortSignal,
  ): Promise<{ addresses: string[] } | { result: ProbeResult }> {
    const resolved = await this.#options.resolve(host, { signal });
    if (signal.aborted) {
      throw new ProbeError('dnsUnavailable');
    }
    if ('failure' in resolved) {
      return { result: { kind: 'failed', failure: resolved.failure } };
    }
    const permitted = resolved.addresses.filter(address =>
      this.#options.policy.permits(address),
    );
    const addresses = [
      permitted.find(address => isIPv4(address)),
      permitted.find(address => !isIPv4(address)),
    ].filter(address => address !== undefined);
    const [address = ''] = resolved.addresses;
    return addresses.length > 0
      ? { addresses }
      : { result: { kind: 'notAllowed', address } };
  }

  async #ask(
    host: string,
    options: {
      url: URL;
      addresses: string[];
      found: { certificate?: ShownCertificate };
      signal: AbortSignal;
    },
  ): Promise<Step> {
    const { url, addresses, found, signal } = options;
    const startedAt = performance.now();
    const socket = await this.#connect(host, addresses, signal);
    try {
      found.certificate = shownCertificate(socket, host);
      if (!found.certificate?.namesHost || !found.certificate.trusted) {
        return { result: { kind: 'certificateRefused' } };
      }
      const head = await ask(socket, {
        authority: this.#authority(host),
        path: `${url.pathname}${url.search}`,
        signal,
      });
      return { head, milliseconds: Math.round(performance.now() - startedAt) };
    } finally {
      socket.destroy();
    }
  }

  /** By the first address that a connection comes about with; it is kept for what follows. */
  async #connect(
    host: string,
    addresses: string[],
    signal: AbortSignal,
  ): Promise<TLSSocket> {
    const { port, secureContext, timeoutMilliseconds } = this.#options;
    let failure: unknown;
    for (const address of [...addresses]) {
      const isLast = address === addresses.at(-1);
      try {
        const socket = await connect({
          host,
          address,
          port,
          ...(secureContext && { secureContext }),
          // Another address is worth half of the time.
          signal: isLast
            ? signal
            : AbortSignal.any([
                signal,
                AbortSignal.timeout(timeoutMilliseconds / 2),
              ]),
        });
        addresses.splice(0, addresses.length, address);
        return socket;
      } catch (error) {
        failure ??= error;
      }
    }
    throw failure;
  }

  #authority(host: string): string {
    const { port } = this.#options;
    return port === 443 ? host : `${host}:${port}`;
  }
}

/** Where a redirect leads; undefined for any other answer, and for nonsense. */
function targetOf(
  { status, location }: AnswerHead,
  base: URL,
): URL | undefined {
  if (
    !REDIRECTS.includes(status) ||
    location === undefined ||
    location.length > MAXIMUM_LOCATION
  ) {
    return undefined;
  }
  try {
    const target = new URL(location, base);
    return /^https?:$/.test(target.protocol) ? target : undefined;
  } catch {
    return undefined;
  }
}
