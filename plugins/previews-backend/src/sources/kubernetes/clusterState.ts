import {
  SourceError,
  SourceState,
} from '@previews/backstage-plugin-previews-common';
import { UnsupportedClusterConfig } from '../../config';
import { ClusterReading, kindNames } from '../../model';
import { kindDefinitions } from '../objects';
import { readingState } from '../readingState';

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
  const { reading } = input;
  const { status, lastCompleteAt, errors } = readingState({
    ...input,
    kinds: kindNames.map(name => reading.kinds[name]),
  });
  const notInstalled = kindNames
    .filter(name => reading.kinds[name].state === 'notInstalled')
    .map(
      name => `${kindDefinitions[name].plural}.${kindDefinitions[name].group}`,
    );
  return {
    id: reading.sourceId,
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
