import { UnreadUpdates } from './UnreadUpdates';

const noon = Date.parse('2026-03-01T12:00:00.000Z');
const minutes = (count: number) => new Date(noon + count * 60_000);
const hours = (count: number) => minutes(count * 60);
const known = { isAnyUnknown: false };

/** Projects 1, 2 and so on, whose updates are unread since these times. */
function unreadSince(
  times: readonly Date[],
  options: { since?: Date } = {},
): UnreadUpdates {
  const unread = UnreadUpdates.create({
    ...(options.since && { since: options.since.toISOString() }),
  });
  times.forEach((time, index) => unread.note([index + 1], time));
  return unread;
}

describe('UnreadUpdates', () => {
  it('has nothing unread where nothing was ever read', () => {
    const unread = UnreadUpdates.create({});
    expect(unread.of(1)).toBeUndefined();
    expect(unread.laggardsOf([1, 2])).toEqual([]);
    expect(unread.ofAll([1, 2], known)).toBeUndefined();
  });

  it('goes by the writer before until a project is read', () => {
    const unread = unreadSince([minutes(0)], { since: hours(-1) });
    unread.note([3], undefined);
    expect([1, 2, 3].map(id => unread.of(id))).toEqual([
      minutes(0),
      hours(-1),
      hours(-1),
    ]);
  });

  it.each([
    ['nobody', [0, -15], []],
    ['who lags behind by more than a few polls', [0, -16, -1], [2]],
  ])('leaves %s to be read alone', (_, times, laggards) => {
    const unread = unreadSince(times.map(minutes));
    const ids = times.map((__, index) => index + 1);
    expect(unread.laggardsOf(ids)).toEqual(laggards);
    expect(unread.laggardsOf(ids, { comparedTo: minutes(60) })).toEqual(ids);
  });

  it('makes nobody a laggard after a restart', () => {
    const unread = unreadSince([], { since: hours(-100) });
    expect(unread.laggardsOf([1, 2])).toEqual([]);
  });

  describe('tells the next writer', () => {
    it('to ask since the project that was read the longest ago', () => {
      expect(unreadSince([hours(-3), hours(-1)]).ofAll([1, 2], known)).toBe(
        hours(-3).toISOString(),
      );
    });

    it('to ask for a day at most on behalf of one that cannot be read', () => {
      expect(unreadSince([hours(-300), hours(0)]).ofAll([1, 2], known)).toBe(
        hours(-24).toISOString(),
      );
    });

    it('to ask for all of the time in which none could be read', () => {
      const unread = unreadSince([], { since: hours(-300) });
      expect(unread.ofAll([1, 2], known)).toBe(hours(-300).toISOString());
      expect(unread.ofAll([], known)).toBe(hours(-300).toISOString());
    });

    it('what it was told itself while it is not known which projects there are', () => {
      const unread = unreadSince([hours(0)], { since: hours(-3) });
      expect(unread.ofAll([1], known)).toBe(hours(0).toISOString());
      expect(unread.ofAll([1], { isAnyUnknown: true })).toBe(
        hours(-3).toISOString(),
      );
    });

    it('nothing of projects that are not read any more', () => {
      expect(unreadSince([hours(-3), hours(-1)]).ofAll([2], known)).toBe(
        hours(-1).toISOString(),
      );
    });
  });
});
