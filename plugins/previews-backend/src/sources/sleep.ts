import { setTimeout } from 'node:timers/promises';

/** Waits; returns whether to the end, or only until the signal aborted. */
export async function sleep(
  milliseconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await setTimeout(Math.max(0, milliseconds), undefined, { signal });
    return true;
  } catch {
    // It rejects for no other reason than the abort.
    return false;
  }
}
