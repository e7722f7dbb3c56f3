/** What is remembered of a certificate that an ACME server issued, beyond the objects that told of it. */
export interface IssuedRecord {
  kind: 'issued';
  /** `<uid of the Certificate>/<revision>`. */
  id: string;
  /** Host of the ACME directory; absent where the issuer could not be read. */
  server?: string;
  /** Lower case, sorted, each once. */
  names: string[];
  /** ISO: the beginning of its validity, which tells it apart when its Certificate is made again. */
  notBefore?: string;
  /** ISO: by cert-manager, since the beginning of the validity may be set back an hour. */
  at: string;
  /** The preview whose own certificate it is; absent for shared ones. */
  previewId?: string;
}

/** An ACME server refused a certificate for one of the limits that are counted. */
export interface RefusedRecord {
  kind: 'refused';
  /** `<uid of the object that tells of it>/refused/<time>`. */
  id: string;
  server?: string;
  /** Lower case, sorted, each once. */
  names: string[];
  /** Which limit: that of the registered domain, or that of the exact set of names. */
  limit: 'domain' | 'names';
  /** The registered domain in the server's own words. */
  domain?: string;
  /** How many the limit has, in the server's own words. */
  size?: number;
  /** ISO: until when it refuses, where it says so. */
  retryAt?: string;
  /** ISO. */
  at: string;
  previewId?: string;
}

export type IssuanceRecord = IssuedRecord | RefusedRecord;

/** What the writer remembers of the limits besides what was issued. */
export interface BudgetMemory {
  /** ISO: since when issuances are remembered. */
  since: string;
  /** Clusters of which not all Certificates are known now. */
  unread: string[];
  /** ISO by `<server>/<domain>`: when somebody was last told that it runs out. */
  told: Record<string, string>;
}

/** What one pass changes of the issuances, written in one transaction. */
export interface IssuanceChanges {
  records: readonly IssuanceRecord[];
  memory?: BudgetMemory;
  /** ISO: what was issued before then is forgotten. */
  forgetBefore?: string;
}
