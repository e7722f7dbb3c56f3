/** What can go wrong with the API of Route 53 and STS; it does not touch what is in the zones. */
export class AwsFaults {
  /** Milliseconds before each answer. */
  delay = 0;
  /** An HTTP status that everything is answered with. */
  failing?: number;
  /** Whether STS refuses to hand out credentials. */
  denyAssumeRole = false;
  private readonly denied = new Set<string>();
  private readonly hidden = new Set<string>();
  private throttled = 0;

  /** Refuses an operation, such as `ListResourceRecordSets`, or `*` for all. */
  deny(operation: string = '*'): void {
    this.denied.add(operation);
  }

  /** Answers the next calls with Throttling. */
  throttle(times: number = Infinity): void {
    this.throttled = times;
  }

  /** Answers NoSuchHostedZone for a zone. */
  hideZone(id: string): void {
    this.hidden.add(id);
  }

  isDenied(operation: string): boolean {
    return this.denied.has(operation) || this.denied.has('*');
  }

  isHidden(zone: string): boolean {
    return this.hidden.has(zone);
  }

  /** Whether this call is throttled; counts it. */
  takesThrottle(): boolean {
    if (this.throttled <= 0) {
      return false;
    }
    this.throttled -= 1;
    return true;
  }

  /** Heals everything. */
  clear(): void {
    this.delay = 0;
    this.failing = undefined;
    this.denyAssumeRole = false;
    this.denied.clear();
    this.hidden.clear();
    this.throttled = 0;
  }
}
