import { ApplicationFact, TierName } from '../../model';
import { EntityLink } from '../claims';
import { splitImage } from '../commit';
import { PassBasis } from '../PassBasis';
import { LocatedApplication, WorldIndex } from '../worldIndex';
import { repositoryOf } from './repositories';

const TIER_LABEL = 'previews/tier';
const PROJECT_LABEL = 'previews/project-id';
const NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/** An entity with more is shown as far as that. */
const MAXIMUM_TIERS = 20;

/** An Application that is a long-lived environment of a project. */
export interface FoundTier extends LocatedApplication {
  tier: string;
}

type Basis = Pick<PassBasis, 'index' | 'ownerOf' | 'links'>;

/**
 * Finds the long-lived environments of entities among all Applications: those that say so by label,
 * those that the configuration names, and those whose names end in the word of a tier, in this
 * order. It is strict: what is a preview's is nobody's tier, and two guesses for the same tier of a
 * cluster are none.
 */
export class TierFinder {
  readonly #index: WorldIndex;
  readonly #names: readonly TierName[];
  readonly #labelled = new Map<string, FoundTier[]>();
  /** By `host/path` of a repository and by places in registries, both in small letters. */
  readonly #guessed = new Map<string, Set<FoundTier>>();

  constructor(basis: Basis, names: readonly TierName[]) {
    this.#index = basis.index;
    this.#names = names;
    for (const application of basis.index.applications) {
      if (isOfPreview(application, basis)) {
        continue;
      }
      const { labels } = application.fact.meta;
      const label = ownValue(labels, TIER_LABEL);
      if (label !== undefined) {
        const projectId = ownValue(labels, PROJECT_LABEL);
        if (projectId !== undefined && NAME.test(label)) {
          const known = this.#labelled.get(projectId) ?? [];
          this.#labelled.set(projectId, known);
          known.push({ ...application, tier: label });
        }
        continue;
      }
      const tier = this.#nameOf(application.fact);
      if (tier !== undefined) {
        const guess = { ...application, tier };
        for (const place of this.#placesOf(application.fact)) {
          const known = this.#guessed.get(place) ?? new Set();
          this.#guessed.set(place, known.add(guess));
        }
      }
    }
  }

  /** In the order in which a release passes them. */
  tiersOf({ entity, project }: EntityLink): FoundTier[] {
    if (!project) {
      return [];
    }
    const labelled = (this.#labelled.get(String(project.id)) ?? []).filter(
      tier => this.#mayBeOnHost(tier.fact, project.host),
    );
    const taken = new Set(labelled.map(({ tier }) => tier));
    const guesses = this.#guessesOf(project).filter(
      ({ tier }) => !taken.has(tier),
    );
    return [...labelled, ...guesses.filter(one => isOnly(one, guesses))]
      .filter(
        one =>
          entity.cluster === undefined ||
          this.#index.destinationOf(one)?.cluster === entity.cluster,
      )
      .sort(
        (left, right) =>
          this.#rankOf(left) - this.#rankOf(right) ||
          compare(left.tier, right.tier) ||
          compare(left.cluster, right.cluster) ||
          compare(left.fact.meta.name, right.fact.meta.name),
      )
      .slice(0, MAXIMUM_TIERS);
  }

  #rankOf({ tier }: FoundTier): number {
    const rank = this.#names.findIndex(({ name }) => name === tier);
    return rank < 0 ? this.#names.length : rank;
  }

  #nameOf({ meta, destination, sources }: ApplicationFact): string | undefined {
    const configured = this.#names.find(
      ({ applications }) =>
        applications !== undefined && isMatch(meta.name, applications),
    );
    if (configured) {
      return configured.name;
    }
    const endings = new Set(
      this.#names
        .filter(({ applications }) => applications === undefined)
        .filter(
          ({ name }) =>
            [meta.name, destination.namespace ?? ''].some(text =>
              text.endsWith(`-${name}`),
            ) ||
            sources.some(({ path = '' }) =>
              path.replace(/\/+$/, '').endsWith(`/${name}`),
            ),
        )
        .map(({ name }) => name),
    );
    return endings.size === 1 ? [...endings][0] : undefined;
  }

  /** Ids are told apart by their host only where several are configured. */
  #mayBeOnHost(fact: ApplicationFact, host: string): boolean {
    return (
      this.#index.gitlab.size <= 1 ||
      fact.sources.some(
        ({ repoUrl }) =>
          repositoryOf(repoUrl, this.#index.gitlab.values())?.host === host,
      )
    );
  }

  #guessesOf({ host, path, id }: NonNullable<EntityLink['project']>) {
    const registry = this.#index.project(host, id)?.fact.registryPath;
    return [
      ...new Set(
        [`${host}/${path}`, ...(registry ? [registry] : [])].flatMap(place => [
          ...(this.#guessed.get(place.toLowerCase()) ?? []),
        ]),
      ),
    ];
  }

  /** The repositories that an Application reads, and all that its images lie below. */
  #placesOf({ sources, images }: ApplicationFact): string[] {
    const repositories = sources.flatMap(({ repoUrl }) => {
      const found = repositoryOf(repoUrl, this.#index.gitlab.values());
      return found ? [`${found.host}/${found.path}`] : [];
    });
    const parents = images.flatMap(image => {
      const parts = splitImage(image).repository.split('/');
      return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    });
    return [...repositories, ...parents].map(place => place.toLowerCase());
  }
}

/** An Application that a set with a generator of pull requests owns, or that was joined to an MR. */
function isOfPreview(application: LocatedApplication, basis: Basis): boolean {
  const { labels, owner } = application.fact.meta;
  const { index } = basis;
  const owning = index.setByUid(owner?.uid);
  return (
    ownValue(labels, 'previews/merge-request') !== undefined ||
    (owning !== undefined && index.usesOfSet(owning.set).length > 0) ||
    basis.ownerOf(application) !== undefined
  );
}

/** A tier may be in several clusters, but only once in each. */
function isOnly(one: FoundTier, all: readonly FoundTier[]): boolean {
  return all.every(
    other =>
      other === one || other.tier !== one.tier || other.cluster !== one.cluster,
  );
}

function isMatch(name: string, pattern: string): boolean {
  const parts = pattern
    .split('*')
    .map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}

function ownValue(
  values: Record<string, string>,
  key: string,
): string | undefined {
  return Object.hasOwn(values, key) && values[key] !== ''
    ? values[key]
    : undefined;
}

function compare(left: string, right: string): number {
  if (left === right) {
    return 0;
  }
  return left < right ? -1 : 1;
}
