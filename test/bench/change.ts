// CPU time of one changed Application, from its JSON as a watch sends it to the
// committed row, on SQLite: the average over many changes, each of another preview.
// The engine itself runs, with its clock held, so that the passes over everything
// that it makes every ten seconds stay out; `decide` tells what those cost.
//
// What the fill left behind is collected before anything is measured: V8 looks for it
// eight seconds after any large collection, when little is allocated (`MemoryReducer`).
// That fell into the changes or not, by luck, with more than all of them cost. It comes
// once in a while however many changes there are, so it is switched off
// (`scripts/bench.mjs`); collections that the changes themselves bring about count.
import knexFactory from 'knex';
import { LoggerService } from '@backstage/backend-plugin-api';
import {
  PreviewEngine,
  Sources,
} from '../../plugins/previews-backend/src/engine';
import {
  ApplicationFact,
  KindFacts,
  KindName,
  KindReading,
  World,
} from '../../plugins/previews-backend/src/model';
import { defaultSettings } from '../../plugins/previews-backend/src/reconcile';
import { ObjectsChange } from '../../plugins/previews-backend/src/sources/types';
import { kindDefinitions } from '../../plugins/previews-backend/src/sources/objects';
import { pick } from '../../plugins/previews-backend/src/sources/pick';
import { DatabasePreviewStore } from '../../plugins/previews-backend/src/store';
import { CLUSTER, NOW } from '../../plugins/previews-backend/src/testing/world';
import { organisation } from './organisation';
import { report, SIZES } from './report';

const CHANGES = 100;
/** Changes that are made before any is measured, while code is still compiled. */
const WARM_UP = 80;
/** The last of these go after the collection, since it also throws compiled code away. */
const WARM_UP_AGAIN = 25;
/** As an Application of a small chart is sent, in bytes. */
const APPLICATION_BYTES = 15_000;

/** Sources that hold a world and tell of single Applications. */
class BenchSources {
  readonly #world: World;
  readonly #applications: Map<string, ApplicationFact>;
  #listener: (change?: ObjectsChange) => void = () => {};

  constructor(world: World) {
    this.#world = world;
    this.#applications = new Map(world.clusters[0].kinds.applications.objects);
  }

  applicationKeys(): string[] {
    return [...this.#applications.keys()];
  }

  application(key: string): ApplicationFact {
    return this.#applications.get(key)!;
  }

  /** Takes an Application as it is sent, and tells of it if anyone listens. */
  take(key: string, text: string): void {
    const fact = kindDefinitions.applications.parse(JSON.parse(text), {
      cluster: CLUSTER,
    });
    if (!fact) {
      throw new Error('The Application does not parse');
    }
    this.#applications.set(key, fact as ApplicationFact);
    this.#listener({ kind: 'applications', keys: [key] });
  }

  #kind(kind: KindName): KindReading<KindFacts[KindName]> {
    const reading: KindReading<KindFacts[KindName]> =
      this.#world.clusters[0].kinds[kind];
    return kind === 'applications'
      ? { ...reading, objects: this.#applications }
      : reading;
  }

  sources(): Sources {
    const [gitlab] = this.#world.gitlab;
    const [cluster] = this.#world.clusters;
    const common = (id: string, kind: 'gitlab' | 'cluster') => ({
      id,
      start: () => {},
      refresh: async () => {},
      state: () => ({
        id,
        kind,
        name: id,
        status: 'fresh' as const,
        errors: [],
        notes: [],
      }),
    });
    return {
      gitlab: [
        {
          ...common(`gitlab:${gitlab.host}`, 'gitlab'),
          host: gitlab.host,
          onChange: () => () => {},
          reading: () => gitlab,
          readProject: id => gitlab.projects.get(id),
          resume: () => {},
          unreadSince: () => undefined,
          trackProjects: () => {},
          followMergeRequests: () => {},
          lookForPast: () => {},
          lookForTags: () => {},
          lookForPaths: () => {},
          refreshMergeRequest: async () => {},
        },
      ],
      clusters: [
        {
          ...common(cluster.sourceId, 'cluster'),
          cluster: cluster.cluster,
          onChange: listener => {
            this.#listener = listener;
            return () => {};
          },
          reading: () => ({
            ...cluster,
            kinds: {
              ...cluster.kinds,
              applications: {
                ...cluster.kinds.applications,
                objects: new Map(this.#applications),
              },
            },
          }),
          readObjects: (kind, keys) => {
            const reading = this.#kind(kind);
            return { ...reading, objects: pick(reading.objects, keys) };
          },
        },
      ],
      catalog: {
        ...common('catalog', 'cluster'),
        onChange: () => () => {},
        reading: () => this.#world.catalog,
      },
    };
  }
}

/** An Application as a watch sends it, out of sync or in sync. */
function sent(fact: ApplicationFact, status: 'Synced' | 'OutOfSync'): string {
  const { meta, destination, sources, images, operation } = fact;
  const application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: meta.name,
      namespace: meta.namespace,
      uid: meta.uid,
      labels: meta.labels,
      creationTimestamp: meta.createdAt,
      finalizers: meta.finalizers,
      ownerReferences: meta.owner && [{ ...meta.owner, controller: true }],
      managedFields: [{ manager: 'argocd-application-controller', text: '' }],
    },
    spec: { project: fact.project, destination, source: sources[0].raw },
    status: {
      sync: { status, revision: fact.sync.revisions[0] },
      health: { status: status === 'Synced' ? 'Healthy' : 'Progressing' },
      summary: { images },
      operationState: operation && {
        phase: operation.phase,
        message: operation.message,
        startedAt: operation.startedAt,
        finishedAt: operation.finishedAt,
        syncResult: { revision: operation.revisions[0] },
      },
    },
  };
  const [managed] = application.metadata.managedFields;
  const missing = APPLICATION_BYTES - JSON.stringify(application).length;
  managed.text = 'f'.repeat(Math.max(0, missing));
  return JSON.stringify(application);
}

