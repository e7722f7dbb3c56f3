import {
  cleanText,
  PreviewUrl,
  TierState,
} from '@previews/backstage-plugin-previews-common';
import {
  ApplicationFact,
  ApplicationSource,
  ClusterReading,
  ProjectFact,
} from '../../model';
import { splitImage } from '../commit';
import { deployedObjects } from '../deployedObjects';
import { namespacesBeside } from '../listed';
import { DecisionSettings } from '../settings';
import { applicationUrl } from '../summaries';
import { trackedNames } from '../tracking';
import { urlsOf } from '../urls';
import { WorldIndex } from '../worldIndex';
import { FoundTier } from './findTiers';
import { Deployment, releaseOf } from './history';
import {
  imagesOf,
  isSameRepository,
  pageOf,
  Repository,
  repositoryOf,
} from './repositories';

const MAXIMUM_REVISION = 255;

/** What a tier runs, as a commit that two tiers can be compared by. */
export interface Point extends Repository {
  commit: string;
}

/** What the clusters alone say of a tier, and what GitLab is to be asked for. */
export interface TierDraft {
  found: FoundTier;
  /** Name of the cluster that it deploys to; undefined where that is not configured. */
  destination?: string;
  /** Without distance, commit of the release and drift. */
  state: TierState;
  /** Repository that the revision is of. */
  repository?: Repository;
  /** What was deployed last: Argo CD calls later revisions that change nothing synced too. */
  deployedRevision?: string;
  /** Path that the source reads. */
  path?: string;
  /** Of the source among all sources. */
  position: number;
  /** By which it is compared: the commit of the service first. */
  points: Point[];
  /** Branch that it follows: undefined where it is pinned, null for the default branch. */
  follows?: string | null;
  /** Where the file with the line of a release may be; the first that exists is it. */
  pinPaths: string[];
}

/** Draws up a tier from its Application, before GitLab is asked. */
export function draftTier(options: {
  found: FoundTier;
  project: { host: string; path: string; id: number };
  index: WorldIndex;
  settings: DecisionSettings;
}): TierDraft {
  const { found, project, index, settings } = options;
  const { cluster, fact, tier } = found;
  const projectFact = index.project(project.host, project.id)?.fact;
  const position = sourceOf(fact, { project, index });
  const source: ApplicationSource | undefined = fact.sources[position];
  const repository = repositoryOf(source?.repoUrl, index.gitlab.values());
  const revision = revisionOf(fact, position);
  const image = firstImage(fact, projectFact);
  const pin = pinOf(found, { source, repository, index });
  const destination = index.destinationOf(found)?.cluster;
  const webUrl = applicationUrl(found, settings);
  const targetRevision = shownText(source?.targetRevision);
  return {
    found,
    ...(destination !== undefined && { destination }),
    state: {
      tier,
      application: {
        cluster,
        namespace: fact.meta.namespace ?? '',
        name: fact.meta.name,
        ...(webUrl !== undefined && { webUrl }),
      },
      ...(targetRevision !== undefined && { targetRevision }),
      ...(revision !== undefined && { revision }),
      ...(repository && { repository: shownRepository(repository, index) }),
      ...(image !== undefined && { image }),
      sync: fact.sync.status,
      health: fact.health.status,
      urls: urlsOfTier(found, { index, settings }),
      ...(pin && { pin: pin.pin }),
      drift: [],
      stale: [],
    },
    ...(repository && { repository }),
    ...(source?.path !== undefined && { path: source.path }),
    position,
    points: pointsOf({ image, revision, repository, project }),
    ...(source?.chart === undefined &&
      source !== undefined &&
      !isPinned(source.targetRevision) && {
        follows: branchOf(source.targetRevision),
      }),
    pinPaths: pin?.paths ?? [],
  };
}

/**
 * Adds who brought what runs, and what ran before.
 *
 * @param deployments - what Argo CD deployed, the newest first.
 */
