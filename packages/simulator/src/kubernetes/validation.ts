import { invalid } from './errors';
import type { ObjectMetadata } from './object';
import type { ResourceDefinition } from './resources';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN =
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

/** Refuses a name that the kind does not allow, in the words of the API server. */
export function validateName(resource: ResourceDefinition, name: string): void {
  const refuse = (cause: string) => {
    throw invalid({
      resource,
      name,
      path: 'metadata.name',
      cause: `Invalid value: "${name}": ${cause}`,
    });
  };
  // Names of roles and bindings are path segments: "system:basic-user".
  if (resource.group === 'rbac.authorization.k8s.io') {
    if (/[/%]/.test(name)) {
      refuse("may not contain '/'");
    }
    return;
  }
  if (resource.kind === 'Namespace' || resource.kind === 'Service') {
    if (name.length > 63) {
      refuse('must be no more than 63 bytes');
    }
    if (!LABEL.test(name)) {
      refuse(
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      );
    }
    return;
  }
  if (name.length > 253) {
    refuse('must be no more than 253 bytes');
  }
  if (!SUBDOMAIN.test(name)) {
    refuse(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    );
  }
}

/** Refuses label values that are too long or contain what they may not. */
export function validateLabels(
  resource: ResourceDefinition,
  metadata: Pick<ObjectMetadata, 'name' | 'labels'>,
): void {
  for (const value of Object.values(metadata.labels ?? {})) {
    if (value.length > 63 || !LABEL_VALUE.test(value)) {
      throw invalid({
        resource,
        name: metadata.name,
        path: 'metadata.labels',
        cause: `Invalid value: "${value}": ${
          value.length > 63
            ? 'must be no more than 63 bytes'
            : "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
        }`,
      });
    }
  }
}
