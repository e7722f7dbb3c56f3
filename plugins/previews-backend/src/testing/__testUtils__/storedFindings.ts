import {
  Finding,
  findingDefinitions,
} from '@previews/backstage-plugin-previews-common';
import { StoredFinding } from '../../model';

/** A finding with everything that an ordinary one has, unless a test says otherwise. */
export function storedFinding(
  options: Partial<Finding> & Pick<Finding, 'id'>,
): StoredFinding {
  const type = options.type ?? 'NameCollision';
  return {
    finding: {
      type,
      severity: findingDefinitions[type].severity,
      subject: {
        kind: 'Application',
        cluster: 'main',
        namespace: 'argocd',
        name: 'web-1',
      },
      params: { application: 'web-1', count: 2 },
      message: 'Two merge requests give the name web-1.',
      since: '2026-11-02T08:00:00.000Z',
      previewIds: [],
      evidence: [],
      ...options,
    },
    restsOn: [{ kind: 'objects', cluster: 'main', objects: 'applicationSets' }],
    applicationSets: ['main:argocd/web-previews'],
  };
}
