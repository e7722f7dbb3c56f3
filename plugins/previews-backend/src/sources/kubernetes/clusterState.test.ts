import { SourceError } from '@previews/backstage-plugin-previews-common';
import { ClusterReading, kindNames, KindReading } from '../../model';
import { clusterState, unsupportedClusterState } from './clusterState';

const now = new Date('2026-03-01T12:00:00.000Z');
const minutesAgo = (minutes: number) =>
  new Date(now.getTime() - minutes * 60_000).toISOString();
const error = (reason: SourceError['reason'], minutes = 1): SourceError => ({
  reason,
  subject: 'pods',
  message: 'm',
  since: minutesAgo(minutes),
});

type Reading = Omit<KindReading<never>, 'objects'>;
const ready: Reading = { state: 'ready', completeAt: minutesAgo(1) };

function state(
  kinds: Partial<Record<(typeof kindNames)[number], Reading>>,
  options: { others?: Reading; connectionError?: SourceError } = {},
) {
  const { others = ready, connectionError } = options;
  const reading = {
    sourceId: 'cluster:staging',
    cluster: 'staging',
    destinations: [],
    kinds: Object.fromEntries(
      kindNames.map(name => [
        name,
        { ...(kinds[name] ?? others), objects: new Map() },
      ]),
    ),
  } as unknown as ClusterReading;
  return clusterState({
    reading,
    connectionError,
    staleAfterMilliseconds: 600_000,
    now,
  });
}

describe('clusterState', () => {
  const pending: Reading = { state: 'pending' };
  const forbidden: Reading = { state: 'forbidden', error: error('Forbidden') };

  it.each<[string, string, ReturnType<typeof state>]>([
    ['fresh', 'all kinds are read', state({})],
    ['pending', 'nothing was read', state({}, { others: pending })],
    ['pending', 'one kind was not read', state({ pods: pending })],
    [
      'stale',
      'one kind was heard of too long ago',
      state({ pods: { ...ready, completeAt: minutesAgo(11) } }),
    ],
    [
      'failing',
      'one kind failed just now',
      state({
        pods: {
          state: 'failing',
          completeAt: minutesAgo(1),
          error: error('ServerError'),
        },
      }),
    ],
    [
      'stale',
      'one kind failed for too long',
      state({
        pods: {
          state: 'failing',
          completeAt: minutesAgo(11),
          error: error('ServerError'),
        },
      }),
    ],
    ['fresh', 'one kind is forbidden', state({ pods: forbidden })],
    ['failing', 'every kind is forbidden', state({}, { others: forbidden })],
    [
      'fresh',
      'one kind is not installed for long',
      state({
        gateways: { state: 'notInstalled', completeAt: minutesAgo(60) },
      }),
    ],
    [
      'failing',
      'there is no way to it',
      state({}, { others: pending, connectionError: error('NotConfigured') }),
    ],
  ])('is %s when %s', (status, _, actual) => {
    expect(actual.status).toBe(status);
  });

  it('tells once that the whole cluster cannot be reached, since the first time', () => {
    const failing = (minutes: number): Reading => ({
      state: 'failing',
      completeAt: minutesAgo(5),
      error: error('Unreachable', minutes),
    });
    expect(state({ pods: failing(3) }, { others: failing(1) }).errors).toEqual([
      { reason: 'Unreachable', message: 'm', since: minutesAgo(3) },
    ]);
  });

  it('tells of a cluster that cannot be used as it is configured', () => {
    expect(
      unsupportedClusterState(
        { name: 'gke', message: 'do this' },
        { since: now },
      ),
    ).toEqual({
      id: 'cluster:gke',
      kind: 'cluster',
      name: 'gke',
      status: 'failing',
      errors: [
        {
          reason: 'NotConfigured',
          message: 'do this',
          since: now.toISOString(),
        },
      ],
      notes: [],
    });
  });
});
