export {
  PreviewEngine,
  type ChangeListener,
  type PreviewEngineOptions,
} from './PreviewEngine';
export type { Sources } from './world';
