import { mockServices } from '@backstage/backend-test-utils';
import { DomainBudget } from '@previews/backstage-plugin-previews-common';
import { AcmeLimits, letsEncryptLimits } from '../stats';
import { DatabasePreviewStore, LeaseLostError, LeaseTerm } from '../store';
import {
  createTestDatabases,
  databaseServiceOf,
  supportedDatabases,
} from '../testing/__testUtils__/databases';
import { Story } from '../testing/Story';
import { at, WorldBuilder } from '../testing/world';
import { BudgetKeeper } from './BudgetKeeper';

jest.setTimeout(60_000);

const DAY = 86_400;
const HOST = 'preview.example.com';

/** A live preview, with certificates of others beside it. */
function world(others: number, seconds = -60): WorldBuilder {
  const built = WorldBuilder.live().entity().clusterIssuer();
  for (let index = 0; index < others; index += 1) {
    built.certificate({
      metadata: { name: `tls-${index}`, namespace: 'elsewhere' },
      spec: { dnsNames: [`n-${index}.${HOST}`] },
      status: {
        notBefore: at(seconds),
        conditions: [
          { type: 'Ready', status: 'True', lastTransitionTime: at(seconds) },
        ],
      },
    });
  }
  return built;
}

describe.each(supportedDatabases)('BudgetKeeper on %s', databaseId => {
  const databases = createTestDatabases();
  const logger = mockServices.logger.mock();
  let store: DatabasePreviewStore;
  let term: LeaseTerm;
  let story: Story;
  let told: [budget: DomainBudget, entityRefs: readonly string[]][];

  beforeEach(async () => {
    jest.resetAllMocks();
    store = await DatabasePreviewStore.create({
      database: databaseServiceOf(await databases.init(databaseId)) as never,
    });
    term = (await store.acquireLease({ holder: 'a', durationSeconds: 600 }))!;
    story = new Story();
    told = [];
  });

  const begin = (limits: AcmeLimits = letsEncryptLimits) =>
    BudgetKeeper.create({
      store,
      term,
      limits,
      logger,
      listener: {
        previewsChanged: () => {},
        certificatesRunOut: (...call) => told.push(call),
      },
    });

  async function keep(
    keeper: BudgetKeeper,
    built: WorldBuilder,
    seconds = 0,
  ): Promise<DomainBudget> {
    story.pass(built, at(seconds));
    const [budget, ...more] = await keeper.keep(story.result!, at(seconds));
    expect(more).toEqual([]);
    return budget;
  }

  const count = async () => (await store.issuances()).records.length;

  it('remembers what was issued with the preview whose own it is', async () => {
    const budget = await keep(await begin(), world(2));
    expect(budget).toMatchObject({ domain: 'example.com', used: 3 });
    const { records, memory } = await store.issuances();
    expect(records.map(({ previewId }) => Boolean(previewId)).sort()).toEqual([
      false,
      false,
      true,
    ]);
    expect(memory).toEqual({ since: at(0), unread: [], told: {} });
  });

  it('takes what is where many have their routes for no preview’s', async () => {
    const route = {
      group: 'gateway.networking.k8s.io',
      kind: 'HTTPRoute',
      namespace: 'elsewhere',
      name: 'shop',
    };
    await keep(
      await begin(),
      world(2).application({ status: { resources: [route] } }),
    );
    const { records } = await store.issuances();
    expect(records.filter(({ previewId }) => previewId)).toHaveLength(1);
  });

  it('remembers it beyond the Certificates, over a change of the writer', async () => {
    await keep(await begin(), world(3));
    const next = await begin();
    const budget = await keep(
      next,
      WorldBuilder.live().without(['certificates']),
      60,
    );
    expect(budget.used).toBe(4);
    expect(await count()).toBe(4);
  });

  it('counts a Certificate once that was made again and found its Secret', async () => {
    const keeper = await begin();
    await keep(keeper, world(1));
    const again = world(1)
      .without(['certificates'])
      .certificate({
        metadata: { name: 'tls-0', namespace: 'elsewhere', uid: 'another' },
        spec: { dnsNames: [`n-0.${HOST}`] },
        status: {
          notBefore: at(-60),
          revision: null,
          conditions: [
            { type: 'Ready', status: 'True', lastTransitionTime: at(-60) },
          ],
        },
      });
    await keep(keeper, again, 60);
    expect(await count()).toBe(2);
  });

  it('writes nothing while nothing is issued', async () => {
    const keeper = await begin();
    await keep(keeper, world(2));
    const apply = jest.spyOn(store, 'applyIssuances');
    await keep(keeper, world(2), 60);
    await keep(keeper, world(2), 120);
    expect(apply).not.toHaveBeenCalled();
  });

  it('forgets after four weeks', async () => {
    const keeper = await begin();
    await keep(keeper, world(2));
    story.pass(WorldBuilder.live().without(['certificates']), at(29 * DAY));
    expect(await keeper.keep(story.result!, at(29 * DAY))).toEqual([]);
    expect(await count()).toBe(0);
  });

  it('remembers which clusters are not read, and keeps what it knows of them', async () => {
    const keeper = await begin();
    await keep(keeper, world(2));
    const budget = await keep(
      keeper,
      world(2).kindReading(['certificates'], {
        state: 'forbidden',
        completeAt: at(0),
      }),
      60,
    );
    expect(budget.used).toBe(3);
    expect((await store.issuances()).memory?.unread).toEqual(['main']);
  });

  it('tells of a domain once a day, whoever writes, and for whose previews', async () => {
    const keeper = await begin();
    await keep(keeper, world(20));
    expect(told).toEqual([]);
    await keep(keeper, world(42), 60);
    expect(told).toHaveLength(1);
    const [[budget, entityRefs]] = told;
    expect(budget).toMatchObject({
      state: 'low',
      advisedWildcard: `*.${HOST}`,
    });
    expect(entityRefs).toEqual(['component:default/shop']);
    expect(logger.warn).toHaveBeenCalledTimes(1);
    await keep(await begin(), world(45), 3600);
    expect(told).toHaveLength(1);
    await keep(await begin(), world(95, DAY), DAY + 61);
    expect(told).toHaveLength(2);
    expect(told[1][0].state).toBe('spent');
    expect(logger.warn).toHaveBeenLastCalledWith(
      expect.stringMatching(/^No new certificate of 50 is left for /),
    );
  });

  it('takes the limit that is configured', async () => {
    const keeper = await begin({
      ...letsEncryptLimits,
      domains: new Map([['example.com', 1000]]),
    });
    expect(await keep(keeper, world(49))).toMatchObject({ limit: 1000 });
  });

  it('tells nobody where it may not write any more', async () => {
    const keeper = await begin();
    await store.releaseLease(term);
    await store.acquireLease({ holder: 'b', durationSeconds: 600 });
    story.pass(world(49), at(0));
    await expect(keeper.keep(story.result!, at(0))).rejects.toThrow(
      LeaseLostError,
    );
    expect(told).toEqual([]);
  });
});
