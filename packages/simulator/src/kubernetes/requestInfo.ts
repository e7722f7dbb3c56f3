/** What a request is about, as read from its method and path alone. */
export interface RequestInfo {
  group: string;
  version: string;
  plural: string;
  namespace?: string;
  name?: string;
  subresource?: string;
  verb: string;
}

/**
 * Reads a path such as `/apis/apps/v1/namespaces/a/deployments/b/status`;
 * undefined for paths that are about no resource, such as discovery.
 */
export function parseRequestInfo(
  method: string,
  url: URL,
): RequestInfo | undefined {
  const parts = url.pathname
    .split('/')
    .filter(part => part !== '')
    .map(part => decodeURIComponent(part));
  const prefixLength = parts[0] === 'api' ? 2 : 3;
  if (!['api', 'apis'].includes(parts[0]) || parts.length <= prefixLength) {
    return undefined;
  }
  const group = parts[0] === 'api' ? '' : parts[1];
  const version = parts[prefixLength - 1];
  let rest = parts.slice(prefixLength);

  let namespace: string | undefined;
  // "namespaces/a" and its own subresources are about the namespace itself.
  const isInNamespace =
    rest[0] === 'namespaces' &&
    rest.length > 2 &&
    !(group === '' && ['status', 'finalize'].includes(rest[2]));
  if (isInNamespace) {
    namespace = rest[1];
    rest = rest.slice(2);
  }
  const [plural, name, ...subresource] = rest;
  return {
    group,
    version,
    plural,
    namespace,
    name,
    subresource: subresource.length > 0 ? subresource.join('/') : undefined,
    verb: verbOf(method, name, isTrue(url.searchParams.get('watch'))),
  };
}

function verbOf(
  method: string,
  name: string | undefined,
  isWatch: boolean,
): string {
  switch (method) {
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name ? 'delete' : 'deletecollection';
    default:
      if (isWatch) {
        return 'watch';
      }
      return name ? 'get' : 'list';
  }
}

/** Booleans in queries are `true`, `1`, or present and empty. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== 'false' && value !== '0';
}
