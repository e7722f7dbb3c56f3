import { GitLabReading, MergeRequestFact } from '../model';
import { mergeRequestsBuilt } from './mergeRequestsBuilt';

const [HEAD, NEXT] = ['ab'.repeat(20), 'cd'.repeat(20)];

function readingOf(fact: Partial<MergeRequestFact>): GitLabReading {
  const key = { host: 'gitlab.example.com', projectId: 7, iid: 1 };
  const mergeRequests = new Map([
    [
      1,
      {
        fact: { key, state: 'opened', sourceBranch: 'b', ...fact },
        readAt: '',
      },
    ],
  ]);
  return {
    host: 'gitlab.example.com',
    projects: new Map([[7, { mergeRequests }]]),
  } as unknown as GitLabReading;
}

describe('MRs that a pipeline was run for', () => {
  it.each<[string, Partial<MergeRequestFact>, object, boolean]>([
    ['its head', { headSha: HEAD }, { projectId: 7, sha: HEAD }, true],
    [
      'its head in capitals',
      { headSha: HEAD },
      { projectId: 7, sha: HEAD.toUpperCase() },
      true,
    ],
    [
      'its head, in a fork',
      { headSha: HEAD, sourceProjectId: 8 },
      { projectId: 8, sha: HEAD },
      true,
    ],
    [
      'its branch, before its new head is known',
      { headSha: HEAD, sourceBranch: 'cart' },
      { projectId: 7, sha: NEXT, branch: 'cart' },
      true,
    ],
    [
      'its branch in a fork',
      { sourceBranch: 'cart', sourceProjectId: 8 },
      { projectId: 8, branch: 'cart' },
      true,
    ],
    [
      'a branch of that name in another project',
      { sourceBranch: 'cart', sourceProjectId: 8 },
      { projectId: 7, branch: 'cart' },
      false,
    ],
    [
      'another branch',
      { headSha: HEAD, sourceBranch: 'cart' },
      { projectId: 7, sha: NEXT, branch: 'main' },
      false,
    ],
    [
      'its branch after it was merged',
      { state: 'merged', sourceBranch: 'cart' },
      { projectId: 7, branch: 'cart' },
      false,
    ],
    ['nothing that is told', {}, { projectId: 7 }, false],
    [
      'nothing that is told, while it has no head',
      { headSha: undefined },
      { projectId: 7, branch: 'main' },
      false,
    ],
  ])('by %s', (_name, fact, built, isFound) => {
    expect(
      mergeRequestsBuilt(readingOf(fact), { projectId: 0, ...built }),
    ).toEqual(
      isFound ? [{ host: 'gitlab.example.com', projectId: 7, iid: 1 }] : [],
    );
  });
});
