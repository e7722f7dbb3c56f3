import { mockServices } from '@backstage/backend-test-utils';
import { ServerResponse } from 'node:http';
import { DefaultArgocdSource } from './argocd';
import { CallListener } from './calls';
import { DefaultGitLabSource } from './gitlab';
import { DefaultClusterSource } from './kubernetes';
import {
  eventually,
  ScriptedServer,
  sendJson,
  sendText,
} from './testing/ScriptedServer';

const schedule = {
  gitlabPollMilliseconds: 20,
  gitlabStaleAfterMilliseconds: 1000,
  clusterRelistAfterMilliseconds: 1000,
  clusterStaleAfterMilliseconds: 5000,
};
const delays = { backOffStart: 20, backOffMaximum: 20 };
const logger = mockServices.logger.mock();

type Call = Parameters<CallListener>[0];

interface Started {
  id: string;
  server: ScriptedServer;
  calls: Call[];
  stop(): Promise<void>;
}

/** A source of each kind, reading a server that answers everything alike. */
const kinds = {
  gitlab: (url: string, onCall: CallListener) => {
    const source = DefaultGitLabSource.create({
      config: {
        host: 'gitlab.example.com',
        webUrl: url,
        apiUrl: `${url}/api/v4`,
        token: 't',
        tokenFrom: 'previews',
        webhookSecrets: [],
      },
      schedule,
      logger,
      onCall,
    });
    source.trackProjects([{ path: 'shop/web' }]);
    return source;
  },
  cluster: (url: string, onCall: CallListener) =>
    DefaultClusterSource.create({
      config: {
        name: 'main',
        access: { type: 'url', url, token: 't', skipTlsVerify: false },
        argocdDestinations: [],
      },
      schedule,
      logger,
      delays,
      onCall,
    }),
  argocd: (url: string, onCall: CallListener) =>
    DefaultArgocdSource.create({
      config: { name: 'main', url, token: 't', skipTlsVerify: false },
      schedule,
      logger,
      delays,
      onCall,
    }),
};

describe.each(Object.entries(kinds))('calls of a source: %s', (_, create) => {
  let started: Started | undefined;

  afterEach(async () => {
    await started?.stop();
    started = undefined;
  });

  async function start(
    answer: (response: ServerResponse) => void,
  ): Promise<Started> {
    const server = await ScriptedServer.listen((_request, response) =>
      answer(response),
    );
    const calls: Call[] = [];
    const source = create(server.url, call => calls.push(call));
    const abort = new AbortController();
    source.start({ signal: abort.signal });
    started = {
      id: source.id,
      server,
      calls,
      stop: async () => {
        abort.abort();
        await server.close();
      },
    };
    return started;
  }

  it.each<[string, (response: ServerResponse) => void]>([
    ['TokenInvalid', response => sendJson(response, {}, { status: 401 })],
    ['Forbidden', response => sendJson(response, {}, { status: 403 })],
    ['ServerError', response => sendJson(response, {}, { status: 503 })],
    ['RateLimited', response => sendJson(response, {}, { status: 429 })],
    [
      'UnexpectedAnswer',
      response => sendText(response, '<html>', { status: 200 }),
    ],
    ['Unreachable', response => response.destroy()],
  ])(
    'are told with %s, where that is why they fail',
    async (reason, answer) => {
      const { id, calls } = await start(answer);
      // A stream that opens is ok, whatever it then says.
      const failures = () =>
        calls.flatMap(({ outcome }) => (outcome === 'ok' ? [] : [outcome]));
      await eventually(() => expect(failures()).not.toEqual([]));
      expect(new Set(failures())).toEqual(new Set([reason]));
      expect(new Set(calls.map(({ source }) => source))).toEqual(new Set([id]));
    },
  );

  it('are told as ok when they are answered', async () => {
    const { calls } = await start(response =>
      sendJson(response, { value: 'yes', items: [], groups: [] }),
    );
    await eventually(() =>
      expect(calls.map(({ outcome }) => outcome)).toContain('ok'),
    );
  });

  it('are not told when reading was stopped', async () => {
    const { server, calls, stop } = await start(() => {});
    await eventually(() => expect(server.requests.length).toBeGreaterThan(0));
    await stop();
    await new Promise(resolve => setImmediate(resolve));
    expect(calls).toEqual([]);
  });
});

describe('calls that are held back', () => {
  it('are none: a GitLab that limits them is left alone', async () => {
    const server = await ScriptedServer.listen((_request, response) =>
      sendJson(
        response,
        {},
        { status: 429, headers: { 'retry-after': '600' } },
      ),
    );
    const calls: Call[] = [];
    const source = kinds.gitlab(server.url, call => calls.push(call));
    const abort = new AbortController();
    source.start({ signal: abort.signal });
    await eventually(() => expect(calls.length).toBeGreaterThan(0));
    for (const _ of [1, 2, 3]) {
      await source.refresh();
    }
    // One may have been asked, and not be answered yet.
    await eventually(() => expect(calls).toHaveLength(server.requests.length));
    abort.abort();
    await server.close();
  });
});
