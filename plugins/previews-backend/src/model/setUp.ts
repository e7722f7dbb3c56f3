/**
 * Kinds of the objects that readiness checks look at. They are read whole, by name
 * or by namespace and only when they are checked, and never kept. Secrets are not
 * among them.
 */
export const setUpKinds = [
  'ApplicationSet',
  'AppProject',
  'Application',
  'Namespace',
  'Deployment',
  'StatefulSet',
  'Service',
  'ServiceAccount',
  'PersistentVolumeClaim',
  'PodDisruptionBudget',
  'HorizontalPodAutoscaler',
  'ScaledObject',
  'NetworkPolicy',
  'HTTPRoute',
  'Ingress',
  'Certificate',
  'Issuer',
  'ClusterIssuer',
  'Gateway',
  'ExternalSecret',
  'StorageClass',
] as const;

export type SetUpKind = (typeof setUpKinds)[number];

/**
 * What is wanted whole of a kind: one object by its name, all of a namespace, or all
 * of a kind that has no namespaces.
 */
export interface ObjectRequest {
  cluster: string;
  kind: SetUpKind;
  namespace?: string;
  name?: string;
}

/**
 * What came of it:
 * - `read`: these are all there are, none where there are none;
 * - `unknown`: the source does not carry the kind, or may not read it;
 * - `failed`: it could not be asked, or did not answer.
 */
export type ObjectAnswer =
  | {
      state: 'read';
      objects: readonly Record<string, unknown>[];
      /** There are more than were read. */
      isCut?: true;
    }
  | { state: 'unknown' }
  | { state: 'failed' };

/** What GitLab says of who may change a repository: what is absent could not be read. */
export interface RepositoryProtection {
  defaultBranch?: string;
  /** As `GET /projects/:id/protected_branches` answers. */
  protectedBranches?: readonly unknown[];
  /** As `GET /projects/:id/protected_tags` answers. */
  protectedTags?: readonly unknown[];
}

/** Which projects' webhooks have come to the portal. */
export interface WebhookMemory {
  /** ISO: since when it is remembered. */
  since: string;
  /** ISO: when the last one came, by `host/project id`; a day is as exact as it gets. */
  projects: Record<string, string>;
}
