import type { BucketLimit } from './tokenBucket';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WEEK = 7 * 24 * HOUR;

/** The limits of Let's Encrypt that previews meet. */
export type AcmeLimitName = 'domain' | 'set' | 'orders' | 'authorizations';

/** Each limit. */
export type AcmeLimits = Record<AcmeLimitName, BucketLimit>;

/**
 * As Let's Encrypt documents them: certificates per registered domain, per exact set of names,
 * orders per account, failed authorizations per name and account.
 */
export const letsEncryptLimits: AcmeLimits = {
  domain: { burst: 50, periodMilliseconds: WEEK },
  set: { burst: 5, periodMilliseconds: WEEK },
  orders: { burst: 300, periodMilliseconds: 3 * HOUR },
  authorizations: { burst: 5, periodMilliseconds: HOUR },
};

/** A period as Go prints it: `168h0m0s`. */
function goDuration(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / MINUTE);
  return `${Math.floor(minutes / 60)}h${minutes % 60}m0s`;
}

/** `2026-11-29 20:00:00 UTC` */
function goTime(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The detail of a refusal by a limit, in the words of Let's Encrypt. */
export function limitDetail(options: {
  name: AcmeLimitName;
  limit: BucketLimit;
  /** Registered domain or host, for limits that name one. */
  subject: string;
  /** Older servers do not always say. */
  retryAfter: Date | undefined;
}): string {
  const { name, limit, subject, retryAfter } = options;
  const period = goDuration(limit.periodMilliseconds);
  const retry = retryAfter ? `, retry after ${goTime(retryAfter)}` : '';
  const see = (anchor: string) =>
    `: see https://letsencrypt.org/docs/rate-limits/#${anchor}`;
  switch (name) {
    case 'domain':
      return `too many certificates (${
        limit.burst
      }) already issued for "${subject}" in the last ${period}${retry}${see(
        'new-certificates-per-registered-domain',
      )}`;
    case 'set':
      return `too many certificates (${
        limit.burst
      }) already issued for this exact set of identifiers in the last ${period}${retry}${see(
        'new-certificates-per-exact-set-of-identifiers',
      )}`;
    case 'orders':
      return `too many new orders (${
        limit.burst
      }) from this account in the last ${period}${retry}${see(
        'new-orders-per-account',
      )}`;
    default:
      return `too many failed authorizations (${
        limit.burst
      }) for "${subject}" in the last ${period}${retry}${see(
        'authorization-failures-per-identifier-per-account',
      )}`;
  }
}

/** Suffixes of more than one label under which people register domains. */
const LONG_SUFFIXES = ['co.uk', 'com.au', 'github.io', 'co.jp'];

/** The registered domain of a name, by a short list: the simulator has no other names. */
export function registeredDomain(name: string): string {
  const labels = name.replace(/^\*\./, '').split('.');
  const suffix = LONG_SUFFIXES.includes(labels.slice(-2).join('.')) ? 3 : 2;
  return labels.slice(-suffix).join('.');
}
