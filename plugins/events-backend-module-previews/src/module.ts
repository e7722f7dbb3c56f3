import {
  coreServices,
  createBackendModule,
} from '@backstage/backend-plugin-api';
import { eventsExtensionPoint } from '@backstage/plugin-events-node/alpha';
import { createValidator } from './createValidator';
import { readWebhookSecrets } from './secrets';

/** Its own topic: two validators on one topic would replace each other silently. */
const TOPIC = 'previews-gitlab';

/**
 * Takes GitLab's webhooks in at `POST /api/events/http/previews-gitlab`, validates
 * them, and publishes them on the topic `previews-gitlab`.
 *
 * @public
 */
export const eventsModulePreviews = createBackendModule({
  pluginId: 'events',
  moduleId: 'previews',
  register(env) {
    env.registerInit({
      deps: {
        config: coreServices.rootConfig,
        events: eventsExtensionPoint,
      },
      async init({ config, events }) {
        events.addHttpPostIngress({
          topic: TOPIC,
          validator: createValidator({ secrets: readWebhookSecrets(config) }),
        });
      },
    });
  },
});
