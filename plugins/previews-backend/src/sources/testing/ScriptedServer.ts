import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';

/** One request as the script sees it. */
export interface ScriptedRequest {
  method: string;
  /** Path as sent, still encoded, without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
}

/** Answers a request, or leaves it unanswered. */
export type Script = (
  request: ScriptedRequest,
  response: ServerResponse,
) => void;

/** An HTTP server that says what a test tells it to say. */
export class ScriptedServer {
  readonly url: string;
  readonly requests: ScriptedRequest[] = [];
  /** Can be replaced at any time. */
  script: Script;
  readonly #close: () => Promise<void>;

  private constructor(options: {
    url: string;
    script: Script;
    close: () => Promise<void>;
  }) {
    this.url = options.url;
    this.script = options.script;
    this.#close = options.close;
  }

  static async listen(script: Script): Promise<ScriptedServer> {
    const server = createServer();
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const scripted = new ScriptedServer({
      url: `http://127.0.0.1:${port}`,
      script,
      close: () =>
        new Promise(resolve => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    });
    server.on('request', (message, response) => {
      const url = new URL(message.url ?? '/', scripted.url);
      const request = {
        method: message.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: message.headers,
      };
      scripted.requests.push(request);
      scripted.script(request, response);
    });
    return scripted;
  }

  /** Paths asked for, each with its query. */
  asked(pattern: RegExp): string[] {
    return this.requests
      .map(({ path, query }) => `${path}?${query}`)
      .filter(text => pattern.test(text));
  }

  async close(): Promise<void> {
    await this.#close();
  }
}

/** Sends a JSON answer. */
export function sendJson(
  response: ServerResponse,
  body: unknown,
  options: { status?: number; headers?: Record<string, string> } = {},
): void {
  response.writeHead(options.status ?? 200, {
    'content-type': 'application/json',
    ...options.headers,
  });
  response.end(JSON.stringify(body));
}

/** Sends any other answer. */
export function sendText(
  response: ServerResponse,
  body: string,
  options: { status: number; headers?: Record<string, string> },
): void {
  response.writeHead(options.status, {
    'content-type': 'text/plain',
    ...options.headers,
  });
  response.end(body);
}

/** Waits until a condition holds. */
export async function eventually(assertion: () => void): Promise<void> {
  // What holds must not fail on a machine that has much else to do.
  const end = performance.now() + 30_000;
  for (;;) {
    try {
      assertion();
      return;
    } catch (error) {
      if (performance.now() > end) {
        throw error;
      }
    }
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}
