import {
  ConditionStatus,
  MergeRequestState,
  ReasonEffect,
  ReasonParams,
  Texts,
} from '@previews/backstage-plugin-previews-common';

/** What a module of the backend is told of a preview. */
export interface PreviewSubject {
  id: string;
  mergeRequest: {
    host: string;
    project: string;
    projectId: number;
    iid: number;
    title: string;
    author: string;
    sourceBranch: string;
    targetBranch: string;
    labels: string[];
    draft: boolean;
    state: MergeRequestState;
    headSha?: string;
    createdAt: string;
    updatedAt: string;
    mergedAt?: string;
    closedAt?: string;
    approvedAt?: string;
  };
  runningCommit?: string;
  urls: string[];
  applications: { cluster: string; namespace: string; name: string }[];
  namespaces: { cluster: string; name: string }[];
  conditions: { type: string; status: ConditionStatus; reason: string }[];
}

/** What is known from a source that a module added. */
export interface FurtherReading {
  /** `extension:<id>`. */
  sourceId: string;
  state: 'pending' | 'ready' | 'failing';
  /** ISO: end of the last reading that gave facts. */
  completeAt?: string;
  staleAfterSeconds: number;
  /** Whatever the module reads, by preview id; JSON, and never changed. */
  facts: ReadonlyMap<string, unknown>;
  /** Ids of previews whose facts were given and cannot be used. */
  unusable: ReadonlySet<string>;
}

/** What a condition of a module found; already checked and cut to size. */
export interface FurtherVerdict {
  status: ConditionStatus;
  reason: string;
  effect: ReasonEffect;
  params: ReasonParams;
  sentences: Texts;
  /** ISO: when time alone may change it. */
  lookAgainAt?: string;
}

/** A condition that a module added. */
export interface FurtherPolicy {
  type: string;
  title: Texts;
  /** `extension:<id>`, of the source that it reads or else of itself. */
  sourceId: string;
  /** Whether it is given the facts of a source. */
  readsSource: boolean;
  blocksLive: boolean;
  /** Never throws; `failed` when the module did, or gave nonsense. */
  evaluate(input: {
    preview: PreviewSubject;
    facts: unknown;
    now: string;
  }): FurtherVerdict | 'failed' | undefined;
}
