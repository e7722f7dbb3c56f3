/**
 * Counts what the simulated platform still has to do, so that tests can wait for it to come to
 * rest. Periodic work (a requeue, a reconcile interval) is not counted: it never ends.
 */
export class Activity {
  private running = 0;
  private waiting: (() => void)[] = [];

  /** Work begins; call the answer, once, when it ended. */
  begin(): () => void {
    this.running += 1;
    let ended = false;
    return () => {
      if (ended) {
        return;
      }
      ended = true;
      this.running -= 1;
      if (this.running === 0) {
        // One more turn lets work that follows from this begin before anyone is told.
        setImmediate(() => this.tellIfQuiet());
      }
    };
  }

  /** Resolves once nothing is running. */
  async quiet(): Promise<void> {
    await new Promise<void>(resolve => {
      this.waiting.push(resolve);
      setImmediate(() => this.tellIfQuiet());
    });
  }

  private tellIfQuiet(): void {
    if (this.running > 0) {
      return;
    }
    const waiting = this.waiting;
    this.waiting = [];
    waiting.forEach(resolve => resolve());
  }
}
