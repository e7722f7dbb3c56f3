import {
  AcmeEventFact,
  ApplicationFact,
  ApplicationSetFact,
  CertificateFact,
  ClusterReading,
  GitLabReading,
  KindFacts,
  KindName,
  KindReading,
  MergeRequestKey,
  MergeRequestReading,
  ProbeObservation,
  ProjectFact,
  ProjectReading,
  World,
} from '../model';
import {
  GeneratorUse,
  listsHost,
  pathsOf,
  usesOf,
  usesProject,
} from './generator';
import {
  isTrackedKind,
  TRACKED_KINDS,
  TrackedKind,
  namespacesBeside,
} from './listed';
import { trackedForOf } from './tracking';

/** An Application with the cluster it was read from. */
export interface LocatedApplication {
  cluster: string;
  fact: ApplicationFact;
}

/** A merge request with what was read of its project. */
export interface LocatedMergeRequest {
  host: string;
  project: ProjectReading;
  reading: MergeRequestReading;
}

export function keyString(key: MergeRequestKey): string {
  return `${key.host}/${key.projectId}/${key.iid}`;
}

export function projectString(host: string, projectId: number): string {
  return `${host}/${projectId}`;
}

type Fact = KindFacts[KindName];

const NOBODY: ReadonlySet<LocatedApplication> = new Set();

/** Readings of one's own, so that newer ones can take their places. */
type OwnCluster = Omit<ClusterReading, 'kinds'> & {
  kinds: { [K in KindName]: KindReading<KindFacts[K]> };
};
type OwnGitLab = Omit<GitLabReading, 'projects'> & {
  projects: Map<number, ProjectReading>;
};

/**
 * Look-ups over one world, built once for all decisions of a full pass. Until the
 * next one it takes up newer states of single objects; the world that it was built
 * from stays as it is.
 */
export class WorldIndex {
  readonly world: World;
  readonly gitlab = new Map<string, OwnGitLab>();
  readonly clusters = new Map<string, OwnCluster>();
  readonly applications: LocatedApplication[] = [];
  readonly uses: GeneratorUse[] = [];
  readonly #setsByUid = new Map<
    string,
    { cluster: string; set: ApplicationSetFact }
  >();
  readonly #usesBySet = new Map<ApplicationSetFact, GeneratorUse[]>();
  readonly #usesById = new Map<string, GeneratorUse[]>();
  readonly #usesByPath = new Map<string, GeneratorUse[]>();
  readonly #usesByPattern: GeneratorUse[] = [];
  readonly #usesBySetName = new Map<string, GeneratorUse[]>();
  readonly #projectsByPath = new Map<string, ProjectReading>();
  /** By host: whether a set names a path that leads to no project that is known. */
  readonly #openPaths = new Map<string, boolean>();
  /** Hosts that are not configured, by whether a set lists their MRs. */
  readonly #lostHosts = new Map<string, boolean>();
  /** Projects that are not read now, by whether no set lists them. */
  readonly #unlisted = new Map<string, boolean>();
  readonly #usesOfProject = new Map<ProjectFact, GeneratorUse[]>();
  readonly #applicationsByNamespace = new Map<string, LocatedApplication[]>();
  /** Applications by the names of the namespaces of clusters that are not configured. */
  readonly #applicationsElsewhere = new Map<string, LocatedApplication[]>();
  /** Applications by the namespaces that they have something in and do not deploy to. */
  readonly #applicationsBeside = new Map<string, Set<LocatedApplication>>();
  readonly #clustersByDestination = new Map<string, ClusterReading>();
  readonly #objectsByNamespace = new Map<string, Map<string, Fact[]>>();
  readonly #located = new Map<string, LocatedApplication>();
  readonly #applicationsByName = new Map<string, LocatedApplication[]>();
  /** Objects by what they belong to; by kind and cluster, made when first asked for. */
  readonly #belongings = new Map<string, Map<string, Fact[]>>();
  /** Objects of a namespace by what they are tracked for; by kind, cluster and namespace, made when first asked for. */
  readonly #tracked = new Map<string, Map<string, Fact[]>>();
  /** Maps of objects that are copies, by kind and cluster. */
  readonly #copies = new Map<string, Map<string, Fact>>();
  readonly #probes: Map<string, ProbeObservation>;

