import { inTurns } from './inTurns';

describe('inTurns', () => {
  it('works through all items, no more than a few at a time', async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await inTurns(
      [1, 2, 3, 4, 5, 6, 7],
      async item => {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        done.push(item);
      },
      { atATime: 3 },
    );
    expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(3);
  });

  it('begins nothing once it is over', async () => {
    const begun: number[] = [];
    await inTurns(
      [1, 2, 3, 4],
      async item => {
        begun.push(item);
      },
      { atATime: 1, isOver: () => begun.length >= 2 },
    );
    expect(begun).toEqual([1, 2]);
  });
});
