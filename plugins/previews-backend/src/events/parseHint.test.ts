import { parseGitLabHint, parseRefreshHint } from './parseHint';

const project = {
  id: 101,
  web_url: 'https://GitLab.example.com:8443/gitlab/shop/web',
};
const host = 'gitlab.example.com:8443';
const SHA = 'ab'.repeat(20);

describe('parseGitLabHint', () => {
  it.each<[string, unknown, unknown]>([
    [
      'an MR',
      {
        object_kind: 'merge_request',
        project,
        object_attributes: { iid: 7, target_project_id: 101 },
      },
      { host, projectId: 101, iid: 7 },
    ],
    [
      'an MR from a fork, by its target project',
      {
        object_kind: 'merge_request',
        project,
        object_attributes: {
          iid: 7,
          source_project_id: 202,
          target_project_id: 101,
        },
      },
      { host, projectId: 101, iid: 7 },
    ],
    [
      'an MR without its target, by the project',
      { object_kind: 'merge_request', project, object_attributes: { iid: 7 } },
      { host, projectId: 101, iid: 7 },
    ],
    [
      'a pipeline of an MR',
      {
        object_kind: 'pipeline',
        project: { ...project, id: 202 },
        merge_request: { iid: 7, target_project_id: 101 },
      },
      { host, projectId: 101, iid: 7 },
    ],
    [
      'a pipeline of a branch, by what it builds',
      {
        object_kind: 'pipeline',
        project,
        object_attributes: { ref: 'feature/cart', sha: SHA, tag: false },
        merge_request: null,
      },
      { host, projectId: 101, built: { sha: SHA, branch: 'feature/cart' } },
    ],
    [
      'a pipeline of a tag, by its commit alone',
      {
        object_kind: 'pipeline',
        project,
        object_attributes: { ref: 'v1', sha: SHA, tag: true },
      },
      { host, projectId: 101, built: { sha: SHA } },
    ],
    [
      'a pipeline of a branch with a commit of no form',
      {
        object_kind: 'pipeline',
        project,
        object_attributes: { ref: 'main', sha: '<b>' },
      },
      { host, projectId: 101, built: { branch: 'main' } },
    ],
    ...['approved', 'approval', 'unapproved', 'unapproval'].map(
      (action): [string, unknown, unknown] => [
        `an MR that is ${action}`,
        {
          object_kind: 'merge_request',
          project,
          object_attributes: { iid: 7, target_project_id: 101, action },
        },
        { host, projectId: 101, iid: 7, approvals: true },
      ],
    ),
    [
      'an MR that is updated',
      {
        object_kind: 'merge_request',
        project,
        object_attributes: {
          iid: 7,
          target_project_id: 101,
          action: 'update',
        },
      },
      { host, projectId: 101, iid: 7 },
    ],
    ...Object.entries({
      'a state by number': { state_id: { previous: 1, current: 2 } },
      'a state by name': { state: { previous: 'opened', current: 'closed' } },
      'the flag of drafts': { draft: { previous: true, current: false } },
      'the title alone': { title: { previous: 'Draft: x', current: 'x' } },
      'a commit only': {},
      'a list': [],
      nothing: null,
    }).map(([title, changes]): [string, unknown, unknown] => [
      `an MR whatever its changes name: ${title}`,
      {
        object_kind: 'merge_request',
        project,
        object_attributes: { iid: 7, target_project_id: 101 },
        changes,
      },
      { host, projectId: 101, iid: 7 },
    ]),
  ])('reads %s', (_name, payload, expected) => {
    expect(parseGitLabHint(payload)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'merge_request'],
    ['a list', [{ object_kind: 'merge_request' }]],
    ['another kind', { object_kind: 'push', project }],
    ['no project', { object_kind: 'merge_request' }],
    [
      'a project id that is no number',
      { object_kind: 'merge_request', project: { id: '101; drop' } },
    ],
    [
      'a negative project id',
      { object_kind: 'merge_request', project: { id: -1 } },
    ],
    [
      'an unsafe project id',
      { object_kind: 'merge_request', project: { id: 2 ** 60 } },
    ],
    ['attributes that are a list', { object_kind: 'pipeline', project: [] }],
    ['a pipeline of nothing', { object_kind: 'pipeline', project }],
    [
      'a pipeline of an endless branch',
      {
        object_kind: 'pipeline',
        project,
        object_attributes: { ref: 'b'.repeat(5000) },
      },
    ],
    [
      'an MR without a number',
      {
        object_kind: 'merge_request',
        project,
        object_attributes: { iid: 'x' },
      },
    ],
  ])('takes no hint from %s', (_name, payload) => {
    expect(parseGitLabHint(payload)).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['no URL', 'shop/web'],
    ['another scheme', 'data:text/html,x'],
    ['a number', 5],
    ['an endless URL', `https://${'a'.repeat(5000)}.example.com`],
  ])('goes without a host for %s', (_name, webUrl) => {
    expect(
      parseGitLabHint({
        object_kind: 'merge_request',
        project: { id: 101, web_url: webUrl },
        object_attributes: { iid: 7 },
      }),
    ).toEqual({ projectId: 101, iid: 7 });
  });
});

describe('parseRefreshHint', () => {
  it('reads the key of a preview', () => {
    expect(parseRefreshHint({ host, projectId: 101, iid: 7 })).toEqual({
      host,
      projectId: 101,
      iid: 7,
      approvals: true,
    });
  });

  it.each([[undefined], [{}], [{ host: 5, projectId: 'x' }]])(
    'takes no hint from %j',
    payload => {
      expect(parseRefreshHint(payload)).toBeUndefined();
    },
  );
});
