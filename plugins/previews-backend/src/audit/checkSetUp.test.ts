import { ObjectAnswer, SetUpKind } from '../model';
import { Answered, checkSetUp } from './checkSetUp';
import { namespacedKinds } from './requestsOf';
import { EntitySetUp } from './setUpOf';

const prod = { tier: 'prod', name: 'prod' } as const;

const setUp: EntitySetUp = {
  entityRef: 'component:default/shop',
  service: 'shop',
  project: { host: 'gitlab.example.com', path: 'group/shop', id: 42 },
  sets: [],
  appProjects: [],
  applications: [],
  namespaces: [],
  repositories: [],
  fingerprint: '',
};

const none: ObjectAnswer = { state: 'read', objects: [] };
const labels = { app: 'shop' };

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'shop', namespace: 'shop' },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [
          { name: 'app', image: 'shop:1', ports: [{ containerPort: 80 }] },
        ],
      },
    },
  },
};
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'shop', namespace: 'shop' },
  spec: { selector: labels, ports: [{ port: 80 }] },
};

/** A namespace of prod with a workload of one replica and nothing beside it. */
function namespaceWith(
  answers: Partial<Record<SetUpKind, ObjectAnswer>> = {},
): Answered[] {
  return namespacedKinds.map(kind => ({
    request: { cluster: 'main', kind, namespace: 'shop' },
    environment: prod,
    answer:
      {
        Deployment: { state: 'read', objects: [deployment] } as ObjectAnswer,
        Service: { state: 'read', objects: [service] } as ObjectAnswer,
        ...answers,
      }[kind as 'Deployment'] ?? none,
  }));
}

function check(answers: readonly Answered[], webhookSeen?: boolean) {
  return checkSetUp({
    setUp,
    answers,
    repositories: [],
    ...(webhookSeen !== undefined && { webhookSeen }),
    incomplete: ['cluster:b', 'cluster:a', 'cluster:b'],
    now: '2026-11-29T12:00:00.000Z',
  });
}

const idsOf = (answers: readonly Answered[]) =>
  check(answers).results.map(({ id }) => id);

describe('the checks of a set-up', () => {
  it('tell when they ran and what was left out', () => {
    expect(check([])).toEqual({
      results: [],
      counts: {},
      checkedAt: '2026-11-29T12:00:00.000Z',
      incomplete: ['cluster:a', 'cluster:b'],
    });
  });

  it('miss what is not beside a workload, where all of it was read', () => {
    expect(idsOf(namespaceWith())).toEqual(
      expect.arrayContaining([
        'DisruptionBudgetMissing',
        'NetworkPolicyMissing',
        'ServiceAccountTokenMounted',
        'SingleReplica',
      ]),
    );
  });

  it.each<[string, SetUpKind, ObjectAnswer, string]>([
    [
      'NetworkPolicies may not be read',
      'NetworkPolicy',
      { state: 'unknown' },
      'NetworkPolicyMissing',
    ],
    [
      'PodDisruptionBudgets did not answer',
      'PodDisruptionBudget',
      { state: 'failed' },
      'DisruptionBudgetMissing',
    ],
    [
      'there are more ServiceAccounts than were read',
      'ServiceAccount',
      { state: 'read', objects: [], isCut: true },
      'ServiceAccountTokenMounted',
    ],
    [
      'an autoscaler may not be read',
      'HorizontalPodAutoscaler',
      { state: 'unknown' },
      'SingleReplica',
    ],
  ])('miss nothing where %s', (_, kind, answer, id) => {
    expect(idsOf(namespaceWith({ [kind]: answer }))).not.toContain(id);
  });

  it('miss nothing of a kind that one of the namespaces does not tell', () => {
    const other: Answered = {
      request: { cluster: 'main', kind: 'NetworkPolicy', namespace: 'other' },
      answer: { state: 'unknown' },
    };
    expect(idsOf([...namespaceWith(), other])).not.toContain(
      'NetworkPolicyMissing',
    );
  });

  it('blame no default project that may be a narrow one', () => {
    const set: Answered = {
      request: { cluster: 'main', kind: 'ApplicationSet', name: 'shop' },
      answer: {
        state: 'read',
        objects: [
          {
            apiVersion: 'argoproj.io/v1alpha1',
            kind: 'ApplicationSet',
            metadata: { name: 'shop', namespace: 'argocd' },
            spec: {
              generators: [{ pullRequest: { gitlab: { project: '42' } } }],
              template: { spec: { project: 'default' } },
            },
          },
        ],
      },
    };
    const project = (answer: ObjectAnswer): Answered => ({
      request: { cluster: 'main', kind: 'AppProject', name: 'default' },
      answer,
    });
    const open = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'default', namespace: 'argocd' },
      spec: { destinations: [{ server: '*', namespace: '*' }] },
    };
    expect(idsOf([set])).not.toContain('DefaultProject');
    expect(idsOf([set, project({ state: 'unknown' })])).not.toContain(
      'DefaultProject',
    );
    expect(idsOf([set, project(none)])).not.toContain('DefaultProject');
    expect(idsOf([set, project({ state: 'read', objects: [open] })])).toContain(
      'DefaultProject',
    );
  });

  it('keep fifty results, and count all', () => {
    const objects = Array.from({ length: 60 }, (_, index) => ({
      ...deployment,
      metadata: { name: `shop-${index}`, namespace: 'shop' },
    }));
    const { results, counts } = check(
      namespaceWith({ Deployment: { state: 'read', objects } }),
    );
    expect(results).toHaveLength(50);
    expect(
      Object.values(counts).reduce((sum, count) => sum + count, 0),
    ).toBeGreaterThan(60);
  });
});
