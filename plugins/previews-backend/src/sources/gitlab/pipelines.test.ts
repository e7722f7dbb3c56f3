import { MergeRequestReading, PipelineFact } from '../../model';
import { pipelinesDue } from './pipelines';

const HEAD = 'a'.repeat(40);
const now = new Date('2026-03-01T12:00:00.000Z');
const minutesAgo = (minutes: number) =>
  new Date(now.getTime() - minutes * 60_000);

function reading(options: {
  state?: 'opened' | 'locked' | 'merged' | 'closed';
  headSha?: string;
  pipelines?: PipelineFact[];
  forHead?: string;
  minutes?: number;
}): MergeRequestReading {
  const { state = 'opened', pipelines, forHead = HEAD, minutes = 1 } = options;
  const headSha = 'headSha' in options ? options.headSha : HEAD;
  return {
    fact: {
      key: { host: 'gitlab.example.com', projectId: 1, iid: 1 },
      title: '',
      author: { username: 'dev1' },
      sourceBranch: 'a',
      targetBranch: 'main',
      fork: false,
      draft: false,
      labels: [],
      state,
      ...(headSha && { headSha }),
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    },
    readAt: now.toISOString(),
    ...(pipelines && {
      pipelines: {
        items: pipelines,
        forHead,
        readAt: minutesAgo(minutes).toISOString(),
      },
    }),
  };
}

const pipeline = (status: string, fields: Partial<PipelineFact> = {}) => ({
  id: 1,
  sha: HEAD,
  status,
  ...fields,
});

/** Undefined: not now. */
type Due = ReturnType<typeof pipelinesDue>;

describe('pipelinesDue', () => {
  it.each<[Due, string, MergeRequestReading]>([
    ['awaited', 'they were never read', reading({})],
    [
      'awaited',
      'they were never read and it is locked',
      reading({ state: 'locked' }),
    ],
    [undefined, 'it is merged', reading({ state: 'merged' })],
    [undefined, 'it is closed', reading({ state: 'closed' })],
    [undefined, 'its branch is gone', reading({ headSha: undefined })],
    [
      'awaited',
      'they were read for another head',
      reading({ pipelines: [pipeline('success')], forHead: 'b'.repeat(40) }),
    ],
    ...[
      'created',
      'waiting_for_resource',
      'preparing',
      'pending',
      'running',
      'canceling',
      'scheduled',
    ].map((status): [Due, string, MergeRequestReading] => [
      'awaited',
      `it is ${status}`,
      reading({ pipelines: [pipeline(status)] }),
    ]),
    ...['failed', 'canceled', 'skipped', 'manual'].flatMap(
      (status): [Due, string, MergeRequestReading][] => [
        [
          undefined,
          `it was ${status} just now`,
          reading({ pipelines: [pipeline(status)] }),
        ],
        [
          'settled',
          `it was ${status} some minutes ago and may run again`,
          reading({ pipelines: [pipeline(status)], minutes: 6 }),
        ],
      ],
    ),
    [
      undefined,
      'it passed',
      reading({ pipelines: [pipeline('success')], minutes: 10 }),
    ],
    [
      'settled',
      'it passed long ago',
      reading({ pipelines: [pipeline('success')], minutes: 16 }),
    ],
    [
      'awaited',
      'a merged result runs',
      reading({
        pipelines: [
          pipeline('running', {
            sha: 'c'.repeat(40),
            source: 'merge_request_event',
          }),
        ],
      }),
    ],
    [
      undefined,
      'a merged result of the head passed',
      reading({
        pipelines: [
          pipeline('success', {
            sha: 'c'.repeat(40),
            ofMergedResult: true,
            parents: ['e'.repeat(40), HEAD],
          }),
        ],
        minutes: 10,
      }),
    ],
    [
      undefined,
      'a merged result of an older head runs, and no other one began for long',
      reading({
        pipelines: [
          pipeline('running', {
            sha: 'c'.repeat(40),
            source: 'merge_request_event',
            ofMergedResult: true,
            parents: ['e'.repeat(40), 'd'.repeat(40)],
          }),
        ],
      }),
    ],
  ])('is %s when %s', (expected, _, mergeRequest) => {
    expect(
      pipelinesDue(mergeRequest, { now, headSeenAt: minutesAgo(60) }),
    ).toBe(expected);
  });

  it.each<[Due, string, MergeRequestReading, number]>([
    [
      'awaited',
      'there is none and the push was just now',
      reading({ pipelines: [] }),
      1,
    ],
    [
      undefined,
      'there is none and the push was long ago',
      reading({ pipelines: [] }),
      60,
    ],
    [
      'settled',
      'there was none for some minutes',
      reading({ pipelines: [], minutes: 6 }),
      60,
    ],
    [
      'awaited',
      'the newest is of an older push',
      reading({ pipelines: [pipeline('success', { sha: 'd'.repeat(40) })] }),
      1,
    ],
  ])('is %s when %s', (expected, _, mergeRequest, pushedMinutes) => {
    expect(
      pipelinesDue(mergeRequest, {
        now,
        headSeenAt: minutesAgo(pushedMinutes),
      }),
    ).toBe(expected);
  });
});
