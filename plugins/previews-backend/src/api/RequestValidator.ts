import { InputError } from '@backstage/errors';
import Ajv, { ErrorObject, ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { Request } from 'express';
import { openApiDocument } from './openapi';

interface ParameterSchema {
  type: string;
  [keyword: string]: unknown;
}

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: ParameterSchema;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
}

interface CompiledOperation {
  parameters: readonly Parameter[];
  path: ValidateFunction;
  query: ValidateFunction;
}

/** `shape` is what the schema of the parameters promises of the values. */
export interface ValidatedRequest {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
}

function schemaOf(parameters: readonly Parameter[]): object {
  return {
    type: 'object',
    additionalProperties: false,
    required: parameters
      .filter(parameter => parameter.required)
      .map(parameter => parameter.name),
    properties: Object.fromEntries(
      parameters.map(parameter => [parameter.name, parameter.schema]),
    ),
  };
}

/** Reads the texts of one parameter as its schema says; what does not fit is left as text. */
function readValue(
  values: readonly string[],
  schema: ParameterSchema,
): unknown {
  if (schema.type === 'array') {
    return values.flatMap(value => value.split(','));
  }
  if (values.length > 1) {
    return values;
  }
  const [value] = values;
  if (schema.type === 'integer' && /^-?\d{1,15}$/.test(value)) {
    return Number(value);
  }
  if (schema.type === 'boolean' && /^(true|false)$/.test(value)) {
    return value === 'true';
  }
  return value;
}

function describe(error: ErrorObject): string {
  if (error.keyword === 'additionalProperties') {
    return `${error.params.additionalProperty}: there is no such parameter`;
  }
  const field =
    error.instancePath.split('/')[1] ?? error.params.missingProperty;
  if (error.keyword === 'enum') {
    return `${field}: must be one of ${error.params.allowedValues.join(', ')}`;
  }
  return `${field}: ${error.message}`;
}

/**
 * Validates parameters against the OpenAPI document itself, so that what is
 * documented and what is accepted cannot differ.
 */
export class RequestValidator {
  readonly #operations = new Map<string, CompiledOperation>();

  constructor() {
    const ajv = new Ajv({ strict: false, allErrors: false });
    addFormats(ajv);
    for (const methods of Object.values(openApiDocument.paths)) {
      for (const operation of Object.values(methods) as Operation[]) {
        const parameters = operation.parameters ?? [];
        const compile = (place: Parameter['in']) =>
          ajv.compile(
            schemaOf(parameters.filter(({ in: at }) => at === place)),
          );
        this.#operations.set(operation.operationId, {
          parameters,
          path: compile('path'),
          query: compile('query'),
        });
      }
    }
  }

  /**
   * @throws InputError that names the parameter.
   */
  validate(operationId: string, request: Request): ValidatedRequest {
    const operation = this.#operations.get(operationId);
    if (!operation) {
      throw new Error(`No operation ${operationId} in the OpenAPI document`);
    }
    const path = { ...request.params };
    const query = this.#readQuery(operation, request);
    for (const [validate, values] of [
      [operation.path, path],
      [operation.query, query],
    ] as const) {
      if (!validate(values)) {
        throw new InputError(validate.errors!.map(describe).join('; '));
      }
    }
    return { path, query };
  }

  /**
   * Read from the URL and not from Express, whose parser makes objects of `a[b]`
   * and drops what is beyond its limits.
   */
  #readQuery(
    operation: CompiledOperation,
    request: Request,
  ): Record<string, unknown> {
    const { searchParams } = new URL(request.originalUrl, 'http://localhost');
    const query: Record<string, unknown> = Object.create(null);
    for (const name of new Set(searchParams.keys())) {
      const parameter = operation.parameters.find(
        candidate => candidate.in === 'query' && candidate.name === name,
      );
      const values = searchParams.getAll(name);
      query[name] = parameter ? readValue(values, parameter.schema) : values;
    }
    return query;
  }
}