export function withRelease(
  draft: TierDraft,
  deployments: readonly Deployment[],
): TierDraft {
  const { current, previous } = releaseOf(deployments);
  const { state, position } = draft;
  if (!current) {
    return draft;
  }
  const { deployedAt, initiatedBy, automated } = current;
  const { fact } = draft.found;
  const name = fact.sources[position]?.targetRevision;
  const isNamed = isPinned(name);
  const deployedName = current.targetRevisions[position];
  const isEqualToIt =
    isNamed &&
    fact.sync.status === 'Synced' &&
    deployedName !== undefined &&
    deployedName !== name;
  let previousRevision: string | undefined;
  if (isEqualToIt) {
    previousRevision = shownText(deployedName);
  } else if (state.pin?.line !== 'newTag') {
    previousRevision = previousOf({ current, previous, position, isNamed });
  }
  const deployedRevision = current.revisions[position];
  return {
    ...draft,
    ...(!isEqualToIt && isCommit(deployedRevision) && { deployedRevision }),
    state: {
      ...state,
      release: isEqualToIt
        ? { automated: true }
        : {
            deployedAt,
            ...(initiatedBy !== undefined && { initiatedBy }),
            automated,
          },
      ...(previousRevision !== undefined && { previousRevision }),
    },
  };
}

/**
 * The source whose revision is the tier's: the service's own repository, else the first path of a
 * configured GitLab, else the first. What only lends its values to another comes last.
 */
function sourceOf(
  fact: ApplicationFact,
  options: { project: Repository; index: WorldIndex },
): number {
  const { project, index } = options;
  const repositories = fact.sources.map(({ repoUrl }) =>
    repositoryOf(repoUrl, index.gitlab.values()),
  );
  const ways = [
    fact.sources.findIndex((_, at) =>
      isSameRepository(repositories[at], project),
    ),
    fact.sources.findIndex(
      ({ path }, at) => path !== undefined && repositories[at] !== undefined,
    ),
    repositories.findIndex(one => one !== undefined),
    0,
  ];
  return ways.find(way => way >= 0)!;
}

function isCommit(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);
}

/** While Argo CD is out of sync, it tells the revision that it wants and not the one that runs. */
function revisionOf(
  fact: ApplicationFact,
  position: number,
): string | undefined {
  const revisions =
    fact.sync.status === 'Synced'
      ? fact.sync.revisions
      : fact.deployed?.revisions ?? [];
  return isCommit(revisions[position]) ? revisions[position] : undefined;
}

/** The first image of the service, without where it is pulled from. */
function firstImage(
  fact: ApplicationFact,
  project: ProjectFact | undefined,
): string | undefined {
  const [image] = imagesOf(fact.images, project);
  if (image === undefined) {
    return undefined;
  }
  const digest = /@(sha256:[0-9a-f]{64})$/.exec(image)?.[1];
  const { tag } = splitImage(image);
  return [tag, digest].filter(Boolean).join('@') || undefined;
}

/**
 * The commit that an image's tag names: eight to forty hexadecimal characters by themselves or at
 * the end. Digits alone may be a date, and name nothing.
 */
export function commitOfTag(image: string | undefined): string | undefined {
  const tag = image?.split('@')[0] ?? '';
  const commit = /(?:^|[-_.])([0-9a-f]{8,40})$/.exec(tag)?.[1];
  return commit !== undefined && /[a-f]/.test(commit) ? commit : undefined;
}

function pointsOf(options: {
  image?: string;
  revision?: string;
  repository?: Repository;
  project: Repository;
}): Point[] {
  const { image, revision, repository, project } = options;
  const built = commitOfTag(image);
  return [
    ...(built !== undefined
      ? [{ host: project.host, path: project.path, commit: built }]
      : []),
    ...(repository && revision !== undefined
      ? [{ ...repository, commit: revision }]
      : []),
  ];
}

/** A commit, or a name with the number of a version in it; anything else may be a branch. */
export function isPinned(targetRevision: string | undefined): boolean {
  return (
    isCommit(targetRevision) ||
    /(^|[-_/.])v?\d+(\.\d+)+/.test(targetRevision ?? '')
  );
}

function branchOf(targetRevision: string | undefined): string | null {
  return targetRevision === undefined ||
    targetRevision === '' ||
    targetRevision === 'HEAD'
    ? null
    : targetRevision;
}

