import {
  Condition,
  ConditionStatus,
  ConditionType,
  Phase,
} from '@previews/backstage-plugin-previews-common';
import { effectOf } from './verdict';

/** A condition as the phase sees it: `lastKnown` stands in for `Unknown`. */
export interface EffectiveCondition {
  status: ConditionStatus;
  reason: string;
}

export type EffectiveConditions = Partial<
  Record<ConditionType, EffectiveCondition>
>;

/** What is true of the preview beyond its conditions. */
export interface PhaseFacts {
  /** A ready workload runs the head, or no commit can be told. */
  servesHead: boolean;
  /** A ready workload runs another commit. */
  servesOlder: boolean;
  /** The preview was live on the head at some time. */
  wasLiveOnHead: boolean;
  /** The preview was live on any commit at some time, or serves another one now. */
  served: boolean;
  /** Something existed at some time. */
  existed: boolean;
  /** Past the grace period, by complete evidence, with something left that nobody deletes. */
  orphaned: boolean;
  /** A condition of a module that holds the preview back is blocked, or waits. */
  furtherBlocked?: boolean;
  furtherWaiting?: boolean;
}

export function effectiveConditions(
  conditions: readonly Condition[],
): EffectiveConditions {
  return Object.fromEntries(
    conditions.map(({ type, status, reason, lastKnown }) => [
      type,
      status === 'Unknown' && lastKnown
        ? { status: lastKnown.status, reason: lastKnown.reason }
        : { status, reason },
    ]),
  );
}

/** The conditions between selection and serving, in order. */
const WAY_TO_LIVE: ConditionType[] = [
  'ImageBuilt',
  'ApplicationGenerated',
  'Synced',
  'Available',
  'CertificateReady',
  'RouteAccepted',
];

/** The first blocked condition on the way to `Live`. */
export function firstBlocked(
  conditions: EffectiveConditions,
): ConditionType | undefined {
  return WAY_TO_LIVE.find(type => isBlocked(type, conditions[type]));
}

function isBlocked(
  type: ConditionType,
  condition: EffectiveCondition | undefined,
): boolean {
  return (
    condition?.status === 'False' &&
    effectOf(type, condition.reason) === 'blocked'
  );
}

/**
 * The phase of a preview: the first row of the table that holds. Conditions that
 * are absent, and those that could exist but are not read, block nothing.
 */
export function phaseOf(
  conditions: EffectiveConditions,
  facts: PhaseFacts,
): Phase {
  const is = (type: ConditionType, status: ConditionStatus) =>
    conditions[type]?.status === status;
  if (is('Selected', 'False')) {
    return unwantedPhase(conditions, facts);
  }
  if (is('MergeRequestOpen', 'Unknown') && !facts.existed) {
    return 'Unknown';
  }
  const stopped =
    is('Available', 'False') ||
    is('RouteAccepted', 'False') ||
    is('CertificateReady', 'False') ||
    facts.furtherBlocked === true ||
    facts.furtherWaiting === true;
  if (facts.servesHead && !stopped) {
    return 'Live';
  }
  const blocked =
    firstBlocked(conditions) !== undefined || facts.furtherBlocked === true;
  if (facts.servesOlder && !blocked) {
    return 'Updating';
  }
  if ((blocked && facts.served) || (facts.wasLiveOnHead && stopped)) {
    return 'Degraded';
  }
  if (blocked) {
    return 'Failed';
  }
  return onItsWay(conditions);
}

function unwantedPhase(
  conditions: EffectiveConditions,
  facts: PhaseFacts,
): Phase {
  if (conditions.CleanedUp?.status === 'True' && facts.existed) {
    return 'Gone';
  }
  if (facts.orphaned) {
    return 'Orphaned';
  }
  return conditions.CleanedUp && conditions.CleanedUp.status !== 'True'
    ? 'TearingDown'
    : 'NotSelected';
}

function onItsWay(conditions: EffectiveConditions): Phase {
  const reason = (type: ConditionType) => conditions[type]?.reason;
  if (reason('ImageBuilt') === 'PipelineRunning') {
    return 'Building';
  }
  const generated = conditions.ApplicationGenerated;
  if (generated?.status === 'False' || reason('ImageBuilt') === 'NoPipeline') {
    return 'Waiting';
  }
  if (generated?.status === 'Unknown' && !conditions.Available) {
    return conditions.Selected?.status === 'Unknown' ? 'Unknown' : 'Waiting';
  }
  if (conditions.Available && conditions.Available.status !== 'True') {
    return 'Deploying';
  }
  if (
    conditions.RouteAccepted?.status === 'False' ||
    conditions.CertificateReady?.status === 'False'
  ) {
    return 'Securing';
  }
  return conditions.Available ? 'Deploying' : 'Waiting';
}

/** It holds, but someone should know: by its own kind, or since the next step is blocked. */
function isWarning({ type, status, reason }: Condition): boolean {
  const effect = effectOf(type, reason);
  return effect === 'warning' || (status === 'True' && effect === 'blocked');
}

const DECISIVE: Partial<Record<Phase, readonly ConditionType[]>> = {
  NotSelected: ['MergeRequestOpen', 'Selected'],
  TearingDown: ['CleanedUp'],
  Orphaned: ['CleanedUp'],
};

/**
 * The condition whose sentence belongs into the row: what explains the phase,
 * or undefined when the preview is plainly live.
 */
export function explainingCondition(
  phase: Phase,
  conditions: readonly Condition[],
): Condition | undefined {
  const byType = (type: ConditionType) =>
    conditions.find(condition => condition.type === type);
  const effective = effectiveConditions(conditions);
  const decisive = DECISIVE[phase];
  if (decisive) {
    return decisive
      .map(byType)
      .find(
        condition => condition && effective[condition.type]?.status === 'False',
      );
  }
  if (phase === 'Gone') {
    return byType('CleanedUp');
  }
  if (phase === 'Unknown') {
    return conditions.find(({ status }) => status === 'Unknown');
  }
  const blocked = firstBlocked(effective);
  const waiting = WAY_TO_LIVE.find(type => effective[type]?.status === 'False');
  const warning = conditions.find(isWarning)?.type;
  const unknown =
    phase === 'Live'
      ? undefined
      : WAY_TO_LIVE.find(type => effective[type]?.status === 'Unknown');
  const type = blocked ?? waiting ?? warning ?? unknown;
  return type && byType(type);
}
