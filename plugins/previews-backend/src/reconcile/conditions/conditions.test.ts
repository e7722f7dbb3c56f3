import {
  conditionTypes,
  findReason,
  reasons,
} from '@previews/backstage-plugin-previews-common';
import { ConditionCase, conditionCases } from '../../testing/conditionCases';
import { Story } from '../../testing/Story';
import { at, NOW } from '../../testing/world';

/** Reasons that a condition shares with all others and cannot come to. */
const IMPOSSIBLE: Record<string, readonly string[]> = {
  // GitLab alone decides these, so no cluster can keep them from being known.
  MergeRequestOpen: ['NotObserved', 'KindForbidden', 'ClusterNotConfigured'],
  Selected: ['ClusterNotConfigured'],
  ImageBuilt: ['NotObserved', 'KindForbidden', 'ClusterNotConfigured'],
  // Clusters decide these, so no project can keep them from being known.
  ApplicationGenerated: [
    'NotObserved',
    'ProjectNotReadable',
    'ClusterNotConfigured',
  ],
  Synced: ['NotObserved', 'ProjectNotReadable', 'ClusterNotConfigured'],
  Available: ['NotObserved', 'ProjectNotReadable', 'KindForbidden'],
  CertificateReady: [
    'NotObserved',
    'ProjectNotReadable',
    'ClusterNotConfigured',
  ],
  RouteAccepted: ['NotObserved', 'ProjectNotReadable', 'ClusterNotConfigured'],
  Reachable: ['NotObserved', 'ProjectNotReadable', 'ClusterNotConfigured'],
  CleanedUp: ['NotObserved', 'ProjectNotReadable', 'ClusterNotConfigured'],
};

/** Reasons that are the same code for every condition; one case of each is enough. */
const SHARED = ['SourceUnavailable', 'NotReadYet', 'KindForbidden'];

function tell({ before, between, world }: ConditionCase): Story {
  const story = new Story();
  const seconds = between?.secondsBefore ?? 0;
  if (before) {
    story.pass(before(), at(-60 - seconds));
  }
  if (between) {
    story.pass(between.world(), at(-seconds));
  }
  return story.pass(world(), NOW);
}

describe.each(conditionTypes)('%s', type => {
  const cases = conditionCases[type] ?? [];

  it.each(cases.map(one => [one.title, one] as const))('%s', (_, one) => {
    const story = tell(one);
    expect(story.verdict(type)).toBe(one.expected);
    expect(story.condition(type)?.params ?? {}).toMatchObject(one.params ?? {});
    expect({ message: story.condition(type)?.message }).toMatchObject(
      one.message === undefined ? {} : { message: one.message },
    );
  });

  it('gives the params that the sentence of each reason needs', () => {
    const conditions = cases.flatMap(one => tell(one).condition(type) ?? []);
    for (const { reason, params, message } of conditions) {
      const declared = findReason(type, reason)!.params;
      const needed = Object.entries(declared)
        .filter(([, kind]) => !kind.endsWith('?'))
        .map(([name]) => name);
      expect(Object.keys(params)).toEqual(expect.arrayContaining(needed));
      expect(Object.keys(declared)).toEqual(
        expect.arrayContaining(Object.keys(params)),
      );
      expect(message).not.toMatch(/undefined|\[object|^$/);
    }
  });

  it('comes to each of its declared reasons in some state of the world', () => {
    const reached = new Set(
      cases.flatMap(({ expected }) => expected?.split(' ')[1] ?? []),
    );
    const missing = Object.keys(reasons[type]).filter(
      reason =>
        !reached.has(reason) &&
        !SHARED.includes(reason) &&
        !IMPOSSIBLE[type].includes(reason),
    );
    expect(missing).toEqual([]);
  });
});

it.each(['CertificateReady', 'RouteAccepted', 'Reachable'] as const)(
  'holds %s to a sentence for each of its reasons',
  type => {
    const cases = conditionCases[type] ?? [];
    const reasonsOf = (some: ConditionCase[]) =>
      [...new Set(some.flatMap(({ expected }) => expected ?? []))].sort();
    expect(
      reasonsOf(cases.filter(({ message }) => message !== undefined)),
    ).toEqual(reasonsOf(cases));
  },
);

it('comes to each shared reason in some state of the world', () => {
  const reached = new Set(
    Object.values(conditionCases).flatMap(cases =>
      cases.flatMap(({ expected }) => expected?.split(' ')[1] ?? []),
    ),
  );
  expect(SHARED.filter(reason => !reached.has(reason))).toEqual([]);
});
