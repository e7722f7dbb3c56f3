import {
  Phase,
  Preview,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import { Subject, Truth, Witness } from './Witness';

/** Longest that what the portal concludes from may be old, by the lane's schedule, in milliseconds. */
export interface Lag {
  /** While nothing is broken. */
  undisturbed: number;
  /** While something is, or was a moment ago: until what was read counts as stale. */
  disturbed: number;
}

/** Between the time of an event and the time that somebody notes of it. */
const CLOCK_SLACK = 50;

const UNSERVED: readonly Phase[] = [
  'Waiting',
  'Building',
  'Deploying',
  'Failed',
  'Degraded',
];
const OUTDATED: readonly Phase[] = [
  'Waiting',
  'Building',
  'Updating',
  'Degraded',
];
const ENDED: readonly Phase[] = ['Gone', 'NotSelected'];
/** Of an MR that no set would generate anything for. */
const UNWANTED: ReadonlySet<string> = new Set<Phase>([
  'Gone',
  'Orphaned',
  'TearingDown',
  'NotSelected',
]);

/** What a row says of an MR that is not so, once all is quiet. */
export function liesAbout(options: {
  subject: Subject;
  truth: Truth;
  row: Preview | undefined;
  /** Whether the row showed an Application before. */
  hadApplication: boolean;
}): string[] {
  const { subject, truth, row, hadApplication } = options;
  const lies = untruths(truth, row, hadApplication);
  return lies.map(lie => `${subject.project}!${subject.iid}: ${lie}`);
}

function untruths(
  truth: Truth,
  row: Preview | undefined,
  hadApplication: boolean,
): string[] {
  const { mergeRequest } = truth;
  if (!row) {
    // What came and went between two looks was never seen.
    return mergeRequest?.state === 'opened' || hadApplication
      ? ['it is not listed']
      : [];
  }
  const lies: string[] = [];
  const expect = (what: string, actual: unknown, expected: unknown) => {
    if (JSON.stringify(actual) !== JSON.stringify(expected)) {
      lies.push(
        `${what} is ${JSON.stringify(actual)} and not ${JSON.stringify(
          expected,
        )}`,
      );
    }
  };
  expect('stale', row.stale, []);
  if (!mergeRequest) {
    // An MR that has ended is not read for ever: that it was deleted since
    // changes nothing.
    const { state } = row.mergeRequest;
    const isAsItEnded =
      (state === 'closed' || state === 'merged') && truth.states.has(state);
    if (!isAsItEnded) {
      expect('state', state, 'deleted');
    }
  } else {
    expect('state', row.mergeRequest.state, mergeRequest.state);
    expect('head', row.mergeRequest.headSha, mergeRequest.sha ?? undefined);
  }
  if (mergeRequest?.state === 'opened') {
    expect('title', row.mergeRequest.title, mergeRequest.title);
    expect('draft', row.mergeRequest.draft, mergeRequest.draft);
    expect(
      'labels',
      [...row.mergeRequest.labels].sort(),
      [...mergeRequest.labels].sort(),
    );
  }
  const phases = phasesOf(truth, hadApplication);
  if (!phases.includes(row.phase)) {
    lies.push(
      `phase is ${row.phase} and not ${phases.join(' or ')} (${
        truth.things.join(', ') || 'nothing'
      } there; head ${truth.isHeadBuilt ? 'built' : 'not built'}${
        truth.isHeadServed ? ', served' : ''
      })`,
    );
  }
  if (truth.things.length === 0 && row.applications.length > 0) {
    lies.push('it shows an Application that there is not');
  }
  return lies;
}

/** Phases that are true of an MR once all is quiet; none while it is not quiet. */
function phasesOf(truth: Truth, hadApplication: boolean): readonly Phase[] {
  if (!truth.isWanted) {
    if (truth.things.length > 0) {
      return [];
    }
    return hadApplication ? ['Gone'] : ENDED;
  }
  if (truth.isHeadServed) {
    return truth.things.length > 0 ? ['Live'] : [];
  }
  if (truth.isHeadBuilt) {
    return [];
  }
  return truth.isOlderServed ? OUTDATED : UNSERVED;
}

/** What is wrong with the timeline of a row, by itself and by what happened. */
export function faultsOfTimeline(options: {
  subject: Subject;
  row: Preview;
  timeline: readonly Transition[];
  witness: Witness;
  lag: Lag;
  /** Least time from unwanted to orphaned, in milliseconds. */
  grace: number;
}): string[] {
  const { subject, row, timeline, witness, lag, grace } = options;
  const found = [
    ...disorderOf(timeline),
    ...breaksIn(timeline),
    ...falseHeadsOf(timeline, witness.headsOf(subject)),
  ];
  const ofPhase = timeline.filter(({ kind }) => kind === 'phase');
  const last = ofPhase[ofPhase.length - 1]?.to;
  if (last !== row.phase) {
    found.push(`the timeline ends with ${last}, the row is ${row.phase}`);
  }
  for (const { at, kind, type, to } of timeline) {
    const time = Date.parse(at);
    const isCalm = witness.wasUndisturbed({
      from: time - lag.disturbed,
      to: time,
    });
    const age = isCalm ? lag.undisturbed : lag.disturbed;
    const between = { from: time - age, to: time };
    // A pass notes the time that it began at, and decides by what it knows a moment later.
    const orLater = { ...between, to: time + CLOCK_SLACK };
    if (
      kind === 'condition' &&
      type === 'MergeRequestOpen' &&
      to === 'False' &&
      witness.wasOpenThroughout(subject, orLater)
    ) {
      found.push(`it was said at ${at} to have ended though it was open`);
    }
    if (kind !== 'phase') {
      continue;
    }
    if (UNWANTED.has(to) && witness.wasSelectedThroughout(subject, orLater)) {
      found.push(`it was called ${to} at ${at} though it was wanted`);
    }
    if (
      to === 'Orphaned' &&
      !witness.wasUnwantedFor(subject, {
        milliseconds: grace - CLOCK_SLACK,
        between,
      })
    ) {
      found.push(`it was called Orphaned at ${at} before its grace was over`);
    }
    if (to === 'Gone') {
      const still = witness.existedThroughout(subject, orLater);
      if (still.length > 0) {
        found.push(`it was called Gone at ${at} though ${still} existed`);
      }
    }
  }
  return found.map(
    fault =>
      `${subject.project}!${subject.iid}: ${fault}; its timeline is\n${timeline
        .map(describeTransition)
        .join('\n')}`,
  );
}

function describeTransition(transition: Transition): string {
  const { at, kind, type, from, to, reason } = transition;
  return `    ${at} ${kind}${type ? ` ${type}` : ''} ${from ?? ''} → ${to}${
    reason ? ` ${reason}` : ''
  }`;
}

export function disorderOf(timeline: readonly Transition[]): string[] {
  const found: string[] = [];
  timeline.forEach((transition, index) => {
    const before = timeline[index - 1];
    if (!before) {
      return;
    }
    if (Number(transition.id) <= Number(before.id)) {
      found.push(`transition ${transition.id} comes after ${before.id}`);
    }
    if (Date.parse(transition.at) < Date.parse(before.at)) {
      found.push(`${transition.at} comes after ${before.at}`);
    }
  });
  return found;
}

/** Where a timeline does not go on from where it was, or says the same twice. */
export function breaksIn(timeline: readonly Transition[]): string[] {
  const last = new Map<string, string>();
  return timeline.flatMap(({ kind, type, from, to, reason }) => {
    if (kind === 'application') {
      return [];
    }
    const subject = `${kind} ${type ?? ''}`;
    const before = last.get(subject);
    last.set(subject, to);
    // A condition that did not apply in between begins anew.
    const goesOn =
      before === undefined || from === undefined || from === before;
    const isDouble = kind !== 'condition' && from === to;
    return [
      ...(goesOn ? [] : [`${subject} goes on from ${from}, not ${before}`]),
      ...(isDouble
        ? [`${subject} goes from ${from} to itself (${reason})`]
        : []),
    ];
  });
}

/** The heads of a timeline are heads that there were, in their order, each once. */
export function falseHeadsOf(
  timeline: readonly Transition[],
  heads: readonly string[],
): string[] {
  let next = 0;
  return timeline
    .filter(({ kind }) => kind === 'head')
    .flatMap(({ to }) => {
      const index = heads.indexOf(to, next);
      if (index < 0) {
        return [`head ${to} is none, or out of order, or told twice`];
      }
      next = index + 1;
      return [];
    });
}
