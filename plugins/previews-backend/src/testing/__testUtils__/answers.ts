import Ajv, { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../../api';

/** Properties that the document does not name are a leak or a forgotten schema. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(closed);
  }
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value)]),
  );
  return copy.type === 'object' &&
    copy.properties !== undefined &&
    copy.additionalProperties === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema(closed(openApiDocument) as object, 'openapi');
const compiled = new Map<string, ValidateFunction>();

function pointer(...parts: string[]): string {
  return parts
    .map(part =>
      encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1')),
    )
    .join('/');
}

/**
 * Throws unless the document has this status for the route, and a schema that the
 * body fits without anything left over.
 */
export function assertDocumented(answer: {
  path: keyof typeof openApiDocument.paths;
  method: string;
  status: number;
  body: unknown;
}): void {
  const { path, method, status, body } = answer;
  const operation = (
    openApiDocument.paths[path] as Record<
      string,
      { responses: Record<string, { content?: object }> }
    >
  )[method];
  const response = operation?.responses[status];
  if (!response) {
    throw new Error(`${method} ${path} does not document the status ${status}`);
  }
  if (!response.content) {
    return;
  }
  const reference = `openapi#/${pointer(
    'paths',
    path,
    method,
    'responses',
    String(status),
    'content',
    'application/json',
    'schema',
  )}`;
  const validate = compiled.get(reference) ?? ajv.compile({ $ref: reference });
  compiled.set(reference, validate);
  if (!validate(body)) {
    throw new Error(
      `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`,
    );
  }
}
