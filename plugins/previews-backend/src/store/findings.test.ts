import { TestDatabaseId } from '@backstage/backend-test-utils';
import { FindingChanges, GeneratedSet } from '../model';
import {
  createTestDatabases,
  databaseServiceOf,
} from '../testing/__testUtils__/databases';
import { storedFinding } from '../testing/__testUtils__/storedFindings';
import { storedPreview } from '../testing/__testUtils__/storedPreviews';
import { DatabasePreviewStore } from './DatabasePreviewStore';
import { FindingQuery, FindingView, LeaseTerm } from './PreviewStore';

jest.setTimeout(60_000);

const databases = createTestDatabases();

const secret = 'component:default/secret';
const open = [
  storedPreview({ iid: 1 }),
  storedPreview({ iid: 2, entityRefs: [secret] }),
  storedPreview({ iid: 3, entityRefs: [] }),
];
const [seen, hidden, unclaimed] = open.map(({ preview }) => preview.id);

const everything: FindingView = {
  everything: true,
  visibility: { withoutEntity: true },
};
const web: FindingView = {
  everything: false,
  visibility: { withoutEntity: false, entityRefs: ['component:default/web'] },
};

const set: GeneratedSet = {
  reference: 'main:argocd/web-previews',
  members: [{ namespace: 'argocd', name: 'web-1', key: open[0].key }],
  losses: [],
};

const nothing: FindingChanges = {
  put: [],
  resolved: [],
  sets: [],
  forgottenSets: [],
};

const shared = storedFinding({
  id: 'shared',
  since: '2026-11-02T08:03:00.000Z',
  previewIds: [seen, hidden],
  evidence: [
    { kind: 'MergeRequest', name: 'shop/web!1', previewId: seen },
    { kind: 'MergeRequest', name: 'shop/secret!2', previewId: hidden },
    { kind: 'ApplicationSet', name: 'web-previews' },
  ],
});
const secretOnly = storedFinding({
  id: 'secret-only',
  type: 'WithoutEnvironment',
  since: '2026-11-02T08:02:00.000Z',
  previewIds: [hidden],
});
const ofNobody = storedFinding({
  id: 'of-nobody',
  type: 'Unjoined',
  since: '2026-11-02T08:01:00.000Z',
});
const alarm = storedFinding({
  id: 'alarm',
  type: 'GeneratedSetShrank',
  since: '2026-11-02T08:01:00.000Z',
  previewIds: [seen, hidden, unclaimed],
});
const all = [shared, secretOnly, ofNobody, alarm];

