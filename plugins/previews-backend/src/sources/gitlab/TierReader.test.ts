import { mockServices } from '@backstage/backend-test-utils';
import {
  ScriptedRequest,
  ScriptedServer,
  sendJson,
} from '../testing/ScriptedServer';
import { createGitLabSource } from '../testing/createGitLabSource';
import { DefaultGitLabSource } from './DefaultGitLabSource';

const SHA = '1f0e2d3c4b5a69788796a5b4c3d2e1f001234567';
const OTHER = '0f0e2d3c4b5a69788796a5b4c3d2e1f001234567';
const PROJECT = 'group/gitops';

const commit = {
  id: SHA,
  title: 'Release shop v1.42.0',
  author_name: 'dev1',
  committed_date: '2026-03-01T12:00:00.000+01:00',
};
const mergeRequest = {
  iid: 3,
  title: 'Release shop',
  state: 'merged',
  author: { username: 'dev1' },
  merge_user: { username: 'reviewer1' },
};

describe('TierReader', () => {
  let server: ScriptedServer;
  let stop: AbortController;
  let now: Date;
  let source: DefaultGitLabSource;
  let answers: (request: ScriptedRequest) => unknown;

  beforeEach(async () => {
    now = new Date('2026-03-01T12:00:00.000Z');
    stop = new AbortController();
    answers = () => undefined;
    server = await ScriptedServer.listen((request, response) => {
      const answer = answers(request);
      if (typeof answer === 'number') {
        sendJson(response, {}, { status: answer });
      } else {
        sendJson(
          response,
          answer ?? (request.path.endsWith('/self') ? { scopes: [] } : []),
        );
      }
    });
    source = createGitLabSource(server, {
      logger: mockServices.logger.mock(),
      clock: () => now,
    });
    source.start({ signal: stop.signal });
    await source.refresh();
    server.requests.length = 0;
  });

  afterEach(async () => {
    stop.abort();
    await server.close();
  });

  const base = `/api/v4/projects/${encodeURIComponent(PROJECT)}`;

  function script(byPath: Record<string, unknown>) {
    answers = ({ path }) =>
      byPath[path.replace(`${base}/repository/`, '')] ?? byPath[path] ?? 404;
  }

  it('tells a commit with the merge request that brought it, once and for good', async () => {
    script({
      [`commits/${SHA}`]: commit,
      [`commits/${SHA}/merge_requests`]: [
        { ...mergeRequest, iid: 2, state: 'closed' },
        mergeRequest,
      ],
    });
    const ask = () =>
      source.readRepository({ kind: 'commit', project: PROJECT, sha: SHA });
    const read = {
      state: 'read',
      fact: {
        sha: SHA,
        title: 'Release shop v1.42.0',
        author: 'dev1',
        committedAt: '2026-03-01T11:00:00.000Z',
        mergeRequest: {
          iid: 3,
          title: 'Release shop',
          author: 'dev1',
          mergedBy: 'reviewer1',
        },
      },
    };
    expect(await ask()).toEqual(read);
    now = new Date('2026-04-01T12:00:00.000Z');
    expect(await ask()).toEqual(read);
    expect(server.requests).toHaveLength(2);
  });

  it('tells the last change of a path up to a time', async () => {
    script({
      commits: [commit],
      [`commits/${SHA}/merge_requests`]: 403,
    });
    expect(
      await source.readRepository({
        kind: 'lastChange',
        project: PROJECT,
        path: 'argocd/shop/application-prod.yaml',
        ref: 'main',
        until: '2026-03-01T12:00:00.000Z',
      }),
    ).toMatchObject({ state: 'read', fact: { sha: SHA } });
    const [{ query }] = server.requests;
    expect(Object.fromEntries(query)).toMatchObject({
      path: 'argocd/shop/application-prod.yaml',
      ref_name: 'main',
      until: '2026-03-01T12:00:00.000Z',
    });
  });

  it.each<[string, unknown, unknown]>([
    ['in full', { commits: [commit, commit] }, { behind: 2 }],
    [
      'as far as GitLab counted',
      { commits: [commit], compare_timeout: true },
      { behind: 1, atLeast: true },
    ],
    [
      'as far as GitLab lists commits',
      { commits: Array(1_000).fill(commit) },
      { behind: 1_000, atLeast: true },
    ],
  ])('counts the commits between two %s', async (_, answer, fact) => {
    script({ compare: answer });
    expect(
      await source.readRepository({
        kind: 'distance',
        project: PROJECT,
        from: OTHER,
        to: SHA,
      }),
    ).toEqual({ state: 'read', fact });
  });

  it.each([403, 404])(
    'knows nothing after %d, and never that there is no distance',
    async status => {
      script({ compare: status });
      expect(
        await source.readRepository({
          kind: 'distance',
          project: PROJECT,
          from: OTHER,
          to: SHA,
        }),
      ).toEqual({ state: 'unknown' });
    },
  );

  it('fails where GitLab does, and asks again', async () => {
    script({ compare: 400 });
    const question = {
      kind: 'distance',
      project: PROJECT,
      from: OTHER,
      to: SHA,
    } as const;
    expect(await source.readRepository(question)).toEqual({ state: 'failed' });
    script({ compare: { commits: [] } });
    expect(await source.readRepository(question)).toEqual({
      state: 'read',
      fact: { behind: 0 },
    });
  });

  it('asks for the end of a branch again when something happened since, or after a while', async () => {
    script({
      [base]: { id: 1, default_branch: 'main' },
      'commits/main': commit,
    });
    const ask = (since?: string) =>
      source.readRepository({
        kind: 'head',
        project: PROJECT,
        ...(since && { since }),
      });
    expect(await ask()).toEqual({
      state: 'read',
      fact: { branch: 'main', sha: SHA },
    });
    await ask('2026-03-01T11:59:00.000Z');
    expect(server.requests).toHaveLength(2);
    now = new Date('2026-03-01T12:01:00.000Z');
    await ask('2026-03-01T12:00:30.000Z');
    expect(server.requests).toHaveLength(4);
    now = new Date('2026-03-01T12:20:00.000Z');
    await ask();
    expect(server.requests).toHaveLength(6);
  });

  it('puts no more than one question a minute for its age alone', async () => {
    answers = ({ path }) =>
      path.includes('/commits/') ? commit : { id: 1, default_branch: 'main' };
    const ask = (branch: string) =>
      source.readRepository({ kind: 'head', project: PROJECT, branch });
    const branches = Array.from({ length: 20 }, (_, index) => `b${index}`);
    await Promise.all(branches.map(ask));
    server.requests.length = 0;
    now = new Date('2026-03-01T13:00:00.000Z');
    await Promise.all(branches.map(ask));
    expect(server.requests).toHaveLength(1);
  });

  it('lets questions wait when many are put at once', async () => {
    answers = () => commit;
    const states = await Promise.all(
      Array.from({ length: 80 }, (_, index) =>
        source
          .readRepository({
            kind: 'head',
            project: PROJECT,
            branch: `b${index}`,
          })
          .then(({ state }) => state),
      ),
    );
    expect(states.filter(state => state === 'waiting')).toHaveLength(20);
  });

  it('tells whether there is a file', async () => {
    script({ 'files/a%2Fb.yaml': { file_path: 'a/b.yaml' } });
    const ask = (path: string) =>
      source.readRepository({
        kind: 'file',
        project: PROJECT,
        path,
        ref: 'main',
      });
    expect(await ask('a/b.yaml')).toMatchObject({ fact: { exists: true } });
    expect(await ask('a/c.yaml')).toMatchObject({ fact: { exists: false } });
  });
});
