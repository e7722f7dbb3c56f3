import { apiVersionOf, type ResourceDefinition } from './resources';
import { groupVersionsOf } from './discovery';

/** Which OpenAPI v3 documents there are. */
export function openApiIndex(
  resources: ResourceDefinition[],
): Record<string, unknown> {
  return {
    paths: Object.fromEntries(
      groupVersionsOf(resources).map(groupVersion => {
        const path = documentPath(groupVersion);
        return [path, { serverRelativeURL: `/openapi/v3/${path}` }];
      }),
    ),
  };
}

function documentPath(groupVersion: string): string {
  return groupVersion.includes('/')
    ? `apis/${groupVersion}`
    : `api/${groupVersion}`;
}

/**
 * The OpenAPI v3 document of a group version: the operations, without schemas.
 * `kubectl` looks in it whether the server validates fields itself.
 *
 * Strategic merge patch is left out although the built-in kinds accept it:
 * where it is announced, `kubectl apply` computes its patches from the schemas;
 * where not, from the types it was built with.
 *
 * @param path - such as `apis/apps/v1`
 */
export function openApiDocument(
  resources: ResourceDefinition[],
  path: string,
): Record<string, unknown> | undefined {
  if (!groupVersionsOf(resources).map(documentPath).includes(path)) {
    return undefined;
  }
  const version = path.split('/').pop()!;
  const served = resources.filter(resource =>
    resource.versions.some(
      candidate => documentPath(apiVersionOf(resource, candidate)) === path,
    ),
  );
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.35.0' },
    paths: Object.fromEntries(
      served.map(resource => {
        const scope = resource.namespaced ? 'namespaces/{namespace}/' : '';
        return [
          `/${path}/${scope}${resource.plural}/{name}`,
          {
            patch: {
              description: `partially update the specified ${resource.kind}`,
              parameters: [
                {
                  name: 'fieldValidation',
                  in: 'query',
                  schema: { type: 'string', uniqueItems: true },
                },
              ],
              requestBody: {
                content: Object.fromEntries(
                  [
                    'application/apply-patch+yaml',
                    'application/json-patch+json',
                    'application/merge-patch+json',
                  ].map(type => [type, { schema: { type: 'object' } }]),
                ),
                required: true,
              },
              responses: { 200: { description: 'OK' } },
              'x-kubernetes-action': 'patch',
              'x-kubernetes-group-version-kind': {
                group: resource.group,
                version,
                kind: resource.kind,
              },
            },
          },
        ];
      }),
    ),
    components: { schemas: {} },
  };
}

/**
 * The OpenAPI v2 document without definitions, in protobuf, the only form
 * `kubectl` asks for: swagger "2.0" and info {"Kubernetes", "v1.35.0"}.
 */
export function openApiV2(): Buffer {
  const field = (number: number, value: Buffer) =>
    Buffer.concat([Buffer.from([(number << 3) | 2, value.length]), value]);
  const info = Buffer.concat([
    field(1, Buffer.from('Kubernetes')),
    field(2, Buffer.from('v1.35.0')),
  ]);
  return Buffer.concat([field(1, Buffer.from('2.0')), field(2, info)]);
}
