/* eslint-disable no-script-url -- hostile on purpose */
import { MergeRequestFact, PipelineFact } from '../../model';
import {
  parseChangedPaths,
  parseMergeRequest,
  parsePipeline,
  parseProject,
  parseRegistryRepository,
  parseRegistryTag,
} from './gitlab';

const SHA = '1f0e2d3c4b5a69788796a5b4c3d2e1f001234567';
const host = 'gitlab.example.com';

const json = {
  id: 900,
  iid: 7,
  project_id: 42,
  title: 'Add a basket',
  state: 'opened',
  draft: false,
  source_branch: 'basket',
  target_branch: 'main',
  source_project_id: 42,
  target_project_id: 42,
  sha: SHA,
  labels: ['preview'],
  author: { id: 1, username: 'dev1', name: 'Developer One' },
  web_url: 'https://gitlab.example.com/group/shop/-/merge_requests/7',
  created_at: '2026-03-01T10:00:00.000Z',
  updated_at: '2026-03-01T11:00:00.000Z',
  merged_at: null,
  closed_at: null,
};

describe('parseMergeRequest', () => {
  it('reads an open one', () => {
    expect(parseMergeRequest(json, { host })).toEqual({
      key: { host, projectId: 42, iid: 7 },
      title: 'Add a basket',
      webUrl: 'https://gitlab.example.com/group/shop/-/merge_requests/7',
      author: { username: 'dev1', name: 'Developer One' },
      sourceBranch: 'basket',
      targetBranch: 'main',
      sourceProjectId: 42,
      fork: false,
      draft: false,
      labels: ['preview'],
      state: 'opened',
      headSha: SHA,
      createdAt: '2026-03-01T10:00:00.000Z',
      updatedAt: '2026-03-01T11:00:00.000Z',
    });
  });

  const without = (...keys: string[]) =>
    Object.fromEntries(
      Object.entries(json).filter(([key]) => !keys.includes(key)),
    );

  it.each<[string, object, Partial<MergeRequestFact>]>([
    ['a draft', { ...json, draft: true }, { draft: true }],
    [
      'a draft of an old instance',
      { ...without('draft'), work_in_progress: true },
      { draft: true },
    ],
    [
      'no draft of an old instance',
      { ...without('draft'), work_in_progress: false },
      { draft: false },
    ],
    [
      'draft, which wins over the old word',
      { ...json, draft: false, work_in_progress: true },
      { draft: false },
    ],
    [
      'a title that is no evidence',
      { ...without('draft'), title: 'Draft: x' },
      { draft: false, title: 'Draft: x' },
    ],
    [
      'a fork',
      { ...json, source_project_id: 99 },
      { fork: true, sourceProjectId: 99 },
    ],
    [
      'a fork that was deleted',
      { ...json, source_project_id: null },
      { fork: true },
    ],
    [
      'one that does not say its source project',
      without('source_project_id'),
      { fork: false },
    ],
    [
      'a merged one',
      { ...json, state: 'merged', merged_at: '2026-03-02T10:00:00Z' },
      { state: 'merged', mergedAt: '2026-03-02T10:00:00Z' },
    ],
    [
      'a closed one',
      { ...json, state: 'closed', closed_at: '2026-03-02T10:00:00+01:00' },
      { state: 'closed', closedAt: '2026-03-02T09:00:00.000Z' },
    ],
    ['a locked one', { ...json, state: 'locked' }, { state: 'locked' }],
    [
      'labels with details',
      { ...json, labels: [{ name: 'a', color: '#fff' }, 'b', 7] },
      { labels: ['a', 'b'] },
    ],
    [
      'markup in the title',
      { ...json, title: '<script>x</script>' },
      { title: '<script>x</script>' },
    ],
    [
      'a script for a URL',
      { ...json, web_url: 'javascript:alert(1)' },
      { webUrl: 'javascript:alert(1)' },
    ],
    [
      'a title without end',
      { ...json, title: 'x'.repeat(9000) },
      { title: 'x'.repeat(2000) },
    ],
    [
      'a branch of 200 characters',
      { ...json, source_branch: 'b'.repeat(200) },
      { sourceBranch: 'b'.repeat(200) },
    ],
    ['no author', without('author'), { author: { username: '' } }],
    [
      'only the time of the last change',
      without('created_at'),
      { createdAt: '2026-03-01T11:00:00.000Z' },
    ],
    [
      'a head in SHA-256',
      { ...json, sha: 'a'.repeat(64) },
      { headSha: 'a'.repeat(64) },
    ],
  ])('reads %s', (_, value, expected) => {
    expect(parseMergeRequest(value, { host })).toMatchObject(expected);
  });

  it.each([[null], [''], ['abc'], [7], ['g'.repeat(40)], [SHA.toUpperCase()]])(
    'knows no head by the SHA %p',
    sha => {
      expect(parseMergeRequest({ ...json, sha }, { host })).not.toHaveProperty(
        'headSha',
      );
    },
  );

  it.each(['iid', 'state', 'source_branch', 'target_branch'])(
    'is none without %s',
    key => {
      expect(parseMergeRequest(without(key), { host })).toBeUndefined();
    },
  );

  it('is none without any project or any time', () => {
    expect(
      parseMergeRequest(without('project_id', 'target_project_id'), { host }),
    ).toBeUndefined();
    expect(
      parseMergeRequest(without('created_at', 'updated_at'), { host }),
    ).toBeUndefined();
  });

  it('is none in a state that GitLab does not have', () => {
    expect(
      parseMergeRequest({ ...json, state: 'all' }, { host }),
    ).toBeUndefined();
  });
});

