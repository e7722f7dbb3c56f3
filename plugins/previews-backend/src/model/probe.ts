import { ShownCertificate } from '@previews/backstage-plugin-previews-common';

/** Why a visit got no answer. */
export type ProbeFailure =
  | 'dnsNotFound'
  | 'dnsUnavailable'
  | 'timeout'
  | 'refused'
  | 'reset'
  | 'noConnection'
  | 'noTls'
  | 'invalidAnswer';

/** How a visit ended. */
export type ProbeResult =
  | { kind: 'answered'; status: number }
  /** `to` is another origin, such as `https://login.example.com`. */
  | { kind: 'redirectedAway'; status: number; to: string }
  /** It was sent on to the host itself more often than browsers follow. */
  | { kind: 'redirectLoop' }
  /** The certificate is of no use for the host, so that nothing was asked. */
  | { kind: 'certificateRefused' }
  /** The host has no address that may be visited; `address` is the first of them. */
  | { kind: 'notAllowed'; address: string }
  /** `code` as the system or OpenSSL names it. */
  | { kind: 'failed'; failure: ProbeFailure; code?: string };

/** What one visit of a host found. */
export interface ProbeObservation {
  host: string;
  /** ISO: when the visit ended. */
  observedAt: string;
  result: ProbeResult;
  /** From the first packet to the first byte of the answer, if there was one. */
  milliseconds?: number;
  /** Undefined where no handshake came to it. */
  certificate?: ShownCertificate;
}

/** What is known from visits; those that are too long ago are left out. */
export interface ReachabilityReading {
  /** Only hosts that are one of these, or lie below, are visited. */
  domains: readonly string[];
  /** By host. */
  observations: ReadonlyMap<string, ProbeObservation>;
}

/** A host to visit again and again. */
export interface ProbeTarget {
  host: string;
  /** State of the previews behind it: once that is another one, it is visited soon. */
  state: string;
}
