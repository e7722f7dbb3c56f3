import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { AllowedNetwork } from '../../config';

/**
 * Never visited, whatever is configured: addresses that mean "here" or "everyone",
 * those at which clouds hand out credentials to whoever asks, and IPv6 forms that
 * lead to IPv4 addresses by ways that nobody uses any more.
 */
const NEVER = [
  '0.0.0.0/8',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '169.254.169.254/32',
  '169.254.170.2/32',
  '169.254.170.23/32',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '::/128',
  'ff00::/8',
  'fd00:ec2::254/128',
  'fd00:ec2::23/128',
  'fd20:ce::254/128',
  '2001::/32',
  '2002::/16',
];

/**
 * Everything that IANA lists as not reachable from the whole Internet, of IPv4. Of
 * IPv6 only what is global unicast is reachable from there.
 */
const SPECIAL = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
];
const GLOBAL_UNICAST = '2000::/3';

/** Prefixes of IPv6 addresses whose last 32 bits are the IPv4 address that is meant. */
const EMBEDDING = ['::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48'];
/** The same once more, but deprecated; it also holds `::1`, which is none. */
const COMPATIBLE = '::/96';

/**
 * Ranges of both families, kept apart: a `BlockList` takes an IPv6 address that
 * embeds an IPv4 one for that one, and the other way round.
 */
class Ranges {
  readonly #ipv4 = new BlockList();
  readonly #ipv6 = new BlockList();

  constructor(networks: readonly AllowedNetwork[]) {
    for (const { address, prefix, family } of networks) {
      const list = family === 'ipv4' ? this.#ipv4 : this.#ipv6;
      list.addSubnet(address, prefix, family);
    }
  }

  static of(...texts: string[]): Ranges {
    return new Ranges(
      texts.map(text => {
        const [address, prefix] = text.split('/');
        const family = isIPv4(address) ? 'ipv4' : 'ipv6';
        return { address, prefix: Number(prefix), family };
      }),
    );
  }

  has(address: string): boolean {
    return isIPv4(address)
      ? this.#ipv4.check(address, 'ipv4')
      : this.#ipv6.check(address, 'ipv6');
  }
}

const never = Ranges.of(...NEVER);
const special = Ranges.of(...SPECIAL);
const globalUnicast = Ranges.of(GLOBAL_UNICAST);
const embedding = Ranges.of(...EMBEDDING);
const compatible = Ranges.of(COMPATIBLE);

/**
 * Which addresses the portal may visit. Whoever can open a merge request can name
 * hosts, and whoever can write a DNS record can let them lead anywhere: into the
 * portal's own network too, where a request of the portal counts for more.
 */
export class AddressPolicy {
  static create(options: {
    /** Ranges that are visited although they are not public. */
    allowedNetworks: readonly AllowedNetwork[];
  }): AddressPolicy {
    return new AddressPolicy(new Ranges(options.allowedNetworks));
  }

  readonly #allowed: Ranges;

  private constructor(allowed: Ranges) {
    this.#allowed = allowed;
  }

  permits(address: string): boolean {
    if (isIPv4(address)) {
      return (
        !never.has(address) &&
        (this.#allowed.has(address) || !special.has(address))
      );
    }
    // An address with a zone, such as `fe80::1%eth0`, is of this machine's own links.
    if (!isIPv6(address) || address.includes('%') || never.has(address)) {
      return false;
    }
    if (embedding.has(address)) {
      // Both have to be allowed: the way, and where it leads.
      return this.#allowed.has(address) && this.permits(lastIPv4(address));
    }
    if (compatible.has(address) && !isLoopback(address)) {
      return false;
    }
    return (
      this.#allowed.has(address) ||
      (globalUnicast.has(address) && !special.has(address))
    );
  }
}

/** As URLs write it: short, in lower case and without dots. */
function canonical(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function isLoopback(address: string): boolean {
  return canonical(address) === '::1';
}

function lastIPv4(address: string): string {
  const [high = '', low = ''] = canonical(address)
    // `64:ff9b::` ends in zeros.
    .replace(/::$/, '::0:0')
    .split(':')
    .slice(-2);
  const bits = [high, low].map(part => parseInt(part || '0', 16));
  return bits.flatMap(part => [part >> 8, part & 0xff]).join('.');
}
