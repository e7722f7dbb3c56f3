import { FindingType } from '@previews/backstage-plugin-previews-common';
import { TokenReading } from '../../model';
import { hasElapsed, secondsBetween } from '../time';
import { Found, found, FindingOptions } from './found';

const DAY_SECONDS = 86_400;
/** How long before its end a token is warned of: time to make another one. */
const EXPIRY_NOTICE_SECONDS = 30 * DAY_SECONDS;
/** An answer that is older verifies nothing any more. */
const ANSWER_STANDS_SECONDS = 2 * DAY_SECONDS;

/** What a token that reads merge requests needs, and what that includes. */
const ENOUGH: ReadonlySet<string> = new Set(['read_api', 'read_user']);

const TOKEN_TYPES = [
  'TokenRefused',
  'TokenScopeTooWide',
  'TokenExpires',
  'TokenNotVerifiable',
] as const satisfies readonly FindingType[];

/**
 * Tokens that may do too much, that end soon or have ended, and those of which nobody
 * can tell. Silence is never taken for a token that is as it should be.
 */
export function namedTokens(
  readings: readonly TokenReading[],
  now: string,
): Found[] {
  return readings.flatMap(reading => findingsOf(reading, now));
}

function findingsOf(reading: TokenReading, now: string): Found[] {
  const { name: token, host, state, fact, readAt } = reading;
  const make = <T extends (typeof TOKEN_TYPES)[number]>(
    type: T,
    params: FindingOptions<T>['params'],
    certain = true,
  ) =>
    found({
      type,
      subject: { kind: 'Token', host, name: token },
      params,
      certain,
    });
  const common = { token, host };
  if (state === 'pending') {
    // After a start nothing of before begins anew or is over.
    return [
      make('TokenRefused', common, false),
      make('TokenScopeTooWide', { ...common, scopes: '' }, false),
      make('TokenExpires', common, false),
      make('TokenNotVerifiable', common, false),
    ];
  }
  if (state === 'refused') {
    return [make('TokenRefused', common)];
  }
  // A GitLab that is down for an hour makes nothing of yesterday's answer wrong.
  if (
    fact === undefined ||
    readAt === undefined ||
    hasElapsed(readAt, now, ANSWER_STANDS_SECONDS)
  ) {
    return [make('TokenNotVerifiable', common)];
  }
  if (!fact.active) {
    return [make('TokenRefused', common)];
  }
  const scopes = fact.scopes.filter(scope => !ENOUGH.has(scope)).sort();
  const expiresAt = fact.expiresOn && `${fact.expiresOn}T00:00:00.000Z`;
  const left = secondsBetween(now, expiresAt ?? '');
  if (left !== undefined && left <= 0) {
    return [make('TokenRefused', common)];
  }
  return [
    ...(scopes.length > 0
      ? [make('TokenScopeTooWide', { ...common, scopes: scopes.join(', ') })]
      : []),
    ...(left === undefined || left < EXPIRY_NOTICE_SECONDS
      ? [make('TokenExpires', { ...common, ...(expiresAt && { expiresAt }) })]
      : []),
  ];
}
