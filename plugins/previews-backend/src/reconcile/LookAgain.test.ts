import fc from 'fast-check';
import { LookAgain } from './LookAgain';

const time = (seconds: number) => new Date(seconds * 1000).toISOString();

describe('LookAgain', () => {
  it('tells each that is due once, soonest first', () => {
    const times = new LookAgain();
    times.set('b', time(20));
    times.set('a', time(10));
    times.set('c', time(30));
    expect(times.earliest()).toBe(time(10));
    expect(times.takeDue(time(20))).toEqual(['a', 'b']);
    expect(times.takeDue(time(20))).toEqual([]);
    expect(times.earliest()).toBe(time(30));
  });

  it('goes by the newest time of each', () => {
    const times = new LookAgain();
    times.set('a', time(10));
    times.set('a', time(40));
    times.set('b', time(20));
    times.set('b', undefined);
    times.set('c', 'not a time');
    expect(times.earliest()).toBe(time(40));
    expect(times.takeDue(time(30))).toEqual([]);
    times.set('a', time(10));
    expect(times.takeDue(time(30))).toEqual(['a']);
    expect(times.earliest()).toBeUndefined();
  });

  it('finds what going through all of them finds', () => {
    const entry = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      seconds: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
      now: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60 }), entries => {
        const times = new LookAgain();
        const plain = new Map<string, number>();
        for (const { id, seconds, now } of entries) {
          times.set(id, seconds === undefined ? undefined : time(seconds));
          if (seconds === undefined) {
            plain.delete(id);
          } else {
            plain.set(id, seconds);
          }
          const isDue = ([, at]: [string, number]) =>
            now !== undefined && at <= now;
          const due = [...plain].filter(isDue).map(([each]) => each);
          due.forEach(each => plain.delete(each));
          const told = now === undefined ? [] : times.takeDue(time(now));
          expect(told.sort()).toEqual(due.sort());
          const first = Math.min(...plain.values());
          expect(times.earliest()).toBe(
            plain.size > 0 ? time(first) : undefined,
          );
        }
      }),
    );
  });
});
