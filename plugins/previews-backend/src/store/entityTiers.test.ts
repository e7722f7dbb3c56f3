import { TestDatabaseId } from '@backstage/backend-test-utils';
import { TierState } from '@previews/backstage-plugin-previews-common';
import {
  createTestDatabases,
  databaseServiceOf,
} from '../testing/__testUtils__/databases';
import { DatabasePreviewStore } from './DatabasePreviewStore';
import { LeaseLostError } from './LeaseLostError';
import { LeaseTerm } from './PreviewStore';

jest.setTimeout(60_000);

const databases = createTestDatabases();

const SHOP = 'component:default/shop';
const WEB = 'component:default/web';

function tier(name: string): TierState {
  return {
    tier: name,
    application: {
      cluster: 'main',
      namespace: 'argocd',
      name: `shop-${name} \u0000`,
    },
    sync: 'Synced',
    health: 'Healthy',
    urls: [],
    drift: [
      {
        group: 'apps',
        kind: 'Deployment',
        name: 'shop',
        status: 'Synced',
        changes: [
          {
            manager: 'kubectl-edit',
            at: '2026-11-29T12:00:00.000Z',
            fields: ['spec.replicas'],
            restoredAt: '2026-11-29T12:00:05.000Z',
          },
        ],
      },
    ],
    stale: [],
  };
}

describe.each(databases.eachSupportedId())('tiers on %s', id => {
  let store: DatabasePreviewStore;
  let term: LeaseTerm;

  beforeEach(async () => {
    const knex = await databases.init(id as TestDatabaseId);
    store = await DatabasePreviewStore.create({
      database: databaseServiceOf(knex) as never,
    });
    term = (await store.acquireLease({ holder: 'a', durationSeconds: 60 }))!;
  });

  it('come back as they were put, with the changes by hand', async () => {
    expect(await store.tiersOf(SHOP)).toEqual([]);
    await store.applyTiers(term, [{ entityRef: SHOP, tiers: [tier('dev')] }]);
    const tiers = [tier('dev'), tier('prod')];
    await store.applyTiers(term, [{ entityRef: SHOP, tiers }]);
    expect(await store.tiersOf(SHOP)).toEqual(tiers);
    expect(await store.allTiers()).toEqual([{ entityRef: SHOP, tiers }]);
  });

  it('are forgotten of an entity that has none any more', async () => {
    await store.applyTiers(term, [
      { entityRef: SHOP, tiers: [tier('dev')] },
      { entityRef: WEB, tiers: [tier('dev')] },
    ]);
    await store.applyTiers(term, [{ entityRef: SHOP, tiers: [] }]);
    expect(await store.tiersOf(SHOP)).toEqual([]);
    expect(await store.tiersOf(WEB)).toHaveLength(1);
  });

  it('are written by the holder of the lease alone', async () => {
    await expect(
      store.applyTiers({ ...term, epoch: term.epoch - 1 }, [
        { entityRef: SHOP, tiers: [tier('dev')] },
      ]),
    ).rejects.toThrow(LeaseLostError);
    expect(await store.allTiers()).toEqual([]);
  });
});
