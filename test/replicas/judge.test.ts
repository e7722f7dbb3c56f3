import {
  Preview,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import { faultsOf, Happened, missingIn } from './judge';

const ENDED_AT = 30;

const happened: Happened = {
  headsOf: () => ['sha-1', 'sha-2'],
  recreationsOf: () => 1,
  wasOpen: (_reference, at) => Date.parse(at) < ENDED_AT * 1000,
};

const preview = {
  mergeRequest: { project: 'shop/checkout', iid: 1 },
  phase: 'Gone',
  conditions: [{ type: 'MergeRequestOpen', status: 'False' }],
} as Preview;

type Told = Pick<Transition, 'kind' | 'type' | 'from' | 'to' | 'reason'>;

const opened: Told = {
  kind: 'condition',
  type: 'MergeRequestOpen',
  to: 'True',
  reason: 'Open',
};
const live: Told = { kind: 'phase', from: 'Waiting', to: 'Live' };
const head: Told = { kind: 'head', from: 'sha-1', to: 'sha-2' };
const recreated: Told = { kind: 'application', to: 'preview-mr-1-1' };
const approved: Told = { kind: 'approval', to: 'approved' };
const closed: Told = {
  kind: 'condition',
  type: 'MergeRequestOpen',
  from: 'True',
  to: 'False',
  reason: 'Closed',
};
const gone: Told = { kind: 'phase', from: 'Live', to: 'Gone' };
const right: [number, Told][] = [
  [1, opened],
  [2, live],
  [3, head],
  [4, recreated],
  [5, approved],
  [31, closed],
  [32, gone],
];

/** Pairs of seconds and what was told at them. */
function timelineOf(told: readonly [number, Told][]): Transition[] {
  return told.map(([second, transition], index) => ({
    id: String(index + 1),
    previewId: 'preview',
    at: new Date(second * 1000).toISOString(),
    ...transition,
  })) as Transition[];
}

const judge = (told: readonly [number, Told][]) => {
  const timeline = timelineOf(told);
  return [
    ...faultsOf({ preview, timeline, history: happened }),
    ...missingIn({ preview, timeline }),
  ];
};

/** The right timeline with one transition told once more after it. */
function doubled(what: Told): [number, Told][] {
  return right.flatMap(([second, told]): [number, Told][] =>
    told === what
      ? [
          [second, told],
          [second, told],
        ]
      : [[second, told]],
  );
}

describe('the judge of timelines', () => {
  it('finds nothing wrong with what is right', () => {
    expect(judge(right)).toEqual([]);
  });

  it.each([
    ['a head', head],
    ['a recreated Application', recreated],
    ['a phase', live],
    ['an approval', approved],
    ['a condition', closed],
  ])('finds %s that is told twice', (_what, told) => {
    expect(judge(doubled(told))).not.toEqual([]);
  });

  it.each<[string, [number, Told][]]>([
    [
      'a head that there was not',
      [[6, { ...head, from: 'sha-2', to: 'sha-3' }]],
    ],
    ['a false orphan', [[6, { ...gone, to: 'Orphaned' }]]],
    ['an end before the end', [[6, gone]]],
    ['a false teardown', [[6, { ...gone, to: 'TearingDown' }]]],
    ['an MR called closed that is open', [[6, closed]]],
    ['what comes before its time', [[4, approved]]],
  ])('finds %s', (_what, told) => {
    expect(judge([...right.slice(0, 5), ...told])).not.toEqual([]);
    const timeline = timelineOf([...right.slice(0, 5), ...told]);
    expect(faultsOf({ preview, timeline, history: happened })).not.toEqual([]);
  });

  it.each([closed, gone])('finds what is lost at the end', lost => {
    expect(judge(right.filter(([, told]) => told !== lost))).toHaveLength(1);
  });
});
