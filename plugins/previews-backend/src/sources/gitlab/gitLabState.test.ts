import { SourceError } from '@previews/backstage-plugin-previews-common';
import { ProjectReading, UnreadableProject } from '../../model';
import { gitLabState } from './gitLabState';

const now = new Date('2026-03-01T12:00:00.000Z');
const minutesAgo = (minutes: number) =>
  new Date(now.getTime() - minutes * 60_000).toISOString();

function error(
  reason: SourceError['reason'],
  options: { subject?: string; minutes?: number } = {},
): SourceError {
  const { subject = 'group/shop', minutes = 1 } = options;
  return { reason, subject, message: 'm', since: minutesAgo(minutes) };
}

function project(
  minutes: number | undefined,
  problem?: SourceError,
): ProjectReading {
  return {
    fact: { id: 1, path: 'group/shop' },
    state: problem ? 'failing' : 'ready',
    ...(minutes !== undefined && { completeAt: minutesAgo(minutes) }),
    ...(problem && { error: problem }),
    mergeRequests: new Map(),
  };
}

const unreadable = (problem: SourceError): UnreadableProject => ({
  reference: problem.subject ?? '',
  error: problem,
});

function state(input: Partial<Parameters<typeof gitLabState>[0]>) {
  return gitLabState({
    host: 'gitlab.example.com',
    projects: [],
    unreadable: [],
    waiting: 0,
    notes: [],
    staleAfterMilliseconds: 180_000,
    now,
    ...input,
  });
}

describe('gitLabState', () => {
  it.each<[string, string, Parameters<typeof state>[0]]>([
    ['pending', 'nothing was read', {}],
    ['pending', 'a project waits for its first reading', { waiting: 1 }],
    [
      'pending',
      'one project waits and another is fresh',
      { waiting: 1, projects: [project(0)] },
    ],
    [
      'pending',
      'a project was resolved and not read yet',
      { projects: [project(undefined)] },
    ],
    ['fresh', 'there is nothing to read', { idleAt: minutesAgo(1) }],
    ['stale', 'there was nothing to read long ago', { idleAt: minutesAgo(9) }],
    ['fresh', 'all are read', { projects: [project(0), project(2)] }],
    [
      'stale',
      'one was read too long ago',
      { projects: [project(0), project(4)] },
    ],
    [
      'failing',
      'the last reading failed',
      { projects: [project(1, error('ServerError'))] },
    ],
    [
      'stale',
      'it failed for too long',
      { projects: [project(5, error('ServerError'))] },
    ],
    [
      'failing',
      'the first reading failed',
      { projects: [project(undefined, error('Unreachable'))] },
    ],
    [
      'failing',
      'the token is revoked',
      { projects: [project(1)], tokenError: error('TokenRevoked') },
    ],
    [
      'fresh',
      'one of two projects is not found',
      { projects: [project(1)], unreadable: [unreadable(error('NotFound'))] },
    ],
    [
      'fresh',
      'access to one of two projects was lost long ago',
      { projects: [project(1), project(60, error('Forbidden'))] },
    ],
    [
      'failing',
      'no project is found',
      { unreadable: [unreadable(error('NotFound'))] },
    ],
    [
      'failing',
      'access to all projects was lost just now',
      { projects: [project(1, error('NotFound'))] },
    ],
    [
      'stale',
      'access to all projects was lost long ago',
      { projects: [project(60, error('NotFound'))] },
    ],
  ])('is %s when %s', (status, _, input) => {
    expect(state(input).status).toBe(status);
  });

  it('tells the oldest of the complete readings', () => {
    expect(state({ projects: [project(0), project(2)] }).lastCompleteAt).toBe(
      minutesAgo(2),
    );
  });

  it('tells of what concerns the host once, since the first time', () => {
    const errors = state({
      projects: [
        project(1, error('Unreachable', { minutes: 1 })),
        project(
          1,
          error('Unreachable', { subject: 'group/other', minutes: 3 }),
        ),
      ],
    }).errors;
    expect(errors).toEqual([
      { reason: 'Unreachable', message: 'm', since: minutesAgo(3) },
    ]);
  });

  it('tells of every project that cannot be found', () => {
    const errors = state({
      unreadable: [
        unreadable(error('NotFound', { subject: 'a/b' })),
        unreadable(error('NotFound', { subject: 'c/d' })),
      ],
    }).errors;
    expect(errors.map(({ subject }) => subject)).toEqual(['a/b', 'c/d']);
  });
});
