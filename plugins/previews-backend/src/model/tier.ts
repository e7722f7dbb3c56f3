import { TierState } from '@previews/backstage-plugin-previews-common';

/** A long-lived environment by the words that name it. */
export interface TierName {
  name: string;
  /** Names of Applications that are it, with `*` for anything. */
  applications?: string;
}

/** The tiers of an entity, as they are stored. */
export interface StoredTiers {
  entityRef: string;
  tiers: TierState[];
}

/**
 * What is asked of a repository in GitLab:
 * - `commit`: one commit, and the MR that brought it;
 * - `lastChange`: the commit that changed a path last until a time, with its MR;
 * - `distance`: how many commits of `to` are not in `from`;
 * - `head`: the commit that a branch ends with, of the default branch where none is named;
 * - `file`: whether there is a file.
 */
export type RepositoryQuestion =
  | { kind: 'commit'; project: string; sha: string }
  | {
      kind: 'lastChange';
      project: string;
      path: string;
      /** Default: the default branch. */
      ref?: string;
      /** ISO. */
      until?: string;
      /** What the path says by it; an answer for something else is not taken for this one. */
      of?: string;
    }
  | { kind: 'distance'; project: string; from: string; to: string }
  | {
      kind: 'head';
      project: string;
      branch?: string;
      /** ISO: an answer from before is asked for again. */
      since?: string;
    }
  | { kind: 'file'; project: string; path: string; ref?: string };

/** A commit as GitLab tells of it. */
export interface CommitFact {
  sha: string;
  title: string;
  author: string;
  /** ISO. */
  committedAt: string;
  /** First MR that GitLab names for it; undefined where there is none or it is not known. */
  mergeRequest?: {
    iid: number;
    title: string;
    author: string;
    mergedBy?: string;
  };
}

/** What comes of each question. */
export interface RepositoryFacts {
  commit: CommitFact;
  lastChange: CommitFact;
  distance: { behind: number; atLeast?: true };
  head: { branch: string; sha: string };
  file: { exists: boolean };
}

/**
 * - `read`: so it is;
 * - `unknown`: GitLab does not have it, or the token may not see it;
 * - `waiting`: nobody asked yet, as others are asked first;
 * - `failed`: GitLab could not be asked, or did not answer.
 */
export type RepositoryAnswer<K extends RepositoryQuestion['kind']> =
  | { state: 'read'; fact: RepositoryFacts[K] }
  | { state: 'unknown' }
  | { state: 'waiting' }
  | { state: 'failed' };
