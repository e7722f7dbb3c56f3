import { Preview } from '@previews/backstage-plugin-previews-common';
import { Story } from '../testing/Story';
import {
  at,
  HEAD,
  Json,
  MERGE_REQUEST,
  NEXT,
  OLD,
  pipeline,
  setError,
  WorldBuilder,
} from '../testing/world';

const { open, live } = WorldBuilder;
const HOUR = 3600;
/** When GitLab says that the MR was last changed. */
const UPDATED_AT = at(-HOUR);

const failing: Json = { pipelines: [pipeline({ status: 'failed' })] };
const approved = (firstAt: string): Json => ({
  approvals: { approved: true, firstAt },
});

const withTag = (world: WorldBuilder) =>
  world.mergeRequest(
    {},
    {
      pipelines: [pipeline()],
      tag: { state: 'found', tag: HEAD.slice(0, 8), readAt: at(0) },
    },
  );

const crashing = () => live().crashing();

/** As Argo CD tells of a GitLab that it cannot reach. */
const setErrs = (world: WorldBuilder) =>
  world.applicationSet(
    setError(
      'ApplicationGenerationFromParamsError',
      'error listing merge requests: 502',
    ),
  );

const cannotCompare = (world: WorldBuilder) =>
  world.application({
    status: {
      conditions: [
        { type: 'ComparisonError', message: 'failed to list refs: 502' },
      ],
    },
  });

const unanswered = (world: WorldBuilder) =>
  world.projectReading({ state: 'failing', completeAt: at(-HOUR) });

describe('an outage of GitLab', () => {
  const previews: [string, () => WorldBuilder][] = [
    ['is live', live],
    ['crashes', crashing],
    ['has nothing yet', () => withTag(open())],
    ['is being built', () => open().mergeRequest({}, failing)],
    ['is of no set', () => open().mergeRequest({ labels: [] })],
    [
      'ended',
      () => live().mergeRequest({ state: 'closed', closed_at: UPDATED_AT }),
    ],
  ];
  const hasApplication = new Set(['is live', 'crashes', 'ended']);
  const outages: [string, (world: WorldBuilder) => WorldBuilder][] = [
    ['for the portal', unanswered],
    ['for its set', setErrs],
    ['for its repository', cannotCompare],
    ['for all of them', world => unanswered(setErrs(cannotCompare(world)))],
  ];
  const cases = previews.flatMap(([name, world]) =>
    outages
      .filter(
        ([outage]) =>
          hasApplication.has(name) || !/repository|all/.test(outage),
      )
      .map(([outage, down]) => [name, outage, world, down] as const),
  );

  it.each(cases)(
    'moves no preview that %s, when it is one %s',
    (_, __, world, down) => {
      const story = new Story().pass(world(), at(-120)).pass(world(), at(-60));
      const { phase, activityAt } = story.preview();
      expect(story.pass(down(world())).preview().activityAt).toBe(activityAt);
      expect(story.pass(down(world()), at(60)).preview().activityAt).toBe(
        activityAt,
      );
      expect(story.pass(world(), at(120)).preview()).toMatchObject({
        phase,
        activityAt,
      });
    },
  );

  it('leaves the order of a list as it was', () => {
    const iids = [7, 8, 9];
    const world = () =>
      iids.reduce(
        (built, iid) =>
          built
            .mergeRequest({ iid, sha: HEAD, updated_at: at(-iid * HOUR) })
            .application({ metadata: { name: `preview-mr-${iid}` } }),
        live(),
      );
    const story = new Story().pass(world(), at(-120));
    const order = () =>
      iids
        .map(iid => story.preview({ ...MERGE_REQUEST, iid }))
        .sort((left, right) => right.activityAt.localeCompare(left.activityAt))
        .map(({ mergeRequest }) => mergeRequest.iid);
    expect(order()).toEqual(iids);
    // It is over for the one that was changed longest ago first.
    const recovering = () =>
      cannotCompare(
        setErrs(world()).application({ metadata: { name: 'preview-mr-8' } }),
      );
    story.pass(unanswered(setErrs(cannotCompare(world()))));
    expect(order()).toEqual(iids);
    story.pass(recovering(), at(60)).pass(world(), at(120));
    expect(order()).toEqual(iids);
  });

  it('does not hide what happens meanwhile', () => {
    const story = new Story()
      .pass(live(), at(-60))
      .pass(setErrs(live()))
      .pass(setErrs(crashing()), at(60));
    expect(story.preview().activityAt).toBe(at(60));
  });
});

describe('what is read for the first time', () => {
  it('is no activity, however late its source answers', () => {
    const story = new Story()
      .pass(live().unreadCluster(), at(-60))
      .pass(live())
      .pass(live(), at(60));
    expect(story.preview()).toMatchObject({
      phase: 'Live',
      activityAt: UPDATED_AT,
    });
  });

  it('is at its own time where GitLab tells of it', () => {
    const story = new Story()
      .pass(open(), at(-60))
      .pass(open().mergeRequest({}, approved(at(-600))));
    expect(story.preview().activityAt).toBe(at(-600));
  });
});

describe('a fact that holds as before', () => {
  it('is no activity where something else tells of it', () => {
    const story = new Story().pass(withTag(live().argocdOnly()), at(-60));
    const verdicts = () =>
      (['ImageBuilt', 'Available'] as const).map(type => story.verdict(type));
    expect(verdicts()).toEqual(['True TagInRegistry', 'True Healthy']);
    story.pass(live());
    expect(verdicts()).toEqual(['True ImagePulled', 'True Available']);
    expect(story.preview().activityAt).toBe(UPDATED_AT);
  });
});

describe('the activity of a preview', () => {
  const after = (
    first: WorldBuilder,
    second: WorldBuilder,
  ): Preview['activityAt'] =>
    new Story().pass(first, at(-60)).pass(second).preview().activityAt;

  it.each([
    ['its container crashes', live, crashing],
    ['its crash is mended', crashing, live],
    ['its pipeline fails', open, () => open().mergeRequest({}, failing)],
    [
      'its Application is made',
      open,
      () => live().without(['deployments', 'pods']),
    ],
    [
      'its Application is made anew',
      live,
      () => live().application({ metadata: { uid: 'app-second' } }),
    ],
    ['it loses its label', live, () => live().mergeRequest({ labels: [] })],
    ['it gets another commit', live, () => live().mergeRequest({ sha: NEXT })],
    [
      'its approval is taken back',
      () => open().mergeRequest({}, approved(at(-600))),
      () => open().mergeRequest({}, { approvals: { approved: false } } as Json),
    ],
  ])('is when %s', (_, first, second) => {
    expect(after(first(), second())).toBe(at(0));
  });

  it('is when GitLab says that the MR was changed', () => {
    expect(after(live(), live().mergeRequest({ updated_at: at(-30) }))).toBe(
      at(-30),
    );
  });

  it('never goes back', () => {
    const story = new Story()
      .pass(live().mergeRequest({ sha: OLD }), at(-60))
      .pass(live(), at(-30))
      .pass(live().mergeRequest({ updated_at: at(-2 * HOUR) }));
    expect(story.preview().activityAt).toBe(at(-30));
  });
});