function pinOf(
  found: FoundTier,
  options: {
    source: ApplicationSource | undefined;
    repository: Repository | undefined;
    index: WorldIndex;
  },
): { pin: NonNullable<TierState['pin']>; paths: string[] } | undefined {
  const { tier, fact } = found;
  const { source, repository, index } = options;
  if (!source || !repository || source.chart !== undefined) {
    return undefined;
  }
  if (isPinned(source.targetRevision)) {
    const root = rootOf(found, index);
    const [first] = root?.sources ?? [];
    const manifests =
      repositoryOf(first?.repoUrl, index.gitlab.values()) ?? repository;
    const branch = first && branchOf(first.targetRevision);
    return {
      pin: {
        line: 'targetRevision',
        repository: manifests.path,
        host: manifests.host,
        ...(branch && { branch: branch.slice(0, MAXIMUM_REVISION) }),
      },
      paths: manifestPaths(fact.meta.name, {
        tier,
        folder: first?.path ?? 'argocd',
      }),
    };
  }
  const path = (source.path ?? '').replace(/\/+$/, '');
  if (source.raw.helm !== undefined || path.split('/').pop() !== tier) {
    return undefined;
  }
  const branch = branchOf(source.targetRevision);
  return {
    pin: {
      line: 'newTag',
      repository: repository.path,
      host: repository.host,
      ...(branch && { branch: branch.slice(0, MAXIMUM_REVISION) }),
    },
    paths: [`${path}/kustomization.yaml`],
  };
}

/** The Application that the tier's own manifest is deployed by, by Argo CD's tracking. */
function rootOf(
  { cluster, fact: { meta } }: FoundTier,
  index: WorldIndex,
): ApplicationFact | undefined {
  const tracked = meta.annotations['argocd.argoproj.io/tracking-id'];
  const name =
    tracked?.split(':')[0] ?? meta.labels['app.kubernetes.io/instance'];
  // An Application in another namespace is named with it.
  const [namespace, own] = name?.includes('_')
    ? name.split('_')
    : [meta.namespace ?? '', name];
  const root = own && index.applicationNamed(cluster, namespace, own);
  return root && root.meta.uid !== meta.uid ? root : undefined;
}

/** Where the templates write the Application of a tier. */
function manifestPaths(
  name: string,
  options: { tier: string; folder: string },
): string[] {
  const { tier, folder } = options;
  const service = name.endsWith(`-${tier}`)
    ? name.slice(0, -tier.length - 1)
    : undefined;
  const base = folder.replace(/^\.?\/+|\/+$/g, '');
  const file = `application-${tier}.yaml`;
  return [
    ...(service ? [`${base}/${service}/${file}`] : []),
    ...(service && base.endsWith(`/${service}`) ? [`${base}/${file}`] : []),
  ];
}

function previousOf(options: {
  current: Deployment;
  previous?: Deployment;
  position: number;
  /** A name stands in the line of a release. */
  isNamed: boolean;
}): string | undefined {
  const { current, previous, position, isNamed } = options;
  const target = previous?.targetRevisions[position];
  const revision =
    isNamed && target !== current.targetRevisions[position]
      ? target
      : previous?.revisions[position];
  return revision === current.revisions[position]
    ? undefined
    : shownText(revision);
}

function urlsOfTier(
  found: FoundTier,
  options: { index: WorldIndex; settings: DecisionSettings },
): PreviewUrl[] {
  const { index, settings } = options;
  const cluster = index.destinationOf(found);
  const { namespace } = found.fact.destination;
  const namespaces = cluster
    ? [
        ...(namespace
          ? [
              {
                cluster,
                httpRoutes: index.objectsIn(cluster, 'httpRoutes', namespace),
                ingresses: index.objectsIn(cluster, 'ingresses', namespace),
              },
            ]
          : []),
        ...namespacesBeside(found.fact)
          .filter(({ isPlace }) => isPlace)
          .map(({ name }) =>
            routesBeside(found.fact, { index, cluster, name }),
          ),
      ]
    : [];
  return urlsOf({ namespaces, applications: [found] }, settings);
}

/** In a namespace that it does not deploy to a tier has only what Argo CD deployed for it. */
function routesBeside(
  fact: ApplicationFact,
  options: { index: WorldIndex; cluster: ClusterReading; name: string },
) {
  const { index, cluster, name: namespace } = options;
  const of = {
    index,
    cluster,
    namespace,
    trackedFor: trackedNames(fact),
    listed: fact.resources.filter(one => one.namespace === namespace),
  };
  return {
    cluster,
    httpRoutes: deployedObjects('httpRoutes', of),
    ingresses: deployedObjects('ingresses', of),
  };
}

function shownRepository(
  repository: Repository,
  index: WorldIndex,
): NonNullable<TierState['repository']> {
  const { host, path } = repository;
  const webUrl = pageOf(repository, index.gitlab.values());
  return { host, project: path, ...(webUrl !== undefined && { webUrl }) };
}

function shownText(text: string | undefined): string | undefined {
  return text ? cleanText(text).slice(0, MAXIMUM_REVISION) : undefined;
}
