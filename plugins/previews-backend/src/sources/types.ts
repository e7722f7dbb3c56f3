import { SourceState } from '@previews/backstage-plugin-previews-common';
import {
  CatalogReading,
  ClusterReading,
  DnsZoneReading,
  GitLabReading,
  KindFacts,
  KindName,
  KindReading,
  ObjectAnswer,
  ObjectRequest,
  ProbeObservation,
  ProbeTarget,
  ProjectReading,
  ReachabilityReading,
  RepositoryAnswer,
  RepositoryProtection,
  RepositoryQuestion,
  TokenReading,
} from '../model';

/**
 * A place that observations come from. It reads by itself once started, keeps
 * the newest reading in memory and tells that something changed; it concludes
 * nothing.
 */
export interface Source<Change = never> {
  /** `gitlab:<host>`, `cluster:<name>`, `argocd:<name>`, `dns:<hosted zone>`, `catalog`, `tokens` or `reachability`. */
  readonly id: string;
  /**
   * Begins reading; resolves at once. Reading goes on until the signal aborts,
   * whatever fails on the way. Starting again after an abort begins afresh with
   * an empty, `pending` reading, since another writer may have been at work.
   */
  start(options: { signal: AbortSignal }): void;
  /**
   * Calls back after every change of the reading; a hint only. What it says is where
   * to look, and nothing means everywhere. Returns the unsubscription.
   */
  onChange(listener: (change?: Change) => void): () => void;
  /** Reads again as soon as it may; resolves when that reading has ended, well or not. */
  refresh(): Promise<void>;
}

/**
 * Only these objects may have changed, and the time at which the kind is known to
 * be complete. Keys are those of the reading.
 */
export interface ObjectsChange {
  kind: KindName;
  keys: readonly string[];
}

/** Only what is known of these projects and their MRs may have changed. */
export interface ProjectsChange {
  projectIds: readonly number[];
}

/** Only what visits of these hosts found may have changed. */
export interface HostsChange {
  hosts: readonly string[];
}

/** A project as an ApplicationSet or an entity names it: by id or by full path. */
export type ProjectReference = { id: number } | { path: string };

/** Tells which of some MRs there are rows of. */
export type Recall = (
  keys: readonly { projectId: number; iid: number }[],
) => Promise<readonly { projectId: number; iid: number }[]>;

export interface GitLabSource extends Source<ProjectsChange> {
  readonly host: string;
  /**
   * Takes up where the writer before has stopped, from the next start on. Of MRs that
   * have ended and that nobody follows, what was updated is read where there is a row.
   *
   * @param from - `unreadSince`: ISO, what {@link GitLabSource.unreadSince} said when
   *   all that had been read was decided last; absent where nothing ever was.
   */
  resume(from: { unreadSince?: string; recall: Recall }): void;
  /** ISO: since when what became of an MR that nobody follows may be unread. */
  unreadSince(): string | undefined;
  reading(): GitLabReading;
  /** What {@link GitLabSource.reading} has of one project, without the cost of all others. */
  readProject(projectId: number): ProjectReading | undefined;
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
   * Replaces the MRs that are neither listed nor followed and of which it is to be
   * told when they began and ended.
   */
  lookForPast(keys: readonly { projectId: number; iid: number }[]): void;
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
  /**
   * Who may change a repository. It is asked for seldom: a younger answer than an
   * hour stands, and where many are asked for they have to wait for their turn.
   *
   * @returns undefined while it is not known.
   */
  readProtection?(
    project: ProjectReference,
    options: {
      /** Of what is deployed from, the branches matter; of what is built, the tags. */
      role: 'gitops' | 'service';
    },
  ): Promise<RepositoryProtection | undefined>;
  /**
   * Answers a question about a repository: from memory where the answer cannot have
   * changed, else when it is its turn. Never rejects.
   */
  readRepository?<K extends RepositoryQuestion['kind']>(
    question: Extract<RepositoryQuestion, { kind: K }>,
  ): Promise<RepositoryAnswer<K>>;
}

/** Tokens that are named for checking. */
export interface TokenSource extends Source {
  readings(): TokenReading[];
}

/** A cluster, or an Argo CD that tells of the clusters it deploys to. */
export interface ClusterSource extends Source<ObjectsChange> {
  readonly cluster: string;
  reading(): ClusterReading;
  /**
   * What {@link ClusterSource.reading} has of a kind, with no other objects than
   * these, and without the cost of all others.
   */
  readObjects(
    kind: KindName,
    keys: Iterable<string>,
  ): KindReading<KindFacts[KindName]>;
  /** Reads whole objects now, and keeps none of them; never rejects. */
  readWhole?(
    request: ObjectRequest,
    options: { signal: AbortSignal },
  ): Promise<ObjectAnswer>;
  state(now: Date): SourceState;
}

/** A zone of DNS. */
export interface DnsSource extends Source {
  reading(): DnsZoneReading;
  state(now: Date): SourceState;
  /**
   * Something waits for a newer reading than there is: brings the next one
   * forward, unless one began a short while ago or the last one failed.
   */
  readSoon(): void;
}

export interface CatalogSource extends Source {
  reading(): CatalogReading;
}

/**
 * Visits of the previews' own hosts. Where nobody answers, that is what was found:
 * this source cannot fail.
 */
export interface ReachabilitySource extends Source<HostsChange> {
  reading(): ReachabilityReading;
  /** What {@link ReachabilitySource.reading} has of one host. */
  readHost(host: string): ProbeObservation | undefined;
  /** Replaces the hosts that are visited; those outside of the configured domains never are. */
  visit(targets: readonly ProbeTarget[]): void;
  /** Visits these hosts soon, of those that are visited anyway. */
  hurry(hosts: readonly string[]): void;
}
