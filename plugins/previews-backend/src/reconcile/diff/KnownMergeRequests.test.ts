import { Story } from '../../testing/Story';
import { at, HOST, MERGE_REQUEST, WorldBuilder } from '../../testing/world';
import { KnownMergeRequests } from './KnownMergeRequests';

const DAY = 86_400;

describe('what is known of the MRs of a project', () => {
  const known = (story: Story) => {
    const { decisions, basis } = story.result!;
    const project = basis.index.project(HOST, 42)!;
    const of = new KnownMergeRequests(decisions);
    return {
      newest: of.newest(HOST, project),
      openedNotBefore: (iid: number) =>
        of.openedNotBefore({ ...MERGE_REQUEST, iid }, project),
    };
  };

  it('is nothing where none was read', () => {
    const { newest, openedNotBefore } = known(
      new Story().pass(WorldBuilder.empty().applicationSet()),
    );
    expect(newest).toBeUndefined();
    expect(openedNotBefore(7)).toBeUndefined();
  });

  it('is when each was opened, and that others came after those of lower numbers', () => {
    const world = WorldBuilder.empty()
      .mergeRequest({ iid: 12, created_at: at(-2 * DAY) })
      .mergeRequest({ iid: 3, created_at: at(-9 * DAY) })
      // A clock that went wrong makes no younger one older.
      .mergeRequest({ iid: 8, created_at: at(-10 * DAY) });
    const { newest, openedNotBefore } = known(new Story().pass(world));
    expect(newest).toBe(12);
    expect([1, 2, 3, 4, 8, 9, 12, 13].map(openedNotBefore)).toEqual([
      undefined,
      undefined,
      at(-9 * DAY),
      at(-9 * DAY),
      at(-10 * DAY),
      at(-9 * DAY),
      at(-2 * DAY),
      at(-2 * DAY),
    ]);
  });

  it('is what GitLab says of those that nobody reads', () => {
    const { newest, openedNotBefore } = known(
      new Story().pass(
        WorldBuilder.empty()
          .mergeRequest({ iid: 3, created_at: at(-9 * DAY) })
          .past({ createdAt: at(-5 * DAY) }, { iid: 6 })
          // It has none of that number.
          .past({}, { iid: 9 }),
      ),
    );
    expect(newest).toBe(6);
    expect([5, 6, 9].map(openedNotBefore)).toEqual([
      at(-9 * DAY),
      at(-5 * DAY),
      at(-5 * DAY),
    ]);
  });

  it('is what a preview is stored of, though its MR is not read', () => {
    const story = new Story()
      .pass(WorldBuilder.live().mergeRequest({ created_at: at(-3 * DAY) }))
      .pass(WorldBuilder.empty().applicationSet().application());
    const { newest, openedNotBefore } = known(story);
    expect(newest).toBe(7);
    expect([6, 7, 8].map(openedNotBefore)).toEqual([
      undefined,
      at(-3 * DAY),
      at(-3 * DAY),
    ]);
  });
});
