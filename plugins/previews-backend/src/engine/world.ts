import { ClusterReading, GitLabReading, kindNames, World } from '../model';
import { Extensions } from '../sources/FurtherSource';
import {
  CatalogSource,
  ClusterSource,
  DnsSource,
  GitLabSource,
  ReachabilitySource,
  Source,
} from '../sources/types';

/** The sources that the writer gathers from. */
export interface Sources {
  gitlab: readonly GitLabSource[];
  clusters: readonly ClusterSource[];
  catalog: CatalogSource;
  /** Zones of DNS; absent where none is read. */
  dns?: readonly DnsSource[];
  /** Undefined where no host is visited. */
  reachability?: ReachabilitySource;
  /** What modules of the backend added. */
  extensions?: Extensions;
}

export function allSources({
  gitlab,
  clusters,
  catalog,
  dns = [],
  reachability,
  extensions,
}: Sources): Source<unknown>[] {
  return [
    ...gitlab,
    ...clusters,
    catalog,
    ...dns,
    ...(reachability ? [reachability] : []),
    ...(extensions?.sources ?? []),
  ];
}

export function worldOf({
  gitlab,
  clusters,
  catalog,
  dns,
  reachability,
  extensions,
}: Sources): World {
  return {
    gitlab: gitlab.map(source => source.reading()),
    clusters: clusters.map(source => source.reading()),
    catalog: catalog.reading(),
    ...(dns && { dns: dns.map(source => source.reading()) }),
    ...(reachability && { reachability: reachability.reading() }),
    ...(extensions && {
      further: extensions.sources.map(source => source.reading()),
    }),
  };
}

/**
 * Whether every source has answered or failed once since the start. Before that
 * nothing is decided: what is stored is better than what is half read. Modules,
 * visits and DNS are not waited for.
 */
export function isSettled(world: World): boolean {
  return (
    world.clusters.every(isClusterSettled) &&
    world.gitlab.every(isGitLabSettled) &&
    world.catalog.state !== 'pending'
  );
}

function isClusterSettled({ kinds }: ClusterReading): boolean {
  return kindNames.every(
    kind => kinds[kind].state !== 'pending' || kinds[kind].error !== undefined,
  );
}

function isGitLabSettled({ projects }: GitLabReading): boolean {
  return [...projects.values()].every(
    ({ state, error }) => state !== 'pending' || error !== undefined,
  );
}
