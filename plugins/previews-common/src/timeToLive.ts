const UNITS = { W: 7 * 86_400, D: 86_400, H: 3600, M: 60, S: 1 } as const;

/** Months and years are left out: how long they are depends on when they begin. */
const DURATION =
  /^P(?=.*\d)(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

/**
 * Longest time to live, in seconds: ten years. Whoever wants longer wants `never`.
 *
 * @public
 */
export const MAXIMUM_TIME_TO_LIVE_SECONDS = 3650 * 86_400;

/**
 * How long an idle preview is kept: whole seconds, or for as long as its merge
 * request is open.
 *
 * @public
 */
export type TimeToLive = number | 'never';

/**
 * Reads a time to live as annotations have it: `never`, or an ISO 8601 duration of
 * weeks, days, hours, minutes and seconds such as `P7D` or `PT12H`.
 *
 * @returns undefined where it is malformed, zero or longer than
 *   {@link MAXIMUM_TIME_TO_LIVE_SECONDS}.
 * @public
 */
export function parseTimeToLive(value: string): TimeToLive | undefined {
  if (value === 'never') {
    return value;
  }
  const [, ...counts] = DURATION.exec(value) ?? [];
  const seconds = Object.values(UNITS).reduce(
    (total, unit, index) => total + unit * Number(counts[index] ?? 0),
    0,
  );
  return seconds > 0 && seconds <= MAXIMUM_TIME_TO_LIVE_SECONDS
    ? seconds
    : undefined;
}

/**
 * The ISO 8601 duration of so many seconds, such as `P7D` or `P1DT12H`; fractions
 * are left out.
 *
 * @public
 */
export function formatDuration(seconds: number): string {
  let rest = Math.floor(seconds);
  const take = (unit: 'D' | 'H' | 'M' | 'S') => {
    const count = Math.floor(rest / UNITS[unit]);
    rest -= count * UNITS[unit];
    return count > 0 ? `${count}${unit}` : '';
  };
  const days = take('D');
  const time = `${take('H')}${take('M')}${take('S')}`;
  return days || time ? `P${days}${time && `T${time}`}` : 'PT0S';
}
