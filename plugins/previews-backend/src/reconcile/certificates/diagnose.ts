import { ConditionType } from '@previews/backstage-plugin-previews-common';
import { CertificateFact } from '../../model';
import { kindUnknown } from '../readability';
import { DecisionSettings } from '../settings';
import { addSeconds, hasElapsed } from '../time';
import { effectOf, Verdict, verdict } from '../verdict';
import { nextTryOf } from './backOff';
import { coreOf } from './causes';
import { issuerKind } from './chain';
import { challengesVerdict } from './challenges';
import { orderFailure, orderVerdict } from './orders';
import { ObservedCertificate } from './types';

const TYPE: ConditionType & 'CertificateReady' = 'CertificateReady';

/** How long after its renewal was due a Certificate counts as not renewed. */
const OVERDUE_AFTER_SECONDS = 3600;

/** What every step of a diagnosis is given. */
export interface DiagnosisOptions {
  now: string;
  settings: DecisionSettings;
}

/** What is the matter with one Certificate, and when that may change by itself. */
export interface Diagnosis {
  /** Of the condition `CertificateReady`. */
  verdict: Verdict;
  /** ISO: when it will be tried again. */
  retryAt?: string;
  /** ISO times at which time alone may change it. */
  changesAt: readonly string[];
}

/**
 * Tells what is the matter with a Certificate, by the deepest object that has
 * something to say: a Challenge before its Order, that before the
 * CertificateRequest, the issuer and at last the Certificate itself. Where a kind
 * of them is not read, the objects above it tell as much as they can.
 */
export function diagnose(
  observed: ObservedCertificate,
  options: DiagnosisOptions,
): Diagnosis {
  const { fact, chain } = observed;
  const { now, settings } = options;
  const { notAfter, renewalTime } = fact;
  const retryAt = nextTryOf(fact, [
    chain.order?.reason,
    chain.request?.ready?.message,
    fact.issuing?.message,
  ]);
  const found = verdictOf(observed, options, retryAt);
  const stuckAt = [
    ...chain.challenges.map(({ meta }) => meta.createdAt),
    issuanceStart(observed),
  ].flatMap(start =>
    start === undefined
      ? []
      : [addSeconds(start, settings.challengeBlockedAfterSeconds)],
  );
  const changesAt = [
    ...(notAfter === undefined ? [] : [notAfter]),
    ...(renewalTime === undefined
      ? []
      : [addSeconds(renewalTime, OVERDUE_AFTER_SECONDS)]),
    ...(found.status === 'True' ? [] : stuckAt),
  ].filter(time => !hasElapsed(time, now, 0));
  return {
    verdict: found,
    ...(retryAt !== undefined && isFailing(found) && { retryAt }),
    changesAt,
  };
}

function isFailing({ status, reason }: Verdict): boolean {
  return status === 'False'
    ? effectOf(TYPE, reason) === 'blocked'
    : reason === 'RenewalFailing';
}

function verdictOf(
  observed: ObservedCertificate,
  options: DiagnosisOptions,
  retryAt: string | undefined,
): Verdict {
  const { fact } = observed;
  const { now } = options;
  const certificate = fact.meta.name;
  const { notAfter, ready, issuing, renewalTime } = fact;
  const isPast = notAfter !== undefined && hasElapsed(notAfter, now, 0);
  // Ready stays True past the end when the controller is down.
  if (isPast || (ready?.status === 'False' && ready.reason === 'Expired')) {
    return verdict(TYPE, 'False', 'Expired', {
      certificate,
      notAfter,
      error: whatFails(observed, options),
      retryAt,
    });
  }
  if (ready?.status !== 'True' || isOfOlderSpec(fact, ready)) {
    return notReady(observed, options, retryAt);
  }
  const failing =
    issuing?.status === 'False' || issuing?.status === 'True'
      ? whatFails(observed, options)
      : undefined;
  if (failing !== undefined) {
    return verdict(TYPE, 'True', 'RenewalFailing', {
      certificate,
      notAfter,
      error: failing,
      retryAt,
    });
  }
  if (
    issuing?.status !== 'True' &&
    hasElapsed(renewalTime, now, OVERDUE_AFTER_SECONDS)
  ) {
    return verdict(TYPE, 'True', 'RenewalOverdue', {
      certificate,
      renewalTime: renewalTime!,
      notAfter,
    });
  }
  return verdict(TYPE, 'True', 'Ready', {
    certificate,
    notAfter,
    issuer: fact.issuer?.name,
  });
}

