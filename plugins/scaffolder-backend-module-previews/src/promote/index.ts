export {
  ReleaseChecker,
  ReleaseRefused,
  type ReleaseVerdict,
} from './checkRelease';
export { promoteLine } from './promoteLine';
export type { Promotion, ReleaseLine, ReleasePin } from './promoteLine';
export { readMergeRequests, releaseNotes } from './releaseNotes';
export {
  ReleaseNotKnown,
  ReleaseReader,
  type MergedMergeRequest,
  type ReleaseContent,
} from './readRelease';
