import { mockServices } from '@backstage/backend-test-utils';
import { ServerResponse } from 'node:http';
import { GitLabHostConfig } from '../../config';
import {
  eventually,
  ScriptedRequest,
  ScriptedServer,
  sendJson,
  sendText,
} from '../testing/ScriptedServer';
import { createGitLabSource } from '../testing/createGitLabSource';
import { DefaultGitLabSource } from './DefaultGitLabSource';

const SHA = '1f0e2d3c4b5a69788796a5b4c3d2e1f001234567';

type MergeRequestJson = Record<string, unknown> & { iid: number };

function mergeRequest(
  iid: number,
  fields: Record<string, unknown> = {},
): MergeRequestJson {
  return {
    id: 1000 + iid,
    iid,
    project_id: 7,
    source_project_id: 7,
    target_project_id: 7,
    title: `Change ${iid}`,
    state: 'opened',
    draft: false,
    source_branch: `feature-${iid}`,
    target_branch: 'main',
    sha: SHA,
    labels: ['preview'],
    author: { username: 'dev1', name: 'Developer One' },
    web_url: `https://gitlab.example.com/group/shop/-/merge_requests/${iid}`,
    created_at: '2026-03-01T10:00:00.000Z',
    updated_at: '2026-03-01T11:00:00.000Z',
    ...fields,
  };
}

const PROJECT = {
  id: 7,
  path_with_namespace: 'group/shop',
  web_url: 'https://gitlab.example.com/group/shop',
  container_registry_image_prefix: 'registry.example.com/group/shop',
};

const TOKEN = {
  id: 1,
  scopes: ['read_api'],
  active: true,
  revoked: false,
  expires_at: null,
};

/** A GitLab of one project; a fault comes before it where there is one. */
class FakeGitLab {
  mergeRequests: MergeRequestJson[] = [mergeRequest(1), mergeRequest(2)];
  pipelines: unknown[] = [];
  changedFiles: string[] = [];
  tags: string[] = [];
  token: Record<string, unknown> = TOKEN;
  mount = '';
  fault?: (request: ScriptedRequest, response: ServerResponse) => boolean;

  answer = (request: ScriptedRequest, response: ServerResponse): void => {
    if (this.fault?.(request, response)) {
      return;
    }
    const { path, query } = request;
    const api = `${this.mount}/api/v4`;
    const rest = path.startsWith(api) ? path.slice(api.length) : '';
    const one =
      /^\/projects\/7\/merge_requests\/(\d+)(\/pipelines|\/diffs|\/approvals)?$/.exec(
        rest,
      );
    if (rest === '/personal_access_tokens/self') {
      sendJson(response, this.token);
    } else if (rest === '/projects/7' || rest === '/projects/group%2Fshop') {
      sendJson(response, PROJECT);
    } else if (rest === '/projects/7/merge_requests') {
      const page = Number(query.get('page') ?? 1);
      const perPage = Number(query.get('per_page') ?? 20);
      const all = this.mergeRequests.filter(
        ({ iid, state, updated_at: updatedAt }) =>
          (query.get('state') === 'all' || state === query.get('state')) &&
          (!query.has('iids[]') ||
            query.getAll('iids[]').includes(String(iid))) &&
          String(updatedAt) >= (query.get('updated_after') ?? ''),
      );
      const isLast = page * perPage >= all.length;
      sendJson(response, all.slice((page - 1) * perPage, page * perPage), {
        headers: { 'x-next-page': isLast ? '' : String(page + 1) },
      });
    } else if (one) {
      const found = this.mergeRequests.find(
        ({ iid }) => iid === Number(one[1]),
      );
      if (!found) {
        sendJson(response, { message: '404 Not found' }, { status: 404 });
      } else {
        const answers: Record<string, unknown> = {
          '/pipelines': this.pipelines,
          '/diffs': this.#diffsPage(query),
          '/approvals': { approved_by: [] },
        };
        sendJson(response, one[2] ? answers[one[2]] : found);
      }
    } else if (rest === '/projects/7/registry/repositories') {
      sendJson(response, [
        {
          id: 3,
          name: '',
          path: 'group/shop',
          location: 'registry.example.com/group/shop',
        },
      ]);
    } else if (rest.startsWith('/projects/7/registry/repositories/3/tags')) {
      const name = rest.split('/tags/')[1];
      const toJson = (tag: string) => ({
        name: tag,
        path: `group/shop:${tag}`,
        location: `registry.example.com/group/shop:${tag}`,
      });
      if (!name) {
        sendJson(response, this.tags.map(toJson));
      } else if (this.tags.includes(name)) {
        sendJson(response, toJson(name));
      } else {
        sendJson(response, { message: '404 Tag Not Found' }, { status: 404 });
      }
    } else {
      sendJson(response, { message: '404 Not Found' }, { status: 404 });
    }
  };

  #diffsPage(query: URLSearchParams): unknown[] {
    const page = Number(query.get('page') ?? 1);
    return this.changedFiles
      .slice((page - 1) * 100, page * 100)
      .map(path => ({ old_path: path, new_path: path, diff: '' }));
  }
}

