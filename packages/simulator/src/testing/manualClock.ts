import type { Clock } from '../clock';

/** A clock that stands still until it is told to move. */
export interface ManualClock extends Clock {
  /** Moves on, running what falls due, in order, at its own time. */
  advance(milliseconds: number): void;
}

/** Creates a clock for tests; it begins at a fixed time unless told otherwise. */
export function createManualClock(
  start: Date = new Date('2026-11-29T12:00:00Z'),
): ManualClock {
  let current = start.getTime();
  let sequence = 0;
  let pending: Array<{ due: number; order: number; action: () => void }> = [];

  return {
    now: () => new Date(current),
    after(milliseconds, action) {
      sequence += 1;
      const entry = {
        due: current + Math.max(milliseconds, 0),
        order: sequence,
        action,
      };
      pending.push(entry);
      return () => {
        pending = pending.filter(other => other !== entry);
      };
    },
    advance(milliseconds) {
      const end = current + milliseconds;
      for (;;) {
        const next = pending
          .filter(entry => entry.due <= end)
          .sort(
            (one, other) => one.due - other.due || one.order - other.order,
          )[0];
        if (!next) {
          break;
        }
        pending = pending.filter(entry => entry !== next);
        current = next.due;
        next.action();
      }
      current = end;
    },
  };
}
