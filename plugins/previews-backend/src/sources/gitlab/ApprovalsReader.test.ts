import { mockServices } from '@backstage/backend-test-utils';
import { ServerResponse } from 'node:http';
import {
  eventually,
  ScriptedRequest,
  ScriptedServer,
  sendJson,
} from '../testing/ScriptedServer';
import { createGitLabSource } from '../testing/createGitLabSource';
import { DefaultGitLabSource } from './DefaultGitLabSource';

const APPROVALS = /merge_requests\/\d+\/approvals/;
const SHA = '1f0e2d3c4b5a69788796a5b4c3d2e1f001234567';
const CREATED = '2026-03-01T10:00:00.000Z';
const FIRST = '2026-03-01T11:30:00.000Z';
const SECOND = '2026-03-01T11:40:00.000Z';

const approval = (username: string, approved_at?: string) => ({
  user: { username },
  ...(approved_at && { approved_at }),
});

const note = (username: string, created_at: string, verb = 'approved') => ({
  system: true,
  body: `${verb} this merge request`,
  author: { username },
  created_at,
});

/** Two projects, with the MRs 1 and 2 in the first and 1 in the second. */
class FakeGitLab {
  updatedAt: Record<string, string> = {};
  approvedBy: unknown[] = [];
  notes: unknown[] = [];
  /** Answers for approvals of a project with this status. */
  refusals: Record<string, number> = {};
  /** How many more MRs the first project has, all merged since. */
  merged = 0;
  fault?: (request: ScriptedRequest, response: ServerResponse) => boolean;

