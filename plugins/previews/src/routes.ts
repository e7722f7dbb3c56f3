import { createRouteRef } from '@backstage/core-plugin-api';

/** The Previews tab of an entity. */
export const rootRouteRef = createRouteRef({ id: 'previews' });
