import { DiffStory } from '../testing/DiffStory';
import { Story } from '../testing/Story';
import { at, generatedBy, MERGE_REQUEST, WorldBuilder } from '../testing/world';

const HOUR = 3600;

/** The set names the path that the project had. */
const moved = () => WorldBuilder.live().entity().moved('other/shop');

describe('a project that was moved, while its set names its former path', () => {
  it('has its previews as before', () => {
    const told = new DiffStory().pass(moved());
    expect(told.story.preview()).toMatchObject({
      phase: 'Live',
      mergeRequest: { project: 'other/shop' },
    });
    expect(told.story.verdict('Selected')).toBe('True Selected');
    expect(told.types()).toEqual([]);
  });

  it('keeps them when nothing but time passes, however long', () => {
    const told = new DiffStory()
      .pass(WorldBuilder.live(), at(-3 * HOUR))
      .pass(moved(), at(-2 * HOUR))
      .pass(moved(), at(0));
    expect(told.story.preview().phase).toBe('Live');
    expect(told.types()).toEqual([]);
  });

  it('is read by the path that the set names', () => {
    const { demand } = new Story().pass(moved()).result!;
    expect([...demand.projects.values()]).toEqual([[{ path: 'group/shop' }]]);
  });

  it('belongs to an entity that names it by that path, where the claim on its new one is allowed', () => {
    const links = (isAllowed: boolean) =>
      new Story({ isClaimAllowed: () => isAllowed }).pass(moved()).result!
        .links;
    expect(links(true)).toMatchObject([
      {
        project: { path: 'other/shop', id: 42 },
        applicationSets: ['main:argocd/shop-previews'],
      },
    ]);
    expect(links(false)).toMatchObject([
      { problems: [{ reason: 'ProjectClaimedFromElsewhere' }] },
    ]);
  });

  it('is not meant any more once another project has that path', () => {
    const world = moved().project({
      id: 43,
      path_with_namespace: 'group/shop',
    });
    const story = new Story().pass(world);
    expect(story.verdict('Selected')).toBe('False NoApplicationSet');
    expect([...story.result!.decisions.values()]).toHaveLength(1);
  });

  it('is found by its own path as well', () => {
    const world = moved().applicationSet(
      generatedBy({ project: 'Other/Shop' }),
    );
    const story = new Story().pass(world);
    expect(story.preview(MERGE_REQUEST).phase).toBe('Live');
  });
});
