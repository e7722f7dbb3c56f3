export { DatabasePreviewStore } from './DatabasePreviewStore';
export { LeaseLostError } from './LeaseLostError';
export type {
  EntityClaim,
  FindingPage,
  FindingQuery,
  FindingView,
  LeaseTerm,
  PreviewPage,
  PreviewQuery,
  PreviewStore,
  SpanQuery,
  StoredEntityChecks,
  UnreadSince,
  Visibility,
  VisibilityCriteria,
} from './PreviewStore';
export { endedAtOf } from './toRow';
