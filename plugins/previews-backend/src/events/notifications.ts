import { LoggerService } from '@backstage/backend-plugin-api';
import { parseEntityRef } from '@backstage/catalog-model';
import {
  NotificationSendOptions,
  NotificationService,
} from '@backstage/plugin-notifications-node';
import {
  DomainBudget,
  findingMessage,
  Preview,
} from '@previews/backstage-plugin-previews-common';
import { StoredPreview } from '../model';

/** When a cluster breaks, hundreds are degraded at once: the portal's own page tells it better. */
const MOST_WAITING = 100;

type Payload = NotificationSendOptions['payload'];

/**
 * Notifies the owners of a preview's entities that it fails or is degraded or that
 * its time to live is about to end, and of certificates that run out. At most once
 * each: what cannot be sent is not sent again.
 */
export class PreviewNotifier {
  readonly #notifications: NotificationService;
  readonly #logger: LoggerService;
  readonly #certificateRefs: readonly string[];
  readonly #waiting: { preview: Preview; payload: Payload }[] = [];
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
    this.#sendOf(previews, {
      payloadOf: troublePayload,
      what: 'failed or were degraded',
    });
  }

  /** Sends one after the other, and does not wait for it. */
  previewsNearEnd(previews: readonly StoredPreview[]): void {
    this.#sendOf(previews, {
      payloadOf: endPayload,
      what: 'came near the end of their time to live',
    });
  }

  #sendOf(
    previews: readonly StoredPreview[],
    options: { payloadOf: (preview: Preview) => Payload; what: string },
  ): void {
    const owned = previews
      .map(({ preview }) => preview)
      .filter(({ entityRefs }) => entityRefs.length > 0);
    const room = Math.max(0, MOST_WAITING - this.#waiting.length);
    this.#waiting.push(
      ...owned
        .slice(0, room)
        .map(preview => ({ preview, payload: options.payloadOf(preview) })),
    );
    if (owned.length > room) {
      this.#logger.warn(
        `${owned.length - room} previews ${
          options.what
        } at once without a notification`,
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
      let next = this.#waiting.shift();
      next !== undefined;
      next = this.#waiting.shift()
    ) {
      const { preview, payload } = next;
      try {
        await this.#notifications.send({
          recipients: { type: 'entity', entityRef: preview.entityRefs },
          payload,
        });
      } catch (error) {
        this.#logger.warn(
          `Could not notify the owners of preview ${preview.id}`,
          error as Error,
        );
      }
    }
  }
}

function troublePayload(preview: Preview): Payload {
  const { id, phase, message } = preview;
  return {
    title: `${nameOf(preview)}: ${phase}`,
    ...(message !== undefined && { description: message }),
    link: linkTo(preview),
    severity: 'high',
    topic: 'previews',
    // One line for each preview, which a later failure renews.
    scope: `previews:${id}`,
  };
}

/** The sentence is that of the MR, whatever else is wrong with its preview. */
function endPayload(preview: Preview): Payload {
  const { id, conditions, ttl } = preview;
  const open = conditions.find(({ type }) => type === 'MergeRequestOpen');
  return {
    title: `${nameOf(preview)}: idle, kept until ${ttl?.expiresAt.slice(
      0,
      10,
    )}`,
    ...(open && { description: open.message }),
    link: linkTo(preview),
    severity: 'normal',
    topic: 'previews',
    // A line of its own, since it does not take back that the preview fails.
    scope: `previews:${id}:end`,
  };
}

function nameOf({ mergeRequest }: Preview): string {
  return `${mergeRequest.project}!${mergeRequest.iid}`;
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
