import { mockServices } from '@backstage/backend-test-utils';
import { FindingType } from '@previews/backstage-plugin-previews-common';
import { defaultSettings } from '../reconcile';
import { DatabasePreviewStore, LeaseTerm } from '../store';
import {
  createTestDatabases,
  databaseServiceOf,
  supportedDatabases,
} from '../testing/__testUtils__/databases';
import { Story } from '../testing/Story';
import { at, ownedBy, WorldBuilder } from '../testing/world';
import { FindingsKeeper } from './FindingsKeeper';

jest.setTimeout(60_000);

const SET = 'main:argocd/shop-previews';
const ALL = [1, 2, 3, 4, 5, 6];

/** Six open MRs of one set, with Applications for some. */
function world(applications: readonly number[]): WorldBuilder {
  const built = WorldBuilder.empty().applicationSet().entity();
  ALL.forEach(iid => built.mergeRequest({ iid }));
  applications.forEach(iid =>
    built.application({ metadata: { name: `preview-mr-${iid}` } }),
  );
  return built;
}

describe.each(supportedDatabases)('FindingsKeeper on %s', databaseId => {
  const databases = createTestDatabases();
  const logger = mockServices.logger.mock();
  let store: DatabasePreviewStore;
  let term: LeaseTerm;
  let story: Story;

  beforeEach(async () => {
    jest.resetAllMocks();
    store = await DatabasePreviewStore.create({
      database: databaseServiceOf(await databases.init(databaseId)) as never,
    });
    term = (await store.acquireLease({ holder: 'a', durationSeconds: 600 }))!;
    story = new Story();
  });

  const begin = () =>
    FindingsKeeper.create({ store, term, settings: defaultSettings, logger });

  async function keep(
    keeper: FindingsKeeper,
    applications: readonly number[] | WorldBuilder,
    seconds: number,
  ): Promise<string[]> {
    story.pass(
      applications instanceof WorldBuilder ? applications : world(applications),
      at(seconds),
      { frozenSets: keeper.frozenSets },
    );
    return keeper.keep(story.result!, at(seconds));
  }

  async function open(): Promise<FindingType[]> {
    const { findings } = await store.loadFindings();
    return findings.map(({ finding }) => finding.type);
  }

  it('raises the alarm over a change of the writer: what was there is remembered', async () => {
    await keep(await begin(), ALL, -120);
    // The Applications go while nobody is at work.
    const next = await begin();
    await keep(next, [], 0);
    expect(next.frozenSets).toEqual(new Set());
    await keep(next, [], 60);
    expect(await open()).toEqual(['GeneratedSetShrank']);
    expect(next.frozenSets).toEqual(new Set([SET]));

    const third = await begin();
    expect(third.frozenSets).toEqual(new Set([SET]));
    await keep(third, ALL, 120);
    expect(await open()).toEqual([]);
    expect((await begin()).frozenSets).toEqual(new Set());
  });

  it('waits for the MRs that an alarm hangs on, also over a change of the writer', async () => {
    const keeper = await begin();
    await keep(keeper, ALL, -60);
    expect(keeper.awaited).toEqual([]);
    await keep(keeper, [], 0);
    const iids = ({ awaited }: FindingsKeeper) =>
      awaited.map(({ iid }) => iid).sort((a, b) => a - b);
    expect(iids(keeper)).toEqual(ALL);
    const next = await begin();
    expect(iids(next)).toEqual(ALL);
    await keep(next, ALL, 60);
    expect(next.awaited).toEqual([]);
  });

  it('logs an alarm once, however long it lasts and whoever writes', async () => {
    const keeper = await begin();
    await keep(keeper, ALL, -60);
    await keep(keeper, [], 0);
    await keep(keeper, [], 60);
    await keep(keeper, [], 120);
    await keep(await begin(), [], 180);
    expect(logger.warn).toHaveBeenCalledTimes(1);
    expect(logger.warn).toHaveBeenCalledWith(
      expect.stringContaining('argocd/shop-previews lost 6 of 6'),
      expect.objectContaining({
        finding: expect.stringMatching(/^generated-set-shrank-/),
      }),
    );
  });

  it('tells whose previews a finding begins and ends for, and nobody else', async () => {
    const keeper = await begin();
    expect(await keep(keeper, ALL, -60)).toEqual([]);
    await keep(keeper, [], 0);
    expect(await keep(keeper, [], 60)).toEqual(['component:default/shop']);
    expect(await keep(keeper, [], 120)).toEqual([]);
    expect(await keep(keeper, ALL, 180)).toEqual(['component:default/shop']);
  });

  it('writes nothing while nothing changes', async () => {
    const apply = jest.spyOn(store, 'applyFindings');
    const stray = () =>
      world(ALL).application({
        metadata: {
          name: 'by-hand',
          ownerReferences: [ownedBy('shop-previews')],
        },
        spec: { source: { helm: null } },
        status: { summary: { images: [] } },
      });
    const keeper = await begin();
    await keep(keeper, stray(), 0);
    expect(await open()).toEqual(['Unjoined']);
    expect(apply).toHaveBeenCalledTimes(1);
    await keep(keeper, stray(), 10);
    await keep(await begin(), stray(), 20);
    expect(apply).toHaveBeenCalledTimes(1);
  });

  it('writes nothing after its lease was lost', async () => {
    const keeper = await begin();
    await store.releaseLease(term);
    await store.acquireLease({ holder: 'b', durationSeconds: 600 });
    await expect(keep(keeper, ALL, 0)).rejects.toMatchObject({
      name: 'LeaseLostError',
    });
    expect(await store.loadFindings()).toEqual({ findings: [], sets: [] });
  });

  it('forgets a set that is gone', async () => {
    const keeper = await begin();
    await keep(keeper, ALL, 0);
    expect((await store.loadFindings()).sets).toHaveLength(1);
    await keep(keeper, world([]).without('applicationSets'), 60);
    expect((await store.loadFindings()).sets).toEqual([]);
  });
});
