import { ResponseError } from '@backstage/errors';
import { PreviewsClient } from './PreviewsClient';
import { ListPreviewsResponse } from './types';

const BASE = 'https://portal.example.com/api/previews';

const page: ListPreviewsResponse = {
  items: [],
  totalItems: 0,
  phaseCounts: {},
  authors: [],
  sources: [],
  readAt: '2026-12-01T10:00:00Z',
};

function json(
  body: unknown,
  options: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return new Response(JSON.stringify(body), {
    status: options.status ?? 200,
    headers: { 'Content-Type': 'application/json', ...options.headers },
  });
}

function notModified(headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 304, headers });
}

function setUp() {
  const fetch = jest.fn<Promise<Response>, [string, RequestInit]>();
  const client = new PreviewsClient({
    discoveryApi: {
      getBaseUrl: async id => `https://portal.example.com/api/${id}`,
    },
    fetchApi: { fetch: fetch as unknown as typeof globalThis.fetch },
  });
  return { client, fetch };
}

describe('PreviewsClient', () => {
  it.each<[string, (client: PreviewsClient) => Promise<unknown>, string]>([
    [
      'lists without a filter',
      client => client.listPreviews(),
      'GET /v1/previews',
    ],
    [
      'lists with every filter, repeating the phase',
      client =>
        client.listPreviews({
          entityRef: 'component:default/shop',
          phase: ['Live', 'Failed'],
          project: 'shop/api',
          author: 'dev1',
          cluster: 'prod',
          q: '!7 a&b=c#d',
          draft: false,
          sort: '-created',
          limit: 20,
          cursor: 'x+/=',
        }),
      'GET /v1/previews?entityRef=component%3Adefault%2Fshop&phase=Live&phase=Failed&project=shop%2Fapi&author=dev1&cluster=prod&q=%217+a%26b%3Dc%23d&draft=false&sort=-created&limit=20&cursor=x%2B%2F%3D',
    ],
    [
      'leaves out empty filters',
      client => client.listPreviews({ q: '', phase: [], author: undefined }),
      'GET /v1/previews',
    ],
    [
      'gets one preview',
      client => client.getPreview('a-1'),
      'GET /v1/previews/a-1',
    ],
    [
      'encodes what is no id',
      client => client.getPreview('a/../b?c'),
      'GET /v1/previews/a%2F..%2Fb%3Fc',
    ],
    [
      'gets a page of a timeline',
      client => client.getTimeline('a-1', { cursor: 'c', limit: 10 }),
      'GET /v1/previews/a-1/timeline?cursor=c&limit=10',
    ],
    [
      'asks for a refresh',
      client => client.refresh('a-1'),
      'POST /v1/previews/a-1/refresh',
    ],
    [
      'gets the summary of an entity',
      client => client.getEntitySummary('component:default/shop'),
      'GET /v1/entities/component/default/shop/summary',
    ],
    ['gets all statistics', client => client.getStats(), 'GET /v1/stats'],
    [
      'gets the statistics of an entity in a range',
      client =>
        client.getStats({
          entityRef: 'component:default/shop',
          from: '2026-11-01T00:00:00Z',
          to: '2026-12-01T00:00:00Z',
        }),
      'GET /v1/stats?entityRef=component%3Adefault%2Fshop&from=2026-11-01T00%3A00%3A00Z&to=2026-12-01T00%3A00%3A00Z',
    ],
    [
      'lists findings, repeating the type',
      client =>
        client.listFindings({
          entityRef: 'component:default/shop',
          type: ['Unjoined', 'NameCollision'],
          state: 'all',
          limit: 20,
        }),
      'GET /v1/findings?entityRef=component%3Adefault%2Fshop&type=Unjoined&type=NameCollision&state=all&limit=20',
    ],
    [
      'gets a finding',
      client => client.getFinding('unjoined-1'),
      'GET /v1/findings/unjoined-1',
    ],
    ['gets the sources', client => client.getSources(), 'GET /v1/sources'],
  ])('%s', async (_, call, expected) => {
    const { client, fetch } = setUp();
    fetch.mockResolvedValue(json({}));

    await call(client);

    expect(fetch).toHaveBeenCalledTimes(1);
    const [url, init] = fetch.mock.calls[0];
    const [method, path] = expected.split(' ');
    expect(url).toBe(`${BASE}${path}`);
    expect(init.method).toBe(method);
  });

  it.each(['', '.', '..'])('refuses the id "%s"', async id => {
    const { client, fetch } = setUp();
    await expect(client.getPreview(id)).rejects.toThrow('names nothing');
    await expect(client.refresh(id)).rejects.toThrow('names nothing');
    expect(fetch).not.toHaveBeenCalled();
  });

  it('refuses an entity without a kind', async () => {
    const { client } = setUp();
    await expect(client.getEntitySummary('shop')).rejects.toThrow();
  });

  it('answers a refresh with its acceptance', async () => {
    const { client, fetch } = setUp();
    fetch.mockResolvedValue(json({ accepted: true }, { status: 202 }));
    await expect(client.refresh('a-1')).resolves.toEqual({ accepted: true });
  });

  it('passes the signal and the token on', async () => {
    const { client, fetch } = setUp();
    fetch.mockResolvedValue(json(page));
    const { signal } = new AbortController();

    await client.listPreviews({}, { signal, token: 'secret' });

    expect(fetch.mock.calls[0][1].signal).toBe(signal);
    expect(fetch.mock.calls[0][1].headers).toEqual({
      Authorization: 'Bearer secret',
    });
  });

  it.each([400, 401, 403, 404, 429, 500])(
    'rejects with the error of a %s',
    async status => {
      const { client, fetch } = setUp();
      fetch.mockImplementation(async () =>
        json(
          {
            error: { name: 'SomeError', message: 'what went wrong' },
            response: { statusCode: status },
          },
          { status },
        ),
      );
      const rejected = await client.listPreviews().catch(error => error);
      expect(rejected).toBeInstanceOf(ResponseError);
      expect(rejected.response.status).toBe(status);
      expect(rejected.cause.message).toBe('what went wrong');
      await expect(client.refresh('a-1')).rejects.toBeInstanceOf(ResponseError);
    },
  );

  it('says so when the answer is no JSON', async () => {
    const { client, fetch } = setUp();
    fetch.mockResolvedValue(new Response('<html>log in</html>'));
    await expect(client.listPreviews()).rejects.toThrow('is no JSON');
  });

  it('sends the last ETag and keeps the body of an unchanged answer', async () => {
    const { client, fetch } = setUp();
    fetch.mockResolvedValueOnce(json(page, { headers: { ETag: '"1"' } }));
    const first = await client.listPreviews();
    expect(fetch.mock.calls[0][1].headers).toEqual({});

    fetch.mockResolvedValueOnce(
      notModified({ 'Previews-Read-At': '2026-12-01T10:01:00Z' }),
    );
    const second = await client.listPreviews();

    expect(fetch.mock.calls[1][1].headers).toEqual({ 'If-None-Match': '"1"' });
    expect(second).toEqual({ ...page, readAt: '2026-12-01T10:01:00Z' });
    expect(second.items).toBe(first.items);
  });

  it('gives the very same answer back when it was not read again', async () => {
    const { client, fetch } = setUp();
    fetch.mockResolvedValueOnce(json(page, { headers: { ETag: '"1"' } }));
    const first = await client.listPreviews();
    fetch.mockResolvedValueOnce(notModified());
    expect(await client.listPreviews()).toBe(first);
  });

  it('takes the time of reading from the header', async () => {
    const { client, fetch } = setUp();
    fetch.mockResolvedValueOnce(
      json(page, { headers: { 'Previews-Read-At': '2026-12-01T11:00:00Z' } }),
    );
    expect((await client.listPreviews()).readAt).toBe('2026-12-01T11:00:00Z');
  });

  it('takes a changed answer and its new ETag', async () => {
    const { client, fetch } = setUp();
    fetch.mockResolvedValueOnce(json(page, { headers: { ETag: '"1"' } }));
    await client.listPreviews();
    fetch.mockResolvedValueOnce(
      json({ ...page, totalItems: 3 }, { headers: { ETag: '"2"' } }),
    );
    expect((await client.listPreviews()).totalItems).toBe(3);
    fetch.mockResolvedValueOnce(notModified());
    expect((await client.listPreviews()).totalItems).toBe(3);
    expect(fetch.mock.calls[2][1].headers).toEqual({ 'If-None-Match': '"2"' });
  });

  it('does not send the ETag of another query', async () => {
    const { client, fetch } = setUp();
    fetch.mockResolvedValueOnce(json(page, { headers: { ETag: '"1"' } }));
    await client.listPreviews({ author: 'dev1' });
    fetch.mockResolvedValueOnce(json(page));
    await client.listPreviews({ author: 'reviewer1' });
    expect(fetch.mock.calls[1][1].headers).toEqual({});
  });

  it('forgets an answer that may not be seen any more', async () => {
    const { client, fetch } = setUp();
    fetch.mockResolvedValueOnce(json(page, { headers: { ETag: '"1"' } }));
    await client.listPreviews();
    fetch.mockResolvedValueOnce(json({}, { status: 403 }));
    await expect(client.listPreviews()).rejects.toThrow();
    fetch.mockResolvedValueOnce(json(page));
    await client.listPreviews();
    expect(fetch.mock.calls[2][1].headers).toEqual({});
  });

  it('keeps the answers asked for last and lets the oldest go', async () => {
    const { client, fetch } = setUp();
    fetch.mockImplementation(async () =>
      json({ preview: {}, sources: [] }, { headers: { ETag: '"1"' } }),
    );
    await client.getPreview('used');
    await client.getPreview('unused');
    for (let index = 0; index < 48; index += 1) {
      await client.getPreview(`p-${index}`);
    }
    await client.getPreview('used');
    await client.getPreview('one-more');
    fetch.mockClear();

    await client.getPreview('used');
    await client.getPreview('unused');

    expect(fetch.mock.calls[0][1].headers).toEqual({ 'If-None-Match': '"1"' });
    expect(fetch.mock.calls[1][1].headers).toEqual({});
  });
});
