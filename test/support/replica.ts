// One replica of a portal's backend with the previews plugin, as a process of its
// own: what is killed, stopped and cut off in the tests of several replicas.
import { readFileSync } from 'node:fs';
import { createBackend } from '@backstage/backend-defaults';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';

// Nobody is left to end it when the test itself was ended.
process.on('disconnect', () => process.exit());

const backend = createBackend();
backend.add(import('@backstage/plugin-events-backend'));
backend.add(
  import('@previews/backstage-plugin-events-backend-module-previews'),
);
backend.add(import('@previews/backstage-plugin-previews-backend'));
const entities = process.env.REPLICA_ENTITIES;
backend.add(
  catalogServiceMock.factory({
    entities: entities ? JSON.parse(readFileSync(entities, 'utf8')) : [],
  }),
);
backend.start();
