/**
 * The plugin in the new frontend system.
 *
 * @packageDocumentation
 */
import { Entity } from '@backstage/catalog-model';
import {
  convertLegacyRouteRef,
  convertLegacyRouteRefs,
} from '@backstage/core-compat-api';
import {
  ApiBlueprint,
  createFrontendPlugin,
} from '@backstage/frontend-plugin-api';
import {
  EntityCardBlueprint,
  EntityContentBlueprint,
} from '@backstage/plugin-catalog-react/alpha';
import {
  ANNOTATION_ENABLED,
  isPreviewsAvailable,
} from '@previews/backstage-plugin-previews-common';
import { previewsApiFactory } from './api';
import { kubernetesRouteRef, rootRouteRef, templateRouteRef } from './routes';

export { previewsTranslationRef } from './translations';

/**
 * Also shown where someone has asked for previews and nothing leads to a
 * project yet: the tab then says which annotation is missing.
 */
function isShown(entity: Entity): boolean {
  return (
    isPreviewsAvailable(entity) ||
    entity.metadata.annotations?.[ANNOTATION_ENABLED] === 'true'
  );
}

const previewsApi = ApiBlueprint.make({
  params: defineParams => defineParams(previewsApiFactory),
});

const previewsEntityContent = EntityContentBlueprint.make({
  params: {
    path: '/previews',
    title: 'Previews',
    filter: isShown,
    routeRef: convertLegacyRouteRef(rootRouteRef),
    loader: () =>
      import('./components/PreviewsTab').then(m => <m.EntityPreviewsContent />),
  },
});

const previewsEntityCard = EntityCardBlueprint.make({
  name: 'overview',
  params: {
    filter: isShown,
    type: 'content',
    loader: () =>
      import('./components/PreviewsCard').then(m => <m.EntityPreviewsCard />),
  },
});

/**
 * The Previews tab and card of entities, and the API they use.
 *
 * @public
 */
export default createFrontendPlugin({
  pluginId: 'previews',
  info: { packageJson: () => import('../package.json') },
  routes: convertLegacyRouteRefs({ root: rootRouteRef }),
  externalRoutes: convertLegacyRouteRefs({
    kubernetes: kubernetesRouteRef,
    template: templateRouteRef,
  }),
  extensions: [previewsApi, previewsEntityContent, previewsEntityCard],
});
