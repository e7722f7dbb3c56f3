import type { ServerResponse } from 'node:http';
import type { ApiStatusError } from './errors';

/** Answers with JSON, or with text as it is. */
export function answer(
  response: ServerResponse,
  code: number,
  body: unknown,
  contentType = typeof body === 'string' ? 'text/plain' : 'application/json',
): void {
  response.writeHead(code, {
    'Content-Type': contentType,
    'Cache-Control': 'no-cache, private',
    Vary: 'Accept',
  });
  response.end(typeof body === 'string' ? body : `${JSON.stringify(body)}\n`);
}

/** What paths answer that nothing is served at. */
export function answerNotFound(response: ServerResponse): void {
  response.writeHead(404, {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end('404 page not found\n');
}

/** Answers with a Status; what was begun can only be broken off. */
export function answerWithError(
  response: ServerResponse,
  error: ApiStatusError,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const retryAfter = error.details?.retryAfterSeconds;
  if (retryAfter !== undefined) {
    response.setHeader('Retry-After', String(retryAfter));
  }
  answer(response, error.code, error.toStatus());
}
