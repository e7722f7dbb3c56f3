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

interface ProjectJson {
  id: number;
  path_with_namespace: string;
  container_registry_image_prefix: string;
}

interface MergeRequestJson {
  project_id: number;
  iid: number;
  state: string;
  updated_at: string;
  created_at: string;
  [field: string]: unknown;
}

/** A GitLab of one top-level group with pages, totals, filters and orders. */
class FakeGroup {
  readonly projects = new Map<number, ProjectJson>();
  mergeRequests: MergeRequestJson[] = [];
  /** Left out of the group's lists, though they answer by themselves. */
  readonly hidden = new Set<number>();
  /** Answer 404, and are in no list. */
  readonly lost = new Set<number>();
  groupStatus = 200;
  fault?: (request: ScriptedRequest, response: ServerResponse) => boolean;

  addProject(id: number, path = `org/team-${id % 10}/service-${id}`): void {
    this.projects.set(id, {
      id,
      path_with_namespace: path,
      container_registry_image_prefix: `registry.example.com/${path}`,
    });
  }

  open(
    projectId: number,
    iid: number,
    fields: Partial<MergeRequestJson> = {},
  ): MergeRequestJson {
    const mergeRequest = {
      id: projectId * 1000 + iid,
      iid,
      project_id: projectId,
      source_project_id: projectId,
      target_project_id: projectId,
      title: `Change ${iid}`,
      state: 'opened',
      draft: false,
      source_branch: `feature-${iid}`,
      target_branch: 'main',
      sha: SHA,
      labels: [],
      author: { username: 'dev1' },
      created_at: '2026-03-01T10:00:00.000Z',
      updated_at: '2026-03-01T11:00:00.000Z',
      ...fields,
    };
    this.mergeRequests.push(mergeRequest);
    return mergeRequest;
  }

  answer = (request: ScriptedRequest, response: ServerResponse): void => {
    if (this.fault?.(request, response)) {
      return;
    }
    const rest = decodeURIComponent(request.path.replace('/api/v4', ''));
    const notFound = () =>
      sendJson(response, { message: '404 Not Found' }, { status: 404 });
    const isListed = (id: number) =>
      this.projects.has(id) && !this.hidden.has(id) && !this.lost.has(id);
    if (rest === '/personal_access_tokens/self') {
      sendJson(response, { scopes: ['read_api'], active: true });
      return;
    }
    if (rest.startsWith('/groups/')) {
      const [, group, list] =
        /^\/groups\/(.+)\/(projects|merge_requests)$/.exec(rest) ?? [];
      if (this.groupStatus !== 200 || !group) {
        sendJson(response, {}, { status: this.groupStatus });
        return;
      }
      const isBelow = (id: number) =>
        isListed(id) &&
        this.projects.get(id)!.path_with_namespace.startsWith(`${group}/`);
      if (list === 'projects') {
        this.#page(
          request,
          response,
          [...this.projects.values()].filter(({ id }) => isBelow(id)),
        );
      } else {
        this.#page(
          request,
          response,
          this.#filtered(request, ({ project_id: id }) => isBelow(id)),
        );
      }
      return;
    }
    const single =
      /^\/projects\/(.+?)(\/merge_requests(\/(\d+)(\/pipelines)?)?)?$/.exec(
        rest,
      );
    const project = [...this.projects.values()].find(
      ({ id, path_with_namespace: path }) =>
        single?.[1] === String(id) || single?.[1] === path,
    );
    if (!single || !project || this.lost.has(project.id)) {
      notFound();
    } else if (!single[2]) {
      sendJson(response, project);
    } else if (!single[3]) {
      this.#page(
        request,
        response,
        this.#filtered(request, ({ project_id: id }) => id === project.id),
      );
    } else if (single[5]) {
      sendJson(response, [{ id: 1, sha: SHA, status: 'success' }]);
    } else {
      const found = this.mergeRequests.find(
        ({ project_id: id, iid }) =>
          id === project.id && iid === Number(single[4]),
      );
      if (found) {
        sendJson(response, found);
      } else {
        notFound();
      }
    }
  };

  #filtered(
    { query }: ScriptedRequest,
    isWanted: (mergeRequest: MergeRequestJson) => boolean,
  ): MergeRequestJson[] {
    const state = query.get('state');
    const after = Date.parse(query.get('updated_after') ?? '1970-01-01');
    const order = query.get('order_by') as 'created_at' | 'updated_at' | null;
    const direction = query.get('sort') === 'asc' ? 1 : -1;
    return this.mergeRequests
      .filter(
        mergeRequest =>
          isWanted(mergeRequest) &&
          (state === 'all' || mergeRequest.state === state) &&
          Date.parse(mergeRequest.updated_at) >= after,
      )
      .sort((left, right) => {
        const key = order ?? 'created_at';
        return (
          direction * (Date.parse(left[key]) - Date.parse(right[key])) ||
          direction * (Number(left.id) - Number(right.id))
        );
      });
  }

  #page(
    { query }: ScriptedRequest,
    response: ServerResponse,
    items: unknown[],
  ): void {
    const page = Number(query.get('page') ?? 1);
    const perPage = Number(query.get('per_page') ?? 20);
    const pages = Math.max(1, Math.ceil(items.length / perPage));
    sendJson(response, items.slice((page - 1) * perPage, page * perPage), {
      headers: {
        'x-next-page': page < pages ? String(page + 1) : '',
        'x-page': String(page),
        'x-per-page': String(perPage),
        'x-total': String(items.length),
        'x-total-pages': String(pages),
      },
    });
  }
}

