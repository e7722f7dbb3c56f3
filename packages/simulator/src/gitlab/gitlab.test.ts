import { Gitlab } from '@gitbeaker/rest';
import { createRealClock } from '../clock';
import { createRandom } from '../random';
import { gitlabAnswers } from './faults';
import { startGitlabServer, type GitLabServer } from './server';
import { GitLabState } from './state';

const TOKEN = 'glpat-test';

describe('the simulated GitLab', () => {
  const clock = createRealClock();
  let state: GitLabState;
  let server: GitLabServer;

  const client = (token = TOKEN) => new Gitlab({ host: server.url, token });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/v4${path}`, {
      headers: { 'private-token': TOKEN, ...headers },
    });
  const open = (project: string, count: number, labels: string[] = []) =>
    Array.from({ length: count }, (_, index) =>
      state.openMergeRequest({
        project,
        sourceBranch: `branch-${project}-${labels.join()}-${index}`,
        title: `Change ${index}`,
        author: 'dev1',
        labels,
      }),
    );

  beforeEach(async () => {
    state = new GitLabState({ clock, random: createRandom(1) });
    state.addToken({ value: TOKEN });
    server = await startGitlabServer({ state, clock });
  });

  afterEach(async () => {
    await server.close();
  });

  it('lets gitbeaker follow its pages to the last merge request', async () => {
    state.addProject({ path: 'shop/checkout' });
    open('shop/checkout', 45);
    const all = await client().MergeRequests.all({
      projectId: 'shop/checkout',
      state: 'opened',
      perPage: 20,
    });
    expect(all).toHaveLength(45);
    expect(new Set(all.map(({ iid }) => iid)).size).toBe(45);
    expect(server.requests).toHaveLength(3);
  });

  it('describes a page in its headers, and the next ones in Link', async () => {
    const { id } = state.addProject({ path: 'shop/checkout' });
    open('shop/checkout', 5);
    const response = await get(
      `/projects/${id}/merge_requests?per_page=2&page=2&state=opened`,
    );
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-page': '2',
      'x-per-page': '2',
      'x-prev-page': '1',
      'x-next-page': '3',
      'x-total': '5',
      'x-total-pages': '3',
    });
    expect(response.headers.get('link')).toContain(
      `<${server.url}/api/v4/projects/${id}/merge_requests?per_page=2&page=3&state=opened>; rel="next"`,
    );
  });

  it('filters as GitLab does: all states by default, labels together, updated_after inclusive', async () => {
    state.addProject({ path: 'shop/checkout' });
    const [first] = open('shop/checkout', 1, ['preview']);
    const [second] = open('shop/checkout', 1, ['preview', 'bug']);
    const [third] = open('shop/checkout', 1);
    state.close({ project: 'shop/checkout', iid: third.iid });
    state.setLocked({ project: 'shop/checkout', iid: first.iid, locked: true });
    const iids = async (query: string) => {
      const response = await get(
        `/projects/shop%2Fcheckout/merge_requests?sort=asc&${query}`,
      );
      return ((await response.json()) as { iid: number }[]).map(
        ({ iid }) => iid,
      );
    };
    expect(await iids('')).toEqual([1, 2, 3]);
    expect(await iids('state=opened')).toEqual([2]);
    expect(await iids('state=locked')).toEqual([1]);
    expect(await iids('labels=preview')).toEqual([1, 2]);
    expect(await iids('labels=preview,bug')).toEqual([2]);
    expect(await iids('labels=None')).toEqual([3]);
    expect(await iids('iids[]=3&iids[]=1')).toEqual([1, 3]);
    expect(await iids(`source_branch=${second.sourceBranch}`)).toEqual([2]);
    expect(await iids(`updated_after=${third.updatedAt}`)).toContain(3);
    expect(
      (await get('/projects/shop%2Fcheckout/merge_requests?state=wrong'))
        .status,
    ).toBe(400);
  });

  it('lists the merge requests of a group with those of its subgroups', async () => {
    state.addProject({ path: 'shop/checkout' });
    state.addProject({ path: 'shop/back/office' });
    state.addProject({ path: 'other/thing' });
    open('shop/checkout', 1);
    open('shop/back/office', 1);
    open('other/thing', 1);
    const api = client();
    expect(
      (await api.MergeRequests.all({ groupId: 'shop' })).map(
        ({ references }) => references.full,
      ),
    ).toEqual(['shop/back/office!1', 'shop/checkout!1']);
    expect(await api.MergeRequests.all({ scope: 'all' })).toHaveLength(3);
    expect(await api.MergeRequests.all({})).toHaveLength(0);
    expect(await api.Groups.allProjects('shop')).toHaveLength(1);
    expect(
      await api.Groups.allProjects('shop', { includeSubgroups: true }),
    ).toHaveLength(2);
    const subgroups = await api.Groups.allSubgroups('shop');
    expect(subgroups.map(group => group.full_path)).toEqual(['shop/back']);
  });

  it('shows head_pipeline in the single merge request only, and only for the head', async () => {
    const project = state.addProject({ path: 'shop/checkout' });
    const [mergeRequest] = open('shop/checkout', 1);
    const api = client();
    const pipeline = state.addPipeline({
      project,
      sha: mergeRequest.sha as string,
      ref: mergeRequest.sourceBranch,
      user: mergeRequest.author,
    });
    state.setPipelineStatus(pipeline, 'success');
    const single = await api.MergeRequests.show(project.id, 1);
    expect(single.head_pipeline).toMatchObject({ status: 'success' });
    const [listed] = await api.MergeRequests.all({ projectId: project.id });
    expect(listed).not.toHaveProperty('head_pipeline');
    state.push({ project: project.id, iid: 1 });
    expect(
      (await api.MergeRequests.show(project.id, 1)).head_pipeline,
    ).toBeNull();
    expect(await api.MergeRequests.allPipelines(project.id, 1)).toHaveLength(1);
  });

  it('tells who approved and when, in approvals and in system notes', async () => {
    const project = state.addProject({ path: 'shop/checkout' });
    const [mergeRequest] = open('shop/checkout', 1);
    const reference = { project: project.id, iid: 1 };
    const api = client();
    const approvals = async () =>
      (
        await api.MergeRequestApprovals.showConfiguration(project.id, {
          mergerequestIId: 1,
        })
      ).approved_by;
    expect(await approvals()).toEqual([]);

    state.approve({ ...reference, by: 'reviewer1' });
    const { createdAt } = mergeRequest.approvals[0];
    expect(await approvals()).toMatchObject([
      { user: { username: 'reviewer1' }, approved_at: createdAt },
    ]);
    expect(() => state.approve({ ...reference, by: 'reviewer1' })).toThrow(
      /approved by reviewer1/,
    );
    server.faults.approvalsWithoutTimes = true;
    expect((await approvals())?.[0]).not.toHaveProperty('approved_at');
    state.unapprove({ ...reference, by: 'reviewer1' });
    expect(await approvals()).toEqual([]);
    expect(
      await api.MergeRequestNotes.all(project.id, 1, { sort: 'asc' }),
    ).toMatchObject([
      {
        body: 'approved this merge request',
        system: true,
        author: { username: 'reviewer1' },
        created_at: createdAt,
      },
      { body: 'unapproved this merge request', system: true },
    ]);
  });

  it('serves approvals, diffs, pipelines, registry tags and files to gitbeaker', async () => {
    const project = state.addProject({
      path: 'shop/checkout',
      files: { 'catalog-info.yaml': 'kind: Component\n' },
    });
    const [mergeRequest] = open('shop/checkout', 1);
    state.approve({ project: project.id, iid: 1, by: 'reviewer1' });
    state.pushTag({ project: project.id, tag: 'abcd1234' });
    state.addPipeline({
      project,
      sha: mergeRequest.sha as string,
      ref: mergeRequest.sourceBranch,
      user: mergeRequest.author,
    });
    const api = client();
    expect(
      (
        await api.MergeRequestApprovals.showConfiguration(project.id, {
          mergerequestIId: 1,
        })
      ).approved_by,
    ).toMatchObject([{ user: { username: 'reviewer1' } }]);
    expect(await api.MergeRequests.allDiffs(project.id, 1)).toMatchObject([
      { new_path: 'src/main.ts' },
    ]);
    const [pipeline] = await api.Pipelines.all(project.id);
    expect(await api.Pipelines.show(project.id, pipeline.id)).toMatchObject({
      sha: mergeRequest.sha,
    });
    const [repository] = await api.ContainerRegistry.allRepositories({
      projectId: project.id,
    });
    expect(
      await api.ContainerRegistry.showTag(
        project.id,
        repository.id,
        'abcd1234',
      ),
    ).toMatchObject({
      location: 'registry.example.com/shop/checkout:abcd1234',
      digest: expect.stringMatching(/^sha256:/),
    });
    expect(
      await api.RepositoryFiles.showRaw(
        project.id,
        'catalog-info.yaml',
        'main',
      ),
    ).toBe('kind: Component\n');
    expect(
      (await api.Branches.show(project.id, mergeRequest.sourceBranch)).commit
        .id,
    ).toBe(mergeRequest.sha);
  });

  it.each([
    ['no token', '', gitlabAnswers.unauthorized],
    ['an unknown token', 'wrong', gitlabAnswers.unauthorized],
    ['a revoked token', 'revoked', gitlabAnswers.revoked],
    ['an expired token', 'expired', gitlabAnswers.expired],
  ])('answers %s with its own 401', async (_name, token, expected) => {
    state.addToken({ value: 'revoked' }).revoked = true;
    state.addToken({ value: 'expired', expiresAt: '2020-01-01' });
    const response = await get('/projects', { 'private-token': token });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual(expected.body);
  });

  it('answers a token with too little scope with 403 and the scopes it wants', async () => {
    state.addToken({ value: 'narrow', scopes: ['read_user'] });
    const response = await get('/projects', { 'private-token': 'narrow' });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      error: 'insufficient_scope',
      scope: 'api read_api',
    });
    const write = await fetch(
      `${server.url}/api/v4/projects/1/merge_requests/1`,
      { method: 'PUT', headers: { 'private-token': TOKEN } },
    );
    expect(write.status).toBe(403);
  });

  it('tells a token about itself', async () => {
    expect(await client().PersonalAccessTokens.show()).toMatchObject({
      active: true,
      revoked: false,
      scopes: ['read_api'],
    });
  });

  it('answers 404 for what is missing and for what the token may not see', async () => {
    const hidden = state.addProject({ path: 'shop/hidden' });
    const seen = state.addProject({ path: 'shop/seen' });
    state.addToken({ value: 'partial', projectIds: [seen.id] });
    const asPartial = { 'private-token': 'partial' };
    for (const path of [
      `/projects/${hidden.id}`,
      `/projects/${hidden.id}/merge_requests`,
    ]) {
      const response = await get(path, asPartial);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({
        message: '404 Project Not Found',
      });
    }
    const missing = await get(`/projects/${seen.id}/merge_requests/9`);
    expect(await missing.json()).toEqual({ message: '404 Not found' });
    const listed = await get('/groups/shop/projects', asPartial);
    expect(await listed.json()).toHaveLength(1);
  });

  it('keeps an open merge request whose source branch is gone, without a commit', async () => {
    state.addProject({ path: 'shop/checkout' });
    open('shop/checkout', 1);
    state.deleteSourceBranch({ project: 'shop/checkout', iid: 1 });
    expect(await client().MergeRequests.show('shop/checkout', 1)).toMatchObject(
      { state: 'opened', sha: null },
    );
  });

  it('keeps a merge request from a fork whose project is deleted', async () => {
    state.addProject({ path: 'shop/checkout' });
    const { iid, sourceProjectId } = state.openMergeRequest({
      project: 'shop/checkout',
      sourceBranch: 'patch-1',
      title: 'From outside',
      author: 'dev9',
      fork: true,
    });
    expect((await get(`/projects/${sourceProjectId}`)).status).toBe(200);
    state.deleteProject(sourceProjectId);
    expect((await get(`/projects/${sourceProjectId}`)).status).toBe(404);
    expect(
      await client().MergeRequests.show('shop/checkout', iid),
    ).toMatchObject({ source_project_id: sourceProjectId });
  });

  it('changes labels for a token that may write', async () => {
    state.addToken({ value: 'writer', scopes: ['api'] });
    state.addProject({ path: 'shop/checkout' });
    open('shop/checkout', 1, ['preview', 'bug']);
    await client('writer').MergeRequests.edit('shop/checkout', 1, {
      removeLabels: 'preview',
    });
    expect(
      (await client().MergeRequests.show('shop/checkout', 1)).labels,
    ).toEqual(['bug']);
  });

  describe('when it is faulty', () => {
    beforeEach(() => {
      state.addProject({ path: 'shop/checkout' });
      state.addProject({ path: 'shop/catalogue' });
      open('shop/checkout', 3);
      open('shop/catalogue', 1);
    });

    it('fails one page of a list', async () => {
      server.faults.answer({
        path: '/groups/shop/merge_requests',
        page: 2,
        answer: gitlabAnswers.internalError,
      });
      const statuses = await Promise.all(
        [1, 2, 3].map(
          async page =>
            (
              await get(`/groups/shop/merge_requests?per_page=2&page=${page}`)
            ).status,
        ),
      );
      expect(statuses).toEqual([200, 500, 200]);
    });

    it('limits with plain text, with or without Retry-After, so many times', async () => {
      server.faults.answer({
        path: '',
        answer: gitlabAnswers.tooManyRequests(30, clock.now()),
        times: 1,
      });
      const limited = await get('/projects');
      expect(limited.status).toBe(429);
      expect(limited.headers.get('content-type')).toBe('text/plain');
      expect(limited.headers.get('retry-after')).toBe('30');
      expect(await limited.text()).toBe('Retry later\n');
      expect((await get('/projects')).status).toBe(200);
      server.faults.answer({
        path: '',
        answer: gitlabAnswers.tooManyRequests(undefined, clock.now()),
      });
      expect((await get('/projects')).headers.get('retry-after')).toBeNull();
    });

    it('loses a project from the group listings, which still answers by itself', async () => {
      const { id } = state.project('shop/checkout');
      server.faults.hideFromGroups(id);
      expect(
        await (await get('/groups/shop/merge_requests')).json(),
      ).toHaveLength(1);
      expect(await (await get('/groups/shop/projects')).json()).toHaveLength(1);
      expect(
        await (await get(`/projects/${id}/merge_requests`)).json(),
      ).toHaveLength(3);
    });

    it('answers empty lists, refuses, is down, and heals', async () => {
      server.faults.emptyLists = true;
      expect(await (await get('/groups/shop/projects')).json()).toEqual([]);
      server.faults.down(502);
      expect((await get('/version')).status).toBe(502);
      server.faults.refuse = true;
      await expect(get('/version')).rejects.toThrow();
      server.faults.clear();
      expect(await (await get('/groups/shop/projects')).json()).toHaveLength(2);
    });
  });

  it('lives below a path when asked to', async () => {
    const below = await startGitlabServer({
      state,
      clock,
      basePath: '/gitlab',
    });
    try {
      state.addProject({ path: 'shop/checkout' });
      expect(below.url).toMatch(/\/gitlab$/);
      const project = await new Gitlab({
        host: below.url,
        token: TOKEN,
      }).Projects.show('shop/checkout');
      expect(project.web_url).toBe(`${below.url}/shop/checkout`);
    } finally {
      await below.close();
    }
  });

  it('shows a page where links lead, with hostile text as text', async () => {
    state.addProject({ path: 'shop/checkout' });
    state.openMergeRequest({
      project: 'shop/checkout',
      sourceBranch: 'x',
      title: '<img src=x onerror=alert(1)>',
      author: 'dev1',
    });
    const page = await fetch(`${server.url}/shop/checkout/-/merge_requests/1`);
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain('<img');
    expect((await fetch(`${server.url}/nothing/here`)).status).toBe(404);
  });
});
