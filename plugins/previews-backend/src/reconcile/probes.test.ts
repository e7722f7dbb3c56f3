import { ProbeTarget, StoredPreview } from '../model';
import { Story } from '../testing/Story';
import {
  at,
  HEAD,
  NOW,
  OLD,
  podStatus,
  podTemplate,
  WorldBuilder,
} from '../testing/world';
import { DecisionCache } from './decisionCache';
import { decideAll } from './pass';
import { mergedTargets } from './probes';
import { defaultSettings } from './settings';

const HOST = 'mr-7.preview.example.com';
const visiting = () => WorldBuilder.live().visiting('preview.example.com');
const answered = { kind: 'answered', status: 200 } as const;
const certificate = {
  names: [HOST],
  issuer: 'R11',
  chain: ['R11'],
  notBefore: at(-3600),
  notAfter: at(3600),
  namesHost: true,
  trusted: true,
};

const crashing = () =>
  visiting()
    .deployment({ status: { readyReplicas: 0, availableReplicas: 0 } })
    .replicaSet({ status: { readyReplicas: 0 } })
    .pod(podStatus({ state: { waiting: { reason: 'CrashLoopBackOff' } } }));

function demandOf(story: Story): readonly ProbeTarget[] {
  return story.result!.demand.probes;
}

describe('which hosts are visited', () => {
  it.each<[string, () => WorldBuilder, string[]]>([
    ['the hosts of a preview that serves', visiting, [HOST]],
    ['none where nothing is visited', WorldBuilder.live, []],
    [
      'none outside of the domains',
      () => WorldBuilder.live().visiting('example.org'),
      [],
    ],
    ['none of a preview that does not serve', crashing, []],
    [
      'none of a preview that no set wants',
      () => visiting().mergeRequest({ labels: [] }),
      [],
    ],
    [
      'none without TLS',
      () =>
        visiting().gateway({
          spec: { listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
        }),
      [],
    ],
    [
      'none that are wildcards, addresses or no names',
      () =>
        visiting().httpRoute({
          spec: {
            hostnames: [
              '*.preview.example.com',
              '127.0.0.1',
              'a b.preview.example.com',
              `${'a'.repeat(64)}.preview.example.com`,
              'user@preview.example.com',
            ],
          },
        }),
      [],
    ],
    [
      'at most five of one preview',
      () =>
        visiting().httpRoute({
          spec: {
            hostnames: Array.from(
              { length: 16 },
              (_, index) => `h${index}.preview.example.com`,
            ),
          },
        }),
      [0, 1, 2, 3, 4].map(index => `h${index}.preview.example.com`),
    ],
  ])('%s', (_, world, expected) => {
    const story = new Story().pass(world());
    expect(demandOf(story).map(({ host }) => host)).toEqual(expected);
  });

  it('is asked for in other words once what leads to the host has changed', () => {
    const story = new Story().pass(visiting(), at(-120));
    const [{ state }] = demandOf(story);
    expect(demandOf(story.pass(visiting(), at(-60)))).toEqual([
      { host: HOST, state },
    ]);
    const [changed] = demandOf(
      story.pass(visiting().without('certificates'), NOW),
    );
    expect(changed.state).not.toBe(state);
  });

  it('is asked for in other words when another commit runs', () => {
    const story = new Story().pass(visiting(), at(-60));
    const [{ state }] = demandOf(story);
    const [changed] = demandOf(
      story.pass(visiting().pod(podTemplate(OLD)), NOW),
    );
    expect(state).toContain(HEAD.slice(0, 7));
    expect(changed.state).not.toBe(state);
  });

  it('is asked for once by previews that share a host', () => {
    expect(
      mergedTargets([
        { host: 'a', state: '1' },
        { host: 'b', state: '2' },
        { host: 'a', state: '3' },
      ]),
    ).toEqual([
      { host: 'a', state: '1; 3' },
      { host: 'b', state: '2' },
    ]);
  });
});

describe('what visits mean for a preview', () => {
  const broken = () => visiting().visited({ kind: 'answered', status: 502 });

  it('leaves it live, with a warning in its row', () => {
    const { phase, message } = new Story().pass(broken()).preview();
    expect(phase).toBe('Live');
    expect(message).toBe(
      `${HOST} answers the portal with 502; read the logs of the service.`,
    );
  });

  it('says nothing in the row of what is reachable or unknown', () => {
    for (const world of [
      visiting(),
      visiting().visited(answered),
      visiting().visited({ kind: 'notAllowed', address: '10.0.0.1' }),
    ]) {
      const { phase, reason } = new Story().pass(world).preview();
      expect([phase, reason]).toEqual(['Live', undefined]);
    }
  });

  it('does not hide what holds the preview up', () => {
    const { reason } = new Story()
      .pass(broken().certificate({ status: { conditions: [] } }))
      .preview();
    expect(reason?.type).toBe('CertificateReady');
  });

  it('is a transition when it changes, and none when nothing is known of it', () => {
    const story = new Story().pass(visiting().visited(answered), at(-180));
    story.pass(broken(), at(-120));
    expect(story.changes()).toContain('Reachable True->False');
    story.pass(visiting(), at(-60));
    expect(story.changes()).toEqual([]);
    expect(story.condition('Reachable')).toMatchObject({
      status: 'Unknown',
      lastKnown: { status: 'False', reason: 'Http5xx' },
    });
    story.pass(broken(), NOW);
    expect(story.changes()).toEqual([]);
  });
});

describe('what is shown of visits', () => {
  const seen = (milliseconds: number) =>
    visiting().visited(answered, { milliseconds, certificate });

  it('is what was found, host by host', () => {
    expect(new Story().pass(seen(42)).preview().probes).toEqual([
      {
        host: HOST,
        observedAt: NOW,
        status: 'True',
        reason: 'Answered',
        params: { host: HOST, status: 200 },
        message: `${HOST} answers the portal with 200.`,
        milliseconds: 42,
        certificate,
      },
    ]);
  });

  it('stays over a take-over until the host is visited again', () => {
    const story = new Story().pass(seen(42), at(-60)).pass(visiting(), NOW);
    expect(story.preview().probes).toEqual([
      expect.objectContaining({ host: HOST, milliseconds: 42 }),
    ]);
  });

  it('is nothing where nothing is visited any more', () => {
    const story = new Story().pass(seen(42), at(-60));
    expect(story.pass(WorldBuilder.live(), NOW).preview().probes).toBe(
      undefined,
    );
  });

  it('is not written anew for the time that a visit took, and not decided anew', () => {
    const stored = new Map<string, StoredPreview>();
    const cache = new DecisionCache();
    const found = jest.spyOn(cache, 'find');
    const written = [seen(42), seen(42), seen(900)].map((world, index) => {
      const now = at(index * 5);
      const { decisions } = decideAll({
        world: world.readAt(now).build(),
        stored,
        settings: defaultSettings,
        isClaimAllowed: () => true,
        cache,
        now,
      });
      return [...decisions].filter(([id, { change, unchanged }]) => {
        if (!unchanged) {
          stored.set(id, change.stored);
        }
        return !unchanged;
      }).length;
    });
    expect(written).toEqual([1, 0, 0]);
    expect(found.mock.results.at(-1)?.value).toBeDefined();
  });
});
