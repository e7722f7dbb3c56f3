/** What GitLab says of a token that was named for checking; the token itself is nowhere in it. */
export interface TokenFact {
  scopes: string[];
  /** Date without a time, `2026-01-31`; absent for one that never ends. */
  expiresOn?: string;
  /** Neither expired nor revoked. */
  active: boolean;
}

/** What is known of a named token. */
export interface TokenReading {
  /** As configured. */
  name: string;
  host: string;
  /**
   * - `pending`: it was not asked yet;
   * - `ready`: the last answer stands;
   * - `refused`: GitLab does not accept it;
   * - `unverifiable`: it was not handed over, or GitLab gave no answer.
   */
  state: 'pending' | 'ready' | 'refused' | 'unverifiable';
  /** Of the last answer, also when a later one failed. */
  fact?: TokenFact;
  /** ISO: when that was. */
  readAt?: string;
}
