import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { startArgocdServer, type ArgocdServer } from './argocd/server';
import { AcmeServer } from './acme/acmeServer';
import type { AcmeLimitName, AcmeLimits } from './acme/limits';
import { startAwsServer, type AwsServer } from './aws/server';
import { DnsZones } from './aws/zones';
import { createRealClock, type Clock } from './clock';
import { createControl, type Control } from './control/control';
import { createFaults, type SimulatorFaults } from './control/faults';
import { startControlServer } from './control/server';
import { Activity } from './controllers/activity';
import {
  startApplicationSetWebhook,
  type ApplicationSetWebhook,
} from './controllers/applicationSetWebhook';
import { PlatformFaults } from './controllers/faults';
import {
  defaultDelays,
  type Delays,
  type Platform,
} from './controllers/platform';
import { startControllers } from './controllers/startControllers';
import { startGitlabServer, type RecordedRequest } from './gitlab/server';
import { GitLabState } from './gitlab/state';
import { WebhookSender, type Delivery } from './gitlab/webhooks';
import {
  Cluster,
  startKubernetesServer,
  type ClusterFaults,
  type KubernetesObjectInput,
  type KubernetesServer,
} from './kubernetes';
import { createRandom } from './random';
import { demoScenario } from './scenarios/demo';
import {
  ARGOCD_GITLAB_TOKEN,
  layClusterFoundation,
  layControlFoundation,
} from './scenarios/foundation';
import { ScenarioBuilder } from './scenarios/scenarioBuilder';

/** Fills a fresh simulator; the answer, if any, stops what it keeps doing. */
export type Scenario = (
  simulator: Simulator,
) => void | (() => void) | Promise<void | (() => void)>;

/** Options of {@link startSimulator}. */
export interface SimulatorOptions {
  /** The same seed gives the same commits, names and choices. Default 1. */
  seed?: number | string;
  /** Divides delays; timestamps stay wall time. Default 1. */
  speed?: number;
  /** Instead of a real clock, for tests that need days; `speed` is not used then. */
  clock?: Clock;
  /** 0 or absent picks a free port. */
  gitlabPort?: number;
  /** For a GitLab below a path, for example `/gitlab`. */
  gitlabBasePath?: string;
  /** One cluster for each; the first runs Argo CD. Default one on a free port. */
  clusterPorts?: number[];
  /** Whether the API of the Argo CD in the first cluster is served. Default false. */
  argocd?: boolean;
  /** The control API listens only when this is set; 0 picks a free port. */
  controlPort?: number;
  /** Default `empty`. */
  scenario?: 'demo' | 'empty' | Scenario;
  /** A group hook of the groups that scenarios use, on the portal. */
  webhook?: { url: string; secret?: string; signingSecret?: string };
  /** Whether GitLab tells the ApplicationSet controller of changes. Default true. */
  applicationSetWebhook?: boolean;
  /** Cluster role and binding that the portal's token is held to, for example `docs/rbac.yaml`. */
  rbacFile?: string;
  /** Tokens with known values, for configuration files. */
  gitlabToken?: string;
  clusterToken?: string;
  delays?: Partial<Delays>;
  /** Route 53 and STS; 0 or absent picks a free port. */
  awsPort?: number;
  /** Names of the hosted zones. Default `example.com`, `example.org` and `example.net`. */
  hostedZones?: string[];
  /** Limits of the ACME server. It always counts; default is that it enforces none of them. */
  acme?: { enforce?: AcmeLimitName[]; limits?: Partial<AcmeLimits> };
}

/** A simulated cluster that is served. */
export interface SimulatedCluster {
  name: string;
  url: string;
  /** The portal's bearer token, held to `rbacFile` when there is one. */
  token: string;
  /** A token that may do everything. */
  adminToken: string;
  /** The same cluster in process. */
  cluster: Cluster;
  faults: ClusterFaults;
  requests: KubernetesServer['requests'];
}

