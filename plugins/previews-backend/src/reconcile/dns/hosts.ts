import type { ObservedNamespace } from '../gather';

/** Most hosts that are remembered of a preview. */
const MAXIMUM_HOSTS = 20;

/** A name as DNS compares it; undefined for what is none, such as a wildcard. */
export function dnsNameOf(host: string): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name.length <= 253 && /^[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/.test(name)
    ? name
    : undefined;
}

/** Hosts that a preview's own routes and certificates name. */
function hostsOf(namespaces: readonly ObservedNamespace[]): string[] {
  return namespaces.flatMap(({ httpRoutes, ingresses, certificates }) =>
    [
      ...httpRoutes.flatMap(({ hostnames }) => hostnames),
      ...ingresses.flatMap(({ hosts }) => hosts),
      ...certificates.flatMap(({ dnsNames }) => dnsNames),
    ].flatMap(host => dnsNameOf(host) ?? []),
  );
}

/**
 * The hosts to remember of a preview, so that their records are looked for once
 * its routes are gone; those that it names now before those of earlier.
 */
export function hostsToRemember(
  namespaces: readonly ObservedNamespace[],
  before: readonly string[],
): string[] {
  const now = hostsOf(namespaces);
  return now.every(host => before.includes(host))
    ? [...before]
    : [...new Set([...now, ...before])].slice(0, MAXIMUM_HOSTS);
}
