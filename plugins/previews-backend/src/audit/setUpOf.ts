import { CheckedEnvironment } from '@previews/backstage-plugin-previews-node';
import { Preview } from '@previews/backstage-plugin-previews-common';
import { ApplicationFact, ApplicationSetFact, TierName } from '../model';
import { EntityLink, PassResult, TierFinder, WorldIndex } from '../reconcile';
import { projectOfRepository } from './projectOfRepository';

/** A set-up with more is checked as far as that. */
const MAXIMUM_SETS = 20;
const MAXIMUM_TIERS = 10;

/** An object by its name. */
export interface NamedObject {
  cluster: string;
  namespace: string;
  name: string;
}

/** A namespace whose objects are checked. */
export interface CheckedNamespace {
  cluster: string;
  name: string;
  /** Absent for a preview's, whose name tells. */
  environment?: CheckedEnvironment;
}

/** What belongs to the previews of an entity, and is looked at when it is checked. */
export interface EntitySetUp {
  entityRef: string;
  /** Name of the entity. */
  service: string;
  project?: { host: string; path: string; id: number };
  sets: NamedObject[];
  appProjects: NamedObject[];
  applications: (NamedObject & { environment?: CheckedEnvironment })[];
  namespaces: CheckedNamespace[];
  repositories: { host: string; path: string; role: 'gitops' | 'service' }[];
  /** Differs when it is worth to check again at once, and not with every preview. */
  fingerprint: string;
}

interface Located<T> {
  cluster: string;
  fact: T;
}

class SetUpFinder {
  readonly #tiers: TierFinder;
  readonly #previews: ReadonlyMap<string, Preview>;

  constructor(
    private readonly index: WorldIndex,
    options: {
      tiers: TierFinder;
      previews: ReadonlyMap<string, Preview>;
    },
  ) {
    this.#tiers = options.tiers;
    this.#previews = options.previews;
  }

  setUpOf(link: EntityLink): EntitySetUp {
    const { entity, project, applicationSets } = link;
    const sets = applicationSets
      .slice(0, MAXIMUM_SETS)
      .flatMap(reference => this.#setNamed(reference) ?? []);
    const tiers = this.#tiers
      .tiersOf(link)
      .map(({ tier, ...located }) => ({
        ...located,
        environment: environmentOf(tier),
      }))
      .slice(0, MAXIMUM_TIERS);
    const preview = this.#previews.get(entity.entityRef);
    const namesOf = ({ cluster, fact }: Located<ApplicationFact>) => ({
      cluster,
      namespace: fact.meta.namespace ?? '',
      name: fact.meta.name,
    });
    return {
      entityRef: entity.entityRef,
      service: entity.entityRef.replace(/^.*\//, ''),
      ...(project && { project }),
      sets: sets.map(({ cluster, fact: { meta } }) => ({
        cluster,
        namespace: meta.namespace ?? '',
        name: meta.name,
      })),
      appProjects: uniqueBy(sets.flatMap(appProjectOf), keyOf),
      applications: [
        ...(preview?.applications ?? []).map(
          ({ cluster, namespace, name }) => ({ cluster, namespace, name }),
        ),
        ...tiers.map(tier => ({
          ...namesOf(tier),
          environment: tier.environment,
        })),
      ],
      namespaces: uniqueBy(
        [
          ...(preview ? namespacesOf(preview) : []),
          ...tiers.flatMap(tier => this.#namespaceOf(tier)),
        ].filter(({ cluster }) => this.#isReadable(cluster)),
        ({ cluster, name }) => `${cluster}/${name}`,
      ),
      repositories: [
        ...(project
          ? [
              {
                host: project.host,
                path: project.path,
                role: 'service' as const,
              },
            ]
          : []),
        ...uniqueBy(
          sets.flatMap(set => this.#repositoriesOf(set)),
          ({ host, path }) => `${host}/${path}`,
        ),
      ],
      fingerprint: JSON.stringify([
        project,
        sets.map(({ cluster, fact: { meta, template } }) => [
          cluster,
          meta.uid,
          meta.generation ?? template,
        ]),
        tiers.map(tier => [tier.environment, namesOf(tier)]),
        preview !== undefined,
      ]),
    };
  }

  #setNamed(reference: string): Located<ApplicationSetFact> | undefined {
    const colon = reference.indexOf(':');
    const cluster = reference.slice(0, colon);
    const fact = this.index.clusters
      .get(cluster)
      ?.kinds.applicationSets.objects.get(reference.slice(colon + 1));
    return fact && { cluster, fact };
  }

  #namespaceOf(
    tier: Located<ApplicationFact> & { environment: CheckedEnvironment },
  ): CheckedNamespace[] {
    const cluster = this.index.destinationOf(tier)?.cluster;
    const name = tier.fact.destination.namespace;
    return cluster !== undefined && name
      ? [{ cluster, name, environment: tier.environment }]
      : [];
  }

  /** An Argo CD that is read by its API tells nothing of what is in namespaces. */
  #isReadable(cluster: string): boolean {
    const reading = this.index.clusters.get(cluster);
    return reading !== undefined && reading.kinds.pods.state !== 'notObserved';
  }

  #repositoriesOf({ fact }: Located<ApplicationSetFact>) {
    const spec = asRecord(fact.template.spec);
    const sources = Array.isArray(spec.sources) ? spec.sources : [spec.source];
    return sources.flatMap(source => {
      const url = asRecord(source).repoURL;
      const found =
        typeof url === 'string'
          ? projectOfRepository(url, [...this.index.gitlab.values()])
          : undefined;
      return found ? [{ ...found, role: 'gitops' as const }] : [];
    });
  }
}

/**
 * The set-ups of all entities that lead to a project or to a set: also of those that
 * nobody has onboarded yet. Only what is the entity's own is part of one: objects
 * that its sets name, one live preview, and its tiers.
 */
export function setUpsOf(
  pass: Pick<PassResult, 'basis' | 'links' | 'decisions'>,
  options: { tiers: readonly TierName[] },
): EntitySetUp[] {
  const { index } = pass.basis;
  const finder = new SetUpFinder(index, {
    tiers: new TierFinder(pass.basis, options.tiers),
    previews: latestLive(pass),
  });
  return pass.links
    .filter(
      ({ project, applicationSets }) =>
        project !== undefined || applicationSets.length > 0,
    )
    .map(link => finder.setUpOf(link));
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)
    : {};
}

