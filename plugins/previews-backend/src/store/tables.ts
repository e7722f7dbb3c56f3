/**
 * Rows as the migrations make them. Times are milliseconds since 1970. PostgreSQL
 * hands `bigint` out as text, hence {@link BigInteger}: go through `Number()`.
 */
export type BigInteger = number | string;

export interface PreviewRow {
  id: string;
  host: string;
  project_id: BigInteger;
  iid: BigInteger;
  project: string;
  author: string;
  draft: boolean | 0 | 1;
  head_sha: string;
  search: string;
  phase: string;
  attention: number;
  listed: boolean | 0 | 1;
  activity_at: BigInteger;
  created_at: BigInteger;
  ended_at: BigInteger | null;
  version: BigInteger;
  document: string;
  memory: string;
}

export interface PreviewEntityRow {
  preview_id: string;
  entity_ref: string;
}

export interface PreviewClusterRow {
  preview_id: string;
  cluster: string;
}

export interface TransitionRow {
  id: BigInteger;
  preview_id: string;
  at: BigInteger;
  document: string;
}

export interface SpanRow {
  preview_id: string;
  kind: string;
  started_at: BigInteger;
  ended_at: BigInteger;
  host: string;
  project_id: BigInteger;
  project: string;
  imprecise: boolean | 0 | 1;
  stages: string;
}

export interface ObservationGapRow {
  scope: string;
  started_at: BigInteger;
  ended_at: BigInteger;
}

export interface FindingRow {
  id: string;
  type: string;
  severity: string;
  opened_at: BigInteger;
  resolved_at: BigInteger | null;
  document: string;
}

export interface IssuanceRow {
  id: string;
  at: BigInteger;
  preview_id: string | null;
  document: string;
}

export interface GeneratedSetRow {
  reference: string;
  document: string;
}

export interface SourceStateRow {
  id: string;
  position: number;
  state: string;
}

export interface EntityClaimRow {
  entity_ref: string;
  claim: string;
}

export interface LeaseRow {
  name: string;
  holder: string;
  epoch: BigInteger;
  expires_at: BigInteger;
}

export interface RefreshLogRow {
  id: BigInteger;
  preview_id: string;
  caller: string;
  at: BigInteger;
}

export interface SettingRow {
  name: string;
  value: string;
}

export interface EntityChecksRow {
  entity_ref: string;
  errors: number;
  warnings: number;
  infos: number;
  document: string;
}

export interface EntityTiersRow {
  entity_ref: string;
  document: string;
}

/** Names of the rows of `settings`. */
export const SETTING_VERSION = 'version';
/** ISO: when everything was decided and written last. */
export const SETTING_RECONCILED_AT = 'reconciled_at';
export const SETTING_REFRESH_LOCK = 'refresh_lock';
export const SETTING_SOURCES_READ_AT = 'sources_read_at';
export const SETTING_SIGNAL_SECRET = 'signal_secret';
export const SETTING_WEBHOOKS = 'webhooks_seen';
/** By GitLab host, ISO: since when updates of MRs may be unread. */
export const SETTING_UNREAD_SINCE = 'unread_since';
export const SETTING_CERTIFICATE_BUDGET = 'certificate_budget';
