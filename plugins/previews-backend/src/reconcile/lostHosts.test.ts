import { DiffStory } from '../testing/DiffStory';
import {
  at,
  DEPLOYED,
  generatedBy,
  HOST,
  MERGE_REQUEST,
  WorldBuilder,
} from '../testing/world';

const RENAMED = 'code.example.com';
const AFTER_GRACE = 10_000;

/** The host is configured no more, and the sets list its MRs as before. */
const lost = () => WorldBuilder.live().withoutGitLab();

/** Portal and sets go by another name of the host. */
const renamed = () =>
  lost()
    .project({}, RENAMED)
    .mergeRequest({}, undefined, RENAMED)
    .applicationSet(generatedBy({ api: `https://${RENAMED}/` }));

const there = { ...MERGE_REQUEST, host: RENAMED };

const live = () => new DiffStory().pass(WorldBuilder.live());

describe('of a GitLab host that is configured no more', () => {
  it.each([
    ['no other one is read', lost],
    [
      'another one is read',
      () => lost().project({ id: 1 }, 'other.example.com'),
    ],
  ])('nothing is concluded while sets list its MRs and %s', (_, world) => {
    const diff = live();
    for (const seconds of [60, AFTER_GRACE]) {
      diff.pass(world(), at(seconds));
      expect(diff.story.changes()).toEqual([]);
    }
    expect(diff.story.preview()).toMatchObject({
      phase: 'Live',
      stale: [`gitlab:${HOST}`],
      applications: [{ name: 'preview-mr-7' }],
      namespaces: [{ name: 'preview-mr-7', own: true }],
    });
    expect(diff.story.condition('Selected')).toMatchObject({
      status: 'Unknown',
      lastKnown: { status: 'True' },
    });
    expect(diff.types()).toEqual([]);
  });

  it('all is as it was once it is configured again', () => {
    const { story } = live()
      .pass(lost(), at(60))
      .pass(WorldBuilder.live(), at(120));
    expect(story.changes()).toEqual([]);
    expect(story.preview()).toMatchObject({ phase: 'Live', stale: [] });
  });

  it('what its clusters tell is told as ever', () => {
    const { story } = live().pass(
      lost()
        .deployment({ status: { readyReplicas: 0 } })
        .replicaSet({ status: { readyReplicas: 0 } }),
      at(60),
    );
    expect(story.preview().phase).toBe('Degraded');
  });

  it('what was torn down when it went ends', () => {
    const closed = WorldBuilder.live().mergeRequest({
      state: 'closed',
      closed_at: at(5),
    });
    const { story } = live()
      .pass(closed, at(10))
      .pass(lost().without(DEPLOYED), at(60));
    expect(story.preview().phase).toBe('Gone');
  });

  it('previews end once no set lists its MRs and their Applications are gone', () => {
    const { story } = live().pass(
      lost().without('applicationSets').without(DEPLOYED),
      at(60),
    );
    expect(story.verdict('Selected')).toBe('False NoApplicationSet');
    expect(story.preview().phase).toBe('Gone');
  });

  it('an Application of a set that has no GitLab generator any more is nobody’s', () => {
    const { story } = live().pass(
      lost().applicationSet({ spec: { generators: [{ list: {} }] } }),
      at(60),
    );
    expect(story.preview().applications).toEqual([]);
  });
});

describe('of a GitLab host that has another name', () => {
  it('Applications are those of its MRs under the new name', () => {
    const diff = live();
    for (const seconds of [60, AFTER_GRACE]) {
      diff.pass(renamed(), at(seconds));
      expect(diff.story.preview(there)).toMatchObject({
        phase: 'Live',
        applications: [{ name: 'preview-mr-7' }],
        namespaces: [{ own: true }],
      });
      expect(diff.story.preview()).toMatchObject({
        phase: 'Gone',
        applications: [],
      });
    }
    expect(diff.types()).toEqual([]);
  });

  it('nothing is lost before those are read', () => {
    const diff = live();
    const unread = () =>
      renamed().projectReading({ state: 'pending' }, { host: RENAMED });
    const empty = () =>
      WorldBuilder.live()
        .withoutGitLab()
        .gitlab({ host: RENAMED })
        .applicationSet(generatedBy({ api: `https://${RENAMED}/` }));
    for (const seconds of [60, AFTER_GRACE]) {
      diff.pass(empty(), at(seconds));
      expect(diff.story.changes()).toEqual([]);
    }
    expect(diff.story.preview()).toMatchObject({
      phase: 'Live',
      applications: [{ name: 'preview-mr-7' }],
    });
    diff.pass(unread(), at(AFTER_GRACE + 60));
    diff.pass(renamed(), at(AFTER_GRACE + 120));
    expect(diff.story.preview(there).phase).toBe('Live');
    expect(diff.story.preview().phase).toBe('Gone');
    expect(diff.types()).toEqual([]);
  });
});
