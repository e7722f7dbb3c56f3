import { ChallengeFact, OrderFact } from '../../model';
import { issuerOf } from './issuance';
import { isOfKind, parseLeanMeta, ParseContext } from './meta';
import { stableErrorOf } from './stableText';
import { compact, objectAt, textsOf, timeOf, wholeTextOf } from './values';

const GROUPS = ['acme.cert-manager.io'];

/** Longest word that ACME has for a state. */
const MAXIMUM_STATE = 63;

/** Parses an Order of cert-manager; undefined for anything else. */
export function parseOrder(
  value: unknown,
  context: ParseContext,
): OrderFact | undefined {
  if (!isOfKind(value, { kind: 'Order', groups: GROUPS })) {
    return undefined;
  }
  const meta = parseLeanMeta(value, context);
  if (!meta) {
    return undefined;
  }
  const spec = objectAt(value, 'spec');
  const status = objectAt(value, 'status');
  return compact({
    meta,
    dnsNames: textsOf(spec.dnsNames),
    issuer: issuerOf(spec),
    state: wholeTextOf(status.state, MAXIMUM_STATE) ?? '',
    reason: stableErrorOf(status.reason),
    failureTime: timeOf(status.failureTime),
  });
}

/** Parses a Challenge of cert-manager; undefined for anything else. */
export function parseChallenge(
  value: unknown,
  context: ParseContext,
): ChallengeFact | undefined {
  if (!isOfKind(value, { kind: 'Challenge', groups: GROUPS })) {
    return undefined;
  }
  const meta = parseLeanMeta(value, context);
  if (!meta) {
    return undefined;
  }
  const spec = objectAt(value, 'spec');
  const status = objectAt(value, 'status');
  return compact({
    meta,
    host: wholeTextOf(spec.dnsName),
    wildcard: spec.wildcard === true,
    type: wholeTextOf(spec.type, MAXIMUM_STATE)?.toUpperCase(),
    state: wholeTextOf(status.state, MAXIMUM_STATE) ?? '',
    processing: status.processing === true,
    presented: status.presented === true,
    presentedAt: timeOf(status.presentedAt),
    reason: stableErrorOf(status.reason),
  });
}
