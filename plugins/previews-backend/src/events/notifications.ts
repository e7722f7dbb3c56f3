import { LoggerService } from '@backstage/backend-plugin-api';
import { parseEntityRef } from '@backstage/catalog-model';
import { NotificationService } from '@backstage/plugin-notifications-node';
import { Preview } from '@previews/backstage-plugin-previews-common';
import { StoredPreview } from '../model';

/** When a cluster breaks, hundreds are degraded at once: the portal's own page tells it better. */
const MOST_WAITING = 100;

/**
 * Notifies the owners of a preview's entities that it fails or is degraded. At
 * most once each: what cannot be sent is not sent again.
 */
export class PreviewNotifier {
  readonly #notifications: NotificationService;
  readonly #logger: LoggerService;
  readonly #waiting: Preview[] = [];
  #isSending = false;

  constructor(options: {
    notifications: NotificationService;
    logger: LoggerService;
  }) {
    this.#notifications = options.notifications;
    this.#logger = options.logger;
  }

  /** Sends one after the other, and does not wait for it. */
  previewsTroubled(previews: readonly StoredPreview[]): void {
    const owned = previews
      .map(({ preview }) => preview)
      .filter(({ entityRefs }) => entityRefs.length > 0);
    const room = Math.max(0, MOST_WAITING - this.#waiting.length);
    this.#waiting.push(...owned.slice(0, room));
    if (owned.length > room) {
      this.#logger.warn(
        `${
          owned.length - room
        } previews failed or were degraded at once without a notification`,
      );
    }
    if (!this.#isSending) {
      this.#isSending = true;
      this.#sendAll().finally(() => {
        this.#isSending = false;
      });
    }
  }

  async #sendAll(): Promise<void> {
    for (
      let preview = this.#waiting.shift();
      preview !== undefined;
      preview = this.#waiting.shift()
    ) {
      try {
        await this.#send(preview);
      } catch (error) {
        this.#logger.warn(
          `Could not notify the owners of preview ${preview.id}`,
          error as Error,
        );
      }
    }
  }

  async #send(preview: Preview): Promise<void> {
    const { mergeRequest, entityRefs, phase, message } = preview;
    await this.#notifications.send({
      recipients: { type: 'entity', entityRef: entityRefs },
      payload: {
        title: `${mergeRequest.project}!${mergeRequest.iid}: ${phase}`,
        ...(message !== undefined && { description: message }),
        link: linkTo(preview),
        severity: 'high',
        topic: 'previews',
        // One line for each preview, which a later failure renews.
        scope: `previews:${preview.id}`,
      },
    });
  }
}

/** The drawer in the tab of the first entity. */
function linkTo({ id, entityRefs }: Preview): string {
  const { kind, namespace, name } = parseEntityRef(entityRefs[0]);
  const path = [namespace, kind, name].map(encodeURIComponent).join('/');
  return `/catalog/${path}/previews?preview=${encodeURIComponent(id)}`;
}
