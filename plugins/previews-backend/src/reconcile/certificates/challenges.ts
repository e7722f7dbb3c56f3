import { AcmeEventFact, ChallengeFact } from '../../model';
import { hasElapsed } from '../time';
import { Verdict, verdict, worst } from '../verdict';
import {
  challengeCauseOf,
  coreOf,
  isRedacted,
  orderCauseOf,
  propagationOf,
} from './causes';
import type { DiagnosisOptions } from './diagnose';
import { orderFailure } from './orders';
import { ObservedCertificate } from './types';

const TYPE = 'CertificateReady';

const FAILED_STATES = ['invalid', 'expired', 'errored'];

/** What waiting longer than usual does not end. */
const WAITING: readonly string[] = [
  'ChallengeQueued',
  'ChallengePending',
  'DnsNotPropagated',
  'HttpNotReached',
  'DnsThrottled',
  'ProviderUnreachable',
];

/** What keeps the worst Challenge of an Order; undefined where none is under way. */
export function challengesVerdict(
  observed: ObservedCertificate,
  options: DiagnosisOptions,
  retryAt: string | undefined,
): Verdict | undefined {
  return worst(
    TYPE,
    observed.chain.challenges
      .filter(challenge => !isOver(challenge))
      .map(challenge => ofChallenge(challenge, observed, options, retryAt)),
  );
}

/** One that is proved, or given up: what keeps its record from going holds up nothing else. */
function isOver({ state, meta }: ChallengeFact): boolean {
  return (
    state === 'valid' ||
    (meta.deletionRequestedAt !== undefined && !FAILED_STATES.includes(state))
  );
}

function ofChallenge(
  challenge: ChallengeFact,
  observed: ObservedCertificate,
  options: DiagnosisOptions,
  retryAt: string | undefined,
): Verdict {
  const certificate = observed.fact.meta.name;
  const host = hostOf(challenge);
  const text = textOf(challenge, observed);
  if (FAILED_STATES.includes(challenge.state)) {
    return (
      failureByAuthority(observed, text, retryAt) ??
      verdict(TYPE, 'False', 'ChallengeFailed', {
        certificate,
        host,
        error: coreOf(text),
        retryAt,
      })
    );
  }
  const found = whileUnderWay(challenge, { certificate, host, text });
  const since = challenge.meta.createdAt;
  const isTooLong =
    since !== undefined &&
    hasElapsed(
      since,
      options.now,
      options.settings.challengeBlockedAfterSeconds,
    );
  if (!isTooLong || !WAITING.includes(found.reason)) {
    return found;
  }
  return found.reason === 'DnsNotPropagated'
    ? verdict(TYPE, 'False', 'PropagationStuck', { certificate, host, since })
    : verdict(TYPE, 'False', 'ChallengeStuck', {
        certificate,
        host,
        since,
        error: coreOf(text),
      });
}

function whileUnderWay(
  challenge: ChallengeFact,
  {
    certificate,
    host,
    text,
  }: { certificate: string; host: string; text: string },
): Verdict {
  const base = { certificate, host };
  const since = challenge.presentedAt ?? challenge.meta.createdAt;
  const propagation = propagationOf(text);
  if (propagation) {
    return propagation.type === 'DNS-01'
      ? verdict(TYPE, 'False', 'DnsNotPropagated', { ...base, since })
      : verdict(TYPE, 'False', 'HttpNotReached', {
          ...base,
          error: propagation.rest,
        });
  }
  if (text !== '' && !isProgress(text)) {
    return refused(text, base);
  }
  // A Challenge that no worker has taken up has neither a state nor an error.
  return !challenge.processing && challenge.state === ''
    ? verdict(TYPE, 'False', 'ChallengeQueued', { ...base, since })
    : verdict(TYPE, 'False', 'ChallengePending', { ...base, since });
}

/** What cert-manager writes while all goes well. */
function isProgress(text: string): boolean {
  return /^(?:Successfully authorized domain|Presented challenge|Waiting for )/i.test(
    text,
  );
}

function refused(
  text: string,
  base: { certificate: string; host: string },
): Verdict {
  const error = coreOf(text);
  const found = challengeCauseOf(text);
  switch (found.cause) {
    case 'AccessDenied':
      return verdict(TYPE, 'False', 'AccessDenied', {
        ...base,
        action: found.action,
        zone: found.zone,
      });
    case 'CredentialsInvalid':
      return verdict(TYPE, 'False', 'CredentialsInvalid', {
        ...base,
        code: found.code,
      });
    case 'ZoneNotFound':
      return verdict(TYPE, 'False', 'ZoneNotFound', base);
    case 'DnsThrottled':
      return verdict(TYPE, 'False', 'DnsThrottled', base);
    case 'ProviderUnreachable':
      return verdict(TYPE, 'False', 'ProviderUnreachable', { ...base, error });
    default:
      return verdict(TYPE, 'False', 'ChallengeError', { ...base, error });
  }
}

/** A limit or a rule of the certificate authority that a Challenge met. */
function failureByAuthority(
  { fact }: ObservedCertificate,
  text: string,
  retryAt: string | undefined,
): Verdict | undefined {
  return orderCauseOf(text).cause === 'Other'
    ? undefined
    : orderFailure(fact, coreOf(text), retryAt);
}

/**
 * What its status says, or where that hides the words of AWS, or says nothing
 * yet, the newest warning of its Events. An Event stays after its error is over:
 * once a record is presented and the status tells of nothing, none is there.
 */
function textOf(
  challenge: ChallengeFact,
  { chain }: ObservedCertificate,
): string {
  const { reason, presented } = challenge;
  return reason === undefined && presented
    ? ''
    : toldOf(challenge, { events: chain.events, kind: 'PresentError' }) ?? '';
}

/**
 * What keeps a Challenge: its status, or where that hides the words of AWS or says
 * nothing, the newest of the Events of a kind that are about it.
 */
export function toldOf(
  { reason, meta }: ChallengeFact,
  options: {
    events: readonly AcmeEventFact[];
    kind: 'PresentError' | 'CleanUpError';
  },
): string | undefined {
  if (reason !== undefined && !isRedacted(reason)) {
    return reason;
  }
  const told = options.events
    .filter(
      event =>
        event.involved?.uid === meta.uid && event.reason === options.kind,
    )
    .sort((a, b) =>
      (a.observedAt ?? '').localeCompare(b.observedAt ?? '', 'en'),
    )
    .at(-1)?.message;
  return told ?? reason;
}

/** The name that was asked for, with the `*.` that ACME leaves out. */
function hostOf({ host, wildcard, meta }: ChallengeFact): string {
  return host === undefined ? meta.name : `${wildcard ? '*.' : ''}${host}`;
}
