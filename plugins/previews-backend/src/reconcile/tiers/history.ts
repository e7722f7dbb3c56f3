import { cleanText } from '@previews/backstage-plugin-previews-common';

type JsonObject = Record<string, unknown>;

/** A time at which Argo CD deployed something. */
export interface Deployment {
  deployedAt: string;
  initiatedBy?: string;
  automated: boolean;
  /** One per source, in order. */
  revisions: string[];
  /** As the source asked for them, one per source. */
  targetRevisions: (string | undefined)[];
}

/** Argo CD keeps ten. */
const MAXIMUM_ENTRIES = 100;

function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, MAXIMUM_ENTRIES) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== ''
    ? cleanText(value).slice(0, 255)
    : undefined;
}

/**
 * What Argo CD deployed, the newest first.
 *
 * @param application - whole, as its API server answers.
 */
export function deploymentsOf(application: unknown): Deployment[] {
  const { history } = asObject(asObject(application).status);
  return listOf(history)
    .flatMap((item, index) => {
      const entry = asObject(item);
      const at =
        typeof entry.deployedAt === 'string'
          ? Date.parse(entry.deployedAt)
          : NaN;
      if (Number.isNaN(at)) {
        return [];
      }
      const many = listOf(entry.revisions);
      const by = asObject(entry.initiatedBy);
      const sources = listOf(entry.sources);
      const username = textOf(by.username);
      return {
        order: Number.isSafeInteger(entry.id) ? (entry.id as number) : index,
        deployedAt: new Date(at).toISOString(),
        ...(username !== undefined && { initiatedBy: username }),
        automated: by.automated === true || username === undefined,
        revisions: (many.length > 0 ? many : [entry.revision]).map(
          revision => textOf(revision) ?? '',
        ),
        targetRevisions: (sources.length > 0 ? sources : [entry.source]).map(
          source => textOf(asObject(source).targetRevision),
        ),
      };
    })
    .sort((left, right) => right.order - left.order)
    .map(({ order, ...deployment }) => deployment);
}

function sameAs(one: Deployment, other: Deployment): boolean {
  return (
    one.revisions.join(' ') === other.revisions.join(' ') &&
    one.targetRevisions.join(' ') === other.targetRevisions.join(' ')
  );
}

/**
 * The deployment that brought what runs, and what ran before it: Argo CD adds an entry for every
 * sync, also for those that changed nothing.
 */
export function releaseOf(deployments: readonly Deployment[]): {
  current?: Deployment;
  previous?: Deployment;
} {
  const [newest] = deployments;
  if (!newest) {
    return {};
  }
  const other = deployments.findIndex(one => !sameAs(one, newest));
  const previous = other < 0 ? undefined : deployments[other];
  const current = deployments[(other < 0 ? deployments.length : other) - 1];
  return { current, ...(previous && { previous }) };
}
