/** An answer of the API server. */
export interface ApiAnswer {
  code: number;
  headers: Headers;
  body: any;
}

/** A watch as a client sees it. */
export interface ApiWatch {
  /** Complete events so far. */
  events: Array<{ type: string; object: any }>;
  /** Whether the server has ended the stream. */
  isEnded(): boolean;
  /** Leaves. */
  stop(): void;
}

/** A client that shows answers as they are, for tests of the protocol. */
export function createApiClient(options: { url: string; token?: string }) {
  const { url, token } = options;
  const authorization: Record<string, string> = token
    ? { Authorization: `Bearer ${token}` }
    : {};

  return {
    async request(
      method: string,
      path: string,
      more: {
        body?: unknown;
        contentType?: string;
        accept?: string;
      } = {},
    ): Promise<ApiAnswer> {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...authorization,
          Accept: more.accept ?? 'application/json',
          ...(more.body === undefined
            ? {}
            : { 'Content-Type': more.contentType ?? 'application/json' }),
        },
        body: more.body === undefined ? undefined : JSON.stringify(more.body),
      });
      const text = await response.text();
      let body: any = text;
      try {
        body = JSON.parse(text);
      } catch {
        // Plain text is an answer, too.
      }
      return { code: response.status, headers: response.headers, body };
    },

    async watch(path: string): Promise<ApiWatch> {
      const controller = new AbortController();
      const response = await fetch(`${url}${path}`, {
        headers: authorization,
        signal: controller.signal,
      });
      const events: ApiWatch['events'] = [];
      let ended = false;
      const read = async () => {
        let pending = '';
        const decoder = new TextDecoder();
        for await (const chunk of response.body!) {
          pending += decoder.decode(chunk as Uint8Array, { stream: true });
          const lines = pending.split('\n');
          pending = lines.pop()!;
          lines.forEach(line => events.push(JSON.parse(line)));
        }
      };
      read()
        .catch(() => {})
        .finally(() => {
          ended = true;
        });
      return {
        events,
        isEnded: () => ended,
        stop: () => controller.abort(),
      };
    },
  };
}
