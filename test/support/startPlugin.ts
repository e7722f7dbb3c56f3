import {
  BackendFeature,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import { mockServices, startTestBackend } from '@backstage/backend-test-utils';
import { Entity } from '@backstage/catalog-model';
import eventsPlugin from '@backstage/plugin-events-backend';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { eventsServiceRef } from '@backstage/plugin-events-node';
import { JsonObject } from '@backstage/types';
import { eventsModulePreviews } from '@previews/backstage-plugin-events-backend-module-previews';
import previewsPlugin from '@previews/backstage-plugin-previews-backend';
import {
  Condition,
  ConditionType,
  EntitySummaryResponse,
  ListPreviewsRequest,
  ListPreviewsResponse,
  Phase,
  phases,
  Preview,
  PreviewResponse,
  PreviewsClient,
  SourceState,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import { AddressInfo } from 'node:net';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Simulator, SimulatorOptions, startSimulator } from 'simulator';
import { countFaults } from './countFaults';
import { FaultTally } from './FaultTally';
import { freePort } from './freePort';
import { notificationsPlugin, SentNotification } from './notificationsPlugin';
import { waitFor } from './waitFor';

/** The cluster role that the plugin is documented to need. */
const RBAC = resolve(__dirname, '../../docs/rbac.yaml');

const WEBHOOK_SECRET = 'faults-webhook-secret';

/** Short enough for tests, in the proportions of the defaults. */
const SCHEDULE = {
  gitlabPoll: { milliseconds: 300 },
  gitlabStaleAfter: { milliseconds: 2000 },
  clusterRelistAfter: { milliseconds: 3000 },
  clusterStaleAfter: { milliseconds: 6000 },
  catalogPoll: { milliseconds: 1000 },
};

/** An MR of the simulator. */
export interface MergeRequestReference {
  /** Full path. */
  project: string;
  iid: number;
}

/** The real plugin in a test backend, reading a simulator over HTTP. */
export interface StartedPlugin {
  simulator: Simulator;
  /** Id of the GitLab source, as `stale` and the sources name it. */
  gitlabSource: string;
  /** A page of the previews of all phases, unless the request says otherwise. */
  previews(request?: ListPreviewsRequest): Promise<ListPreviewsResponse>;
  preview(id: string): Promise<PreviewResponse>;
  /** The row of an MR, of whatever phase. */
  find(reference: MergeRequestReference): Promise<Preview | undefined>;
  /** All transitions, oldest first. */
  timeline(id: string): Promise<Transition[]>;
  summary(entityRef: string): Promise<EntitySummaryResponse>;
  sources(): Promise<SourceState[]>;
  /** One source by its id; rejects when there is none. */
  source(id: string): Promise<SourceState>;
  /** The text of an answer, for what must not be anywhere in it. */
  fetchText(path: string, init?: RequestInit): Promise<string>;
  /** Waits until the MR's row fulfils the predicate; fails with the row as it is. */
  until(
    reference: MergeRequestReference,
    predicate: (preview: Preview) => boolean,
    options?: { timeoutMilliseconds?: number },
  ): Promise<Preview>;
  untilPhase(reference: MergeRequestReference, phase: Phase): Promise<Preview>;
  /** Waits until a source fulfils the predicate; fails with the source as it is. */
  untilSource(
    id: string,
    predicate: (source: SourceState) => boolean,
  ): Promise<SourceState>;
  /** Lets GitLab send its webhooks to the portal from now on, until it stops. */
  sendWebhooks(): void;
  /** What was sent to the notifications plugin, restarts included. */
  notified: SentNotification[];
  /** Errors that the backend logged. */
  errors: string[];
  /** Stops the backend; the database and the simulator stay. */
  stopBackend(): Promise<void>;
  /**
   * Ends the backend as `kill -9` does, for what comes after it: what it writes from
   * this moment on counts for nothing, not even that it gives its lease back. Its
   * lease has run out when the next one starts.
   */
  killBackend(): Promise<void>;
  /** Starts the backend again on the database it had. */
  startBackend(): Promise<void>;
  stop(): Promise<void>;
}

/** The condition of a row; undefined where it does not apply. */
export function condition(
  preview: Preview,
  type: ConditionType,
): Condition | undefined {
  return preview.conditions.find(candidate => candidate.type === type);
}

/** Starts a simulator, filled by the scenario, and the plugin on it. */
export async function startPlugin(
  options: {
    scenario?: (simulator: Simulator) => void;
    simulator?: Omit<SimulatorOptions, 'scenario'>;
    /** Merged over `previews`; `schedule` over the short one. */
    previews?: JsonObject & { schedule?: JsonObject };
    /** Merged over each entity's annotations. */
    annotations?: Record<string, string>;
    /** Instead of all clusters of the simulator. */
    readClusters?: number[];
    /** Read besides those of the simulator. */
    otherClusters?: { name: string; url: string; token: string }[];
    /** Name to read the Argo CD of the simulator by its API under. */
    readArgocd?: string;
    /** Installed besides, or in place of a service. */
    features?: BackendFeature[];
    /** Of who counts by itself what it breaks; default is to count what is broken. */
    tally?: FaultTally;
  } = {},
): Promise<StartedPlugin> {
  const simulator = await startSimulator({
    speed: 50,
    rbacFile: RBAC,
    ...options.simulator,
    // A cluster that refuses connections has to find its port again.
    clusterPorts: await Promise.all(
      (options.simulator?.clusterPorts ?? [0]).map(port => port || freePort()),
    ),
  });
  options.scenario?.(simulator);
  const tally = options.tally ?? new FaultTally();
  if (!options.tally) {
    countFaults(simulator, tally);
  }
  const directory = await mkdtemp(join(tmpdir(), 'previews-faults-'));
  let life = 0;
  const databases = () => join(directory, String(life));
  const host = new URL(simulator.gitlab.url).host;
  const errors: string[] = [];
  const notified: SentNotification[] = [];
  const { schedule, ...previews } = options.previews ?? {};
  const data = (): JsonObject => ({
    app: { baseUrl: 'http://127.0.0.1' },
    backend: {
      baseUrl: 'http://127.0.0.1',
      database: {
        client: 'better-sqlite3',
        connection: { directory: databases() },
      },
    },
    integrations: {
      gitlab: [
        {
          host,
          baseUrl: simulator.gitlab.url,
          apiBaseUrl: `${simulator.gitlab.url}/api/v4`,
        },
      ],
    },
    previews: {
      gitlab: [
        {
          host,
          token: simulator.gitlab.token,
          webhookSecrets: [WEBHOOK_SECRET],
        },
      ],
      clusters: [
        ...simulator.clusters.filter(
          (_, index) => options.readClusters?.includes(index) ?? true,
        ),
        ...(options.otherClusters ?? []),
      ].map(({ name, url, token }) => ({ name, url, token })),
      ...(options.readArgocd !== undefined && {
        argocd: {
          instances: [
            {
              name: options.readArgocd,
              url: simulator.argocd!.url,
              token: simulator.argocd!.token,
            },
          ],
        },
      }),
      schedule: { ...SCHEDULE, ...schedule },
      catalog: { projectClaims: 'any' },
      ...previews,
    },
  });

  // The test backend takes a free port at each start.
  let url = '';
  let backend: { stop(): Promise<void> } | undefined;
  const startBackend = async () => {
    const events = mockServices.events();
    const started = await startTestBackend({
      features: [
        previewsPlugin,
        eventsPlugin,
        eventsModulePreviews,
        notificationsPlugin(notified),
        ...(options.features ?? []),
        catalogServiceMock.factory({
          entities: entitiesOf(simulator, options.annotations),
        }),
        // One bus for all plugins; the mock's own factory makes one for each.
        createServiceFactory({
          service: eventsServiceRef,
          deps: {},
          factory: () => events,
        }),
        mockServices.rootConfig.factory({ data: data() }),
        mockServices.rootLogger.mock(loggerInto(errors)).factory,
      ],
    });
    backend = started;
    url = `http://127.0.0.1:${(started.server.address() as AddressInfo).port}`;
  };
  const stopBackend = async () => {
    await backend?.stop();
    backend = undefined;
  };
  const killBackend = async () => {
    const left = databases();
    life += 1;
    // Nothing can be written in between: the files are as of this moment, with
    // the journal of what is not committed.
    cpSync(left, databases(), { recursive: true });
    await stopBackend();
    endLease(join(databases(), 'previews.sqlite'));
  };
  const stop = async () => {
    tally.write();
    await stopBackend();
    await simulator.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await startBackend();
  } catch (error) {
    await stop();
    throw error;
  }

  const client = new PreviewsClient({
    discoveryApi: { getBaseUrl: async () => `${url}/api/previews` },
    fetchApi: { fetch },
  });
  const listPreviews = (request: ListPreviewsRequest = {}) =>
    client.listPreviews({ phase: [...phases], limit: 200, ...request });
  const find = async ({ project, iid }: MergeRequestReference) =>
    (await listPreviews({ project, q: `!${iid}` })).items.find(
      ({ mergeRequest }) =>
        mergeRequest.project === project && mergeRequest.iid === iid,
    );
  const sources = async () => (await client.getSources()).items;
  const source = async (id: string) => {
    const found = (await sources()).find(candidate => candidate.id === id);
    if (!found) {
      throw new Error(`There is no source ${id}`);
    }
    return found;
  };
  const until: StartedPlugin['until'] = async (
    reference,
    predicate,
    { timeoutMilliseconds = 60_000 } = {},
  ) => {
    let last: Preview | undefined;
    try {
      return await waitFor(
        `${reference.project}!${reference.iid}`,
        async () => {
          last = await find(reference);
          return last && predicate(last) ? last : undefined;
        },
        { timeoutMilliseconds },
      );
    } catch (error) {
      throw new Error(
        `${reference.project}!${
          reference.iid
        } did not become what was waited for; it is ${inspect(last)}`,
        { cause: error },
      );
    }
  };

  return {
    simulator,
    gitlabSource: `gitlab:${host}`,
    previews: listPreviews,
    preview: id => client.getPreview(id),
    find,
    timeline: async id => {
      const items: Transition[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.getTimeline(id, {
          limit: 200,
          ...(cursor !== undefined && { cursor }),
        });
        items.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return items.reverse();
    },
    summary: entityRef => client.getEntitySummary(entityRef),
    sources,
    source,
    fetchText: async (path, init) => {
      const response = await fetch(`${url}/api/previews${path}`, init);
      if (!response.ok) {
        throw new Error(`${path} answered ${response.status}`);
      }
      return response.text();
    },
    until,
    untilPhase: (reference, phase) =>
      until(reference, preview => preview.phase === phase),
    untilSource: async (id, predicate) => {
      let last: SourceState | undefined;
      try {
        return await waitFor(
          id,
          async () => {
            last = await source(id);
            return predicate(last) ? last : undefined;
          },
          { timeoutMilliseconds: 60_000 },
        );
      } catch (error) {
        throw new Error(
          `The source did not become what was waited for; it is ${JSON.stringify(
            last,
          )}`,
          { cause: error },
        );
      }
    },
    sendWebhooks: () => {
      simulator.gitlab.state.addSystemHook({
        url: `${url}/api/events/http/previews-gitlab`,
        token: WEBHOOK_SECRET,
      });
    },
    notified,
    errors,
    stopBackend,
    killBackend,
    startBackend,
    stop,
  };
}

/** A component for every project, as its `catalog-info.yaml` has it. */
function entitiesOf(
  simulator: Simulator,
  annotations: Record<string, string> = {},
): Entity[] {
  return [...simulator.gitlab.state.projects.values()].map(project => ({
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name: project.path,
      namespace: 'default',
      annotations: {
        'gitlab.com/project-slug': project.pathWithNamespace,
        ...annotations,
      },
    },
    spec: { type: 'service', lifecycle: 'production', owner: 'guests' },
  }));
}

/** Lets the time of a lease pass that nobody gives back. */
function endLease(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec('update lease set expires_at = 0');
  } finally {
    database.close();
  }
}

function loggerInto(errors: string[]) {
  const logger = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (message: string, meta?: unknown) => {
      errors.push(`${message} ${meta instanceof Error ? meta.stack : ''}`);
    },
    child: () => logger,
  };
  return logger;
}

function inspect(preview: Preview | undefined): string {
  if (!preview) {
    return 'not there';
  }
  const conditions = preview.conditions.map(
    ({ type, status, reason, params, lastKnown }) =>
      `${type}=${status}/${reason} ${JSON.stringify(params)}${
        lastKnown ? ` was ${lastKnown.status}/${lastKnown.reason}` : ''
      }`,
  );
  return `${preview.phase} stale=[${preview.stale}] commit=${JSON.stringify(
    preview.commit,
  )}\n  ${conditions.join('\n  ')}`;
}
