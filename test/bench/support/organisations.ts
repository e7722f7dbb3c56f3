import { Entity } from '@backstage/catalog-model';
import { randomBytes } from 'node:crypto';
import { freePort } from '../../support/freePort';
import {
  DatabaseConnection,
  Replica,
  ReplicaOptions,
  startReplica,
} from '../../support/startReplica';
import { waitFor } from '../../support/waitFor';
import { pathOf, Place, serviceOf } from './objects';
import { Upstream } from './startUpstream';

const MERGE_REQUESTS_PER_PROJECT = 10;

/** Filling may take this long on a slow machine. */
const PATIENCE = { timeoutMilliseconds: 240_000 };

/** Nothing that is under way pauses for so long. */
const QUIET_MILLISECONDS = 6_000;

/** How many projects with how many MRs each make so many previews. */
export function shapeOf(size: number) {
  return {
    projects: Math.ceil(size / MERGE_REQUESTS_PER_PROJECT),
    mergeRequestsPerProject: MERGE_REQUESTS_PER_PROJECT,
  };
}

/** The preview at a place in the middle of so many, another one for each number. */
export function placeOf(options: {
  projects: number;
  mergeRequestsPerProject: number;
  number: number;
}): Place {
  const { projects, mergeRequestsPerProject, number } = options;
  return {
    project: (Math.floor(projects / 2) + number) % projects,
    iid: 1 + (number % mergeRequestsPerProject),
  };
}

/** A component for every project. */
export function entitiesOf(options: {
  projects: number;
  upstream: Upstream;
}): Entity[] {
  const instance = new URL(options.upstream.gitlab.url).host;
  return Array.from({ length: options.projects }, (_, project) => ({
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name: serviceOf(project),
      namespace: 'default',
      annotations: {
        'gitlab.com/project-slug': pathOf(project),
        'gitlab.com/instance': instance,
      },
    },
    spec: { type: 'service', lifecycle: 'production', owner: 'guests' },
  }));
}

/** The PostgreSQL that `yarn bench` has started. */
export function benchDatabase(): DatabaseConnection {
  const text = process.env.BENCH_POSTGRES_URL;
  if (!text) {
    throw new Error('Run it by "yarn bench", which starts PostgreSQL');
  }
  const url = new URL(text);
  return {
    host: url.hostname,
    port: Number(url.port),
    user: url.username,
    password: url.password,
  };
}

/** Starts replicas of one portal that reads the upstream, on a database of its own. */
export async function startReplicas(options: {
  names: readonly string[];
  upstream: Upstream;
  projects: number;
  schedule?: ReplicaOptions['schedule'];
  script?: ReplicaOptions['script'];
}): Promise<{ replicas: Replica[]; ports: number[] }> {
  const { names, upstream, projects, schedule, script } = options;
  const databasePrefix = `bench_${randomBytes(4).toString('hex')}_`;
  const ports: number[] = [];
  const replicas: Replica[] = [];
  try {
    // One after the other, so that the first one makes the tables.
    for (const name of names) {
      const port = await freePort();
      ports.push(port);
      replicas.push(
        await startReplica({
          name,
          port,
          platform: upstream,
          database: benchDatabase(),
          databasePrefix,
          entities: entitiesOf({ projects, upstream }),
          schedule: { gitlabStaleAfter: { seconds: 60 }, ...schedule },
          ...(script && { script }),
        }),
      );
    }
  } catch (error) {
    await Promise.all(replicas.map(replica => replica.kill()));
    throw error;
  }
  return { replicas, ports };
}

/** Resolves when every preview is stored, all are live, and all was read since a time. */
export async function untilFresh(
  replica: Replica,
  options: { size: number; since?: number },
): Promise<void> {
  const { size, since = 0 } = options;
  await waitFor(
    `${size} previews to be live and fresh`,
    async () => {
      const [{ totalItems, phaseCounts }, { items }] = await Promise.all([
        replica.client.listPreviews({ limit: 1 }),
        replica.client.getSources(),
      ]);
      const late = items.filter(
        ({ kind, status, lastCompleteAt }) =>
          // Where there are no sets, no project of GitLab is read.
          (size > 0 || kind === 'cluster') &&
          (status !== 'fresh' || Date.parse(lastCompleteAt ?? '') < since),
      );
      if (
        totalItems !== size ||
        (phaseCounts.Live ?? 0) !== size ||
        items.length === 0 ||
        late.length > 0
      ) {
        throw new Error(
          `${totalItems} previews ${JSON.stringify(
            phaseCounts,
          )}, late: ${JSON.stringify(late)}`,
        );
      }
      return true;
    },
    PATIENCE,
  );
}

/** Resolves when GitLab is asked for nothing but its lists any more, over some polls. */
export async function untilQuiet(
  upstream: Upstream,
  options: { polls: number } = { polls: 3 },
): Promise<void> {
  let last = upstream.calls();
  let since = performance.now();
  await waitFor(
    'GitLab to be polled only',
    () => {
      const now = upstream.calls();
      if (now.details !== last.details) {
        last = now;
        since = performance.now();
      }
      return performance.now() - since > QUIET_MILLISECONDS &&
        now.lists - last.lists >= options.polls
        ? true
        : undefined;
    },
    PATIENCE,
  );
}

export function writerOf(replicas: readonly Replica[]): Promise<Replica> {
  return waitFor('a writer', () =>
    replicas.find(replica => replica.isWriter()),
  );
}

/** The value that a share of all are not above. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** Ends with the error's stack and a status, as every benchmark does. */
export function run(main: () => Promise<void>): void {
  main().then(
    () => process.exit(),
    error => {
      process.stderr.write(`${error.stack}\n${error.cause?.stack ?? ''}\n`);
      process.exit(1);
    },
  );
}
