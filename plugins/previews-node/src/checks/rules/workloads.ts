import { AnyCheck, check } from '../check';
import {
  Container,
  isServing,
  selects,
  servingContainers,
  Workload,
  workloadsOf,
} from '../pods';
import { SetUp } from '../SetUp';
import { objectAt, textAt, valueAt } from '../values';

function namesOf(containers: readonly Container[]): string[] {
  return containers.map(({ name }) => name || '?');
}

/** Workloads of which some containers are found, and which. */
function withContainers(
  setUp: SetUp,
  options: {
    key: string[];
    find: (workload: Workload) => readonly Container[];
  },
) {
  return workloadsOf(setUp).flatMap(workload => {
    const found = options.find(workload);
    return found.length > 0
      ? [
          {
            on: workload.on,
            at: [...found[0].path, ...options.key],
            params: { containers: namesOf(found) },
          },
        ]
      : [];
  });
}

function allContainers({ containers, initContainers }: Workload): Container[] {
  return [...containers, ...initContainers];
}

/** What a container says of itself, else what its pod says. */
function securityOf(
  { object }: Container,
  { pod }: Workload,
  key: string,
): unknown {
  return (
    valueAt(object, ['securityContext', key]) ??
    valueAt(pod, ['securityContext', key])
  );
}

function mayBeRoot(container: Container, workload: Workload): boolean {
  const user = securityOf(container, workload, 'runAsUser');
  return (
    securityOf(container, workload, 'runAsNonRoot') !== true &&
    !(typeof user === 'number' && user > 0)
  );
}

function lacksResources({ object }: Container): boolean {
  const has = (...path: string[]) =>
    ['string', 'number'].includes(
      typeof valueAt(object, ['resources', ...path]),
    );
  // A limit without a request is a request as well.
  return !(
    (has('requests', 'cpu') || has('limits', 'cpu')) &&
    has('limits', 'memory')
  );
}

function isOutsidePreviews({ on }: Workload): boolean {
  return on.tier !== undefined && on.tier !== 'preview';
}

function isScaled({ on }: Workload, setUp: SetUp): boolean {
  return setUp
    .beside(on, 'HorizontalPodAutoscaler', 'ScaledObject')
    .some(({ object }) => {
      const target = objectAt(object, 'spec', 'scaleTargetRef');
      const least =
        valueAt(object, ['spec', 'minReplicas']) ??
        valueAt(object, ['spec', 'minReplicaCount']);
      return target.name === on.name && typeof least === 'number' && least >= 2;
    });
}

function mountsToken(workload: Workload, setUp: SetUp): boolean {
  const { on, pod } = workload;
  if (typeof pod.automountServiceAccountToken === 'boolean') {
    return pod.automountServiceAccountToken;
  }
  const name = textAt(pod, 'serviceAccountName') || 'default';
  return !setUp
    .beside(on, 'ServiceAccount')
    .some(
      account =>
        account.name === name &&
        account.object.automountServiceAccountToken === false,
    );
}

/** What pods need to be good neighbours, and to survive the nodes they are on. */
export const workloadChecks: AnyCheck[] = [
  check('ReadinessProbeMissing', setUp =>
    withContainers(setUp, {
      key: ['readinessProbe'],
      find: workload => {
        if (!isServing(workload, setUp)) {
          return [];
        }
        const named = servingContainers(workload);
        const serving = named.length > 0 ? named : workload.containers;
        const without = serving.filter(
          ({ object }) => !Object.hasOwn(object, 'readinessProbe'),
        );
        // Where no port is named, one that is probed serves for all.
        return named.length > 0 || without.length === serving.length
          ? without
          : [];
      },
    }),
  ),
  check('DisruptionBudgetMissing', setUp =>
    workloadsOf(setUp)
      .filter(
        workload =>
          isOutsidePreviews(workload) &&
          ['Deployment', 'StatefulSet'].includes(workload.on.kind) &&
          isServing(workload, setUp) &&
          setUp.wouldHave('PodDisruptionBudget', workload.on) &&
          !setUp
            .beside(workload.on, 'PodDisruptionBudget')
            .some(({ object }) =>
              selects(objectAt(object, 'spec', 'selector'), workload.labels),
            ),
      )
      .map(({ on }) => ({ on, at: ['metadata', 'name'], params: {} })),
  ),
  check('SingleReplica', setUp =>
    workloadsOf(setUp).flatMap(workload => {
      const { on } = workload;
      const replicas = valueAt(on.object, ['spec', 'replicas']) ?? 1;
      return isOutsidePreviews(workload) &&
        ['Deployment', 'StatefulSet'].includes(on.kind) &&
        isServing(workload, setUp) &&
        typeof replicas === 'number' &&
        // None at all is one that is put to sleep.
        replicas === 1 &&
        !isScaled(workload, setUp)
        ? [{ on, at: ['spec', 'replicas'], params: { replicas } }]
        : [];
    }),
  ),
  check('RootFileSystemWritable', setUp =>
    withContainers(setUp, {
      key: ['securityContext', 'readOnlyRootFilesystem'],
      find: workload =>
        allContainers(workload).filter(
          ({ object }) =>
            valueAt(object, ['securityContext', 'readOnlyRootFilesystem']) !==
            true,
        ),
    }),
  ),
  check('RunsAsRoot', setUp =>
    withContainers(setUp, {
      key: ['securityContext', 'runAsNonRoot'],
      find: workload =>
        allContainers(workload).filter(container =>
          mayBeRoot(container, workload),
        ),
    }),
  ),
  check('PrivilegedContainer', setUp =>
    withContainers(setUp, {
      key: ['securityContext', 'privileged'],
      find: workload =>
        allContainers(workload).filter(
          ({ object }) =>
            valueAt(object, ['securityContext', 'privileged']) === true,
        ),
    }),
  ),
  check('ResourcesMissing', setUp =>
    withContainers(setUp, {
      key: ['resources'],
      find: workload => workload.containers.filter(lacksResources),
    }),
  ),
  check('ServiceAccountTokenMounted', setUp =>
    workloadsOf(setUp)
      .filter(
        ({ on, pod }) =>
          setUp.wouldHave('ServiceAccount', on) ||
          pod.automountServiceAccountToken === true,
      )
      .filter(workload => mountsToken(workload, setUp))
      .map(({ on, path }) => ({
        on,
        at: [...path, 'automountServiceAccountToken'],
        params: {},
      })),
  ),
];
