import { MergeRequestKey, StoredPreview } from '../model';
import { GitLabSource, Recall } from '../sources/types';
import { PreviewStore, UnreadSince } from '../store';
import { storedPreview } from '../testing/__testUtils__/storedPreviews';
import { UpdatesLog } from './UpdatesLog';

const HOST = 'gitlab.example.com';
const OTHER = 'other.example.com';
const term = { holder: 'test', epoch: 1 };

const minute = (count: number) =>
  new Date(Date.parse('2026-03-01T12:00:00.000Z') + count * 60_000);

describe('UpdatesLog', () => {
  async function create(stored: UnreadSince = {}) {
    const applyUnreadSince = jest.fn(async () => {});
    const gone = storedPreview({ iid: 2, phase: 'Gone' });
    const loadByKeys = jest.fn(
      async (_: readonly MergeRequestKey[]): Promise<StoredPreview[]> => [gone],
    );
    const store = {
      unreadSince: async () => stored,
      applyUnreadSince,
      loadByKeys,
    } as unknown as PreviewStore;
    return {
      log: await UpdatesLog.create({ store, term }),
      applyUnreadSince,
      loadByKeys,
      gone,
    };
  }

  function sourceOf(host: string, unreadSince?: string) {
    const resume = jest.fn();
    const source = {
      host,
      resume,
      unreadSince: () => unreadSince,
    } as unknown as GitLabSource;
    return { source, resume };
  }

  it('lets every source go on where the writer before has stopped', async () => {
    const { log } = await create({ [HOST]: '2026-03-01T11:00:00.000Z' });
    const [known, unknown] = [sourceOf(HOST), sourceOf(OTHER)];
    log.resume([known.source, unknown.source]);
    expect(known.resume).toHaveBeenCalledWith({
      unreadSince: '2026-03-01T11:00:00.000Z',
      recall: expect.any(Function),
    });
    expect(unknown.resume).toHaveBeenCalledWith({
      recall: expect.any(Function),
    });
  });

  it('remembers what there is a row of', async () => {
    const { log, loadByKeys, gone } = await create();
    const { source, resume } = sourceOf(HOST);
    log.resume([source]);
    const [{ recall }] = resume.mock.calls[0] as [{ recall: Recall }];
    const keys = [1, 2].map(iid => ({ projectId: 101, iid }));
    expect(await recall(keys)).toEqual([gone.key]);
    expect(loadByKeys).toHaveBeenCalledWith(
      keys.map(key => ({ ...key, host: HOST })),
    );
  });

  it('writes what was said, at most once a minute, and keeps what it heard nothing of', async () => {
    const { log, applyUnreadSince } = await create({
      [OTHER]: '2026-03-01T11:00:00.000Z',
    });
    const said = (time: Date) =>
      log.said([
        sourceOf(HOST, time.toISOString()).source,
        sourceOf(OTHER).source,
      ]);
    for (const time of [0, 0.5, 0.9, 1].map(minute)) {
      await log.write(said(time), time);
    }
    expect(applyUnreadSince.mock.calls).toEqual(
      [0, 1].map(time => [
        term,
        {
          [HOST]: minute(time).toISOString(),
          [OTHER]: '2026-03-01T11:00:00.000Z',
        },
      ]),
    );
  });

  it('writes nothing while nothing was read', async () => {
    const { log, applyUnreadSince } = await create();
    await log.write(log.said([sourceOf(HOST).source]), minute(0));
    expect(applyUnreadSince).not.toHaveBeenCalled();
  });

  it('tries again what could not be written', async () => {
    const { log, applyUnreadSince } = await create();
    applyUnreadSince.mockRejectedValueOnce(new Error('The database is away'));
    const said = { [HOST]: minute(0).toISOString() };
    await expect(log.write(said, minute(0))).rejects.toThrow('away');
    await log.write(said, minute(0.1));
    expect(applyUnreadSince).toHaveBeenCalledTimes(2);
  });
});
