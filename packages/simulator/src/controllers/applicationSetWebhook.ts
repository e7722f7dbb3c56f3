import { readBody } from '../http/body';
import { listen, type Listener } from '../http/listen';
import { REFRESH_ANNOTATION } from './applicationSet';
import { allGenerators } from './generators';
import { referenceTo } from './objects';
import type { Platform } from './platform';

const ACTIONS = ['open', 'close', 'reopen', 'update', 'merge'];

/** The webhook service of the ApplicationSet controller. */
export interface ApplicationSetWebhook {
  /** Where GitLab's hook points. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts the receiver. As in Argo CD, a merge request refreshes only sets whose generator names its
 * project by number; a set that names it by path waits for its next requeue.
 */
export async function startApplicationSetWebhook(
  platform: Platform,
  options: { secret?: string } = {},
): Promise<ApplicationSetWebhook> {
  const { cluster } = platform.clusters[0];
  const pending = new Set<{ end: () => void }>();

  const refresh = (projectId: string) => {
    for (const applicationSet of cluster.list({ kind: 'ApplicationSet' })) {
      const meant = allGenerators(applicationSet.spec?.generators ?? []).some(
        generator =>
          String(generator.pullRequest?.gitlab?.project ?? '') === projectId,
      );
      if (meant) {
        cluster.patch(referenceTo(applicationSet), draft => {
          draft.metadata.annotations = {
            ...draft.metadata.annotations,
            [REFRESH_ANNOTATION]: 'true',
          };
        });
      }
    }
  };

  const later = (action: () => void) => {
    const work = { end: platform.activity.begin() };
    const cancel = platform.clock.after(
      platform.delays.applicationSetWebhook,
      () => {
        pending.delete(work);
        action();
        work.end();
      },
    );
    const done = work.end;
    work.end = () => {
      cancel();
      done();
    };
    pending.add(work);
  };

  const listener: Listener = await listen({
    handle: async (request, response) => {
      const body = JSON.parse((await readBody(request)).toString('utf8')) as {
        object_kind?: string;
        object_attributes?: { action?: string; target_project_id?: number };
      };
      if (
        options.secret !== undefined &&
        request.headers['x-gitlab-token'] !== options.secret
      ) {
        response.writeHead(400);
        response.end('Webhook processing failed: HMAC verification failed');
        return;
      }
      const attributes = body.object_attributes;
      if (
        body.object_kind === 'merge_request' &&
        ACTIONS.includes(attributes?.action ?? '')
      ) {
        later(() => refresh(String(attributes?.target_project_id)));
      }
      response.writeHead(200);
      response.end();
    },
  });
  return {
    url: `${listener.url}/api/webhook`,
    close: () => {
      pending.forEach(work => work.end());
      return listener.close();
    },
  };
}
