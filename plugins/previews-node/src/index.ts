/**
 * Extension points of the previews backend plugin.
 *
 * @packageDocumentation
 */
export { previewsClustersExtensionPoint } from './clusters';
export type {
  PreviewsCluster,
  PreviewsClusterProvider,
  PreviewsClustersExtensionPoint,
} from './clusters';
export { previewsConditionsExtensionPoint } from './conditions';
export type {
  PreviewsConditionProvider,
  PreviewsConditionsExtensionPoint,
  PreviewsReason,
  PreviewsVerdict,
} from './conditions';
export { previewsSourcesExtensionPoint } from './sources';
export type {
  PreviewsSourceProvider,
  PreviewsSourcesExtensionPoint,
} from './sources';
export type { PreviewsSubject } from './subject';
export type { PreviewsTexts } from './texts';
