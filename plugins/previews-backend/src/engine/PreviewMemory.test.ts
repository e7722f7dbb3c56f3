import { MergeRequestKey, StoredPreview } from '../model';
import { keyString } from '../reconcile';
import { PreviewStore } from '../store';
import { storedPreview } from '../testing/__testUtils__/storedPreviews';
import { PreviewMemory } from './PreviewMemory';

describe('PreviewMemory', () => {
  const live = storedPreview({ iid: 1 });
  const gone = storedPreview({ iid: 2, phase: 'Gone' });
  const { key: unknown } = storedPreview({ iid: 3 });

  async function load() {
    const loadByKeys = jest.fn(
      async (keys: readonly MergeRequestKey[]): Promise<StoredPreview[]> =>
        keys.some(({ iid }) => iid === 2) ? [gone] : [],
    );
    const store = {
      loadActive: async () => [live],
      loadByKeys,
    } as unknown as PreviewStore;
    return { memory: await PreviewMemory.load(store), loadByKeys };
  }

  const read = (...keys: MergeRequestKey[]) =>
    new Map(keys.map(key => [keyString(key), key]));

  it('takes the history up of what comes back', async () => {
    const { memory } = await load();
    await memory.loadReturning(read(live.key, gone.key));
    expect([...memory.stored.values()]).toEqual([live, gone]);
  });

  it('asks the store once for an MR that it has nothing of, while it is read', async () => {
    const { memory, loadByKeys } = await load();
    await memory.loadReturning(read(unknown));
    await memory.loadReturning(read(unknown, live.key));
    expect(loadByKeys).toHaveBeenCalledTimes(1);
    // What is read no more is forgotten.
    await memory.loadReturning(read(live.key));
    await memory.loadReturning(read(unknown));
    expect(loadByKeys).toHaveBeenCalledTimes(2);
    expect(loadByKeys).toHaveBeenLastCalledWith([unknown]);
  });

  it('tells whose row it was and whose it is', async () => {
    const { memory } = await load();
    const moved = storedPreview({
      iid: 1,
      entityRefs: ['component:default/other'],
    });
    expect(memory.remember({ stored: moved, transitions: [] })).toEqual([
      'component:default/web',
      'component:default/other',
    ]);
    expect(memory.stored.get(keyString(live.key))).toBe(moved);
  });

  it('lets go of what has ended, unless its MR is read', async () => {
    const { memory } = await load();
    await memory.loadReturning(read(gone.key));
    memory.letGoOfEnded(read(gone.key));
    expect(memory.stored.size).toBe(2);
    memory.letGoOfEnded(read());
    expect([...memory.stored.values()]).toEqual([live]);
  });

  it('lets go of what the store deletes, and keeps an open MR whose environment is gone', async () => {
    const goneAt = '2026-05-01T00:00:00.000Z';
    const ended = (iid: number, state: 'merged' | 'opened') =>
      storedPreview({
        iid,
        phase: 'Gone',
        mergeRequest: { state },
        preview: { goneAt },
      });
    const { memory } = await load();
    const [merged, open] = [ended(4, 'merged'), ended(5, 'opened')];
    memory.remember({ stored: merged, transitions: [] });
    memory.remember({ stored: open, transitions: [] });
    memory.forgetEndedBefore(goneAt);
    expect(memory.stored.size).toBe(3);
    memory.forgetEndedBefore('2026-06-01T00:00:00.000Z');
    expect([...memory.stored.values()]).toEqual([live, open]);
  });
});
