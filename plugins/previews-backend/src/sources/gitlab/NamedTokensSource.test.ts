import { GitLabHostConfig, NamedTokenConfig } from '../../config';
import { TokenReading } from '../../model';
import {
  eventually,
  ScriptedServer,
  sendJson,
} from '../testing/ScriptedServer';
import { NamedTokensSource } from './NamedTokensSource';

const NOW = '2026-11-29T12:00:00.000Z';
const SECRET = 'secret-of-the-generator';

describe('NamedTokensSource', () => {
  let server: ScriptedServer;
  let answer: { status?: number; body: unknown };
  let abort: AbortController;
  const seen: { path: string; token?: string | string[] }[] = [];

  beforeEach(async () => {
    abort = new AbortController();
    seen.length = 0;
    answer = {
      body: {
        id: 1,
        scopes: ['api'],
        active: true,
        revoked: false,
        expires_at: '2027-01-31',
      },
    };
    server = await ScriptedServer.listen((request, response) => {
      seen.push({
        path: request.path,
        token: request.headers['private-token'],
      });
      sendJson(response, answer.body, { status: answer.status ?? 200 });
    });
  });

  afterEach(async () => {
    abort.abort();
    await server.close();
  });

  function create(tokens?: NamedTokenConfig[]) {
    const host: GitLabHostConfig = {
      host: 'gitlab.example.com',
      webUrl: server.url,
      apiUrl: `${server.url}/api/v4`,
      token: 'token-of-the-portal',
      tokenFrom: 'previews',
      webhookSecrets: [],
    };
    const calls: unknown[] = [];
    const source = NamedTokensSource.create({
      tokens: tokens ?? [{ name: 'generator', host: host.host, token: SECRET }],
      hosts: [host],
      onCall: call => calls.push(call),
      clock: () => new Date(NOW),
    });
    return { source, calls };
  }

  async function read(source: NamedTokensSource): Promise<TokenReading[]> {
    source.start({ signal: abort.signal });
    await eventually(() =>
      expect(source.readings().some(({ state }) => state === 'pending')).toBe(
        false,
      ),
    );
    return source.readings();
  }

  it('asks the token about itself, with the token itself', async () => {
    const { source, calls } = create();
    expect(source.readings()).toEqual([
      { name: 'generator', host: 'gitlab.example.com', state: 'pending' },
    ]);
    expect(await read(source)).toEqual([
      {
        name: 'generator',
        host: 'gitlab.example.com',
        state: 'ready',
        fact: { scopes: ['api'], expiresOn: '2027-01-31', active: true },
        readAt: NOW,
      },
    ]);
    expect(seen).toEqual([
      { path: '/api/v4/personal_access_tokens/self', token: SECRET },
    ]);
    expect(calls).toEqual([
      { source: 'gitlab:gitlab.example.com', outcome: 'ok' },
    ]);
  });

  it('never repeats the token', async () => {
    const { source } = create();
    expect(JSON.stringify(await read(source))).not.toContain(SECRET);
    answer = { status: 401, body: { message: `401 ${SECRET}` } };
    await source.refresh();
    expect(JSON.stringify(source.readings())).not.toContain(SECRET);
  });

  it('cannot verify one that was not handed over, and calls nobody for it', async () => {
    const { source } = create([
      { name: 'generator', host: 'gitlab.example.com' },
    ]);
    expect(await read(source)).toEqual([
      { name: 'generator', host: 'gitlab.example.com', state: 'unverifiable' },
    ]);
    expect(seen).toEqual([]);
  });

  it('tells one that GitLab does not accept', async () => {
    answer = { status: 401, body: { message: '401 Unauthorized' } };
    const { source } = create();
    expect(await read(source)).toMatchObject([{ state: 'refused' }]);
  });

  it.each([
    { name: 'an old GitLab', status: 404, body: { message: '404 Not Found' } },
    { name: 'a GitLab that is down', status: 503, body: {} },
    { name: 'an answer that is no token', status: 200, body: { id: 1 } },
  ])('cannot verify it with $name', async ({ status, body }) => {
    answer = { status, body };
    const { source } = create();
    const [reading] = await read(source);
    expect(reading.state).toBe('unverifiable');
    expect(reading).not.toHaveProperty('fact');
  });

  it('keeps what it knows while GitLab does not answer, with its time', async () => {
    const { source } = create();
    await read(source);
    answer = { status: 503, body: {} };
    await source.refresh();
    expect(source.readings()).toMatchObject([
      { state: 'unverifiable', fact: { scopes: ['api'] }, readAt: NOW },
    ]);
  });

  it('goes on with the next one', async () => {
    const host = 'gitlab.example.com';
    const { source } = create([
      { name: 'first', host },
      { name: 'second', host, token: 'b' },
      { name: 'third', host, token: 'c' },
    ]);
    expect((await read(source)).map(({ state }) => state)).toEqual([
      'unverifiable',
      'ready',
      'ready',
    ]);
    expect(seen.map(({ token }) => token)).toEqual(['b', 'c']);
  });

  it('begins afresh with another writer', async () => {
    const { source } = create();
    await read(source);
    abort.abort();
    abort = new AbortController();
    const told = jest.fn();
    source.onChange(told);
    source.start({ signal: abort.signal });
    expect(source.readings()).toMatchObject([{ state: 'pending' }]);
    expect(told).toHaveBeenCalled();
  });
});
