import type { ResourceDefinition } from './resources';

/** One field error of a Status. */
export interface StatusCause {
  reason?: string;
  message: string;
  field?: string;
}

/** What a Status is about. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/**
 * A refusal by the API server: carries the HTTP code and the words of the
 * `Status` object that a real one answers with.
 *
 * @public
 */
export class ApiStatusError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details?: StatusDetails;
  /** A token to continue an expired list with, inconsistently. */
  readonly continueToken?: string;

  constructor(options: {
    code: number;
    reason: string;
    message: string;
    details?: StatusDetails;
    continueToken?: string;
  }) {
    super(options.message);
    this.name = 'ApiStatusError';
    this.code = options.code;
    this.reason = options.reason;
    this.details = options.details;
    this.continueToken = options.continueToken;
  }

  /** The body of the answer. */
  toStatus(): Record<string, unknown> {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continueToken ? { continue: this.continueToken } : {},
      status: 'Failure',
      message: this.message,
      reason: this.reason || undefined,
      details: this.details,
      code: this.code,
    };
  }
}

type Subject = Pick<ResourceDefinition, 'group' | 'plural' | 'kind'>;

/** `plural.group` as error messages name a resource. */
export function qualifiedName(resource: Subject): string {
  return resource.group
    ? `${resource.plural}.${resource.group}`
    : resource.plural;
}

function detailsOf(
  resource: Subject,
  name?: string,
  more: Partial<StatusDetails> = {},
): StatusDetails {
  return {
    name,
    group: resource.group || undefined,
    kind: resource.plural,
    ...more,
  };
}

export function badRequest(message: string): ApiStatusError {
  return new ApiStatusError({ code: 400, reason: 'BadRequest', message });
}

export function unauthorized(): ApiStatusError {
  return new ApiStatusError({
    code: 401,
    reason: 'Unauthorized',
    message: 'Unauthorized',
  });
}

export function forbidden(options: {
  resource: Subject;
  name?: string;
  cause: string;
  causes?: StatusCause[];
}): ApiStatusError {
  const { resource, name, cause, causes } = options;
  return new ApiStatusError({
    code: 403,
    reason: 'Forbidden',
    message: `${qualifiedName(resource)}${
      name ? ` "${name}"` : ''
    } is forbidden: ${cause}`,
    details: detailsOf(resource, name, { causes }),
  });
}

export function notFound(resource: Subject, name: string): ApiStatusError {
  return new ApiStatusError({
    code: 404,
    reason: 'NotFound',
    message: `${qualifiedName(resource)} "${name}" not found`,
    details: detailsOf(resource, name),
  });
}

/** The kind is not served, as after its CustomResourceDefinition is gone. */
export function noSuchResource(): ApiStatusError {
  return new ApiStatusError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });
}

export function methodNotAllowed(): ApiStatusError {
  return new ApiStatusError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
}

export function alreadyExists(resource: Subject, name: string): ApiStatusError {
  return new ApiStatusError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualifiedName(resource)} "${name}" already exists`,
    details: detailsOf(resource, name),
  });
}

export function conflict(
  resource: Subject,
  name: string,
  cause = 'the object has been modified; please apply your changes to the latest version and try again',
  causes?: StatusCause[],
): ApiStatusError {
  return new ApiStatusError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualifiedName(
      resource,
    )} "${name}": ${cause}`,
    details: detailsOf(resource, name, { causes }),
  });
}

export function expired(
  message: string,
  continueToken?: string,
): ApiStatusError {
  return new ApiStatusError({
    code: 410,
    reason: 'Expired',
    message,
    continueToken,
  });
}

/** `supported` lists the media types that would have been understood. */
export function unsupportedMediaType(supported: string[]): ApiStatusError {
  return new ApiStatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${supported.join(
      ', ',
    )}`,
    details: {},
  });
}

/** `path` and `cause` are worded as the API server's field errors. */
export function invalid(options: {
  resource: Subject;
  name: string;
  path: string;
  cause: string;
  reason?: string;
}): ApiStatusError {
  const { resource, name, path, cause } = options;
  return new ApiStatusError({
    code: 422,
    reason: 'Invalid',
    message: `${resource.kind}${
      resource.group ? `.${resource.group}` : ''
    } "${name}" is invalid: ${path}: ${cause}`,
    details: {
      name,
      group: resource.group || undefined,
      kind: resource.kind,
      causes: [
        {
          reason: options.reason ?? 'FieldValueInvalid',
          message: cause,
          field: path,
        },
      ],
    },
  });
}
