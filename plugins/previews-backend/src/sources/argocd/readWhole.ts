import { ObjectAnswer, ObjectRequest } from '../../model';
import { canExist, setUpKindDefinitions } from '../objects';
import { ArgocdClient } from './ArgocdClient';
import { toArgocdRequestError } from './ArgocdRequestError';

const resources = {
  Application: 'applications',
  ApplicationSet: 'applicationsets',
  AppProject: 'projects',
} as const;

/**
 * Reads one whole object from an Argo CD, which carries Applications, their sets and
 * projects, and nothing that is deployed. It answers 403 for what is not there as
 * well, so that nothing is ever known to be missing.
 *
 * Never rejects.
 */
export async function readWhole(
  request: ObjectRequest,
  options: { client: ArgocdClient; signal: AbortSignal },
): Promise<ObjectAnswer> {
  const { kind, name, namespace } = request;
  const { client, signal } = options;
  if (!(kind in resources) || name === undefined || !canExist(request)) {
    return { state: 'unknown' };
  }
  try {
    const object = await client.object(
      resources[kind as keyof typeof resources],
      { name, ...(namespace !== undefined && { namespace }), signal },
    );
    const { group, versions } = setUpKindDefinitions[kind];
    // Argo CD's own API does not say it.
    const apiVersion = `${group}/${versions[0]}`;
    return { state: 'read', objects: [{ ...object, apiVersion, kind }] };
  } catch (error) {
    const { reason } = toArgocdRequestError(error);
    return reason === 'Forbidden' || reason === 'NotFound'
      ? { state: 'unknown' }
      : { state: 'failed' };
  }
}
