import { StoredPreview } from '../model';
import { conditionCases } from '../testing/conditionCases';
import { at, NOW, WorldBuilder } from '../testing/world';
import { DecisionCache } from './decisionCache';
import { decideAll } from './pass';
import { defaultSettings } from './settings';

interface Scene {
  world: WorldBuilder;
  now: string;
}

/** Passes as the writer makes them: it keeps what it wrote, and only that. */
function play(scenes: readonly Scene[], cache?: DecisionCache): string[] {
  const stored = new Map<string, StoredPreview>();
  return scenes.map(({ world, now }) => {
    const result = decideAll({
      world: world.readAt(now).build(),
      stored,
      settings: defaultSettings,
      isClaimAllowed: () => true,
      cache,
      now,
    });
    const written = [];
    for (const [id, { change, unchanged }] of result.decisions) {
      if (!unchanged) {
        stored.set(id, change.stored);
        written.push(change);
      }
    }
    return JSON.stringify({
      written,
      lookAgainAt: result.lookAgainAt,
      demand: [...result.demand.mergeRequests, ...result.demand.tags],
    });
  });
}

describe('deciding with a cache', () => {
  const cases = Object.values(conditionCases).flat();

  it.each(cases.map(one => [one.title, one] as const))(
    'comes to the same as without: %s',
    (_, { world, before }) => {
      const scenes = () => [
        { world: WorldBuilder.live(), now: at(-180) },
        { world: WorldBuilder.live(), now: at(-120) },
        ...(before ? [{ world: before(), now: at(-60) }] : []),
        { world: world(), now: NOW },
        { world: world(), now: at(5) },
        { world: WorldBuilder.live(), now: at(60) },
        { world: world(), now: at(120) },
        { world: world(), now: at(86_400) },
      ];
      expect(play(scenes(), new DecisionCache())).toEqual(play(scenes()));
    },
  );

  it.each<[string, () => WorldBuilder, boolean]>([
    ['nothing changed', WorldBuilder.live, true],
    [
      'the MR has another title',
      () => WorldBuilder.live().mergeRequest({ title: 'New' }),
      false,
    ],
    [
      'a pod is not ready any more',
      () => WorldBuilder.live().pod({ status: { phase: 'Failed' } }),
      false,
    ],
    [
      'the Gateway has lost its listeners',
      () => WorldBuilder.live().gateway({ spec: { listeners: [] } }),
      false,
    ],
    [
      'the host was visited and answers',
      () => WorldBuilder.live().visited({ kind: 'answered', status: 200 }),
      false,
    ],
    [
      'a kind may not be read any more',
      () => WorldBuilder.live().kindReading(['pods'], { state: 'forbidden' }),
      false,
    ],
  ])(
    'takes the decision of before where %s: it still stands',
    (_, world, stands) => {
      const cache = new DecisionCache();
      const found = jest.spyOn(cache, 'find');
      play(
        [
          { world: WorldBuilder.live(), now: at(-10) },
          { world: WorldBuilder.live(), now: at(-5) },
          { world: world(), now: NOW },
        ],
        cache,
      );
      const [first, second, last] = found.mock.results.map(
        ({ value }) => value !== undefined,
      );
      expect([first, second, last]).toEqual([false, true, stands]);
    },
  );
});
