import {
  Condition,
  ConditionType,
  findReason,
  Preview,
  ReasonEffect,
} from '@previews/backstage-plugin-previews-common';
import { secondsBetween } from '../../words';

/** The steps of a preview's life as the stepper draws them. */
export type StepId =
  | 'MergeRequest'
  | Exclude<ConditionType, 'MergeRequestOpen' | 'Selected'>;

export type StepState =
  | 'done'
  | 'warning'
  | 'running'
  | 'blocked'
  | 'notYet'
  | 'unknown'
  | 'ended';

export interface Step {
  id: StepId;
  state: StepState;
  /** The condition that decides the step; absent when it is not yet there. */
  condition?: Condition;
  /** Seconds that a step that is done took. */
  tookSeconds?: number;
  /** Seconds that a running or blocked step has lasted. */
  elapsedSeconds?: number;
  /** Seconds that the step usually takes for this service. */
  usualSeconds?: number;
}

const order: readonly Exclude<StepId, 'MergeRequest'>[] = [
  'ImageBuilt',
  'ApplicationGenerated',
  'Synced',
  'Available',
  'CertificateReady',
  'RouteAccepted',
];

/**
 * What cannot be before a step is: where it is all the same, the `since` of the
 * step is that of a later change, as of its reason when an outage is over.
 */
const after: Readonly<Partial<Record<StepId, readonly StepId[]>>> = {
  ImageBuilt: ['Available'],
  ApplicationGenerated: [
    'Synced',
    'Available',
    'CertificateReady',
    'RouteAccepted',
  ],
  Synced: ['Available'],
};

/** A "took" longer than this is no duration of a step, whatever moved its `since`. */
const LONGEST_STEP_SECONDS = 3600;
/** Two conditions that were first seen at one moment tell nothing of a duration. */
const SHORTEST_STEP_SECONDS = 1;

function effectOf(condition: Condition): ReasonEffect | undefined {
  return findReason(condition.type, condition.reason)?.effect;
}

function stateOf(condition: Condition): StepState {
  const effect = effectOf(condition);
  if (effect === 'ended') {
    return 'ended';
  }
  if (condition.status === 'Unknown') {
    return 'unknown';
  }
  if (condition.status === 'True') {
    return effect === 'warning' ? 'warning' : 'done';
  }
  if (effect === 'warning') {
    return 'warning';
  }
  // A reason of a newer backend: False needs looking at until it is known.
  return effect === 'waiting' ? 'running' : 'blocked';
}

/** What cannot be read now holds up the steps after it only if it did before. */
function isSettled(state: StepState, condition?: Condition): boolean {
  return (
    state === 'done' ||
    state === 'warning' ||
    state === 'ended' ||
    (state === 'unknown' && condition?.lastKnown?.status !== 'False')
  );
}

function numberParam(condition: Condition | undefined, name: string) {
  const value = condition?.params[name];
  return typeof value === 'number' ? value : undefined;
}

/** When the step began: what the reason itself says is more exact. */
function startOf(condition: Condition): string {
  const { startedAt, since } = condition.params;
  const own = startedAt ?? since;
  return typeof own === 'string' && !Number.isNaN(Date.parse(own))
    ? own
    : condition.since;
}

/** The MR's own end, or that no set takes it, is one step to the reader. */
function mergeRequestCondition(
  find: (type: ConditionType) => Condition | undefined,
): Condition | undefined {
  const open = find('MergeRequestOpen');
  const selected = find('Selected');
  return open && stateOf(open) !== 'done' ? open : selected ?? open;
}

/** Whether all steps were done already, so that the step did not last all the time. */
function wasWhole(
  { phase, phaseSince, liveAt }: Preview,
  step: { start: string; done: string },
): boolean {
  const { start, done } = step;
  return (
    (phase === 'Live' && phaseSince < done) ||
    (liveAt !== undefined && start < liveAt && liveAt < done)
  );
}

/**
 * How long a step that is done took, where that is known: `since` moves with
 * every change of a condition, and so is not always when the step was done.
 */
