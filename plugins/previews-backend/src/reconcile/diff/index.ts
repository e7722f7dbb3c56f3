export { diffWorld, type DiffInput, type WorldDiff } from './diffWorld';
export { awaitedMergeRequests } from './generatedSets';
export { RenderedNames } from './RenderedNames';
