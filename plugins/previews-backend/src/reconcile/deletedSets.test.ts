import { DiffStory } from '../testing/DiffStory';
import { at, MERGE_REQUEST, WorldBuilder } from '../testing/world';

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const AFTER_GRACE = 10_000;

/** Open MRs of one set, each with an Application. */
const ofSet = () =>
  NUMBERS.reduce(
    (world, iid) =>
      world
        .mergeRequest({ iid, source_branch: `feature/${iid}` })
        .application({ metadata: { name: `preview-mr-${iid}` } }),
    WorldBuilder.empty().applicationSet(),
  );

/** Somebody deletes the set, which waits for a finalizer. */
const deleting = (world: WorldBuilder) =>
  world.applicationSet({
    metadata: {
      deletionTimestamp: at(5),
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
    },
  });

const deletingAll = (world: WorldBuilder) =>
  NUMBERS.reduce(
    (before, iid) =>
      before.application({
        metadata: { name: `preview-mr-${iid}`, deletionTimestamp: at(6) },
      }),
    deleting(world),
  );

/** All Applications but the first have gone. */
const held = () =>
  NUMBERS.slice(1).reduce(
    (world, iid) => world.without('applications', `preview-mr-${iid}`),
    deletingAll(ofSet()),
  );

describe('an ApplicationSet that is being deleted', () => {
  const key = { ...MERGE_REQUEST, iid: 1 };

  it('wants no previews any more', () => {
    const { story } = new DiffStory()
      .pass(ofSet())
      .pass(deletingAll(ofSet()), at(10));
    expect(story.preview(key).phase).toBe('TearingDown');
    expect(story.verdict('Selected', key)).toBe('False NoApplicationSet');
    expect(story.condition('CleanedUp', key)).toMatchObject({
      reason: 'ApplicationDeleting',
      params: { application: 'preview-mr-1' },
    });
  });

  it('raises no alarm by the Applications that go with it, and leaves nothing to be made', () => {
    const diff = new DiffStory().pass(ofSet());
    for (const seconds of [10, 20, 40, AFTER_GRACE]) {
      diff.pass(held(), at(seconds));
      expect(diff.types()).toEqual([]);
    }
    expect(diff.story.preview().phase).toBe('Gone');
    expect(diff.story.condition('CleanedUp', key)?.reason).toBe(
      'ApplicationDeletionStuck',
    );
  });

  it('tells whose its Applications are, also after a restart', () => {
    const { story } = new DiffStory().pass(deletingAll(ofSet()), at(10));
    expect(story.preview(key)).toMatchObject({
      phase: 'TearingDown',
      applications: [{ name: 'preview-mr-1' }],
    });
  });

  it('changes nothing when it has gone', () => {
    const { story } = new DiffStory()
      .pass(ofSet())
      .pass(held(), at(10))
      .pass(held().without('applicationSets'), at(20));
    expect(story.changes()).toEqual([]);
    expect(story.preview(key).phase).toBe('TearingDown');
  });

  it('leaves what nobody deletes to be told of', () => {
    const diff = new DiffStory()
      .pass(ofSet())
      .pass(deleting(ofSet()), at(10))
      .pass(deleting(ofSet()), at(AFTER_GRACE));
    expect(diff.story.preview(key).phase).toBe('Orphaned');
    expect(new Set(diff.types())).toEqual(new Set(['WithoutMergeRequest']));
  });
});
