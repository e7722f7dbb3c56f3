import { TestDatabaseId } from '@backstage/backend-test-utils';
import {
  PreviewSort,
  SourceState,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import { ObservationGap, PreviewChange, Span, StoredPreview } from '../model';
import {
  createTestDatabases,
  databaseServiceOf,
} from '../testing/__testUtils__/databases';
import {
  storedPreview,
  StoredPreviewOptions,
} from '../testing/__testUtils__/storedPreviews';
import { DatabasePreviewStore } from './DatabasePreviewStore';
import { withLease } from './operations/withLease';
import {
  LeaseTerm,
  PreviewPage,
  PreviewQuery,
  Visibility,
} from './PreviewStore';

jest.setTimeout(60_000);

const everything: Visibility = { withoutEntity: true };

function query(options: Partial<PreviewQuery> = {}): PreviewQuery {
  return { sort: 'iid', limit: 50, ...options };
}

function iids(page: Pick<PreviewPage, 'items'>): number[] {
  return page.items.map(item => item.mergeRequest.iid);
}

function change(
  stored: StoredPreview,
  transitions: PreviewChange['transitions'] = [],
): PreviewChange {
  return { stored, transitions };
}

function transition(
  stored: StoredPreview,
  options: Partial<Omit<Transition, 'id'>> = {},
): Omit<Transition, 'id'> {
  return {
    previewId: stored.preview.id,
    at: '2026-11-02T08:10:00.000Z',
    kind: 'phase',
    from: 'Deploying',
    to: 'Live',
    message: 'It is live.',
    ...options,
  };
}

function span(stored: StoredPreview, options: Partial<Span> = {}): Span {
  const { id, mergeRequest } = stored.preview;
  return {
    previewId: id,
    host: mergeRequest.host,
    projectId: mergeRequest.projectId,
    project: mergeRequest.project,
    kind: 'spinUp',
    startedAt: '2026-11-02T08:00:00.000Z',
    endedAt: '2026-11-02T08:10:00.000Z',
    imprecise: false,
    stages: { Building: 400, Deploying: 200 },
    ...options,
  };
}

const november = {
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-12-01T00:00:00.000Z',
};

const databases = createTestDatabases();

/** SQLite has one connection and no locks that anybody else could wait for. */
const withLocks = databases
  .eachSupportedId()
  .filter(([id]) => id.startsWith('POSTGRES'));

describe.each(withLocks)('the lock of the lease on %s', id => {
  it('does not stay with a writer that stopped halfway', async () => {
    const knex = await databases.init(id as TestDatabaseId);
    const store = await DatabasePreviewStore.create({
      database: databaseServiceOf(knex),
    });
    const stopped = await store.acquireLease({
      holder: 'replica-a',
      durationSeconds: 1,
    });
    let go = () => {};
    const outcome = withLease(
      knex,
      stopped!,
      () =>
        new Promise<void>(resolve => {
          go = resolve;
        }),
    ).catch(error => error);
    let term: LeaseTerm | undefined;
    while (!term) {
      term = await store.acquireLease({
        holder: 'replica-b',
        durationSeconds: 20,
      });
    }
    expect(term.epoch).toBeGreaterThan(stopped!.epoch);
    go();
    expect(await outcome).toBeInstanceOf(Error);
    await store.apply(term, [change(storedPreview({ iid: 1 }))]);
    expect(await store.loadActive()).toHaveLength(1);
  });
});

describe.each(databases.eachSupportedId())('DatabasePreviewStore on %s', id => {
  async function createStore(): Promise<{
    store: DatabasePreviewStore;
    knex: Knex;
  }> {
    const knex = await databases.init(id as TestDatabaseId);
    const store = await DatabasePreviewStore.create({
      database: databaseServiceOf(knex),
    });
    return { store, knex };
  }

  async function takeLease(
    store: DatabasePreviewStore,
    holder = 'replica-a',
  ): Promise<LeaseTerm> {
    const term = await store.acquireLease({ holder, durationSeconds: 20 });
    if (!term) {
      throw new Error(`${holder} did not get the lease`);
    }
    return term;
  }

  async function createFilled(
    previews: StoredPreviewOptions[],
  ): Promise<{ store: DatabasePreviewStore; term: LeaseTerm; knex: Knex }> {
    const { store, knex } = await createStore();
    const term = await takeLease(store);
    await store.apply(
      term,
      previews.map(options => change(storedPreview(options))),
    );
    return { store, term, knex };
  }

  /** Lets the lease run out without waiting for it. */
  async function expireLease(knex: Knex): Promise<void> {
    await knex('lease').update({ expires_at: 1 });
  }

  describe('the lease', () => {
    it('goes to one replica at a time', async () => {
      const { store } = await createStore();
      const results = await Promise.all(
        ['replica-a', 'replica-b', 'replica-c'].map(holder =>
          store.acquireLease({ holder, durationSeconds: 20 }),
        ),
      );
      const terms = results.filter(term => term !== undefined);
      expect(terms).toEqual([{ holder: expect.any(String), epoch: 1 }]);
    });

    it('keeps its epoch while its holder takes it again', async () => {
      const { store } = await createStore();
      const first = await takeLease(store);
      expect(await takeLease(store)).toEqual(first);
    });

    it('is free once it has expired, with a higher epoch', async () => {
      const { store, knex } = await createStore();
      const first = await takeLease(store);
      await expireLease(knex);
      const second = await takeLease(store, 'replica-b');
      expect(second.epoch).toBe(first.epoch + 1);
    });

    it('is free at once when it is released', async () => {
      const { store } = await createStore();
      const first = await takeLease(store);
      await store.releaseLease(first);
      const second = await takeLease(store, 'replica-b');
      expect(second.epoch).toBe(first.epoch + 1);
    });

    it('is renewed by its holder and by nobody who lost it', async () => {
      const { store, knex } = await createStore();
      const first = await takeLease(store);
      expect(await store.renewLease(first, { durationSeconds: 20 })).toBe(true);
      await expireLease(knex);
      const second = await takeLease(store, 'replica-b');
      expect(await store.renewLease(first, { durationSeconds: 20 })).toBe(
        false,
      );
      expect(await store.renewLease(second, { durationSeconds: 20 })).toBe(
        true,
      );
    });

    it('is not given up by a release that comes too late', async () => {
      const { store, knex } = await createStore();
      const first = await takeLease(store);
      await expireLease(knex);
      const second = await takeLease(store, 'replica-b');
      await store.releaseLease(first);
      expect(await store.renewLease(second, { durationSeconds: 20 })).toBe(
        true,
      );
    });

    it('lets no replica write that lost it', async () => {
      const { store, knex } = await createStore();
      const lost = await takeLease(store);
      await expireLease(knex);
      const term = await takeLease(store, 'replica-b');
      const writes = [
        () => store.apply(lost, [change(storedPreview({ iid: 1 }))]),
        () => store.applySources(lost, [], { readAt: '2026-11-02T08:00:00Z' }),
        () => store.applyClaims(lost, []),
        () => store.applyReconciled(lost, '2026-11-02T08:00:00Z'),
        () =>
          store.applyFindings(lost, {
            put: [],
            resolved: [],
            sets: [],
            forgottenSets: [],
          }),
        () => store.deleteEndedBefore(lost, '2026-11-02T08:00:00Z'),
        () => store.applyGaps(lost, []),
        () => store.applyUnreadSince(lost, {}),
      ];
      for (const write of writes) {
        await expect(write()).rejects.toMatchObject({
          name: 'LeaseLostError',
        });
      }
      expect(await store.loadActive()).toEqual([]);
      await store.apply(term, [change(storedPreview({ iid: 1 }))]);
      expect(await store.loadActive()).toHaveLength(1);
    });
  });

  describe('apply', () => {
    it('keeps preview, key and memory as they were given', async () => {
      const { store } = await createFilled([]);
      const term = await takeLease(store);
      const stored = storedPreview({
        iid: 7,
        memory: {
          joined: [
            {
              cluster: 'main',
              uid: 'u1',
              ownerUid: 'o1',
              namespace: 'argocd',
              name: 'web-7',
            },
          ],
          unwantedSince: '2026-11-02T09:00:00.000Z',
        },
      });
      await store.apply(term, [change(stored)]);
      expect(await store.loadByKeys([stored.key])).toEqual([stored]);
      expect(await store.loadActive()).toEqual([stored]);
    });

    it('writes all changes or none', async () => {
      const { store, term } = await createFilled([]);
      const broken = storedPreview({ iid: 2 });
      // A document that cannot be written as JSON stands for any failure halfway.
      Object.assign(broken.preview, { usual: { step: 1n } });
      await expect(
        store.apply(term, [change(storedPreview({ iid: 1 })), change(broken)]),
      ).rejects.toThrow('BigInt');
      expect(await store.loadActive()).toEqual([]);
    });

    it('gives every change a version of its own, and higher ones in a later term', async () => {
      const { store, term, knex } = await createFilled([{ iid: 1 }]);
      const one = storedPreview({ iid: 1 });
      const versionOf = async () =>
        (await store.get(one.preview.id, everything))!.version;
      const first = await versionOf();
      await store.apply(term, [change(one)]);
      const second = await versionOf();
      expect(second).toBeGreaterThan(first);

      await expireLease(knex);
      const other = await DatabasePreviewStore.create({
        database: databaseServiceOf(knex),
      });
      const next = await takeLease(other, 'replica-b');
      await other.apply(next, [change(storedPreview({ iid: 2 }))]);
      await expireLease(knex);
      const again = await takeLease(store);
      await store.apply(again, [change(one)]);
      const { version } = (await store.get(
        storedPreview({ iid: 2 }).preview.id,
        everything,
      ))!;
      expect(version).toBeGreaterThan(second);
      expect(await versionOf()).toBeGreaterThan(version);
    });

    it('writes links anew only where they are not what they were', async () => {
      const { store, term, knex } = await createFilled([
        { iid: 1, entityRefs: ['component:default/a'] },
      ]);
      const statements: string[] = [];
      knex.on('query', ({ sql }) => statements.push(sql));
      const before = storedPreview({
        iid: 1,
        entityRefs: ['component:default/a'],
      });
      const merged = storedPreview({
        iid: 1,
        entityRefs: ['component:default/a'],
        mergeRequest: { state: 'merged' },
      });
      await store.apply(term, [{ ...change(merged), before }]);
      expect(statements.filter(sql => /preview_/.test(sql))).toEqual([]);
      const page = await store.list(
        query({ entityRef: 'component:default/a' }),
        everything,
      );
      expect(page.items.map(({ mergeRequest }) => mergeRequest.state)).toEqual([
        'merged',
      ]);

      const moved = storedPreview({
        iid: 1,
        entityRefs: ['component:default/b'],
      });
      await store.apply(term, [{ ...change(moved), before: merged }]);
      const found = async (entityRef: string) =>
        (await store.list(query({ entityRef }), everything)).totalItems;
      expect(await found('component:default/a')).toBe(0);
      expect(await found('component:default/b')).toBe(1);
    });

    it('stores the memory alone when only that changed', async () => {
      const { store, term } = await createFilled([{ iid: 1 }]);
      const remembered = storedPreview({
        iid: 1,
        memory: { servedSha: 'abc' },
      });
      await store.apply(term, [change(remembered)]);
      expect(await store.loadActive()).toEqual([remembered]);
    });

    it('replaces entities and clusters of a changed row', async () => {
      const { store, term } = await createFilled([
        {
          iid: 1,
          entityRefs: ['component:default/a', 'component:default/b'],
        },
      ]);
      const moved = storedPreview({
        iid: 1,
        entityRefs: ['component:default/b'],
        preview: {
          applications: [],
          namespaces: [
            { cluster: 'other', name: 'n', phase: 'Active', own: true },
          ],
        },
      });
      await store.apply(term, [change(moved)]);
      const found = async (options: Partial<PreviewQuery>) =>
        (await store.list(query(options), everything)).totalItems;
      expect(await found({ entityRef: 'component:default/a' })).toBe(0);
      expect(await found({ entityRef: 'component:default/b' })).toBe(1);
      expect(await found({ cluster: 'main' })).toBe(0);
      expect(await found({ cluster: 'other' })).toBe(1);
    });

    it('takes hostile text as it is', async () => {
      const { store, term } = await createFilled([]);
      const hostile = storedPreview({
        iid: 1,
        mergeRequest: {
          title: `<img src=x onerror=alert(1)>\u0000\ud800 '; drop table previews;-- ${'x'.repeat(
            1_000_000,
          )}`,
          author: { username: 'dev\u00001' },
          sourceBranch: 'b'.repeat(200),
        },
      });
      await store.apply(term, [change(hostile)]);
      expect((await store.loadActive())[0].preview.mergeRequest.title).toBe(
        hostile.preview.mergeRequest.title,
      );
    });

    it('writes thousands of changes in one go', async () => {
      const { store, term } = await createFilled([]);
      await store.apply(
        term,
        Array.from({ length: 2_000 }, (_, index) =>
          change(storedPreview({ iid: index + 1 })),
        ),
      );
      const page = await store.list(query({ limit: 3 }), everything);
      expect(page.totalItems).toBe(2_000);
      expect(iids(page)).toEqual([1, 2, 3]);
      expect(
        await store.loadByKeys(
          Array.from({ length: 2_000 }, (_, index) => ({
            host: 'gitlab.example.com',
            projectId: 101,
            iid: index + 1,
          })),
        ),
      ).toHaveLength(2_000);
    });
  });

  describe('what the writer starts from', () => {
    it('is every preview that is not over', async () => {
      const { store } = await createFilled([
        { iid: 1, phase: 'Live' },
        { iid: 2, phase: 'Gone', mergeRequest: { state: 'merged' } },
        { iid: 3, phase: 'NotSelected', mergeRequest: { state: 'closed' } },
      ]);
      expect((await store.loadActive()).map(row => row.key.iid).sort()).toEqual(
        [1],
      );
    });

    it('is how far the writer before had read', async () => {
      const { store } = await createFilled([]);
      expect(await store.unreadSince()).toEqual({});
      const term = await takeLease(store);
      for (const hour of ['08', '09']) {
        const unread = { 'gitlab.example.com': `2026-11-02T${hour}:00:00Z` };
        await store.applyUnreadSince(term, unread);
        expect(await store.unreadSince()).toEqual(unread);
      }
    });

    it('finds ended ones by key, so that a reopened MR goes on with its row', async () => {
      const { store } = await createFilled([
        { iid: 2, phase: 'Gone', mergeRequest: { state: 'merged' } },
      ]);
      const found = await store.loadByKeys([
        { host: 'gitlab.example.com', projectId: 101, iid: 2 },
        { host: 'gitlab.example.com', projectId: 101, iid: 99 },
        { host: 'other.example.com', projectId: 101, iid: 2 },
      ]);
      expect(found.map(row => row.key.iid)).toEqual([2]);
    });
  });

  describe('list', () => {
    it('leaves out what is over unless it is asked for', async () => {
      const { store } = await createFilled([
        { iid: 1, phase: 'Live' },
        { iid: 2, phase: 'Gone', mergeRequest: { state: 'merged' } },
        { iid: 3, phase: 'NotSelected', mergeRequest: { state: 'closed' } },
        { iid: 4, phase: 'NotSelected' },
        { iid: 5, phase: 'TearingDown', mergeRequest: { state: 'merged' } },
      ]);
      const list = async (options: Partial<PreviewQuery>) =>
        iids(await store.list(query(options), everything));
      expect(await list({})).toEqual([1, 4, 5]);
      expect(await list({ phases: ['Gone'] })).toEqual([2]);
      expect(await list({ phases: ['NotSelected'] })).toEqual([3, 4]);
      expect(await list({ includeEnded: true })).toEqual([1, 2, 3, 4, 5]);
    });

    it.each<[string, Partial<PreviewQuery>, number[]]>([
      ['project', { project: 'shop/api' }, [2]],
      ['author', { author: 'dev2' }, [3]],
      ['draft', { draft: true }, [3]],
      ['not draft', { draft: false }, [1, 2]],
      ['entity', { entityRef: 'component:default/api' }, [2]],
      ['cluster', { cluster: 'elsewhere' }, [1]],
      ['several phases', { phases: ['Failed', 'Building'] }, [2, 3]],
    ])('filters by %s', async (_name, options, expected) => {
      const { store } = await createFilled([
        {
          iid: 1,
          preview: {
            workloads: [
              {
                cluster: 'elsewhere',
                namespace: 'n',
                kind: 'Deployment',
                name: 'web',
                ready: 1,
                desired: 1,
                images: [],
              },
            ],
          },
        },
        {
          iid: 2,
          phase: 'Failed',
          entityRefs: ['component:default/api'],
          mergeRequest: { project: 'shop/api' },
        },
        {
          iid: 3,
          phase: 'Building',
          mergeRequest: { draft: true, author: { username: 'dev2' } },
        },
      ]);
      expect(iids(await store.list(query(options), everything))).toEqual(
        expected,
      );
    });

    it.each<[string, string, number[]]>([
      ['the title in any case', 'LOGIN', [12]],
      ['the title beyond ASCII in any case', 'ÀPAT', [2]],
      ['the source branch', 'fix/slow', [2]],
      ['the author', 'reviewer1', [120]],
      ['the host', 'forge.example', [120]],
      ['the number of the MR', '!12', [12]],
      ['the number without its mark', '12', [12]],
      ['the start of the head, in any case', 'DEADBEEF', [2]],
      ['a percent sign as itself', '100%', [120]],
      ['an underscore as itself', 'a_b', [120]],
      ['a backslash as itself', 'c:\\d', [120]],
      ['no wildcards', '%', [120]],
      ['nothing but blanks as no search', '   ', [2, 12, 120]],
      ['a NUL character as nothing', '\u0000login', [12]],
      ['what nobody wrote', 'nowhere', []],
    ])('searches %s', async (_name, text, expected) => {
      const { store } = await createFilled([
        { iid: 12, mergeRequest: { title: 'Repair the login' } },
        {
          iid: 2,
          mergeRequest: {
            title: 'Un bon àpat',
            sourceBranch: 'fix/slow-list',
            headSha: 'deadbeef'.repeat(5),
          },
        },
        {
          iid: 120,
          host: 'forge.example.org',
          mergeRequest: {
            title: 'Now 100% done a_b c:\\d',
            sourceBranch: 'topic',
            author: { username: 'reviewer1' },
          },
        },
      ]);
      expect(iids(await store.list(query({ text }), everything))).toEqual(
        expected,
      );
    });

    it.each<[PreviewSort, number[]]>([
      ['attention', [3, 4, 2, 5, 1]],
      ['-attention', [5, 1, 2, 3, 4]],
      ['activity', [1, 2, 4, 5, 3]],
      ['-activity', [3, 5, 4, 2, 1]],
      ['created', [5, 4, 3, 2, 1]],
      ['-created', [1, 2, 3, 4, 5]],
      ['iid', [1, 2, 3, 4, 5]],
      ['-iid', [5, 4, 3, 2, 1]],
    ])('sorts by %s over all pages', async (sort, expected) => {
      const { store } = await createFilled([
        row(1, 'Live', 1),
        row(2, 'Building', 2),
        row(3, 'Failed', 5),
        row(4, 'Failed', 3),
        row(5, 'Live', 4),
      ]);
      const seen: number[] = [];
      let cursor: string | undefined;
      let pages = 0;
      do {
        const page: PreviewPage = await store.list(
          query({ sort, limit: 2, cursor }),
          everything,
        );
        expect(page.totalItems).toBe(5);
        seen.push(...iids(page));
        cursor = page.nextCursor;
        pages += 1;
      } while (cursor && pages < 10);
      expect(seen).toEqual(expected);
      expect(pages).toBe(3);
    });

    function row(
      iid: number,
      phase: 'Live' | 'Building' | 'Failed',
      hour: number,
    ): StoredPreviewOptions {
      return {
        iid,
        phase,
        activityAt: `2026-11-02T0${hour}:00:00Z`,
        mergeRequest: { createdAt: `2026-11-01T0${9 - iid}:00:00.000Z` },
      };
    }

    it('shows no row twice and skips none when rows change between pages', async () => {
      const { store, term } = await createFilled(
        Array.from({ length: 6 }, (_, index) => ({
          iid: index + 1,
          activityAt: `2026-11-02T0${index + 1}:00:00.000Z`,
        })),
      );
      const first = await store.list(
        query({ sort: '-activity', limit: 3 }),
        everything,
      );
      expect(iids(first)).toEqual([6, 5, 4]);
      // A row of the first page goes, a new one comes to the top, one of the first moves up.
      await store.apply(term, [
        change(
          storedPreview({
            iid: 6,
            phase: 'Gone',
            mergeRequest: { state: 'merged' },
          }),
        ),
        change(
          storedPreview({ iid: 7, activityAt: '2026-11-02T09:00:00.000Z' }),
        ),
        change(
          storedPreview({ iid: 5, activityAt: '2026-11-02T09:30:00.000Z' }),
        ),
      ]);
      const second = await store.list(
        query({ sort: '-activity', limit: 3, cursor: first.nextCursor }),
        everything,
      );
      expect(iids(second)).toEqual([3, 2, 1]);
      expect(second.nextCursor).toBeUndefined();
    });

    it.each([
      ['rubbish', 'rubbish'],
      ['another order', Buffer.from('["iid",1,"x"]').toString('base64url')],
      [
        'a wrong shape',
        Buffer.from('["-activity","1","x"]').toString('base64url'),
      ],
      ['too few values', Buffer.from('["-activity",1]').toString('base64url')],
      ['no list', Buffer.from('{}').toString('base64url')],
    ])('refuses a cursor of %s', async (_name, cursor) => {
      const { store } = await createFilled([]);
      await expect(
        store.list(query({ sort: '-activity', cursor }), everything),
      ).rejects.toMatchObject({ name: 'InputError' });
    });

    it('counts phases without the phase filter and authors without the author filter', async () => {
      const { store } = await createFilled([
        {
          iid: 1,
          phase: 'Live',
          mergeRequest: { author: { username: 'b' } },
        },
        {
          iid: 2,
          phase: 'Failed',
          mergeRequest: { author: { username: 'a' } },
        },
        {
          iid: 3,
          phase: 'Live',
          mergeRequest: { author: { username: 'a' } },
        },
        {
          iid: 4,
          phase: 'Gone',
          mergeRequest: { author: { username: 'c' }, state: 'merged' },
        },
      ]);
      const page = await store.list(
        query({ phases: ['Live'], author: 'a' }),
        everything,
      );
      expect(iids(page)).toEqual([3]);
      expect(page.totalItems).toBe(1);
      expect(page.phaseCounts).toEqual({ Live: 1, Failed: 1 });
      expect(page.authors).toEqual(['a', 'b']);
      expect((await store.list(query(), everything)).phaseCounts).toEqual({
        Live: 2,
        Failed: 1,
        Gone: 1,
      });
      expect(
        (await store.list(query({ includeEnded: false }), everything))
          .phaseCounts,
      ).toEqual({ Live: 2, Failed: 1 });
    });

    it('has a version tag that changes with any selected row and only with those', async () => {
      const { store, term } = await createFilled([
        { iid: 1, entityRefs: ['component:default/a'] },
        { iid: 2, entityRefs: ['component:default/a'] },
        { iid: 3, entityRefs: ['component:default/b'] },
      ]);
      const tag = async () =>
        (
          await store.list(
            query({ entityRef: 'component:default/a' }),
            everything,
          )
        ).versionTag;
      const first = await tag();

      await store.apply(term, [
        change(
          storedPreview({
            iid: 3,
            entityRefs: ['component:default/b'],
            phase: 'Failed',
          }),
        ),
      ]);
      expect(await tag()).toBe(first);

      await store.apply(term, [
        change(
          storedPreview({
            iid: 1,
            entityRefs: ['component:default/a'],
            phase: 'Failed',
          }),
        ),
      ]);
      const second = await tag();
      expect(second).not.toBe(first);

      await store.apply(term, [
        change(
          storedPreview({
            iid: 2,
            entityRefs: ['component:default/a'],
            phase: 'Gone',
            mergeRequest: { state: 'merged' },
          }),
        ),
      ]);
      const third = await tag();
      expect([first, second]).not.toContain(third);
    });
  });

  describe('visibility', () => {
    const rows: StoredPreviewOptions[] = [
      { iid: 1, entityRefs: ['component:default/a'] },
      { iid: 2, entityRefs: ['component:default/b'], phase: 'Failed' },
      {
        iid: 3,
        entityRefs: ['component:default/a', 'component:default/b'],
        mergeRequest: { author: { username: 'dev3' } },
      },
      { iid: 4, entityRefs: [] },
    ];

    it.each<[string, Visibility, number[]]>([
      ['all that an entity claims', { withoutEntity: false }, [1, 2, 3]],
      ['all', { withoutEntity: true }, [1, 2, 3, 4]],
      ['none', { entityRefs: [], withoutEntity: false }, []],
      ['only unclaimed ones', { entityRefs: [], withoutEntity: true }, [4]],
      [
        'those of one entity',
        { entityRefs: ['component:default/a'], withoutEntity: false },
        [1, 3],
      ],
      [
        'those of one entity and unclaimed ones',
        { entityRefs: ['component:default/b'], withoutEntity: true },
        [2, 3, 4],
      ],
      [
        'those that the policy and the catalog both allow',
        {
          entityRefs: ['component:default/a'],
          withoutEntity: false,
          criteria: { entityRefs: ['component:default/b'] },
        },
        [3],
      ],
      [
        'all but what the policy excludes',
        {
          withoutEntity: false,
          criteria: { not: { entityRefs: ['component:default/b'] } },
        },
        [1],
      ],
      [
        'any of several criteria',
        {
          withoutEntity: false,
          criteria: {
            anyOf: [
              { entityRefs: ['component:default/x'] },
              {
                allOf: [
                  { entityRefs: ['component:default/a'] },
                  { not: { entityRefs: ['component:default/b'] } },
                ],
              },
            ],
          },
        },
        [1],
      ],
      [
        'nothing for an empty choice',
        { withoutEntity: false, criteria: { anyOf: [] } },
        [],
      ],
      [
        'nothing for criteria without entities',
        { withoutEntity: false, criteria: { entityRefs: [] } },
        [],
      ],
      [
        'unclaimed ones whatever the policy says of entities',
        { withoutEntity: true, criteria: { entityRefs: [] } },
        [4],
      ],
    ])('can be %s', async (_name, visibility, expected) => {
      const { store } = await createFilled(rows);
      const page = await store.list(query(), visibility);
      expect(iids(page)).toEqual(expected);
      expect(page.totalItems).toBe(expected.length);
      for (const options of rows) {
        const found = await store.get(
          storedPreview(options).preview.id,
          visibility,
        );
        expect(found !== undefined).toBe(expected.includes(options.iid));
      }
    });

    it('goes before counts, authors, search and version tag', async () => {
      const { store } = await createFilled(rows);
      const visibility = {
        entityRefs: ['component:default/a'],
        withoutEntity: false,
      };
      const page = await store.list(query(), visibility);
      expect(page.phaseCounts).toEqual({ Live: 2 });
      expect(page.authors).toEqual(['dev1', 'dev3']);
      expect(
        iids(await store.list(query({ text: 'Change 2' }), visibility)),
      ).toEqual([]);
      expect(page.versionTag).not.toBe(
        (await store.list(query(), everything)).versionTag,
      );
    });

    it('takes lists of many thousand entities', async () => {
      const { store } = await createFilled(rows);
      const many = Array.from(
        { length: 70_000 },
        (_, index) => `component:default/service-${index}`,
      );
      const page = await store.list(query(), {
        entityRefs: [...many, 'component:default/a'],
        withoutEntity: false,
        criteria: { entityRefs: [...many, 'component:default/b'] },
      });
      expect(iids(page)).toEqual([3]);
    });
  });

  describe('the timeline', () => {
    it('is read newest first, in pages', async () => {
      const { store, term } = await createFilled([]);
      const stored = storedPreview({ iid: 1 });
      await store.apply(term, [
        change(
          stored,
          ['Waiting', 'Building', 'Deploying', 'Live'].map((to, index) =>
            transition(stored, { to, at: `2026-11-02T08:0${index}:00.000Z` }),
          ),
        ),
      ]);
      const first = await store.timeline(stored.preview.id, { limit: 3 });
      expect(first.items.map(item => item.to)).toEqual([
        'Live',
        'Deploying',
        'Building',
      ]);
      expect(first.items[0]).toEqual({
        ...transition(stored, { at: '2026-11-02T08:03:00.000Z' }),
        id: expect.any(String),
      });
      const second = await store.timeline(stored.preview.id, {
        limit: 3,
        cursor: first.nextCursor,
      });
      expect(second.items.map(item => item.to)).toEqual(['Waiting']);
      expect(second.nextCursor).toBeUndefined();
    });

    it('is written even where the row itself did not change', async () => {
      const { store, term } = await createFilled([{ iid: 1 }]);
      const stored = storedPreview({ iid: 1 });
      await store.apply(term, [change(stored, [transition(stored)])]);
      expect(
        (await store.timeline(stored.preview.id, { limit: 10 })).items,
      ).toHaveLength(1);
    });

    it('goes with its preview when that ended long enough ago, and not before', async () => {
      const { store, term } = await createFilled([{ iid: 1 }]);
      const gone = storedPreview({
        iid: 2,
        phase: 'Gone',
        mergeRequest: { state: 'merged' },
        preview: { goneAt: '2026-05-01T00:00:00.000Z' },
      });
      const recent = storedPreview({
        iid: 3,
        phase: 'Gone',
        mergeRequest: { state: 'merged' },
        preview: { goneAt: '2026-10-01T00:00:00.000Z' },
      });
      const old = '2026-04-01T00:00:00.000Z';
      const live = storedPreview({ iid: 1 });
      await store.apply(
        term,
        [gone, recent, live].map(stored =>
          change(stored, [transition(stored, { at: old })]),
        ),
      );

      expect(
        await store.deleteEndedBefore(term, '2026-06-01T00:00:00.000Z'),
      ).toBe(2);

      const lengths = [];
      for (const { preview } of [gone, recent, live]) {
        lengths.push(
          (await store.timeline(preview.id, { limit: 10 })).items.length,
        );
      }
      expect(lengths).toEqual([0, 1, 1]);
      expect(
        iids(await store.list(query({ includeEnded: true }), everything)),
      ).toEqual([1, 3]);
      expect(
        await store.deleteEndedBefore(term, '2026-06-01T00:00:00.000Z'),
      ).toBe(0);
    });

    it('stays with its preview while the MR is open, and for the retention after that', async () => {
      const { store, term } = await createFilled([]);
      const gone = (mergeRequest: StoredPreviewOptions['mergeRequest']) =>
        storedPreview({
          iid: 1,
          phase: 'Gone',
          mergeRequest,
          preview: { goneAt: '2026-05-01T00:00:00.000Z' },
        });
      const deletedBefore = (time: string) =>
        store.deleteEndedBefore(term, time);
      for (const state of ['opened', 'locked'] as const) {
        await store.apply(term, [change(gone({ state }))]);
        expect(await deletedBefore('2026-10-01T00:00:00.000Z')).toBe(0);
      }
      const mergedAt = '2026-09-01T00:00:00.000Z';
      await store.apply(term, [change(gone({ state: 'merged', mergedAt }))]);
      expect(await deletedBefore('2026-08-01T00:00:00.000Z')).toBe(0);
      expect(await store.loadByKeys([gone({}).key])).toHaveLength(1);
      expect(await deletedBefore('2026-10-01T00:00:00.000Z')).toBe(1);
      expect(await store.loadByKeys([gone({}).key])).toEqual([]);
    });

    it('goes after the retention too where the environment of a merge request that is over was in a cluster that is configured no more', async () => {
      const { store, term } = await createFilled([]);
      const lost = (state: 'opened' | 'merged', lostSince?: string) => {
        const stored = storedPreview({
          iid: 1,
          phase: 'TearingDown',
          mergeRequest: { state, mergedAt: '2026-05-01T00:00:00.000Z' },
        });
        return {
          ...stored,
          memory: { ...stored.memory, ...(lostSince && { lostSince }) },
        };
      };
      const since = '2026-07-01T00:00:00.000Z';
      const deletedBefore = (time: string) =>
        store.deleteEndedBefore(term, time);
      for (const stored of [lost('opened', since), lost('merged')]) {
        await store.apply(term, [change(stored)]);
        expect(await deletedBefore('2026-10-01T00:00:00.000Z')).toBe(0);
      }
      await store.apply(term, [change(lost('merged', since))]);
      expect(iids(await store.list(query({}), everything))).toEqual([1]);
      expect(await deletedBefore('2026-06-01T00:00:00.000Z')).toBe(0);
      expect(await deletedBefore('2026-08-01T00:00:00.000Z')).toBe(1);
    });
  });

  describe('spans', () => {
    const web = storedPreview({ iid: 1 });
    const secret = storedPreview({
      iid: 2,
      entityRefs: ['component:default/secret'],
    });
    const unclaimed = storedPreview({ iid: 3, entityRefs: [] });

    async function createWithSpans() {
      const { store, term, knex } = await createFilled([]);
      const previews = [web, secret, unclaimed];
      await store.apply(
        term,
        previews.map(stored => change(stored, [transition(stored)])),
        { spans: previews.map(stored => span(stored)) },
      );
      return { store, term, knex };
    }

    const idsOf = (spans: Span[]) =>
      spans.map(({ previewId }) => previewId).sort();

    it('are given as they were written, in the order of their ends', async () => {
      const { store, term } = await createFilled([]);
      const spans = [
        span(web, { kind: 'teardown', endedAt: '2026-11-02T09:00:00.000Z' }),
        span(web, { imprecise: true }),
      ];
      await store.apply(term, [change(web)], { spans });
      expect(await store.spans(november, everything)).toEqual(spans.reverse());
    });

    it('are those that ended in the range, its end excluded', async () => {
      const { store } = await createWithSpans();
      const end = '2026-11-02T08:10:00.000Z';
      const before = '2026-11-02T00:00:00.000Z';
      expect(
        await store.spans({ from: before, to: end }, everything),
      ).toHaveLength(0);
      expect(
        await store.spans({ ...november, from: end }, everything),
      ).toHaveLength(3);
    });

    it('are those of previews that the caller may see', async () => {
      const { store } = await createWithSpans();
      const see = async (visibility: Visibility) =>
        idsOf(await store.spans(november, visibility));
      expect(await see(everything)).toHaveLength(3);
      expect(await see({ withoutEntity: false })).toEqual(
        [web.preview.id, secret.preview.id].sort(),
      );
      expect(
        await see({
          withoutEntity: false,
          entityRefs: ['component:default/web'],
        }),
      ).toEqual([web.preview.id]);
      expect(
        await see({
          withoutEntity: false,
          criteria: { not: { entityRefs: ['component:default/web'] } },
        }),
      ).toEqual([secret.preview.id]);
    });

    it('are those of one entity, if that is asked for', async () => {
      const { store } = await createWithSpans();
      const spans = await store.spans(
        { ...november, entityRef: 'component:default/secret' },
        everything,
      );
      expect(idsOf(spans)).toEqual([secret.preview.id]);
    });

    it('are kept as they were first written', async () => {
      const { store, term } = await createWithSpans();
      await store.apply(term, [], {
        spans: [span(web, { endedAt: '2026-11-05T00:00:00.000Z' })],
      });
      const spans = await store.spans(november, everything);
      expect(spans.map(({ endedAt }) => endedAt)).toEqual([
        '2026-11-02T08:10:00.000Z',
        '2026-11-02T08:10:00.000Z',
        '2026-11-02T08:10:00.000Z',
      ]);
    });

    it('are written with their changes or not at all', async () => {
      const { store, term } = await createFilled([]);
      const broken = span(web);
      Object.assign(broken, { stages: { Building: 1n } });
      await expect(
        store.apply(term, [change(web)], { spans: [broken] }),
      ).rejects.toThrow('BigInt');
      expect(await store.loadActive()).toEqual([]);
    });

    it('outlive the preview and its timeline, for those who could see it', async () => {
      const { store, term } = await createFilled([]);
      const gone = storedPreview({
        iid: 1,
        phase: 'Gone',
        mergeRequest: { state: 'merged' },
        preview: { goneAt: '2026-11-03T00:00:00.000Z' },
      });
      const nothing = storedPreview({
        iid: 2,
        phase: 'Gone',
        mergeRequest: { state: 'merged' },
        preview: { goneAt: '2026-11-03T00:00:00.000Z' },
      });
      await store.apply(
        term,
        [change(gone, [transition(gone)]), change(nothing)],
        { spans: [span(gone)] },
      );
      await store.deleteEndedBefore(term, '2026-11-20T00:00:00.000Z');
      expect(await store.timelines([gone.preview.id])).toEqual(new Map());
      const visibility = {
        withoutEntity: false,
        entityRefs: ['component:default/web'],
      };
      expect(idsOf(await store.spans(november, visibility))).toEqual([
        gone.preview.id,
      ]);

      // Its MR comes back long after.
      await store.apply(term, [change(storedPreview({ iid: 1 }))]);
      expect(iids(await store.list(query(), visibility))).toEqual([1]);
    });
  });

  describe('timelines', () => {
    it('are whole and in order, by preview', async () => {
      const { store, term } = await createFilled([]);
      const [first, second] = [1, 2].map(iid => storedPreview({ iid }));
      await store.apply(term, [
        change(first, [
          transition(first, { to: 'Waiting' }),
          transition(first, { to: 'Building' }),
        ]),
        change(second, [transition(second)]),
      ]);
      await store.apply(term, [change(first, [transition(first)])]);
      const timelines = await store.timelines([
        first.preview.id,
        'aaaaaaaa-1-99',
      ]);
      expect([...timelines.keys()]).toEqual([first.preview.id]);
      expect(timelines.get(first.preview.id)?.map(({ to }) => to)).toEqual([
        'Waiting',
        'Building',
        'Live',
      ]);
    });
  });

  describe('gaps', () => {
    it('are kept as long as the timelines that they matter to', async () => {
      const { store, term } = await createFilled([]);
      const gaps: ObservationGap[] = ['01', '02'].map(day => ({
        scope: '*',
        startedAt: `2026-11-${day}T08:00:00.000Z`,
        endedAt: `2026-11-${day}T08:05:00.000Z`,
      }));
      await store.applyGaps(term, gaps);
      expect(await store.gaps()).toEqual(gaps);
      await store.deleteEndedBefore(term, '2026-11-02T00:00:00.000Z');
      expect(await store.gaps()).toEqual([gaps[1]]);
    });
  });

  it('counts all previews by phase', async () => {
    const { store } = await createFilled([
      { iid: 1 },
      { iid: 2, entityRefs: [] },
      { iid: 3, phase: 'Gone' },
    ]);
    expect(await store.countByPhase()).toEqual({ Live: 2, Gone: 1 });
  });

  describe('sources and claims', () => {
    const gitlab: SourceState = {
      id: 'gitlab:gitlab.example.com',
      kind: 'gitlab',
      name: 'gitlab.example.com',
      status: 'fresh',
      lastCompleteAt: '2026-11-02T08:00:00.000Z',
      errors: [],
      notes: [],
    };
    const cluster: SourceState = {
      id: 'cluster:main',
      kind: 'cluster',
      name: 'main',
      status: 'pending',
      errors: [],
      notes: [],
    };

    it('are empty before the first reading', async () => {
      const { store } = await createStore();
      expect(await store.sources()).toEqual({ items: [] });
      expect(await store.entityRefs()).toEqual([]);
      expect(await store.claimOf('component:default/web')).toBeUndefined();
    });

    it('are replaced as a whole, in the order given', async () => {
      const { store } = await createStore();
      const term = await takeLease(store);
      await store.applySources(term, [gitlab, cluster], {
        readAt: '2026-11-02T08:00:01.000Z',
      });
      expect(await store.sources()).toEqual({
        items: [gitlab, cluster],
        readAt: '2026-11-02T08:00:01.000Z',
      });
      const failing: SourceState = { ...cluster, status: 'failing' };
      await store.applySources(term, [failing], {
        readAt: '2026-11-02T08:01:01.000Z',
      });
      expect(await store.sources()).toEqual({
        items: [failing],
        readAt: '2026-11-02T08:01:01.000Z',
      });
    });

    it('name all entities of claims and previews once', async () => {
      const { store, term } = await createFilled([
        { iid: 1, entityRefs: ['component:default/web'] },
      ]);
      const claim = {
        entityRef: 'component:default/web',
        project: { host: 'gitlab.example.com', path: 'shop/web', id: 101 },
        applicationSets: ['main:argocd/web-previews'],
        sources: [gitlab.id],
        problems: [],
      };
      await store.applyClaims(term, [
        claim,
        { ...claim, entityRef: 'component:default/api' },
      ]);
      expect(await store.entityRefs()).toEqual([
        'component:default/api',
        'component:default/web',
      ]);
      expect(await store.claimOf('component:default/web')).toEqual(claim);

      const changed = { ...claim, applicationSets: [] };
      await store.applyClaims(term, [changed]);
      expect(await store.claimOf('component:default/web')).toEqual(changed);
      expect(await store.claimOf('component:default/api')).toBeUndefined();
    });
  });

  describe('refreshes', () => {
    const limits = { perPreviewSeconds: 10, perCallerPerMinute: 3 };
    const previewId = 'aaaaaaaa-1-1';
    const caller = 'user:default/dev1';

    it('of one preview are admitted once in its time', async () => {
      const { store, knex } = await createStore();
      const ask = () => store.admitRefresh({ previewId, caller, ...limits });
      const askedAt = performance.now();
      expect(await ask()).toEqual({ admitted: true });
      const refused = (await ask()) as { retryAfterSeconds: number };
      expect(refused).toMatchObject({ admitted: false });
      // Whole seconds, of which some may have gone by on a slow machine.
      const gone = Math.ceil((performance.now() - askedAt) / 1000);
      expect(refused.retryAfterSeconds).toBeGreaterThanOrEqual(10 - gone);
      expect(refused.retryAfterSeconds).toBeLessThanOrEqual(10);
      await knex('refresh_log').decrement('at', 10_001);
      expect(await ask()).toEqual({ admitted: true });
    });

    it('of one caller are limited over all previews', async () => {
      const { store, knex } = await createStore();
      const ask = (preview: string, who = caller) =>
        store.admitRefresh({ previewId: preview, caller: who, ...limits });
      for (const preview of ['a', 'b', 'c']) {
        expect(await ask(preview)).toEqual({ admitted: true });
      }
      expect(await ask('d')).toMatchObject({ admitted: false });
      expect(await ask('d', 'user:default/dev2')).toEqual({ admitted: true });
      await knex('refresh_log').decrement('at', 60_001);
      expect(await ask('d')).toEqual({ admitted: true });
      // What no limit can ask for any more is not kept.
      expect(await knex('refresh_log').select('id')).toHaveLength(1);
    });

    it('at once from many replicas are admitted once', async () => {
      const { store } = await createStore();
      const results = await Promise.all(
        Array.from({ length: 5 }, (_, index) =>
          store.admitRefresh({ previewId, caller: `dev${index}`, ...limits }),
        ),
      );
      expect(results.filter(result => result.admitted)).toHaveLength(1);
    });
  });

  it('gives every replica the same key for signal channels', async () => {
    const { store, knex } = await createStore();
    const other = await DatabasePreviewStore.create({
      database: databaseServiceOf(knex),
    });
    const secrets = await Promise.all([
      store.signalSecret(),
      other.signalSecret(),
    ]);
    expect(secrets[0]).toBe(secrets[1]);
    expect(Buffer.from(secrets[0], 'base64')).toHaveLength(32);
  });

  it('leaves the schema alone where migrations are switched off', async () => {
    const knex = await databases.init(id as TestDatabaseId);
    await DatabasePreviewStore.create({
      database: { ...databaseServiceOf(knex), migrations: { skip: true } },
    });
    expect(await knex.schema.hasTable('previews')).toBe(false);
  });
});