/** A running platform. */
export interface Simulator {
  gitlab: {
    /** Origin and base path; the API is at `${url}/api/v4`. */
    url: string;
    /** The portal's token, with `read_api`. */
    token: string;
    state: GitLabState;
    /** Requests that reached the API, oldest first. */
    requests: RecordedRequest[];
    /** Webhook deliveries, oldest first. */
    deliveries: Delivery[];
  };
  clusters: SimulatedCluster[];
  /** The API of Argo CD, where it is served. */
  argocd?: Omit<ArgocdServer, 'close'>;
  /** Route 53 and STS. */
  aws: Omit<AwsServer, 'close'>;
  control: Control;
  /** URL of the control API, when it listens. */
  controlUrl?: string;
  faults: SimulatorFaults;
  /** Adds projects and ApplicationSets. */
  scenario: ScenarioBuilder;
  platform: Platform;
  /** Of this run; scenarios draw from streams named by it. */
  seed: number | string;
  /** Resolves when nothing is under way that ends by itself. */
  quiet(): Promise<void>;
  stop(): Promise<void>;
}

const DEFAULT_GITLAB_TOKEN = 'glpat-simulated-portal';
/** May write: what the portal's templates open merge requests with. */
const SCAFFOLDER_GITLAB_TOKEN = 'glpat-simulated-scaffolder';
const DEFAULT_CLUSTER_TOKEN = 'simulated-portal-token';
const DEFAULT_HOSTED_ZONES = ['example.com', 'example.org', 'example.net'];
const ARGOCD_TOKEN = 'simulated-argocd-token';
const CLUSTER_NAMES = ['preview', 'preview-2', 'preview-3', 'preview-4'];

/**
 * Starts a platform in this process: GitLab, clusters with their controllers, CI, over real HTTP on
 * the loopback interface. Rejects when a port is taken or the RBAC file cannot be read.
 */
