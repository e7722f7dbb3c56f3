import { MergeRequestFact } from '../../model';
import { ListProgress } from './ListProgress';

const noon = Date.parse('2026-03-01T12:00:00.000Z');

const minutes = (count: number) => new Date(noon + count * 60_000);

function updatedAt(time: Date): MergeRequestFact {
  return {
    key: { host: 'gitlab.example.com', projectId: 7, iid: 1 },
    title: '',
    author: { username: 'dev1' },
    sourceBranch: 'a',
    targetBranch: 'main',
    fork: false,
    draft: false,
    labels: [],
    state: 'opened',
    createdAt: minutes(-1000).toISOString(),
    updatedAt: time.toISOString(),
  };
}

function read(options: { pages?: number; facts?: MergeRequestFact[] } = {}) {
  const progress = ListProgress.create({ completePagesAtMost: 1 });
  progress.noteComplete({
    startedAt: minutes(0),
    pages: options.pages ?? 3,
    facts: options.facts ?? [],
  });
  return progress;
}

describe('ListProgress', () => {
  it('wants a complete reading before anything was read', () => {
    const progress = ListProgress.create({ completePagesAtMost: 1 });
    expect(progress.isCompleteDue(minutes(0))).toBe(true);
  });

  it.each([
    [false, 14],
    [true, 15],
  ])('says %s to a complete reading after %d minutes', (expected, count) => {
    expect(read().isCompleteDue(minutes(count))).toBe(expected);
  });

  it('wants what was updated after every complete reading that costs no more', () => {
    const progress = read({ pages: 1 });
    expect(progress.isCompleteDue(minutes(1))).toBe(false);
    progress.noteUpdates({ startedAt: minutes(1), facts: [] });
    expect(progress.isCompleteDue(minutes(2))).toBe(true);
  });

  it('wants a complete reading after a failure', () => {
    const progress = read();
    progress.noteFailure();
    expect(progress.isCompleteDue(minutes(1))).toBe(true);
  });

  it('reaches back behind the newest update, by the clock of GitLab', () => {
    const progress = read({ facts: [updatedAt(minutes(-1))] });
    expect(progress.updatedAfter()).toEqual(minutes(-3));
  });

  it('does not reach back once nothing older can come', () => {
    const progress = read({ facts: [updatedAt(minutes(-1))] });
    progress.noteUpdates({ startedAt: minutes(2), facts: [] });
    expect(progress.updatedAfter().getTime()).toBe(minutes(-1).getTime() + 1);
  });

  it('does not skip what came while our clock was ahead', () => {
    const progress = read({ facts: [updatedAt(minutes(-60))] });
    expect(progress.updatedAfter().getTime()).toBe(minutes(-60).getTime() + 1);
  });

  it('does not believe an update of the future', () => {
    const progress = read({ facts: [updatedAt(minutes(100_000))] });
    progress.noteUpdates({ startedAt: minutes(5), facts: [] });
    expect(progress.updatedAfter()).toEqual(minutes(3));
  });

  it('reaches back behind the last reading where no merge request was seen', () => {
    expect(read().updatedAfter()).toEqual(minutes(-2));
  });

  it('reaches back to the last reading of updates, whatever was read completely since', () => {
    const progress = read();
    progress.noteUpdates({ startedAt: minutes(5), facts: [] });
    progress.noteFailure();
    progress.noteComplete({
      startedAt: minutes(15),
      pages: 3,
      facts: [updatedAt(minutes(14))],
    });
    expect(progress.updatedAfter()).toEqual(minutes(3));
  });

  it.each<[string, (progress: ListProgress) => void, number, number]>([
    [
      'a list that shows something',
      progress =>
        progress.noteUpdates({
          startedAt: minutes(5),
          facts: [updatedAt(minutes(4))],
        }),
      3,
      2,
    ],
    ['a complete one that does', progress => progress.confirm(), 3, 3],
    ['no list that is empty', () => {}, -2, -2],
  ])(
    'takes it from %s that nothing else was updated',
    (_, see, since, afterFailure) => {
      const progress = read();
      progress.confirm();
      progress.noteUpdates({ startedAt: minutes(5), facts: [] });
      see(progress);
      expect(progress.unreadSince()).toEqual(minutes(since));
      progress.noteFailure();
      expect(progress.updatedAfter()).toEqual(minutes(afterFailure));
    },
  );

  describe('with updates that were left unread elsewhere', () => {
    it('reaches back to them once', () => {
      const progress = read({ facts: [updatedAt(minutes(-1))] });
      progress.reachBackTo(minutes(-90));
      progress.reachBackTo(minutes(-30));
      expect(progress.updatedAfter()).toEqual(minutes(-90));
      expect(progress.unreadSince()).toEqual(minutes(-90));
      progress.noteUpdates({
        startedAt: minutes(1),
        facts: [updatedAt(minutes(-80))],
      });
      expect(progress.updatedAfter()).toEqual(minutes(-3));
      expect(progress.unreadSince()).toEqual(minutes(-1));
    });

    it('reaches back to them before anything was read, and after failures', () => {
      const progress = ListProgress.create({ completePagesAtMost: 1 });
      expect(progress.unreadSince()).toBeUndefined();
      progress.reachBackTo(minutes(-90));
      progress.noteComplete({ startedAt: minutes(0), pages: 1, facts: [] });
      progress.noteFailure();
      expect(progress.updatedAfter()).toEqual(minutes(-90));
    });

    it('gives them up where that is too much to read', () => {
      const progress = read({ facts: [updatedAt(minutes(-60))] });
      progress.reachBackTo(minutes(-90));
      progress.giveUpdatesUp(minutes(4));
      expect(progress.updatedAfter()).toEqual(minutes(2));
    });
  });
});
