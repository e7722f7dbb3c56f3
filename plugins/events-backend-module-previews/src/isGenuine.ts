import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { WebhookSecrets } from './secrets';

/** How far the clocks of sender and receiver may be apart; older ones are replays. */
const TOLERANCE_SECONDS = 5 * 60;

/** Headers as Node.js gives them: names in lower case. */
export type Headers = Record<string, string | string[] | undefined>;

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

/** In constant time, whatever the lengths are. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** Goes through all of them: how long it takes must not tell which one fits. */
function fitsAny<T>(candidates: readonly T[], fits: (item: T) => boolean) {
  return candidates.map(fits).includes(true);
}

function hasToken(headers: Headers, tokens: readonly string[]): boolean {
  const token = single(headers['x-gitlab-token']);
  return token !== undefined && fitsAny(tokens, known => isSame(known, token));
}

/**
 * Standard Webhooks: `v1,<base64>` of HMAC-SHA256 over `{id}.{timestamp}.{body}`,
 * several of them separated by blanks while keys are being replaced.
 */
function isSigned(options: {
  headers: Headers;
  body: Buffer;
  signingKeys: readonly Buffer[];
  now: number;
}): boolean {
  const { headers, body, signingKeys, now } = options;
  const id = single(headers['webhook-id']);
  const timestamp = single(headers['webhook-timestamp']);
  const signatures = single(headers['webhook-signature']);
  if (!id || !signatures || !timestamp || !/^\d{1,12}$/.test(timestamp)) {
    return false;
  }
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    return false;
  }
  const given = signatures
    .split(' ')
    .filter(signature => signature.startsWith('v1,'))
    .map(signature => signature.slice('v1,'.length));
  return fitsAny(signingKeys, key => {
    const expected = createHmac('sha256', key)
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest('base64');
    return fitsAny(given, signature => isSame(signature, expected));
  });
}

/**
 * Whether a webhook comes from someone who knows one of the secrets: by its token,
 * or by its signature over the body as it was received.
 *
 * @param options - `now` in milliseconds since 1970.
 */
export function isGenuine(options: {
  headers: Headers;
  body: Buffer;
  secrets: WebhookSecrets;
  now: number;
}): boolean {
  const { headers, body, secrets, now } = options;
  return (
    hasToken(headers, secrets.tokens) ||
    isSigned({ headers, body, signingKeys: secrets.signingKeys, now })
  );
}
