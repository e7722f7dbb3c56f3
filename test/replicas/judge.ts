import {
  Phase,
  Preview,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import { breaksIn, disorderOf, falseHeadsOf } from '../faults/property/judge';
import { History } from './History';

/** What timelines are judged by. */
export type Happened = Pick<History, 'headsOf' | 'recreationsOf' | 'wasOpen'>;

/** Of an MR that no set generates anything for any more. */
const UNWANTED: ReadonlySet<string> = new Set<Phase>([
  'Gone',
  'Orphaned',
  'TearingDown',
  'NotSelected',
]);

/** What is wrong with the timeline of a preview, by itself and by what happened. */
export function faultsOf(options: {
  preview: Preview;
  timeline: readonly Transition[];
  history: Happened;
}): string[] {
  const { preview, timeline, history } = options;
  const { project, iid } = preview.mergeRequest;
  return [
    ...disorderOf(timeline),
    ...breaksIn(timeline),
    ...repeatsIn(timeline),
    ...falseHeadsOf(timeline, history.headsOf(preview.mergeRequest)),
    ...falseRecreations(options),
    ...falseEnds(options),
  ].map(fault => `${project}!${iid}: ${fault}`);
}

/** How many times a timeline tells that an Application was made anew. */
export function recreationsIn(timeline: readonly Transition[]): number {
  return timeline.filter(({ kind }) => kind === 'application').length;
}

/** What is told of a condition, or of approvals, though nothing else was told since. */
function repeatsIn(timeline: readonly Transition[]): string[] {
  const last = new Map<string, Transition>();
  return timeline.flatMap(transition => {
    const { kind, type = '', from, to, reason } = transition;
    const before = last.get(`${kind} ${type}`);
    last.set(`${kind} ${type}`, transition);
    // A condition that did not apply in between begins anew.
    const isRepeated =
      (kind === 'approval' && before?.to === to) ||
      (kind === 'condition' &&
        from !== undefined &&
        before?.to === to &&
        before.reason === reason);
    return isRepeated ? [`${kind} ${type} is told twice: ${to} ${reason}`] : [];
  });
}

function falseRecreations(options: {
  preview: Preview;
  timeline: readonly Transition[];
  history: Happened;
}): string[] {
  const { preview, timeline, history } = options;
  const told = recreationsIn(timeline);
  const happened = history.recreationsOf(preview.mergeRequest);
  return told > happened
    ? [`its Application was made anew ${happened} times, ${told} are told`]
    : [];
}

/** Where it is said to have ended before it did, or to be an orphan at all. */
function falseEnds(options: {
  preview: Preview;
  timeline: readonly Transition[];
  history: Happened;
}): string[] {
  const { preview, timeline, history } = options;
  return timeline
    .filter(
      ({ kind, type, at, to }) =>
        (kind === 'phase' && to === 'Orphaned') ||
        (((kind === 'phase' && UNWANTED.has(to)) ||
          (type === 'MergeRequestOpen' && to === 'False')) &&
          history.wasOpen(preview.mergeRequest, at)),
    )
    .map(({ at, type = '', to }) => `${type} ${to} at ${at} is not so`);
}

/** Where a timeline does not end with what is so now. */
export function missingIn(options: {
  preview: Preview;
  timeline: readonly Transition[];
}): string[] {
  const { preview, timeline } = options;
  const ofKind = (kind: Transition['kind'], type?: string) =>
    timeline.filter(
      transition => transition.kind === kind && transition.type === type,
    );
  const expected: [string, Transition[], string | undefined][] = [
    ['the phase', ofKind('phase'), preview.phase],
    ...preview.conditions.map(
      ({
        type,
        status,
        lastKnown,
      }): [string, Transition[], string | undefined] => [
        type,
        ofKind('condition', type),
        lastKnown?.status ?? status,
      ],
    ),
  ];
  return expected.flatMap(([what, told, now]) => {
    const last = told[told.length - 1]?.to;
    return last === now ? [] : [`${what} is ${now}, told last was ${last}`];
  });
}
