import {
  at,
  controller,
  CLUSTER,
  HEAD,
  Json,
  merged,
  OLD,
  pipeline,
  podStatus,
  podTemplate,
  REGISTRY,
  rollingOut,
  WorldBuilder,
} from '../world';
import { ConditionCase } from './types';

const { live, open } = WorldBuilder;
const IMAGE = `${REGISTRY}:${HEAD.slice(0, 8)}`;

/** A rollout whose one pod's container is in this state. */
const withContainer = (container: Json) => () =>
  live().deployment(rollingOut).pod(podStatus(container));

const waiting = (reason: string, message?: string) =>
  withContainer({ state: { waiting: { reason, message } } });

/** The image is not there, and the build says that it never comes. */
const neverBuilt = (world: () => WorldBuilder) => () =>
  world().mergeRequest({}, { pipelines: [pipeline({ status: 'failed' })] });

/** The image is there, whatever pods say. */
const inRegistry = (world: () => WorldBuilder) => () =>
  world().mergeRequest(
    {},
    { tag: { state: 'found', tag: HEAD.slice(0, 8), readAt: at(0) } },
  );

/** An old pod that serves and a new one in this state, as a rollout has them. */
const rollout = (container: Json) => () =>
  live()
    .deployment({ status: { replicas: 2, readyReplicas: 1 } })
    .replicaSet({
      metadata: { name: 'shop-0', creationTimestamp: at(-9000) },
      spec: { template: podTemplate(OLD) },
    })
    .pod({
      metadata: {
        name: 'shop-0-bbbbb',
        ownerReferences: [controller('ReplicaSet', 'shop-0', 'rs-shop-0')],
      },
      spec: podTemplate(OLD).spec,
    })
    .replicaSet({ status: { readyReplicas: 0 } })
    .pod(podStatus(container));

const health = (status: string, message?: string) => () =>
  live()
    .kindReading('pods', { state: 'forbidden' })
    .application({ status: { health: { status, message } } });

/** It failed three times, and so many seconds ago it was started once more. */
const crashedAndReady = (seconds: number) => () =>
  live().pod(
    merged(
      podStatus(
        {
          ready: true,
          restartCount: 3,
          imageID: `${REGISTRY}@sha256:${'ab'.repeat(32)}`,
          state: { running: { startedAt: at(-seconds) } },
          lastState: { terminated: { reason: 'Error', exitCode: 1 } },
        },
        'Running',
      ),
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    ),
  );

