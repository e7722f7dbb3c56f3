import { FindingSeverity, FindingType } from '../findings';
import { ReasonParams } from '../reasons';

/**
 * Kinds of what findings are about.
 *
 * @public
 */
export const findingSubjectKinds = [
  'MergeRequest',
  'Application',
  'ApplicationSet',
  'Namespace',
  'Entity',
  'Domain',
  'NameSet',
  'Issuer',
  'ClusterIssuer',
  'Token',
] as const;

/** @public */
export type FindingSubjectKind = (typeof findingSubjectKinds)[number];

/**
 * What a finding is about.
 *
 * @public
 */
export interface FindingSubject {
  kind: FindingSubjectKind;
  /**
   * `group/project!7` of an MR, the ref of an entity, a registered domain, the names
   * of a certificate, the configured name of a token, else the object's name.
   */
  name: string;
  /** Of an Application, an ApplicationSet or an Issuer. */
  namespace?: string;
  /** Cluster or Argo CD that the object was read from, or that a Namespace is in. */
  cluster?: string;
  /** GitLab host of an MR or a token, host of the ACME directory of a domain or of names. */
  host?: string;
}

/**
 * An object that a finding was concluded from, or that is part of it.
 *
 * @public
 */
export interface FindingEvidence {
  kind:
    | 'MergeRequest'
    | 'Application'
    | 'ApplicationSet'
    | 'Namespace'
    | 'HTTPRoute'
    | 'Ingress'
    | 'Certificate'
    | 'DnsRecord';
  /** As for {@link FindingSubject}; type and name of a record, such as `A mr-7.example.com`. */
  name: string;
  namespace?: string;
  cluster?: string;
  host?: string;
  /** ISO 8601 UTC: when it was created, or when it went where the finding is that it went. */
  since?: string;
  /**
   * Of a Namespace: how many Deployments, StatefulSets, Pods, routes and Certificates
   * are in it. Absent while one of these kinds is not read.
   */
  contents?: number;
  /** The preview that it belongs to. */
  previewId?: string;
}

/**
 * A difference between the merge requests and what is deployed for them, or what a check
 * of limits and credentials found.
 *
 * @public
 */
export interface Finding {
  /** Opaque, `[a-z0-9-]`, the same whenever the same thing is found again. */
  id: string;
  type: FindingType;
  severity: FindingSeverity;
  subject: FindingSubject;
  /** Facts that the sentence is rendered from. */
  params: ReasonParams;
  /** English sentence. */
  message: string;
  /** The condition that tells why, where one does. */
  cause?: {
    type: string;
    reason: string;
    params: ReasonParams;
    message: string;
  };
  /** ISO 8601 UTC: first seen, or seen again after it was over. */
  since: string;
  /** ISO 8601 UTC; only when it is over. */
  resolvedAt?: string;
  /** Previews that it concerns, of those that the caller may see. */
  previewIds: string[];
  /** At most 100 objects, without those of previews that the caller may not see. */
  evidence: FindingEvidence[];
}

/** @public */
export interface ListFindingsRequest {
  /** Only findings that concern a preview of this entity. */
  entityRef?: string;
  /** Only findings that concern this preview. */
  previewId?: string;
  type?: FindingType[];
  /** Default `open`. */
  state?: 'open' | 'resolved' | 'all';
  /** 1 to 200, default 50. */
  limit?: number;
  cursor?: string;
}

/** @public */
export interface ListFindingsResponse {
  /** The newest first. */
  items: Finding[];
  totalItems: number;
  nextCursor?: string;
}

/** @public */
export interface FindingResponse {
  finding: Finding;
}
