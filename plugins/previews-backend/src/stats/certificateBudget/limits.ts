/** The limits of ACME servers. */
export interface AcmeLimits {
  /** New certificates of a registered domain in 7 days. */
  perDomain: number;
  /** Certificates of one exact set of names in 7 days. */
  perNameSet: number;
  /** Other limits of registered domains, which an authority has granted. */
  domains: ReadonlyMap<string, number>;
  /** Hosts of ACME directories whose limits nobody reaches, such as those for tests. */
  unlimitedServers: ReadonlySet<string>;
}

/** Those that Let's Encrypt documents. */
export const letsEncryptLimits: AcmeLimits = {
  perDomain: 50,
  perNameSet: 5,
  domains: new Map(),
  unlimitedServers: new Set(['acme-staging-v02.api.letsencrypt.org']),
};
