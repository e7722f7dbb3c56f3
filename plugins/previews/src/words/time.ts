const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A number of one unit; the translation writes the unit. */
export interface Duration {
  unit: 'seconds' | 'minutes' | 'hours' | 'days';
  number: number;
}

/**
 * The largest unit that still tells something, cut and never rounded up: 119
 * minutes are "1 h", and days start at 48 hours.
 */
export function toDuration(seconds: number): Duration {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTE) {
    return { unit: 'seconds', number: whole };
  }
  if (whole < HOUR) {
    return { unit: 'minutes', number: Math.floor(whole / MINUTE) };
  }
  if (whole < 2 * DAY) {
    return { unit: 'hours', number: Math.floor(whole / HOUR) };
  }
  return { unit: 'days', number: Math.floor(whole / DAY) };
}

const sizes: Readonly<Record<Duration['unit'], number>> = {
  seconds: 1,
  minutes: MINUTE,
  hours: HOUR,
  days: DAY,
};

/**
 * The nearest number of such a unit, for what is to come: cut, it would seem to
 * come much too early. 177 minutes are "3 h".
 */
export function toNearestDuration(seconds: number): Duration {
  return toDuration(seconds + sizes[toDuration(seconds).unit] / 2);
}

/** `1:40`, or `2:05:00` from an hour on: for what is measured while it runs. */
export function toClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / HOUR);
  const minutes = Math.floor((whole % HOUR) / MINUTE);
  const rest = String(whole % MINUTE).padStart(2, '0');
  return hours > 0
    ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}`
    : `${minutes}:${rest}`;
}

/** Seconds from one ISO 8601 time to a later one; undefined when one is no time. */
export function secondsBetween(
  from: string | undefined,
  to: string | number | undefined,
): number | undefined {
  if (from === undefined || to === undefined) {
    return undefined;
  }
  const start = Date.parse(from);
  const end = typeof to === 'number' ? to : Date.parse(to);
  return Number.isNaN(start) || Number.isNaN(end)
    ? undefined
    : (end - start) / 1000;
}
