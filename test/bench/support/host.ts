// A portal's backend with its real catalog, permissions and users, as the host
// portal has them; beside the previews a route of an entity that does no more than
// no route of an entity can do without.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createBackend } from '@backstage/backend-defaults';
import {
  BackendFeature,
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import { catalogServiceRef } from '@backstage/plugin-catalog-node';
import { previewReadPermission } from '@previews/backstage-plugin-previews-common';

const HOST = join(__dirname, '../../../packages/backend/package.json');
const requireOfHost = createRequire(HOST);

const plainPlugin = createBackendPlugin({
  pluginId: 'plain',
  register(env) {
    env.registerInit({
      deps: {
        catalog: catalogServiceRef,
        database: coreServices.database,
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        permissions: coreServices.permissions,
      },
      async init({ catalog, database, httpAuth, httpRouter, permissions }) {
        const knex = await database.getClient();
        const remembered = new Map<string, boolean>();
        httpRouter.use(async (request, response) => {
          const credentials = await httpAuth.credentials(request as never, {
            allow: ['user', 'service'],
          });
          await permissions.authorizeConditional(
            [{ permission: previewReadPermission }],
            { credentials },
          );
          const entityRef = String(request.query.entityRef);
          // Asks every time, unless it may remember, as the previews do.
          const mayRemember = request.query.remember !== undefined;
          if (!mayRemember || !remembered.get(entityRef)) {
            const { items } = await catalog.getEntitiesByRefs(
              {
                entityRefs: [entityRef],
                fields: ['kind', 'metadata.namespace', 'metadata.name'],
              },
              { credentials },
            );
            remembered.set(entityRef, items[0] !== undefined);
          }
          await knex.raw('SELECT 1');
          response
            .status(remembered.get(entityRef) ? 200 : 404)
            .json({ ok: true });
        });
      },
    });
  },
});

// Nobody is left to end it when the benchmark itself was ended.
process.on('disconnect', () => process.exit());

const backend = createBackend();
for (const name of [
  '@backstage/plugin-app-backend',
  '@backstage/plugin-auth-backend',
  '@backstage/plugin-auth-backend-module-guest-provider',
  '@backstage/plugin-catalog-backend',
  '@backstage/plugin-permission-backend',
  '@backstage/plugin-permission-backend-module-allow-all-policy',
  '@backstage/plugin-events-backend',
  '@backstage/plugin-signals-backend',
  '@previews/backstage-plugin-previews-backend',
]) {
  const { default: feature }: { default: BackendFeature } = requireOfHost(name);
  backend.add(feature);
}
backend.add(plainPlugin);
backend.start();
