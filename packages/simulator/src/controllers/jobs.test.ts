import type { Cluster, KubernetesObject } from '../kubernetes';
import { startSimulator, type Simulator } from '../simulator';
import { eventually } from '../testing/eventually';
import { matchesSelector } from './labelSelector';

const NAMESPACE = 'shop';

describe('what runs to its end, and what may be disturbed', () => {
  let simulator: Simulator;
  let cluster: Cluster;

  beforeEach(async () => {
    simulator = await startSimulator({ speed: 400 });
    cluster = simulator.clusters[0].cluster;
    cluster.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: NAMESPACE },
    });
  });

  afterEach(async () => {
    await simulator.stop();
  });

  const createJob = (restartPolicy: string, spec: object = {}) =>
    cluster.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'migrate', namespace: NAMESPACE },
      spec: {
        ...spec,
        template: {
          spec: {
            restartPolicy,
            containers: [{ name: 'migrate', image: 'busybox:1' }],
          },
        },
      },
    });
  const job = () =>
    cluster.get({
      kind: 'Job',
      namespace: NAMESPACE,
      name: 'migrate',
    }) as KubernetesObject;
  const pods = () => cluster.list({ kind: 'Pod', namespace: NAMESPACE });

  it('completes a Job once its pod has succeeded', async () => {
    createJob('Never');
    await simulator.quiet();
    expect(job().status).toMatchObject({
      succeeded: 1,
      startTime: expect.any(String),
      completionTime: expect.any(String),
      conditions: [
        { type: 'SuccessCriteriaMet', status: 'True' },
        { type: 'Complete', status: 'True', reason: 'CompletionsReached' },
      ],
    });
    expect(job().status?.active).toBeUndefined();
    expect(pods()).toMatchObject([
      {
        status: {
          phase: 'Succeeded',
          containerStatuses: [
            { state: { terminated: { exitCode: 0, reason: 'Completed' } } },
          ],
        },
      },
    ]);
  });

  it('runs as many pods as a Job wants to succeed', async () => {
    createJob('Never', { completions: 3, parallelism: 2 });
    await eventually(() => expect(job().status?.succeeded).toBe(3));
    expect(pods()).toHaveLength(3);
  });

  it('fails a Job under the fault, after as many tries as it allows', async () => {
    simulator.faults.platform.setStanding(
      'job',
      `${NAMESPACE}/migrate`,
      'fails',
    );
    createJob('Never', { backoffLimit: 1 });
    await eventually(() =>
      expect(job().status).toMatchObject({
        failed: 2,
        conditions: [
          { type: 'FailureTarget', status: 'True' },
          { type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' },
        ],
      }),
    );
    expect(pods().map(pod => pod.status?.phase)).toEqual(['Failed', 'Failed']);
  });

  it('fails a Job whose container starts again too often', async () => {
    simulator.faults.platform.setStanding('job', NAMESPACE, 'fails');
    createJob('OnFailure', { backoffLimit: 0 });
    await eventually(() =>
      expect(job().status?.conditions).toMatchObject([
        { type: 'FailureTarget' },
        { type: 'Failed', status: 'True' },
      ]),
    );
  });

  it('starts no pod of a Job that is suspended', async () => {
    createJob('Never', { suspend: true });
    await simulator.quiet();
    expect(pods()).toEqual([]);
  });

  it.each([
    [{ minAvailable: 1 }, 1, 1],
    [{ minAvailable: '60%' }, 2, 0],
    [{ maxUnavailable: 1 }, 1, 1],
    [{ maxUnavailable: '50%' }, 1, 1],
  ])(
    'counts with %j the pods that may go',
    async (spec, desiredHealthy, disruptionsAllowed) => {
      cluster.create({
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'shop', namespace: NAMESPACE },
        spec: { ...spec, selector: { matchLabels: { app: 'shop' } } },
      });
      cluster.create({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'shop', namespace: NAMESPACE },
        spec: {
          replicas: 2,
          selector: { matchLabels: { app: 'shop' } },
          template: {
            metadata: { labels: { app: 'shop' } },
            spec: { containers: [{ name: 'web', image: 'busybox:1' }] },
          },
        },
      });
      await simulator.quiet();
      expect(
        cluster.get({
          kind: 'PodDisruptionBudget',
          namespace: NAMESPACE,
          name: 'shop',
        })?.status,
      ).toMatchObject({
        currentHealthy: 2,
        expectedPods: 2,
        desiredHealthy,
        disruptionsAllowed,
        conditions: [
          {
            type: 'DisruptionAllowed',
            status: disruptionsAllowed > 0 ? 'True' : 'False',
          },
        ],
      });
    },
  );
});

describe('matchesSelector', () => {
  const labels = { app: 'shop', tier: 'web' };

  it.each([
    [undefined, false],
    [{}, true],
    [{ matchLabels: { app: 'shop' } }, true],
    [{ matchLabels: { app: 'other' } }, false],
    [
      { matchExpressions: [{ key: 'app', operator: 'In', values: ['shop'] }] },
      true,
    ],
    [
      {
        matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['shop'] }],
      },
      false,
    ],
    [{ matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, true],
    [{ matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, false],
  ] as const)('selects by %j: %s', (selector, expected) => {
    expect(matchesSelector(selector as never, labels)).toBe(expected);
  });
});
