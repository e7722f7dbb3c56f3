import {
  CheckId,
  CheckResult,
  CheckSeverity,
  EntityChecks,
} from '@previews/backstage-plugin-previews-common';
import {
  CheckedRepository,
  runReadinessChecks,
} from '@previews/backstage-plugin-previews-node';
import { ObjectAnswer, SetUpKind } from '../model';
import { namespacedKinds, WantedObjects } from './requestsOf';
import { EntitySetUp } from './setUpOf';

/** More than these nobody reads, nor is more of them kept. */
const MAXIMUM_RESULTS = 50;

/** Found only where it is known that none of these say otherwise. */
const restsOn: Partial<Record<CheckId, readonly SetUpKind[]>> = {
  SingleReplica: ['HorizontalPodAutoscaler', 'ScaledObject'],
};

export type Answered = WantedObjects & { answer: ObjectAnswer };

/** Runs the checks over all that was read of a set-up. */
export function checkSetUp(options: {
  setUp: EntitySetUp;
  answers: readonly Answered[];
  repositories: readonly CheckedRepository[];
  /** Absent where nobody can know. */
  webhookSeen?: boolean;
  /** Ids of sources that were not read. */
  incomplete: readonly string[];
  /** ISO. */
  now: string;
}): EntityChecks {
  const { setUp, answers, repositories, webhookSeen, now } = options;
  const { project, service } = setUp;
  const completeKinds = completeKindsOf(answers);
  const found = runReadinessChecks({
    manifests: answers.flatMap(({ request, environment, answer }) =>
      answer.state === 'read'
        ? answer.objects.map(object => ({
            source: { cluster: request.cluster },
            object,
            ...(environment && { environment }),
          }))
        : [],
    ),
    context: {
      service,
      ...(project && { projectId: project.id, project: project.path }),
      completeKinds,
      ...(webhookSeen !== undefined && { webhookSeen }),
      repositories,
    },
  });
  return entityChecks(
    found.filter(result => isFounded(result, { answers, completeKinds })),
    { checkedAt: now, incomplete: [...new Set(options.incomplete)].sort() },
  );
}

export function entityChecks(
  results: readonly CheckResult[],
  { checkedAt, incomplete }: Pick<EntityChecks, 'checkedAt' | 'incomplete'>,
): EntityChecks {
  const counts: Partial<Record<CheckSeverity, number>> = {};
  for (const { severity } of results) {
    counts[severity] = (counts[severity] ?? 0) + 1;
  }
  return {
    results: results.slice(0, MAXIMUM_RESULTS),
    counts,
    checkedAt,
    incomplete,
  };
}

/** Kinds of which every object of every namespace was read. */
function completeKindsOf(answers: readonly Answered[]): SetUpKind[] {
  return namespacedKinds.filter(kind => {
    const ofKind = answers.filter(({ request }) => request.kind === kind);
    return (
      ofKind.length > 0 &&
      ofKind.every(({ answer }) => answer.state === 'read' && !answer.isCut)
    );
  });
}

function isFounded(
  { id, subject }: CheckResult,
  options: {
    answers: readonly Answered[];
    completeKinds: readonly SetUpKind[];
  },
): boolean {
  const { answers, completeKinds } = options;
  if (id === 'DefaultProject') {
    // An AppProject may be elsewhere, or not for us to read: it may be a narrow one.
    return answers.some(
      ({ request, answer }) =>
        request.kind === 'AppProject' &&
        request.name === 'default' &&
        request.cluster === subject.cluster &&
        answer.state === 'read' &&
        answer.objects.length > 0,
    );
  }
  return (restsOn[id] ?? []).every(kind => completeKinds.includes(kind));
}
