import { KindDefinition } from '../objects';
import { objectAt, objectsOf, wholeTextOf } from '../objects/values';
import { KubernetesClient } from './KubernetesClient';
import {
  KubernetesRequestError,
  toKubernetesRequestError,
} from './KubernetesRequestError';

/** Groups that every cluster has: a 404 for these is no missing kind. */
const BUILT_IN = [
  '',
  'apps',
  'autoscaling',
  'networking.k8s.io',
  'policy',
  'storage.k8s.io',
];

/** Path of all objects of a kind that are read, in a version of its group. */
export function pathOf(definition: KindDefinition, version: string): string {
  const { group, plural, fieldSelector } = definition;
  const path =
    group === ''
      ? `/api/${version}/${plural}`
      : `/apis/${group}/${version}/${plural}`;
  return fieldSelector === undefined
    ? path
    : `${path}?${new URLSearchParams({ fieldSelector })}`;
}

function notDiscovery(): KubernetesRequestError {
  return new KubernetesRequestError({
    reason: 'UnexpectedAnswer',
    message: 'The cluster answered with something that is not its API.',
    status: 200,
  });
}

interface Discovery {
  client: KubernetesClient;
  definition: Pick<KindDefinition, 'group' | 'plural' | 'versions'>;
  signal: AbortSignal;
}

/**
 * Finds the version that a kind is served in; undefined when the cluster does
 * not have the kind. That is concluded only from the cluster's own complete
 * lists: a 404 could come from anything that stands at the URL, and an API server
 * that has just begun leaves out of its lists what it has yet to register.
 */
export async function discoverVersion(
  options: Discovery,
): Promise<string | undefined> {
  const found = await findVersion(options);
  if (found !== undefined) {
    return found;
  }
  await expectReady(options);
  return findVersion(options);
}

/** Where the role, or what stands before the cluster, hides whether it is ready, it is. */
async function expectReady({ client, signal }: Discovery): Promise<void> {
  try {
    await client.checkReady({ signal });
  } catch (error) {
    const { status } = toKubernetesRequestError(error);
    if (status === undefined || status === 429 || status >= 500) {
      throw error;
    }
  }
}

async function findVersion(options: Discovery): Promise<string | undefined> {
  const { client, definition, signal } = options;
  if (BUILT_IN.includes(definition.group)) {
    return definition.versions[0];
  }
  const groups = await client.get('/apis', { signal });
  if (groups.kind !== 'APIGroupList' || !Array.isArray(groups.groups)) {
    throw notDiscovery();
  }
  const group = objectsOf(groups.groups, Infinity).find(
    ({ name }) => name === definition.group,
  );
  if (!group) {
    return undefined;
  }
  const served = objectsOf(group.versions).flatMap(
    ({ version }) => wholeTextOf(version, 63) ?? [],
  );
  const preferred = wholeTextOf(objectAt(group, 'preferredVersion').version);
  const candidates = [
    ...definition.versions.filter(version => served.includes(version)),
    ...served.filter(version => version === preferred),
    ...served,
  ].filter(version => /^v[0-9][a-z0-9]*$/.test(version));
  for (const version of new Set(candidates)) {
    const resources = await client.get(`/apis/${definition.group}/${version}`, {
      signal,
    });
    if (
      resources.kind !== 'APIResourceList' ||
      !Array.isArray(resources.resources)
    ) {
      throw notDiscovery();
    }
    if (
      objectsOf(resources.resources, Infinity).some(
        ({ name }) => name === definition.plural,
      )
    ) {
      return version;
    }
  }
  return undefined;
}
