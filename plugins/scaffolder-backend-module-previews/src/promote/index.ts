export { promoteLine } from './promoteLine';
export type { Promotion, ReleaseLine } from './promoteLine';
export { readMergeRequests, releaseNotes } from './releaseNotes';
export {
  ReleaseNotKnown,
  ReleaseReader,
  type MergedMergeRequest,
  type ReleaseContent,
} from './readRelease';
