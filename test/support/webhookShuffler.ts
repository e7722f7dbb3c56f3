import { createServer, IncomingHttpHeaders } from 'node:http';
import { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from 'simulator';

/** Stands between GitLab and the portal: sends every webhook on several times, in any order. */
export interface WebhookShuffler {
  /** Where GitLab sends its webhooks instead. */
  url: string;
  /** How many were taken in. */
  readonly received: number;
  /** How many were sent on and taken. */
  readonly accepted: number;
  /** Sends on all that is still kept, and resolves when nothing is left. */
  sendAll(): Promise<void>;
  /** Sends everything that ever came once more so often, in another order. */
  sendEverythingAgain(): Promise<void>;
  close(): Promise<void>;
}

interface KeptWebhook {
  headers: Record<string, string>;
  body: string;
}

/** Deliveries that are kept back, so that late ones overtake early ones. */
const KEPT_BACK = 20;
const PAUSE_MILLISECONDS = 20;

export async function startWebhookShuffler(options: {
  target: string;
  copies: number;
  seed: string;
}): Promise<WebhookShuffler> {
  const { target, copies, seed } = options;
  const random = createRandom(seed);
  const all: KeptWebhook[] = [];
  const pool: KeptWebhook[] = [];
  const stopping = new AbortController();
  let accepted = 0;
  let isSending = false;
  let keptBack = KEPT_BACK;

  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) {
      body += chunk;
    }
    const webhook = { headers: headersOf(request.headers), body };
    all.push(webhook);
    pool.push(...Array.from({ length: copies }, () => webhook));
    response.end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });

  const sendOne = async () => {
    const index = random.integer(0, pool.length - 1);
    const [{ headers, body }] = pool.splice(index, 1);
    const response = await fetch(target, { method: 'POST', headers, body });
    await response.arrayBuffer();
    if (response.ok) {
      accepted += 1;
    }
  };
  const pump = async () => {
    while (!stopping.signal.aborted) {
      if (pool.length > keptBack) {
        isSending = true;
        await sendOne();
        isSending = false;
      } else {
        await delay(PAUSE_MILLISECONDS, undefined, {
          signal: stopping.signal,
        }).catch(() => {});
      }
    }
  };
  const pumping = pump();

  const sendAll = async () => {
    keptBack = 0;
    while (pool.length > 0 || isSending) {
      await delay(PAUSE_MILLISECONDS);
    }
    keptBack = KEPT_BACK;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    get received() {
      return all.length;
    },
    get accepted() {
      return accepted;
    },
    sendAll,
    async sendEverythingAgain() {
      for (const webhook of [...all]) {
        pool.push(...Array.from({ length: copies }, () => webhook));
      }
      await sendAll();
    },
    async close() {
      stopping.abort();
      await pumping;
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** What GitLab says with a webhook, without what belongs to the connection. */
function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' &&
      /^(x-gitlab-|content-type|webhook-)/.test(name)
        ? [[name, value]]
        : [],
    ),
  );
}