export async function startSimulator(
  options: SimulatorOptions = {},
): Promise<Simulator> {
  const realClock = options.clock
    ? undefined
    : createRealClock({ speed: options.speed ?? 1 });
  const clock = (options.clock ?? realClock) as Clock;
  // One stream each, so that what one part draws does not depend on when another one does.
  const randomFor = (part: string) =>
    createRandom(`${options.seed ?? 1}/${part}`);
  const activity = new Activity();
  const state = new GitLabState({ clock, random: randomFor('gitlab') });
  const gitlabToken = options.gitlabToken ?? DEFAULT_GITLAB_TOKEN;
  const portalToken = state.addToken({ value: gitlabToken });
  state.addToken({
    value: ARGOCD_GITLAB_TOKEN,
    name: 'argocd',
    username: 'argocd-bot',
  });
  state.addToken({
    value: SCAFFOLDER_GITLAB_TOKEN,
    name: 'scaffolder',
    username: 'scaffolder-bot',
    scopes: ['api'],
  });
  const rbac = options.rbacFile ? await readRbac(options.rbacFile) : undefined;

  const gitlabServer = await startGitlabServer({
    state,
    clock,
    port: options.gitlabPort,
    basePath: options.gitlabBasePath,
  });
  const clusters: SimulatedCluster[] = [];
  const servers: KubernetesServer[] = [];
  for (const [index, port] of (options.clusterPorts ?? [0]).entries()) {
    const name = CLUSTER_NAMES[index] ?? `preview-${index + 1}`;
    const cluster = new Cluster({ name, clock, random: randomFor(name) });
    const token = options.clusterToken ?? DEFAULT_CLUSTER_TOKEN;
    const adminToken = `${name}-admin-token`;
    const server = await startKubernetesServer({
      cluster,
      port,
      tokens: [
        {
          token,
          user: rbac?.user ?? 'portal',
          groups: rbac ? [] : ['system:masters'],
        },
        { token: adminToken, user: 'admin', groups: ['system:masters'] },
      ],
      rbac: rbac?.objects,
    });
    servers.push(server);
    clusters.push({
      name,
      url: server.url,
      token,
      adminToken,
      cluster,
      faults: server.faults,
      requests: server.requests,
    });
  }

  const argocdServer = options.argocd
    ? await startArgocdServer({
        cluster: clusters[0].cluster,
        token: ARGOCD_TOKEN,
      })
    : undefined;

  const dns = new DnsZones({ clock, random: randomFor('dns') });
  (options.hostedZones ?? DEFAULT_HOSTED_ZONES).forEach((name, index) =>
    dns.addZone({ name, id: `Z0SIMULATED${index + 1}` }),
  );
  const awsServer = await startAwsServer({
    zones: dns,
    clock,
    port: options.awsPort,
  });

  const platformFaults = new PlatformFaults();
  const platform: Platform = {
    clock,
    random: randomFor('platform'),
    activity,
    faults: platformFaults,
    delays: { ...defaultDelays, ...options.delays },
    gitlab: state,
    secrets: new Map(),
    acme: new AcmeServer({
      clock,
      random: randomFor('acme'),
      ...options.acme,
    }),
    dns,
    clusters,
  };
  const controllers = startControllers(platform);
  const sender = new WebhookSender({
    state,
    faults: gitlabServer.faults,
    clock,
    random: randomFor('webhooks'),
    activity,
  });
  clusters.forEach(({ cluster }) => layClusterFoundation(cluster));
  layControlFoundation({
    control: clusters[0].cluster,
    clusters,
    gitlabToken: ARGOCD_GITLAB_TOKEN,
  });

  let receiver: ApplicationSetWebhook | undefined;
  if (options.applicationSetWebhook !== false) {
    receiver = await startApplicationSetWebhook(platform);
    state.addSystemHook({ url: receiver.url, pipelineEvents: false });
  }
  if (options.webhook) {
    state.addSystemHook({
      url: options.webhook.url,
      token: options.webhook.secret,
      signingSecret: options.webhook.signingSecret,
    });
  }

  const faults = createFaults({
    clock,
    gitlab: gitlabServer.faults,
    platform: platformFaults,
    clusters,
    argocd: argocdServer?.faults,
    aws: awsServer.faults,
    portalToken,
    projectId: reference => state.project(reference).id,
    restartGitlab: () => gitlabServer.restart(),
  });

  let stopScenario: void | (() => void);
  let closeControl: (() => Promise<void>) | undefined;
  const simulator: Simulator = {
    gitlab: {
      url: gitlabServer.url,
      token: gitlabToken,
      state,
      requests: gitlabServer.requests,
      deliveries: sender.deliveries,
    },
    clusters,
    argocd: argocdServer,
    aws: awsServer,
    control: createControl(platform),
    faults,
    scenario: new ScenarioBuilder(platform),
    platform,
    seed: options.seed ?? 1,
    quiet: () => controllers.quiet(),
    stop: async () => {
      stopScenario?.();
      controllers.stop();
      sender.stop();
      realClock?.stop();
      await Promise.all([
        closeControl?.(),
        receiver?.close(),
        gitlabServer.close(),
        argocdServer?.close(),
        awsServer.close(),
        ...servers.map(server => server.close()),
      ]);
    },
  };
  if (options.controlPort !== undefined) {
    const server = await startControlServer(simulator, options.controlPort);
    simulator.controlUrl = server.url;
    closeControl = server.close;
  }
  const scenario =
    options.scenario === 'demo' ? demoScenario : options.scenario;
  if (typeof scenario === 'function') {
    stopScenario = await scenario(simulator);
  }
  return simulator;
}

/** The objects of an RBAC file, and the user that its first binding speaks of. */
async function readRbac(
  path: string,
): Promise<{ objects: KubernetesObjectInput[]; user: string }> {
  const objects = parseAllDocuments(await readFile(path, 'utf8'))
    .map(document => document.toJS() as KubernetesObjectInput | null)
    .filter(object => object !== null);
  const policy = objects.filter(object =>
    object.apiVersion.startsWith('rbac.authorization.k8s.io/'),
  );
  const subject = policy
    .filter(object => object.kind === 'ClusterRoleBinding')
    .flatMap(
      binding =>
        (binding.subjects ?? []) as {
          kind: string;
          name: string;
          namespace?: string;
        }[],
    )[0];
  const user =
    subject?.kind === 'ServiceAccount'
      ? `system:serviceaccount:${subject.namespace}:${subject.name}`
      : subject?.name ?? 'portal';
  return { objects: policy, user };
}
