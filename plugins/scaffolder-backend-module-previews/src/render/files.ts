/** A file that a template brings along, by its path below the template's skeleton folder. */
export interface SkeletonFile {
  path: string;
  content: string;
}

/** A file to be written, by its path in the repository it is for. */
export interface RenderedFile {
  /** The GitOps repository, which Argo CD reads, or the repository of the service. */
  repository: 'gitops' | 'service';
  path: string;
  content: string;
}