export const available: ConditionCase[] = [
  {
    title: 'workloads that are rolled out and ready serve',
    world: live,
    expected: 'True Available',
    params: { ready: 1, desired: 1 },
  },
  {
    title: 'a StatefulSet serves as a Deployment does',
    world: () =>
      live().without(['deployments', 'replicaSets', 'pods']).statefulSet(),
    expected: 'True Available',
  },
  {
    title: 'the worst of several workloads counts',
    world: () =>
      live().statefulSet({ metadata: { name: 'db' }, ...rollingOut }),
    expected: 'False Progressing',
    params: { workload: 'StatefulSet db', ready: 0, desired: 1 },
  },
  {
    title: 'a rollout that the controller has not seen yet is under way',
    world: () => live().deployment({ metadata: { generation: 2 } }),
    expected: 'False Progressing',
  },
  {
    title: 'a pod that starts is waited for',
    world: waiting('ContainerCreating'),
    expected: 'False Progressing',
  },
  {
    title: 'old pods that are ready do not make the new rollout ready',
    world: rollout({ state: { waiting: { reason: 'ContainerCreating' } } }),
    expected: 'False Progressing',
  },
  {
    title: 'a new pod that crashes is told though the old one serves',
    world: rollout({
      restartCount: 4,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { reason: 'Error', exitCode: 1 } },
    }),
    expected: 'False CrashLoop',
    params: { container: 'shop', restarts: 4, exitCode: 1 },
  },
  {
    title: 'what is wrong with an old pod does not matter to the new rollout',
    world: () =>
      live()
        .deployment({ status: { readyReplicas: 0 } })
        .replicaSet({ status: { readyReplicas: 0 } })
        .pod(podStatus({ state: { waiting: { reason: 'ContainerCreating' } } }))
        .replicaSet({
          metadata: { name: 'shop-0', creationTimestamp: at(-9000) },
          spec: { template: podTemplate(OLD) },
        })
        .pod({
          metadata: {
            name: 'shop-0-bbbbb',
            ownerReferences: [controller('ReplicaSet', 'shop-0', 'rs-shop-0')],
          },
          ...podStatus({
            restartCount: 9,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
          }),
        }),
    expected: 'False Progressing',
  },
  {
    title: 'a rollback takes its old ReplicaSet for the current one',
    world: () =>
      live()
        .replicaSet({ metadata: { creationTimestamp: at(-9000) } })
        .replicaSet({
          metadata: { name: 'shop-2', creationTimestamp: at(-60) },
          spec: { replicas: 0, template: podTemplate(OLD) },
          status: { readyReplicas: 0 },
        }),
    expected: 'True Available',
  },
  ...['ErrImagePull', 'ImagePullBackOff'].map(reason => ({
    title: `${reason} waits for the image while it may still come`,
    world: waiting(reason, 'manifest unknown'),
    expected: 'False WaitingForImage',
    params: { image: IMAGE, workload: 'Deployment shop', since: at(-3500) },
  })),
  ...['ErrImagePull', 'ImagePullBackOff'].map(reason => ({
    title: `${reason} is tried again once the image is in the registry`,
    world: inRegistry(waiting(reason, 'manifest unknown')),
    expected: 'False PullRetried',
    params: { image: IMAGE, workload: 'Deployment shop', since: at(-3500) },
  })),
  {
    title: 'that the image is in the registry says nothing of another one',
    world: inRegistry(() =>
      waiting('ImagePullBackOff')().pod({
        spec: {
          containers: [
            { name: 'shop', image: 'registry.example.com/tools/proxy:1.2' },
          ],
        },
      }),
    ),
    expected: 'False WaitingForImage',
  },
  ...['ErrImagePull', 'ImagePullBackOff'].map(reason => ({
    title: `${reason} is final once the build failed`,
    world: neverBuilt(waiting(reason, 'manifest unknown')),
    expected: 'False ImageNotFound',
    params: { image: IMAGE },
  })),
  {
    title: 'a time-out of the registry is no missing image',
    world: neverBuilt(waiting('ErrImagePull', 'i/o timeout')),
    expected: 'False WaitingForImage',
  },
  ...[
    'unauthorized: authentication required',
    'denied: requested access to the resource is denied',
    'unexpected status code 403 Forbidden',
    'no basic auth credentials',
  ].map(message => ({
    title: `a pull that is refused with "${message}" is denied`,
    world: waiting('ErrImagePull', message),
    expected: 'False PullDenied',
  })),
  {
    title: 'an image name that is invalid is told',
    world: waiting('InvalidImageName'),
    expected: 'False InvalidImageName',
    params: { image: IMAGE, container: 'shop' },
  },
  {
    title: 'a back-off after crashes is a crash loop',
    world: withContainer({
      restartCount: 3,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { reason: 'Error', exitCode: 137 } },
    }),
    expected: 'False CrashLoop',
    params: { restarts: 3, exitCode: 137 },
  },
  {
    title: 'between two back-offs it is still a crash loop',
    world: withContainer({
      restartCount: 3,
      state: { running: {} },
      lastState: { terminated: { reason: 'Error', exitCode: 1 } },
    }),
    expected: 'False CrashLoop',
  },
  ...[
    { seconds: 30, expected: 'False CrashLoop' },
    { seconds: 60, expected: 'True Available' },
  ].map(({ seconds, expected }) => ({
    title: `a container that is ready by itself, ${seconds} s after its last crash`,
    world: crashedAndReady(seconds),
    expected,
  })),
  {
    title:
      'a container that a probe finds ready is ready, whatever went before',
    world: () =>
      crashedAndReady(5)().pod({
        spec: {
          containers: [
            {
              name: 'shop',
              image: IMAGE,
              readinessProbe: { httpGet: { path: '/', port: 8080 } },
            },
          ],
        },
      }),
    expected: 'True Available',
  },
  {
    title: 'a single restart is no crash loop',
    world: withContainer({
      restartCount: 1,
      state: { running: {} },
      lastState: { terminated: { reason: 'Error', exitCode: 1 } },
    }),
    expected: 'False Progressing',
  },
  {
    title: 'restarts that ended well are no crash loop',
    world: withContainer({
      restartCount: 5,
      state: { running: {} },
      lastState: { terminated: { reason: 'Completed', exitCode: 0 } },
    }),
    expected: 'False Progressing',
  },
  {
    title: 'a container that is killed for its memory is told so',
    world: withContainer({
      restartCount: 3,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { reason: 'OOMKilled', exitCode: 137 } },
    }),
    expected: 'False OutOfMemory',
    params: { container: 'shop', restarts: 3 },
  },
  ...[
    'CreateContainerConfigError',
    'CreateContainerError',
    'RunContainerError',
  ].map(reason => ({
    title: `${reason} is told with its message`,
    world: waiting(reason, 'secret "shop" not found'),
    expected: 'False ContainerConfigError',
    params: { container: 'shop', error: 'secret "shop" not found' },
  })),
  {
    title: 'an init container that crashes is told as any other',
    world: () =>
      live()
        .deployment(rollingOut)
        .pod({
          status: {
            phase: 'Pending',
            conditions: [{ type: 'Ready', status: 'False' }],
            containerStatuses: [
              {
                name: 'shop',
                ready: false,
                state: { waiting: { reason: 'PodInitializing' } },
              },
            ],
            initContainerStatuses: [
              {
                name: 'migrate',
                ready: false,
                restartCount: 5,
                state: { waiting: { reason: 'CrashLoopBackOff' } },
              },
            ],
          },
        }),
    expected: 'False CrashLoop',
    params: { container: 'migrate' },
  },
  {
    title: 'a pod that no node takes is told with the scheduler’s words',
    world: () =>
      live()
        .deployment(rollingOut)
        .pod({
          status: {
            phase: 'Pending',
            containerStatuses: null,
            conditions: [
              {
                type: 'PodScheduled',
                status: 'False',
                message: '0/3 nodes are available',
              },
            ],
          },
        }),
    expected: 'False Unschedulable',
    params: { error: '0/3 nodes are available' },
  },
  {
    title: 'a pod that is being deleted explains nothing',
    world: () =>
      live()
        .deployment(rollingOut)
        .pod({
          metadata: { deletionTimestamp: at(-5) },
          ...podStatus({ state: { waiting: { reason: 'InvalidImageName' } } }),
        }),
    expected: 'False Progressing',
  },
  {
    title: 'pods that may not be created are told, such as by a quota',
    world: () =>
      live()
        .deployment(rollingOut)
        .without('pods')
        .replicaSet({
          status: {
            readyReplicas: 0,
            conditions: [
              {
                type: 'ReplicaFailure',
                status: 'True',
                message: 'exceeded quota',
              },
            ],
          },
        }),
    expected: 'False ReplicaFailure',
    params: { error: 'exceeded quota' },
  },
  {
    title: 'a rollout that makes no progress any more is told',
    world: () =>
      live()
        .deployment({
          status: {
            readyReplicas: 0,
            conditions: [
              {
                type: 'Progressing',
                status: 'False',
                reason: 'ProgressDeadlineExceeded',
              },
            ],
          },
        })
        .without('pods'),
    expected: 'False ProgressDeadlineExceeded',
    params: { ready: 0, desired: 1 },
  },
  {
    title: 'a preview whose workloads are all at no replicas is asleep',
    world: () =>
      live()
        .deployment({ spec: { replicas: 0 }, status: { readyReplicas: 0 } })
        .without('pods'),
    expected: 'False Asleep',
    params: { workload: 'Deployment shop' },
  },
  {
    title: 'one workload at no replicas does not put the others to sleep',
    world: () =>
      live().deployment({
        metadata: { name: 'worker' },
        spec: { replicas: 0 },
        status: { readyReplicas: 0, updatedReplicas: 0 },
      }),
    expected: 'True Available',
  },
  {
    title: 'an Application without workloads that is Healthy serves',
    world: () => live().without(['deployments', 'replicaSets', 'pods']),
    expected: 'True NoWorkloads',
    params: { application: 'preview-mr-7' },
  },
  {
    title: 'where workloads may not be read, Argo CD’s Healthy counts',
    world: health('Healthy'),
    expected: 'True Healthy',
  },
  {
    title: 'where workloads may not be read, Argo CD’s Degraded counts',
    world: health('Degraded', 'crashing'),
    expected: 'False Degraded',
    params: { error: 'crashing' },
  },
  {
    title: 'where workloads may not be read, Argo CD’s Suspended counts',
    world: health('Suspended'),
    expected: 'False Suspended',
  },
  {
    title: 'where workloads may not be read, Argo CD’s Progressing counts',
    world: health('Progressing'),
    expected: 'False Progressing',
  },
  ...['Missing', 'Unknown'].map(status => ({
    title: `where workloads may not be read, Argo CD’s ${status} is missing`,
    world: health(status),
    expected: 'False Missing',
  })),
  {
    title: 'Argo CD’s Healthy does not count where workloads tell otherwise',
    world: waiting('InvalidImageName'),
    expected: 'False InvalidImageName',
  },
  {
    title:
      'workloads in a cluster that is not configured are not known, naming it',
    world: () =>
      live().application({
        spec: { destination: { server: 'https://prod.example.com:6443' } },
      }),
    expected: 'Unknown ClusterNotConfigured',
    params: {
      destination: 'https://prod.example.com:6443',
      application: 'preview-mr-7',
    },
  },
  {
    title: 'workloads are looked for in the cluster that the destination names',
    world: () =>
      open()
        .cluster({
          cluster: 'workers',
          destinations: ['https://workers.example.com', 'workers'],
        })
        .application({
          spec: { destination: { server: 'HTTPS://Workers.example.com:443/' } },
        })
        .deployment({}, 'workers')
        .replicaSet({}, 'workers')
        .pod({}, 'workers'),
    expected: 'True Available',
  },
  {
    title: 'a destination is found by the name that Argo CD gives it',
    world: () =>
      open()
        .cluster({ cluster: 'workers', destinations: ['blue'] })
        .application({ spec: { destination: { server: null, name: 'blue' } } })
        .deployment(rollingOut, 'workers'),
    expected: 'False Progressing',
  },
  {
    title: 'in-cluster is the cluster that the Application was read from',
    world: () =>
      live().application({
        spec: { destination: { server: null, name: 'in-cluster' } },
      }),
    expected: 'True Available',
  },
  {
    title: 'of what only the API of Argo CD tells, Argo CD’s health counts',
    world: () => live().argocdOnly(),
    expected: 'True Healthy',
    params: { application: 'preview-mr-7' },
  },
  {
    title:
      'an Argo CD that is read by its API tells of clusters that are not configured',
    world: () =>
      live()
        .argocdOnly()
        .application({
          spec: { destination: { server: 'https://prod.example.com:6443' } },
        }),
    expected: 'True Healthy',
  },
  {
    title:
      'a destination that is configured is read itself, whoever tells of the Application',
    world: () =>
      open()
        .argocdOnly()
        .cluster({
          cluster: 'workers',
          destinations: ['https://workers.example.com'],
        })
        .application({
          spec: { destination: { server: 'https://workers.example.com' } },
        })
        .deployment(rollingOut, 'workers'),
    expected: 'False Progressing',
  },
  {
    title: 'pods that were not read yet leave it unknown',
    world: () => live().kindReading('pods', { state: 'pending' }),
    expected: 'Unknown NotReadYet',
  },
  {
    title: 'a stale reading of pods leaves it unknown',
    world: () =>
      live().kindReading('pods', { state: 'failing', completeAt: at(-3600) }),
    expected: 'Unknown SourceUnavailable',
    params: { source: `cluster:${CLUSTER}` },
  },
  {
    title: 'it does not apply before there is an Application',
    world: open,
    expected: undefined,
  },
];
