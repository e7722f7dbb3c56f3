import { Resolver } from 'node:dns/promises';
import { codeOf } from '../codeOf';
import { ProbeFailure } from '../../model';

/** Addresses of a host as DNS told them once; none when there is no such host. */
export type ResolvedHost =
  | { addresses: readonly string[] }
  | { failure: Extract<ProbeFailure, 'dnsNotFound' | 'dnsUnavailable'> };

/** Asks DNS for the addresses of a host; rejects with nothing but an abort. */
export type HostResolver = (
  host: string,
  options: { signal: AbortSignal },
) => Promise<ResolvedHost>;

/** There is no such name, or it has no address of the family. */
const NOT_FOUND = ['ENOTFOUND', 'ENODATA'];

/**
 * Asks the name servers themselves: the system's own look-up would take up a thread
 * that file access needs too, would try the search domains of the cluster, and
 * cannot be given up.
 */
export function createHostResolver(
  options: {
    /** Default: those of the system. */
    servers?: readonly string[];
  } = {},
): HostResolver {
  return (host, { signal }) => resolveHost(host, { ...options, signal });
}

async function resolveHost(
  host: string,
  options: { servers?: readonly string[]; signal: AbortSignal },
): Promise<ResolvedHost> {
  const { servers, signal } = options;
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers) {
    resolver.setServers(servers);
  }
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([
      resolver.resolve4(host),
      resolver.resolve6(host),
    ]);
    const addresses = answers.flatMap(answer =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    if (addresses.length > 0) {
      return { addresses };
    }
    const isKnown = answers.every(
      answer =>
        answer.status === 'rejected' &&
        NOT_FOUND.includes(codeOf(answer.reason) ?? ''),
    );
    return { failure: isKnown ? 'dnsNotFound' : 'dnsUnavailable' };
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
