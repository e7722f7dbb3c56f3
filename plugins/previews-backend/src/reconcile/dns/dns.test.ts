import { decideAll, decideChanged } from '..';
import { defaultSettings } from '../settings';
import { Story } from '../../testing/Story';
import {
  at,
  DNS_DOMAIN,
  Json,
  MERGE_REQUEST,
  OLD,
  ownershipRecord,
  WorldBuilder,
} from '../../testing/world';

const MINUTE = 60;
const HOUR = 3600;

const key = (iid: number) => ({ ...MERGE_REQUEST, iid });
const host = (iid: number) => `mr-${iid}.${DNS_DOMAIN}`;

/** Everything of one more MR beside !7, which has what the builder gives it. */
function withMergeRequest(world: WorldBuilder, iid: number): WorldBuilder {
  const name = `preview-mr-${iid}`;
  return world
    .mergeRequest({ iid, sha: OLD })
    .application({ metadata: { name } })
    .namespace({ metadata: { name } })
    .httpRoute({
      metadata: { name: `shop-${iid}`, namespace: name },
      spec: { hostnames: [host(iid)] },
    });
}

/** The MR is closed and all in the cluster is gone. */
function withoutMergeRequest(world: WorldBuilder, iid: number): WorldBuilder {
  const name = `preview-mr-${iid}`;
  world
    .mergeRequest({ iid, state: 'closed', closed_at: at(-HOUR) })
    .without(['applications', 'namespaces'], name)
    .without('httpRoutes', iid === 7 ? 'shop' : `shop-${iid}`);
  return iid === 7 ? world.without('certificates') : world;
}

const three = () =>
  withMergeRequest(withMergeRequest(WorldBuilder.live(), 8), 9);

/** !7 and !9 closed and gone, !8 open. */
const oneLeft = () => withoutMergeRequest(withoutMergeRequest(three(), 7), 9);

/** Of !7 an alias that nobody owns, of !8 all in order, of !9 a challenge. */
const ZONE: (string | Json)[] = [
  `A \\052.${DNS_DOMAIN}`,
  `A ${host(7)}`,
  `A ${host(8)}`,
  ownershipRecord(`a-${host(8)}`, { resource: 'httproute/preview-mr-8/shop' }),
  `TXT _acme-challenge.${host(9)}`,
];

/** Passes every few minutes over the same world. */
function pass(story: Story, world: () => WorldBuilder, minutes: number[]) {
  minutes.forEach(minute => story.pass(world(), at(minute * MINUTE)));
  return story;
}

describe('records that remain after the preview is gone', () => {
  const told = () => {
    const story = new Story().pass(three().dnsZone(ZONE), at(-HOUR));
    return pass(story, () => oneLeft().dnsZone(ZONE), [0, 5, 20]);
  };

  it('are told by name, with why nothing removes them', () => {
    const story = told();
    expect(story.condition('CleanedUp', key(7))).toMatchObject({
      status: 'False',
      reason: 'DnsRecordLeft',
      params: { unowned: [`A ${host(7)}`] },
    });
    expect(story.condition('CleanedUp', key(9))?.params).toEqual({
      unowned: [`TXT _acme-challenge.${host(9)}`],
    });
  });

  it('make orphans of their previews past the grace, and of no other', () => {
    const story = told();
    expect([7, 8, 9].map(iid => story.preview(key(iid)).phase)).toEqual([
      'Orphaned',
      'Deploying',
      'Orphaned',
    ]);
    expect(story.preview(key(7)).message).toMatch(
      /^Records are left in DNS: A mr-7\.preview\.example\.com /,
    );
  });

  it('are nothing to a preview whose MR is open', () => {
    expect(told().condition('CleanedUp', key(8))).toBeUndefined();
  });

  it('end the preview once they are gone, and are forgotten then', () => {
    const story = told().pass(oneLeft().dnsZone(), at(25 * MINUTE));
    expect(story.preview(key(7)).phase).toBe('Gone');
    expect(story.memory(key(7)).hosts).toBeUndefined();
    expect(story.memory(key(7)).onlyDnsSince).toBeUndefined();
    story.pass(oneLeft().dnsZone(ZONE), at(30 * MINUTE));
    expect(story.preview(key(7)).phase).toBe('Gone');
  });

  it('are waited for before they are told, without a word in the timeline more than that', () => {
    const story = new Story()
      .pass(three().dnsZone(ZONE), at(-HOUR))
      .pass(oneLeft().dnsZone(ZONE), at(0));
    expect(story.verdict('CleanedUp', key(7))).toBe('False DnsRecordsLeaving');
    expect(story.preview(key(7)).phase).toBe('TearingDown');
    expect(story.result!.demand.isDnsAwaited).toBe(true);
    story.pass(oneLeft().dnsZone(ZONE), at(MINUTE));
    expect(story.changes(key(7))).toEqual([]);
  });
});

