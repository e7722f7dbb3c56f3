import { apiVersionOf, type ResourceDefinition } from './resources';

const OBJECT_VERBS = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** Kinds that only answer a question and are never stored. */
export const REVIEW_RESOURCES = [
  {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'SelfSubjectReview',
    plural: 'selfsubjectreviews',
  },
  {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    plural: 'selfsubjectaccessreviews',
  },
  {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectRulesReview',
    plural: 'selfsubjectrulesreviews',
  },
] as const;

interface DiscoveredResource {
  plural: string;
  singular: string;
  kind: string;
  namespaced: boolean;
  shortNames: string[];
  categories: string[];
  verbs: string[];
  subresources: Array<{
    name: string;
    kind: string;
    group?: string;
    version?: string;
    verbs: string[];
  }>;
}

interface DiscoveredGroup {
  group: string;
  versions: Array<{ version: string; resources: DiscoveredResource[] }>;
}

function describe(resource: ResourceDefinition): DiscoveredResource {
  return {
    plural: resource.plural,
    singular: resource.singular,
    kind: resource.kind,
    namespaced: resource.namespaced,
    shortNames: resource.shortNames,
    categories: resource.categories,
    verbs: OBJECT_VERBS,
    subresources: resource.subresources.map(name => {
      switch (name) {
        case 'scale':
          return {
            name,
            kind: 'Scale',
            group: 'autoscaling',
            version: 'v1',
            verbs: ['get', 'patch', 'update'],
          };
        case 'log':
          return { name, kind: resource.kind, verbs: ['get'] };
        case 'finalize':
          return { name, kind: resource.kind, verbs: ['update'] };
        default:
          return {
            name,
            kind: resource.kind,
            verbs: ['get', 'patch', 'update'],
          };
      }
    }),
  };
}

/** All groups with what is in them, the core group first. */
function groupsOf(resources: ResourceDefinition[]): DiscoveredGroup[] {
  const groups = new Map<string, Map<string, DiscoveredResource[]>>();
  const add = (group: string, version: string, found: DiscoveredResource) => {
    const versions = groups.get(group) ?? new Map();
    groups.set(group, versions);
    versions.set(version, [...(versions.get(version) ?? []), found]);
  };
  for (const resource of resources) {
    for (const version of resource.versions) {
      add(resource.group, version, describe(resource));
    }
  }
  for (const { apiVersion, kind, plural } of REVIEW_RESOURCES) {
    const [group, version] = apiVersion.split('/');
    add(group, version, {
      plural,
      singular: kind.toLowerCase(),
      kind,
      namespaced: false,
      shortNames: [],
      categories: [],
      verbs: ['create'],
      subresources: [],
    });
  }
  return [...groups].map(([group, versions]) => ({
    group,
    versions: [...versions].map(([version, found]) => ({
      version,
      resources: found,
    })),
  }));
}

/** All group versions served, such as `apps/v1`, and `v1` for the core. */
export function groupVersionsOf(resources: ResourceDefinition[]): string[] {
  return groupsOf(resources).flatMap(({ group, versions }) =>
    versions.map(({ version }) => apiVersionOf({ group, versions: [version] })),
  );
}

/** The answer to `/api` or `/apis` in one document, with all resources. */
export function aggregatedDiscovery(
  resources: ResourceDefinition[],
  root: 'api' | 'apis',
): Record<string, unknown> {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groupsOf(resources)
      .filter(({ group }) => (root === 'api') === (group === ''))
      .map(({ group, versions }) => ({
        metadata: { name: group || undefined, creationTimestamp: null },
        versions: versions.map(({ version, resources: found }) => ({
          version,
          freshness: 'Current',
          resources: found.map(resource => ({
            resource: resource.plural,
            responseKind: { group, version, kind: resource.kind },
            scope: resource.namespaced ? 'Namespaced' : 'Cluster',
            singularResource: resource.singular,
            verbs: resource.verbs,
            shortNames: resource.shortNames,
            categories: resource.categories,
            subresources: resource.subresources.map(subresource => ({
              subresource: subresource.name,
              responseKind: {
                group: subresource.group ?? group,
                version: subresource.version ?? version,
                kind: subresource.kind,
              },
              verbs: subresource.verbs,
            })),
          })),
        })),
      })),
  };
}

/** The plain answer to `/api`. */
export function coreVersions(): Record<string, unknown> {
  return { kind: 'APIVersions', versions: ['v1'] };
}

/** The plain answer to `/apis`. */
export function apiGroups(
  resources: ResourceDefinition[],
): Record<string, unknown> {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groupsOf(resources)
      .filter(({ group }) => group !== '')
      .map(groupEntry),
  };
}

/** The answer to `/apis/<group>`, undefined when it is not served. */
export function apiGroup(
  resources: ResourceDefinition[],
  name: string,
): Record<string, unknown> | undefined {
  const found = groupsOf(resources).find(({ group }) => group === name);
  return found && { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(found) };
}

function groupEntry({ group, versions }: DiscoveredGroup) {
  const entries = versions.map(({ version }) => ({
    groupVersion: `${group}/${version}`,
    version,
  }));
  return { name: group, versions: entries, preferredVersion: entries[0] };
}

/** The answer to `/api/v1` or `/apis/<group>/<version>`. */
export function apiResources(
  resources: ResourceDefinition[],
  path: { group: string; version: string },
): Record<string, unknown> | undefined {
  const found = groupsOf(resources)
    .find(({ group }) => group === path.group)
    ?.versions.find(({ version }) => version === path.version);
  return (
    found && {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: apiVersionOf({
        group: path.group,
        versions: [path.version],
      }),
      resources: found.resources.flatMap(resource => [
        {
          name: resource.plural,
          singularName: resource.singular,
          namespaced: resource.namespaced,
          kind: resource.kind,
          verbs: resource.verbs,
          shortNames: resource.shortNames.length
            ? resource.shortNames
            : undefined,
          categories: resource.categories.length
            ? resource.categories
            : undefined,
        },
        ...resource.subresources.map(subresource => ({
          name: `${resource.plural}/${subresource.name}`,
          singularName: '',
          namespaced: resource.namespaced,
          group: subresource.group,
          version: subresource.version,
          kind: subresource.kind,
          verbs: subresource.verbs,
        })),
      ]),
    }
  );
}
