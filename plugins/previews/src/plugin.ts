import {
  createComponentExtension,
  createPlugin,
  createRoutableExtension,
} from '@backstage/core-plugin-api';
import { previewsApiFactory } from './api';
import { kubernetesRouteRef, rootRouteRef, templateRouteRef } from './routes';

/**
 * The plugin in the legacy frontend system.
 *
 * @public
 */
export const previewsPlugin = createPlugin({
  id: 'previews',
  apis: [previewsApiFactory],
  routes: { root: rootRouteRef },
  externalRoutes: {
    kubernetes: kubernetesRouteRef,
    template: templateRouteRef,
  },
});

/**
 * The Previews tab, for `EntityLayout.Route` with path `/previews`.
 *
 * @public
 */
export const EntityPreviewsContent = previewsPlugin.provide(
  createRoutableExtension({
    name: 'EntityPreviewsContent',
    component: () =>
      import('./components/PreviewsTab').then(m => m.EntityPreviewsContent),
    mountPoint: rootRouteRef,
  }),
);

/**
 * The Previews card of an entity's overview.
 *
 * @public
 */
export const EntityPreviewsCard = previewsPlugin.provide(
  createComponentExtension({
    name: 'EntityPreviewsCard',
    component: {
      lazy: () =>
        import('./components/PreviewsCard').then(m => m.EntityPreviewsCard),
    },
  }),
);
