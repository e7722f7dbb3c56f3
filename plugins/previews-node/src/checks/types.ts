/**
 * Where an object was read from.
 *
 * @public
 */
export type ManifestSource =
  | { /** Path of a file, as people know it. */ path: string }
  | { /** Name of a cluster. */ cluster: string };

/**
 * An environment that objects belong to.
 *
 * @public
 */
export interface CheckedEnvironment {
  tier: 'preview' | 'dev' | 'prod';
  /** As images are tagged for it, such as `staging`. */
  name: string;
}

/**
 * One parsed object: a manifest of a file, a live object, a `List` of either, or a
 * policy document of AWS. It has to be whole: what a trimmed object lacks is taken to
 * be unset.
 *
 * @public
 */
export interface CheckedManifest {
  source: ManifestSource;
  object: unknown;
  /** What it was rendered for; else that of the context, else its namespace tells. */
  environment?: CheckedEnvironment;
}

/**
 * A file that is no manifest: `.gitlab-ci.yml`, a `Dockerfile`.
 *
 * @public
 */
export interface CheckedFile {
  path: string;
  text: string;
}

/**
 * What GitLab says of a repository: what is absent was not read.
 *
 * @public
 */
export interface CheckedRepository {
  /** Full path of the project. */
  path: string;
  /** What is deployed from: `gitops`; where the service is built: `service`. */
  role: 'gitops' | 'service';
  defaultBranch?: string;
  /** As `GET /projects/:id/protected_branches` answers. */
  protectedBranches?: readonly unknown[];
  /** As `GET /projects/:id/protected_tags` answers. */
  protectedTags?: readonly unknown[];
}

/**
 * What is known beside the objects.
 *
 * @public
 */
export interface CheckContext {
  /** Name of the service, as hosts and names carry it. */
  service?: string;
  /** Number of the service's GitLab project. */
  projectId?: number;
  /** Its full path; images below it are the service's own. */
  project?: string;
  /** What all manifests were rendered for that do not say otherwise. */
  environment?: CheckedEnvironment;
  /** Namespaces whose Secrets the edge can read. */
  servedNamespaces?: readonly string[];
  /**
   * Kinds of which every live object is among the manifests. Only of these is it
   * concluded that one is missing; files are taken to be complete.
   */
  completeKinds?: readonly string[];
  /** Name of the build input that carries the origin of the app, such as `APP_ORIGIN`. */
  originVariable?: string;
  /** Whether a webhook of the project has come; leave it out where nobody can know. */
  webhookSeen?: boolean;
  repositories?: readonly CheckedRepository[];
}

/**
 * What the readiness checks look at.
 *
 * @public
 */
export interface CheckInput {
  manifests: readonly CheckedManifest[];
  files?: readonly CheckedFile[];
  context?: CheckContext;
}