describe('DefaultGitLabSource', () => {
  const gitlab = { current: new FakeGitLab() };
  let server: ScriptedServer;
  let stop: AbortController;
  let now: Date;

  beforeEach(async () => {
    gitlab.current = new FakeGitLab();
    now = new Date('2026-03-01T12:00:00.000Z');
    stop = new AbortController();
    server = await ScriptedServer.listen((request, response) =>
      gitlab.current.answer(request, response),
    );
  });

  afterEach(async () => {
    stop.abort();
    await server.close();
  });

  function create(
    options: {
      config?: Partial<GitLabHostConfig>;
      timeoutMilliseconds?: number;
      logger?: ReturnType<typeof mockServices.logger.mock>;
    } = {},
  ): DefaultGitLabSource {
    return createGitLabSource(server, {
      logger: mockServices.logger.mock(),
      clock: () => now,
      ...options,
    });
  }

  /** A source that has read the project once. */
  async function started(
    options: Parameters<typeof create>[0] = {},
  ): Promise<DefaultGitLabSource> {
    const source = create(options);
    source.trackProjects([{ path: 'group/shop' }]);
    source.start({ signal: stop.signal });
    await source.refresh();
    return source;
  }

  function project(source: DefaultGitLabSource) {
    return source.reading().projects.get(7);
  }

  function states(source: DefaultGitLabSource) {
    return Object.fromEntries(
      [...(project(source)?.mergeRequests ?? [])].map(([iid, reading]) => [
        iid,
        reading.deletedAt ? 'deleted' : reading.fact.state,
      ]),
    );
  }

  function facts(source: DefaultGitLabSource) {
    return [...(project(source)?.mergeRequests.values() ?? [])].map(
      ({ fact, readAt }) => ({ fact, readAt }),
    );
  }

  function later(minutes: number) {
    now = new Date(now.getTime() + minutes * 60_000);
  }

  /** Answers the list of open MRs only. */
  function onList(
    answer: (response: ServerResponse, request: ScriptedRequest) => void,
  ) {
    gitlab.current.fault = (request, response) => {
      if (
        request.path.endsWith('/merge_requests') &&
        request.query.get('state') === 'opened'
      ) {
        answer(response, request);
        return true;
      }
      return false;
    };
  }

  it('is pending before it has read anything', () => {
    const source = create();
    source.trackProjects([{ path: 'group/shop' }]);
    expect(source.reading()).toEqual({
      host: 'gitlab.example.com',
      webUrl: server.url,
      projects: new Map(),
      unreadable: [],
    });
    expect(source.state(now).status).toBe('pending');
  });

  it('reads the open merge requests of a project that a path names', async () => {
    const source = await started();
    expect(project(source)).toMatchObject({
      fact: {
        id: 7,
        path: 'group/shop',
        registryPath: 'registry.example.com/group/shop',
      },
      state: 'ready',
      completeAt: '2026-03-01T12:00:00.000Z',
    });
    expect(states(source)).toEqual({ 1: 'opened', 2: 'opened' });
    expect(source.state(now)).toMatchObject({
      id: 'gitlab:gitlab.example.com',
      status: 'fresh',
      lastCompleteAt: '2026-03-01T12:00:00.000Z',
      errors: [],
      notes: [],
    });
  });

  it('counts a project once that is named by id and by path', async () => {
    const source = create();
    source.trackProjects([{ path: 'group/shop' }, { id: 7 }]);
    source.start({ signal: stop.signal });
    await source.refresh();
    server.requests.length = 0;
    await source.refresh();
    expect(server.asked(/merge_requests\?/)).toHaveLength(1);
  });

  it('calls a GitLab below a subpath', async () => {
    gitlab.current.mount = '/git';
    const source = await started({
      config: {
        webUrl: `${server.url}/git`,
        apiUrl: `${server.url}/git/api/v4`,
      },
    });
    expect(states(source)).toEqual({ 1: 'opened', 2: 'opened' });
    expect(
      server.requests.every(({ path }) => path.startsWith('/git/api/v4/')),
    ).toBe(true);
  });

  it('sends the token in its header and only ever reads', async () => {
    await started();
    for (const request of server.requests) {
      expect(request.method).toBe('GET');
      expect(request.headers['private-token']).toBe('secret-token-value');
    }
  });

  it('follows all pages, with and without pagination headers', async () => {
    gitlab.current.mergeRequests = Array.from({ length: 230 }, (_, index) =>
      mergeRequest(index + 1),
    );
    const source = await started();
    expect(project(source)?.mergeRequests.size).toBe(230);
    onList((response, { query }) => {
      const page = Number(query.get('page'));
      sendJson(
        response,
        gitlab.current.mergeRequests.slice((page - 1) * 100, page * 100),
      );
    });
    later(15);
    await source.refresh();
    expect(project(source)).toMatchObject({ state: 'ready' });
    expect(project(source)?.mergeRequests.size).toBe(230);
  });

  it.each([
    [21, 2],
    [101, 6],
  ])(
    'reads all %d open merge requests from a GitLab that gives 20 a page',
    async (count, pages) => {
      const all = Array.from({ length: count }, (_, index) =>
        mergeRequest(index + 1),
      );
      onList((response, { query }) => {
        const page = Number(query.get('page') ?? 1);
        sendJson(response, all.slice((page - 1) * 20, page * 20), {
          headers: {
            'x-per-page': '20',
            'x-next-page': page * 20 < count ? String(page + 1) : '',
          },
        });
      });
      const source = await started();
      expect(project(source)).toMatchObject({ state: 'ready' });
      expect(project(source)?.mergeRequests.size).toBe(count);
      const asked = server.requests.filter(
        ({ path, query }) =>
          path.endsWith('/projects/7/merge_requests') &&
          query.get('state') === 'opened',
      );
      expect(asked.map(({ query }) => Number(query.get('page') ?? 1))).toEqual(
        Array.from({ length: pages }, (_, index) => index + 1),
      );
      expect(new Set(asked.map(({ query }) => query.get('per_page')))).toEqual(
        new Set(['100']),
      );
    },
  );

  it('reads an MR from a fork without asking for the fork, which may be out of reach', async () => {
    gitlab.current.mergeRequests = [
      mergeRequest(1, { source_project_id: 99 }),
      mergeRequest(2, { source_project_id: null }),
    ];
    const source = await started();
    expect(facts(source).map(({ fact }) => fact.fork)).toEqual([true, true]);
    expect(project(source)).toMatchObject({ state: 'ready' });
    expect(source.state(now)).toMatchObject({ status: 'fresh', errors: [] });
    expect(server.asked(/projects\/99/)).toEqual([]);
  });

  it('counts a merge request once that stands on two pages because they shifted', async () => {
    const all = Array.from({ length: 150 }, (_, index) =>
      mergeRequest(index + 1),
    );
    onList((response, { query }) =>
      query.get('page') === '1'
        ? sendJson(response, all.slice(0, 100), {
            headers: { 'x-next-page': '2' },
          })
        : sendJson(response, all.slice(90), { headers: { 'x-next-page': '' } }),
    );
    const source = await started();
    expect(project(source)?.mergeRequests.size).toBe(150);
  });

  it.each(['merged', 'closed', 'locked'])(
    'asks for a merge request that left the list, and finds it %s',
    async state => {
      const source = await started();
      source.followMergeRequests([{ projectId: 7, iid: 2 }]);
      gitlab.current.mergeRequests[1] = mergeRequest(2, { state });
      later(1);
      await source.refresh();
      expect(states(source)).toEqual({ 1: 'opened', 2: state });
      expect(project(source)?.state).toBe('ready');
    },
  );

  it('keeps a merge request open that the list lost between two pages', async () => {
    const source = await started();
    onList(response => sendJson(response, [mergeRequest(1)]));
    later(1);
    await source.refresh();
    expect(states(source)).toEqual({ 1: 'opened', 2: 'opened' });
    expect(project(source)?.state).toBe('ready');
  });

  it('finds a merge request deleted when project and list are readable', async () => {
    const source = await started();
    gitlab.current.mergeRequests.pop();
    later(1);
    await source.refresh();
    expect(states(source)).toEqual({ 1: 'opened', 2: 'deleted' });
    expect(project(source)?.mergeRequests.get(2)?.deletedAt).toBe(
      now.toISOString(),
    );
  });

  it('does not find a merge request deleted that its list has all the same', async () => {
    const source = await started();
    gitlab.current.mergeRequests[1] = mergeRequest(2, { state: 'closed' });
    const asked: string[][] = [];
    gitlab.current.fault = ({ path, query }, response) => {
      if (query.has('iids[]')) {
        asked.push(query.getAll('iids[]'));
      }
      if (path.endsWith('/merge_requests/2')) {
        sendJson(response, { message: '404 Not found' }, { status: 404 });
        return true;
      }
      return false;
    };
    later(1);
    await source.refresh();
    expect(states(source)).toEqual({ 1: 'opened', 2: 'closed' });
    expect(project(source)?.state).toBe('ready');
    expect(asked).toEqual([['2']]);
  });

  describe('of a merge request that GitLab fails over alone', () => {
    const broken = ({ path }: ScriptedRequest, response: ServerResponse) => {
      const isBroken = path.endsWith('/merge_requests/2');
      if (isBroken) {
        sendJson(response, { message: '500 Error' }, { status: 500 });
      }
      return isBroken;
    };

    it('takes what its list has, and reads the others', async () => {
      const source = await started();
      gitlab.current.mergeRequests[1] = mergeRequest(2, { state: 'closed' });
      gitlab.current.fault = broken;
      later(1);
      await source.refresh();
      expect(states(source)).toEqual({ 1: 'opened', 2: 'closed' });
      expect(project(source)).toMatchObject({
        state: 'ready',
        completeAt: now.toISOString(),
      });
    });

    it.each([
      ['does not have it', () => {}],
      [
        'fails too',
        () => {
          gitlab.current.fault = (request, response) => {
            const isFailing = request.query.has('iids[]');
            if (isFailing) {
              sendJson(response, {}, { status: 500 });
            }
            return isFailing || broken(request, response);
          };
        },
      ],
    ])('concludes nothing where its list %s', async (_, fail) => {
      const source = await started();
      gitlab.current.mergeRequests.pop();
      gitlab.current.fault = broken;
      fail();
      later(1);
      await source.refresh();
      expect(states(source)).toEqual({ 1: 'opened', 2: 'opened' });
      expect(project(source)).toMatchObject({ state: 'failing', status: 500 });
    });
  });

  it('asks again for one that was deleted and is followed, and believes that it is there', async () => {
    const source = await started();
    source.followMergeRequests([{ projectId: 7, iid: 2 }]);
    const closed = mergeRequest(2, { state: 'closed' });
    gitlab.current.mergeRequests.pop();
    later(1);
    await source.refresh();
    expect(states(source)).toEqual({ 1: 'opened', 2: 'deleted' });
    gitlab.current.mergeRequests.push(closed);
    later(11);
    await source.refresh();
    await source.refresh();
    expect(states(source)).toEqual({ 1: 'opened', 2: 'closed' });
  });

  it('does not find a merge request deleted when its project is not found', async () => {
    const source = await started();
    gitlab.current.mergeRequests.pop();
    gitlab.current.fault = ({ path }, response) => {
      if (path.endsWith('/projects/7')) {
        sendJson(
          response,
          { message: '404 Project Not Found' },
          { status: 404 },
        );
        return true;
      }
      return false;
    };
    later(1);
    await source.refresh();
    expect(states(source)).toEqual({ 1: 'opened', 2: 'opened' });
    expect(project(source)).toMatchObject({ state: 'failing', status: 404 });
  });

  it.each([401, 403, 404])(
    'concludes nothing from an empty list while the merge requests answer %d',
    async status => {
      const source = await started();
      const before = project(source)?.completeAt;
      gitlab.current.fault = ({ path, query }, response) => {
        if (path.endsWith('/projects/7/merge_requests')) {
          sendJson(response, []);
          return query.has('state');
        }
        if (path.includes('/merge_requests/')) {
          sendJson(response, { message: `${status}` }, { status });
          return true;
        }
        return false;
      };
      later(1);
      await source.refresh();
      expect(states(source)).toEqual({ 1: 'opened', 2: 'opened' });
      expect(project(source)?.state).not.toBe('ready');
      expect(project(source)).toMatchObject({ completeAt: before, status });
    },
  );

  it('concludes nothing from an empty list after a restart either', async () => {
    gitlab.current.fault = ({ path, query }, response) => {
      if (path.endsWith('/projects/7/merge_requests')) {
        sendJson(response, []);
        return query.has('state');
      }
      if (path.includes('/merge_requests/')) {
        sendJson(response, { message: '404 Not found' }, { status: 404 });
        return true;
      }
      return false;
    };
    const source = create();
    source.followMergeRequests([{ projectId: 7, iid: 2 }]);
    source.trackProjects([{ path: 'group/shop' }]);
    source.start({ signal: stop.signal });
    await source.refresh();
    expect(project(source)?.missing).toEqual(new Map());
    expect(project(source)?.state).not.toBe('ready');
  });

  it('believes that the last merge request of a project was deleted when it shows none for ten minutes', async () => {
    const source = await started();
    gitlab.current.mergeRequests = [];
    for (const minutes of [1, 5, 4]) {
      later(minutes);
      await source.refresh();
      expect(states(source)).toEqual({ 1: 'opened', 2: 'opened' });
      expect(project(source)?.state).toBe('failing');
    }
    later(1);
    await source.refresh();
    expect(states(source)).toEqual({ 1: 'deleted', 2: 'deleted' });
    expect(project(source)?.state).toBe('ready');
  });

  it('begins to count anew when it saw a merge request in between', async () => {
    const source = await started();
    const all = gitlab.current.mergeRequests;
    for (const [minutes, shown] of [
      [1, []],
      [8, all],
      [1, []],
      [8, []],
    ] as const) {
      gitlab.current.mergeRequests = [...shown];
      later(minutes);
      await source.refresh();
      expect(states(source)).toEqual({ 1: 'opened', 2: 'opened' });
    }
  });

  it('believes an empty list where other merge requests are seen', async () => {
    const source = await started();
    gitlab.current.mergeRequests = [mergeRequest(9, { state: 'merged' })];
    later(1);
    await source.refresh();
    expect(states(source)).toEqual({ 1: 'deleted', 2: 'deleted' });
    expect(project(source)?.state).toBe('ready');
  });

  it('lets go of a merge request that ended once nobody follows it', async () => {
    const source = await started();
    gitlab.current.mergeRequests[1] = mergeRequest(2, { state: 'merged' });
    source.followMergeRequests([{ projectId: 7, iid: 2 }]);
    await source.refresh();
    later(5);
    source.followMergeRequests([{ projectId: 7, iid: 2 }]);
    expect(states(source)).toEqual({ 1: 'opened', 2: 'merged' });
    source.followMergeRequests([]);
    expect(states(source)).toEqual({ 1: 'opened' });
  });

  describe('of a merge request that has ended and that nobody follows', () => {
    const ended = (fields: Partial<MergeRequestJson> = {}) =>
      mergeRequest(40, { state: 'merged', ...fields });

    /** A source that goes on from an earlier one, which remembers these. */
    function resumed(options: { remembered: number[]; unreadSince?: string }) {
      const asked: number[][] = [];
      const source = create();
      source.resume({
        ...options,
        recall: async keys => {
          asked.push(keys.map(({ iid }) => iid));
          return keys.filter(({ iid }) => options.remembered.includes(iid));
        },
      });
      source.trackProjects([{ path: 'group/shop' }]);
      source.start({ signal: stop.signal });
      return { source, asked };
    }

    const twice = async (source: DefaultGitLabSource) => {
      await source.refresh();
      await source.refresh();
    };

    it.each([
      ['shows what became of it where it is remembered', [40], 'merged'],
      ['shows nothing where it is not', [], undefined],
    ])('%s', async (_, remembered, shown) => {
      const { source, asked } = resumed({ remembered });
      await twice(source);
      expect(asked).toEqual([]);
      later(1);
      gitlab.current.mergeRequests.push(
        ended({ updated_at: now.toISOString() }),
      );
      await twice(source);
      expect(states(source)[40]).toBe(shown);
      expect(asked[0]).toEqual([40]);
      expect(project(source)?.state).toBe('ready');
    });

    it('lets go of it again soon', async () => {
      const { source } = resumed({ remembered: [40] });
      await twice(source);
      gitlab.current.mergeRequests.push(
        ended({ updated_at: now.toISOString() }),
      );
      await twice(source);
      source.followMergeRequests([]);
      expect(states(source)[40]).toBe('merged');
      later(3);
      source.followMergeRequests([]);
      expect(states(source)).toEqual({ 1: 'opened', 2: 'opened' });
    });

    it.each([
      ['sees what came before it was started', '2026-03-01T09:00:00.000Z', 1],
      ['asks for nothing that was read before', '2026-03-01T11:30:00.000Z', 0],
    ])('%s', async (_, unreadSince, count) => {
      gitlab.current.mergeRequests = [
        mergeRequest(1, { updated_at: '2026-03-01T11:59:00.000Z' }),
        ended({ updated_at: '2026-03-01T10:00:00.000Z' }),
      ];
      const { source, asked } = resumed({ remembered: [40], unreadSince });
      await twice(source);
      expect(asked).toHaveLength(count);
      expect(states(source)[40]).toBe(count ? 'merged' : undefined);
    });

    it('asks again while it cannot be told what is remembered', async () => {
      const source = create();
      let isBroken = true;
      source.resume({
        recall: async keys => {
          if (isBroken) {
            throw new Error('The database is away');
          }
          return keys;
        },
      });
      source.trackProjects([{ path: 'group/shop' }]);
      source.start({ signal: stop.signal });
      await twice(source);
      const before = source.unreadSince();
      gitlab.current.mergeRequests.push(
        ended({ updated_at: now.toISOString() }),
      );
      for (let poll = 0; poll < 3; poll += 1) {
        later(10);
        await twice(source);
      }
      expect(states(source)).toEqual({ 1: 'opened', 2: 'opened' });
      expect(project(source)).toMatchObject({ state: 'ready' });
      expect(source.unreadSince()).toBe(before);
      isBroken = false;
      await twice(source);
      expect(states(source)[40]).toBe('merged');
    });

    it('reaches back behind an outage, and behind complete readings since', async () => {
      const { source } = resumed({ remembered: [40] });
      await twice(source);
      const before = source.unreadSince();
      gitlab.current.fault = (_, response) => {
        sendJson(response, {}, { status: 502 });
        return true;
      };
      later(10);
      gitlab.current.mergeRequests.push(
        ended({ updated_at: now.toISOString() }),
      );
      later(10);
      await twice(source);
      expect(source.unreadSince()).toBe(before);
      gitlab.current.fault = undefined;
      gitlab.current.mergeRequests[0] = mergeRequest(1, {
        updated_at: now.toISOString(),
      });
      await twice(source);
      expect(states(source)[40]).toBe('merged');
      expect(source.unreadSince()).toBe('2026-03-01T12:18:00.000Z');
    });

    it('goes on without what is too much to read', async () => {
      const { source } = resumed({
        remembered: [],
        unreadSince: '2025-03-01T12:00:00.000Z',
      });
      gitlab.current.fault = ({ path, query }, response) => {
        const isTooLong =
          path.endsWith('/merge_requests') &&
          query.get('updated_after')?.startsWith('2025') === true;
        if (isTooLong) {
          sendJson(response, [], { headers: { 'x-total-pages': '501' } });
        }
        return isTooLong;
      };
      await twice(source);
      await twice(source);
      expect(server.asked(/updated_after=2025/)).toHaveLength(1);
      expect(server.asked(/updated_after=2026/)).not.toEqual([]);
      expect(project(source)).toMatchObject({ state: 'ready' });
    });

    it('is read completely again when its project is tracked again', async () => {
      const { source } = resumed({ remembered: [] });
      await source.refresh();
      source.trackProjects([]);
      expect(project(source)).toBeUndefined();
      source.trackProjects([{ path: 'group/shop' }]);
      await source.refresh();
      expect(states(source)).toEqual({ 1: 'opened', 2: 'opened' });
    });
  });

  describe('of a merge request that nobody follows, and that something may be left of', () => {
    const ended = mergeRequest(9, {
      state: 'merged',
      created_at: '2026-02-01T10:00:00.000Z',
      merged_at: '2026-02-02T10:00:00.000Z',
    });
    const past = (source: DefaultGitLabSource) =>
      Object.fromEntries(project(source)?.past ?? []);
    const asking = () => server.asked(/iids/).length;

    async function startedWith(
      ...mergeRequests: MergeRequestJson[]
    ): Promise<DefaultGitLabSource> {
      gitlab.current.mergeRequests.push(...mergeRequests);
      return started();
    }

    it('tells when it began and ended, asked once, and follows it no more than before', async () => {
      const source = await startedWith(
        ended,
        mergeRequest(10, { state: 'closed', closed_at: null }),
      );
      source.lookForPast([9, 10, 11].map(iid => ({ projectId: 7, iid })));
      await eventually(() =>
        expect(past(source)).toEqual({
          9: {
            createdAt: '2026-02-01T10:00:00.000Z',
            endedAt: '2026-02-02T10:00:00.000Z',
          },
          10: { createdAt: '2026-03-01T10:00:00.000Z' },
          // There is none of that number.
          11: {},
        }),
      );
      expect(states(source)).toEqual({ 1: 'opened', 2: 'opened' });
      await source.refresh();
      expect(asking()).toBe(1);

      later(60);
      await source.refresh();
      // What is over is over; what was not found may be found one day.
      expect(server.asked(/iids/).slice(1)).toEqual([
        expect.stringMatching(/^(?!.*=9&)(?!.*=10&).*11/),
      ]);
      source.lookForPast([]);
      expect(past(source)).toEqual({});
    });

    it('says nothing while it is open, or GitLab does not answer', async () => {
      const source = await startedWith(ended);
      source.lookForPast([{ projectId: 7, iid: 1 }]);
      await eventually(() => expect(asking()).toBe(1));
      expect(past(source)).toEqual({});

      gitlab.current.fault = ({ query }, response) => {
        if (query.has('iids[]')) {
          sendJson(response, {}, { status: 500 });
          return true;
        }
        return false;
      };
      source.lookForPast([{ projectId: 7, iid: 9 }]);
      await eventually(() => expect(asking()).toBeGreaterThan(1));
      await source.refresh();
      const failed = asking();
      gitlab.current.fault = undefined;
      await source.refresh();
      expect(asking()).toBe(failed);
      expect(past(source)).toEqual({});
      expect(project(source)).toMatchObject({ state: 'ready' });
      later(5);
      await source.refresh();
      expect(Object.keys(past(source))).toEqual(['9']);
    });
  });

  it('reads a merge request that is followed though it is not open', async () => {
    gitlab.current.mergeRequests.push(mergeRequest(40, { state: 'closed' }));
    const source = await started();
    source.followMergeRequests([{ projectId: 7, iid: 40 }]);
    await eventually(() => expect(states(source)[40]).toBe('closed'));
  });

  it('knows that a followed merge request is gone though it never read it', async () => {
    const source = await started();
    source.followMergeRequests([{ projectId: 7, iid: 40 }]);
    await eventually(() =>
      expect(project(source)?.missing).toEqual(
        new Map([[40, '2026-03-01T12:00:00.000Z']]),
      ),
    );
    later(1);
    await source.refresh();
    expect(project(source)?.missing?.get(40)).toBe('2026-03-01T12:00:00.000Z');
    source.followMergeRequests([]);
    expect(project(source)?.missing?.size).toBe(0);
  });

  it.each<[string, (source: DefaultGitLabSource) => void]>([
    ['its project was let go of', source => source.trackProjects([])],
    ['nobody followed it', source => source.followMergeRequests([])],
  ])(
    'finds a followed merge request gone again after %s for a while',
    async (_, letGo) => {
      const source = await started();
      const key = { projectId: 7, iid: 40 };
      const isFoundGone = () =>
        eventually(() => expect(project(source)?.missing?.has(40)).toBe(true));
      source.followMergeRequests([key]);
      await isFoundGone();
      letGo(source);
      source.trackProjects([{ id: 7 }]);
      source.followMergeRequests([key]);
      await eventually(() => expect(project(source)).toBeDefined());
      await source.refresh();
      await isFoundGone();
    },
  );

  it('does not take a merge request for gone while its project is not found', async () => {
    const source = await started();
    gitlab.current.fault = ({ path }, response) => {
      if (path.endsWith('/projects/7')) {
        sendJson(response, {}, { status: 404 });
        return true;
      }
      return false;
    };
    source.followMergeRequests([{ projectId: 7, iid: 40 }]);
    await eventually(() =>
      expect(server.asked(/merge_requests\/40/).length).toBeGreaterThan(0),
    );
    await source.refresh();
    expect(project(source)?.missing?.size).toBe(0);
  });

  describe('failures take nothing away', () => {
    const json =
      (body: unknown, status: number) =>
      (response: ServerResponse): void =>
        sendJson(response, body, { status });
    const token = (description: string) =>
      json({ error: 'invalid_token', error_description: description }, 401);

    it.each([
      [
        'a revoked token',
        token('Token was revoked. Authorize again.'),
        'TokenRevoked',
        'failing',
      ],
      [
        'an expired token',
        token('Token is expired. Renew it.'),
        'TokenExpired',
        'failing',
      ],
      [
        'a token of nobody',
        token('Token is an impersonation token, which is off.'),
        'TokenInvalid',
        'failing',
      ],
      [
        'no valid token',
        json({ message: '401 Unauthorized' }, 401),
        'TokenInvalid',
        'failing',
      ],
      [
        'a missing scope',
        json({ error: 'insufficient_scope', scope: 'api' }, 403),
        'ScopeMissing',
        'failing',
      ],
      [
        'a denial',
        json({ message: '403 Forbidden' }, 403),
        'Forbidden',
        'forbidden',
      ],
      [
        'a missing project',
        json({ message: '404 Project Not Found' }, 404),
        'NotFound',
        'failing',
      ],
      [
        'a broken server',
        json({ message: '500' }, 500),
        'ServerError',
        'failing',
      ],
      [
        'an HTML page',
        (response: ServerResponse) =>
          sendText(response, '<html>Sign in</html>', {
            status: 200,
            headers: { 'content-type': 'text/html' },
          }),
        'UnexpectedAnswer',
        'failing',
      ],
      [
        'an HTML error',
        (response: ServerResponse) =>
          sendText(response, '<html>Bad gateway</html>', {
            status: 502,
            headers: { 'content-type': 'text/html' },
          }),
        'ServerError',
        'failing',
      ],
      [
        'JSON that is none',
        (response: ServerResponse) =>
          sendText(response, '{"a":', {
            status: 200,
            headers: { 'content-type': 'application/json' },
          }),
        'UnexpectedAnswer',
        'failing',
      ],
      ['an object for a list', json({}, 200), 'UnexpectedAnswer', 'failing'],
      [
        'a cut connection',
        (response: ServerResponse): void => {
          response.destroy();
        },
        'Unreachable',
        'failing',
      ],
    ] as const)('%s', async (_, answer, reason, state) => {
      const source = await started();
      const before = project(source);
      const factsBefore = facts(source);
      onList(answer);
      later(1);
      await source.refresh();
      expect(project(source)).toMatchObject({
        state,
        completeAt: before?.completeAt,
        error: { reason, subject: 'group/shop', since: now.toISOString() },
      });
      expect(facts(source)).toEqual(factsBefore);

      gitlab.current.fault = undefined;
      later(1);
      await source.refresh();
      expect(project(source)).toMatchObject({
        state: 'ready',
        completeAt: now.toISOString(),
      });
      expect(project(source)?.error).toBeUndefined();
    });

    it('a page that fails in the middle', async () => {
      gitlab.current.mergeRequests = Array.from({ length: 230 }, (_, index) =>
        mergeRequest(index + 1),
      );
      const source = await started();
      const before = project(source);
      const factsBefore = facts(source);
      onList((response, { query }) =>
        query.get('page') === '1'
          ? sendJson(response, [mergeRequest(1, { title: 'New title' })], {
              headers: { 'x-next-page': '2' },
            })
          : sendJson(response, {}, { status: 500 }),
      );
      // Only what was updated is asked for until then.
      later(15);
      await source.refresh();
      expect(facts(source)).toEqual(factsBefore);
      expect(project(source)).toMatchObject({
        state: 'failing',
        completeAt: before?.completeAt,
      });
    });

    it('an answer that does not come', async () => {
      const source = await started({ timeoutMilliseconds: 1_000 });
      onList(() => {});
      await source.refresh();
      expect(project(source)).toMatchObject({
        state: 'failing',
        error: { reason: 'TimedOut' },
      });
    });

    it('since keeps the time of the first failure', async () => {
      const source = await started();
      onList(json({}, 500));
      later(1);
      const since = now.toISOString();
      await source.refresh();
      later(1);
      await source.refresh();
      expect(project(source)?.error?.since).toBe(since);
    });

    it('never read before, the project stays pending with its error', async () => {
      onList(json({}, 500));
      const source = await started();
      expect(project(source)).toMatchObject({
        state: 'pending',
        error: { reason: 'ServerError' },
        status: 500,
      });
      expect(source.state(now).status).toBe('failing');
    });
  });

  it('makes no more than four calls at a time, whatever is to be read', async () => {
    let running = 0;
    let most = 0;
    gitlab.current.fault = (_, response) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        sendJson(response, { message: '404 Not Found' }, { status: 404 });
      }, 5);
      return true;
    };
    const source = create();
    source.trackProjects(
      Array.from({ length: 12 }, (_, index) => ({ path: `alone-${index}/it` })),
    );
    source.start({ signal: stop.signal });
    await source.refresh();
    expect(most).toBe(4);
  });

  describe('a limited host is left alone', () => {
    it.each([
      ['Retry-After', { 'retry-after': '90' }, 90],
      [
        'RateLimit-Reset',
        {
          'ratelimit-reset': String(Date.parse('2026-03-01T12:02:00Z') / 1000),
        },
        120,
      ],
      ['neither header', {}, 60],
      ['a reset that has passed', { 'ratelimit-reset': '1600000000' }, 60],
    ] as const)('as long as it says: %s', async (_, headers, seconds) => {
      const source = await started();
      onList(response =>
        sendText(response, 'Retry later\n', { status: 429, headers }),
      );
      await source.refresh();
      const retryAt = new Date(now.getTime() + seconds * 1000);
      expect(project(source)).toMatchObject({
        state: 'failing',
        error: { reason: 'RateLimited', retryAt: retryAt.toISOString() },
      });
      expect(states(source)).toEqual({ 1: 'opened', 2: 'opened' });

      server.requests.length = 0;
      gitlab.current.fault = undefined;
      now = new Date(retryAt.getTime() - 1000);
      await source.refresh();
      expect(server.requests).toEqual([]);
      now = new Date(retryAt.getTime() + 1000);
      await source.refresh();
      expect(project(source)?.state).toBe('ready');
    });

    it('and asked once, without a hidden retry', async () => {
      const source = await started();
      server.requests.length = 0;
      onList(response => sendText(response, 'Retry later\n', { status: 429 }));
      await source.refresh();
      expect(server.asked(/merge_requests\?/)).toHaveLength(1);
    });
  });

  it('gives up a reading in which nothing answers', async () => {
    const source = create();
    await server.close();
    source.trackProjects(
      Array.from({ length: 50 }, (_, index) => ({ id: index + 1 })),
    );
    source.start({ signal: stop.signal });
    await source.refresh();
    expect(source.reading().unreadable).toHaveLength(50);
    expect(source.state(now)).toMatchObject({
      status: 'failing',
      errors: [{ reason: 'Unreachable' }],
    });
    server = await ScriptedServer.listen(() => {});
  });

  it('lets go of a call that is on its way when it is stopped', async () => {
    const source = await started();
    const cut = jest.fn();
    onList(response => {
      response.on('close', cut);
    });
    server.requests.length = 0;
    const reading = source.refresh();
    await eventually(() =>
      expect(server.asked(/state=opened/)).toHaveLength(1),
    );
    expect(cut).not.toHaveBeenCalled();
    stop.abort();
    await reading;
    await eventually(() => expect(cut).toHaveBeenCalled());
  });

  it('never follows a redirect to another place with the token', async () => {
    const other = await ScriptedServer.listen((_, response) =>
      sendJson(response, []),
    );
    const source = await started();
    onList(response => {
      response.writeHead(302, {
        location: `${other.url}/api/v4/projects/7/merge_requests`,
      });
      response.end();
    });
    await source.refresh();
    expect(other.requests).toEqual([]);
    expect(project(source)?.error?.reason).toBe('UnexpectedAnswer');
    await other.close();
  });

  it('follows a redirect within the API, as for a renamed project', async () => {
    gitlab.current.fault = ({ path }, response) => {
      if (path.endsWith('/projects/group%2Fold-shop')) {
        response.writeHead(301, {
          location: `${server.url}/api/v4/projects/7`,
        });
        response.end();
        return true;
      }
      return false;
    };
    const source = create();
    source.trackProjects([{ path: 'group/old-shop' }]);
    source.start({ signal: stop.signal });
    await source.refresh();
    expect(project(source)?.fact).toMatchObject({
      path: 'group/shop',
      formerPaths: ['group/old-shop'],
    });

    // Its set names the new path from now on.
    source.trackProjects([{ path: 'group/Shop' }]);
    await source.refresh();
    expect(project(source)?.fact.path).toBe('group/shop');
    expect(project(source)?.fact).not.toHaveProperty('formerPaths');
  });

  it('tells of the path that a project had, once it is moved under way', async () => {
    const source = create();
    source.trackProjects([{ path: 'group/shop' }, { id: 7 }]);
    source.start({ signal: stop.signal });
    await source.refresh();
    expect(project(source)?.fact).not.toHaveProperty('formerPaths');
    gitlab.current.fault = ({ path }, response) => {
      const isAsked = /\/projects\/(7|group%2Fshop)$/.test(path);
      if (isAsked) {
        sendJson(response, { ...PROJECT, path_with_namespace: 'other/shop' });
      }
      return isAsked;
    };
    later(11);
    await source.refresh();
    expect(project(source)?.fact).toMatchObject({
      path: 'other/shop',
      formerPaths: ['group/shop'],
    });
  });

  it.each([
    ['two dots', '..'],
    ['dots and slashes', '../..'],
    ['dots in between', 'group/../../users'],
    ['no group', 'group'],
    ['a leading slash', '/group/shop'],
    ['an empty part', 'group//shop'],
    ['a template', '{{ .repository }}'],
    ['2000 characters', 'a'.repeat(2000)],
  ])('does not call GitLab for a project path of %s', async (_, path) => {
    const source = create();
    source.trackProjects([{ path }]);
    source.start({ signal: stop.signal });
    await source.refresh();
    expect(server.asked(/projects/)).toEqual([]);
    expect(source.reading().unreadable).toMatchObject([
      { reference: path, status: 404, error: { reason: 'NotFound' } },
    ]);
  });

  it('tells of a project that cannot be found, without calling the others stale', async () => {
    const source = create();
    source.trackProjects([{ path: 'group/shop' }, { path: 'group/typo' }]);
    source.start({ signal: stop.signal });
    await source.refresh();
    expect(source.reading().unreadable).toMatchObject([
      { reference: 'group/typo', status: 404 },
    ]);
    expect(source.state(now)).toMatchObject({
      status: 'fresh',
      errors: [{ reason: 'NotFound', subject: 'group/typo' }],
    });
    source.trackProjects([{ path: 'group/shop' }]);
    expect(source.reading().unreadable).toEqual([]);
  });

  it('lets go of a project that is not tracked any more', async () => {
    const source = await started();
    source.trackProjects([]);
    expect(source.reading().projects.size).toBe(0);
  });

  it('reads a newly tracked project without waiting for the next poll', async () => {
    const source = create();
    source.start({ signal: stop.signal });
    await source.refresh();
    source.trackProjects([{ id: 7 }]);
    await eventually(() =>
      expect(states(source)).toEqual({ 1: 'opened', 2: 'opened' }),
    );
  });

  it('is stale after its time, and failing until then', async () => {
    const source = await started();
    onList(response => sendJson(response, {}, { status: 500 }));
    later(1);
    await source.refresh();
    expect(source.state(now).status).toBe('failing');
    later(3);
    expect(source.state(now).status).toBe('stale');
  });

  it('begins afresh when it is started again', async () => {
    const source = await started();
    stop.abort();
    stop = new AbortController();
    onList(() => {});
    source.start({ signal: stop.signal });
    expect(project(source)).toBeUndefined();
    expect(source.state(now).status).toBe('pending');
  });

  it('tells of every change, until nobody listens', async () => {
    const source = await started();
    const listener = jest.fn();
    const unsubscribe = source.onChange(listener);
    await source.refresh();
    expect(listener).toHaveBeenCalled();
    unsubscribe();
    listener.mockClear();
    await source.refresh();
    expect(listener).not.toHaveBeenCalled();
  });

  it('tells of one project where no more than that changed', async () => {
    const source = await started();
    const listener = jest.fn();
    source.onChange(listener);
    await source.refreshMergeRequest({ projectId: 7, iid: 1 });
    expect(listener.mock.calls).toEqual([[{ projectIds: [7] }]]);
    expect(source.readProject(7)).toEqual(project(source));
    expect(source.readProject(8)).toBeUndefined();
  });

  it('says nothing of where to look when it has read everything', async () => {
    const source = await started();
    const listener = jest.fn();
    source.onChange(listener);
    await source.refresh();
    expect(listener).toHaveBeenLastCalledWith(undefined);
  });

  it('gives readings that later changes do not reach', async () => {
    const source = await started();
    const before = source.reading();
    gitlab.current.mergeRequests.push(mergeRequest(3));
    await source.refresh();
    expect(before.projects.get(7)?.mergeRequests.size).toBe(2);
    expect(project(source)?.mergeRequests.size).toBe(3);
  });

  it('leaves out a merge request that it does not understand', async () => {
    gitlab.current.fault = ({ path }, response) => {
      const isList = path.endsWith('/merge_requests');
      if (isList) {
        sendJson(response, [mergeRequest(1), null, { iid: 'x' }, 'text', []]);
      }
      return isList;
    };
    const source = await started();
    expect(states(source)).toEqual({ 1: 'opened' });
  });

  describe('pipelines', () => {
    const pipeline = (fields: Record<string, unknown> = {}) => ({
      id: 50,
      sha: SHA,
      ref: 'refs/merge-requests/1/head',
      status: 'running',
      source: 'merge_request_event',
      ...fields,
    });

    it('are read for open merge requests, the newest first', async () => {
      gitlab.current.pipelines = [pipeline({ id: 50 }), pipeline({ id: 51 })];
      const source = await started();
      expect(project(source)?.mergeRequests.get(1)?.pipelines).toMatchObject({
        items: [{ id: 51 }, { id: 50 }],
        forHead: SHA,
      });
    });

    it('are read again while they run, and rest when they passed', async () => {
      gitlab.current.pipelines = [pipeline()];
      const source = await started();
      gitlab.current.pipelines = [pipeline({ status: 'success' })];
      await source.refresh();
      expect(
        project(source)?.mergeRequests.get(1)?.pipelines?.items[0].status,
      ).toBe('success');
      server.requests.length = 0;
      await source.refresh();
      expect(server.asked(/pipelines/)).toEqual([]);
    });

    it('of an earlier head are dropped, and those of the new one read', async () => {
      gitlab.current.pipelines = [pipeline({ status: 'success' })];
      const source = await started();
      const head = SHA.replace('1f', 'aa');
      gitlab.current.mergeRequests[0] = mergeRequest(1, { sha: head });
      gitlab.current.pipelines = [pipeline({ id: 60, sha: head })];
      await source.refresh();
      expect(project(source)?.mergeRequests.get(1)?.pipelines).toMatchObject({
        items: [{ id: 60 }],
        forHead: head,
      });
    });

    it('keep the commit of a merged result, which is not the head', async () => {
      const merged = 'f'.repeat(40);
      gitlab.current.pipelines = [
        pipeline({ sha: merged, ref: 'refs/merge-requests/1/merge' }),
      ];
      const source = await started();
      expect(
        project(source)?.mergeRequests.get(1)?.pipelines?.items,
      ).toMatchObject([{ sha: merged, source: 'merge_request_event' }]);
    });

    it('that are denied leave the merge requests complete', async () => {
      gitlab.current.fault = ({ path }, response) => {
        if (path.endsWith('/pipelines')) {
          sendJson(response, { message: '403 Forbidden' }, { status: 403 });
          return true;
        }
        return false;
      };
      const source = await started();
      expect(project(source)?.state).toBe('ready');
      expect(project(source)?.mergeRequests.get(1)?.pipelines).toBeUndefined();
    });
  });

  describe('tags', () => {
    const wanted = { projectId: 7, iid: 1, tag: SHA.slice(0, 8), headSha: SHA };
    const tag = (source: DefaultGitLabSource) =>
      project(source)?.mergeRequests.get(1)?.tag;

    it('that are missing are asked for until they are found, and then no more', async () => {
      const source = await started();
      source.lookForTags([wanted]);
      await eventually(() => expect(tag(source)?.state).toBe('missing'));
      gitlab.current.tags = [wanted.tag];
      await source.refresh();
      expect(tag(source)).toMatchObject({ state: 'found', tag: wanted.tag });
      server.requests.length = 0;
      await source.refresh();
      expect(server.asked(/registry/)).toEqual([]);
    });

    it('tell which pipeline had ended before they were looked for', async () => {
      gitlab.current.pipelines = [{ id: 50, sha: SHA, status: 'running' }];
      const source = await started();
      source.lookForTags([wanted]);
      await eventually(() => expect(tag(source)?.state).toBe('missing'));
      expect(tag(source)).not.toHaveProperty('afterPipeline');
      gitlab.current.pipelines = [{ id: 50, sha: SHA, status: 'success' }];
      await source.refresh();
      expect(tag(source)).toMatchObject({
        state: 'missing',
        afterPipeline: 50,
      });
    });

    it('of the same commit with another length are near', async () => {
      gitlab.current.tags = [SHA.slice(0, 7), 'latest', SHA];
      const source = await started();
      source.lookForTags([wanted]);
      await eventually(() =>
        expect(tag(source)).toMatchObject({
          state: 'missing',
          near: [SHA.slice(0, 7), SHA],
        }),
      );
    });

    it('that come near later are seen soon, and the list is asked for ever less', async () => {
      const source = await started();
      source.lookForTags([wanted]);
      await eventually(() => expect(tag(source)?.state).toBe('missing'));
      server.requests.length = 0;
      for (let second = 0; second < 60; second += 1) {
        later(1 / 60);
        await source.refresh();
      }
      expect(server.asked(/\/tags\?/).length).toBeLessThanOrEqual(5);
      gitlab.current.tags = [SHA.slice(0, 7)];
      later(1);
      await source.refresh();
      expect(tag(source)).toMatchObject({ near: [SHA.slice(0, 7)] });
    });

    it.each([401, 403, 404, 500])(
      'are unreadable where the registry answers %d',
      async status => {
        gitlab.current.fault = ({ path }, response) => {
          if (path.includes('/registry/')) {
            sendJson(response, {}, { status });
            return true;
          }
          return false;
        };
        const source = await started();
        source.lookForTags([wanted]);
        await eventually(() =>
          expect(tag(source)).toMatchObject({ state: 'unreadable', status }),
        );
      },
    );

    it('that no registry can have are missing without a call', async () => {
      const source = await started();
      source.lookForTags([{ ...wanted, tag: '../../../users' }]);
      await eventually(() => expect(tag(source)?.state).toBe('missing'));
      expect(server.asked(/registry/)).toEqual([]);
    });

    it('of an earlier head are dropped', async () => {
      gitlab.current.tags = [wanted.tag];
      const source = await started();
      source.lookForTags([wanted]);
      await eventually(() => expect(tag(source)?.state).toBe('found'));
      source.lookForTags([]);
      gitlab.current.mergeRequests[0] = mergeRequest(1, {
        sha: 'b'.repeat(40),
      });
      await source.refresh();
      expect(tag(source)).toBeUndefined();
    });
  });

  describe('changed files', () => {
    const wanted = { projectId: 7, paths: ['services/api', 'docs'] };
    const touched = (source: DefaultGitLabSource, iid = 1) =>
      project(source)?.mergeRequests.get(iid)?.touchedPaths?.touched;

    it('are read only where somebody asks for a path', async () => {
      const source = await started();
      source.lookForPaths([]);
      await source.refresh();
      expect(server.asked(/diffs/)).toEqual([]);
    });

    it.each([
      ['a file below a path', ['services/api/src/a.ts'], ['services/api']],
      ['a file that a path names', ['docs'], ['docs']],
      ['files of several paths', ['docs/a', 'services/api/b'], wanted.paths],
      ['a file beside a path', ['services/api-gateway/a.ts'], []],
      ['nothing', [], []],
    ])('tell which paths are touched: %s', async (_, files, expected) => {
      gitlab.current.changedFiles = files;
      const source = await started();
      source.lookForPaths([wanted]);
      await eventually(() => expect(touched(source)).toBeDefined());
      expect([...touched(source)!].sort()).toEqual([...expected].sort());
    });

    it('are read once for each head', async () => {
      gitlab.current.changedFiles = ['docs/a.md'];
      const source = await started();
      source.lookForPaths([wanted]);
      await eventually(() => expect(touched(source, 2)).toEqual(['docs']));
      server.requests.length = 0;
      source.lookForPaths([wanted]);
      await source.refresh();
      expect(server.asked(/diffs/)).toEqual([]);
      gitlab.current.mergeRequests[0] = mergeRequest(1, {
        sha: 'b'.repeat(40),
        updated_at: now.toISOString(),
      });
      gitlab.current.changedFiles = ['services/api/a.ts'];
      await source.refresh();
      expect(server.asked(/diffs/)).toHaveLength(1);
      expect(touched(source)).toEqual(['services/api']);
    });

    it('are read again for a path that is new', async () => {
      gitlab.current.changedFiles = ['tools/a.sh'];
      const source = await started();
      source.lookForPaths([wanted]);
      await eventually(() => expect(touched(source)).toEqual([]));
      source.lookForPaths([{ projectId: 7, paths: ['docs', 'tools'] }]);
      await eventually(() => expect(touched(source)).toEqual(['tools']));
    });

    it('of a very large merge request count for every path, after a few pages', async () => {
      gitlab.current.changedFiles = Array.from(
        { length: 3000 },
        (_, index) => `generated/${index}`,
      );
      const source = await started();
      source.lookForPaths([wanted]);
      await eventually(() => expect(touched(source, 2)).toEqual(wanted.paths));
      expect(server.asked(/1\/diffs/)).toHaveLength(10);
    });

    it('that cannot be read are left alone for a while, and the rest goes on', async () => {
      gitlab.current.fault = ({ path }, response) => {
        if (path.endsWith('/diffs')) {
          sendJson(response, {}, { status: 500 });
          return true;
        }
        return false;
      };
      const source = await started();
      source.lookForPaths([wanted]);
      await source.refresh();
      await source.refresh();
      expect(server.asked(/diffs/)).toHaveLength(2);
      expect(project(source)?.state).toBe('ready');
      gitlab.current.fault = undefined;
      later(5);
      await source.refresh();
      expect(touched(source)).toEqual([]);
    });
  });

  it('reads one merge request again at once when it is asked to', async () => {
    const source = await started();
    server.requests.length = 0;
    gitlab.current.mergeRequests[1] = mergeRequest(2, { title: 'Renamed' });
    later(1);
    await source.refreshMergeRequest({ projectId: 7, iid: 2 });
    expect(project(source)?.mergeRequests.get(2)).toMatchObject({
      fact: { title: 'Renamed' },
      readAt: now.toISOString(),
    });
    expect(server.asked(/merge_requests\?/)).toEqual([]);
  });

  it('does not let a list that was asked for earlier undo what was read since', async () => {
    const source = await started();
    let release = () => {};
    onList(response => {
      release = () => sendJson(response, [mergeRequest(1), mergeRequest(2)]);
    });
    later(1);
    server.requests.length = 0;
    const reading = source.refresh();
    await eventually(() =>
      expect(server.asked(/state=opened/)).toHaveLength(1),
    );
    gitlab.current.mergeRequests[1] = mergeRequest(2, { title: 'Newer' });
    later(1);
    await source.refreshMergeRequest({ projectId: 7, iid: 2 });
    release();
    await reading;
    expect(project(source)?.mergeRequests.get(2)?.fact.title).toBe('Newer');
  });

  it('does not let what was asked for earlier undo what a list told since', async () => {
    const source = await started();
    let release: (() => void) | undefined;
    gitlab.current.fault = ({ path }, response) => {
      if (!path.endsWith('/merge_requests/2')) {
        return false;
      }
      release = () => sendJson(response, mergeRequest(2));
      return true;
    };
    const reading = source.refreshMergeRequest({ projectId: 7, iid: 2 });
    await eventually(() => expect(release).toBeDefined());
    later(1);
    gitlab.current.mergeRequests[1] = mergeRequest(2, {
      title: 'Newer',
      updated_at: now.toISOString(),
    });
    await source.refresh();
    expect(project(source)?.mergeRequests.get(2)?.fact.title).toBe('Newer');
    release!();
    await reading;
    expect(project(source)?.mergeRequests.get(2)?.fact.title).toBe('Newer');
  });

  it.each([
    [
      'alone',
      /\/merge_requests\/2$/,
      (source: DefaultGitLabSource) =>
        source.refreshMergeRequest({ projectId: 7, iid: 2 }),
    ],
    [
      'by a list',
      /\/projects\/7\/merge_requests$/,
      (source: DefaultGitLabSource) => source.refresh(),
    ],
  ])(
    'tells of what it read %s the time at which it asked',
    async (_, slow, read) => {
      const source = await started();
      later(1);
      gitlab.current.mergeRequests[1] = mergeRequest(2, {
        title: 'Newer',
        updated_at: now.toISOString(),
      });
      const askedAt = now.toISOString();
      // Whatever happens in GitLab from now on is not in the answer.
      gitlab.current.fault = ({ path }) => {
        if (slow.test(path)) {
          later(1);
        }
        return false;
      };
      await read(source);
      expect(project(source)?.mergeRequests.get(2)).toMatchObject({
        fact: { title: 'Newer' },
        readAt: askedAt,
      });
    },
  );

  describe('the token', () => {
    it.each([
      ['writes', { scopes: ['api'] }, /more than read/],
      ['ends soon', { expires_at: '2026-03-10' }, /expires on 2026-03-10/],
    ])('is mentioned when it %s', async (_, fields, note) => {
      gitlab.current.token = { ...TOKEN, ...fields };
      const source = await started();
      expect(source.state(now)).toMatchObject({
        status: 'fresh',
        notes: [{ message: expect.stringMatching(note) }],
      });
    });

    it('of the integration is mentioned', async () => {
      const source = await started({ config: { tokenFrom: 'integrations' } });
      expect(source.state(now).notes).toMatchObject([
        { reason: 'TokenOfIntegrations' },
      ]);
    });

    it('that lacks the scope is an error', async () => {
      gitlab.current.token = { ...TOKEN, scopes: ['read_user'] };
      const source = await started();
      expect(source.state(now).errors).toMatchObject([
        { reason: 'ScopeMissing' },
      ]);
    });

    it('that cannot tell of itself is no error', async () => {
      gitlab.current.fault = ({ path }, response) => {
        if (path.endsWith('/self')) {
          sendJson(response, {}, { status: 404 });
          return true;
        }
        return false;
      };
      const source = await started();
      expect(source.state(now)).toMatchObject({
        status: 'fresh',
        errors: [],
        notes: [],
      });
    });

    it('is missing without a call about it', async () => {
      const source = await started({
        config: { token: undefined, tokenFrom: 'none' },
      });
      expect(server.asked(/self/)).toEqual([]);
      expect(server.requests[0].headers['private-token']).toBeUndefined();
      expect(source.state(now).notes).toMatchObject([{ reason: 'NoToken' }]);
    });

    it('and bodies never get into logs or errors', async () => {
      const logger = mockServices.logger.mock();
      logger.child.mockReturnValue(logger);
      const source = await started({ logger });
      onList(response =>
        sendText(response, 'a body with <secrets>', { status: 500 }),
      );
      await source.refresh();
      const said = JSON.stringify([
        logger.warn.mock.calls,
        logger.debug.mock.calls,
        logger.info.mock.calls,
        logger.error.mock.calls,
        source.state(now),
      ]);
      expect(logger.debug).toHaveBeenCalled();
      expect(said).not.toMatch(/secret/);
    });
  });
});
