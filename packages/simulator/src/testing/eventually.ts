import { setTimeout as wait } from 'node:timers/promises';

/**
 * Repeats a check until it no longer throws.
 *
 * @throws what the check threw last, when the time is over
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  options: { timeoutMilliseconds?: number } = {},
): Promise<T> {
  const deadline = Date.now() + (options.timeoutMilliseconds ?? 30_000);
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) {
        throw error;
      }
    }
    await wait(20);
  }
}
