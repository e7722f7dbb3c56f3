import {
  SourceError,
  SourceState,
  SourceStatus,
} from '@previews/backstage-plugin-previews-common';
import { UnsupportedClusterConfig } from '../../config';
import { ClusterReading, kindNames } from '../../model';
import { kindDefinitions } from '../objects';

/** Reasons that concern the whole cluster; others concern one kind. */
const OF_CLUSTER = [
  'Unreachable',
  'TimedOut',
  'TokenInvalid',
  'RateLimited',
  'NotConfigured',
];

function mergeErrors(errors: readonly SourceError[]): SourceError[] {
  const merged = new Map<string, SourceError>();
  for (const error of errors) {
    if (OF_CLUSTER.includes(error.reason)) {
      const { subject: _, ...rest } = error;
      const earlier = merged.get(error.reason);
      if (!earlier || error.since < earlier.since) {
        merged.set(error.reason, rest);
      }
    } else {
      merged.set(`${error.reason} ${error.subject}`, error);
    }
  }
  return [...merged.values()];
}

/**
 * Freshness of a cluster: that of the kind that was known completely the longest
 * ago. Forbidden and missing kinds degrade only what needs them.
 */
export function clusterState(input: {
  reading: ClusterReading;
  /** Of the way to the cluster, before any kind could be read. */
  connectionError?: SourceError;
  staleAfterMilliseconds: number;
  now: Date;
}): SourceState {
  const { reading, now } = input;
  const kinds = kindNames.map(name => reading.kinds[name]);
  const counted = kinds.filter(({ state }) => state !== 'forbidden');
  const errors = mergeErrors([
    ...(input.connectionError ? [input.connectionError] : []),
    ...kinds.flatMap(({ error }) => error ?? []),
  ]);
  const lastCompleteAt = counted
    // That a kind is not there stays true between the rechecks.
    .filter(({ state }) => state !== 'notInstalled')
    .flatMap(({ completeAt }) => completeAt ?? [])
    .sort()[0];
  const isAnyPending = counted.some(({ state }) => state === 'pending');
  const isFailing =
    counted.length === 0 ||
    input.connectionError !== undefined ||
    counted.some(({ error }) => error !== undefined);
  let status: SourceStatus;
  if (!lastCompleteAt) {
    status = isFailing ? 'failing' : 'pending';
  } else if (
    now.getTime() - Date.parse(lastCompleteAt) >
    input.staleAfterMilliseconds
  ) {
    status = 'stale';
  } else if (isFailing) {
    status = 'failing';
  } else {
    status = isAnyPending ? 'pending' : 'fresh';
  }
  const notInstalled = kindNames
    .filter(name => reading.kinds[name].state === 'notInstalled')
    .map(
      name => `${kindDefinitions[name].plural}.${kindDefinitions[name].group}`,
    );
  return {
    id: `cluster:${reading.cluster}`,
    kind: 'cluster',
    name: reading.cluster,
    status,
    ...(lastCompleteAt && { lastCompleteAt }),
    errors,
    notes: [],
    ...(notInstalled.length > 0 && { notInstalled }),
  };
}

/** State of a cluster that is configured in a way that cannot be used. */
export function unsupportedClusterState(
  cluster: UnsupportedClusterConfig,
  options: { since: Date },
): SourceState {
  return {
    id: `cluster:${cluster.name}`,
    kind: 'cluster',
    name: cluster.name,
    status: 'failing',
    errors: [
      {
        reason: 'NotConfigured',
        message: cluster.message,
        since: options.since.toISOString(),
      },
    ],
    notes: [],
  };
}
