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

const HEAD = '1f0e2d3c4b5a69788796a5b4c3d2e1f001234567';
const NEXT = '2f0e2d3c4b5a69788796a5b4c3d2e1f001234567';
const TARGET = 'e'.repeat(40);
const MERGED = 'f'.repeat(40);
const COMMIT = /repository\/commits/;

/** One project with one open MR. */
class FakeGitLab {
  sha = HEAD;
  pipelines: unknown[] = [];
  /** By commit. */
  parents: Record<string, unknown> = {};
  /** Answers for commits with this status. */
  refusal?: number;
  fault?: (request: ScriptedRequest, response: ServerResponse) => boolean;

  answer = (request: ScriptedRequest, response: ServerResponse): void => {
    if (this.fault?.(request, response)) {
      return;
    }
    const { path } = request;
    const [, commit] = /\/repository\/commits\/(\w+)$/.exec(path) ?? [];
    if (path.endsWith('/self')) {
      sendJson(response, { id: 1, scopes: ['read_api'], active: true });
    } else if (commit !== undefined) {
      const status = this.refusal ?? 200;
      sendJson(
        response,
        status === 200 ? { id: commit, parent_ids: this.parents[commit] } : {},
        { status },
      );
    } else if (path.endsWith('/pipelines')) {
      sendJson(response, this.pipelines);
    } else if (path.endsWith('/merge_requests')) {
      sendJson(response, [this.#mergeRequest()]);
    } else if (path.endsWith('/merge_requests/1')) {
      sendJson(response, this.#mergeRequest());
    } else if (path.endsWith('/projects/7')) {
      sendJson(response, { id: 7, path_with_namespace: 'group/shop' });
    } else {
      sendJson(response, []);
    }
  };

  #mergeRequest() {
    return {
      iid: 1,
      project_id: 7,
      source_project_id: 7,
      target_project_id: 7,
      title: 'Change 1',
      state: 'opened',
      source_branch: 'feature',
      target_branch: 'main',
      sha: this.sha,
      labels: [],
      author: { username: 'dev1' },
      created_at: '2026-03-01T10:00:00.000Z',
      updated_at: '2026-03-01T10:00:00.000Z',
    };
  }
}

describe('pipelines', () => {
  let gitlab: FakeGitLab;
  let server: ScriptedServer;
  let stop: AbortController;
  let now: Date;

  const merged = (fields: Record<string, unknown> = {}) => ({
    id: 50,
    sha: MERGED,
    ref: 'refs/merge-requests/1/merge',
    status: 'running',
    source: 'merge_request_event',
    ...fields,
  });

  beforeEach(async () => {
    gitlab = new FakeGitLab();
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

  async function started(): Promise<DefaultGitLabSource> {
    const source = createGitLabSource(server, {
      logger: mockServices.logger.mock(),
      clock: () => now,
    });
    source.trackProjects([{ id: 7 }]);
    source.start({ signal: stop.signal });
    await source.refresh();
    return source;
  }

  const pipelines = (source: DefaultGitLabSource) =>
    source.reading().projects.get(7)?.mergeRequests.get(1)?.pipelines?.items;

  it('are not undone by an answer that was asked for earlier', async () => {
    const ofHead = (status: string) =>
      merged({ sha: HEAD, ref: 'refs/merge-requests/1/head', status });
    gitlab.pipelines = [ofHead('running')];
    const source = await started();
    let release: (() => void) | undefined;
    gitlab.fault = ({ path }, response) => {
      if (!path.endsWith('/pipelines')) {
        return false;
      }
      release = () => sendJson(response, [ofHead('running')]);
      return true;
    };
    const reading = source.refreshMergeRequest({ projectId: 7, iid: 1 });
    await eventually(() => expect(release).toBeDefined());
    gitlab.fault = undefined;
    gitlab.pipelines = [ofHead('success')];
    now = new Date(now.getTime() + 60_000);
    await source.refresh();
    expect(pipelines(source)).toMatchObject([{ status: 'success' }]);
    release!();
    await reading;
    expect(pipelines(source)).toMatchObject([{ status: 'success' }]);
  });

  describe('of merged results', () => {
    it.each(['merge', 'train'])(
      'tell by the parents of their commit which head they are of: %s',
      async kind => {
        gitlab.pipelines = [merged({ ref: `refs/merge-requests/1/${kind}` })];
        gitlab.parents = { [MERGED]: [TARGET, HEAD] };
        expect(pipelines(await started())).toMatchObject([
          { id: 50, parents: [TARGET, HEAD] },
        ]);
      },
    );

    it('have their commit asked for once, however often they are read', async () => {
      gitlab.pipelines = [merged()];
      gitlab.parents = { [MERGED]: [TARGET, HEAD] };
      const source = await started();
      await source.refresh();
      gitlab.pipelines = [merged({ status: 'failed' })];
      await source.refresh();
      expect(pipelines(source)).toMatchObject([
        { status: 'failed', parents: [TARGET, HEAD] },
      ]);
      expect(server.asked(COMMIT)).toHaveLength(1);
    });

    it('are told from those of the head before, one after the other', async () => {
      const newer = 'd'.repeat(40);
      gitlab.pipelines = [merged()];
      gitlab.parents = { [MERGED]: [TARGET, HEAD], [newer]: [TARGET, NEXT] };
      const source = await started();
      gitlab.sha = NEXT;
      await source.refresh();
      expect(pipelines(source)).toMatchObject([{ parents: [TARGET, HEAD] }]);
      gitlab.pipelines = [merged({ id: 51, sha: newer }), merged()];
      await source.refresh();
      expect(pipelines(source)).toMatchObject([
        { id: 51, parents: [TARGET, NEXT] },
        { id: 50, parents: [TARGET, HEAD] },
      ]);
    });

    it.each([403, 404])(
      'whose commit is denied with %d are read without it, and it is not asked for again',
      async status => {
        gitlab.pipelines = [merged()];
        gitlab.refusal = status;
        const source = await started();
        await source.refresh();
        expect(pipelines(source)).toMatchObject([{ id: 50, sha: MERGED }]);
        expect(server.asked(COMMIT)).toHaveLength(1);
      },
    );

    it('are forgotten with their merge request, so that one that comes back is asked for again', async () => {
      gitlab.pipelines = [merged()];
      gitlab.refusal = 404;
      const source = await started();
      source.trackProjects([]);
      await source.refresh();
      gitlab.parents = { [MERGED]: [TARGET, HEAD] };
      gitlab.refusal = undefined;
      source.trackProjects([{ id: 7 }]);
      await source.refresh();
      expect(pipelines(source)).toMatchObject([{ parents: [TARGET, HEAD] }]);
    });

    it('whose commit cannot be read for now are read again with it', async () => {
      gitlab.pipelines = [merged()];
      gitlab.parents = { [MERGED]: [TARGET, HEAD] };
      gitlab.refusal = 500;
      const source = await started();
      expect(pipelines(source)).toBeUndefined();
      gitlab.refusal = undefined;
      now = new Date(now.getTime() + 6 * 60_000);
      await source.refresh();
      expect(pipelines(source)).toMatchObject([{ parents: [TARGET, HEAD] }]);
    });

    it.each([
      ['the head itself', { sha: HEAD, ref: 'refs/merge-requests/1/head' }],
      ['another commit', { sha: NEXT, ref: 'refs/merge-requests/1/head' }],
    ])(
      'are not looked for where the newest one is of %s',
      async (_, fields) => {
        gitlab.pipelines = [merged(fields)];
        expect(pipelines(await started())).toHaveLength(1);
        expect(server.asked(COMMIT)).toEqual([]);
      },
    );
  });
});
