import {
  english,
  FurtherCondition,
  Phase,
  Preview,
  ReasonEffect,
  renderFurtherCondition,
  Texts,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import {
  FurtherPolicy,
  FurtherReading,
  FurtherVerdict,
  PreviewSubject,
} from '../model';
import { addSeconds, hasElapsed } from './time';

/** How soon a condition is decided again whose module failed. */
const FAILED_LOOK_SECONDS = 60;

/** Conditions of modules, as a pass decides them. */
export interface FurtherOutcome {
  conditions: FurtherCondition[];
  /** ISO: when time alone may change them. */
  lookAgainAt: string[];
}

/** What a preview's further conditions mean for its phase. */
export interface FurtherEffects {
  furtherBlocked: boolean;
  furtherWaiting: boolean;
}

/** What a module is told of a preview. */
export function subjectOf(
  preview: Pick<
    Preview,
    | 'id'
    | 'mergeRequest'
    | 'commit'
    | 'urls'
    | 'applications'
    | 'namespaces'
    | 'conditions'
  >,
): PreviewSubject {
  const { pipeline, webUrl, fork, author, labels, ...mergeRequest } =
    preview.mergeRequest;
  const { running } = preview.commit;
  return {
    id: preview.id,
    mergeRequest: {
      ...mergeRequest,
      author: author.username,
      labels: [...labels],
    },
    ...(running !== undefined && { runningCommit: running }),
    urls: preview.urls.map(({ url }) => url),
    applications: preview.applications.map(({ cluster, namespace, name }) => ({
      cluster,
      namespace,
      name,
    })),
    namespaces: preview.namespaces.map(({ cluster, name }) => ({
      cluster,
      name,
    })),
    conditions: preview.conditions.map(({ type, status, reason }) => ({
      type,
      status,
      reason,
    })),
  };
}

/** Why the facts of a source say nothing now; undefined when they do. */
function unreadBy(
  policy: FurtherPolicy,
  options: {
    reading: FurtherReading | undefined;
    previewId: string;
    now: string;
  },
): { reason: string; params: Record<string, string> } | undefined {
  const { reading, previewId, now } = options;
  const { sourceId: source } = policy;
  if (!policy.readsSource) {
    return undefined;
  }
  if (!reading?.completeAt) {
    return reading?.state === 'failing'
      ? { reason: 'SourceUnavailable', params: { source } }
      : { reason: 'NotReadYet', params: { source } };
  }
  if (hasElapsed(reading.completeAt, now, reading.staleAfterSeconds)) {
    const since = reading.completeAt;
    return { reason: 'SourceUnavailable', params: { source, since } };
  }
  return reading.unusable.has(previewId)
    ? { reason: 'SourceUnavailable', params: { source } }
    : undefined;
}

/** Everything that conditions of modules are decided from, besides the preview itself. */
export function furtherInputs(options: {
  policies: readonly FurtherPolicy[];
  readings: readonly FurtherReading[];
  previewId: string;
  now: string;
}): unknown[] {
  const { policies, readings, previewId, now } = options;
  return policies
    .filter(({ readsSource }) => readsSource)
    .flatMap(policy => {
      const reading = readings.find(
        ({ sourceId }) => sourceId === policy.sourceId,
      );
      return [
        unreadBy(policy, { reading, previewId, now })?.reason,
        reading?.facts.get(previewId),
      ];
    });
}

/** Decides the conditions that modules added, for a preview that is wanted. */
export function decideFurther(options: {
  policies: readonly FurtherPolicy[];
  readings: readonly FurtherReading[];
  subject: PreviewSubject;
  previous: readonly FurtherCondition[];
  now: string;
}): FurtherOutcome {
  const { policies, readings, subject, previous, now } = options;
  const outcome: FurtherOutcome = { conditions: [], lookAgainAt: [] };
  for (const policy of policies) {
    const reading = readings.find(
      ({ sourceId }) => sourceId === policy.sourceId,
    );
    const former = previous.find(({ type }) => type === policy.type);
    const unread = unreadBy(policy, { reading, previewId: subject.id, now });
    if (unread?.reason === 'NotReadYet' && former) {
      // A writer that has just begun knows nothing better.
      outcome.conditions.push(former);
      continue;
    }
    if (unread) {
      outcome.conditions.push(unknownOf(policy, unread, former, now));
      continue;
    }
    const found = policy.evaluate({
      preview: subject,
      facts: reading?.facts.get(subject.id),
      now,
    });
    if (found === 'failed') {
      const failure = {
        reason: 'SourceUnavailable',
        params: { source: policy.sourceId },
      };
      outcome.conditions.push(unknownOf(policy, failure, former, now));
      outcome.lookAgainAt.push(addSeconds(now, FAILED_LOOK_SECONDS));
    } else if (found) {
      outcome.conditions.push(conditionOf(policy, found, former, now));
      outcome.lookAgainAt.push(...(found.lookAgainAt ?? []));
    }
  }
  return outcome;
}

function knownOf(
  condition: FurtherCondition | undefined,
): FurtherCondition['lastKnown'] {
  if (!condition || condition.status === 'Unknown') {
    return condition?.lastKnown;
  }
  const { status, reason, params, effect, message } = condition;
  const sentences = condition.sentences ?? { en: message };
  return { status, reason, params, effect, sentences };
}

/** Becoming unknown is an event of the source: what was known stays. */
function unknownOf(
  policy: FurtherPolicy,
  found: { reason: string; params: Record<string, string>; sentences?: Texts },
  former: FurtherCondition | undefined,
  now: string,
): FurtherCondition {
  const known = knownOf(former);
  const base = {
    type: policy.type,
    title: policy.title,
    status: 'Unknown' as const,
    reason: found.reason,
    effect: 'unknown' as const,
    blocksLive: policy.blocksLive,
    params: found.params,
    message: '',
    since: former?.since ?? now,
    observedAt: former?.observedAt ?? now,
    ...(known && { lastKnown: known }),
  };
  return {
    ...base,
    message: renderFurtherCondition(base, { catalogue: english }),
  };
}

function conditionOf(
  policy: FurtherPolicy,
  found: FurtherVerdict,
  former: FurtherCondition | undefined,
  now: string,
): FurtherCondition {
  const { status, reason, effect, params, sentences } = found;
  const known = knownOf(former);
  const isSame =
    status === 'Unknown'
      ? former?.status === 'Unknown'
      : known?.status === status && known.reason === reason;
  return {
    type: policy.type,
    title: policy.title,
    status,
    reason,
    effect: status === 'Unknown' ? 'unknown' : effect,
    blocksLive: policy.blocksLive,
    params,
    message: sentences.en,
    sentences,
    since: isSame && former ? former.since : now,
    observedAt: now,
    ...(status === 'Unknown' && known && { lastKnown: known }),
  };
}

/** What is False, or was when it was last known; a fact that holds holds nobody back. */
function failingEffect(condition: FurtherCondition): ReasonEffect | undefined {
  const { status, effect } =
    condition.status === 'Unknown'
      ? condition.lastKnown ?? condition
      : condition;
  return status === 'False' ? effect : undefined;
}

/** Only those that say so hold the preview back, by what was last known. */
export function furtherEffects(
  conditions: readonly FurtherCondition[],
): FurtherEffects {
  const effects = conditions
    .filter(({ blocksLive }) => blocksLive)
    .map(failingEffect);
  return {
    furtherBlocked: effects.includes('blocked'),
    furtherWaiting: effects.includes('waiting'),
  };
}

/** Phases that are explained by the plugin's own conditions alone. */
const OWN_PHASES: ReadonlySet<Phase> = new Set([
  'Unknown',
  'TearingDown',
  'Orphaned',
  'NotSelected',
  'Gone',
]);

/**
 * The further condition whose sentence belongs into the row, by how much it says
 * about the phase: it blocks or waits, or someone should know.
 */
export function explainingFurther(
  phase: Phase,
  conditions: readonly FurtherCondition[],
):
  | { condition: FurtherCondition; weight: 'blocked' | 'waiting' | 'warning' }
  | undefined {
  if (OWN_PHASES.has(phase)) {
    return undefined;
  }
  for (const weight of ['blocked', 'waiting'] as const) {
    const condition = conditions.find(
      candidate => candidate.blocksLive && failingEffect(candidate) === weight,
    );
    if (condition) {
      return { condition, weight };
    }
  }
  const condition = conditions.find(({ status, effect, blocksLive }) =>
    status === 'False' && !blocksLive
      ? effect !== 'fulfilled'
      : effect === 'warning',
  );
  return condition && { condition, weight: 'warning' };
}

/** What a row says of a further condition: of one that is unknown, what was last known. */
export function sentenceOfFurther(condition: FurtherCondition): {
  reason: NonNullable<Preview['reason']>;
  message: string;
} {
  const { type, lastKnown } = condition;
  const { reason, params, sentences } = lastKnown ?? condition;
  return {
    reason: { type, reason, params, ...(sentences && { sentences }) },
    message: sentences?.en ?? condition.message,
  };
}

/** Ids of sources that further conditions wait for. */
export function furtherStale(
  conditions: readonly FurtherCondition[],
): string[] {
  return conditions.flatMap(({ reason, status, params, sentences }) =>
    status === 'Unknown' &&
    !sentences &&
    reason === 'SourceUnavailable' &&
    typeof params.source === 'string'
      ? [params.source]
      : [],
  );
}

/** Changes of further conditions; becoming unknown is none. */
export function furtherTransitions(
  before: readonly FurtherCondition[],
  after: readonly FurtherCondition[],
): Pick<
  Transition,
  | 'kind'
  | 'type'
  | 'from'
  | 'to'
  | 'reason'
  | 'params'
  | 'message'
  | 'sentences'
>[] {
  return after.flatMap(condition => {
    const { type, status, reason, params, message, sentences } = condition;
    const known = knownOf(before.find(former => former.type === type));
    return status === 'Unknown' ||
      (known?.status === status && known.reason === reason)
      ? []
      : [
          {
            kind: 'condition' as const,
            type,
            ...(known && { from: known.status }),
            to: status,
            reason,
            params,
            message,
            ...(sentences && { sentences }),
          },
        ];
  });
}