/** cert-manager has not looked at the spec since it was changed. */
function isOfOlderSpec(
  { meta }: CertificateFact,
  { observedGeneration }: NonNullable<CertificateFact['ready']>,
): boolean {
  return (
    observedGeneration !== undefined &&
    meta.generation !== undefined &&
    observedGeneration < meta.generation
  );
}

/** In the words of the upstream: what fails of an issuance, or undefined while it only takes its time. */
function whatFails(
  observed: ObservedCertificate,
  options: DiagnosisOptions,
): string | undefined {
  const found = whatIsUnderWay(observed, options, undefined);
  const { fact, chain } = observed;
  if (!found || effectOf(TYPE, found.reason) !== 'blocked') {
    return fact.issuing?.status === 'False'
      ? coreOf(fact.issuing.message)
      : undefined;
  }
  return (
    [
      found.params.error,
      ...chain.challenges.map(({ reason }) => reason),
      chain.order?.reason,
      chain.request?.ready?.message,
      // While it is being issued this tells why it has to be, which is no failure.
      fact.issuing?.status === 'False' ? fact.issuing.message : undefined,
      found.reason === 'IssuerNotFound'
        ? `${found.params.issuer} not found`
        : undefined,
    ]
      .map(text => coreOf(typeof text === 'string' ? text : undefined))
      .find(text => text !== '') ?? ''
  );
}

/** The steps of an issuance, the deepest first; undefined where none tells anything. */
function whatIsUnderWay(
  observed: ObservedCertificate,
  options: DiagnosisOptions,
  retryAt: string | undefined,
): Verdict | undefined {
  const steps = [
    () => challengesVerdict(observed, options, retryAt),
    () => orderVerdict(observed, retryAt),
    () => requestVerdict(observed, retryAt),
    () => issuerVerdict(observed, options),
  ];
  for (const step of steps) {
    const found = step();
    if (found) {
      return found;
    }
  }
  return undefined;
}

function notReady(
  observed: ObservedCertificate,
  options: DiagnosisOptions,
  retryAt: string | undefined,
): Verdict {
  const { fact } = observed;
  const { now, settings } = options;
  const certificate = fact.meta.name;
  const hosts = fact.dnsNames;
  const found = whatIsUnderWay(observed, options, retryAt);
  if (found) {
    return found;
  }
  const conflict = secretConflict(observed);
  if (conflict) {
    return conflict;
  }
  if (fact.issuing?.status === 'False') {
    return issuanceFailed(fact, retryAt);
  }
  const since = issuanceStart(observed);
  if (hasElapsed(since, now, settings.challengeBlockedAfterSeconds)) {
    return verdict(TYPE, 'False', 'IssuanceStuck', {
      certificate,
      hosts,
      since: since!,
    });
  }
  const isLost =
    (fact.revision ?? 0) > 0 &&
    ['DoesNotExist', 'MissingData'].includes(fact.ready?.reason ?? '');
  return isLost
    ? verdict(TYPE, 'False', 'SecretMissing', {
        certificate,
        secret: fact.secretName ?? certificate,
      })
    : verdict(TYPE, 'False', 'Issuing', { certificate, hosts, since });
}

