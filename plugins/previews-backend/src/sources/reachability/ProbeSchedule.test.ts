import { ProbeSchedule } from './ProbeSchedule';

const MINUTE = 60_000;
const every = 5 * MINUTE;

/** Without jitter. */
function schedule(): ProbeSchedule {
  return new ProbeSchedule({ everyMilliseconds: every, random: () => 0.5 });
}

const target = (host: string, state = 'Live') => ({ host, state });

describe('when hosts are visited', () => {
  it('at once when they are new, the one after the other', () => {
    const visits = schedule();
    visits.replace([target('a'), target('b')], 0);
    expect([visits.take(0), visits.take(0), visits.take(0)]).toEqual([
      'a',
      'b',
      undefined,
    ]);
  });

  it('again after the interval when they answered', () => {
    const visits = schedule();
    visits.replace([target('a')], 0);
    visits.take(0);
    expect(visits.ended('a', { isGood: true, now: 100 })).toBe(true);
    expect(visits.nextDueAt()).toBe(100 + every);
    expect(visits.take(99 + every)).toBeUndefined();
    expect(visits.take(100 + every)).toBe('a');
  });

  it('soon when they did not, and ever more seldom, but not more seldom than those that did', () => {
    const visits = schedule();
    visits.replace([target('a')], 0);
    const delays: number[] = [];
    let now = 0;
    for (let attempt = 0; attempt < 8; attempt += 1) {
      expect(visits.take(now)).toBe('a');
      visits.ended('a', { isGood: false, now });
      delays.push(visits.nextDueAt()! - now);
      now = visits.nextDueAt()!;
    }
    expect(delays).toEqual([
      15_000, 30_000, 60_000, 120_000, 240_000, 300_000, 300_000, 300_000,
    ]);
  });

  it('apart from each other, by up to a tenth of the interval', () => {
    const dueWith = (random: number) => {
      const visits = new ProbeSchedule({
        everyMilliseconds: every,
        random: () => random,
      });
      visits.replace([target('a')], 0);
      visits.take(0);
      visits.ended('a', { isGood: true, now: 0 });
      return visits.nextDueAt();
    };
    expect(dueWith(0)).toBeCloseTo(0.9 * every);
    expect(dueWith(1)).toBeCloseTo(1.1 * every);
  });

  it('soon when their preview changed, but not in a row', () => {
    const visits = schedule();
    visits.replace([target('a')], 0);
    visits.take(0);
    visits.ended('a', { isGood: true, now: 0 });
    visits.replace([target('a', 'Updating')], 1000);
    expect(visits.nextDueAt()).toBe(5000);
    visits.replace([target('a', 'Updating')], 60_000);
    expect(visits.nextDueAt()).toBe(5000);
  });

  it('soon when somebody asks, but not in a row, and not where nobody did before', () => {
    const visits = schedule();
    visits.replace([target('a')], 0);
    visits.take(0);
    visits.ended('a', { isGood: true, now: 0 });
    visits.hurry('a', 1000);
    expect(visits.nextDueAt()).toBe(5000);
    visits.hurry('a', 9000);
    visits.hurry('b', 9000);
    expect(visits.nextDueAt()).toBe(5000);
    expect(visits.hosts()).toEqual(['a']);
  });

  it('once more when their preview changed during the visit', () => {
    const visits = schedule();
    visits.replace([target('a')], 0);
    visits.take(0);
    visits.replace([target('a', 'Updating')], 1000);
    expect(visits.take(2000)).toBeUndefined();
    visits.ended('a', { isGood: true, now: 3000 });
    expect(visits.nextDueAt()).toBe(8000);
  });

  it('no more when nobody asks for them, whatever is under way', () => {
    const visits = schedule();
    visits.replace([target('a'), target('b')], 0);
    visits.take(0);
    expect(visits.replace([target('b')], 0)).toEqual(['a']);
    expect(visits.ended('a', { isGood: true, now: 0 })).toBe(false);
    expect(visits.hosts()).toEqual(['b']);
  });

  it('all of them when somebody asks for everything', () => {
    const visits = schedule();
    visits.replace([target('a')], 0);
    visits.take(0);
    visits.ended('a', { isGood: true, now: 0 });
    visits.hurryAll(1000);
    expect(visits.take(1000)).toBe('a');
  });
});
