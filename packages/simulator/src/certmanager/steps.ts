import type { Clock } from '../clock';
import type { Activity } from '../controllers/activity';

interface Step {
  name: string;
  passed: boolean;
  cancel: () => void;
}

/** Options of {@link Steps.passed}. */
export interface StepOptions {
  uid: string;
  /** Says which delay this is; another name is another delay. */
  step: string;
  milliseconds: number;
  /** Waiting that may take hours must not keep the platform from being quiet. */
  background?: boolean;
}

/**
 * The time that things take. A reconciler asks whether a step's time has passed and comes again when
 * it has, so that what an object is at is read from the cluster and only its waiting from here.
 */
export class Steps {
  private readonly clock: Clock;
  private readonly activity: Activity;
  private readonly steps = new Map<string, Step>();

  constructor(options: { clock: Clock; activity: Activity }) {
    this.clock = options.clock;
    this.activity = options.activity;
  }

  /** Whether a step's time has passed; the first question starts it, and `then` is called at its end. */
  passed(options: StepOptions, then: () => void): boolean {
    const { uid, step, milliseconds, background } = options;
    const known = this.steps.get(uid);
    if (known?.name === step) {
      return known.passed;
    }
    known?.cancel();
    const done = background ? () => {} : this.activity.begin();
    const entry: Step = { name: step, passed: false, cancel: () => {} };
    const cancelTimer = this.clock.after(milliseconds, () => {
      entry.passed = true;
      then();
      done();
    });
    entry.cancel = () => {
      cancelTimer();
      done();
    };
    this.steps.set(uid, entry);
    return false;
  }

  /** Forgets what an object waits for. */
  forget(uid: string): void {
    this.steps.get(uid)?.cancel();
    this.steps.delete(uid);
  }

  stop(): void {
    this.steps.forEach(step => step.cancel());
    this.steps.clear();
  }
}
