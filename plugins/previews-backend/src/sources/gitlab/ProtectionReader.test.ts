import { GitLabClient } from './GitLabClient';
import { GitLabRequestError } from './GitLabRequestError';
import { ProtectionReader } from './ProtectionReader';

const MINUTE = 60_000;

function failing(status?: number) {
  return async () => {
    throw new GitLabRequestError({
      reason: status === undefined ? 'Unreachable' : 'Forbidden',
      message: 'No.',
      status,
    });
  };
}

function create() {
  let now = Date.parse('2026-11-29T12:00:00.000Z');
  const client = {
    defaultBranch: jest.fn(async (): Promise<string | undefined> => 'main'),
    protectedBranches: jest.fn(async () => [{ name: 'main' }]),
    protectedTags: jest.fn(async () => [{ name: 'v*' }]),
  };
  const reader = ProtectionReader.create({
    client: client as unknown as GitLabClient,
    clock: () => new Date(now),
  });
  return {
    client,
    tags: (id = 1) => reader.read({ id }, { role: 'service' }),
    branches: (path = 'group/gitops') =>
      reader.read({ path }, { role: 'gitops' }),
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

describe('who may change a repository', () => {
  it('is asked by what the repository is for', async () => {
    const { client, branches, tags } = create();
    expect(await tags()).toEqual({ protectedTags: [{ name: 'v*' }] });
    expect(client.defaultBranch).not.toHaveBeenCalled();
    expect(await branches()).toEqual({
      defaultBranch: 'main',
      protectedBranches: [{ name: 'main' }],
    });
    expect(client.protectedTags).toHaveBeenCalledTimes(1);
  });

  it('is asked again after an hour at the earliest', async () => {
    const { client, tags, wait } = create();
    await tags();
    wait(59 * MINUTE);
    await tags();
    expect(client.protectedTags).toHaveBeenCalledTimes(1);
    wait(2 * MINUTE);
    await tags();
    expect(client.protectedTags).toHaveBeenCalledTimes(2);
  });

  it.each([403, 404])('is left out where GitLab answers %d', async status => {
    const { client, branches, tags } = create();
    client.protectedTags.mockImplementation(failing(status));
    client.protectedBranches.mockImplementation(failing(status));
    expect(await tags()).toEqual({});
    expect(await branches()).toEqual({ defaultBranch: 'main' });
    await tags();
    expect(client.protectedTags).toHaveBeenCalledTimes(1);
  });

  it('is not known while GitLab does not answer, and then what it was', async () => {
    const { client, tags, wait } = create();
    client.protectedTags.mockImplementationOnce(failing());
    expect(await tags()).toBeUndefined();
    expect(await tags()).toEqual({ protectedTags: [{ name: 'v*' }] });
    wait(61 * MINUTE);
    client.protectedTags.mockImplementationOnce(failing());
    expect(await tags()).toEqual({ protectedTags: [{ name: 'v*' }] });
  });

  it('is nobody’s where the repository is empty', async () => {
    const { client, branches } = create();
    client.defaultBranch.mockResolvedValue(undefined);
    expect(await branches()).toEqual({});
    expect(client.protectedBranches).not.toHaveBeenCalled();
  });

  it('is asked for twenty repositories at once, and then for one a minute', async () => {
    const { client, tags, wait } = create();
    for (let id = 1; id <= 30; id += 1) {
      await tags(id);
    }
    expect(client.protectedTags).toHaveBeenCalledTimes(20);
    expect(await tags(30)).toBeUndefined();
    wait(MINUTE);
    await tags(30);
    await tags(29);
    expect(client.protectedTags).toHaveBeenCalledTimes(21);
  });

  it.each(['../admin', 'lone', 'a/../b'])(
    'is not asked of %s, which is no project',
    async path => {
      const { client, branches } = create();
      expect(await branches(path)).toBeUndefined();
      expect(client.defaultBranch).not.toHaveBeenCalled();
    },
  );
});
