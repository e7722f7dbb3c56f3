import { TestDatabaseId } from '@backstage/backend-test-utils';
import { BudgetMemory, IssuanceRecord } from '../model';
import {
  createTestDatabases,
  databaseServiceOf,
} from '../testing/__testUtils__/databases';
import { storedPreview } from '../testing/__testUtils__/storedPreviews';
import { DatabasePreviewStore } from './DatabasePreviewStore';
import { LeaseLostError } from './LeaseLostError';
import { LeaseTerm } from './PreviewStore';

jest.setTimeout(60_000);

const databases = createTestDatabases();

const secret = 'component:default/secret';
const previews = [
  storedPreview({ iid: 1 }),
  storedPreview({ iid: 2, entityRefs: [secret] }),
];
const [seen, hidden] = previews.map(({ preview }) => preview.id);

function issued(
  day: number,
  options: Partial<IssuanceRecord> = {},
): IssuanceRecord {
  return {
    kind: 'issued',
    id: `cert-${day}/1`,
    names: [`mr-${day}.example.com`],
    at: `2026-11-${String(day).padStart(2, '0')}T08:00:00.000Z`,
    ...options,
  } as IssuanceRecord;
}

const refused: IssuanceRecord = {
  kind: 'refused',
  id: 'order/refused',
  names: ['mr-9.example.com'],
  limit: 'domain',
  domain: 'example.com',
  retryAt: '2026-11-10T08:00:00.000Z',
  at: '2026-11-09T08:00:00.000Z',
};

const memory: BudgetMemory = {
  since: '2026-11-01T08:00:00.000Z',
  unread: ['main'],
  told: { '/example.com': '2026-11-02T08:00:00.000Z' },
};

describe.each(databases.eachSupportedId())('issuances on %s', id => {
  let store: DatabasePreviewStore;
  let term: LeaseTerm;

  beforeEach(async () => {
    const knex = await databases.init(id as TestDatabaseId);
    store = await DatabasePreviewStore.create({
      database: databaseServiceOf(knex) as never,
    });
    term = (await store.acquireLease({ holder: 'a', durationSeconds: 600 }))!;
    await store.apply(
      term,
      previews.map(stored => ({ stored, transitions: [] })),
    );
  });

  it('are none at first', async () => {
    expect(await store.issuances()).toEqual({ records: [] });
  });

  it('are kept with what is remembered besides, oldest first', async () => {
    await store.applyIssuances(term, {
      records: [refused, issued(3), issued(2, { previewId: seen })],
      memory,
    });
    expect(await store.issuances()).toEqual({
      records: [issued(2, { previewId: seen }), issued(3), refused],
      memory,
    });
  });

  it('keep the first of each, and what is remembered until it is another', async () => {
    await store.applyIssuances(term, { records: [issued(2)], memory });
    const again = issued(2, { names: ['other.example.com'] });
    await store.applyIssuances(term, { records: [again] });
    expect(await store.issuances()).toEqual({ records: [issued(2)], memory });
    const later = { ...memory, unread: [] };
    await store.applyIssuances(term, { records: [], memory: later });
    expect((await store.issuances()).memory).toEqual(later);
  });

  it('forget what is too old', async () => {
    await store.applyIssuances(term, { records: [issued(2), issued(3)] });
    await store.applyIssuances(term, {
      records: [],
      forgetBefore: issued(3).at,
    });
    expect((await store.issuances()).records).toEqual([issued(3)]);
  });

  it('are written by the holder of the lease alone', async () => {
    await expect(
      store.applyIssuances(
        { ...term, epoch: term.epoch + 1 },
        { records: [issued(2)], memory },
      ),
    ).rejects.toThrow(LeaseLostError);
    expect(await store.issuances()).toEqual({ records: [] });
  });

  it('tell the previews that a caller may see, and of one entity', async () => {
    await store.applyIssuances(term, {
      records: [
        issued(2, { previewId: seen }),
        issued(3, { previewId: hidden }),
        issued(4),
        issued(5, { previewId: 'gone-for-ever' }),
      ],
    });
    const all = { withoutEntity: false };
    const web = { ...all, entityRefs: ['component:default/web'] };
    const read = (query: { entityRef?: string }, visibility: typeof all) =>
      store.issuancePreviews(query, visibility);
    expect(await read({}, all)).toEqual(new Set([seen, hidden]));
    expect(await read({}, web)).toEqual(new Set([seen]));
    expect(await read({ entityRef: secret }, all)).toEqual(new Set([hidden]));
    expect(await read({ entityRef: secret }, web)).toEqual(new Set());
  });
});
