import {
  createApiFactory,
  createApiRef,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/core-plugin-api';
import {
  PreviewsApi,
  PreviewsClient,
} from '@previews/backstage-plugin-previews-common';

/**
 * The previews API as the components use it; replace it to read previews from
 * elsewhere.
 *
 * @public
 */
export const previewsApiRef = createApiRef<PreviewsApi>({
  id: 'plugin.previews.service',
});

/** Asks the backend plugin as the signed-in user. */
export const previewsApiFactory = createApiFactory({
  api: previewsApiRef,
  deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
  factory: ({ discoveryApi, fetchApi }) =>
    new PreviewsClient({ discoveryApi, fetchApi }),
});
