import { CertificateSummary } from '@previews/backstage-plugin-previews-common';
import { secondsBetween } from '../../words';
import { Tone } from './tones';

/** Why a certificate that serves well today needs a look. */
export type CertificateConcern =
  | 'expiresSoon'
  | 'renewalFailing'
  | 'renewalOverdue';

/** A certificate as it is shown at one moment. */
export interface ShownCertificateState {
  state: CertificateSummary['state'];
  tone: Tone;
  /** Only of one that is `ready`. */
  concern?: CertificateConcern;
  /** Until it ends; only of one that is `ready`. */
  secondsLeft?: number;
}

const SOON_SECONDS = 14 * 86_400;

const tones: Record<CertificateSummary['state'], Tone> = {
  expired: 'bad',
  failed: 'bad',
  waiting: 'moving',
  unknown: 'neutral',
  ready: 'good',
};

const concerns: Readonly<Record<string, CertificateConcern>> = {
  RenewalFailing: 'renewalFailing',
  RenewalOverdue: 'renewalOverdue',
};

/** What keeps a Certificate waiting is a record of DNS. */
const dnsReasons: ReadonlySet<string> = new Set([
  'DnsNotPropagated',
  'DnsThrottled',
  'PropagationStuck',
]);

/** Seconds from a moment to a time that is to come; negative when it is past. */
function secondsUntil(
  time: string | undefined,
  now: number,
): number | undefined {
  const passed = secondsBetween(time, now);
  return passed === undefined ? undefined : -passed;
}

/** Whether its issuer renews it before it ends: those that live a week are always short. */
function isToBeRenewed(
  { renewalTime, notAfter }: CertificateSummary,
  now: number,
): boolean {
  return (
    (secondsUntil(renewalTime, now) ?? 0) > 0 &&
    (secondsBetween(renewalTime, notAfter) ?? 0) > 0
  );
}

function concernOf(
  certificate: CertificateSummary,
  options: { now: number; secondsLeft?: number },
): CertificateConcern | undefined {
  const { now, secondsLeft } = options;
  const told = Object.hasOwn(concerns, certificate.reason)
    ? concerns[certificate.reason]
    : undefined;
  return (
    told ??
    (secondsLeft !== undefined &&
    secondsLeft < SOON_SECONDS &&
    !isToBeRenewed(certificate, now)
      ? 'expiresSoon'
      : undefined)
  );
}

/** What a certificate is at a moment (milliseconds): the reading may be older than its end. */
export function certificateStateAt(
  certificate: CertificateSummary,
  now: number,
): ShownCertificateState {
  const { state, notAfter } = certificate;
  if (state !== 'ready') {
    return { state, tone: tones[state] ?? 'neutral' };
  }
  const secondsLeft = secondsUntil(notAfter, now);
  if (secondsLeft !== undefined && secondsLeft <= 0) {
    return { state: 'expired', tone: tones.expired };
  }
  const concern = concernOf(certificate, { now, secondsLeft });
  return {
    state,
    tone: concern ? 'warning' : tones.ready,
    ...(concern && { concern }),
    ...(secondsLeft !== undefined && { secondsLeft }),
  };
}

/** What is to be known of a certificate beside its state. */
export type CertificateNote =
  | { kind: 'concern'; concern: CertificateConcern }
  | { kind: 'retry'; time: string }
  | { kind: 'dns' };

/** Undefined where the state says it all. */
export function certificateNoteAt(
  certificate: CertificateSummary,
  now: number,
): CertificateNote | undefined {
  const { state, concern } = certificateStateAt(certificate, now);
  if (concern) {
    return { kind: 'concern', concern };
  }
  if (state !== 'ready' && certificate.retryAt) {
    return { kind: 'retry', time: certificate.retryAt };
  }
  return state === 'waiting' && dnsReasons.has(certificate.reason)
    ? { kind: 'dns' }
    : undefined;
}

const order: readonly CertificateSummary['state'][] = [
  'expired',
  'failed',
  'waiting',
  'unknown',
  'ready',
];

/** The certificate that most needs looking at; of ready ones that cannot be renewed, then the first to end. */
export function worstCertificate(
  certificates: readonly CertificateSummary[],
): CertificateSummary | undefined {
  const rank = ({ state, reason }: CertificateSummary) =>
    order.indexOf(state) +
    (state === 'ready' && !Object.hasOwn(concerns, reason) ? 1 : 0);
  return [...certificates].sort(
    (left, right) =>
      rank(left) - rank(right) ||
      (left.notAfter ?? '').localeCompare(right.notAfter ?? ''),
  )[0];
}
