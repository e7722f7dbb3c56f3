import { DecisionSettings } from './settings';
import { EntityFact } from '../model';
import { Story } from '../testing/Story';
import {
  at,
  MERGE_REQUEST,
  NOW,
  pipeline,
  WorldBuilder,
} from '../testing/world';

const DAY = 86_400;
const { live } = WorldBuilder;

type Settings = DecisionSettings['ttl'];

function story(ttl: Partial<Settings> = {}): Story {
  return new Story({
    settings: { ttl: { idleSeconds: 'never', warnBeforeSeconds: DAY, ...ttl } },
  });
}

/** A preview that nobody has worked on for so long. */
function idle(seconds: number, entity?: Partial<EntityFact>): WorldBuilder {
  return live()
    .mergeRequest(
      { created_at: at(-30 * DAY), updated_at: at(-seconds) },
      { pipelines: [pipeline({ created_at: at(-30 * DAY) })] },
    )
    .entity(entity);
}

const week = { timeToLive: 7 * DAY };

describe('how long an idle preview is kept', () => {
  it('is as long as its MR is open where nobody says', () => {
    const told = story().pass(idle(1000 * DAY));
    expect(told.preview()).not.toHaveProperty('ttl');
    expect(told.verdict('MergeRequestOpen')).toBe('True Opened');
  });

  it('is told with what it is counted from', () => {
    expect(story().pass(idle(DAY, week)).preview().ttl).toEqual({
      idleSince: at(-DAY),
      duration: 'P7D',
      from: 'annotation',
      expiresAt: at(6 * DAY),
      near: false,
    });
  });

  it.each<
    [string, Settings['idleSeconds'], EntityFact['timeToLive'][], string]
  >([
    ['the configuration', 2 * DAY, [undefined], 'P2D configuration'],
    ['the configuration without an entity', 2 * DAY, [], 'P2D configuration'],
    ['the annotation', 2 * DAY, [DAY], 'P1D annotation'],
    ['the annotation alone', 'never', [DAY], 'P1D annotation'],
    ['the longest of several', 'never', [DAY, 3 * DAY, 7200], 'P3D annotation'],
    [
      'the configuration, of an entity that says nothing, where that is longer',
      5 * DAY,
      [DAY, undefined],
      'P5D configuration',
    ],
    ['the annotation that it is kept', 2 * DAY, ['never'], 'never'],
    ['the one entity of two that keeps it', 2 * DAY, [DAY, 'never'], 'never'],
    ['the entity that says nothing', 'never', [DAY, undefined], 'never'],
  ])('is what is said by %s', (_, idleSeconds, entities, expected) => {
    const world = live();
    entities.forEach((timeToLive, index) =>
      world.entity({
        entityRef: `component:default/shop-${index}`,
        ...(timeToLive !== undefined && { timeToLive }),
      }),
    );
    const { ttl } = story({ idleSeconds }).pass(world).preview();
    expect(ttl ? `${ttl.duration} ${ttl.from}` : 'never').toBe(expected);
  });

  it.each<[string, (world: WorldBuilder) => WorldBuilder]>([
    [
      'an update of the MR',
      world => world.mergeRequest({ updated_at: at(-60) }),
    ],
    [
      'a pipeline that was run again',
      world =>
        world.mergeRequest(
          {},
          {
            pipelines: [pipeline({ created_at: at(-60) })],
          },
        ),
    ],
    [
      'an approval',
      world =>
        world.mergeRequest(
          {},
          { approvals: { approved: true, firstAt: at(-60) } },
        ),
    ],
  ])('is counted from %s', (_, change) => {
    const world = change(idle(6 * DAY, week));
    expect(story().pass(world).preview().ttl).toMatchObject({
      idleSince: at(-60),
      expiresAt: at(7 * DAY - 60),
      near: false,
    });
  });

  it.each<[string, (world: WorldBuilder) => WorldBuilder]>([
    ['is merged', world => world.mergeRequest({ state: 'merged' })],
    ['is closed', world => world.mergeRequest({ state: 'closed' })],
    ['has lost its label', world => world.mergeRequest({ labels: [] })],
  ])('is of no matter once the MR %s', (_, change) => {
    const told = story().pass(idle(8 * DAY, week), at(-60));
    expect(told.preview().ttl?.near).toBe(true);
    told.pass(change(idle(8 * DAY, week)));
    expect(told.preview()).not.toHaveProperty('ttl');
  });

  it('is of no matter before there is anything to keep', () => {
    const told = story().pass(WorldBuilder.open().entity(week));
    expect(told.preview()).not.toHaveProperty('ttl');
  });
});

