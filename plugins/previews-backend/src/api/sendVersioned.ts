import { createHash } from 'node:crypto';
import { Request, Response } from 'express';
import { Versioned } from './PreviewsService';

export const READ_AT_HEADER = 'Previews-Read-At';

/** Weak comparison, which is all that a GET needs. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) {
    return false;
  }
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return header
    .split(',')
    .some(tag => tag.trim() === '*' || opaque(tag) === opaque(etag));
}

/**
 * Sends an answer, or 304 when the caller has it already. The tag covers the
 * caller, the URL and the version of the answer.
 *
 * Express would compare the tags itself, but not for a `fetch` with its own
 * If-None-Match: browsers add `Cache-Control: no-cache` to those, which Express
 * takes as a wish for the whole answer.
 */
export function sendVersioned(
  request: Request,
  response: Response,
  options: { answer: Versioned<object>; caller: string },
): void {
  const { answer, caller } = options;
  const hash = createHash('sha256')
    .update(JSON.stringify([caller, request.originalUrl, answer.version]))
    .digest('base64url')
    .slice(0, 32);
  const etag = `W/"${hash}"`;
  response.set('ETag', etag);
  response.set('Cache-Control', 'private, no-cache');
  response.vary('Authorization');
  response.vary('Cookie');
  if (answer.readAt) {
    response.set(READ_AT_HEADER, answer.readAt);
  }
  // The portal's pages may come from another origin than its backend.
  response.append('Access-Control-Expose-Headers', ['ETag', READ_AT_HEADER]);
  if (matches(request.headers['if-none-match'], etag)) {
    response.status(304).end();
    return;
  }
  response.json(answer.body);
}
