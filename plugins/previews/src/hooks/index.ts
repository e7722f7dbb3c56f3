export {
  useHasGone,
  useHiddenDrafts,
  usePreview,
  useRows,
  useSummary,
} from './usePreviewQueries';
export { useOwnGitLabLogin } from './useOwnGitLabLogin';
export { isFiltered, sorts, toRequest, useTabQuery } from './useTabQuery';
export type { TabQuery } from './useTabQuery';
export { useStatistics } from './useStatistics';
export { useTimeline } from './useTimeline';
export type { Live } from './useLive';
