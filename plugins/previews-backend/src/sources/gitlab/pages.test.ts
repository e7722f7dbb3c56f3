import { ListTooLongError, readPages } from './pages';

interface Answer {
  data: unknown[];
  paginationInfo?: Record<string, number | null>;
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** A list of which the pages may change between two calls. */
function pagesOf(list: (call: number) => number[], perPage = 10) {
  const calls: number[] = [];
  const read = async (page: number): Promise<Answer> => {
    calls.push(page);
    const items = list(calls.length);
    const isLast = page * perPage >= items.length;
    return {
      data: items.slice((page - 1) * perPage, page * perPage),
      paginationInfo: {
        total: items.length,
        totalPages: Math.max(1, Math.ceil(items.length / perPage)),
        next: isLast ? null : page + 1,
        perPage,
      },
    };
  };
  return { read, calls };
}

describe('readPages', () => {
  it('reads every page once', async () => {
    const { read, calls } = pagesOf(() => numbers(1, 95));
    await expect(readPages(read, { maximumPages: 20 })).resolves.toEqual({
      items: numbers(1, 95),
      pages: 10,
      isCut: false,
      total: 95,
    });
    expect(calls.sort((left, right) => left - right)).toEqual(numbers(1, 10));
  });

  it('does not ask for a page behind a full last one when GitLab counts', async () => {
    const { read, calls } = pagesOf(() => numbers(1, 100), 100);
    await readPages(read, { maximumPages: 20 });
    expect(calls).toEqual([1]);
  });

  it('asks on behind a full page when a proxy took the headers away', async () => {
    const { read } = pagesOf(() => numbers(1, 150), 100);
    const { items } = await readPages(
      async page => ({ data: (await read(page)).data }),
      { maximumPages: 20 },
    );
    expect(items).toEqual(numbers(1, 150));
  });

  it('finds what slipped to a page that was read already when something left', async () => {
    // The first item leaves behind the first call.
    const { read } = pagesOf(call =>
      call === 1 ? numbers(1, 30) : numbers(2, 30),
    );
    const { items } = await readPages(read, { maximumPages: 20 });
    expect(new Set(items)).toEqual(new Set(numbers(1, 30)));
  });

  it('reads a list that never rests no more than twice', async () => {
    const { read, calls } = pagesOf(call => numbers(call, 30));
    await readPages(read, { maximumPages: 20 });
    expect(calls.filter(page => page === 1)).toHaveLength(2);
  });

  it('asks for one page only where there are too many', async () => {
    const { read, calls } = pagesOf(() => numbers(1, 1000));
    await expect(readPages(read, { maximumPages: 20 })).rejects.toThrow(
      ListTooLongError,
    );
    expect(calls).toEqual([1]);
  });

  it('gives up in the middle of a list that is too long and not counted', async () => {
    await expect(
      readPages(
        async page => ({ data: [], paginationInfo: { next: page + 1 } }),
        {
          maximumPages: 5,
        },
      ),
    ).rejects.toThrow(ListTooLongError);
  });

  it('cuts a list of which the first pages are enough', async () => {
    const { read } = pagesOf(() => numbers(1, 1000));
    await expect(
      readPages(read, { maximumPages: 2, beyond: 'cut' }),
    ).resolves.toMatchObject({ items: numbers(1, 20), isCut: true });
  });

  it('begins no further page once one has failed', async () => {
    const { read, calls } = pagesOf(() => numbers(1, 1000));
    const failing = async (page: number) => {
      const answer = await read(page);
      if (page > 1) {
        throw new Error('Broken');
      }
      return answer;
    };
    await expect(readPages(failing, { maximumPages: 200 })).rejects.toThrow(
      'Broken',
    );
    expect(calls.length).toBeLessThan(10);
  });
});
