import type { KubernetesObject } from './object';
import type { ResourceDefinition } from './resources';

/** Records in `next.metadata.managedFields` who wrote what. */
export function trackManagedFields(change: {
  resource: ResourceDefinition;
  previous?: KubernetesObject;
  next: KubernetesObject;
  options: {
    fieldManager?: string;
    operation?: 'Apply' | 'Update';
    scope?: string;
  };
  now: string;
}): void {
  const { previous, next } = change;
  delete next.metadata.managedFields;
  if (previous?.metadata.managedFields) {
    next.metadata.managedFields = previous.metadata.managedFields;
  }
}