function tookSecondsOf(options: {
  step: Step;
  preview: Preview;
  /** `since` of the steps before it, in their order. */
  before: readonly string[];
}): number | undefined {
  const { step, preview, before } = options;
  const done = step.condition?.since;
  const previous = before.at(-1);
  if (done === undefined || previous === undefined || previous > done) {
    return undefined;
  }
  // What changed afterwards is no start of it.
  const start = before
    .filter(since => since <= done)
    .reduce((latest, since) => (since > latest ? since : latest));
  const isLaterChange =
    preview.conditions.some(
      ({ type, status, since }) =>
        status === 'True' &&
        after[step.id]?.some(id => id === type) &&
        since < done,
    ) || wasWhole(preview, { start, done });
  const took = secondsBetween(start, done);
  return !isLaterChange &&
    took !== undefined &&
    took >= SHORTEST_STEP_SECONDS &&
    took <= LONGEST_STEP_SECONDS
    ? took
    : undefined;
}

function withTimes(options: {
  step: Step;
  preview: Preview;
  before: readonly string[];
  now: number;
}): Step {
  const { step, preview, now } = options;
  const { condition } = step;
  if (!condition || step.id === 'MergeRequest') {
    return step;
  }
  if (step.state === 'done') {
    const tookSeconds = tookSecondsOf(options);
    return tookSeconds === undefined ? step : { ...step, tookSeconds };
  }
  if (step.state === 'running' || step.state === 'blocked') {
    return {
      ...step,
      elapsedSeconds: secondsBetween(startOf(condition), now),
      usualSeconds:
        numberParam(condition, 'usualSeconds') ?? preview.usual?.[step.id],
    };
  }
  return step;
}

/**
 * The steps of a preview at a moment (milliseconds). A condition that is absent
 * after all steps before it are done does not apply and has no step; after one
 * that is not done it is still to come.
 */
export function toSteps(preview: Preview, now: number): Step[] {
  const find = (type: ConditionType) =>
    preview.conditions.find(condition => condition.type === type);
  const mergeRequest = mergeRequestCondition(find);
  const steps: Step[] = [];
  let settled = true;
  const before = [preview.mergeRequest.createdAt];

  const add = (id: StepId, condition: Condition | undefined) => {
    // Steps overlap: a certificate may be on its way while the image is built.
    const state = condition ? stateOf(condition) : 'notYet';
    steps.push(
      withTimes({
        step: { id, state, ...(condition && { condition }) },
        preview,
        before,
        now,
      }),
    );
    settled = settled && isSettled(state, condition);
    if (condition) {
      before.push(condition.since);
    }
  };

  const cleanedUp = find('CleanedUp');
  const isEnding =
    cleanedUp !== undefined ||
    preview.phase === 'NotSelected' ||
    preview.phase === 'Gone';
  add('MergeRequest', mergeRequest);
  for (const id of order) {
    const condition = find(id);
    if (condition || (!settled && !isEnding)) {
      add(id, condition);
    }
  }
  const reachable = find('Reachable');
  if (reachable) {
    // Most portals visit nothing, so that its absence promises no step.
    add('Reachable', reachable);
  }
  if (cleanedUp) {
    // What is torn down does not wait for the steps that built it.
    settled = true;
    add('CleanedUp', cleanedUp);
  }
  return steps;
}

/** The step to open by itself: the first blocked one, else the one that runs, else one that warns. */
export function stepToOpen(steps: readonly Step[]): StepId | undefined {
  const first = (state: StepState) => steps.find(step => step.state === state);
  return (first('blocked') ?? first('running') ?? first('warning'))?.id;
}

/** One step alone is none: a merge request that no set takes goes nowhere. */
export function areSteps(steps: readonly Step[]): boolean {
  return steps.length > 1;
}

/** Whether the row's own sentence is the step's. */
export function isDeciding(preview: Preview, step: Step): boolean {
  return (
    preview.reason !== undefined &&
    step.condition?.type === preview.reason.type &&
    step.condition.reason === preview.reason.reason
  );
}

/** Whether the step that opens by itself tells the row's sentence already. */
export function isToldByStep(preview: Preview, now: number): boolean {
  const steps = toSteps(preview, now);
  const id = stepToOpen(steps);
  return (
    areSteps(steps) &&
    steps.some(step => step.id === id && isDeciding(preview, step))
  );
}
