import { setTimeout as delay } from 'node:timers/promises';

/** Asks again until the answer is not undefined; fails with what it waited for. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  options: { timeoutMilliseconds?: number } = {},
): Promise<T> {
  const { timeoutMilliseconds = 60_000 } = options;
  const until = performance.now() + timeoutMilliseconds;
  let lastError: unknown;
  while (performance.now() < until) {
    try {
      const answer = await ask();
      if (answer !== undefined) {
        return answer;
      }
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    await delay(100);
  }
  throw new Error(`Waited in vain for ${what}`, { cause: lastError });
}