/** What the Certificate itself tells of a failure, where the objects below it are gone or not read. */
function issuanceFailed(
  fact: CertificateFact,
  retryAt: string | undefined,
): Verdict {
  const certificate = fact.meta.name;
  const error = coreOf(fact.issuing?.message);
  if (error === '') {
    return verdict(TYPE, 'False', 'BackingOff', {
      certificate,
      attempts: fact.failedIssuanceAttempts,
      retryAt,
    });
  }
  return (
    orderFailure(fact, error, retryAt) ??
    verdict(TYPE, 'False', 'IssuanceFailed', {
      certificate,
      hosts: fact.dnsNames,
      error,
      attempts: fact.failedIssuanceAttempts,
      retryAt,
    })
  );
}

function issuanceStart({
  fact,
  chain,
}: ObservedCertificate): string | undefined {
  const { issuing, ready, meta } = fact;
  return (
    (issuing?.status === 'True' ? issuing.lastTransitionAt : undefined) ??
    chain.request?.meta.createdAt ??
    ready?.lastTransitionAt ??
    meta.createdAt
  );
}

/** Two Certificates that write one Secret undo each other's work for ever. */
function secretConflict({
  fact,
  rivals,
}: ObservedCertificate): Verdict | undefined {
  return rivals.length > 0 &&
    fact.secretName !== undefined &&
    ['IncorrectCertificate', 'IncorrectIssuer', 'SecretMismatch'].includes(
      fact.ready?.reason ?? '',
    )
    ? verdict(TYPE, 'False', 'SecretConflict', {
        certificate: fact.meta.name,
        secret: fact.secretName,
        others: [...rivals].sort(),
      })
    : undefined;
}

function requestVerdict(
  { fact, chain: { request } }: ObservedCertificate,
  retryAt: string | undefined,
): Verdict | undefined {
  if (!request) {
    return undefined;
  }
  const certificate = fact.meta.name;
  const { denied, invalid, ready, approved } = request;
  if (denied?.status === 'True') {
    return verdict(TYPE, 'False', 'RequestDenied', {
      certificate,
      error: denied.message ?? '',
    });
  }
  if (invalid?.status === 'True') {
    return verdict(TYPE, 'False', 'RequestInvalid', {
      certificate,
      error: invalid.message ?? '',
    });
  }
  if (ready?.status === 'False' && ready.reason === 'Failed') {
    const error = coreOf(ready.message);
    return (
      orderFailure(fact, error, retryAt) ??
      verdict(TYPE, 'False', 'IssuanceFailed', {
        certificate,
        hosts: fact.dnsNames,
        error,
        attempts: fact.failedIssuanceAttempts,
        retryAt,
      })
    );
  }
  return approved === undefined && ready === undefined
    ? verdict(TYPE, 'False', 'ApprovalPending', {
        certificate,
        request: request.meta.name,
      })
    : undefined;
}

/** What keeps anything from being asked for: an issuer that is not there, or is not ready itself. */
function issuerVerdict(
  { fact, chain, cluster }: ObservedCertificate,
  options: DiagnosisOptions,
): Verdict | undefined {
  const { issuer, issuing } = fact;
  const kind = issuer && issuerKind(issuer);
  // Whatever was ordered, or has failed already, is past the issuer.
  if (!issuer || !kind || chain.order || issuing?.status === 'False') {
    return undefined;
  }
  const certificate = fact.meta.name;
  const name = `${issuer.kind} ${issuer.name}`;
  const ready = chain.issuer?.ready;
  if (chain.issuer && ready && ready.status !== 'True') {
    return verdict(TYPE, 'False', 'IssuerNotReady', {
      certificate,
      issuer: name,
      error: ready.message ?? ready.reason ?? '',
    });
  }
  const isToldMissing = /^Referenced "\w+" not found/i.test(
    chain.request?.ready?.message ?? '',
  );
  const isMissing =
    !chain.issuer &&
    (isToldMissing ||
      (cluster.kinds[kind].state !== 'notInstalled' &&
        !kindUnknown(TYPE, cluster, kind, options)));
  return isMissing
    ? verdict(TYPE, 'False', 'IssuerNotFound', { certificate, issuer: name })
    : undefined;
}
