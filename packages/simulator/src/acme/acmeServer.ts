import type { Clock } from '../clock';
import type { Random } from '../random';
import {
  letsEncryptLimits,
  limitDetail,
  registeredDomain,
  type AcmeLimitName,
  type AcmeLimits,
} from './limits';
import { TokenBucket } from './tokenBucket';

/** A refusal, as the ACME client prints it: `429 urn:ietf:params:acme:error:rateLimited: …`. */
export class AcmeProblem extends Error {
  readonly status: number;

  constructor(options: { status: number; type: string; detail: string }) {
    super(
      `${options.status} urn:ietf:params:acme:error:${options.type}: ${options.detail}`,
    );
    this.name = 'AcmeProblem';
    this.status = options.status;
  }
}

/** One name of an order. */
export interface AcmeAuthorization {
  url: string;
  /** Without `*.`. */
  identifier: string;
  wildcard: boolean;
  status: 'pending' | 'valid' | 'invalid' | 'expired';
  challenge: { type: 'dns-01'; url: string; token: string; key: string };
}

/** An order as the server keeps it. */
export interface AcmeOrder {
  url: string;
  finalizeUrl: string;
  account: string;
  names: string[];
  authorizations: AcmeAuthorization[];
  isRenewal: boolean;
}

/** What was issued. */
export interface IssuedCertificate {
  dnsNames: string[];
  notBefore: Date;
  notAfter: Date;
  serial: string;
}

/** How much of a limit is used. */
export interface AcmeBudget {
  limit: AcmeLimitName;
  /** Registered domain, names joined by commas, account, or host and account. */
  subject: string;
  burst: number;
  left: number;
  /** When the next token is there. */
  availableAt: Date;
}

/** Options of {@link AcmeServer.newOrder}. */
export interface NewOrderOptions {
  account: string;
  names: string[];
  /** Ask for every authorization anew, whatever was valid before. */
  fresh?: boolean;
}

const DIRECTORY = 'https://acme.example.com';
const LIFETIME_MILLISECONDS = 90 * 24 * 3600 * 1000;
/** Valid authorizations are used again for so long. */
const AUTHORIZATION_MILLISECONDS = 30 * 24 * 3600 * 1000;
const KEY_DIGITS = 43;

function setKey(names: string[]): string {
  return [...new Set(names)].sort().join(',');
}

/**
 * An ACME server with the limits of Let's Encrypt. It counts always, and refuses where limits are
 * enforced: a demonstration that runs for days would meet them otherwise.
 */
export class AcmeServer {
  /** Which limits are enforced. */
  readonly enforced: Set<AcmeLimitName>;
  readonly limits: AcmeLimits;
  private readonly clock: Clock;
  private readonly random: Random;
  private readonly buckets = new Map<string, TokenBucket>();
  private readonly orders = new Map<string, AcmeOrder>();
  private readonly issuedSets = new Set<string>();
  private readonly validUntil = new Map<string, number>();

  constructor(options: {
    clock: Clock;
    random: Random;
    limits?: Partial<AcmeLimits>;
    /** Default none. */
    enforce?: AcmeLimitName[];
  }) {
    this.clock = options.clock;
    this.random = options.random;
    this.limits = { ...letsEncryptLimits, ...options.limits };
    this.enforced = new Set(options.enforce ?? []);
  }

  /**
   * Creates an order. A renewal of the same set of names is spared the limits of the domain and of
   * the account.
   *
   * @throws AcmeProblem 429 when a limit that is enforced is used up
   */
  newOrder({ account, names, fresh }: NewOrderOptions): AcmeOrder {
    const now = this.clock.now();
    const isRenewal = this.issuedSets.has(setKey(names));
    names.forEach(name => {
      const host = name.replace(/^\*\./, '');
      this.check('authorizations', `${host} ${account}`, host);
    });
    if (!isRenewal) {
      this.check('orders', account, account);
      this.bucket('orders', account).spend(now);
      domainsOf(names).forEach(domain => this.check('domain', domain, domain));
    }
    this.check('set', setKey(names), setKey(names));
    const id = this.random.integer(1e10, 9e10);
    const order: AcmeOrder = {
      url: `${DIRECTORY}/order/1/${id}`,
      finalizeUrl: `${DIRECTORY}/finalize/1/${id}`,
      account,
      names,
      isRenewal,
      authorizations: names.map(name =>
        this.authorization({ account, name, fresh }),
      ),
    };
    this.orders.set(order.url, order);
    return order;
  }

