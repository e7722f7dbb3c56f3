import type { IncomingMessage, ServerResponse } from 'node:http';

/** Reads a request body whole. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads the fields of a request body, JSON or form encoded; an empty body has none.
 * Throws a SyntaxError for malformed JSON.
 */
export async function readFields(
  request: IncomingMessage,
): Promise<Record<string, unknown>> {
  const text = (await readBody(request)).toString('utf8');
  if (text === '') {
    return {};
  }
  if (String(request.headers['content-type']).includes('form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  return JSON.parse(text) as Record<string, unknown>;
}

/** Sends a JSON answer. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
  });
  response.end(status === 204 ? undefined : JSON.stringify(body));
}