describe('Projects that share a group', () => {
  let gitlab: FakeGroup;
  let server: ScriptedServer;
  let stop: AbortController;
  let now: Date;

  beforeEach(async () => {
    gitlab = new FakeGroup();
    now = new Date('2026-03-01T12:00:00.000Z');
    stop = new AbortController();
    server = await ScriptedServer.listen((request, response) =>
      gitlab.answer(request, response),
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
    } = {},
  ) {
    return createGitLabSource(server, {
      logger: mockServices.logger.mock(),
      clock: () => now,
      ...options,
    });
  }

  function minutesLater(minutes: number) {
    now = new Date(now.getTime() + minutes * 60_000);
  }

  /** The calls of one poll. */
  async function poll(source: DefaultGitLabSource): Promise<string[]> {
    server.requests.length = 0;
    await source.refresh();
    return server.asked(/./);
  }

  /** A source that has read a group of this many projects, each with one open MR. */
  async function started(
    count: number,
    options: { by?: 'id' | 'path' } = {},
  ): Promise<DefaultGitLabSource> {
    for (let id = 1; id <= count; id += 1) {
      gitlab.addProject(id);
      gitlab.open(id, 1);
    }
    const source = create();
    source.trackProjects(
      [...gitlab.projects.values()].map(({ id, path_with_namespace: path }) =>
        options.by === 'id' ? { id } : { path },
      ),
    );
    source.start({ signal: stop.signal });
    await source.refresh();
    return source;
  }

  function stateOf(source: DefaultGitLabSource, projectId: number, iid = 1) {
    const reading = source
      .reading()
      .projects.get(projectId)
      ?.mergeRequests.get(iid);
    return reading?.deletedAt ? 'deleted' : reading?.fact.state;
  }

  function projectOf(source: DefaultGitLabSource, projectId: number) {
    return source.reading().projects.get(projectId);
  }

  function change(projectId: number, fields: Partial<MergeRequestJson>) {
    Object.assign(
      gitlab.mergeRequests.find(({ project_id: id }) => id === projectId)!,
      { updated_at: now.toISOString(), ...fields },
    );
  }

  it.each(['path', 'id'] as const)(
    'are read by a few calls at the start, wherever they are named by %s',
    async by => {
      const source = await started(1000, { by });
      expect(source.reading().projects.size).toBe(1000);
      expect(stateOf(source, 1000)).toBe('opened');
      expect(projectOf(source, 1000)?.fact.registryPath).toBe(
        'registry.example.com/org/team-0/service-1000',
      );
      expect(source.state(now).status).toBe('fresh');
      const lists = server
        .asked(/./)
        .filter(call => !/pipelines|approvals/.test(call));
      // Token, first references, 10 pages of projects, 10 of merge requests.
      expect(lists.length).toBeLessThanOrEqual(30);
    },
  );

  it('cost no more than two calls in any poll in which nothing changed, and stay fresh', async () => {
    const source = await started(1000);
    await source.refresh();
    for (let minute = 1; minute <= 14; minute += 1) {
      minutesLater(1);
      expect((await poll(source)).length).toBeLessThanOrEqual(2);
      expect(source.state(now)).toMatchObject({
        status: 'fresh',
        lastCompleteAt: now.toISOString(),
      });
    }
    minutesLater(1);
    const calls = await poll(source);
    // One of 15 minutes is complete: pages of merge requests and of projects.
    expect(
      calls.filter(call => /\/groups\/org\/merge_requests\?/.test(call)),
    ).toHaveLength(10);
    expect(
      calls.filter(call => /\/groups\/org\/projects\?/.test(call)),
    ).toHaveLength(10);
  });

  it('are asked for what was updated, between complete readings', async () => {
    const source = await started(200);
    minutesLater(1);
    change(17, { state: 'merged', merged_at: now.toISOString() });
    change(18, { title: 'Renamed' });
    gitlab.open(19, 2, { updated_at: now.toISOString() });
    minutesLater(1);
    const calls = await poll(source);
    expect(calls[0]).toContain('updated_after=2026-03-01T11');
    expect(stateOf(source, 17)).toBe('merged');
    expect(projectOf(source, 18)?.mergeRequests.get(1)?.fact.title).toBe(
      'Renamed',
    );
    expect(stateOf(source, 19, 2)).toBe('opened');
    expect(stateOf(source, 20)).toBe('opened');
  });

  it('show a merge request that was reopened', async () => {
    const source = await started(200);
    change(17, { state: 'closed' });
    minutesLater(1);
    await source.refresh();
    source.followMergeRequests([{ projectId: 17, iid: 1 }]);
    expect(stateOf(source, 17)).toBe('closed');
    minutesLater(20);
    await source.refresh();
    change(17, { state: 'opened' });
    minutesLater(1);
    await source.refresh();
    expect(stateOf(source, 17)).toBe('opened');
  });

  it('show a deleted merge request with the next complete reading, and not before it', async () => {
    const source = await started(200);
    gitlab.mergeRequests.splice(16, 1);
    gitlab.open(17, 2);
    minutesLater(1);
    await source.refresh();
    expect(stateOf(source, 17)).toBe('opened');
    minutesLater(15);
    await source.refresh();
    expect(stateOf(source, 17)).toBe('deleted');
    expect(stateOf(source, 18)).toBe('opened');
  });

  it('are read completely in every other poll where that costs two calls', async () => {
    const source = await started(8);
    const polls: string[] = [];
    for (let minute = 1; minute <= 4; minute += 1) {
      minutesLater(1);
      const calls = (await poll(source)).join();
      polls.push(
        /projects\?.*merge_requests\?.*state=opened/.test(calls)
          ? 'complete'
          : 'updates',
      );
      expect(calls.includes('updated_after')).toBe(
        polls[minute - 1] === 'updates',
      );
    }
    expect(polls.sort()).toEqual([
      'complete',
      'complete',
      'updates',
      'updates',
    ]);
  });

  describe('with merge requests that have ended and that nobody follows', () => {
    /** Calls for what was updated, with the time that they reach back to. */
    const updates = (list: RegExp) =>
      server
        .asked(/updated_after=/)
        .filter(call => list.test(call))
        .map(call => /updated_after=([^&]*)/.exec(call)![1]);

    async function resumed(
      count: number,
      options: { remembered: string[]; unreadSince?: string },
    ): Promise<DefaultGitLabSource> {
      for (let id = 1; id <= count; id += 1) {
        gitlab.addProject(id);
        gitlab.open(id, 1, { updated_at: now.toISOString() });
      }
      const source = create();
      source.resume({
        ...options,
        recall: async keys =>
          keys.filter(({ projectId, iid }) =>
            options.remembered.includes(`${projectId}!${iid}`),
          ),
      });
      source.trackProjects([...gitlab.projects.keys()].map(id => ({ id })));
      source.start({ signal: stop.signal });
      await source.refresh();
      return source;
    }

    const end = (projectId: number, iid: number) =>
      gitlab.open(projectId, iid, {
        state: 'merged',
        updated_at: now.toISOString(),
      });

    it.each([8, 200])(
      'show what became of those of %d projects that are remembered',
      async count => {
        const source = await resumed(count, { remembered: ['5!2'] });
        minutesLater(1);
        end(5, 2);
        end(6, 2);
        await source.refresh();
        await source.refresh();
        expect(stateOf(source, 5, 2)).toBe('merged');
        expect(stateOf(source, 6, 2)).toBeUndefined();
      },
    );

    it('show what became of them while nobody looked, by one list', async () => {
      end(5, 2);
      minutesLater(60 * 24 * 3);
      const source = await resumed(200, {
        remembered: ['5!2'],
        unreadSince: '2026-03-01T11:58:00.000Z',
      });
      await source.refresh();
      expect(stateOf(source, 5, 2)).toBe('merged');
      expect(updates(/groups/)[0]).toContain('2026-03-01T11');
      expect(updates(/projects/)).toEqual([]);
      // It is borne out by the next complete reading that all of them were listed.
      expect(source.unreadSince()).toBe('2026-03-01T11:58:00.000Z');
      minutesLater(15);
      await source.refresh();
      expect(source.unreadSince()).toBe('2026-03-04T11:58:00.000Z');
    });

    it('do not lose them to a group that is not used any more, nor to one that is again', async () => {
      const source = await resumed(200, { remembered: ['5!2', '6!2'] });
      await source.refresh();
      minutesLater(10);
      end(5, 2);
      minutesLater(10);
      gitlab.groupStatus = 403;
      await source.refresh();
      await source.refresh();
      expect(stateOf(source, 5, 2)).toBe('merged');

      minutesLater(10);
      end(6, 2);
      gitlab.groupStatus = 200;
      minutesLater(10);
      await source.refresh();
      await source.refresh();
      expect(stateOf(source, 6, 2)).toBe('merged');
    });

    it('are read alone until they have caught up, so that the group does not reach back for them', async () => {
      const source = await resumed(8, { remembered: ['5!2'] });
      await source.refresh();
      gitlab.lost.add(5);
      minutesLater(1);
      end(5, 2);
      for (let count = 0; count < 40; count += 1) {
        minutesLater(1);
        await source.refresh();
      }
      gitlab.lost.clear();
      server.requests.length = 0;
      for (let count = 0; count < 6; count += 1) {
        await source.refresh();
      }
      expect(stateOf(source, 5, 2)).toBe('merged');
      expect(updates(/projects.5/)[0]).toContain('2026-03-01T11');
      expect(updates(/groups/).every(time => time > '2026-03-01T12')).toBe(
        true,
      );
      // And then the group stands for it again.
      expect(server.asked(/projects.5/).length).toBeLessThan(6);
    });
  });

  it('are read one by one where there are few', async () => {
    const source = await started(3);
    minutesLater(1);
    const calls = await poll(source);
    expect(calls).toHaveLength(3);
    expect(
      calls.every(call => /\/projects\/\d\/merge_requests/.test(call)),
    ).toBe(true);
  });

  it('count as read only where the listing of the group has them; one that drops out is read alone', async () => {
    const source = await started(150);
    gitlab.hidden.add(17);
    gitlab.lost.add(18);
    minutesLater(15);
    const calls = await poll(source);
    expect(calls.join('\n')).toMatch(/\/projects\/17\/merge_requests\?/);
    expect(stateOf(source, 17)).toBe('opened');
    expect(projectOf(source, 17)).toMatchObject({
      state: 'ready',
      completeAt: now.toISOString(),
    });
    // Lost access: what is known stays, and why nothing new is.
    expect(stateOf(source, 18)).toBe('opened');
    expect(projectOf(source, 18)).toMatchObject({
      state: 'failing',
      status: 404,
      completeAt: '2026-03-01T12:00:00.000Z',
    });
    expect(projectOf(source, 19)?.state).toBe('ready');

    minutesLater(1);
    change(17, { title: 'Renamed' });
    await source.refresh();
    expect(projectOf(source, 17)?.mergeRequests.get(1)?.fact.title).toBe(
      'Renamed',
    );
  });

  it('are missed within minutes when they drop out of the group', async () => {
    const source = await started(150);
    gitlab.lost.add(18);
    for (let minute = 0; minute < 6; minute += 1) {
      minutesLater(1);
      await source.refresh();
    }
    expect(projectOf(source, 18)).toMatchObject({
      state: 'failing',
      status: 404,
    });
    expect(stateOf(source, 18)).toBe('opened');
  });

  it('end no merge request when the token sees nothing in the group any more', async () => {
    const source = await started(20);
    for (let id = 1; id <= 20; id += 1) {
      gitlab.lost.add(id);
    }
    minutesLater(1);
    await source.refresh();
    for (let id = 1; id <= 20; id += 1) {
      expect(stateOf(source, id)).toBe('opened');
      expect(projectOf(source, id)?.state).not.toBe('ready');
    }
    gitlab.lost.clear();
    minutesLater(1);
    await source.refresh();
    expect(source.state(now)).toMatchObject({ status: 'fresh', errors: [] });
  });

  it('end no merge request when the list of the group is empty, though its projects are listed', async () => {
    const source = await started(20);
    gitlab.fault = ({ path }, response) => {
      if (path.endsWith('/merge_requests')) {
        sendJson(response, []);
        return true;
      }
      if (/\/merge_requests\/\d+$/.test(path)) {
        sendJson(response, {}, { status: 404 });
        return true;
      }
      return false;
    };
    minutesLater(1);
    await source.refresh();
    for (let id = 1; id <= 20; id += 1) {
      expect(stateOf(source, id)).toBe('opened');
      expect(projectOf(source, id)?.state).toBe('failing');
    }
  });

  it.each([403, 404])(
    'are read one by one when the group answers %d, and the group is left alone for a while',
    async status => {
      gitlab.groupStatus = status;
      const source = await started(6);
      expect(source.state(now)).toMatchObject({ status: 'fresh', errors: [] });
      minutesLater(1);
      expect((await poll(source)).join()).not.toMatch(/groups/);
      gitlab.groupStatus = 200;
      minutesLater(15);
      expect(await poll(source)).toContainEqual(
        expect.stringMatching(/\/groups\/org\/merge_requests\?/),
      );
    },
  );

  it('are read by a group below when the token sees no higher one', async () => {
    for (let id = 1; id <= 8; id += 1) {
      gitlab.addProject(id, `org/platform/service-${id}`);
      gitlab.open(id, 1);
    }
    gitlab.fault = ({ path }, response) => {
      if (/\/groups\/org\//.test(path)) {
        sendJson(response, {}, { status: 404 });
        return true;
      }
      return false;
    };
    const source = create();
    source.trackProjects(
      [...gitlab.projects.values()].map(project => ({
        path: project.path_with_namespace,
      })),
    );
    source.start({ signal: stop.signal });
    await source.refresh();
    expect(server.asked(/projects\/\d+\/merge_requests\?/)).toEqual([]);
    expect(stateOf(source, 8)).toBe('opened');
    expect(source.state(now)).toMatchObject({ status: 'fresh', errors: [] });
  });

  it('are read one by one where the group is much larger than what is wanted of it', async () => {
    for (let id = 1; id <= 5000; id += 1) {
      gitlab.addProject(id);
    }
    gitlab.open(1, 1);
    const source = create();
    source.trackProjects([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
    source.start({ signal: stop.signal });
    await source.refresh();
    expect(stateOf(source, 1)).toBe('opened');
    expect(server.asked(/\/groups\//)).toHaveLength(1);
  });

  it.each([
    ['a broken server', 500, 'ServerError'],
    ['a missing token', 401, 'TokenInvalid'],
  ] as const)(
    'keep what is known through %s, which one call finds out',
    async (_, status, reason) => {
      const source = await started(150);
      gitlab.fault = ({ path }, response) => {
        if (path.endsWith('/self')) {
          return false;
        }
        sendJson(response, {}, { status });
        return true;
      };
      minutesLater(1);
      expect((await poll(source)).length).toBeLessThanOrEqual(2);
      expect(projectOf(source, 150)).toMatchObject({
        state: 'failing',
        completeAt: '2026-03-01T12:00:00.000Z',
        error: { reason },
      });
      expect(stateOf(source, 150)).toBe('opened');
      gitlab.fault = undefined;
      minutesLater(1);
      // What was missed meanwhile is not guessed: this one is complete again.
      expect((await poll(source)).join()).toMatch(/state=opened/);
      expect(source.state(now)).toMatchObject({ status: 'fresh', errors: [] });
    },
  );

  it('that were never read fail with their group, without a call for each', async () => {
    gitlab.groupStatus = 500;
    const source = await started(50);
    expect(source.reading().unreadable).toHaveLength(50);
    expect(server.asked(/./).length).toBeLessThanOrEqual(4);
    gitlab.groupStatus = 200;
    minutesLater(1);
    await source.refresh();
    expect(source.reading().unreadable).toEqual([]);
    expect(source.state(now).status).toBe('fresh');
  });

  it('lose no merge request to a page that shifts while it is read', async () => {
    let isShifted = false;
    gitlab.fault = ({ path, query }) => {
      if (
        !isShifted &&
        path.endsWith('/groups/org/merge_requests') &&
        query.get('page') === '2'
      ) {
        // The first of page one is merged, so the first of page two slips there.
        isShifted = true;
        gitlab.mergeRequests[0].state = 'merged';
      }
      return false;
    };
    const source = await started(250);
    expect(isShifted).toBe(true);
    for (let id = 2; id <= 250; id += 1) {
      expect(stateOf(source, id)).toBe('opened');
    }
  });

  it('are joined by a new one without reading the group again', async () => {
    const source = await started(150);
    gitlab.addProject(151);
    gitlab.open(151, 1);
    server.requests.length = 0;
    source.trackProjects([...gitlab.projects.keys()].map(id => ({ id })));
    await eventually(() => expect(stateOf(source, 151)).toBe('opened'));
    expect(server.asked(/groups/)).toEqual([]);
  });

  it('are joined by many new ones at once through the group', async () => {
    const source = await started(10);
    for (let id = 11; id <= 200; id += 1) {
      gitlab.addProject(id);
      gitlab.open(id, 1);
    }
    server.requests.length = 0;
    source.trackProjects(
      [...gitlab.projects.values()].map(project => ({
        path: project.path_with_namespace,
      })),
    );
    await eventually(() => expect(stateOf(source, 200)).toBe('opened'));
    expect(server.asked(/\/projects\/[^/]+$/)).toEqual([]);
  });

  it('show a merge request that is followed though it is not open', async () => {
    const source = await started(150);
    gitlab.open(17, 40, { state: 'closed' });
    source.followMergeRequests([{ projectId: 17, iid: 40 }]);
    await eventually(() => expect(stateOf(source, 17, 40)).toBe('closed'));
  });

  describe('with a GitLab that does not keep up', () => {
    it('are not asked for during ten minutes of 429, and are complete right after', async () => {
      const source = await started(150);
      gitlab.fault = (_, response) => {
        sendText(response, 'Retry later\n', {
          status: 429,
          headers: { 'retry-after': '600' },
        });
        return true;
      };
      minutesLater(1);
      expect(await poll(source)).toHaveLength(1);
      for (let minute = 0; minute < 9; minute += 1) {
        minutesLater(1);
        expect(await poll(source)).toEqual([]);
        expect(stateOf(source, 150)).toBe('opened');
      }
      gitlab.fault = undefined;
      minutesLater(1);
      await source.refresh();
      expect(source.state(now)).toMatchObject({ status: 'fresh', errors: [] });
    });

    it('are waited for by nobody while the answers do not come', async () => {
      const source = await started(150);
      gitlab.fault = () => true;
      minutesLater(1);
      const reading = source.refresh();
      // What is known can be read, and what is wanted can be said, all the while.
      await eventually(() =>
        expect(server.asked(/updated_after/).length).toBeGreaterThan(0),
      );
      source.followMergeRequests([{ projectId: 1, iid: 1 }]);
      expect(stateOf(source, 150)).toBe('opened');
      stop.abort();
      await reading;
    });
  });

  it('have settled pipelines read again one at a time, until all were', async () => {
    const source = await started(30);
    const readAt = () =>
      [...source.reading().projects.values()].map(
        ({ mergeRequests }) => mergeRequests.get(1)?.pipelines?.readAt,
      );
    expect(readAt()).not.toContain(undefined);
    const before = now.toISOString();
    minutesLater(16);
    for (let minute = 0; minute < 40; minute += 1) {
      minutesLater(1);
      const calls = await poll(source);
      expect(
        calls.filter(call => /pipelines/.test(call)).length,
      ).toBeLessThanOrEqual(1);
    }
    expect(readAt()).not.toContain(before);
  });
});
