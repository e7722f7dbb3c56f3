import { createHmac } from 'node:crypto';
import type { Clock } from '../clock';
import type { Activity } from '../controllers/activity';
import type { Random } from '../random';
import type { GitLabFaults } from './faults';
import type { Hook } from './model';
import type { GitLabState } from './state';
import { webhookPayload, type WebhookPayload } from './webhookPayload';

/** One attempt to deliver a webhook. */
export interface Delivery {
  url: string;
  event: string;
  /** HTTP status, or the reason that there was none. */
  outcome: number | 'dropped' | 'unreachable';
  at: Date;
}

const DELIVERY_LIMIT = 1000;
const TIMEOUT_MILLISECONDS = 10_000;

/** Signs a body as Standard Webhooks say; the key is base64 after `whsec_`. */
export function standardWebhookSignature(options: {
  secret: string;
  id: string;
  timestampSeconds: number;
  body: string;
}): string {
  const key = Buffer.from(options.secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key)
    .update(`${options.id}.${options.timestampSeconds}.${options.body}`)
    .digest('base64');
  return `v1,${signature}`;
}

/** Delivers webhooks for what happens in a GitLab, once each, in order per hook. */
export class WebhookSender {
  /** Latest deliveries, oldest first. */
  readonly deliveries: Delivery[] = [];

  private readonly options: {
    state: GitLabState;
    faults: GitLabFaults;
    clock: Clock;
    random: Random;
    activity: Activity;
  };
  private readonly queues = new Map<number, Promise<void>>();
  private readonly stopped = new AbortController();
  private readonly unsubscribe: () => void;

  constructor(options: WebhookSender['options']) {
    this.options = options;
    this.unsubscribe = options.state.subscribe(event => {
      const payload = webhookPayload(options.state, event);
      if (
        !payload ||
        (event.type !== 'mergeRequest' && event.type !== 'pipeline')
      ) {
        return;
      }
      for (const hook of options.state.hooksOf(event.project)) {
        if (
          event.type === 'mergeRequest'
            ? hook.mergeRequestsEvents
            : hook.pipelineEvents
        ) {
          this.enqueue(hook, payload);
        }
      }
    });
  }

  stop(): void {
    this.unsubscribe();
    this.stopped.abort();
  }

  private enqueue(hook: Hook, payload: WebhookPayload): void {
    const { faults, activity } = this.options;
    if (faults.webhooksToDrop > 0) {
      faults.webhooksToDrop -= 1;
      this.record(hook, payload, 'dropped');
      return;
    }
    // The payload is written when the event happens, not when its turn comes.
    const body = JSON.stringify(payload.body);
    const done = activity.begin();
    const previous = this.queues.get(hook.id) ?? Promise.resolve();
    this.queues.set(
      hook.id,
      previous
        .then(() => this.deliver(hook, payload, body))
        .then(outcome => this.record(hook, payload, outcome))
        .finally(done),
    );
  }

  private async deliver(
    hook: Hook,
    payload: WebhookPayload,
    body: string,
  ): Promise<Delivery['outcome']> {
    const { state, clock, random } = this.options;
    const id = random.hex(32);
    const timestampSeconds = Math.floor(clock.now().getTime() / 1000);
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': 'GitLab/18.4.1-ee',
      'x-gitlab-event': payload.event,
      'x-gitlab-instance': state.externalUrl,
      'x-gitlab-webhook-uuid': hook.uuid,
      'x-gitlab-event-uuid': id,
      'idempotency-key': id,
    };
    if (hook.token) {
      headers['x-gitlab-token'] = hook.token;
    }
    if (hook.signingSecret) {
      headers['webhook-id'] = id;
      headers['webhook-timestamp'] = String(timestampSeconds);
      headers['webhook-signature'] = standardWebhookSignature({
        secret: hook.signingSecret,
        id,
        timestampSeconds,
        body,
      });
    }
    try {
      const response = await fetch(hook.url, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.any([
          this.stopped.signal,
          AbortSignal.timeout(TIMEOUT_MILLISECONDS),
        ]),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      // GitLab gives up too; the attempt stays readable in `deliveries`.
      return 'unreachable';
    }
  }

  private record(
    hook: Hook,
    payload: WebhookPayload,
    outcome: Delivery['outcome'],
  ): void {
    this.deliveries.push({
      url: hook.url,
      event: payload.event,
      outcome,
      at: this.options.clock.now(),
    });
    if (this.deliveries.length > DELIVERY_LIMIT) {
      this.deliveries.shift();
    }
  }
}