describe.each(databases.eachSupportedId())('findings on %s', id => {
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
      open.map(stored => ({ stored, transitions: [] })),
    );
    await store.applyFindings(term, { ...nothing, put: all, sets: [set] });
  });

  async function ids(
    query: Partial<FindingQuery> = {},
    view: FindingView = everything,
  ): Promise<string[]> {
    const { items } = await store.findings({ limit: 50, ...query }, view);
    return items.map(item => item.id);
  }

  const end = (finding: typeof shared, resolvedAt: string) =>
    store.applyFindings(term, {
      ...nothing,
      resolved: [{ ...finding, finding: { ...finding.finding, resolvedAt } }],
    });

  it('come back for the next term as they were written, and so do the sets', async () => {
    await end(secretOnly, '2026-11-02T09:00:00.000Z');
    const loaded = await store.loadFindings();
    expect(loaded.sets).toEqual([set]);
    expect(loaded.findings).toHaveLength(3);
    expect(loaded.findings).toEqual(
      expect.arrayContaining([shared, ofNobody, alarm]),
    );
  });

  it('are listed the newest first, in pages that leave nothing out', async () => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.findings({ limit: 1, cursor }, everything);
      expect(page.totalItems).toBe(4);
      found.push(...page.items.map(item => item.id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(found).toEqual(['shared', 'secret-only', 'alarm', 'of-nobody']);
  });

  it('are found by preview, entity, type and whether they are over', async () => {
    await end(shared, '2026-11-02T09:00:00.000Z');
    expect(await ids({ previewId: seen })).toEqual(['alarm']);
    expect(await ids({ previewId: seen, state: 'all' })).toEqual([
      'shared',
      'alarm',
    ]);
    expect(await ids({ state: 'resolved' })).toEqual(['shared']);
    expect(await ids({ entityRef: secret })).toEqual(['secret-only', 'alarm']);
    expect(await ids({ types: ['Unjoined', 'WithoutEnvironment'] })).toEqual([
      'secret-only',
      'of-nobody',
    ]);
  });

  it('show only what concerns a preview that the caller may see, and of that no hidden part', async () => {
    expect(await ids({}, web)).toEqual(['shared', 'alarm']);
    expect(await ids({ previewId: hidden }, web)).toEqual([]);
    expect(await ids({ entityRef: secret }, web)).toEqual([]);
    const { items, totalItems } = await store.findings({ limit: 50 }, web);
    expect(totalItems).toBe(2);
    expect(items[0].previewIds).toEqual([seen]);
    expect(items[0].evidence.map(({ name }) => name)).toEqual([
      'shop/web!1',
      'web-previews',
    ]);
    expect(items[1].previewIds).toEqual([seen]);
    expect(await store.finding('shared', web)).toEqual(items[0]);
    expect(await store.finding('secret-only', web)).toBeUndefined();
    expect(await store.finding('of-nobody', web)).toBeUndefined();
    expect(await store.finding('of-nobody', everything)).toEqual(
      ofNobody.finding,
    );
  });

  it('are counted by severity for an entity, and by type for all', async () => {
    expect(
      await store.findingsBySeverity(
        { entityRef: 'component:default/web' },
        web,
      ),
    ).toEqual({ critical: 1, warning: 1 });
    expect(await store.countFindings()).toEqual({
      NameCollision: 1,
      WithoutEnvironment: 1,
      Unjoined: 1,
      GeneratedSetShrank: 1,
    });
  });

  it('begin anew under the same id, with the previews of now', async () => {
    await end(shared, '2026-11-02T09:00:00.000Z');
    const again = storedFinding({
      id: 'shared',
      since: '2026-11-03T08:00:00.000Z',
      previewIds: [unclaimed],
    });
    await store.applyFindings(term, { ...nothing, put: [again] });
    expect(await store.finding('shared', everything)).toEqual(again.finding);
    expect(await ids({}, web)).toEqual(['alarm']);
    expect(await ids({ previewId: unclaimed })).toEqual(['shared', 'alarm']);
  });

  it('take up and forget what is remembered of sets', async () => {
    const after: GeneratedSet = { ...set, alarm: { lost: 5, before: 9 } };
    await store.applyFindings(term, { ...nothing, sets: [after] });
    expect((await store.loadFindings()).sets).toEqual([after]);
    await store.applyFindings(term, {
      ...nothing,
      forgottenSets: [set.reference],
    });
    expect((await store.loadFindings()).sets).toEqual([]);
  });

  it('are kept after they are over as long as timelines are', async () => {
    await end(shared, '2026-11-02T09:00:00.000Z');
    await store.deleteEndedBefore(term, '2026-11-02T08:30:00.000Z');
    expect(await ids({ state: 'resolved' })).toEqual(['shared']);
    await store.deleteEndedBefore(term, '2026-11-02T10:00:00.000Z');
    expect(await ids({ state: 'all' })).toEqual([
      'secret-only',
      'alarm',
      'of-nobody',
    ]);
    expect(await ids({ state: 'all', previewId: seen })).toEqual(['alarm']);
  });

  it('of thousands of previews are written in statements of a size that both engines take', async () => {
    const previewIds = Array.from({ length: 2_500 }, (_, iid) => `p-${iid}`);
    const large = storedFinding({ id: 'large', previewIds });
    await store.applyFindings(term, { ...nothing, put: [large] });
    expect((await store.finding('large', everything))?.previewIds).toHaveLength(
      2_500,
    );
  });
});
