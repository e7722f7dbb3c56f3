import { randomUUID } from 'node:crypto';
import { LoggerService } from '@backstage/backend-plugin-api';
import { EventParams, EventsService } from '@backstage/plugin-events-node';
import { RefreshPort } from '../api';
import { MergeRequestKey } from '../model';
import { Hint, parseGitLabHint, parseRefreshHint } from './parseHint';

/** Published by our own ingress module. */
const TOPIC_WEBHOOK = 'previews-gitlab';
/** Published by the GitLab module of the events plugin, where it is installed. */
const TOPIC_MERGE_REQUEST = 'gitlab.merge_request';
const TOPIC_PIPELINE = 'gitlab.pipeline';
/** From any replica's API to the writer. */
const TOPIC_REFRESH = 'previews-refresh';

/** Whoever reads again what a hint names. */
export interface HintListener {
  onHint(hint: Hint): Promise<void>;
}

/**
 * Passes hints on to the listener of this replica. Every replica gets every hint,
 * hence the subscriber's own id: only the writer has a use for them, and which
 * replica that is changes.
 */
export async function subscribeToHints(options: {
  events: EventsService;
  listener: HintListener;
  logger: LoggerService;
  instanceId?: string;
}): Promise<void> {
  const { events, listener, logger, instanceId = randomUUID() } = options;
  await events.subscribe({
    id: `previews-hints-${instanceId}`,
    topics: [TOPIC_WEBHOOK, TOPIC_MERGE_REQUEST, TOPIC_PIPELINE, TOPIC_REFRESH],
    async onEvent({ topic, eventPayload }: EventParams) {
      const hint =
        topic === TOPIC_REFRESH
          ? parseRefreshHint(eventPayload)
          : parseGitLabHint(eventPayload);
      if (!hint) {
        return;
      }
      // Not awaited: whoever published, such as GitLab's own request, must not
      // wait until GitLab was read.
      listener
        .onHint(topic === TOPIC_REFRESH ? hint : { ...hint, webhook: true })
        .catch(error => {
          logger.warn(
            `Could not act on a hint from ${topic}; the next poll will find what changed`,
            error,
          );
        });
    },
  });
}

/** Asks the writer, on whichever replica it is, to read a preview again. */
export class EventsRefresh implements RefreshPort {
  readonly #events: EventsService;
  readonly #started: Promise<void>;

  /** @param options - `started`: when the plugins of this replica are up, the one that carries events among them. */
  constructor(options: { events: EventsService; started: Promise<void> }) {
    this.#events = options.events;
    this.#started = options.started;
  }

  async requestRefresh(key: MergeRequestKey): Promise<void> {
    await this.#started;
    await this.#events.publish({
      topic: TOPIC_REFRESH,
      eventPayload: {
        host: key.host,
        projectId: key.projectId,
        iid: key.iid,
      },
    });
  }
}
