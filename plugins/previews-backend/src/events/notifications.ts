import { LoggerService } from '@backstage/backend-plugin-api';
import { parseEntityRef } from '@backstage/catalog-model';
import { NotificationService } from '@backstage/plugin-notifications-node';
import {
  DomainBudget,
  findingMessage,
  Preview,
} from '@previews/backstage-plugin-previews-common';
import { StoredPreview } from '../model';

/** When a cluster breaks, hundreds are degraded at once: the portal's own page tells it better. */
const MOST_WAITING = 100;

/**
 * Notifies the owners of a preview's entities that it fails or is degraded, and of
 * certificates that run out. At most once each: what cannot be sent is not sent again.
 */
export class PreviewNotifier {
  readonly #notifications: NotificationService;
  readonly #logger: LoggerService;
  readonly #certificateRefs: readonly string[];
  readonly #waiting: Preview[] = [];
  #isSending = false;

  constructor(options: {
    notifications: NotificationService;
    logger: LoggerService;
    /** Who is told of certificates; empty for the owners of the previews. */
    certificateRefs?: readonly string[];
  }) {
    this.#notifications = options.notifications;
    this.#logger = options.logger;
    this.#certificateRefs = options.certificateRefs ?? [];
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

  /** Sends, and does not wait for it. */
  certificatesRunOut(
    budget: DomainBudget,
    entityRefs: readonly string[],
  ): void {
    const { domain, left, limit, state } = budget;
    const recipients =
      this.#certificateRefs.length > 0 ? this.#certificateRefs : entityRefs;
    if (recipients.length === 0) {
      return;
    }
    this.#notifications
      .send({
        recipients: { type: 'entity', entityRef: [...recipients] },
        payload: {
          title: `${domain}: ${left}/${limit}`,
          description: sentenceOf(budget),
          severity: state === 'spent' ? 'high' : 'normal',
          topic: 'previews',
          scope: `previews:certificates:${domain}`,
        },
      })
      .catch(error =>
        this.#logger.warn(
          `Could not notify of the certificates of ${domain}`,
          error as Error,
        ),
      );
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

function sentenceOf(budget: DomainBudget): string {
  const { domain, left, limit, state, nextRefillAt, runsOutAt } = budget;
  const wildcard = budget.advisedWildcard;
  return state === 'spent'
    ? findingMessage('CertificateBudgetSpent', {
        domain,
        limit,
        ...(nextRefillAt !== undefined && { refillAt: nextRefillAt }),
        ...(wildcard !== undefined && { wildcard }),
      })
    : findingMessage('CertificateBudgetLow', {
        domain,
        left,
        limit,
        ...(runsOutAt !== undefined && { runsOutAt }),
        ...(wildcard !== undefined && { wildcard }),
      });
}

/** The drawer in the tab of the first entity. */
function linkTo({ id, entityRefs }: Preview): string {
  const { kind, namespace, name } = parseEntityRef(entityRefs[0]);
  const path = [namespace, kind, name].map(encodeURIComponent).join('/');
  return `/catalog/${path}/previews?preview=${encodeURIComponent(id)}`;
}
