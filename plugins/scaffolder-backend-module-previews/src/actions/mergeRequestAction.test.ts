import { createMockDirectory } from '@backstage/backend-test-utils';
import { FakeGitLab, type FakeProject } from '../__testUtils__/FakeGitLab';
import { integrationsOf } from '../__testUtils__/integrations';
import { runAction } from '../__testUtils__/runAction';
import { createMergeRequestAction } from './mergeRequestAction';

const workspace = createMockDirectory();
const branchName = 'previews/onboard-shop-0a1b2c3d';

describe('previews:gitlab:merge-request', () => {
  let gitlab: FakeGitLab;
  let project: FakeProject;

  beforeAll(async () => {
    gitlab = await FakeGitLab.listen();
  });
  afterAll(() => gitlab.close());
  beforeEach(() => {
    gitlab.reset();
    project = gitlab.addProject({
      id: 7,
      path: 'platform/gitops',
      files: { 'README.md': 'read me', 'a.yaml': 'a: 1\n' },
    });
    workspace.setContent({
      gitops: { 'a.yaml': 'a: 2\n', folder: { 'b.yaml': 'b: ü\n' } },
      elsewhere: { 'c.yaml': 'c: 1\n' },
    });
  });

  function open(
    more: object = {},
    options: { isDryRun?: boolean; integrations?: any } = {},
  ) {
    const { integrations = integrationsOf([gitlab.integration]), isDryRun } =
      options;
    return runAction({
      action: createMergeRequestAction({ integrations }),
      workspacePath: workspace.path,
      isDryRun,
      input: {
        repoUrl: `${gitlab.host}?owner=platform&repo=gitops`,
        sourcePath: 'gitops',
        branchName,
        title: 'Previews for shop',
        description: 'What it is.',
        ...more,
      },
    });
  }

  const url = (iid: number) =>
    `http://${gitlab.host}/platform/gitops/-/merge_requests/${iid}`;
  const wanted = {
    'README.md': 'read me',
    'a.yaml': 'a: 2\n',
    'folder/b.yaml': 'b: ü\n',
  };
  const commits = () =>
    gitlab.calls.filter(
      ({ method, path }) => method === 'POST' && path.endsWith('/commits'),
    );

  it('opens one with what is new or differs, and with nothing else', async () => {
    expect(await open()).toEqual({
      outcome: 'opened',
      mergeRequestUrl: url(1),
      mergeRequestIid: 1,
      branchName,
      superseded: [],
      summary: 'Opened the merge request !1 of 2 files in platform/gitops',
    });
    expect(project.refs.get(branchName)).toEqual(wanted);
    expect(project.refs.get('main')).toEqual({
      'README.md': 'read me',
      'a.yaml': 'a: 1\n',
    });
    expect(commits()[0].body).toMatchObject({
      branch: branchName,
      start_branch: 'main',
      commit_message: 'Previews for shop',
      actions: [
        { action: 'update', file_path: 'a.yaml', encoding: 'base64' },
        { action: 'create', file_path: 'folder/b.yaml', encoding: 'base64' },
      ],
    });
    expect(project.mergeRequests).toEqual([
      expect.objectContaining({
        source_branch: branchName,
        target_branch: 'main',
        title: 'Previews for shop',
        description: 'What it is.',
        remove_source_branch: true,
      }),
    ]);
  });

  it('publishes what a .gitignore of the folder hides', async () => {
    workspace.setContent({
      gitops: { '.gitignore': 'a.yaml\n', 'a.yaml': '' },
    });
    await open();
    expect(project.refs.get(branchName)).toHaveProperty(['a.yaml'], '');
  });

  it('opens none where the repository has all of it', async () => {
    project.refs.set('main', wanted);
    expect(await open()).toEqual({
      outcome: 'none',
      mergeRequestUrl: undefined,
      mergeRequestIid: undefined,
      branchName,
      superseded: [],
      summary:
        'platform/gitops has all of it already, so there is no merge request to open',
    });
    expect(gitlab.writes).toEqual([]);
  });

  it('hands back the one that is open for the same content, and writes nothing', async () => {
    await open();
    gitlab.calls.length = 0;
    expect(await open()).toMatchObject({
      outcome: 'found',
      mergeRequestUrl: url(1),
      summary:
        'The merge request !1 of platform/gitops is open and has this already',
    });
    expect(gitlab.writes).toEqual([]);
  });

  it('hands back one that is being merged', async () => {
    await open();
    project.mergeRequests[0].state = 'locked';
    expect(await open()).toMatchObject({ outcome: 'found' });
  });

  it('does not take the merge request of a fork for its own', async () => {
    gitlab.addMergeRequest(project, {
      source_branch: branchName,
      source_project_id: 99,
    });
    expect(await open()).toMatchObject({
      outcome: 'opened',
      mergeRequestUrl: url(2),
    });
  });

  it('says of other content that it proposes an update, and of what', async () => {
    await open({ branchName: 'previews/onboard-shop-11111111' });
    // Other services, purposes, targets and forks are none of it.
    for (const more of [
      { source_branch: 'previews/onboard-shop-a-22222222' },
      { source_branch: 'previews/promote-shop-22222222' },
      { source_branch: 'previews/onboard-shop-22222222', target_branch: 'x' },
      { source_branch: 'previews/onboard-shop-22222222', source_project_id: 9 },
      {
        source_branch: 'previews/onboard-shop-33333333',
        state: 'closed' as const,
      },
    ]) {
      gitlab.addMergeRequest(project, more);
    }
    expect(await open()).toMatchObject({
      outcome: 'opened',
      superseded: [url(1)],
      summary: expect.stringContaining('as an update of !1'),
    });
    expect(project.mergeRequests.at(-1)!.description).toBe(
      'What it is.\n\nIt proposes an update: !1 was opened for other answers, and can be closed where this one is wanted.',
    );
    expect(project.mergeRequests[0].state).toBe('opened');
  });

  it('names several that it updates, and none where that is not wanted', async () => {
    gitlab.addMergeRequest(project, {
      source_branch: 'previews/onboard-shop-11111111',
    });
    gitlab.addMergeRequest(project, {
      source_branch: 'previews/onboard-shop-22222222-2',
    });
    expect((await open({ namesSuperseded: false })).superseded).toEqual([]);
    expect(project.mergeRequests.at(-1)!.description).toBe('What it is.');
    project.mergeRequests.pop();
    project.refs.delete(branchName);
    await open();
    expect(project.mergeRequests.at(-1)!.description).toContain(
      '!2, !1 were opened for other answers',
    );
  });

  it('opens one that was closed again, with the texts of today', async () => {
    await open({ title: 'Before' });
    project.mergeRequests[0].state = 'closed';
    expect(await open()).toMatchObject({
      outcome: 'reopened',
      mergeRequestUrl: url(1),
      summary: 'Reopened the merge request !1 of platform/gitops with 2 files',
    });
    expect(project.mergeRequests).toEqual([
      expect.objectContaining({ state: 'opened', title: 'Previews for shop' }),
    ]);
    expect(commits()).toHaveLength(1);
  });

  it('opens a new one where the branch of the closed one is gone', async () => {
    await open();
    project.mergeRequests[0].state = 'closed';
    project.refs.delete(branchName);
    expect(await open()).toMatchObject({
      outcome: 'opened',
      mergeRequestUrl: url(2),
    });
  });

  it('takes a branch of its own for what was merged and undone since', async () => {
    await open();
    project.mergeRequests[0].state = 'merged';
    expect(await open()).toMatchObject({
      outcome: 'opened',
      branchName: `${branchName}-2`,
      mergeRequestUrl: url(2),
    });
    // The same again: that one is open.
    expect(await open()).toMatchObject({
      outcome: 'found',
      branchName: `${branchName}-2`,
    });
  });

  it('takes the branch again where it was deleted with the merge', async () => {
    await open();
    project.mergeRequests[0].state = 'merged';
    project.refs.delete(branchName);
    expect(await open()).toMatchObject({ outcome: 'opened', branchName });
  });

  it('opens the merge request of a branch that an attempt left without one', async () => {
    gitlab.fault = ({ method, path }) =>
      method === 'POST' && path.endsWith('/merge_requests')
        ? { status: 500, body: {} }
        : undefined;
    await expect(open()).rejects.toThrow(
      `could not open a merge request of branch ${branchName} of platform/gitops (500); try again later`,
    );
    expect(project.mergeRequests).toEqual([]);
    gitlab.fault = () => undefined;
    expect(await open()).toMatchObject({
      outcome: 'opened',
      mergeRequestUrl: url(1),
    });
    expect(commits()).toHaveLength(1);
  });

  it('adds what a branch of that name lacks, and takes nothing from it', async () => {
    project.refs.set(branchName, {
      ...project.refs.get('main'),
      'mine.txt': 'x',
      'a.yaml': 'a: 2\n',
    });
    await open();
    expect(project.refs.get(branchName)).toEqual({
      ...wanted,
      'mine.txt': 'x',
    });
    expect(commits()[0].body).not.toHaveProperty('start_branch');
    expect(commits()[0].body.actions).toHaveLength(1);
  });

  it('goes on where another attempt made the branch at the same time', async () => {
    gitlab.fault = ({ method, path }) => {
      if (method === 'POST' && path.endsWith('/commits')) {
        gitlab.fault = () => undefined;
        project.refs.set(branchName, wanted);
      }
      return undefined;
    };
    expect(await open()).toMatchObject({ outcome: 'opened' });
    expect(project.refs.get(branchName)).toEqual(wanted);
  });

  it('hands back the one that another attempt opened at the same time', async () => {
    gitlab.fault = ({ method, path }) => {
      if (method === 'POST' && path.endsWith('/merge_requests')) {
        gitlab.fault = () => undefined;
        gitlab.addMergeRequest(project, { source_branch: branchName });
      }
      return undefined;
    };
    expect(await open()).toMatchObject({ mergeRequestUrl: url(1) });
    expect(project.mergeRequests).toHaveLength(1);
  });

  it('stops after many that were merged and kept their branches', async () => {
    for (let number = 1; number <= 9; number += 1) {
      const source = number === 1 ? branchName : `${branchName}-${number}`;
      project.refs.set(source, {});
      gitlab.addMergeRequest(project, {
        source_branch: source,
        state: 'merged',
      });
    }
    await expect(open()).rejects.toThrow(
      `platform/gitops has 9 branches called ${branchName} whose merge requests were merged: delete them`,
    );
    expect(gitlab.writes).toEqual([]);
  });

  it('writes nothing in a dry run, and says what it would do', async () => {
    gitlab.addMergeRequest(project, {
      source_branch: 'previews/onboard-shop-11111111',
    });
    expect(await open({}, { isDryRun: true })).toMatchObject({
      outcome: 'opened',
      mergeRequestUrl: undefined,
      summary: `Would open a merge request of 2 files from ${branchName} in platform/gitops, as an update of !1`,
    });
    project.refs.set(branchName, wanted);
    gitlab.addMergeRequest(project, {
      source_branch: branchName,
      state: 'closed',
    });
    expect(await open({}, { isDryRun: true })).toMatchObject({
      outcome: 'reopened',
      mergeRequestUrl: url(2),
      summary:
        'Would reopen the merge request !2 of platform/gitops with 2 files, as an update of !1',
    });
    expect(gitlab.writes).toEqual([]);
  });

  it('proposes to the branch that it is told', async () => {
    project.refs.set('release/x', {});
    await open({ targetBranchName: 'release/x' });
    expect(project.mergeRequests[0].target_branch).toBe('release/x');
  });

  it('asks as the person who signed in, else as the portal', async () => {
    await open({ token: 'of-the-person' });
    expect(gitlab.calls.map(({ headers }) => headers.authorization)).toEqual(
      gitlab.calls.map(() => 'Bearer of-the-person'),
    );
    expect(gitlab.calls[0].headers['private-token']).toBeUndefined();
    gitlab.calls.length = 0;
    await open();
    expect(gitlab.calls[0].headers['private-token']).toBe('of-the-portal');
  });

  it('keeps what somebody else wrote on one line of the title', async () => {
    await open({ title: 'Previews\nfor \u202eshop' });
    expect(project.mergeRequests[0].title).toBe('Previews for shop');
  });

  const refused: [string, object, string][] = [
    [
      'a folder that no step made',
      { sourcePath: 'none' },
      'The workspace has no folder none',
    ],
    [
      'a folder outside of the workspace',
      { sourcePath: '../other' },
      'Relative path is not allowed',
    ],
    [
      'a host that the portal is not integrated with',
      { repoUrl: 'evil.example.com?owner=platform&repo=gitops' },
      'evil.example.com is not among integrations.gitlab of this portal',
    ],
    [
      'what is no repository',
      { repoUrl: 'gitlab.example.com' },
      '"gitlab.example.com" is no repository such as',
    ],
  ];
  it.each(refused)('refuses %s', async (_, more, message) => {
    await expect(open(more)).rejects.toThrow(message);
    expect(gitlab.writes).toEqual([]);
  });

  it('refuses a project that is not there, or that nobody may see', async () => {
    gitlab.projects.length = 0;
    await expect(open()).rejects.toThrow(
      `${gitlab.host} found nothing when asked to read project platform/gitops (404): it is not there, or the portal may not see it`,
    );
  });

  const denied: [number, string, string][] = [
    [401, 'of-the-person', 'takes your sign-in no more: sign in to GitLab'],
    [401, '', 'does not take the credentials of the portal (401)'],
    [
      403,
      'of-the-person',
      'does not let your account commit to branch previews/onboard-shop-0a1b2c3d of platform/gitops (403: no)',
    ],
    [403, '', 'does not let the portal commit'],
    [422, '', 'refused to commit'],
  ];
  it.each(denied)(
    'tells what GitLab answers with %s to "%s"',
    async (status, token, message) => {
      gitlab.fault = ({ method }) =>
        method === 'POST' ? { status, body: { message: 'no' } } : undefined;
      const failure = open(token ? { token } : {});
      await expect(failure).rejects.toThrow(message);
      await expect(failure).rejects.not.toThrow('of-the-person');
    },
  );

  it('tells that a GitLab without token cannot be asked', async () => {
    const { token: _, ...integration } = gitlab.integration;
    await expect(
      open({}, { integrations: integrationsOf([integration]) }),
    ).rejects.toThrow(
      `The portal has no credentials for ${gitlab.host}: sign in to GitLab in the form`,
    );
  });

  it('tells that GitLab did not answer', async () => {
    const integrations = integrationsOf([
      {
        ...gitlab.integration,
        apiBaseUrl: 'http://127.0.0.1:1/api/v4',
      },
    ]);
    await expect(open({}, { integrations })).rejects.toThrow(
      `${gitlab.host} did not answer when asked to read project platform/gitops; try again later`,
    );
  });
});
