/** Seconds from one ISO time to another; negative when it lies before, undefined when either is no time. */
export function secondsBetween(
  from: string | undefined,
  to: string,
): number | undefined {
  const seconds = (Date.parse(to) - Date.parse(from ?? '')) / 1000;
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** Whether at least so many seconds have gone by; false for what is no time. */
export function hasElapsed(
  from: string | undefined,
  to: string,
  seconds: number,
): boolean {
  const between = secondsBetween(from, to);
  return between !== undefined && between >= seconds;
}

/** What lies later is no time that anybody could read. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The ISO time that lies so many seconds later, the end of the year 9999 at the latest:
 * whoever writes an ApplicationSet may have it look once in a million years, and no date
 * is as far away.
 */
export function addSeconds(time: string, seconds: number): string {
  return new Date(
    Math.min(Date.parse(time) + seconds * 1000, LATEST),
  ).toISOString();
}

/** The later of ISO times; undefined ones are passed over. */
export function latest(...times: (string | undefined)[]): string | undefined {
  return times.reduce((a, b) =>
    a === undefined || (b !== undefined && Date.parse(b) > Date.parse(a))
      ? b ?? a
      : a,
  );
}
