export type { ChangeListener } from './ChangeListener';
export { PreviewEngine, type PreviewEngineOptions } from './PreviewEngine';
export type { Sources } from './world';
