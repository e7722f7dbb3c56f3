export { diffWorld, type DiffInput, type WorldDiff } from './diffWorld';
export { RenderedNames } from './RenderedNames';