/** @throws Error where the process cannot be measured. */
function collect() {
  const { gc } = globalThis;
  if (!gc) {
    throw new Error('It needs --expose-gc --no-memory-reducer');
  }
  gc();
}

async function measure(size: number): Promise<number> {
  const knex = knexFactory({
    client: 'better-sqlite3',
    connection: ':memory:',
    useNullAsDefault: true,
  });
  const store = await DatabasePreviewStore.create({
    database: { getClient: async () => knex },
  });
  const bench = new BenchSources(organisation(size));
  const keys = bench.applicationKeys();
  // Spread over all of them, and as they are sent, so that only the status changes; of
  // a few previews one changes more than once.
  const chosen = Array.from(
    { length: CHANGES + WARM_UP },
    (_, index) => keys[Math.floor((index * size) / (CHANGES + WARM_UP))],
  );
  chosen.forEach(key =>
    bench.take(key, sent(bench.application(key), 'Synced')),
  );

  let passIsOver = () => {};
  let failure: Error | undefined;
  let passes = 0;
  const logger: LoggerService = {
    error: message => {
      failure = new Error(message);
      passIsOver();
    },
    warn: () => {},
    info: () => {},
    debug: () => {},
    child: () => logger,
  };
  const engine = PreviewEngine.create({
    store,
    sources: bench.sources(),
    settings: defaultSettings,
    isClaimAllowed: () => true,
    retentionMilliseconds: 365 * 86_400_000,
    listener: {
      previewsChanged: () => {},
      passEnded: () => {
        passes += 1;
        passIsOver();
      },
    },
    logger,
    clock: () => new Date(NOW),
  });
  const nextPass = () =>
    new Promise<void>(resolve => {
      passIsOver = resolve;
    });
  engine.start();
  await nextPass();

  const synced = async () => {
    const [row] = await knex('transitions')
      .where('document', 'like', '%"type":"Synced"%')
      .count({ count: '*' });
    return Number(row.count);
  };
  const before = await synced();

  const outOfSync = new Set<string>();
  let microseconds = 0;
  for (const [index, key] of chosen.entries()) {
    if (index === WARM_UP - WARM_UP_AGAIN) {
      collect();
    }
    const isOutOfSync = outOfSync.delete(key);
    if (!isOutOfSync) {
      outOfSync.add(key);
    }
    const text = sent(
      bench.application(key),
      isOutOfSync ? 'Synced' : 'OutOfSync',
    );
    const over = nextPass();
    const usedBefore = process.cpuUsage();
    bench.take(key, text);
    await over;
    const { user, system } = process.cpuUsage(usedBefore);
    if (index >= WARM_UP) {
      microseconds += user + system;
    }
  }
  await engine.stop();
  const written = (await synced()) - before;
  await knex.destroy();
  if (failure) {
    throw failure;
  }
  if (written !== chosen.length || passes < chosen.length) {
    throw new Error(`${written} of ${chosen.length} changes were written`);
  }
  return microseconds / CHANGES / 1000;
}

async function main() {
  for (const size of SIZES) {
    report({
      name: 'change-to-row',
      size,
      figure: await measure(size),
      ...(size === 10_000 && { budget: 5 }),
      unit: 'ms CPU',
    });
  }
}

main().catch(error => {
  process.stderr.write(`${error.stack}\n`);
  // What was begun must not keep it from ending.
  process.exit(1);
});