  /** An order that was created here. */
  order(url: string | undefined): AcmeOrder | undefined {
    return url === undefined ? undefined : this.orders.get(url);
  }

  /** Makes an authorization valid, for later orders too. */
  authorize(order: AcmeOrder, authorization: AcmeAuthorization): void {
    authorization.status = 'valid';
    this.validUntil.set(
      authorizationKey(order.account, authorization),
      this.clock.now().getTime() + AUTHORIZATION_MILLISECONDS,
    );
  }

  /** Makes an authorization invalid, which counts against its host. */
  refuse(order: AcmeOrder, authorization: AcmeAuthorization): void {
    authorization.status = 'invalid';
    this.bucket(
      'authorizations',
      `${authorization.identifier} ${order.account}`,
    ).spend(this.clock.now());
  }

  /** Issues; counts against the domains and the set of names. */
  finalize(order: AcmeOrder): IssuedCertificate {
    const now = this.clock.now();
    if (!order.isRenewal) {
      domainsOf(order.names).forEach(domain =>
        this.bucket('domain', domain).spend(now),
      );
    }
    this.bucket('set', setKey(order.names)).spend(now);
    this.issuedSets.add(setKey(order.names));
    this.orders.delete(order.url);
    return {
      dnsNames: order.names,
      notBefore: now,
      notAfter: new Date(now.getTime() + LIFETIME_MILLISECONDS),
      serial: this.random.hex(36),
    };
  }

  /** The refusal of a limit, as if it were used up. */
  limitProblem(options: {
    limit: AcmeLimitName;
    names: string[];
    retryAfter: Date | undefined;
  }): AcmeProblem {
    const { limit, names, retryAfter } = options;
    const [name = ''] = names;
    return new AcmeProblem({
      status: 429,
      type: 'rateLimited',
      detail: limitDetail({
        name: limit,
        limit: this.limits[limit],
        subject: limit === 'domain' ? registeredDomain(name) : name,
        retryAfter,
      }),
    });
  }

  /** Uses up a limit. The subject is as {@link AcmeBudget.subject} has it. */
  drain(limit: AcmeLimitName, subject: string): void {
    this.bucket(
      limit,
      limit === 'set' ? setKey(subject.split(',')) : subject,
    ).drain(this.clock.now());
  }

  /** The limits of which something is used. */
  budgets(): AcmeBudget[] {
    const now = this.clock.now();
    return [...this.buckets.entries()]
      .map(([key, bucket]) => {
        const [limit, ...subject] = key.split('/');
        return {
          limit: limit as AcmeLimitName,
          subject: subject.join('/'),
          burst: bucket.limit.burst,
          left: bucket.left(now),
          availableAt: bucket.availableAt(now),
        };
      })
      .filter(({ left, burst }) => left < burst);
  }

  private authorization(options: {
    account: string;
    name: string;
    fresh?: boolean;
  }): AcmeAuthorization {
    const { account, name, fresh } = options;
    const id = this.random.integer(1e10, 9e10);
    const base = {
      identifier: name.replace(/^\*\./, ''),
      wildcard: name.startsWith('*.'),
    };
    const until = this.validUntil.get(authorizationKey(account, base)) ?? 0;
    return {
      ...base,
      url: `${DIRECTORY}/authz/1/${id}`,
      status:
        !fresh && until > this.clock.now().getTime() ? 'valid' : 'pending',
      challenge: {
        type: 'dns-01',
        url: `${DIRECTORY}/chall/1/${id}/dns`,
        token: this.random.hex(KEY_DIGITS),
        key: this.random.hex(KEY_DIGITS),
      },
    };
  }

  private bucket(limit: AcmeLimitName, subject: string): TokenBucket {
    const key = `${limit}/${subject}`;
    let bucket = this.buckets.get(key);
    if (!bucket) {
      bucket = new TokenBucket(this.limits[limit]);
      this.buckets.set(key, bucket);
    }
    return bucket;
  }

  private check(limit: AcmeLimitName, subject: string, name: string): void {
    const now = this.clock.now();
    const bucket = this.bucket(limit, subject);
    if (this.enforced.has(limit) && bucket.left(now) === 0) {
      throw this.limitProblem({
        limit,
        names: [name],
        retryAfter: bucket.availableAt(now),
      });
    }
  }
}

function domainsOf(names: string[]): string[] {
  return [...new Set(names.map(registeredDomain))];
}

function authorizationKey(
  account: string,
  { identifier, wildcard }: { identifier: string; wildcard: boolean },
): string {
  return `${account} ${wildcard ? '*.' : ''}${identifier}`;
}
