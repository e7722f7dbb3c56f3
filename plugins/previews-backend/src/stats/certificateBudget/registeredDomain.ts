import { getDomain } from 'tldts';

/**
 * The domain that limits count by: the public suffix and one label. Suffixes that are
 * private, such as `github.io`, count as public, as they do for Let's Encrypt. A name
 * that is itself a suffix, or none at all, stands for itself.
 */
export function registeredDomainOf(name: string): string {
  const host = name.replace(/^\*\./, '').replace(/\.$/, '');
  return (
    getDomain(host, { allowPrivateDomains: true, validateHostname: false }) ??
    host
  );
}