/**
 * Where a preview's Applications deploy to, and what else is its own: where many
 * have their routes, the objects of others are not this entity's.
 */
function namespacesOf({
  namespaces,
  applications,
}: Preview): CheckedNamespace[] {
  return namespaces
    .filter(
      ({ cluster, name, own }) =>
        own ||
        applications.some(
          ({ destination }) =>
            destination.cluster === cluster && destination.namespace === name,
        ),
    )
    .map(({ cluster, name }) => ({ cluster, name }));
}

function keyOf({ cluster, namespace, name }: NamedObject): string {
  return `${cluster}/${namespace}/${name}`;
}

function uniqueBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.map(item => [key(item), item])).values()];
}

/** Where an AppProject is looked for: beside the set, unless its name is a template. */
function appProjectOf({
  cluster,
  fact,
}: Located<ApplicationSetFact>): NamedObject[] {
  const { project } = asRecord(fact.template.spec);
  return typeof project === 'string' && /^[a-z0-9][a-z0-9.-]*$/.test(project)
    ? [{ cluster, namespace: fact.meta.namespace ?? '', name: project }]
    : [];
}

/** Whatever is no production is held to what dev is held to. */
function environmentOf(name: string): CheckedEnvironment {
  return { tier: /^prod(uction)?$/i.test(name) ? 'prod' : 'dev', name };
}

/** The preview of each entity that went live last; of its kind one is as good as all. */
function latestLive({
  decisions,
}: Pick<PassResult, 'decisions'>): Map<string, Preview> {
  const latest = new Map<string, Preview>();
  for (const { change } of decisions.values()) {
    const { preview } = change.stored;
    for (const ref of preview.phase === 'Live' ? preview.entityRefs : []) {
      const before = latest.get(ref);
      if (!before || (preview.liveAt ?? '') > (before.liveAt ?? '')) {
        latest.set(ref, preview);
      }
    }
  }
  return latest;
}