  #mergeRequest(projectId: string, iid: number) {
    return {
      iid,
      project_id: Number(projectId),
      source_project_id: Number(projectId),
      target_project_id: Number(projectId),
      title: `Change ${iid}`,
      state: iid > 2 ? 'merged' : 'opened',
      source_branch: `feature-${iid}`,
      target_branch: 'main',
      sha: SHA,
      labels: [],
      author: { username: 'dev1' },
      created_at: CREATED,
      updated_at:
        this.updatedAt[`${projectId}:${iid}`] ?? (iid > 2 ? SECOND : CREATED),
    };
  }

  answer = (request: ScriptedRequest, response: ServerResponse): void => {
    if (this.fault?.(request, response)) {
      return;
    }
    const [, projectId, , iid, what] =
      /^\/api\/v4\/projects\/(\d+)(\/merge_requests(?:\/(\d+)(?:\/(\w+))?)?)?$/.exec(
        request.path,
      ) ?? [];
    if (request.path.endsWith('/self')) {
      sendJson(response, { id: 1, scopes: ['read_api'], active: true });
    } else if (projectId === undefined) {
      sendJson(response, { message: '404 Not Found' }, { status: 404 });
    } else if (what === 'approvals') {
      const status = this.refusals[projectId] ?? 200;
      sendJson(
        response,
        status === 200 ? { approved: true, approved_by: this.approvedBy } : {},
        { status },
      );
    } else if (what === 'notes') {
      sendJson(response, this.notes);
    } else if (what !== undefined) {
      sendJson(response, []);
    } else if (iid !== undefined) {
      sendJson(response, this.#mergeRequest(projectId, Number(iid)));
    } else if (request.path.endsWith('/merge_requests')) {
      const merged = Array.from(
        { length: this.merged },
        (_, index) => index + 3,
      );
      const iids = projectId === '7' ? [1, 2, ...merged] : [1];
      const after = request.query.get('updated_after');
      const state = request.query.get('state');
      sendJson(
        response,
        iids
          .map(number => this.#mergeRequest(projectId, number))
          .filter(
            mergeRequest =>
              (state === 'all' || state === mergeRequest.state) &&
              (!after ||
                Date.parse(mergeRequest.updated_at) >= Date.parse(after)),
          ),
      );
    } else {
      sendJson(response, {
        id: Number(projectId),
        path_with_namespace: `group${projectId}/shop`,
      });
    }
  };
}

describe('approvals', () => {
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

  async function started(projects = [7]): Promise<DefaultGitLabSource> {
    const source = createGitLabSource(server, {
      logger: mockServices.logger.mock(),
      clock: () => now,
    });
    source.trackProjects(projects.map(id => ({ id })));
    source.start({ signal: stop.signal });
    await source.refresh();
    return source;
  }

  function mergeRequest(source: DefaultGitLabSource, iid = 1, projectId = 7) {
    return source.reading().projects.get(projectId)?.mergeRequests.get(iid);
  }

  function approvals(source: DefaultGitLabSource, iid = 1, projectId = 7) {
    return mergeRequest(source, iid, projectId)?.approvals?.fact;
  }

  function later(minutes: number) {
    now = new Date(now.getTime() + minutes * 60_000);
  }

  function update(key: string, time: Date = now) {
    gitlab.current.updatedAt[key] = time.toISOString();
  }

  async function callsOf(read: () => Promise<unknown>): Promise<number> {
    server.requests.length = 0;
    await read();
    return server.asked(APPROVALS).length;
  }

  it('of many that ended while nobody looked are read a few at a time', async () => {
    gitlab.current.merged = 50;
    const source = await started();
    const asked = () =>
      new Set(server.asked(APPROVALS).filter(call => !/\/[12]\//.test(call)));
    source.followMergeRequests(
      Array.from({ length: 50 }, (_, index) => ({
        projectId: 7,
        iid: index + 3,
      })),
    );
    await source.refresh();
    await source.refresh();
    const before = asked().size;
    await source.refresh();
    expect(asked().size - before).toBeLessThanOrEqual(20);
    await source.refresh();
    await source.refresh();
    expect(asked().size).toBe(50);
  });

  it('tell when the first person approved', async () => {
    gitlab.current.approvedBy = [
      approval('dev2', SECOND),
      approval('reviewer1', FIRST),
    ];
    const source = await started();
    expect(approvals(source)).toEqual({ approved: true, firstAt: FIRST });
    expect(server.asked(/notes/)).toEqual([]);
  });

  it('are not undone by an answer that was asked for earlier', async () => {
    const source = await started();
    let release: (() => void) | undefined;
    gitlab.current.fault = ({ path }, response) => {
      if (!path.endsWith('/merge_requests/1/approvals')) {
        return false;
      }
      release = () => sendJson(response, { approved: true, approved_by: [] });
      return true;
    };
    const reading = source.refreshMergeRequest({
      projectId: 7,
      iid: 1,
      approvals: true,
    });
    await eventually(() => expect(release).toBeDefined());
    gitlab.current.fault = undefined;
    gitlab.current.approvedBy = [approval('reviewer1', FIRST)];
    later(1);
    update('7:1');
    await source.refresh();
    expect(approvals(source)).toEqual({ approved: true, firstAt: FIRST });
    release!();
    await reading;
    expect(approvals(source)).toEqual({ approved: true, firstAt: FIRST });
  });

  it('are none where nobody approved, though none is required', async () => {
    expect(approvals(await started())).toEqual({ approved: false });
  });

  it('of an older GitLab have the times of their notes', async () => {
    gitlab.current.approvedBy = [approval('reviewer1')];
    gitlab.current.notes = [
      note('reviewer1', SECOND),
      note('reviewer1', FIRST, 'unapproved'),
    ];
    const source = await started();
    expect(approvals(source)).toEqual({ approved: true, firstAt: SECOND });
  });

  it('whose notes are denied have no time, and count as approvals', async () => {
    gitlab.current.approvedBy = [approval('reviewer1')];
    gitlab.current.fault = ({ path }, response) => {
      const isNotes = path.endsWith('/notes');
      if (isNotes) {
        sendJson(response, {}, { status: 403 });
      }
      return isNotes;
    };
    expect(approvals(await started())).toEqual({ approved: true });
  });

  it('cost one call for each update, and none while nothing changes', async () => {
    const source = await started();
    expect(server.asked(APPROVALS)).toHaveLength(2);
    for (const minutes of [1, 1, 5, 20]) {
      later(minutes);
      expect(await callsOf(() => source.refresh())).toBe(0);
    }
    update('7:1', new Date(now.getTime() - 10 * 60_000));
    expect(await callsOf(() => source.refresh())).toBe(1);
    expect(await callsOf(() => source.refresh())).toBe(0);
  });

  it('are read once more when an update has settled, since an approval soon after it does not show', async () => {
    const source = await started();
    update('7:1');
    expect(await callsOf(() => source.refresh())).toBe(1);
    gitlab.current.approvedBy = [approval('reviewer1', FIRST)];
    later(1);
    expect(await callsOf(() => source.refresh())).toBe(0);
    later(1);
    expect(await callsOf(() => source.refresh())).toBe(1);
    expect(approvals(source)).toEqual({ approved: true, firstAt: FIRST });
    later(10);
    expect(await callsOf(() => source.refresh())).toBe(0);
  });

  it('are read at once when a hook tells of one', async () => {
    const source = await started();
    const key = { projectId: 7, iid: 1 };
    expect(await callsOf(() => source.refreshMergeRequest(key))).toBe(0);
    gitlab.current.approvedBy = [approval('reviewer1', FIRST)];
    expect(
      await callsOf(() =>
        source.refreshMergeRequest({ ...key, approvals: true }),
      ),
    ).toBe(1);
    expect(approvals(source)?.firstAt).toBe(FIRST);
    gitlab.current.approvedBy = [];
    await source.refreshMergeRequest({ ...key, approvals: true });
    expect(approvals(source)).toEqual({ approved: false });
  });

  it('stay known over a push', async () => {
    gitlab.current.approvedBy = [approval('reviewer1', FIRST)];
    const source = await started();
    update('7:1');
    gitlab.current.fault = (request, response) => {
      const isApprovals = APPROVALS.test(request.path);
      if (isApprovals) {
        sendJson(response, {}, { status: 500 });
      }
      return isApprovals;
    };
    await source.refresh();
    expect(approvals(source)?.firstAt).toBe(FIRST);
  });

  it.each([403, 404])(
    'that GitLab refuses with %i stay unknown, and nothing else suffers',
    async status => {
      gitlab.current.refusals = { 7: status };
      gitlab.current.approvedBy = [approval('reviewer1', FIRST)];
      const source = await started([7, 8]);
      const { projects } = source.reading();
      expect(mergeRequest(source)).toBeDefined();
      expect(approvals(source)).toBeUndefined();
      expect(approvals(source, 1, 8)?.approved).toBe(true);
      expect([projects.get(7)?.state, projects.get(8)?.state]).toEqual([
        'ready',
        'ready',
      ]);
      expect(source.state(now)).toMatchObject({
        status: 'fresh',
        errors: [],
        notes: [{ reason: 'ApprovalsRefused', params: { projects: 1 } }],
      });

      later(30);
      expect(await callsOf(() => source.refresh())).toBe(0);
      gitlab.current.refusals = {};
      later(30);
      expect(await callsOf(() => source.refresh())).toBe(2);
      expect(approvals(source)).toEqual({ approved: true, firstAt: FIRST });
    },
  );

  it('that fail are left alone for a while', async () => {
    gitlab.current.refusals = { 7: 500 };
    const source = await started();
    expect(approvals(source)).toBeUndefined();
    gitlab.current.refusals = {};
    later(4);
    expect(await callsOf(() => source.refresh())).toBe(0);
    later(1);
    expect(await callsOf(() => source.refresh())).toBe(2);
  });
});
