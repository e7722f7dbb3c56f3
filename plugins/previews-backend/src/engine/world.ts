import { ClusterReading, GitLabReading, kindNames, World } from '../model';
import { Extensions } from '../sources/FurtherSource';
import {
  CatalogSource,
  ClusterSource,
  GitLabSource,
  Source,
} from '../sources/types';

/** The sources that the writer gathers from. */
export interface Sources {
  gitlab: readonly GitLabSource[];
  clusters: readonly ClusterSource[];
  catalog: CatalogSource;
  /** What modules of the backend added. */
  extensions?: Extensions;
}

export function allSources({
  gitlab,
  clusters,
  catalog,
  extensions,
}: Sources): Source<unknown>[] {
  return [...gitlab, ...clusters, catalog, ...(extensions?.sources ?? [])];
}

export function worldOf({
  gitlab,
  clusters,
  catalog,
  extensions,
}: Sources): World {
  return {
    gitlab: gitlab.map(source => source.reading()),
    clusters: clusters.map(source => source.reading()),
    catalog: catalog.reading(),
    ...(extensions && {
      further: extensions.sources.map(source => source.reading()),
    }),
  };
}

/**
 * Whether every source has answered or failed once since the start. Before that
 * nothing is decided: what is stored is better than what is half read. Modules are
 * not waited for.
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
