/**
 * Works through items in their order, a few at a time, and begins none once it
 * is over; resolves when those that were begun have ended.
 */
export async function inTurns<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  options: { atATime: number; isOver?: () => boolean },
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) {
      if (options.isOver?.()) {
        return;
      }
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: options.atATime }, worker));
}
