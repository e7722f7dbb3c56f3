import { mockServices } from '@backstage/backend-test-utils';
import { PreviewSignals } from './signals';

const web = { entityRef: 'component:default/web' };
const api = { entityRef: 'component:default/api' };

function create(options: { secret?: () => Promise<string> } = {}) {
  const sent: { channel: string; message: object; recipients: object }[] = [];
  const publish = jest.fn(async (signal: (typeof sent)[number]) => {
    sent.push(signal);
  });
  const logger = mockServices.logger.mock();
  const signals = new PreviewSignals({
    signals: { publish: publish as never },
    secret: options.secret ?? (async () => 'a-secret'),
    logger,
  });
  return { signals, sent, publish, logger };
}

describe('PreviewSignals', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('names channels by a key, so that nobody can make one up', async () => {
    const { signals } = create();
    const other = create({ secret: async () => 'another-secret' }).signals;
    const names = await Promise.all([
      signals.channelFor('all'),
      signals.channelFor(web),
      signals.channelFor(api),
      other.channelFor('all'),
      other.channelFor(web),
    ]);
    expect(new Set(names).size).toBe(5);
    expect(names.join()).not.toContain('web');
    expect(await create().signals.channelFor(web)).toBe(names[1]);
  });

  it('tells the channels of the entities and that of all, with nothing in it', async () => {
    const { signals, sent } = create();
    signals.publish([web.entityRef, web.entityRef]);
    await jest.advanceTimersByTimeAsync(0);
    const channels = [
      await signals.channelFor('all'),
      await signals.channelFor(web),
    ];
    expect(sent).toEqual(
      channels.map(channel => ({
        channel,
        message: {},
        recipients: { type: 'broadcast' },
      })),
    );
  });

  it('tells a channel at most once a second, and never forgets the last change', async () => {
    const { signals, sent } = create();
    const channel = await signals.channelFor(web);
    const told = () => sent.filter(signal => signal.channel === channel).length;

    for (let change = 0; change < 10; change += 1) {
      signals.publish([web.entityRef]);
      await jest.advanceTimersByTimeAsync(10);
    }
    expect(told()).toBe(1);
    await jest.advanceTimersByTimeAsync(1000);
    expect(told()).toBe(2);
    await jest.advanceTimersByTimeAsync(5000);
    expect(told()).toBe(2);

    signals.publish([web.entityRef]);
    await jest.advanceTimersByTimeAsync(0);
    expect(told()).toBe(3);
  });

  it('goes on after a signal or the key could not be had', async () => {
    const secret = jest
      .fn<Promise<string>, []>()
      .mockRejectedValueOnce(new Error('no database'))
      .mockResolvedValue('a-secret');
    const { signals, publish, sent, logger } = create({ secret });
    signals.publish([]);
    await jest.advanceTimersByTimeAsync(0);
    expect(logger.warn).toHaveBeenCalledTimes(1);

    publish.mockRejectedValueOnce(new Error('no events'));
    signals.publish([]);
    await jest.advanceTimersByTimeAsync(1000);
    expect(logger.warn).toHaveBeenCalledTimes(2);

    signals.publish([]);
    await jest.advanceTimersByTimeAsync(0);
    expect(sent).toHaveLength(1);
  });

  it('is silent once it is closed', async () => {
    const { signals, sent } = create();
    signals.publish([]);
    await jest.advanceTimersByTimeAsync(0);
    signals.publish([]);
    signals.close();
    await jest.advanceTimersByTimeAsync(5000);
    signals.publish([]);
    await jest.advanceTimersByTimeAsync(0);
    expect(sent).toHaveLength(1);
  });
});
