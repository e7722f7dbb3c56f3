import { ageColumn, columnsByKind, nameColumn, type Column } from './columns';
import type { KubernetesObject } from './object';

/**
 * A kind that the API server serves.
 *
 * @public
 */
export interface ResourceDefinition {
  /** Empty for the core group. */
  group: string;
  /** The first is preferred and the one objects are stored in. */
  versions: string[];
  kind: string;
  plural: string;
  singular: string;
  shortNames: string[];
  categories: string[];
  namespaced: boolean;
  /** Among `status`, `scale` and `log`. */
  subresources: string[];
  /** Defined by a CustomResourceDefinition: no strategic merge patch. */
  custom: boolean;
  /** Whether `metadata.generation` counts changes of what is desired. */
  hasGeneration: boolean;
  /** Columns of `kubectl get`, the name included. */
  columns: Column[];
}

type Options = Partial<Omit<ResourceDefinition, 'group' | 'versions' | 'kind'>>;

/**
 * Describes a kind, with the usual defaults: a regular plural, namespaced, the
 * columns `Name` and `Age`.
 *
 * @public
 */
export function defineResource(
  apiVersion: string,
  kind: string,
  options: Options & { otherVersions?: string[] } = {},
): ResourceDefinition {
  const { otherVersions = [], ...given } = options;
  const [group, version] = apiVersion.includes('/')
    ? apiVersion.split('/')
    : ['', apiVersion];
  return {
    group,
    versions: [version, ...otherVersions],
    kind,
    plural: pluralOf(kind.toLowerCase()),
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: true,
    subresources: [],
    custom: false,
    hasGeneration: true,
    columns: [nameColumn, ...(columnsByKind[kind] ?? [ageColumn])],
    ...given,
  };
}

function pluralOf(singular: string): string {
  if (singular.endsWith('s')) {
    return `${singular}es`;
  }
  return /[^aeiou]y$/.test(singular)
    ? `${singular.slice(0, -1)}ies`
    : `${singular}s`;
}

const core = (kind: string, options: Options = {}) =>
  defineResource('v1', kind, { hasGeneration: false, ...options });
const apps = (kind: string, options: Options = {}) =>
  defineResource('apps/v1', kind, {
    categories: ['all'],
    subresources: ['status', 'scale'],
    ...options,
  });
const rbac = (kind: string, options: Options = {}) =>
  defineResource('rbac.authorization.k8s.io/v1', kind, {
    hasGeneration: false,
    ...options,
  });
const argo = (kind: string, options: Options = {}) =>
  defineResource('argoproj.io/v1alpha1', kind, { custom: true, ...options });
const certManager = (kind: string, options: Options = {}) =>
  defineResource('cert-manager.io/v1', kind, {
    custom: true,
    categories: ['cert-manager'],
    subresources: ['status'],
    ...options,
  });
const acme = (kind: string) =>
  defineResource('acme.cert-manager.io/v1', kind, {
    custom: true,
    categories: ['cert-manager', 'cert-manager-acme'],
    subresources: ['status'],
  });
const gateway = (
  kind: string,
  options: Options & { otherVersions?: string[] } = {},
) =>
  defineResource('gateway.networking.k8s.io/v1', kind, {
    custom: true,
    categories: ['gateway-api'],
    subresources: ['status'],
    otherVersions: ['v1beta1'],
    ...options,
  });
const externalSecrets = (kind: string, options: Options = {}) =>
  defineResource('external-secrets.io/v1', kind, {
    custom: true,
    categories: ['external-secrets'],
    subresources: ['status'],
    ...options,
  });

/**
 * What a cluster serves with Argo CD, cert-manager, the Gateway API and the
 * External Secrets Operator installed. Every call makes a new list.
 *
 * @public
 */
