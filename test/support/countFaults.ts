import { ClusterFaults, FaultyAnswer, Simulator } from 'simulator';
import { FaultTally } from './FaultTally';

/** Names of what an answer of GitLab that is not the truth stands for. */
function nameOfAnswer({ status }: FaultyAnswer): string {
  return status === 200
    ? 'GitLab shows the portal empty lists'
    : `GitLab answers ${status}`;
}

/** Switches of the simulated GitLab, counted whenever they are turned on. */
const SWITCHES = {
  refuse: 'GitLab refuses connections',
  delay: 'GitLab is slow',
  webhooksToDrop: 'Webhooks are dropped',
  emptyLists: 'GitLab shows everybody empty lists',
} as const;

/** What a test calls to break a cluster, by its first argument where that matters. */
const OF_CLUSTER: {
  [Method in keyof ClusterFaults]?: (...given: never[]) => string | undefined;
} = {
  cutWatches: () => 'Watches are cut',
  expireResourceVersions: () => 'A watch is told 410',
  hangWatches: () => 'Watches hang',
  restart: () => 'The API server restarts',
  refuseConnections: (refuse: boolean) =>
    refuse ? 'The API server refuses connections' : undefined,
  failNext: (_: string, status: number) => `The API server answers ${status}`,
  rejectToken: () => 'The API server rejects the token',
  forbid: () => 'The API server forbids a kind',
  delay: (milliseconds: number) =>
    milliseconds > 0 ? 'The API server is slow' : undefined,
};

const OF_PLATFORM: Record<string, string> = {
  pipeline: 'Pipelines fail or never end',
  imageTag: 'Images are not pushed, or by another tag',
  workload: 'Containers crash or are never ready',
  certificate: 'Certificates are not issued',
  route: 'Routes are not accepted',
  sync: 'Syncs fail',
  generator: 'Generators err',
};

/** Counts from now on what is broken in a simulator, whoever breaks it. */
export function countFaults(simulator: Simulator, tally: FaultTally): void {
  const { faults } = simulator;
  const { gitlab, platform, clusters } = faults;
  const count = (name: string | undefined) => {
    if (name !== undefined) {
      tally.count(name);
    }
  };
  before(gitlab, 'answer', ({ answer }) => count(nameOfAnswer(answer)));
  before(gitlab, 'hideFromGroups', () =>
    count('A project drops out of the lists of its group'),
  );
  for (const [key, name] of Object.entries(SWITCHES)) {
    countSwitch(gitlab, key as keyof typeof SWITCHES, () => count(name));
  }
  before(platform, 'set', kind => count(OF_PLATFORM[kind]));
  before(faults, 'stickFinalizer', ({ kind }) =>
    count(`A finalizer holds its ${kind}`),
  );
  for (const cluster of clusters) {
    for (const [method, nameOf] of Object.entries(OF_CLUSTER)) {
      before(cluster, method as 'forbid', (...given) =>
        count((nameOf as (...values: unknown[]) => string)(...given)),
      );
    }
  }
}

/** Lets something happen before each call of a method. */
function before<
  Target extends object,
  Method extends keyof Target,
  Given extends unknown[] = Target[Method] extends (
    ...given: infer Parameters
  ) => unknown
    ? Parameters
    : never,
>(target: Target, method: Method, tell: (...given: Given) => void): void {
  const original = target[method] as unknown as (...given: Given) => unknown;
  Object.defineProperty(target, method, {
    value: (...given: Given) => {
      tell(...given);
      return original.apply(target, given);
    },
  });
}

function countSwitch<Key extends keyof typeof SWITCHES>(
  target: Record<Key, unknown>,
  key: Key,
  tell: () => void,
): void {
  let value = target[key];
  Object.defineProperty(target, key, {
    get: () => value,
    set: (next: unknown) => {
      if (next && !value) {
        tell();
      }
      value = next;
    },
  });
}