describe('the end of a time to live', () => {
  it('is near a day before, by time alone, and the preview stays Live with a warning', () => {
    const told = story().pass(idle(6 * DAY - 60, week), NOW);
    expect(told.preview().ttl?.near).toBe(false);
    expect(told.decision().lookAgainAt).toBe(at(60));

    told.pass(idle(6 * DAY - 60, week), at(60));
    expect(told.preview()).toMatchObject({
      phase: 'Live',
      ttl: { near: true },
      reason: { type: 'MergeRequestOpen', reason: 'IdleNearEnd' },
      message:
        'Nobody has worked on the merge request since 2026-11-23 12:01 UTC; the time to live of its preview ends on 2026-11-30 12:01 UTC. A push or a comment keeps it.',
    });
    expect(told.changes()).toEqual(['MergeRequestOpen True->True']);
    expect(told.decision().lookAgainAt).toBe(at(DAY + 60));

    told.pass(idle(6 * DAY - 60, week), at(DAY + 60));
    expect(told.preview().phase).toBe('Live');
    expect(told.verdict('MergeRequestOpen')).toBe('True IdlePastEnd');
  });

  it('is not decided twice', () => {
    const told = story().pass(idle(6.5 * DAY, week));
    expect(told.pass(idle(6.5 * DAY, week), at(30)).decision().unchanged).toBe(
      true,
    );
  });

  it('is far again once somebody works on the MR', () => {
    const told = story()
      .pass(idle(6.5 * DAY, week), at(-60))
      .pass(idle(10, week));
    expect(told.preview().ttl?.near).toBe(false);
    expect(told.preview()).not.toHaveProperty('message');
    expect(told.verdict('MergeRequestOpen')).toBe('True Opened');
  });

  it.each([
    [5 * 3600, false],
    [6 * 3600, true],
  ])(
    'is near for at most half of a short time: idle for %s seconds of 12 hours',
    (seconds, near) => {
      const world = idle(seconds, { timeToLive: 12 * 3600 });
      expect(story().pass(world).preview().ttl?.near).toBe(near);
    },
  );

  it('is said of a locked MR, and not of one whose branch is gone, which is worse', () => {
    const locked = idle(6.5 * DAY, week).mergeRequest({ state: 'locked' });
    expect(story().pass(locked).verdict('MergeRequestOpen')).toBe(
      'True IdleNearEnd',
    );
    const gone = idle(6.5 * DAY, week).mergeRequest({ sha: null });
    expect(story().pass(gone).verdict('MergeRequestOpen')).toBe(
      'True SourceBranchDeleted',
    );
  });

  it('does not hide what is wrong with the preview', () => {
    const world = idle(6.5 * DAY, week).application({
      status: { health: { status: 'Degraded' } },
    });
    const broken = world
      .deployment({ status: { readyReplicas: 0, availableReplicas: 0 } })
      .replicaSet({ status: { readyReplicas: 0 } })
      .pod({
        status: {
          containerStatuses: [
            {
              name: 'app',
              ready: false,
              restartCount: 6,
              image: 'registry.example.com/group/shop:a1b2c3d4',
              state: { waiting: { reason: 'CrashLoopBackOff' } },
            },
          ],
        },
      });
    const told = story().pass(broken);
    expect(told.preview().reason?.type).toBe('Available');
    expect(told.preview().ttl?.near).toBe(true);
  });
});

describe('what is not read says nothing about idleness', () => {
  const stale = (world: WorldBuilder) =>
    world.projectReading({ state: 'failing', completeAt: NOW });

  it('is near when GitLab was read last, and stays so while it is away', () => {
    const told = story().pass(idle(6.5 * DAY, week), NOW);
    told.pass(stale(idle(6.5 * DAY, week)), at(DAY));
    expect(told.preview().ttl?.near).toBe(true);
    expect(told.condition('MergeRequestOpen')).toMatchObject({
      status: 'Unknown',
      lastKnown: { status: 'True', reason: 'IdleNearEnd' },
    });
    expect(told.changes()).toEqual([]);
  });

  it('does not become near while GitLab is away, however long', () => {
    const told = story().pass(idle(DAY, week), NOW);
    const before = told.preview().ttl;
    told.pass(stale(idle(DAY, week)), at(30 * DAY));
    expect(told.preview().ttl).toEqual(before);
    expect(told.preview().ttl?.near).toBe(false);
    expect(told.memory()).not.toHaveProperty('warnedOfEnd');
  });

  it('keeps the time to live while the catalog has not been read since the start', () => {
    const told = story().pass(idle(DAY, week), NOW);
    const world = idle(10).readAt(at(60)).build();
    told.pass(
      { ...world, catalog: { state: 'pending', entities: [] } },
      at(60),
    );
    expect(told.preview().ttl).toMatchObject({
      duration: 'P7D',
      from: 'annotation',
      idleSince: at(-10),
    });
    const fresh = story({ idleSeconds: DAY }).pass({
      ...idle(10 * DAY).build(),
      catalog: { state: 'pending', entities: [] },
    });
    expect(fresh.preview()).not.toHaveProperty('ttl');
  });

  it('stays while the cluster of its Application is not read', () => {
    const told = story()
      .pass(idle(DAY, week), at(-60))
      .pass(idle(DAY, week).unreadCluster());
    expect(told.preview().ttl?.duration).toBe('P7D');
  });
});

describe('the end that owners were warned of', () => {
  const warned = (told: Story) => told.memory(MERGE_REQUEST).warnedOfEnd;

  it('is remembered when it is near, and until another one is', () => {
    const told = story().pass(idle(5 * DAY, week), at(-120));
    expect(warned(told)).toBeUndefined();
    told.pass(idle(6.5 * DAY, week), at(-90));
    expect(warned(told)).toBe(at(DAY / 2));
    // In between it is not wanted, and back again as it was.
    told.pass(idle(6.5 * DAY, week).mergeRequest({ labels: [] }), at(-60));
    expect(warned(told)).toBe(at(DAY / 2));
    told.pass(idle(6.5 * DAY, week), at(-30));
    expect(warned(told)).toBe(at(DAY / 2));
    told.pass(idle(6.2 * DAY, week));
    expect(warned(told)).toBe(at(0.8 * DAY));
  });
});
