import { mockServices } from '@backstage/backend-test-utils';
import { EntityChecks } from '@previews/backstage-plugin-previews-common';
import { ObjectAnswer, ObjectRequest } from '../model';
import { PreviewStore, StoredEntityChecks } from '../store';
import { Story } from '../testing/Story';
import { HOST, NOW, WorldBuilder } from '../testing/world';
import { ChecksKeeper } from './ChecksKeeper';
import { WebhookLog } from './WebhookLog';

const { live } = WorldBuilder;

const SHOP = 'component:default/shop';
const MINUTE = 60_000;
const term = { holder: 'a', epoch: 1 };

/** A set that names its project by path, which a check finds. */
const brokenSet = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'shop-previews', namespace: 'argocd' },
  spec: {
    generators: [{ pullRequest: { gitlab: { project: 'group/shop' } } }],
    template: { metadata: { name: 'x' }, spec: {} },
  },
};

function memoryStore(stored: Map<string, EntityChecks>) {
  return {
    checksOf: async (ref: string) => stored.get(ref),
    checkedEntities: async () => [...stored.keys()],
    applyChecks: async (
      _: unknown,
      changes: { put: StoredEntityChecks[]; removed: string[] },
    ) => {
      changes.removed.forEach(ref => stored.delete(ref));
      changes.put.forEach(({ entityRef, checks }) =>
        stored.set(entityRef, checks),
      );
    },
    webhooks: async () => undefined,
    applyWebhooks: jest.fn(async () => {}),
  };
}

async function create(stored = new Map<string, EntityChecks>()) {
  let now = Date.parse(NOW);
  const clock = () => new Date(now);
  const asked: ObjectRequest[] = [];
  const changed: string[][] = [];
  const answers = {
    cluster: async (request: ObjectRequest): Promise<ObjectAnswer> => ({
      state: 'read',
      objects: request.kind === 'ApplicationSet' ? [brokenSet] : [],
    }),
    gitlab: async (): Promise<object | undefined> => ({ protectedTags: [] }),
  };
  const store = memoryStore(stored);
  const options = { store: store as unknown as PreviewStore, term };
  const keeper = await ChecksKeeper.create({
    ...options,
    sources: {
      gitlab: [
        {
          id: `gitlab:${HOST}`,
          host: HOST,
          readProtection: () => answers.gitlab(),
        },
      ],
      clusters: [
        {
          id: 'cluster:main',
          cluster: 'main',
          readWhole: (request: ObjectRequest) => {
            asked.push(request);
            return answers.cluster(request);
          },
        },
      ],
    } as never,
    schedule: { everyMilliseconds: 10 * MINUTE, webhookHosts: new Set() },
    webhooks: await WebhookLog.create({ ...options, now: clock() }),
    listener: { previewsChanged: refs => changed.push([...refs]) },
    logger: mockServices.logger.mock(),
    clock,
  });
  return {
    asked,
    changed,
    stored,
    answers,
    store,
    async round(world: WorldBuilder = live().entity()) {
      const { result } = new Story().pass(world);
      const count = asked.length;
      keeper.consider(result!, {
        world: result!.basis.index.world,
        now: clock(),
        signal: new AbortController().signal,
      });
      await keeper.idle();
      return asked.length - count;
    },
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

const idsOf = (checks: EntityChecks | undefined) =>
  checks?.results.map(({ id }) => id) ?? [];

describe('ChecksKeeper', () => {
  it('stores what is found, and tells of it once', async () => {
    const { changed, round, stored, wait } = await create();
    await round();
    expect(idsOf(stored.get(SHOP))).toEqual(
      expect.arrayContaining(['ProjectByPath', 'TagsUnprotected']),
    );
    wait(11 * MINUTE);
    await round();
    expect(changed).toEqual([[SHOP]]);
    expect(stored.get(SHOP)!.checkedAt > NOW).toBe(true);
  });

  it('asks again when it is time, and when a set changes', async () => {
    const { round, wait } = await create();
    expect(await round()).toBeGreaterThan(10);
    wait(9 * MINUTE);
    expect(await round()).toBe(0);
    const edited = () =>
      live()
        .entity()
        .applicationSet({ metadata: { generation: 2 } });
    expect(await round(edited())).toBeGreaterThan(10);
    wait(1000);
    expect(await round()).toBe(0);
    wait(10 * MINUTE);
    expect(await round(edited())).toBeGreaterThan(10);
  });

  it('asks for each object once, and for what others name', async () => {
    const { answers, asked, round } = await create();
    answers.cluster = async ({ kind }) => ({
      state: 'read',
      objects:
        kind === 'Certificate'
          ? ['a', 'b'].map(name => ({
              metadata: { name, namespace: 'x' },
              spec: { issuerRef: { kind: 'ClusterIssuer', name: 'acme' } },
            }))
          : [],
    });
    await round();
    const texts = asked.map(request => JSON.stringify(request));
    expect(new Set(texts).size).toBe(texts.length);
    expect(asked.filter(({ kind }) => kind === 'ClusterIssuer')).toEqual([
      { cluster: 'main', kind: 'ClusterIssuer', name: 'acme' },
    ]);
  });

  it('lets the last results stand while the cluster is silent, and asks again soon', async () => {
    const { answers, round, stored, wait } = await create();
    await round();
    const before = stored.get(SHOP);
    answers.cluster = async () => ({ state: 'failed' });
    wait(11 * MINUTE);
    await round();
    expect(stored.get(SHOP)).toBe(before);
    wait(MINUTE);
    expect(await round()).toBeGreaterThan(0);
  });

  it('tells what was left out where nothing is known from before', async () => {
    const { answers, round, stored } = await create();
    answers.cluster = async () => ({ state: 'failed' });
    answers.gitlab = async () => undefined;
    await round();
    expect(stored.get(SHOP)).toMatchObject({
      results: [],
      incomplete: ['cluster:main', `gitlab:${HOST}`],
    });
  });

  it('forgets an entity that has no set-up any more, after a while', async () => {
    const { changed, round, stored, wait } = await create();
    await round();
    await round(live());
    expect(stored.has(SHOP)).toBe(true);
    wait(2 * MINUTE);
    await round(live());
    expect(stored.has(SHOP)).toBe(false);
    expect(changed).toEqual([[SHOP], [SHOP]]);
  });

  it('writes down since when webhooks are remembered', async () => {
    const { round, store } = await create();
    await round();
    expect(store.applyWebhooks).toHaveBeenCalledWith(term, {
      since: NOW,
      projects: {},
    });
  });
});
