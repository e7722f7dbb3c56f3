import type { ServerResponse } from 'node:http';
import { sendJson } from '../http/body';

/** An answer that is no success, in the words of Argo CD's gRPC gateway. */
export class ArgocdAnswer extends Error {
  readonly status: number;
  readonly code: number;

  constructor(options: { status: number; code: number; message: string }) {
    super(options.message);
    this.status = options.status;
    this.code = options.code;
  }

  send(response: ServerResponse): void {
    const { status, code, message } = this;
    sendJson(response, status, { error: message, code, message });
  }
}

/** No token was sent. */
export const noSession = () =>
  new ArgocdAnswer({
    status: 401,
    code: 16,
    message: 'no session information',
  });

/** A token that is unknown or was revoked. */
export const invalidSession = () =>
  new ArgocdAnswer({
    status: 401,
    code: 16,
    message: 'invalid session: account portal does not have token with id',
  });

/** Without a word on what is there, since that is none of the caller's business. */
export const permissionDenied = () =>
  new ArgocdAnswer({ status: 403, code: 7, message: 'permission denied' });

/** The caller may know that the object is not there. */
export const notFound = (resource: string, name: string) =>
  new ArgocdAnswer({
    status: 404,
    code: 5,
    message: `${resource}.argoproj.io "${name}" not found`,
  });

/** There is no such path. */
export const noSuchPath = () =>
  new ArgocdAnswer({ status: 404, code: 5, message: 'Not Found' });
