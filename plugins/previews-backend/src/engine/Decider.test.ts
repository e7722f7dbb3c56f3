import { defaultSettings } from '../reconcile';
import { UsualDurations } from '../stats';
import { PreviewStore } from '../store';
import { at, WorldBuilder } from '../testing/world';
import { Decider } from './Decider';
import { PreviewMemory } from './PreviewMemory';

const NOTHING = { objects: [], projects: [], previews: [] };

describe('Decider', () => {
  async function decided(now: Date): Promise<Decider> {
    const store = { loadActive: async () => [] } as unknown as PreviewStore;
    const decider = new Decider({
      memory: await PreviewMemory.load(store),
      usual: new UsualDurations(),
      settings: defaultSettings,
      isClaimAllowed: () => true,
      frozenSets: () => new Set(),
      further: [],
    });
    const world = WorldBuilder.live().readAt(now.toISOString()).build();
    decider.decideAll(world, now);
    return decider;
  }

  const date = (seconds: number) => new Date(at(seconds));

  it.each([
    ['right after everything was decided', 1, true],
    ['ten seconds later', 10, false],
    ['where the clock was set back by an hour', -3600, false],
  ])(
    'decides by what changed %s: %j seconds, %s',
    async (_, seconds, isNarrow) => {
      const decider = await decided(date(0));
      const result = decider.decideChanged(NOTHING, date(seconds));
      expect(result !== undefined).toBe(isNarrow);
    },
  );

  it.each([0, 5, 10, -1, -3600])(
    'waits no longer than ten seconds for the next pass over everything: %d',
    async seconds => {
      const decider = await decided(date(0));
      expect(decider.waitFrom(date(seconds), undefined)).toBeLessThanOrEqual(
        10_000,
      );
    },
  );
});
