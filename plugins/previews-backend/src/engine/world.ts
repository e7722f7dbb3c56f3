import { ClusterReading, GitLabReading, kindNames, World } from '../model';
import { Demand, pathsOf } from '../reconcile';
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
 *
 * @param projects - those to be read, by host; absent while that is not known.
 */
export function isSettled(
  world: World,
  projects?: Demand['projects'],
): boolean {
  return (
    isDirectable(world) &&
    world.gitlab.every(
      reading =>
        isGitLabSettled(reading) &&
        areAnswered(reading, projects?.get(reading.host) ?? []),
    )
  );
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

/** What a reference means is known, which a path alone does not tell: its project may have moved. */
function areAnswered(
  { projects, unreadable }: GitLabReading,
  references: readonly ({ id: number } | { path: string })[],
): boolean {
  const answered = new Set([
    ...[...projects.values()].flatMap(({ fact }) => [
      String(fact.id),
      ...pathsOf(fact),
    ]),
    ...unreadable.map(({ reference }) => reference.toLowerCase()),
  ]);
  return references.every(reference =>
    answered.has(
      'id' in reference ? String(reference.id) : reference.path.toLowerCase(),
    ),
  );
}

function isGitLabSettled({ projects }: GitLabReading): boolean {
  return [...projects.values()].every(
    ({ state, error }) => state !== 'pending' || error !== undefined,
  );
}
