import { KindName, MergeRequestKey } from '../model';
import { keyString, WorldChanges } from '../reconcile';
import {
  ClusterSource,
  GitLabSource,
  HostsChange,
  ObjectsChange,
  ProjectsChange,
  ReachabilitySource,
} from '../sources/types';

/**
 * Where the sources said to look since the last pass. A hint says where and never
 * what: the facts are read when the pass begins.
 */
export class Hints {
  #isEverything = true;
  readonly #objects = new Map<ClusterSource, Map<KindName, Set<string>>>();
  readonly #projects = new Map<GitLabSource, Set<number>>();
  readonly #hosts = new Map<ReachabilitySource, Set<string>>();
  readonly #previews = new Map<string, MergeRequestKey>();

  /** Anything may have changed. */
  addEverything(): void {
    this.#isEverything = true;
  }

  addObjects(source: ClusterSource, { kind, keys }: ObjectsChange): void {
    const kinds = this.#objects.get(source) ?? new Map<KindName, Set<string>>();
    this.#objects.set(source, kinds);
    const known = kinds.get(kind) ?? new Set<string>();
    kinds.set(kind, known);
    keys.forEach(key => known.add(key));
  }

  addProjects(source: GitLabSource, { projectIds }: ProjectsChange): void {
    const known = this.#projects.get(source) ?? new Set<number>();
    this.#projects.set(source, known);
    projectIds.forEach(id => known.add(id));
  }

  addHosts(source: ReachabilitySource, { hosts }: HostsChange): void {
    const known = this.#hosts.get(source) ?? new Set<string>();
    this.#hosts.set(source, known);
    hosts.forEach(host => known.add(host));
  }

  /** Somebody asks for this preview. */
  addPreview(key: MergeRequestKey): void {
    this.#previews.set(keyString(key), key);
  }

  /** Reads what changed and forgets the hints; undefined for everything. */
  take(): WorldChanges | undefined {
    const changes = this.#isEverything ? undefined : this.#read();
    this.#isEverything = false;
    this.#objects.clear();
    this.#projects.clear();
    this.#hosts.clear();
    this.#previews.clear();
    return changes;
  }

  #read(): WorldChanges | undefined {
    const objects = [...this.#objects].flatMap(([source, kinds]) =>
      [...kinds].map(([kind, keys]) => ({
        cluster: source.cluster,
        kind,
        keys: new Set(keys),
        reading: source.readObjects(kind, keys),
      })),
    );
    const projects: {
      host: string;
      reading: WorldChanges['projects'][0]['reading'];
    }[] = [];
    for (const [source, ids] of this.#projects) {
      for (const id of ids) {
        const reading = source.readProject(id);
        if (!reading) {
          return undefined;
        }
        projects.push({ host: source.host, reading });
      }
    }
    const probes = [...this.#hosts].flatMap(([source, hosts]) =>
      [...hosts].map(host => ({ host, observation: source.readHost(host) })),
    );
    return {
      objects,
      projects,
      ...(probes.length > 0 && { probes }),
      previews: [...this.#previews.values()],
    };
  }
}
