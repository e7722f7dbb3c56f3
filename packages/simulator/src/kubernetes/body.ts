import type { IncomingMessage } from 'node:http';
import { parse } from 'yaml';
import { decodeProtobuf, PROTOBUF } from './protobuf';
import { ApiStatusError, badRequest, unsupportedMediaType } from './errors';

const MAXIMUM_BYTES = 3 * 1024 * 1024;

/** The media type of a request, without its parameters. */
export function mediaTypeOf(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';')[0].trim();
}

/**
 * Reads a body in JSON, YAML or protobuf; undefined when it is empty.
 *
 * @param accepted - media types understood here
 * @throws ApiStatusError 400 when malformed, 413 when too large, 415
 */
export async function readBody(
  request: IncomingMessage,
  accepted: string[] = ['application/json', 'application/yaml', PROTOBUF],
): Promise<any> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAXIMUM_BYTES) {
      chunks.push(chunk);
    }
  }
  if (size > MAXIMUM_BYTES) {
    throw new ApiStatusError({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: `Request entity too large: limit is ${MAXIMUM_BYTES}`,
      details: {},
    });
  }
  if (size === 0) {
    return undefined;
  }
  // A request that does not say is taken for JSON.
  const type = mediaTypeOf(request) || 'application/json';
  if (!accepted.includes(type)) {
    throw unsupportedMediaType(accepted);
  }
  if (type === PROTOBUF) {
    return decodeProtobuf(Buffer.concat(chunks));
  }
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return type.endsWith('yaml') ? parse(text) : JSON.parse(text);
  } catch (error) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${type}): ${
        error instanceof Error ? error.message : error
      }`,
    );
  }
}
