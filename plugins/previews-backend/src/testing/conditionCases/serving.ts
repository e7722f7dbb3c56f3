import {
  at,
  controller,
  CLUSTER,
  HEAD,
  Json,
  OLD,
  pipeline,
  podStatus,
  podTemplate,
  REGISTRY,
  rollingOut,
  routeParent,
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

const certificate = (status: Json) => () => live().certificate({ status });

export const certificateReady: ConditionCase[] = [
  {
    title: 'a valid certificate is ready until it ends',
    world: live,
    expected: 'True Ready',
    params: { certificate: 'shop-tls', issuer: 'letsencrypt' },
  },
  {
    title: 'a certificate without a status is on its way, not ready',
    world: certificate(null as unknown as Json),
    expected: 'False Issuing',
    params: { certificate: 'shop-tls', hosts: ['mr-7.preview.example.com'] },
  },
  {
    title: 'a certificate that is being issued is waited for',
    world: certificate({
      notAfter: null,
      conditions: [
        { type: 'Ready', status: 'False', reason: 'DoesNotExist' },
        { type: 'Issuing', status: 'True', lastTransitionTime: at(-120) },
      ],
    }),
    expected: 'False Issuing',
    params: { since: at(-120) },
  },
  {
    title: 'an issuance that failed tells why and how often',
    world: certificate({
      notAfter: null,
      failedIssuanceAttempts: 3,
      conditions: [
        { type: 'Ready', status: 'False', reason: 'DoesNotExist' },
        { type: 'Issuing', status: 'False', message: 'order is errored' },
      ],
    }),
    expected: 'False IssuanceFailed',
    params: { error: 'order is errored', attempts: 3 },
  },
  {
    title: 'a renewal that runs leaves it ready',
    world: certificate({
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Issuing', status: 'True' },
      ],
    }),
    expected: 'True Ready',
  },
  {
    title: 'a renewal that failed leaves it ready as long as it is valid',
    world: certificate({
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Issuing', status: 'False', message: 'rate limited' },
      ],
    }),
    expected: 'True Ready',
  },
  {
    title: 'a certificate past its end is expired though it calls itself ready',
    world: certificate({ notAfter: at(-60) }),
    expected: 'False Expired',
    params: { notAfter: at(-60) },
  },
  {
    title: 'the worst of several certificates is told',
    world: () =>
      live().certificate({
        metadata: { name: 'second-tls' },
        status: null,
      }),
    expected: 'False Issuing',
    params: { certificate: 'second-tls' },
  },
  {
    title: 'it does not apply to a preview without one',
    world: () => live().without('certificates'),
    expected: undefined,
  },
  {
    title: 'it does not apply where cert-manager is not installed',
    world: () =>
      live()
        .without('certificates')
        .kindReading('certificates', { state: 'notInstalled' }),
    expected: undefined,
  },
  {
    title: 'certificates that may not be listed are unknown, not absent',
    world: () =>
      live()
        .without('certificates')
        .kindReading('certificates', { state: 'forbidden' }),
    expected: 'Unknown KindForbidden',
    params: { group: 'cert-manager.io' },
  },
  {
    title: 'certificates that nothing reads are not observed',
    world: () => live().argocdOnly(),
    expected: 'Unknown NotObserved',
    params: { what: 'Certificates' },
  },
  {
    title:
      'the certificate of a neighbour in a shared namespace is not its own',
    world: () =>
      live()
        .namespace({ metadata: { creationTimestamp: at(-9 * 86_400) } })
        .certificate({ status: null }),
    expected: undefined,
  },
  {
    title: 'in a shared namespace what Argo CD tracks for it is its own',
    world: () =>
      live()
        .namespace({ metadata: { creationTimestamp: at(-9 * 86_400) } })
        .certificate({
          metadata: {
            annotations: {
              'argocd.argoproj.io/tracking-id':
                'preview-mr-7:cert-manager.io/Certificate:preview-mr-7/shop-tls',
            },
          },
        }),
    expected: 'True Ready',
  },
];

const parents =
  (...list: Json[]) =>
  () =>
    live().httpRoute({ status: { parents: list } });

const refused = (reason: string, message = 'no') =>
  parents(routeParent({ accepted: { status: 'False', reason, message } }));

const unresolved = (reason: string, message: string) =>
  parents(routeParent({ resolved: { status: 'False', reason, message } }));

const twoParents = (second: Json) => () =>
  live().httpRoute({
    spec: {
      parentRefs: [
        { kind: 'Gateway', namespace: 'gateways', name: 'public' },
        { kind: 'Gateway', namespace: 'gateways', name: 'private' },
      ],
    },
    status: {
      parents: [
        routeParent(),
        routeParent({ parentRef: { name: 'private' }, ...second }),
      ],
    },
  });

const listenerProgrammed = (status: string) => ({
  status: {
    listeners: [
      { name: 'https', conditions: [{ type: 'Programmed', status }] },
    ],
  },
});

