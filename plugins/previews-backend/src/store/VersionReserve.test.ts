import { VersionReserve } from './VersionReserve';

describe('VersionReserve', () => {
  const term = { holder: 'a', epoch: 1 };

  function reserve() {
    let last = 0;
    const take = jest.fn(async (_term: unknown, count: number) => {
      const first = last + 1;
      last += count;
      return first;
    });
    return { reserve: new VersionReserve(take), take };
  }

  it('asks the database once for many changes', async () => {
    const { reserve: versions, take } = reserve();
    expect(await versions.give(term, 3)).toBe(1);
    expect(await versions.give(term, 1)).toBe(4);
    expect(await versions.give(term, 1)).toBe(5);
    expect(take).toHaveBeenCalledTimes(1);
  });

  it('never gives one twice when it runs out', async () => {
    const { reserve: versions, take } = reserve();
    const given = new Set<number>();
    for (let round = 0; round < 30; round += 1) {
      const first = await versions.give(term, 70);
      for (let offset = 0; offset < 70; offset += 1) {
        given.add(first + offset);
      }
    }
    expect(given.size).toBe(30 * 70);
    expect(take.mock.calls.length).toBeGreaterThan(1);
  });

  it('gives more in a row than it takes at once', async () => {
    const { reserve: versions } = reserve();
    const first = await versions.give(term, 5_000);
    expect(await versions.give(term, 1)).toBeGreaterThan(first + 4_999);
  });

  it('gives none of an earlier term', async () => {
    const { reserve: versions } = reserve();
    await versions.give(term, 1);
    expect(await versions.give({ ...term, epoch: 3 }, 1)).toBeGreaterThan(
      1_000,
    );
  });

  it('gives nothing that was not taken for good', async () => {
    const { reserve: versions, take } = reserve();
    take.mockRejectedValueOnce(new Error('The lease is held by another'));
    await expect(versions.give(term, 1)).rejects.toThrow('held by another');
    expect(await versions.give(term, 1)).toBe(1);
  });
});
