import {
  HOST,
  NOW,
  WorldBuilder,
} from '../../plugins/previews-backend/src/testing/world';
import {
  EntityFact,
  kindNames,
  MergeRequestReading,
  ProjectReading,
  World,
} from '../../plugins/previews-backend/src/model';

const MERGE_REQUESTS_PER_PROJECT = 10;

/** A copy of facts in which texts are replaced, as another project or MR has them. */
function renamed<T>(facts: T, names: Record<string, string>): T {
  const text = Object.entries(names).reduce(
    (json, [from, to]) => json.replaceAll(from, to),
    JSON.stringify(facts),
  );
  return JSON.parse(text);
}

/**
 * An organisation with so many live previews: ten a project unless told, a set a project, and
 * for each an Application, a namespace, a Deployment with its ReplicaSet and Pod, a
 * Certificate and a route.
 */
export function organisation(
  size: number,
  options: { mergeRequestsPerProject?: number } = {},
): World {
  const { mergeRequestsPerProject = MERGE_REQUESTS_PER_PROJECT } = options;
  const one = WorldBuilder.live().entity().readAt(NOW).build();
  const [gitlab] = one.gitlab;
  const [cluster] = one.clusters;
  const [project] = gitlab.projects.values();
  const [mergeRequest] = project.mergeRequests.values();
  const projects = new Map<number, ProjectReading>();
  const entities: EntityFact[] = [];
  const objects = Object.fromEntries(
    kindNames.map(kind => [kind, new Map<string, unknown>()]),
  );

  for (let made = 0; made < size; ) {
    const id = 1000 + projects.size;
    const ofProject = {
      shop: `service-${id}`,
      '"42"': `"${id}"`,
      'preview-mr-': `preview-mr-${id}-`,
    };
    const [set] = cluster.kinds.applicationSets.objects.values();
    objects.applicationSets.set(
      `argocd/service-${id}-previews`,
      renamed(set, ofProject),
    );
    const mergeRequests = new Map<number, MergeRequestReading>();
    for (
      let iid = 1;
      iid <= mergeRequestsPerProject && made < size;
      iid += 1, made += 1
    ) {
      const reading = renamed(mergeRequest, ofProject);
      reading.fact.key = { host: HOST, projectId: id, iid };
      mergeRequests.set(iid, reading);
      const own = {
        'preview-mr-7': `preview-mr-${id}-${iid}`,
        'mr-7.': `mr-${id}-${iid}.`,
        shop: `service-${id}`,
        'service-': `service-`,
        '"app-': `"app-${iid}-`,
        '"rs-': `"rs-${id}-${iid}-`,
        '"deployment-': `"deployment-${id}-${iid}-`,
      };
      for (const kind of kindNames.filter(name => name !== 'applicationSets')) {
        for (const [key, object] of cluster.kinds[kind].objects) {
          objects[kind].set(
            key
              .replaceAll('preview-mr-7', `preview-mr-${id}-${iid}`)
              .replaceAll('shop', `service-${id}`),
            renamed(object, own),
          );
        }
      }
    }
    projects.set(id, {
      ...project,
      fact: { ...renamed(project.fact, ofProject), id },
      mergeRequests,
    });
    entities.push({
      ...one.catalog.entities[0],
      entityRef: `component:default/service-${id}`,
      project: { host: HOST, path: `group/service-${id}` },
    });
  }

  const kinds = Object.fromEntries(
    kindNames.map(kind => [
      kind,
      { ...cluster.kinds[kind], objects: objects[kind] },
    ]),
  ) as unknown as typeof cluster.kinds;
  return {
    ...one,
    gitlab: [{ ...gitlab, projects }],
    clusters: [{ ...cluster, kinds }],
    catalog: { ...one.catalog, entities },
  };
}
