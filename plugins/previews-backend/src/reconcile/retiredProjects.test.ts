import { Story } from '../testing/Story';
import {
  at,
  DEPLOYED,
  generatedBy,
  HOST,
  WorldBuilder,
} from '../testing/world';

const lost = (world: WorldBuilder) =>
  world.projectReading({ state: 'failing', status: 404, completeAt: at(0) });

const withoutSet = () => WorldBuilder.live().without('applicationSets');

const emptied = () => withoutSet().without(DEPLOYED);

/** A set of another project, in the same cluster. */
const other = (world: WorldBuilder, project: string) =>
  world.applicationSet({
    metadata: { name: 'other-previews' },
    ...generatedBy({ project }),
  });

describe('an open MR whose project GitLab does not show any more', () => {
  const live = () => new Story().pass(WorldBuilder.live());

  it('stays as it was while a set lists the project', () => {
    const story = live().pass(lost(WorldBuilder.live()), at(100));
    expect(story.preview().phase).toBe('Live');
    expect(story.verdict('Selected')).toBe('Unknown ProjectNotReadable');
  });

  it('is wanted by nobody once no set lists it', () => {
    const story = live().pass(lost(withoutSet()), at(100));
    expect(story.preview().phase).toBe('TearingDown');
    expect(story.condition('Selected')).toMatchObject({
      status: 'False',
      reason: 'NoApplicationSet',
      params: { project: 'group/shop' },
    });
    expect(story.verdict('MergeRequestOpen')).toBe(
      'Unknown ProjectNotReadable',
    );
  });

  it.each([
    ['at once', lost],
    ['after a restart', (world: WorldBuilder) => world.forgetProjects()],
  ])('ends with what was deployed for it, %s', (_, unread) => {
    const story = live().pass(unread(emptied()), at(100));
    expect(story.preview().phase).toBe('Gone');
  });

  it('is not given up while another set names a path that may lead to it', () => {
    const story = live().pass(
      lost(other(emptied(), 'group/shop-moved')),
      at(100),
    );
    expect(story.verdict('Selected')).toBe('Unknown ProjectNotReadable');
  });

  it('is given up where the sets that are left name other projects', () => {
    const world = other(emptied(), 'group/cart').project({
      id: 43,
      path_with_namespace: 'group/cart',
    });
    const story = live().pass(lost(world), at(100));
    expect(story.verdict('Selected')).toBe('False NoApplicationSet');
  });

  it.each([
    ['pending', { state: 'pending' }],
    ['forbidden', { state: 'forbidden' }],
    ['stale', { state: 'failing', completeAt: at(-36_000) }],
  ] as const)('is not given up while the sets are %s', (_, reading) => {
    const world = lost(emptied()).kindReading('applicationSets', reading);
    const story = live().pass(world, at(100));
    expect(story.condition('Selected')?.status).toBe('Unknown');
  });

  it('is not given up while another cluster is not read, which may have a set', () => {
    const world = lost(emptied())
      .cluster({ cluster: 'second' })
      .kindReading('applicationSets', { state: 'pending' }, 'second');
    const story = live().pass(world, at(100));
    expect(story.verdict('Selected')).toBe('Unknown ProjectNotReadable');
  });

  it('is asked for no more once it has ended', () => {
    const story = live().pass(lost(emptied()), at(100));
    expect(story.result?.demand.mergeRequests.get(HOST) ?? []).toEqual([]);
  });
});
