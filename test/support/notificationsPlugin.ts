import {
  BackendFeature,
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import { json } from 'node:stream/consumers';

/** A notification as it comes over HTTP. */
export interface SentNotification {
  recipients: { type: string; entityRef?: string | string[] };
  payload: {
    title: string;
    description?: string;
    link?: string;
    severity?: string;
    scope?: string;
  };
}

/** In place of the notifications plugin: keeps what it is sent, and sends it to nobody. */
export function notificationsPlugin(sent: SentNotification[]): BackendFeature {
  return createBackendPlugin({
    pluginId: 'notifications',
    register(env) {
      env.registerInit({
        deps: { router: coreServices.httpRouter },
        async init({ router }) {
          router.use(async (request, response) => {
            sent.push((await json(request)) as SentNotification);
            response.status(200).json([]);
          });
        },
      });
    },
  });
}