export const routeAccepted: ConditionCase[] = [
  {
    title: 'a route that is accepted, resolved and programmed serves',
    world: live,
    expected: 'True Accepted',
    params: {
      route: 'HTTPRoute shop',
      parents: ['Gateway gateways/public'],
    },
  },
  {
    title: 'a route that no controller has looked at is pending',
    world: parents(),
    expected: 'False Pending',
  },
  {
    title: 'the acceptance of an older generation is none',
    world: () => live().httpRoute({ metadata: { generation: 2 } }),
    expected: 'False Pending',
  },
  {
    title: 'the refusal of an older generation is none either',
    world: () =>
      refused('NoMatchingParent')().httpRoute({ metadata: { generation: 2 } }),
    expected: 'False Pending',
  },
  {
    title: 'a controller that says Pending is waited for',
    world: refused('Pending'),
    expected: 'False Pending',
  },
  {
    title: 'a Gateway that does not allow the namespace is told',
    world: refused('NotAllowedByListeners'),
    expected: 'False NotAllowedByListeners',
    params: { parent: 'Gateway gateways/public' },
  },
  {
    title: 'a host that no listener has is told with the hosts',
    world: refused('NoMatchingListenerHostname'),
    expected: 'False NoMatchingHost',
    params: { hosts: ['mr-7.preview.example.com'] },
  },
  {
    title: 'a section or port that the Gateway has not is told',
    world: refused('NoMatchingParent'),
    expected: 'False NoMatchingParent',
  },
  {
    title: 'any other refusal is told in the controller’s words',
    world: refused('UnsupportedValue', 'filter not supported'),
    expected: 'False NotAccepted',
    params: { code: 'UnsupportedValue', error: 'filter not supported' },
  },
  {
    title: 'a Service that does not exist is told though the route is accepted',
    world: unresolved('BackendNotFound', 'service shop not found'),
    expected: 'False BackendNotFound',
    params: { error: 'service shop not found' },
  },
  {
    title: 'a reference into another namespace without a grant is told',
    world: unresolved('RefNotPermitted', 'no grant'),
    expected: 'False ReferenceNotPermitted',
    params: { error: 'no grant' },
  },
  {
    title: 'a listener that is not programmed serves nobody',
    world: () => live().gateway(listenerProgrammed('False')),
    expected: 'False ListenerNotProgrammed',
    params: { listener: 'https', parent: 'Gateway gateways/public' },
  },
  {
    title: 'a Gateway that is not read says nothing against the route',
    world: () => live().without('gateways'),
    expected: 'True Accepted',
  },
  {
    title: 'one parent that accepts is enough, the other is a warning',
    world: twoParents({
      accepted: { status: 'False', reason: 'NotAllowedByListeners' },
    }),
    expected: 'True AcceptedByOneParent',
    params: {
      parent: 'Gateway gateways/public',
      refusedBy: 'Gateway gateways/private',
    },
  },
  {
    title: 'a second parent that has not looked yet is no warning',
    world: twoParents({ accepted: { observedGeneration: 0 } }),
    expected: 'True Accepted',
  },
  {
    title:
      'the status of a parent that the spec does not name any more is nothing',
    world: parents(
      routeParent({
        parentRef: { name: 'former' },
        accepted: { status: 'False', reason: 'NoMatchingParent' },
      }),
      routeParent(),
    ),
    expected: 'True Accepted',
  },
  {
    title: 'of two controllers for one parent one that accepts is enough',
    world: parents(
      routeParent({
        controllerName: 'example.com/other',
        accepted: { status: 'False', reason: 'NoMatchingParent' },
      }),
      routeParent(),
    ),
    expected: 'True Accepted',
  },
  {
    title: 'the worst of several routes is told',
    world: () =>
      live().httpRoute({
        metadata: { name: 'admin' },
        status: { parents: [] },
      }),
    expected: 'False Pending',
    params: { route: 'HTTPRoute admin' },
  },
  {
    title: 'an Ingress with an address is accepted',
    world: () => live().without('httpRoutes').ingress(),
    expected: 'True Accepted',
    params: { route: 'Ingress shop' },
  },
  {
    title: 'an Ingress without an address is pending',
    world: () => live().without('httpRoutes').ingress({ status: null }),
    expected: 'False Pending',
  },
  {
    title: 'it does not apply to a preview without a route',
    world: () => live().without('httpRoutes'),
    expected: undefined,
  },
  {
    title: 'a Gateway API that is not installed leaves the word to the Ingress',
    world: () =>
      live()
        .without(['httpRoutes', 'gateways'])
        .kindReading(['httpRoutes', 'gateways'], { state: 'notInstalled' })
        .ingress(),
    expected: 'True Accepted',
  },
  {
    title: 'routes that may not be listed leave the word to the Ingress',
    world: () =>
      live()
        .without('httpRoutes')
        .kindReading('httpRoutes', { state: 'forbidden' })
        .ingress(),
    expected: 'True Accepted',
  },
  {
    title:
      'routes that may not be listed are unknown where nothing else is read',
    world: () =>
      live()
        .without('httpRoutes')
        .kindReading('httpRoutes', { state: 'forbidden' }),
    expected: 'Unknown KindForbidden',
    params: { group: 'gateway.networking.k8s.io' },
  },
  {
    title: 'routes that nothing reads are not observed',
    world: () => live().argocdOnly(),
    expected: 'Unknown NotObserved',
    params: { what: 'HTTPRoutes' },
  },
  {
    title: 'routes whose reading is too old are unknown',
    world: () =>
      live().kindReading('httpRoutes', {
        state: 'failing',
        completeAt: at(-3600),
      }),
    expected: 'Unknown SourceUnavailable',
  },
];
