import { mockServices } from '@backstage/backend-test-utils';
import { DomainBudget } from '@previews/backstage-plugin-previews-common';
import { NotificationSendOptions } from '@backstage/plugin-notifications-node';
import { storedPreview } from '../testing/__testUtils__/storedPreviews';
import { PreviewNotifier } from './notifications';

const failed = storedPreview({
  iid: 7,
  phase: 'Failed',
  mergeRequest: { title: 'Secret plans' },
  preview: { message: 'The pipeline failed.' },
});

function create(
  send?: (options: NotificationSendOptions) => Promise<void>,
  certificateRefs?: string[],
) {
  const sent: NotificationSendOptions[] = [];
  const logger = mockServices.logger.mock();
  const notifier = new PreviewNotifier({
    notifications: {
      async send(options) {
        await send?.(options);
        sent.push(options);
      },
    },
    logger,
    certificateRefs,
  });
  return { notifier, sent, logger };
}

/** Lets what was begun come to its end. */
async function settle() {
  await new Promise(resolve => setImmediate(resolve));
}

describe('PreviewNotifier', () => {
  it('tells the owners of the entities what is wrong, with a link to it', async () => {
    const { notifier, sent } = create();
    notifier.previewsTroubled([failed]);
    await settle();
    const { id } = failed.preview;
    expect(sent).toEqual([
      {
        recipients: { type: 'entity', entityRef: ['component:default/web'] },
        payload: {
          title: 'shop/web!7: Failed',
          description: 'The pipeline failed.',
          link: `/catalog/default/component/web/previews?preview=${id}`,
          severity: 'high',
          topic: 'previews',
          scope: `previews:${id}`,
        },
      },
    ]);
  });

  it('tells nobody of a preview that no entity claims', async () => {
    const { notifier, sent } = create();
    notifier.previewsTroubled([storedPreview({ iid: 7, entityRefs: [] })]);
    await settle();
    expect(sent).toEqual([]);
  });

  it('goes on when one cannot be sent, and says so in the log', async () => {
    const { notifier, sent, logger } = create(async ({ payload }) => {
      if (payload.title.includes('!7')) {
        throw new Error('no such route');
      }
    });
    notifier.previewsTroubled([failed, storedPreview({ iid: 8 })]);
    await settle();
    notifier.previewsTroubled([storedPreview({ iid: 9 })]);
    await settle();
    expect(sent.map(({ payload }) => payload.title)).toEqual([
      'shop/web!8: Live',
      'shop/web!9: Live',
    ]);
    expect(logger.warn).toHaveBeenCalledTimes(1);
  });

  it('does not flood anyone when everything breaks at once', async () => {
    const { notifier, sent, logger } = create();
    notifier.previewsTroubled(
      Array.from({ length: 500 }, (_, iid) => storedPreview({ iid: iid + 1 })),
    );
    await settle();
    expect(sent).toHaveLength(100);
    expect(logger.warn).toHaveBeenCalledWith(
      expect.stringContaining('400 previews'),
    );
  });

  describe('of the end of a time to live', () => {
    const nearEnd = storedPreview({
      iid: 7,
      phase: 'Degraded',
      preview: {
        message: 'It crashes.',
        conditions: [
          {
            type: 'MergeRequestOpen',
            status: 'True',
            reason: 'IdleNearEnd',
            params: {},
            message: 'Nobody has worked on it.',
            since: '2026-12-01T08:00:00.000Z',
            observedAt: '2026-12-01T08:00:00.000Z',
          },
        ],
        ttl: {
          idleSince: '2026-11-25T08:00:00.000Z',
          duration: 'P7D',
          from: 'annotation',
          expiresAt: '2026-12-02T08:00:00.000Z',
          near: true,
        },
      },
    });

    it('tells the owners why and until when, beside that it fails', async () => {
      const { notifier, sent } = create();
      notifier.previewsTroubled([nearEnd]);
      notifier.previewsNearEnd([nearEnd]);
      await settle();
      expect(sent.map(({ payload }) => payload)).toMatchObject([
        { title: 'shop/web!7: Degraded', description: 'It crashes.' },
        {
          title: 'shop/web!7: idle, kept until 2026-12-02',
          description: 'Nobody has worked on it.',
          severity: 'normal',
          topic: 'previews',
          link: `/catalog/default/component/web/previews?preview=${nearEnd.preview.id}`,
        },
      ]);
      expect(sent[0].payload.scope).not.toBe(sent[1].payload.scope);
    });

    it('does not flood anyone when a time to live is configured', async () => {
      const { notifier, sent, logger } = create();
      notifier.previewsNearEnd(Array.from({ length: 120 }, () => nearEnd));
      await settle();
      expect(sent).toHaveLength(100);
      expect(logger.warn).toHaveBeenCalledWith(
        expect.stringContaining(
          '20 previews came near the end of their time to live',
        ),
      );
    });
  });

  describe('of certificates that run out', () => {
    const budget: DomainBudget = {
      domain: 'example.com',
      state: 'low',
      limit: 50,
      used: 44,
      left: 6,
      refillSeconds: 12_096,
      issuedLastWeek: 44,
      weeklyPace: 60,
      runsOutAt: '2026-12-01T08:00:00.000Z',
      advisedWildcard: '*.preview.example.com',
      nameSets: [],
    };

    it('tells the owners of the previews what is left and what to do', async () => {
      const { notifier, sent } = create();
      notifier.certificatesRunOut(budget, ['component:default/web']);
      await settle();
      expect(sent).toMatchObject([
        {
          recipients: { entityRef: ['component:default/web'] },
          payload: {
            title: 'example.com: 6/50',
            description: expect.stringMatching(
              /^6 of 50 new certificates are left for example\.com.*\*\.preview\.example\.com/,
            ),
            severity: 'normal',
            scope: 'previews:certificates:example.com',
          },
        },
      ]);
    });

    it('tells those who are configured instead', async () => {
      const { notifier, sent } = create(undefined, ['group:default/platform']);
      notifier.certificatesRunOut({ ...budget, state: 'spent', left: 0 }, [
        'component:default/web',
      ]);
      await settle();
      expect(sent).toMatchObject([
        {
          recipients: { entityRef: ['group:default/platform'] },
          payload: {
            severity: 'high',
            description: expect.stringContaining('No new certificate'),
          },
        },
      ]);
    });

    it('tells nobody where nobody owns them', async () => {
      const { notifier, sent } = create();
      notifier.certificatesRunOut(budget, []);
      await settle();
      expect(sent).toEqual([]);
    });

    it('only logs what cannot be sent', async () => {
      const { notifier, logger } = create(async () => {
        throw new Error('no such route');
      });
      notifier.certificatesRunOut(budget, ['component:default/web']);
      await settle();
      expect(logger.warn).toHaveBeenCalledTimes(1);
    });
  });
});
