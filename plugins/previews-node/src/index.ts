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
