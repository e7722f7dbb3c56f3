import {
  Preview,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import { MergeRequestKey } from './mergeRequest';

/** What a decision remembers for the next one and nobody else needs to see. */
export interface Memory {
  /** Applications that were joined to this MR, by uid, with their owner's uid. */
  joined: {
    cluster: string;
    uid: string;
    ownerUid?: string;
    namespace: string;
    name: string;
  }[];
  /** Namespaces that it had objects in, so that they are looked for after the Application is gone. */
  namespaces: RememberedNamespace[];
  /** An environment existed at some time. */
  existed: boolean;
  /** The head was served at some time, by SHA. */
  servedSha?: string;
  /** Any commit was served at some time. */
  served: boolean;
  /** ISO: since when no set wants it, by complete readings. */
  unwantedSince?: string;
  /** Hosts that it named, of a portal that reads DNS; their records are looked for after its routes are gone. */
  hosts?: string[];
  /** ISO: since when nothing but records in DNS can be left of it. */
  onlyDnsSince?: string;
  /** ISO: the end of the time to live that its owners were warned of last. */
  warnedOfEnd?: string;
  /** ISO: since when all that may be left of it is in clusters that are configured no more, so that nothing is seen of it. */
  lostSince?: string;
  /** Sets that selected it last, as `cluster:namespace/name`. */
  selectedBy: string[];
}

/** A namespace that something of a preview was in. */
export interface RememberedNamespace {
  cluster: string;
  name: string;
  /**
   * None of its Applications ever deployed to it, they only had resources there:
   * whether it was seen to be the preview's own. Absent of a destination.
   */
  beside?: 'own' | 'shared';
  /** Of a destination: other previews had theirs in it too, to the last. */
  shared?: true;
}

/**
 * A preview as it is stored. `preview.entityRefs` are those that claim it; which
 * of them a caller may see is decided per request.
 */
export interface StoredPreview {
  key: MergeRequestKey;
  preview: Preview;
  memory: Memory;
}

/** One preview's new state and what changed on the way to it. */
export interface PreviewChange {
  stored: StoredPreview;
  /** What is stored of it until then; absent where nothing is. */
  before?: StoredPreview;
  /** Without ids; the store gives them, in this order. */
  transitions: Omit<Transition, 'id'>[];
}