describe('what DNS says of a preview that is gone', () => {
  const gone = () => withoutMergeRequest(WorldBuilder.live(), 7);
  const zone = [`A ${host(7)}`];

  it('is asked of nobody while no zone is configured', () => {
    const story = new Story()
      .pass(WorldBuilder.live(), at(-HOUR))
      .pass(gone(), at(0));
    expect(story.preview().phase).toBe('Gone');
    expect(story.memory().hosts).toBeUndefined();
    expect(story.result!.demand.isDnsAwaited).toBe(false);
  });

  it('is kept through an outage, and begins no new time of grace after it', () => {
    const away = {
      reading: {
        state: 'failing' as const,
        completeAt: at(10 * MINUTE),
        error: {
          reason: 'Forbidden' as const,
          message: 'AWS does not allow it.',
          since: at(15 * MINUTE),
        },
      },
    };
    const story = new Story().pass(
      WorldBuilder.live().dnsZone(zone),
      at(-HOUR),
    );
    pass(story, () => gone().dnsZone(zone), [0, 10]);
    expect(story.verdict('CleanedUp')).toBe('False DnsRecordLeft');
    const since = story.condition('CleanedUp')?.since;
    story.pass(gone().dnsZone(zone, away), at(40 * MINUTE));
    expect(story.condition('CleanedUp')).toMatchObject({
      status: 'Unknown',
      reason: 'SourceUnavailable',
      lastKnown: { status: 'False', reason: 'DnsRecordLeft' },
    });
    expect(story.preview()).toMatchObject({
      phase: 'TearingDown',
      stale: [`dns:${DNS_DOMAIN}`],
    });
    expect(story.changes()).toEqual([]);
    story.pass(gone().dnsZone(zone), at(45 * MINUTE));
    expect(story.condition('CleanedUp')).toMatchObject({
      status: 'False',
      reason: 'DnsRecordLeft',
      since,
    });
  });

  it('is not concluded by a writer that has not read the zone yet', () => {
    const unread = {
      reading: {
        state: 'pending' as const,
        completeAt: undefined,
        domain: undefined,
        records: new Map(),
      },
    };
    const story = new Story().pass(
      WorldBuilder.live().dnsZone(zone),
      at(-HOUR),
    );
    pass(story, () => gone().dnsZone([], unread), [0, 600]);
    expect(story.verdict('CleanedUp')).toBe('Unknown NotReadYet');
    expect(story.preview().phase).toBe('TearingDown');
  });

  it('is not of it while another preview has the host', () => {
    const both = (world: WorldBuilder) =>
      withMergeRequest(world, 8).httpRoute({
        metadata: { name: 'shop-8', namespace: 'preview-mr-8' },
        spec: { hostnames: [host(7)] },
      });
    const story = new Story().pass(
      both(WorldBuilder.live()).dnsZone(zone),
      at(-HOUR),
    );
    // The other one's route is made anew just now.
    const world = () => both(gone()).without('httpRoutes').dnsZone(zone);
    pass(story, world, [0, 10]);
    expect(story.verdict('CleanedUp')).toBe('True NothingLeft');
  });

  it('asks the longest zone that the host lies in', () => {
    const zones = (world: WorldBuilder) =>
      world
        .dnsZone([], { domain: DNS_DOMAIN })
        .dnsZone(zone, { domain: 'example.com' });
    const story = new Story().pass(zones(WorldBuilder.live()), at(-HOUR));
    pass(story, () => zones(gone()), [0, 10]);
    expect(story.verdict('CleanedUp')).toBe('True NothingLeft');
  });

  it('hears of hosts that it named at any time, up to twenty', () => {
    const story = new Story();
    for (let number = 0; number < 25; number += 1) {
      const world = WorldBuilder.live()
        .without('certificates')
        .httpRoute({ spec: { hostnames: [`h${number}.${DNS_DOMAIN}`] } });
      story.pass(world.dnsZone(), at(number));
    }
    const { hosts } = story.memory();
    expect(hosts).toHaveLength(20);
    expect(hosts?.[0]).toBe(`h24.${DNS_DOMAIN}`);
    pass(story, () => gone().dnsZone([`A h10.${DNS_DOMAIN}`]), [10, 20]);
    expect(story.condition('CleanedUp')?.params).toEqual({
      unowned: [`A h10.${DNS_DOMAIN}`],
    });
  });
});

describe('a pass over changes', () => {
  it('leaves records alone whose host another route has taken just now', () => {
    const zone = [`A ${host(7)}`];
    const gone = () => withoutMergeRequest(WorldBuilder.live(), 7);
    const story = new Story().pass(
      WorldBuilder.live().dnsZone(zone),
      at(-HOUR),
    );
    pass(story, () => gone().dnsZone(zone), [0, 4]);
    const stored = new Map(
      [...story.result!.decisions].map(([id, { change }]) => [
        id,
        change.stored,
      ]),
    );
    const now = at(6 * MINUTE);
    const deciding = { stored, settings: defaultSettings, now };
    const { basis } = decideAll({
      ...deciding,
      world: gone().dnsZone(zone).readAt(now).build(),
      isClaimAllowed: () => true,
    });
    const taken = gone()
      .httpRoute({ metadata: { name: 'other', namespace: 'other' } })
      .readAt(now)
      .build();
    const result = decideChanged({
      ...deciding,
      basis,
      changes: {
        objects: [
          {
            cluster: taken.clusters[0].cluster,
            kind: 'httpRoutes',
            keys: new Set(['other/other']),
            reading: taken.clusters[0].kinds.httpRoutes,
          },
        ],
        projects: [],
        previews: [MERGE_REQUEST],
      },
    });
    const [decision] = [...result!.decisions.values()];
    expect(decision.change.stored.preview.phase).toBe('Gone');
  });
});
