import { Finding } from '@previews/backstage-plugin-previews-common';
import { MergeRequestKey } from './mergeRequest';
import { KindName } from './objects';

/** A reading that a finding was concluded from. */
export type ReadingReference =
  | { kind: 'objects'; cluster: string; objects: KindName }
  | { kind: 'project'; host: string; projectId: number; path: string }
  /** Every project that is read of a GitLab host. */
  | { kind: 'host'; host: string }
  | { kind: 'catalog' };

/** A finding as it is stored, with what tells whether it is over. */
export interface StoredFinding {
  finding: Finding;
  /** All of them have to be read completely and lately before its absence means anything. */
  restsOn: ReadingReference[];
  /** Sets that it is about, as `cluster:namespace/name`; where all are gone, so is it. */
  applicationSets: string[];
}

/** An Application that a set generated. */
export interface GeneratedMember {
  namespace: string;
  name: string;
  /** Its MR; absent where it could not be joined. */
  key?: MergeRequestKey;
  /** ISO: when it was made. */
  createdAt?: string;
}

/** Applications that a set had at one reading and not at the next. */
export interface GeneratedLoss {
  /** ISO: when they were first missing. */
  at: string;
  /** How many Applications the set had before. */
  before: number;
  /** Those of them that are not back yet and whose MR is not known to be over. */
  members: GeneratedMember[];
}

/** What is remembered of the Applications of one set, to see that they go. */
export interface GeneratedSet {
  /** `cluster:namespace/name`. */
  reference: string;
  /** Those that are there and that nobody is deleting. */
  members: GeneratedMember[];
  losses: GeneratedLoss[];
  /** Too many went at once; it lasts until all are back or their MRs are over. */
  alarm?: { lost: number; before: number };
}

/** What one pass changes of the findings, written in one transaction. */
export interface FindingChanges {
  /** New ones, and those of which something changed. */
  put: readonly StoredFinding[];
  /** Those that are over, with `resolvedAt`. */
  resolved: readonly StoredFinding[];
  sets: readonly GeneratedSet[];
  /** References of sets that are no longer watched. */
  forgottenSets: readonly string[];
}
