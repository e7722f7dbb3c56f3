import { textOf } from './values';

/** Longest text that is kept of an error. */
const MAXIMUM_ERROR = 600;

/** The zone of a record set is no secret, and tells where to look. */
const ZONE = /arn:aws[\w-]*:route53:[^\s'",)]*hostedzone\/([A-Z0-9]+)/g;

const ARN = /arn:aws[\w-]*:[^\s'",)]+/g;
const ACCESS_KEY = /\b[A-Z0-9]{0,4}(?:AKIA|ASIA)[A-Z0-9]{12,}\b/g;

function withoutIdentities(text: string): string {
  return text
    .replace(ZONE, 'hostedzone/$1')
    .replace(ARN, '[redacted]')
    .replace(ACCESS_KEY, '[redacted]');
}

/**
 * What an object says of itself, without identities of a cloud's accounts: an image
 * that may not be pulled and a resource that may not be made tell of them too.
 */
export function messageOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : withoutIdentities(text);
}

/**
 * What an error says, without what differs from one try to the next (request ids,
 * session names, names of Orders, addresses of ACME resources) and without
 * identities of a cloud's accounts, which everybody who sees a preview would see.
 *
 * The same error thus gives the same text, so that nothing seems to change while
 * an issuance is tried again and again.
 */
export function stableErrorOf(value: unknown): string | undefined {
  // Cut before it is searched: the texts of an upstream have no bounds.
  const text = messageOf(value)
    ?.replace(
      /\(?\b(?:https response error )?(?:StatusCode|status code): ?\d{3},? ?/gi,
      '',
    )
    .replace(/\brequest ?id:? ?"?[\w=/+-]+"?\)?,? ?/gi, '')
    .replace(/\bassumed-role\/[^\s'",)]+/g, '[redacted]')
    .replace(/\b\d{12}\b/g, '[redacted]')
    .replace(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '[redacted]')
    // The last part of an address names one resource among many.
    .replace(/(https?:\/\/[^/\s'"]+)\/[^\s'"]*/g, '$1')
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '…')
    .replace(/\b\d{15,}\b/g, '…')
    .replace(/(order resource )"[^"]*"/g, '$1"…"')
    .replace(/\s+/g, ' ')
    .trim();
  return textOf(text, MAXIMUM_ERROR);
}
