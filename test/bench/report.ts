/**
 * Every benchmark runs at these, so that growth shows; `BENCH_SIZES=1000,10000`
 * runs it at others.
 */
export const SIZES: readonly number[] = (
  process.env.BENCH_SIZES ?? '100,1000,10000'
)
  .split(',')
  .map(Number);

/** One line of a benchmark's outcome. */
export interface Figure {
  name: string;
  /** Number of previews. */
  size: number;
  figure: number;
  /** At most this, of the ratio where there is one; absent where the figure only explains others. */
  budget?: number;
  unit: string;
  /** To what was measured in the same run, where the budget is one. */
  ratio?: number;
}

/** Prints a figure as one line of JSON. */
export function report(figure: Figure) {
  const rounded = (value: number) => Number(value.toPrecision(3));
  const line = {
    ...figure,
    figure: rounded(figure.figure),
    ...(figure.ratio !== undefined && { ratio: rounded(figure.ratio) }),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Runs something and tells the CPU time that the process spent meanwhile. */
export function cpuSeconds<T>(run: () => T): { result: T; seconds: number } {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1_000_000 };
}

/** As {@link cpuSeconds}, in wall time, for what waits for others. */
export async function wallSeconds<T>(
  run: () => Promise<T>,
): Promise<{ result: T; seconds: number }> {
  const before = performance.now();
  const result = await run();
  return { result, seconds: (performance.now() - before) / 1000 };
}
