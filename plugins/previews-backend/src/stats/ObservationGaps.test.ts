import { SourceError } from '@previews/backstage-plugin-previews-common';
import { World } from '../model';
import { HOST, WorldBuilder } from '../testing/world';
import { ObservationGaps } from './ObservationGaps';

function at(seconds: number): string {
  return new Date(
    Date.parse('2026-11-29T12:00:00.000Z') + seconds * 1000,
  ).toISOString();
}

function seen(seconds: number): World {
  return WorldBuilder.live().readAt(at(seconds)).build();
}

const error: SourceError = {
  reason: 'Unreachable',
  message: 'Down.',
  since: at(10),
};

function withPods(
  world: World,
  change: Partial<World['clusters'][number]['kinds']['pods']>,
): World {
  return {
    ...world,
    clusters: world.clusters.map(reading => ({
      ...reading,
      kinds: {
        ...reading.kinds,
        pods: { ...reading.kinds.pods, ...change },
      },
    })),
  };
}

function withoutCluster(world: World, state: 'failing' | 'forbidden'): World {
  return withPods(world, { state, error });
}

function withoutProject(world: World): World {
  return {
    ...world,
    gitlab: world.gitlab.map(reading => ({
      ...reading,
      projects: new Map(
        [...reading.projects].map(([id, project]) => [
          id,
          { ...project, state: 'failing' as const, error },
        ]),
      ),
    })),
  };
}

function gapsFrom(lastPassAt?: string): ObservationGaps {
  return new ObservationGaps({ recorded: [], lastPassAt });
}

describe('ObservationGaps', () => {
  it('are none while passes follow one another', () => {
    const gaps = gapsFrom(at(-30));
    for (const second of [0, 10, 70, 80]) {
      expect(gaps.observe(seen(second), at(second))).toEqual([]);
    }
    expect(gaps.at(at(90))).toEqual([]);
  });

  it('tell of a time in which no replica was at work', () => {
    const gaps = gapsFrom(at(-300));
    const [gap] = gaps.observe(seen(0), at(0));
    expect(gap).toEqual({ scope: '*', startedAt: at(-300), endedAt: at(0) });
    expect(gaps.at(at(10))).toEqual([gap]);
  });

  it('tell of a pause between two passes, such as that of a stopped process', () => {
    const gaps = gapsFrom();
    expect(gaps.observe(seen(0), at(0))).toEqual([]);
    expect(gaps.observe(seen(61), at(61))).toEqual([
      { scope: '*', startedAt: at(0), endedAt: at(61) },
    ]);
  });

  it.each(['failing', 'forbidden'] as const)(
    'tell of a cluster with a kind that is %s, from its failure on',
    state => {
      const gaps = gapsFrom(at(0));
      gaps.observe(withoutCluster(seen(0), state), at(20));
      gaps.observe(withoutCluster(seen(0), state), at(75));
      expect(gaps.at(at(75))).toEqual([
        {
          scope: expect.stringMatching(/^cluster:/),
          startedAt: at(10),
          endedAt: at(75),
        },
      ]);
      expect(gaps.observe(seen(90), at(90))).toEqual([
        {
          scope: expect.stringMatching(/^cluster:/),
          startedAt: at(10),
          endedAt: at(90),
        },
      ]);
    },
  );

  it('tell once of a watch that was dead without a word, when something changed meanwhile', () => {
    const missing = (seconds: number, missed: { from: string; to: string }) =>
      withPods(seen(seconds), { missed });
    const gaps = gapsFrom(at(0));
    const long = { from: at(5), to: at(305) };
    expect(gaps.observe(missing(305, long), at(30))).toEqual([
      {
        scope: expect.stringMatching(/^cluster:/),
        startedAt: at(5),
        endedAt: at(305),
      },
    ]);
    expect(gaps.observe(missing(310, long), at(40))).toEqual([]);
    const short = { from: at(310), to: at(340) };
    expect(gaps.observe(missing(340, short), at(50))).toEqual([]);
  });

  it('tell of a project from its last reading on', () => {
    const gaps = gapsFrom(at(0));
    gaps.observe(withoutProject(seen(5)), at(50));
    const [gap] = gaps.observe(seen(70), at(70));
    expect(gap).toMatchObject({ startedAt: at(5), endedAt: at(70) });
    expect(gap.scope).toMatch(`gitlab:${HOST}/`);
  });

  it('tell of a cluster that is not read yet after a restart, from the writer before on', () => {
    const unread = WorldBuilder.live().unreadCluster().build();
    const gaps = gapsFrom(at(-10));
    expect(gaps.observe(unread, at(0))).toEqual([]);
    expect(gaps.observe(unread, at(55))).toEqual([]);
    expect(gaps.observe(seen(70), at(70))).toContainEqual({
      scope: expect.stringMatching(/^cluster:/),
      startedAt: at(-10),
      endedAt: at(70),
    });
  });

  it('tell nothing of a kind that was never allowed', () => {
    const forbidden = withoutCluster(seen(0), 'forbidden');
    const [reading] = forbidden.clusters;
    const { pods } = reading.kinds;
    const world = {
      ...forbidden,
      clusters: [
        {
          ...reading,
          kinds: { ...reading.kinds, pods: { ...pods, completeAt: undefined } },
        },
      ],
    };
    const gaps = gapsFrom(at(-10));
    [0, 50, 100].forEach(second => gaps.observe(world, at(second)));
    expect(gaps.at(at(100))).toEqual([]);
  });

  it('leave out what was read again within a minute', () => {
    const gaps = gapsFrom(at(0));
    gaps.observe(withoutCluster(seen(0), 'failing'), at(20));
    expect(gaps.observe(seen(60), at(60))).toEqual([]);
  });

  it('forget what is too old to matter', () => {
    const gaps = gapsFrom(at(-300));
    gaps.observe(seen(0), at(0));
    gaps.forgetBefore(at(1));
    expect(gaps.at(at(10))).toEqual([]);
  });
});
