import { SourceState } from '@previews/backstage-plugin-previews-common';
import { CatalogReading, ClusterReading, GitLabReading } from '../model';

/**
 * A place that observations come from. It reads by itself once started, keeps
 * the newest reading in memory and tells that something changed; it concludes
 * nothing.
 */
export interface Source {
  /** `gitlab:<host>`, `cluster:<name>`, `argocd:<name>` or `catalog`. */
  readonly id: string;
  /**
   * Begins reading; resolves at once. Reading goes on until the signal aborts,
   * whatever fails on the way. Starting again after an abort begins afresh with
   * an empty, `pending` reading, since another writer may have been at work.
   */
  start(options: { signal: AbortSignal }): void;
  /** Calls back after every change of the reading; a hint only. Returns the unsubscription. */
  onChange(listener: () => void): () => void;
  /** Reads again as soon as it may; resolves when that reading has ended, well or not. */
  refresh(): Promise<void>;
}

/** A project as an ApplicationSet or an entity names it: by id or by full path. */
export type ProjectReference = { id: number } | { path: string };

export interface GitLabSource extends Source {
  readonly host: string;
  reading(): GitLabReading;
  state(now: Date): SourceState;
  /** Replaces the projects that are read. */
  trackProjects(references: readonly ProjectReference[]): void;
  /**
   * Replaces the MRs that are followed though they are not in the list of open
   * ones: remembered previews, and MRs that an Application points to.
   */
  followMergeRequests(
    keys: readonly { projectId: number; iid: number }[],
  ): void;
  /**
   * Replaces the tags that the registry is asked for; a tag that was found is
   * not asked for again.
   */
  lookForTags(
    tags: readonly {
      projectId: number;
      iid: number;
      tag: string;
      headSha: string;
    }[],
  ): void;
  /**
   * Replaces the paths that are looked for among the changed files of open MRs,
   * by project; once per head commit.
   */
  lookForPaths(
    paths: readonly { projectId: number; paths: readonly string[] }[],
  ): void;
  /**
   * Reads one MR, its pipelines and its tag again now; its approvals where its
   * update says that they can have changed, or `approvals` does.
   */
  refreshMergeRequest(key: {
    projectId: number;
    iid: number;
    approvals?: boolean;
  }): Promise<void>;
}

/** A cluster, or an Argo CD that tells of the clusters it deploys to. */
export interface ClusterSource extends Source {
  readonly cluster: string;
  reading(): ClusterReading;
  state(now: Date): SourceState;
}

export interface CatalogSource extends Source {
  reading(): CatalogReading;
}