export function defaultResources(): ResourceDefinition[] {
  return [
    core('Namespace', {
      shortNames: ['ns'],
      namespaced: false,
      subresources: ['status', 'finalize'],
    }),
    core('Pod', {
      shortNames: ['po'],
      categories: ['all'],
      subresources: ['status', 'log'],
      hasGeneration: true,
    }),
    core('Service', {
      shortNames: ['svc'],
      categories: ['all'],
      subresources: ['status'],
    }),
    core('Secret'),
    core('ConfigMap', { shortNames: ['cm'] }),
    // Its name says nothing, so it is the last of its columns.
    core('Event', { shortNames: ['ev'], columns: columnsByKind.Event }),
    core('PersistentVolumeClaim', {
      shortNames: ['pvc'],
      subresources: ['status'],
    }),
    core('PersistentVolume', {
      shortNames: ['pv'],
      namespaced: false,
      subresources: ['status'],
    }),
    core('ServiceAccount', { shortNames: ['sa'] }),
    core('Node', {
      shortNames: ['no'],
      namespaced: false,
      subresources: ['status'],
    }),
    apps('Deployment', { shortNames: ['deploy'] }),
    apps('StatefulSet', { shortNames: ['sts'] }),
    apps('ReplicaSet', { shortNames: ['rs'] }),
    defineResource('batch/v1', 'Job', {
      categories: ['all'],
      subresources: ['status'],
    }),
    defineResource('batch/v1', 'CronJob', {
      shortNames: ['cj'],
      categories: ['all'],
      subresources: ['status'],
    }),
    defineResource('autoscaling/v2', 'HorizontalPodAutoscaler', {
      shortNames: ['hpa'],
      categories: ['all'],
      subresources: ['status'],
      // Its generation is not counted before Kubernetes 1.36.
      hasGeneration: false,
    }),
    defineResource('policy/v1', 'PodDisruptionBudget', {
      shortNames: ['pdb'],
      subresources: ['status'],
    }),
    defineResource('networking.k8s.io/v1', 'Ingress', {
      shortNames: ['ing'],
      subresources: ['status'],
    }),
    defineResource('networking.k8s.io/v1', 'NetworkPolicy', {
      shortNames: ['netpol'],
    }),
    rbac('ClusterRole', { namespaced: false }),
    rbac('ClusterRoleBinding', { namespaced: false }),
    rbac('Role'),
    rbac('RoleBinding'),
    // Application and AppProject are defined without a status subresource.
    argo('Application', { shortNames: ['app', 'apps'] }),
    argo('ApplicationSet', {
      shortNames: ['appset', 'appsets'],
      subresources: ['status'],
    }),
    argo('AppProject', { shortNames: ['appproj', 'appprojs'] }),
    certManager('Certificate', { shortNames: ['cert', 'certs'] }),
    certManager('CertificateRequest', { shortNames: ['cr', 'crs'] }),
    certManager('Issuer'),
    certManager('ClusterIssuer', { namespaced: false }),
    acme('Order'),
    acme('Challenge'),
    gateway('Gateway', { shortNames: ['gtw'] }),
    gateway('GatewayClass', { shortNames: ['gc'], namespaced: false }),
    gateway('HTTPRoute'),
    gateway('ReferenceGrant', { shortNames: ['refgrant'], subresources: [] }),
    gateway('ListenerSet', { shortNames: ['lset'], otherVersions: [] }),
    // Its predecessor, which clusters that have not moved on still serve.
    defineResource('gateway.networking.x-k8s.io/v1alpha1', 'XListenerSet', {
      custom: true,
      shortNames: ['lset'],
      categories: ['gateway-api'],
      subresources: ['status'],
    }),
    externalSecrets('ExternalSecret', { shortNames: ['es'] }),
    externalSecrets('SecretStore', { shortNames: ['ss'] }),
    externalSecrets('ClusterSecretStore', {
      shortNames: ['css'],
      namespaced: false,
    }),
  ];
}

/** `group/version`, or `version` for the core group. */
export function apiVersionOf(
  resource: Pick<ResourceDefinition, 'group' | 'versions'>,
  version: string = resource.versions[0],
): string {
  return resource.group ? `${resource.group}/${version}` : version;
}

/**
 * The kinds a cluster serves now. A kind name is unique in it.
 */
export class ResourceRegistry {
  readonly #byKind = new Map<string, ResourceDefinition>();
  readonly #removalListeners = new Set<(kind: string) => void>();

  constructor(definitions: ResourceDefinition[]) {
    definitions.forEach(definition => this.add(definition));
  }

  add(definition: ResourceDefinition): void {
    const existing = this.#byKind.get(definition.kind);
    if (existing && existing.group !== definition.group) {
      throw new Error(
        `Kind ${definition.kind} is already served by ${
          existing.group || 'the core group'
        }`,
      );
    }
    this.#byKind.set(definition.kind, definition);
  }

  remove(kind: string): void {
    this.#byKind.delete(kind);
    this.#removalListeners.forEach(listener => listener(kind));
  }

  /** Calls back when a kind is no longer served. */
  onRemove(listener: (kind: string) => void): () => void {
    this.#removalListeners.add(listener);
    return () => this.#removalListeners.delete(listener);
  }

  byKind(kind: string): ResourceDefinition | undefined {
    return this.#byKind.get(kind);
  }

  byPath(path: {
    group: string;
    version: string;
    plural: string;
  }): ResourceDefinition | undefined {
    return this.all().find(
      resource =>
        resource.group === path.group &&
        resource.plural === path.plural &&
        resource.versions.includes(path.version),
    );
  }

  /** The kind of an object, if it is served in the object's own version. */
  ofObject(
    object: Pick<KubernetesObject, 'apiVersion' | 'kind'>,
  ): ResourceDefinition | undefined {
    const resource = this.#byKind.get(object.kind);
    return resource?.versions.some(
      version => apiVersionOf(resource, version) === object.apiVersion,
    )
      ? resource
      : undefined;
  }

  all(): ResourceDefinition[] {
    return [...this.#byKind.values()];
  }
}
