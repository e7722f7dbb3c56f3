import type { Cluster } from './cluster';
import type { KubernetesObject, KubernetesObjectInput } from './object';

/** Who makes a request. */
export interface UserInfo {
  name: string;
  groups: string[];
}

/** What a request wants to do with a resource. */
export interface ResourceAttributes {
  verb: string;
  group: string;
  resource: string;
  subresource?: string;
  namespace?: string;
  name?: string;
}

/** What a request wants to do with a path that is no resource. */
export interface PathAttributes {
  verb: string;
  path: string;
}

interface PolicyRule {
  verbs?: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

const GROUP = 'rbac.authorization.k8s.io';
const API_VERSION = `${GROUP}/v1`;

/** A member may do everything, whatever the roles say. */
export const SUPERUSER_GROUP = 'system:masters';

/** The roles and bindings every cluster begins with, as far as they matter. */
export const BOOTSTRAP_POLICY: KubernetesObjectInput[] = [
  clusterRole('cluster-admin', [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ]),
  clusterRole('system:discovery', [
    {
      verbs: ['get'],
      nonResourceURLs: [
        '/api',
        '/api/*',
        '/apis',
        '/apis/*',
        '/healthz',
        '/livez',
        '/openapi',
        '/openapi/*',
        '/readyz',
        '/version',
        '/version/',
      ],
    },
  ]),
  clusterRole('system:public-info-viewer', [
    {
      verbs: ['get'],
      nonResourceURLs: [
        '/healthz',
        '/livez',
        '/readyz',
        '/version',
        '/version/',
      ],
    },
  ]),
  clusterRole('system:basic-user', [
    {
      verbs: ['create'],
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
    },
    {
      verbs: ['create'],
      apiGroups: ['authentication.k8s.io'],
      resources: ['selfsubjectreviews'],
    },
  ]),
  clusterRoleBinding('cluster-admin', [SUPERUSER_GROUP]),
  clusterRoleBinding('system:discovery', ['system:authenticated']),
  clusterRoleBinding('system:basic-user', ['system:authenticated']),
  clusterRoleBinding('system:public-info-viewer', [
    'system:authenticated',
    'system:unauthenticated',
  ]),
];

function clusterRole(name: string, rules: PolicyRule[]): KubernetesObjectInput {
  return {
    apiVersion: API_VERSION,
    kind: 'ClusterRole',
    metadata: {
      name,
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
    },
    rules,
  };
}

function clusterRoleBinding(
  role: string,
  groups: string[],
): KubernetesObjectInput {
  return {
    apiVersion: API_VERSION,
    kind: 'ClusterRoleBinding',
    metadata: {
      name: role,
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
    },
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: role },
    subjects: groups.map(name => ({ apiGroup: GROUP, kind: 'Group', name })),
  };
}

/** Decides by the roles and bindings that are stored in the cluster. */
export class RbacAuthorizer {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Whether the user may do this with a resource. */
  allowsResource(user: UserInfo, attributes: ResourceAttributes): boolean {
    return (
      user.groups.includes(SUPERUSER_GROUP) ||
      this.rulesFor(user, attributes.namespace).some(rule =>
        coversResource(rule, attributes),
      )
    );
  }

  /** Whether the user may do this with a path that is no resource. */
  allowsPath(user: UserInfo, attributes: PathAttributes): boolean {
    return (
      user.groups.includes(SUPERUSER_GROUP) ||
      this.#rulesBoundBy(
        this.#cluster.store.list('ClusterRoleBinding'),
        user,
      ).some(rule => coversPath(rule, attributes))
    );
  }

  /** All rules that apply to a user, in a namespace where one is given. */
  rulesFor(user: UserInfo, namespace?: string): PolicyRule[] {
    const { store } = this.#cluster;
    return [
      ...this.#rulesBoundBy(store.list('ClusterRoleBinding'), user),
      ...(namespace
        ? this.#rulesBoundBy(store.list('RoleBinding', namespace), user)
        : []),
    ];
  }

  #rulesBoundBy(bindings: KubernetesObject[], user: UserInfo): PolicyRule[] {
    return bindings
      .filter(binding => bindsUser(binding, user))
      .flatMap(({ roleRef, metadata }) => {
        const namespace =
          roleRef?.kind === 'Role' ? metadata.namespace ?? '' : '';
        return (
          this.#cluster.store.get(roleRef?.kind, namespace, roleRef?.name)
            ?.rules ?? []
        );
      });
  }
}

function bindsUser(binding: KubernetesObject, user: UserInfo): boolean {
  return (binding.subjects ?? []).some((subject: any) => {
    switch (subject.kind) {
      case 'User':
        return subject.name === user.name;
      case 'Group':
        return user.groups.includes(subject.name);
      case 'ServiceAccount': {
        const namespace = subject.namespace ?? binding.metadata.namespace;
        return (
          user.name === `system:serviceaccount:${namespace}:${subject.name}`
        );
      }
      default:
        return false;
    }
  });
}

function includes(allowed: string[] | undefined, value: string): boolean {
  return Boolean(allowed?.includes('*') || allowed?.includes(value));
}

function coversResource(
  rule: PolicyRule,
  attributes: ResourceAttributes,
): boolean {
  const { verb, group, resource, subresource, name } = attributes;
  const wanted = subresource ? `${resource}/${subresource}` : resource;
  const coversKind =
    includes(rule.resources, wanted) ||
    Boolean(subresource && rule.resources?.includes(`*/${subresource}`));
  const coversName =
    !rule.resourceNames?.length ||
    (name !== undefined && rule.resourceNames.includes(name));
  return (
    includes(rule.verbs, verb) &&
    includes(rule.apiGroups, group) &&
    coversKind &&
    coversName
  );
}

function coversPath(rule: PolicyRule, { verb, path }: PathAttributes): boolean {
  return (
    includes(rule.verbs, verb) &&
    (rule.nonResourceURLs ?? []).some(pattern =>
      pattern.endsWith('*')
        ? path.startsWith(pattern.slice(0, -1))
        : path === pattern,
    )
  );
}

/** The words of a refusal, after "is forbidden: ". */
export function refusalOf(
  user: UserInfo,
  attributes: ResourceAttributes,
): string {
  const { verb, group, namespace } = attributes;
  const resource = attributes.subresource
    ? `${attributes.resource}/${attributes.subresource}`
    : attributes.resource;
  const where = namespace
    ? `in the namespace "${namespace}"`
    : 'at the cluster scope';
  return `User "${user.name}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`;
}