describe('parsePipeline', () => {
  const pipeline = { id: 1, iid: 2, sha: SHA, ref: 'main', status: 'running' };

  it.each<[string, object, Partial<PipelineFact>]>([
    [
      'one of a list',
      {
        ...pipeline,
        source: 'merge_request_event',
        web_url: 'https://g/1',
        created_at: '2026-03-01T10:00:00Z',
      },
      {
        id: 1,
        sha: SHA,
        status: 'running',
        source: 'merge_request_event',
        webUrl: 'https://g/1',
        createdAt: '2026-03-01T10:00:00Z',
      },
    ],
    [
      'one alone',
      {
        ...pipeline,
        started_at: '2026-03-01T10:00:00Z',
        finished_at: '2026-03-01T11:00:00Z',
      },
      { startedAt: '2026-03-01T10:00:00Z', finishedAt: '2026-03-01T11:00:00Z' },
    ],
    ...['merge', 'train'].map((kind): [string, object, object] => [
      `one of a merged result: ${kind}`,
      { ...pipeline, ref: `refs/merge-requests/7/${kind}` },
      { ofMergedResult: true },
    ]),
    [
      'a status that is new',
      { ...pipeline, status: 'dreaming' },
      { status: 'dreaming' },
    ],
  ])('reads %s', (_, value, expected) => {
    expect(parsePipeline(value)).toMatchObject(expected);
  });

  it.each([
    ['a job', { ...pipeline, stage: 'build', name: 'image' }],
    ['a deployment', { ...pipeline, deployable: {}, environment: {} }],
    ['an entry of a merge train', { ...pipeline, merge_request: {} }],
    ['one without a commit', { id: 1, status: 'running' }],
    ['one with half a commit', { ...pipeline, sha: SHA.slice(0, 8) }],
    ['one without a status', { id: 1, sha: SHA }],
    ['one without an id', { sha: SHA, status: 'running' }],
  ])('is none of %s', (_, value) => {
    expect(parsePipeline(value)).toBeUndefined();
  });
});

describe('parseProject', () => {
  it('reads where it is', () => {
    expect(
      parseProject({
        id: 42,
        path: 'shop',
        path_with_namespace: 'group/shop',
        web_url: 'https://g/group/shop',
        container_registry_image_prefix: 'registry.example.com/group/shop',
        http_url_to_repo: 'https://g/group/shop.git',
        ssh_url_to_repo: 'git@g:group/shop.git',
      }),
    ).toEqual({
      id: 42,
      path: 'group/shop',
      webUrl: 'https://g/group/shop',
      registryPath: 'registry.example.com/group/shop',
      httpUrl: 'https://g/group/shop.git',
      sshUrl: 'git@g:group/shop.git',
    });
  });

  it('reads one without a registry', () => {
    expect(parseProject({ id: 42, path_with_namespace: 'a/b' })).toEqual({
      id: 42,
      path: 'a/b',
    });
  });

  it('is none of a group', () => {
    expect(parseProject({ id: 42, full_path: 'group' })).toBeUndefined();
  });
});

describe('changed files', () => {
  it.each<[string, unknown, string[]]>([
    [
      'one that stayed where it is',
      { old_path: 'a/b.ts', new_path: 'a/b.ts', diff: '@@' },
      ['a/b.ts', 'a/b.ts'],
    ],
    [
      'one that was moved',
      { old_path: 'a/b.ts', new_path: 'c/b.ts', renamed_file: true },
      ['a/b.ts', 'c/b.ts'],
    ],
    ['something else', { old_path: 7, new_path: ['x'] }, []],
    ['nothing', null, []],
  ])('are told of %s', (_, value, paths) => {
    expect(parseChangedPaths(value)).toEqual(paths);
  });
});

describe('the registry', () => {
  const tag = {
    name: 'latest',
    path: 'group/shop:latest',
    location: 'r/group/shop:latest',
  };
  const repository = {
    id: 3,
    name: '',
    path: 'group/shop',
    location: 'r/group/shop',
  };

  it('tells tags from repositories', () => {
    expect(parseRegistryTag(tag)).toEqual({
      name: 'latest',
      location: 'r/group/shop:latest',
    });
    expect(parseRegistryRepository(repository)).toEqual({
      id: 3,
      path: 'group/shop',
    });
    expect(parseRegistryTag(repository)).toBeUndefined();
    expect(
      parseRegistryTag({ ...repository, name: 'releases' }),
    ).toBeUndefined();
    expect(parseRegistryRepository(tag)).toBeUndefined();
  });
});
