import { StoredPreview } from '../model';
import { at, HOST, NEXT, NOW, WorldBuilder } from '../testing/world';
import { HeadChecks } from './headChecks';
import { decideAll } from './pass';
import { defaultSettings } from './settings';

const KEY = `${HOST}/42/7`;

/** A writer's passes over worlds, with what it remembers between them. */
class Passes {
  readonly #stored = new Map<string, StoredPreview>();
  readonly #checks = new HeadChecks();

  pass(world: WorldBuilder, now: string) {
    const { decisions, demand } = decideAll({
      world: world.build(),
      stored: this.#stored,
      settings: defaultSettings,
      isClaimAllowed: () => true,
      headChecks: this.#checks,
      now,
    });
    const { change, unchanged } = decisions.get(KEY)!;
    this.#stored.set(KEY, change.stored);
    return {
      phase: change.stored.preview.phase,
      transitions: change.transitions.map(
        ({ kind, type, to }) => `${kind} ${type ?? to}`,
      ),
      unchanged,
      asked: demand.heads.get(HOST) ?? [],
    };
  }
}

/** Argo CD asks for another commit than the head that GitLab was last heard of. */
const ahead = (readAt: string) =>
  WorldBuilder.live()
    .application({
      spec: {
        source: {
          helm: {
            parameters: [{ name: 'image.tag', value: NEXT.slice(0, 8) }],
          },
        },
      },
    })
    .readAt(readAt);

describe('an Application that asks for a newer commit than the head that is known', () => {
  it('has GitLab asked once, and changes nothing until it answers', () => {
    const passes = new Passes();
    passes.pass(WorldBuilder.live().readAt(at(-5)), at(-4));
    const first = passes.pass(ahead(at(-5)), NOW);
    expect(first).toEqual({
      phase: 'Live',
      transitions: [],
      unchanged: true,
      asked: [{ projectId: 42, iid: 7 }],
    });
    const second = passes.pass(ahead(at(-5)), at(1));
    expect(second).toMatchObject({ unchanged: true, asked: [] });
  });

  it('is a push when GitLab says so', () => {
    const passes = new Passes();
    passes.pass(WorldBuilder.live().readAt(at(-5)), at(-4));
    passes.pass(ahead(at(-5)), NOW);
    const pushed = passes.pass(ahead(at(2)).mergeRequest({ sha: NEXT }), at(2));
    expect(pushed.transitions).toContain(`head ${NEXT}`);
    expect(pushed.phase).toBe('Updating');
    expect(pushed.transitions.join()).not.toContain('Degraded');
  });

  it('is an old commit when GitLab answers that the head is the same', () => {
    const passes = new Passes();
    passes.pass(WorldBuilder.live().readAt(at(-5)), at(-4));
    passes.pass(ahead(at(-5)), NOW);
    const confirmed = passes.pass(ahead(at(2)), at(2));
    expect(confirmed.transitions).toContain('condition Synced');
    expect(passes.pass(ahead(at(3)), at(3))).toMatchObject({
      unchanged: true,
      asked: [],
    });
  });

  it('has its answer when GitLab was asked at the very time', () => {
    const passes = new Passes();
    passes.pass(WorldBuilder.live().readAt(at(-5)), at(-4));
    passes.pass(ahead(at(-5)), NOW);
    expect(passes.pass(ahead(NOW), at(1)).transitions).toContain(
      'condition Synced',
    );
  });

  it('is decided by what is known when GitLab does not answer for long', () => {
    const passes = new Passes();
    passes.pass(WorldBuilder.live().readAt(at(-5)), at(-4));
    passes.pass(ahead(at(-5)), NOW);
    expect(passes.pass(ahead(at(-5)), at(31)).transitions).toContain(
      'condition Synced',
    );
  });

  it('asks for nothing where Argo CD asks for the head', () => {
    const passes = new Passes();
    passes.pass(WorldBuilder.live().readAt(at(-5)), at(-4));
    expect(passes.pass(WorldBuilder.live().readAt(NOW), NOW)).toMatchObject({
      asked: [],
    });
  });
});
