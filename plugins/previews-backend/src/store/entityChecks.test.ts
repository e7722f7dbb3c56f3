import { TestDatabaseId } from '@backstage/backend-test-utils';
import { EntityChecks } from '@previews/backstage-plugin-previews-common';
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

function checks(counts: EntityChecks['counts']): EntityChecks {
  return {
    results: [
      {
        id: 'StateUnset',
        severity: 'error',
        subject: { kind: 'ApplicationSet', name: 'shop \u0000' },
        evidence: { path: 'spec' },
        params: {},
        message: 'It is unset.',
        fix: 'Set it.',
      },
    ],
    counts,
    checkedAt: '2026-11-29T12:00:00.000Z',
    incomplete: [],
  };
}

describe.each(databases.eachSupportedId())('checks on %s', id => {
  let store: DatabasePreviewStore;
  let term: LeaseTerm;

  beforeEach(async () => {
    const knex = await databases.init(id as TestDatabaseId);
    store = await DatabasePreviewStore.create({
      database: databaseServiceOf(knex) as never,
    });
    term = (await store.acquireLease({ holder: 'a', durationSeconds: 60 }))!;
  });

  const put = (entityRef: string, counts: EntityChecks['counts']) =>
    store.applyChecks(term, {
      put: [{ entityRef, checks: checks(counts) }],
      removed: [],
    });

  it('come back as they were put, the last ones of an entity', async () => {
    expect(await store.checksOf(SHOP)).toBeUndefined();
    await put(SHOP, { error: 2 });
    await put(SHOP, { error: 1 });
    expect(await store.checksOf(SHOP)).toEqual(checks({ error: 1 }));
    expect(await store.checkedEntities()).toEqual([SHOP]);
  });

  it('are counted over all entities, also without any', async () => {
    expect(await store.countChecks()).toEqual({
      error: 0,
      warning: 0,
      info: 0,
    });
    await put(SHOP, { error: 2, info: 3 });
    await put(WEB, { error: 1 });
    expect(await store.countChecks()).toEqual({
      error: 3,
      warning: 0,
      info: 3,
    });
  });

  it('are forgotten of entities that have no set-up any more', async () => {
    await put(SHOP, {});
    await put(WEB, {});
    await store.applyChecks(term, { put: [], removed: [SHOP] });
    expect(await store.checksOf(SHOP)).toBeUndefined();
    expect(await store.checkedEntities()).toEqual([WEB]);
  });

  it('are written by the holder of the lease alone, and webhooks too', async () => {
    const lost = { ...term, epoch: term.epoch - 1 };
    const memory = { since: '2026-11-29T12:00:00.000Z', projects: {} };
    await expect(
      store.applyChecks(lost, {
        put: [{ entityRef: SHOP, checks: checks({}) }],
        removed: [],
      }),
    ).rejects.toThrow(LeaseLostError);
    await expect(store.applyWebhooks(lost, memory)).rejects.toThrow(
      LeaseLostError,
    );
    expect(await store.checkedEntities()).toEqual([]);
    expect(await store.webhooks()).toBeUndefined();
  });

  it('rest on webhooks that are remembered', async () => {
    const memory = {
      since: '2026-11-29T12:00:00.000Z',
      projects: { 'gitlab.example.com/42': '2026-11-29T12:01:00.000Z' },
    };
    await store.applyWebhooks(term, { ...memory, projects: {} });
    await store.applyWebhooks(term, memory);
    expect(await store.webhooks()).toEqual(memory);
  });
});
