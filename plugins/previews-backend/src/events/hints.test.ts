import { mockServices } from '@backstage/backend-test-utils';
import { EventsRefresh, subscribeToHints } from './hints';
import { Hint } from './parseHint';

async function subscribed(onHint: (hint: Hint) => Promise<void>) {
  const events = mockServices.events();
  const logger = mockServices.logger.mock();
  await subscribeToHints({ events, listener: { onHint }, logger });
  return { events, logger };
}

const mergeRequestEvent = {
  object_kind: 'merge_request',
  project: { id: 101, web_url: 'https://gitlab.example.com/shop/web' },
  object_attributes: { iid: 7, target_project_id: 101 },
};

describe('hints', () => {
  it.each(['previews-gitlab', 'gitlab.merge_request', 'gitlab.pipeline'])(
    'come from the topic %s',
    async topic => {
      const hints: Hint[] = [];
      const { events } = await subscribed(async hint => {
        hints.push(hint);
      });
      await events.publish({ topic, eventPayload: mergeRequestEvent });
      expect(hints).toEqual([
        {
          host: 'gitlab.example.com',
          projectId: 101,
          iid: 7,
          webhook: true,
        },
      ]);
    },
  );

  it('come from the refresh of any replica', async () => {
    const hints: Hint[] = [];
    const { events } = await subscribed(async hint => {
      hints.push(hint);
    });
    const key = { host: 'gitlab.example.com', projectId: 101, iid: 7 };
    const refresh = new EventsRefresh({ events, started: Promise.resolve() });
    await refresh.requestRefresh(key);
    expect(hints).toEqual([{ ...key, approvals: true }]);
  });

  it('of a refresh wait until the plugin that carries them is up', async () => {
    const onHint = jest.fn(async () => {});
    const { events } = await subscribed(onHint);
    let start = () => {};
    const started = new Promise<void>(resolve => {
      start = resolve;
    });
    const requested = new EventsRefresh({ events, started }).requestRefresh({
      host: 'gitlab.example.com',
      projectId: 101,
      iid: 7,
    });
    await events.publish({ topic: 'others', eventPayload: {} });
    expect(onHint).not.toHaveBeenCalled();
    start();
    await requested;
    expect(onHint).toHaveBeenCalledTimes(1);
  });

  it('do not come from what is no event of GitLab', async () => {
    const onHint = jest.fn(async () => {});
    const { events, logger } = await subscribed(onHint);
    for (const eventPayload of [undefined, 'x', { object_kind: 'note' }]) {
      await events.publish({ topic: 'previews-gitlab', eventPayload });
    }
    expect(onHint).not.toHaveBeenCalled();
    expect(logger.warn).not.toHaveBeenCalled();
  });

  it('do not keep the publisher waiting', async () => {
    const { events } = await subscribed(() => new Promise(() => {}));
    await expect(
      events.publish({
        topic: 'previews-gitlab',
        eventPayload: mergeRequestEvent,
      }),
    ).resolves.toBeUndefined();
  });

  it('that cannot be acted on are logged without the event', async () => {
    const { events, logger } = await subscribed(async () => {
      throw new Error('GitLab does not answer');
    });
    await events.publish({
      topic: 'previews-gitlab',
      eventPayload: { ...mergeRequestEvent, extra: 'secret-of-the-event' },
    });
    expect(logger.warn).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(logger.warn.mock.calls)).not.toContain('secret-of');
  });

  it('reach every replica, each by a subscriber of its own', async () => {
    const events = mockServices.events.mock();
    const logger = mockServices.logger.mock();
    const listener = { onHint: async () => {} };
    await subscribeToHints({ events, listener, logger });
    await subscribeToHints({ events, listener, logger });
    const ids = events.subscribe.mock.calls.map(([{ id }]) => id);
    expect(new Set(ids).size).toBe(2);
  });
});
