import {
  createTestDatabases,
  databaseServiceOf,
} from '../../testing/__testUtils__/databases';
import { storedPreview } from '../../testing/__testUtils__/storedPreviews';
import { DatabasePreviewStore } from '../DatabasePreviewStore';
import { LeaseTerm } from '../PreviewStore';

jest.setTimeout(60_000);

/** Told apart, and put in another order, by collations that ignore signs or case. */
const ALIKE = [
  'component:default/a-b',
  'component:default/a.b',
  'component:default/a_b',
  'component:default/ab',
  'component:default/a-c',
  'component:default/aB',
  'component:default/Ab',
  'component:default/AB',
  'component:default/ä',
  'component:default/z',
  'component:default/é',
  'component:default/',
  'component:ab/a',
  'component:a-b/a',
  'Component:default/a-b',
  'api:default/a-b',
  ' component:default/a-b',
  '0',
];

describe('entity refs', () => {
  const databases = createTestDatabases();

  describe.each(databases.eachSupportedId())('on %s', databaseId => {
    async function createStore() {
      const knex = await databases.init(databaseId);
      const store = await DatabasePreviewStore.create({
        database: databaseServiceOf(knex),
      });
      const term = await store.acquireLease({
        holder: 'test',
        durationSeconds: 600,
      });
      return { store, term: term! };
    }

    /** Each of several previews with these refs. */
    async function put(
      { store, term }: { store: DatabasePreviewStore; term: LeaseTerm },
      options: { previews: number; entityRefs: (iid: number) => string[] },
    ) {
      const iids = Array.from(
        { length: options.previews },
        (_, index) => index + 1,
      );
      await store.apply(
        term,
        iids.map(iid => ({
          stored: storedPreview({ iid, entityRefs: options.entityRefs(iid) }),
          transitions: [],
        })),
      );
    }

    it('are none while there is nothing', async () => {
      const { store } = await createStore();
      expect(await store.entityRefs()).toEqual([]);
    });

    it('are the only one', async () => {
      const created = await createStore();
      await put(created, { previews: 1, entityRefs: () => [ALIKE[0]] });
      expect(await created.store.entityRefs()).toEqual([ALIKE[0]]);
    });

    it('are each there once, however much alike they are', async () => {
      const created = await createStore();
      await put(created, {
        previews: 2 * ALIKE.length,
        entityRefs: iid => [ALIKE[iid % ALIKE.length]],
      });
      const refs = await created.store.entityRefs();
      expect([...refs].sort()).toEqual([...ALIKE].sort());
    });

    it('are those of a preview and those of a claim together, each once', async () => {
      const created = await createStore();
      const { store, term } = created;
      await put(created, {
        previews: 3,
        entityRefs: iid => (iid === 3 ? [] : [`component:default/of-${iid}`]),
      });
      await store.applyClaims(
        term,
        ['component:default/claims', 'component:default/of-1'].map(
          entityRef => ({
            entityRef,
            applicationSets: [],
            sources: [],
            problems: [],
          }),
        ),
      );
      expect(await store.entityRefs()).toEqual([
        'component:default/claims',
        'component:default/of-1',
        'component:default/of-2',
      ]);
    });
  });
});
