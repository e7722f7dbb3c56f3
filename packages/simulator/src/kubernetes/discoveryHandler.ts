import type { IncomingMessage, ServerResponse } from 'node:http';
import { answer, answerNotFound } from './answers';
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroups,
  apiResources,
  coreVersions,
} from './discovery';
import { openApiDocument, openApiIndex, openApiV2 } from './openapi';
import type { ResourceDefinition } from './resources';

const VERSION = {
  major: '1',
  minor: '35',
  emulationMajor: '1',
  emulationMinor: '35',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '34',
  gitVersion: 'v1.35.0',
  gitCommit: '0000000000000000000000000000000000000000',
  gitTreeState: 'clean',
  buildDate: '2025-12-17T00:00:00Z',
  goVersion: 'go1.25.5',
  compiler: 'gc',
  platform: 'linux/amd64',
};

/**
 * Answers a path that is about no resource: what is served, the version, the
 * OpenAPI documents, health.
 */
export function answerDiscovery(call: {
  resources: ResourceDefinition[];
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
}): void {
  const { resources, request, response } = call;
  const path = call.path.replace(/\/$/, '') || '/';
  const [root, group, version] = path.split('/').slice(1);

  if ((path === '/api' || path === '/apis') && wantsAggregate(request)) {
    answer(
      response,
      200,
      aggregatedDiscovery(resources, root as 'api' | 'apis'),
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    );
    return;
  }
  if (['/healthz', '/livez', '/readyz'].includes(path)) {
    answer(response, 200, 'ok');
    return;
  }
  if (path === '/openapi/v2') {
    response.writeHead(200, {
      'Content-Type':
        'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    });
    response.end(openApiV2());
    return;
  }
  const found = (() => {
    switch (root) {
      case 'version':
        return VERSION;
      case 'openapi':
        return path === '/openapi/v3'
          ? openApiIndex(resources)
          : openApiDocument(resources, path.slice('/openapi/v3/'.length));
      case 'api':
        return group
          ? apiResources(resources, { group: '', version: group })
          : coreVersions();
      case 'apis':
        if (!group) {
          return apiGroups(resources);
        }
        return version
          ? apiResources(resources, { group, version })
          : apiGroup(resources, group);
      default:
        return undefined;
    }
  })();
  if (found) {
    answer(response, 200, found);
  } else {
    answerNotFound(response);
  }
}

function wantsAggregate(request: IncomingMessage): boolean {
  return (request.headers.accept ?? '').split(',').some(entry => {
    const parameters = entry.split(';').map(part => part.trim());
    return (
      parameters.includes('as=APIGroupDiscoveryList') &&
      parameters.includes('v=v2')
    );
  });
}
