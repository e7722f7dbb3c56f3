/** What a server does for the faults that happen at once. */
export interface ArgocdFaultActions {
  cutStreams(): void;
  setListening(listening: boolean): Promise<void>;
}

/**
 * Breaks the API of Argo CD on purpose. Every fault stays until it is taken back
 * or {@link ArgocdFaults.clear} is called.
 */
export class ArgocdFaults {
  readonly #actions: ArgocdFaultActions;
  readonly #rejectedTokens = new Set<string>();
  readonly #denied = new Set<string>();
  #isHanging = false;

  constructor(actions: ArgocdFaultActions) {
    this.#actions = actions;
  }

  /** Ends open streams; clients may open new ones at once. */
  cutStreams(): void {
    this.#actions.cutStreams();
  }

  /** Open and new streams stay open and say nothing; taking it back cuts them. */
  hangStreams(hang: boolean): void {
    const hung = this.#isHanging;
    this.#isHanging = hang;
    if (hung && !hang) {
      this.#actions.cutStreams();
    }
  }

  get isHanging(): boolean {
    return this.#isHanging;
  }

  /** Stops or resumes listening; while stopped, connecting is refused. */
  async refuseConnections(refuse: boolean): Promise<void> {
    await this.#actions.setListening(!refuse);
  }

  /** Answers 401 to a token, as if it was revoked, and ends what it had open. */
  rejectToken(token: string): void {
    this.#rejectedTokens.add(token);
    this.#actions.cutStreams();
  }

  /** Takes back {@link ArgocdFaults.rejectToken}. */
  acceptToken(token: string): void {
    this.#rejectedTokens.delete(token);
  }

  isRejected(token: string): boolean {
    return this.#rejectedTokens.has(token);
  }

  /**
   * Takes the right to get a resource away. As Argo CD does it: lists answer 200
   * and leave out what may not be seen, streams fall silent, one object is 403.
   */
  deny(resource: 'applications' | 'applicationsets'): void {
    this.#denied.add(resource);
  }

  /** Takes back {@link ArgocdFaults.deny}. */
  allow(resource: 'applications' | 'applicationsets'): void {
    this.#denied.delete(resource);
  }

  isDenied(resource: string): boolean {
    return this.#denied.has(resource);
  }

  /** Takes back all that can be taken back. */
  async clear(): Promise<void> {
    this.#rejectedTokens.clear();
    this.#denied.clear();
    this.hangStreams(false);
    await this.#actions.setListening(true);
  }
}
