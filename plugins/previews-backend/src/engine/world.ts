import { ClusterReading, GitLabReading, kindNames, World } from '../model';
import { Extensions } from '../sources/FurtherSource';
import {
  CatalogSource,
  ClusterSource,
  DnsSource,
  GitLabSource,
  ReachabilitySource,
  Source,
  TokenSource,
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
  /** Undefined where no token is named for checking. */
  tokens?: TokenSource;
  /** What modules of the backend added. */
  extensions?: Extensions;
}

export function allSources({
  gitlab,
  clusters,
  catalog,
  dns = [],
  reachability,
  tokens,
  extensions,
}: Sources): Source<unknown>[] {
  return [
    ...gitlab,
    ...clusters,
    catalog,
    ...dns,
    ...(reachability ? [reachability] : []),
    ...(tokens ? [tokens] : []),
    ...(extensions?.sources ?? []),
  ];
}

export function worldOf({
  gitlab,
  clusters,
  catalog,
  dns,
  reachability,
  tokens,
  extensions,
}: Sources): World {
  return {
    gitlab: gitlab.map(source => source.reading()),
    clusters: clusters.map(source => source.reading()),
    catalog: catalog.reading(),
    ...(dns && { dns: dns.map(source => source.reading()) }),
    ...(reachability && { reachability: reachability.reading() }),
    ...(tokens && { tokens: tokens.readings() }),
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
  return isDirectable(world) && world.gitlab.every(isGitLabSettled);
}

/** Whether what GitLab is to read can be told: by the sets and by the catalog. */
export function isDirectable(world: World): boolean {
  return (
    world.clusters.every(isClusterSettled) && world.catalog.state !== 'pending'
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
