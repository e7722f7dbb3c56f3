import {
  Preview,
  SourceState,
} from '@previews/backstage-plugin-previews-common';

/** Ids of the sources that the facts of these previews come from. */
export function sourceIdsOf(previews: readonly Preview[]): Set<string> {
  const ids = new Set<string>();
  // Where an Application was read from is a cluster or an Argo CD; no two of
  // them have the same name.
  const addByName = (name: string) =>
    ids.add(`cluster:${name}`).add(`argocd:${name}`);
  for (const preview of previews) {
    ids.add(`gitlab:${preview.mergeRequest.host}`);
    for (const source of preview.stale) {
      ids.add(source);
    }
    for (const { cluster, destination } of preview.applications) {
      addByName(cluster);
      if (destination.cluster) {
        addByName(destination.cluster);
      }
    }
    for (const { cluster } of preview.namespaces) {
      addByName(cluster);
    }
  }
  return ids;
}

/**
 * States of some sources as anyone may see them who sees one of their previews.
 * An error of GitLab may name a project that the caller cannot see, and notes are
 * about the portal's own tokens: both stay on the platform's page.
 */
export function narrowSources(
  states: readonly SourceState[],
  options: { ids: ReadonlySet<string>; projects: ReadonlySet<string> },
): SourceState[] {
  return states
    .filter(state => options.ids.has(state.id))
    .map(state => ({
      ...state,
      notes: [],
      errors: state.errors.filter(
        ({ subject }) =>
          state.kind !== 'gitlab' ||
          subject === undefined ||
          options.projects.has(subject),
      ),
    }));
}
