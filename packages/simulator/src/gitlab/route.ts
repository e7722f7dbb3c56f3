import type { GitLabRequest } from './request';

/** What a route answers with. */
export type RouteResult =
  | { kind: 'json'; body: unknown; status?: number }
  /** A list that is still to be cut into pages; only the shown page is rendered. */
  | { kind: 'list'; items: unknown[]; render: (item: never) => unknown }
  | { kind: 'text'; body: string }
  | { kind: 'file'; type: string; name: string; body: Promise<Buffer> };

/** One route of the API. */
export interface Route {
  method: string;
  /** Path after `/api/v4`; `:name` stands for one segment, which may hold encoded slashes. */
  path: string;
  /** Scopes of which the token needs one. */
  scopes: string[];
  handle(request: GitLabRequest): RouteResult;
}

/** Scopes that read. */
export const READ = ['api', 'read_api'];

/** Scopes that change something. */
export const WRITE = ['api'];

export const json = (body: unknown, status?: number): RouteResult => ({
  kind: 'json',
  body,
  status,
});

export const list = <T>(
  items: T[],
  render: (item: T) => unknown,
): RouteResult => ({
  kind: 'list',
  items,
  render: render as (item: never) => unknown,
});

export function read(
  path: string,
  handle: Route['handle'],
  scopes: string[] = READ,
): Route {
  return { method: 'GET', path, scopes, handle };
}