  constructor(world: World) {
    const gitlab = world.gitlab.map(reading => ({
      ...reading,
      projects: new Map(reading.projects),
    }));
    const clusters = world.clusters.map(reading => ({
      ...reading,
      kinds: { ...reading.kinds },
    }));
    this.world = { ...world, gitlab, clusters };
    this.#probes = new Map(world.reachability?.observations);
    for (const reading of gitlab) {
      this.gitlab.set(reading.host, reading);
      this.#indexPaths(reading);
    }
    for (const reading of clusters) {
      this.clusters.set(reading.cluster, reading);
      for (const destination of reading.destinations) {
        this.#clustersByDestination.set(
          normalizeDestination(destination),
          reading,
        );
      }
    }
    for (const reading of clusters) {
      this.#indexCluster(reading);
    }
  }

  /** A path means the project that has it now, rather than one that had it before. */
  #indexPaths({ host, projects }: OwnGitLab) {
    for (const project of projects.values()) {
      const { path } = project.fact;
      this.#projectsByPath.set(`${host}/${path.toLowerCase()}`, project);
    }
    for (const project of projects.values()) {
      for (const path of project.fact.formerPaths ?? []) {
        const key = `${host}/${path}`;
        this.#projectsByPath.set(key, this.#projectsByPath.get(key) ?? project);
      }
    }
  }

  /** The project that a path leads to, its own or one that it had before. */
  projectAt(host: string, path: string): ProjectReading | undefined {
    return this.#projectsByPath.get(`${host}/${path.toLowerCase()}`);
  }

  #indexCluster(reading: ClusterReading) {
    const { cluster } = reading;
    for (const set of reading.kinds.applicationSets.objects.values()) {
      this.#setsByUid.set(set.meta.uid, { cluster, set });
      const uses = usesOf(cluster, set, host => this.gitlab.has(host));
      this.#usesBySet.set(set, uses);
      // Argo CD generates nothing for a set that is being deleted: it lists no MRs any
      // more, and only tells whose the Applications are that it leaves.
      if (set.meta.deletionRequestedAt === undefined) {
        uses.forEach(use => this.#indexUse(use));
      }
    }
    for (const [key, fact] of reading.kinds.applications.objects) {
      const located = { cluster, fact };
      this.applications.push(located);
      this.#located.set(`${cluster}/${key}`, located);
      push(this.#applicationsByName, fact.meta.name, located);
      const destination = this.destinationOf(located);
      const { namespace } = fact.destination;
      if (!destination) {
        this.#indexElsewhere(located);
      } else if (namespace) {
        push(
          this.#applicationsByNamespace,
          `${destination.cluster}/${namespace}`,
          located,
        );
      }
      this.#indexBeside(located);
    }
  }

  #indexElsewhere(located: LocatedApplication) {
    const { fact } = located;
    const names = new Set([
      ...(fact.destination.namespace ? [fact.destination.namespace] : []),
      ...namespacesBeside(fact).map(({ name }) => name),
    ]);
    names.forEach(name => push(this.#applicationsElsewhere, name, located));
  }

  #indexBeside(located: LocatedApplication) {
    for (const key of this.#keysBeside(located)) {
      const known = this.#applicationsBeside.get(key) ?? new Set();
      this.#applicationsBeside.set(key, known.add(located));
    }
  }

  #keysBeside(located: LocatedApplication): string[] {
    const names = namespacesBeside(located.fact);
    const destination = names.length > 0 && this.destinationOf(located);
    return destination
      ? names.map(({ name }) => `${destination.cluster}/${name}`)
      : [];
  }

  #indexUse(use: GeneratorUse) {
    this.uses.push(use);
    const { namespace, name } = use.set.meta;
    push(this.#usesBySetName, `${namespace}/${name}`, use);
    if (use.project.kind === 'id') {
      push(this.#usesById, projectString(use.host, use.project.id), use);
    } else if (use.project.kind === 'path') {
      push(
        this.#usesByPath,
        `${use.host}/${use.project.path.toLowerCase()}`,
        use,
      );
    } else {
      this.#usesByPattern.push(use);
    }
  }

  /** The generator uses that list a project's MRs; none of sets that are being deleted. */
  usesOfProject(host: string, project: ProjectFact): GeneratorUse[] {
    let uses = this.#usesOfProject.get(project);
    if (!uses) {
      uses = [
        ...(this.#usesById.get(projectString(host, project.id)) ?? []),
        ...pathsOf(project)
          .filter(path => {
            const found = this.projectAt(host, path);
            return found === undefined || found.fact.id === project.id;
          })
          .flatMap(path => this.#usesByPath.get(`${host}/${path}`) ?? []),
        ...this.#usesByPattern.filter(
          use => use.host === host && usesProject(use, project),
        ),
      ];
      this.#usesOfProject.set(project, uses);
    }
    return uses;
  }

  /**
   * Whether no set that is read lists a project, whatever GitLab would say of it. A
   * path that no project is known to have may be one that it was moved to, or had. Of a
   * host that is configured no more a set may list any.
   */
  isListedByNone(host: string, project: ProjectFact): boolean {
    const key = `${projectString(host, project.id)} ${project.path}`;
    let isUnlisted = this.#unlisted.get(key);
    if (isUnlisted === undefined) {
      isUnlisted = this.gitlab.has(host)
        ? !this.#isAnyPathOpen(host) &&
          this.usesOfProject(host, project).length === 0
        : !this.#isListed(host);
      this.#unlisted.set(key, isUnlisted);
    }
    return isUnlisted;
  }

  #isListed(host: string): boolean {
    let isListed = this.#lostHosts.get(host);
    if (isListed === undefined) {
      isListed = [...this.#usesBySet.keys()].some(set => listsHost(set, host));
      this.#lostHosts.set(host, isListed);
    }
    return isListed;
  }

  #isAnyPathOpen(host: string): boolean {
    let isOpen = this.#openPaths.get(host);
    if (isOpen === undefined) {
      isOpen = this.uses.some(
        use =>
          use.host === host &&
          use.project.kind === 'path' &&
          this.projectAt(host, use.project.path) === undefined,
      );
      this.#openPaths.set(host, isOpen);
    }
    return isOpen;
  }

  /** Uses whose project is itself a template, which only a pattern tells. */
  get patternUses(): readonly GeneratorUse[] {
    return this.#usesByPattern;
  }

  /** Uses of all sets of that name, in whichever cluster. */
  usesOfSetNamed(namespace: string, name: string): readonly GeneratorUse[] {
    return this.#usesBySetName.get(`${namespace}/${name}`) ?? [];
  }

  /** The projects, of those that were read, whose MRs a use lists. */
  projectsOf(use: GeneratorUse): ProjectReading[] {
    const { host, project } = use;
    if (project.kind === 'id') {
      return [this.project(host, project.id)].flatMap(found => found ?? []);
    }
    if (project.kind === 'path') {
      return [this.projectAt(host, project.path)].flatMap(found => found ?? []);
    }
    return [...(this.gitlab.get(host)?.projects.values() ?? [])].filter(
      ({ fact }) => usesProject(use, fact),
    );
  }

  usesOfSet(set: ApplicationSetFact): GeneratorUse[] {
    return this.#usesBySet.get(set) ?? [];
  }

  setByUid(
    uid: string | undefined,
  ): { cluster: string; set: ApplicationSetFact } | undefined {
    return uid === undefined ? undefined : this.#setsByUid.get(uid);
  }

  project(host: string, projectId: number): ProjectReading | undefined {
    return this.gitlab.get(host)?.projects.get(projectId);
  }

  mergeRequest(key: MergeRequestKey): LocatedMergeRequest | undefined {
    const project = this.project(key.host, key.projectId);
    const reading = project?.mergeRequests.get(key.iid);
    return project && reading
      ? { host: key.host, project, reading }
      : undefined;
  }

  *mergeRequests(): Iterable<LocatedMergeRequest> {
    for (const { host, projects } of this.gitlab.values()) {
      for (const project of projects.values()) {
        for (const reading of project.mergeRequests.values()) {
          yield { host, project, reading };
        }
      }
    }
  }

  /**
   * The cluster that an Application deploys to: the one it was read from for
   * Argo CD's own in-cluster destination, else by normalised URL or name. An
   * Argo CD that is read by its API stands for all clusters that are not
   * configured, since it tells the health of what it deploys there.
   */
  destinationOf({
    cluster,
    fact,
  }: {
    cluster: string;
    fact: Pick<ApplicationFact, 'destination'>;
  }): ClusterReading | undefined {
    const { server, name } = fact.destination;
    const target = server || name;
    if (!target) {
      return undefined;
    }
    const normalized = normalizeDestination(target);
    if (
      normalized === 'https://kubernetes.default.svc' ||
      (!server && name === 'in-cluster')
    ) {
      return this.clusters.get(cluster);
    }
    const home = this.clusters.get(cluster);
    return (
      this.#clustersByDestination.get(normalized) ??
      (home?.kinds.pods.state === 'notObserved' ? home : undefined)
    );
  }

  /** The Application of a name, by the cluster that it was read from. */
  applicationNamed(
    cluster: string,
    namespace: string,
    name: string,
  ): ApplicationFact | undefined {
    return this.clusters
      .get(cluster)
      ?.kinds.applications.objects.get(`${namespace}/${name}`);
  }

  /** The Applications of a name, in whichever namespace and cluster. */
  applicationsOfName(name: string): readonly LocatedApplication[] {
    return this.#applicationsByName.get(name) ?? [];
  }

  /** Applications that deploy into a namespace. */
  applicationsInto(cluster: string, namespace: string): LocatedApplication[] {
    return this.#applicationsByNamespace.get(`${cluster}/${namespace}`) ?? [];
  }

  /**
   * Applications with a destination that means no cluster that is configured, by the
   * name of the namespace: it may be one of those, by an address that nobody told of.
   */
  applicationsElsewhere(namespace: string): readonly LocatedApplication[] {
    return this.#applicationsElsewhere.get(namespace) ?? [];
  }

  /** Applications that deploy elsewhere and list a namespace, or something in it. */
  applicationsBeside(
    cluster: string,
    namespace: string,
  ): ReadonlySet<LocatedApplication> {
    return this.#applicationsBeside.get(`${cluster}/${namespace}`) ?? NOBODY;
  }

  /** Objects in one namespace that say they are tracked for an Application of that name. */
  trackedIn<K extends TrackedKind>(
    cluster: ClusterReading,
    kind: K,
    place: { namespace: string; application: string },
  ): readonly KindFacts[K][] {
    const mapKey = `${kind}/${cluster.cluster}/${place.namespace}`;
    let tracked = this.#tracked.get(mapKey);
    if (!tracked) {
      tracked = new Map();
      for (const object of this.objectsIn(cluster, kind, place.namespace)) {
        const name = trackedForOf({
          ...TRACKED_KINDS[kind],
          meta: object.meta,
        });
        if (name !== undefined) {
          push(tracked, name, object as Fact);
        }
      }
      this.#tracked.set(mapKey, tracked);
    }
    return (tracked.get(place.application) ?? []) as KindFacts[K][];
  }

  /** Thousands of previews may have their routes in one namespace: it is not gone through for each change. */
  #track(
    cluster: string,
    kind: TrackedKind,
    { before, after }: Record<'before' | 'after', Fact | undefined>,
  ) {
    const { namespace } = (after ?? before)?.meta ?? {};
    const tracked = this.#tracked.get(`${kind}/${cluster}/${namespace}`);
    if (!tracked) {
      return;
    }
    const former = before && trackedName(kind, before);
    if (former !== undefined) {
      const others = tracked.get(former)?.filter(one => one !== before) ?? [];
      tracked.set(former, others);
    }
    if (after) {
      pushTracked(tracked, kind, after);
    }
  }

  /** Objects of a namespaced kind in one namespace. */
  objectsIn<K extends Exclude<KindName, 'namespaces'>>(
    cluster: ClusterReading,
    kind: K,
    namespace: string,
  ): readonly KindFacts[K][] {
    const mapKey = `${kind}/${cluster.cluster}`;
    let byNamespace = this.#objectsByNamespace.get(mapKey);
    if (!byNamespace) {
      byNamespace = new Map();
      for (const object of cluster.kinds[kind].objects.values()) {
        push(byNamespace, object.meta.namespace ?? '', object as Fact);
      }
      this.#objectsByNamespace.set(mapKey, byNamespace);
    }
    return (byNamespace.get(namespace) ?? []) as KindFacts[K][];
  }

  /** Objects of a kind that the object of a uid controls. */
  controlledBy<K extends 'certificateRequests' | 'orders' | 'challenges'>(
    cluster: ClusterReading,
    kind: K,
    uid: string,
  ): readonly KindFacts[K][] {
    return this.#belonging(cluster, kind, ({ meta }) => meta.owner?.uid, uid);
  }

  /** Certificates whose Secret has that name; several of them quarrel about it. */
  certificatesInto(
    cluster: ClusterReading,
    namespace: string,
    secretName: string,
  ): readonly CertificateFact[] {
    return this.#belonging(
      cluster,
      'certificates',
      fact =>
        fact.secretName && secretKey(fact.meta.namespace, fact.secretName),
      secretKey(namespace, secretName),
    );
  }

  /** What was warned of about an object. */
  eventsAbout(cluster: ClusterReading, uid: string): readonly AcmeEventFact[] {
    return this.#belonging(
      cluster,
      'acmeEvents',
      ({ involved }) => involved?.uid,
      uid,
    );
  }

  #belonging<K extends KindName>(
    cluster: ClusterReading,
    kind: K,
    keyOf: (fact: KindFacts[K]) => string | undefined,
    key: string,
  ): readonly KindFacts[K][] {
    const mapKey = `${kind}/${cluster.cluster}`;
    let groups = this.#belongings.get(mapKey);
    if (!groups) {
      groups = new Map();
      const objects = cluster.kinds[kind].objects as ReadonlyMap<
        string,
        KindFacts[K]
      >;
      for (const object of objects.values()) {
        const owner = keyOf(object);
        if (owner !== undefined) {
          push(groups, owner, object as Fact);
        }
      }
      this.#belongings.set(mapKey, groups);
    }
    return (groups.get(key) ?? []) as KindFacts[K][];
  }

  /**
   * Takes up what was read of single objects since; those of the keys that the
   * reading does not have are gone. Not for ApplicationSets, nor for Applications
   * that are new, gone or deploy elsewhere: other look-ups are made from those.
   */
  putObjects(change: {
    cluster: string;
    kind: KindName;
    keys: Iterable<string>;
    reading: KindReading<Fact>;
  }): void {
    const { kind, keys, reading } = change;
    const cluster = this.clusters.get(change.cluster);
    if (!cluster) {
      return;
    }
    this.#belongings.delete(`${kind}/${cluster.cluster}`);
    const objects = this.#copyOf(cluster, kind);
    const byNamespace = this.#objectsByNamespace.get(
      `${kind}/${cluster.cluster}`,
    );
    for (const key of keys) {
      const before = objects.get(key);
      const after = reading.objects.get(key);
      if (after) {
        objects.set(key, after);
      } else {
        objects.delete(key);
      }
      if (byNamespace) {
        replaceIn(byNamespace, before, after);
      }
      if (isTrackedKind(kind)) {
        this.#track(cluster.cluster, kind, { before, after });
      }
      const located = this.#located.get(`${cluster.cluster}/${key}`);
      if (kind === 'applications' && located && after) {
        this.#keysBeside(located).forEach(place =>
          this.#applicationsBeside.get(place)?.delete(located),
        );
        located.fact = after as ApplicationFact;
        this.#indexBeside(located);
      }
    }
    (cluster.kinds as Record<KindName, KindReading<Fact>>)[kind] = {
      ...reading,
      objects,
    };
  }

  /** What the last visit of a host found; undefined when there was none of late. */
  probeOf(host: string): ProbeObservation | undefined {
    return this.#probes.get(host);
  }

  /** Takes up what a visit found since; undefined when it is known no more. */
  putProbe(host: string, observation: ProbeObservation | undefined): void {
    if (observation) {
      this.#probes.set(host, observation);
    } else {
      this.#probes.delete(host);
    }
  }

  /** Takes up what was read of a project since; its id and path are the same. */
  putProject(host: string, project: ProjectReading): void {
    const before = this.project(host, project.fact.id);
    if (!before) {
      return;
    }
    // The uses of a project are remembered by its fact.
    const kept = { ...project, fact: before.fact };
    this.gitlab.get(host)?.projects.set(project.fact.id, kept);
    for (const path of pathsOf(before.fact)) {
      if (this.projectAt(host, path) === before) {
        this.#projectsByPath.set(`${host}/${path}`, kept);
      }
    }
  }

  #copyOf(cluster: OwnCluster, kind: KindName): Map<string, Fact> {
    const mapKey = `${kind}/${cluster.cluster}`;
    let copy = this.#copies.get(mapKey);
    if (!copy) {
      copy = new Map<string, Fact>(cluster.kinds[kind].objects);
      this.#copies.set(mapKey, copy);
    }
    return copy;
  }
}

