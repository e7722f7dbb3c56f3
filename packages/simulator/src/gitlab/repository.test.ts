import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Gitlab } from '@gitbeaker/rest';
import { createRealClock } from '../clock';
import { createRandom } from '../random';
import { startGitlabServer, type GitLabServer } from './server';
import { GitLabState } from './state';

const TOKEN = 'glpat-write';
const READER = 'glpat-read';
const PROJECT = 'shop/checkout';

const FILES = {
  'README.md': 'Checkout\n',
  'chart/Chart.yaml': 'name: checkout\n',
  'chart/templates/web.yaml': 'kind: Deployment\n',
  'envs/prod.yaml': 'tag: v1\n',
};

describe("a simulated project's repository", () => {
  const clock = createRealClock();
  let state: GitLabState;
  let server: GitLabServer;

  const api = () => new Gitlab({ host: server.url, token: TOKEN });
  const call = async (
    method: string,
    path: string,
    options: { body?: object; token?: string } = {},
  ) => {
    const response = await fetch(
      `${server.url}/api/v4/projects/${encodeURIComponent(PROJECT)}${path}`,
      {
        method,
        headers: {
          'private-token': options.token ?? TOKEN,
          'content-type': 'application/json',
        },
        body: options.body && JSON.stringify(options.body),
      },
    );
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  const commit = (body: object) =>
    call('POST', '/repository/commits', {
      body: { commit_message: 'Change files', ...body },
    });
  const update = (branch: string, path: string, content: string) =>
    commit({
      branch,
      actions: [{ action: 'update', file_path: path, content }],
    });
  const text = async (path: string, ref = 'main') =>
    String(await api().RepositoryFiles.showRaw(PROJECT, path, ref));
  const open = (sourceBranch: string, targetBranch = 'main') =>
    api().MergeRequests.create(
      PROJECT,
      sourceBranch,
      targetBranch,
      sourceBranch,
    );

  beforeEach(async () => {
    state = new GitLabState({ clock, random: createRandom(1) });
    state.addToken({ value: TOKEN, username: 'portal-bot', scopes: ['api'] });
    state.addToken({ value: READER, scopes: ['read_api'] });
    state.addProject({ path: PROJECT, files: FILES });
    server = await startGitlabServer({ state, clock });
  });

  afterEach(async () => {
    await server.close();
  });

  describe('files', () => {
    it('lists a folder with its folders first, or all that is below it', async () => {
      const paths = async (options: object) =>
        (await api().Repositories.allRepositoryTrees(PROJECT, options)).map(
          ({ type, path }) => `${type} ${path}`,
        );
      expect(await paths({})).toEqual([
        'tree chart',
        'tree envs',
        'blob README.md',
      ]);
      expect(await paths({ path: 'chart' })).toEqual([
        'tree chart/templates',
        'blob chart/Chart.yaml',
      ]);
      expect(await paths({ recursive: true, perPage: 2 })).toEqual([
        'tree chart',
        'tree chart/templates',
        'tree envs',
        'blob README.md',
        'blob chart/Chart.yaml',
        'blob chart/templates/web.yaml',
        'blob envs/prod.yaml',
      ]);
      const page = await call(
        'GET',
        '/repository/tree?recursive=true&per_page=2&page=2',
      );
      expect(page.headers.get('x-total')).toBe('7');
      expect(page.body).toHaveLength(2);
    });

    it('tells a branch that is missing from a path that is', async () => {
      expect((await call('GET', '/repository/tree?ref=missing')).body).toEqual({
        message: '404 Tree Not Found',
      });
      expect((await call('GET', '/repository/tree?path=missing')).body).toEqual(
        { message: '404 invalid revision or path Not Found' },
      );
      expect(
        (await call('GET', '/repository/files/README.md?ref=missing')).body,
      ).toEqual({ message: '404 Commit Not Found' });
      expect(
        (await call('GET', '/repository/files/missing?ref=main')).body,
      ).toEqual({ message: '404 File Not Found' });
    });

    it('reads a file encoded and raw, with the commit that last changed it', async () => {
      const { body: changed } = await update('main', 'README.md', 'Cart\n');
      await update('main', 'envs/prod.yaml', 'tag: v2\n');
      const file = await api().RepositoryFiles.show(
        PROJECT,
        'README.md',
        'main',
      );
      expect(Buffer.from(file.content, 'base64').toString()).toBe('Cart\n');
      expect(file).toMatchObject({
        file_name: 'README.md',
        last_commit_id: changed.id,
        // As `git hash-object` has it.
        blob_id: '88a61e710e1957e4231ad67327ed50fc52e26775',
      });
      expect(await text('envs/prod.yaml')).toBe('tag: v2\n');
      expect(await text('envs/prod.yaml', changed.id)).toBe('tag: v1\n');
    });

    it('creates, updates and removes one file', async () => {
      const files = api().RepositoryFiles;
      await files.create(PROJECT, 'docs/new file.md', 'main', 'one', 'Add');
      expect(await text('docs/new file.md')).toBe('one');
      await files.edit(
        PROJECT,
        'docs/new file.md',
        'main',
        Buffer.from('zwö').toString('base64'),
        'Change',
        { encoding: 'base64' },
      );
      expect(await text('docs/new file.md')).toBe('zwö');
      await files.remove(PROJECT, 'docs/new file.md', 'main', 'Remove');
      expect(
        (await call('GET', '/repository/files/docs%2Fnew%20file.md?ref=main'))
          .status,
      ).toBe(404);
    });

    it('keeps a file from one who read it before its last change', async () => {
      const before = await api().RepositoryFiles.show(
        PROJECT,
        'README.md',
        'main',
      );
      await update('main', 'README.md', 'Cart\n');
      expect(
        await call('PUT', '/repository/files/README.md', {
          body: {
            branch: 'main',
            commit_message: 'Change',
            content: 'Till\n',
            last_commit_id: before.last_commit_id,
          },
        }),
      ).toMatchObject({
        status: 400,
        body: {
          message:
            'You are attempting to update a file that has changed since you started editing it.',
        },
      });
      const action = {
        action: 'update',
        file_path: 'README.md',
        content: 'Till\n',
        last_commit_id: before.last_commit_id,
      };
      expect(await commit({ branch: 'main', actions: [action] })).toMatchObject(
        {
          status: 400,
          body: {
            message:
              'The file has changed since you started editing it: README.md',
          },
        },
      );
      // A new branch is held to the commit that it begins at.
      expect(
        await commit({
          branch: 'old',
          start_sha: before.commit_id,
          actions: [action],
        }),
      ).toMatchObject({ status: 201 });
    });
  });

  describe('commits', () => {
    it('makes a branch with all actions in one commit', async () => {
      const made = await api().Commits.create(
        PROJECT,
        'feature',
        'Rework\n\nIn detail.',
        [
          { action: 'create', filePath: 'a.md', content: 'a' },
          { action: 'update', filePath: 'README.md', content: 'new' },
          { action: 'delete', filePath: 'envs/prod.yaml' },
          {
            action: 'move',
            filePath: 'chart/web.yaml',
            previousPath: 'chart/templates/web.yaml',
          },
          {
            action: 'chmod',
            filePath: 'chart/Chart.yaml',
            execute_filemode: true,
          },
        ],
        { startBranch: 'main' },
      );
      expect(made).toMatchObject({
        title: 'Rework',
        message: 'Rework\n\nIn detail.',
        author_name: 'portal-bot',
      });
      const project = state.project(PROJECT);
      expect(Object.fromEntries(state.filesAt(project, made.id))).toEqual({
        'README.md': 'new',
        'chart/Chart.yaml': 'name: checkout\n',
        'chart/web.yaml': 'kind: Deployment\n',
        'a.md': 'a',
      });
      expect(Object.fromEntries(state.files(project))).toEqual(FILES);
    });

    it.each([
      [
        { action: 'create', file_path: 'README.md', content: '' },
        'A file with this name already exists',
      ],
      [
        { action: 'create', file_path: 'chart', content: '' },
        'A file with this name already exists',
      ],
      [
        { action: 'create', file_path: 'README.md/below', content: '' },
        'A file with this name already exists',
      ],
      [
        {
          action: 'move',
          file_path: 'README.md',
          previous_path: 'envs/prod.yaml',
        },
        'A file with this name already exists',
      ],
      [
        { action: 'update', file_path: 'missing', content: '' },
        "A file with this name doesn't exist",
      ],
      [
        { action: 'chmod', file_path: 'missing', execute_filemode: true },
        "A file with this name doesn't exist",
      ],
      [
        { action: 'create', file_path: '../outside', content: '' },
        'Path cannot include directory traversal',
      ],
    ])('refuses %j and changes nothing', async (action, message) => {
      const before = state.project(PROJECT).branches.get('main');
      expect(
        await commit({
          branch: 'main',
          actions: [
            { action: 'create', file_path: 'other', content: '' },
            action,
          ],
        }),
      ).toMatchObject({ status: 400, body: { message } });
      expect(state.project(PROJECT).branches.get('main')).toBe(before);
    });

    it.each([
      [
        { action: 'rename', file_path: 'a' },
        '[action] does not have a valid value',
      ],
      [{ file_path: 'a' }, '[action] is missing'],
      [{ action: 'delete' }, '[file_path] is missing'],
      [{ action: 'update', file_path: 'a' }, '[content] is missing'],
      [{ action: 'move', file_path: 'a' }, '[previous_path] is missing'],
      ['delete', ' is invalid'],
    ])('names the action that is wrong: %j', async (action, error) => {
      const right = { action: 'delete', file_path: 'README.md' };
      expect(
        await commit({ branch: 'main', actions: [right, right, action] }),
      ).toMatchObject({
        status: 400,
        body: { error: `actions[2]${error}` },
      });
    });

    it('commits to a branch that is there, or begins one, and nothing else', async () => {
      const actions = [{ action: 'delete', file_path: 'README.md' }];
      const noBranch = {
        status: 400,
        body: {
          message: 'You can only create or edit files when you are on a branch',
        },
      };
      expect(await commit({ branch: 'new', actions })).toMatchObject(noBranch);
      expect(
        await commit({ branch: 'new', start_branch: 'missing', actions }),
      ).toMatchObject(noBranch);
      await api().Branches.create(PROJECT, 'there', 'main');
      expect(
        await commit({ branch: 'there', start_branch: 'main', actions }),
      ).toMatchObject({
        status: 400,
        body: {
          message:
            "A branch called 'there' already exists. Switch to that branch in order to make changes",
        },
      });
    });

    it('lists what changed a path, the latest first, and a merge only where it settled something', async () => {
      await commit({
        branch: 'feature',
        start_branch: 'main',
        commit_message: 'Change the chart',
        actions: [
          { action: 'update', file_path: 'chart/Chart.yaml', content: 'x' },
        ],
      });
      await update('main', 'envs/prod.yaml', 'tag: v2\n');
      const { iid } = await open('feature');
      await api().MergeRequests.merge(PROJECT, iid);
      const titles = async (path: string) =>
        (await api().Commits.all(PROJECT, { path, refName: 'main' })).map(
          ({ title }) => title,
        );
      expect(await titles('chart')).toEqual([
        'Change the chart',
        'Initial commit',
      ]);
      expect(await titles('chart/templates')).toEqual(['Initial commit']);
      expect(await titles('envs/prod.yaml')).toEqual([
        'Change files',
        'Initial commit',
      ]);
    });

    it('is changed by no token that may only read', async () => {
      const refusal = {
        status: 403,
        body: { error: 'insufficient_scope', scope: 'api' },
      };
      const writes: [string, string][] = [
        ['POST', '/repository/commits'],
        ['POST', '/repository/files/a.md'],
        ['PUT', '/repository/files/README.md'],
        ['DELETE', '/repository/files/README.md'],
        ['POST', '/repository/branches'],
        ['DELETE', '/repository/branches/main'],
        ['POST', '/repository/tags'],
        ['POST', '/protected_branches'],
        ['DELETE', '/protected_branches/main'],
        ['POST', '/protected_tags'],
        ['DELETE', '/protected_tags/v*'],
        ['POST', '/merge_requests'],
        ['PUT', '/merge_requests/1/merge'],
      ];
      for (const [method, path] of writes) {
        expect(
          await call(method, path, { token: READER, body: {} }),
        ).toMatchObject(refusal);
      }
      expect(
        (await call('GET', '/repository/tree', { token: READER })).status,
      ).toBe(200);
    });
  });

  describe('branches and tags', () => {
    it('finds branches by what their names begin or end with', async () => {
      const branches = ['feature/cart', 'feature/till', 'fix/feature'];
      for (const branch of branches) {
        await api().Branches.create(PROJECT, branch, 'main');
      }
      const found = async (search: string) =>
        (await api().Branches.all(PROJECT, { search })).map(({ name }) => name);
      expect(await found('feature')).toEqual(branches);
      expect(await found('^Feature')).toEqual(['feature/cart', 'feature/till']);
      expect(await found('feature$')).toEqual(['fix/feature']);
      expect(await found('^feature/cart$')).toEqual(['feature/cart']);
      expect(await found('^cart')).toEqual([]);
    });

    it('refuses a branch in the words of GitLab', async () => {
      const create = async (branch: string, ref: string) =>
        (await call('POST', '/repository/branches', { body: { branch, ref } }))
          .body;
      expect(await create('main', 'main')).toEqual({
        message: 'Branch already exists',
      });
      expect(await create('new', 'missing')).toEqual({
        message: 'Invalid reference name: missing',
      });
      expect(await create('not a name', 'main')).toEqual({
        message: 'Branch name is invalid',
      });
      expect(await create('new', '')).toEqual({ error: 'ref is missing' });
    });

    it('deletes a branch, and neither the default nor a protected one', async () => {
      await api().Branches.create(PROJECT, 'feature', 'main');
      await api().Branches.create(PROJECT, 'release/1', 'main');
      await api().ProtectedBranches.create(PROJECT, 'release/*');
      await api().Branches.remove(PROJECT, 'feature');
      expect(
        await call('DELETE', '/repository/branches/feature'),
      ).toMatchObject({
        status: 404,
        body: { message: '404 Branch Not Found' },
      });
      expect(await call('DELETE', '/repository/branches/main')).toMatchObject({
        status: 400,
        body: { message: 'The default branch of a project cannot be deleted.' },
      });
      expect(
        await call('DELETE', '/repository/branches/release%2F1'),
      ).toMatchObject({
        status: 403,
        body: { message: 'Protected branch cant be removed' },
      });
    });

    it('lets nobody push to a branch or pattern that is closed, until it is open again', async () => {
      const branches = api().ProtectedBranches;
      expect(
        await branches.create(PROJECT, 'release/*', {
          pushAccessLevel: 0,
          mergeAccessLevel: 40,
        }),
      ).toMatchObject({
        name: 'release/*',
        push_access_levels: [
          { access_level: 0, access_level_description: 'No one' },
        ],
        merge_access_levels: [{ access_level: 40 }],
      });
      await api().Branches.create(PROJECT, 'release/1', 'main');
      expect(await api().Branches.show(PROJECT, 'release/1')).toMatchObject({
        protected: true,
      });
      expect(await update('release/1', 'README.md', '')).toMatchObject({
        status: 403,
        body: {
          message:
            '403 Forbidden - You are not allowed to push into this branch',
        },
      });
      expect(
        await call('POST', '/repository/files/a.md', {
          body: { branch: 'release/1', commit_message: 'Add', content: '' },
        }),
      ).toMatchObject({
        status: 400,
        body: { message: 'You are not allowed to push into this branch' },
      });
      expect(
        await call('POST', '/protected_branches', {
          body: { name: 'release/*' },
        }),
      ).toMatchObject({
        status: 409,
        body: { message: "Protected branch 'release/*' already exists" },
      });
      // The most lenient of those that mean a branch decides.
      await branches.create(PROJECT, 'release/1');
      expect((await update('release/1', 'README.md', '')).status).toBe(201);
      await call('DELETE', '/protected_branches/release%2F1');
      expect((await update('release/1', 'README.md', 'x')).status).toBe(403);
      await call('DELETE', '/protected_branches/release%2F*');
      expect((await update('release/1', 'README.md', 'x')).status).toBe(201);
      expect(
        (await call('DELETE', '/protected_branches/release%2F*')).status,
      ).toBe(404);
      expect(
        await call('POST', '/protected_branches', {
          body: { name: 'x', push_access_level: 7 },
        }),
      ).toMatchObject({
        status: 400,
        body: { error: 'push_access_level does not have a valid value' },
      });
    });

    it('merges into a branch that nobody may push to, and into none that nobody may merge into', async () => {
      await call('DELETE', '/protected_branches/main');
      await api().ProtectedBranches.create(PROJECT, 'main', {
        pushAccessLevel: 0,
        mergeAccessLevel: 0,
      });
      await commit({
        branch: 'feature',
        start_branch: 'main',
        actions: [{ action: 'create', file_path: 'a', content: '' }],
      });
      const { iid } = await open('feature');
      expect((await call('PUT', `/merge_requests/${iid}/merge`)).status).toBe(
        401,
      );
      state.protectBranch({
        project: PROJECT,
        branch: 'main',
        push: 0,
        merge: 30,
      });
      expect((await call('PUT', `/merge_requests/${iid}/merge`)).status).toBe(
        200,
      );
    });

    it('tags once, and nothing that a protected pattern keeps from everybody', async () => {
      const { Tags: tags, ProtectedTags: protectedTags } = api();
      const head = state.project(PROJECT).branches.get('main');
      expect(await tags.create(PROJECT, 'v1.0.0', 'main')).toMatchObject({
        name: 'v1.0.0',
        target: head,
        protected: false,
      });
      const create = (name: string, ref = 'main') =>
        call('POST', '/repository/tags', { body: { tag_name: name, ref } });
      expect(await create('v1.0.0')).toMatchObject({
        status: 400,
        body: { message: 'Tag v1.0.0 already exists' },
      });
      expect(await create('v1.0.1', 'missing')).toMatchObject({
        status: 400,
        body: { message: 'Target missing is invalid' },
      });
      await protectedTags.create(PROJECT, 'v*', { createAccessLevel: 0 });
      expect(await create('v1.0.1')).toMatchObject({
        status: 403,
        body: {
          message: 'You are not allowed to create this tag as it is protected.',
        },
      });
      expect((await create('dev-v1')).status).toBe(201);
      await protectedTags.create(PROJECT, 'v2*');
      expect((await create('v2.0.0')).status).toBe(201);
      expect(
        (await tags.all(PROJECT, { search: '^v' })).map(
          tag => `${tag.name} ${tag.protected}`,
        ),
      ).toEqual(['v2.0.0 true', 'v1.0.0 true']);
      expect(await protectedTags.all(PROJECT)).toMatchObject([
        { name: 'v*', create_access_levels: [{ access_level: 0 }] },
        { name: 'v2*', create_access_levels: [{ access_level: 40 }] },
      ]);
    });

    it('tells a branch from a tag of the same name', async () => {
      await api().Tags.create(PROJECT, 'stable', 'main');
      const tagged = state.project(PROJECT).tags.get('stable');
      const { body: newer } = await update('main', 'README.md', 'new');
      await api().Branches.create(PROJECT, 'stable', 'main');
      await api().Tags.create(PROJECT, 'only-tag', 'main');
      const shown = async (revision: string) =>
        (
          await call(
            'GET',
            `/repository/commits/${encodeURIComponent(revision)}`,
          )
        ).body.id;
      expect(await shown('refs/tags/stable')).toBe(tagged);
      expect(await shown('refs/heads/stable')).toBe(newer.id);
      expect(await shown('refs/tags/only-tag')).toBe(newer.id);
      expect(await shown('refs/heads/only-tag')).toBeUndefined();
      expect(await shown('refs/tags/main')).toBeUndefined();
    });
  });

  describe('listing commits', () => {
    const titles = async (reference: string, path?: string) => {
      const query = new URLSearchParams({
        ref_name: reference,
        ...(path !== undefined && { path }),
      });
      const { status, body } = await call(
        'GET',
        `/repository/commits?${query}`,
      );
      expect(status).toBe(200);
      return body.map(({ title }: { title: string }) => title);
    };
    const add = (branch: string, title: string, path: string) =>
      commit({
        branch,
        commit_message: title,
        actions: [{ action: 'create', file_path: path, content: title }],
      });

    beforeEach(async () => {
      state.tag({ project: PROJECT, name: 'v1' });
      await add('main', 'One', 'services/shop/one');
      await add('main', 'Two', 'services/shopping/two');
      state.addBranch({
        project: PROJECT,
        branch: 'feature/side',
        revision: 'v1',
      });
      await add('feature/side', 'Side', 'services/shop/side');
      const { iid } = await open('feature/side');
      await api().MergeRequests.merge(PROJECT, iid);
      state.tag({ project: PROJECT, name: 'v2' });
      await add('main', 'Three', 'services/shop/three');
    });

    it('lists of a range what the second has and the first lacks', async () => {
      const between = await titles('v1..v2');
      expect([...between].sort()).toEqual([
        "Merge branch 'feature/side' into 'main'",
        'One',
        'Side',
        'Two',
      ]);
      expect(between[0]).toMatch(/^Merge branch/);
      expect(await titles('v2..main')).toEqual(['Three']);
      expect(await titles('v2..')).toEqual(['Three']);
      expect(await titles('v2..v1')).toEqual([]);
      expect(await titles('v1..v1')).toEqual([]);
      const shas = ['v1', 'v2'].map(tag =>
        state.project(PROJECT).tags.get(tag),
      );
      expect(await titles(shas.join('..'))).toEqual(between);
    });

    it('lists of three dots what either has and the other lacks', async () => {
      state.addBranch({ project: PROJECT, branch: 'more', revision: 'v2' });
      await add('more', 'More', 'services/shop/more');
      expect(await titles('main..more')).toEqual(['More']);
      expect(await titles('main...more')).toEqual(['More', 'Three']);
    });

    it.each(['services/shop', 'services/shop/'])(
      'lists of a range what changes a path and what is below it: %s',
      async path => {
        // As in Git, with a merge that is like neither of its sides.
        expect((await titles('v1..v2', path)).sort()).toEqual([
          "Merge branch 'feature/side' into 'main'",
          'One',
          'Side',
        ]);
        expect(await titles('v2..main', path)).toEqual(['Three']);
      },
    );

    it('lists nothing of a range with a side that does not exist', async () => {
      expect(await titles('v1..v9')).toEqual([]);
      expect(await titles('v9..v1')).toEqual([]);
    });
  });

  describe('comparing and packing', () => {
    it('compares from where two branches parted, the oldest commit first', async () => {
      await commit({
        branch: 'feature',
        start_branch: 'main',
        commit_message: 'One',
        actions: [{ action: 'create', file_path: 'one', content: '1' }],
      });
      await commit({
        branch: 'feature',
        commit_message: 'Two',
        actions: [{ action: 'create', file_path: 'two', content: '2' }],
      });
      await update('main', 'README.md', 'new');
      const compared = async (from: string, to: string, straight = false) => {
        const { commits = [], diffs = [] } = await api().Repositories.compare(
          PROJECT,
          from,
          to,
          { straight },
        );
        return {
          commits: commits.map(({ title }) => title),
          paths: diffs.map(({ new_path: path }) => path),
        };
      };
      expect(await compared('main', 'feature')).toEqual({
        commits: ['One', 'Two'],
        paths: ['one', 'two'],
      });
      expect(await compared('main', 'feature', true)).toEqual({
        commits: ['One', 'Two'],
        paths: ['README.md', 'one', 'two'],
      });
      expect(await compared('feature', 'main')).toEqual({
        commits: ['Change files'],
        paths: ['README.md'],
      });
      expect(
        await call('GET', '/repository/compare?from=main&to=missing'),
      ).toMatchObject({ status: 404, body: { message: '404 Ref Not Found' } });
    });

    it('counts the commits of both sides of a merge once', async () => {
      await commit({
        branch: 'feature',
        start_branch: 'main',
        commit_message: 'Feature',
        actions: [{ action: 'create', file_path: 'one', content: '1' }],
      });
      await api().Tags.create(PROJECT, 'before', 'main');
      await update('main', 'README.md', 'new');
      const { iid } = await open('feature');
      await api().MergeRequests.merge(PROJECT, iid);
      const { commits = [] } = await api().Repositories.compare(
        PROJECT,
        'before',
        'main',
      );
      expect(commits.map(({ title }) => title).sort()).toEqual([
        'Change files',
        'Feature',
        "Merge branch 'feature' into 'main'",
      ]);
      expect(commits.at(-1)?.title).toContain('Merge branch');
    });

    describe('an archive', () => {
      let folder: string;

      beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), 'archive-'));
      });

      afterEach(async () => {
        await rm(folder, { recursive: true, force: true });
      });

      const unpack = async (query: string) => {
        const response = await fetch(
          `${server.url}/api/v4/projects/shop%2Fcheckout/repository/archive.tar.gz${query}`,
          { headers: { 'private-token': READER } },
        );
        const file = join(folder, 'archive.tar.gz');
        await writeFile(file, Buffer.from(await response.arrayBuffer()));
        await promisify(execFile)('tar', ['-xzf', file, '-C', folder]);
        await rm(file);
        const [top] = await readdir(folder);
        const below = await readdir(join(folder, top), {
          recursive: true,
          withFileTypes: true,
        });
        const paths = below
          .filter(entry => entry.isFile())
          .map(entry => join(entry.parentPath, entry.name))
          .map(path => path.slice(join(folder, top).length + 1))
          .sort();
        return { top, paths };
      };

      it('holds all files below one folder', async () => {
        const { top, paths } = await unpack('?sha=main');
        const sha = state.project(PROJECT).branches.get('main');
        expect(top).toBe(`checkout-main-${sha}`);
        expect(paths).toEqual(Object.keys(FILES).sort());
        expect(await readFile(join(folder, top, 'README.md'), 'utf8')).toBe(
          'Checkout\n',
        );
      });

      it('holds one folder only, at its place', async () => {
        const { top, paths } = await unpack('?path=chart/templates');
        expect(top).toMatch(/^checkout-main-[0-9a-f]{40}-chart-templates$/);
        expect(paths).toEqual(['chart/templates/web.yaml']);
      });

      it('is of a revision that exists', async () => {
        expect(
          await call('GET', '/repository/archive?sha=missing'),
        ).toMatchObject({
          status: 404,
          body: { message: '404 File Not Found' },
        });
      });
    });
  });

  describe('merge requests', () => {
    const branchWith = (branch: string, path: string, content: string) =>
      commit({
        branch,
        start_branch: 'main',
        actions: [{ action: 'update', file_path: path, content }],
      });

    it('bring their files to the target, and their commits know them', async () => {
      const { body: work } = await branchWith('feature', 'README.md', 'New\n');
      const { iid } = await open('feature');
      const shown = await api().MergeRequests.show(PROJECT, iid);
      expect(shown).toMatchObject({
        sha: work.id,
        has_conflicts: false,
        detailed_merge_status: 'mergeable',
        changes_count: '1',
      });
      expect(await api().MergeRequests.allDiffs(PROJECT, iid)).toMatchObject([
        {
          new_path: 'README.md',
          diff: '@@ -1,1 +1,1 @@\n-Checkout\n+New\n',
        },
      ]);
      expect(
        await call('PUT', `/merge_requests/${iid}/merge`, {
          body: { sha: 'f'.repeat(40) },
        }),
      ).toMatchObject({
        status: 409,
        body: { message: 'SHA does not match HEAD of source branch' },
      });
      const merged = await api().MergeRequests.merge(PROJECT, iid, {
        sha: work.id,
      });
      expect(merged.state).toBe('merged');
      expect(await text('README.md')).toBe('New\n');
      expect(state.project(PROJECT).branches.has('feature')).toBe(false);
      for (const sha of [work.id, String(merged.merge_commit_sha)]) {
        expect(
          (await api().Commits.allMergeRequests(PROJECT, sha)).map(
            found => found.iid,
          ),
        ).toEqual([iid]);
      }
      const first = (await api().Commits.all(PROJECT)).at(-1);
      expect(
        await api().Commits.allMergeRequests(PROJECT, String(first?.id)),
      ).toEqual([]);
      expect((await call('PUT', `/merge_requests/${iid}/merge`)).status).toBe(
        405,
      );
    });

    it('say that they conflict, in lists too, and are not merged then', async () => {
      await branchWith('feature', 'README.md', 'Ours\n');
      const { iid } = await open('feature');
      await update('main', 'README.md', 'Theirs\n');
      const conflict = {
        has_conflicts: true,
        detailed_merge_status: 'conflict',
        merge_status: 'cannot_be_merged',
      };
      expect(await api().MergeRequests.show(PROJECT, iid)).toMatchObject(
        conflict,
      );
      expect(
        await api().MergeRequests.all({ projectId: PROJECT }),
      ).toMatchObject([conflict]);
      expect(await call('PUT', `/merge_requests/${iid}/merge`)).toMatchObject({
        status: 422,
        body: { message: 'Branch cannot be merged' },
      });
      expect(await text('README.md')).toBe('Theirs\n');
      // To write the same ends the conflict.
      await update('feature', 'README.md', 'Theirs\n');
      expect(await api().MergeRequests.show(PROJECT, iid)).toMatchObject({
        has_conflicts: false,
      });
    });

    it('are not merged as drafts', async () => {
      await branchWith('feature', 'README.md', 'New\n');
      const { iid } = await api().MergeRequests.create(
        PROJECT,
        'feature',
        'main',
        'Draft: Rework',
      );
      expect((await call('PUT', `/merge_requests/${iid}/merge`)).status).toBe(
        405,
      );
    });

    it('are judged from what the branch took in last', async () => {
      await branchWith('feature', 'envs/prod.yaml', 'tag: v9\n');
      const { iid } = await open('feature');
      const { body: taken } = await update('main', 'README.md', 'Main\n');
      const back = await open('main', 'feature');
      await api().MergeRequests.merge(PROJECT, back.iid);
      expect(state.project(PROJECT).branches.get('main')).toBe(taken.id);
      expect(await text('README.md', 'feature')).toBe('Main\n');
      // Both sides changed this since the merge request was opened, but one after the other.
      await update('feature', 'README.md', 'Feature\n');
      const shown = await api().MergeRequests.show(PROJECT, iid);
      expect(shown).toMatchObject({
        sha: state.project(PROJECT).branches.get('feature'),
        has_conflicts: false,
        diff_refs: { base_sha: taken.id },
      });
      expect(
        (await api().MergeRequests.allDiffs(PROJECT, iid)).map(
          ({ new_path: path }) => path,
        ),
      ).toEqual(['README.md', 'envs/prod.yaml']);
      expect(
        (await api().MergeRequests.allCommits(PROJECT, iid)).map(
          ({ title }) => title,
        ),
      ).toEqual([
        'Change files',
        "Merge branch 'main' into 'feature'",
        'Change files',
      ]);
      await api().MergeRequests.merge(PROJECT, iid);
      expect(await text('README.md')).toBe('Feature\n');
      expect(await text('envs/prod.yaml')).toBe('tag: v9\n');
    });

    it('from a fork bring all commits of its history', async () => {
      const fork = state.openMergeRequest({
        project: PROJECT,
        sourceBranch: 'feature',
        title: 'From a fork',
        author: 'dev1',
        fork: true,
      });
      const source = state.project(fork.sourceProjectId);
      const add = (branch: string, path: string, startBranch?: string) =>
        state.commit({
          project: source.id,
          branch,
          startBranch,
          message: `Add ${path}`,
          actions: [{ action: 'create', path, content: '' }],
        });
      const side = add('side', 'side', 'feature');
      add('feature', 'straight');
      const inner = state.openMergeRequest({
        project: source.id,
        sourceBranch: 'side',
        targetBranch: 'feature',
        title: 'Side',
        author: 'dev1',
      });
      state.merge({ project: source.id, iid: inner.iid });
      const { iid } = fork;
      await api().MergeRequests.merge(PROJECT, iid);
      expect(await text('side')).toBe('');
      expect((await api().Commits.all(PROJECT)).map(({ id }) => id)).toContain(
        side.sha,
      );
    });

    it('whose files are those of the target walk no history', async () => {
      const project = state.project(PROJECT);
      for (let count = 0; count < 50; count++) {
        state.openMergeRequest({
          project: PROJECT,
          sourceBranch: `branch-${count}`,
          title: 'Change',
          author: 'dev1',
        });
      }
      await update('main', 'README.md', 'New\n');
      const heads = [...project.mergeRequests.values()].map(({ sha }) => sha);
      const reads: string[] = [];
      const readCommit = project.commits.get.bind(project.commits);
      jest.spyOn(project.commits, 'get').mockImplementation(sha => {
        reads.push(sha);
        return readCommit(sha);
      });
      const listed = await api().MergeRequests.all({ projectId: PROJECT });
      expect(listed).toHaveLength(heads.length);
      expect(reads).toHaveLength(3 * heads.length);
    });
  });
});
