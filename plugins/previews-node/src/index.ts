/**
 * Extension points of the previews backend plugin, and the readiness checks of a set-up.
 *
 * @packageDocumentation
 */
export { runReadinessChecks } from './checks';
export type {
  CheckContext,
  CheckedEnvironment,
  CheckedFile,
  CheckedManifest,
  CheckedRepository,
  CheckInput,
  ManifestSource,
} from './checks';
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