function trackedName(kind: TrackedKind, { meta }: Fact): string | undefined {
  return trackedForOf({ ...TRACKED_KINDS[kind], meta });
}

function pushTracked(
  tracked: Map<string, Fact[]>,
  kind: TrackedKind,
  fact: Fact,
) {
  const name = trackedName(kind, fact);
  if (name !== undefined) {
    push(tracked, name, fact);
  }
}

function secretKey(namespace: string | undefined, name: string): string {
  return `${namespace}/${name}`;
}

/** Keeps the places of the others, and of one that is replaced. */
function replaceIn(
  byNamespace: Map<string, Fact[]>,
  before: Fact | undefined,
  after: Fact | undefined,
): void {
  const namespace = (after ?? before)?.meta.namespace ?? '';
  const objects = byNamespace.get(namespace) ?? [];
  const at = before ? objects.indexOf(before) : -1;
  if (at >= 0) {
    objects.splice(at, 1, ...(after ? [after] : []));
  } else if (after) {
    push(byNamespace, namespace, after);
  }
}

/** Server URLs without case, default port and trailing slash; names as they are. */
export function normalizeDestination(destination: string): string {
  if (!destination.includes('://')) {
    return destination;
  }
  try {
    const url = new URL(destination);
    return `${url.protocol}//${url.host}${url.pathname.replace(
      /\/+$/,
      '',
    )}`.toLowerCase();
  } catch {
    return destination;
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V) {
  const known = map.get(key);
  if (known) {
    known.push(value);
  } else {
    map.set(key, [value]);
  }
}
