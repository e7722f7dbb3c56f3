import { ApplicationFact, ApplicationSetFact } from '../../model';
import { ObservedApplication } from '../gather';
import { setName, updatesApplications } from '../generator';
import { kindUnknown } from '../readability';
import { shownRevision } from '../shownRevision';
import { Verdict, verdict, worst } from '../verdict';
import { errorOfSet } from './applicationGenerated';
import { PolicyContext } from './context';

const TYPE = 'Synced';

/** Whether Argo CD applied the commit that the set expects; the worst of all Applications. */
export function synced(context: PolicyContext): Verdict | undefined {
  const { observed, wanted } = context;
  if (!wanted || observed.applications.length === 0) {
    return undefined;
  }
  return worst(
    TYPE,
    observed.current.applications.map(application =>
      ofApplication(application, context),
    ),
  );
}

function ofApplication(
  application: ObservedApplication,
  { observed, now, settings }: PolicyContext,
): Verdict {
  const cluster = observed.index.clusters.get(application.cluster)!;
  const unread = kindUnknown(TYPE, cluster, 'applications', { now, settings });
  if (unread) {
    return unread;
  }
  const { fact } = application;
  return (
    specError(fact, observed) ??
    failedOperation(fact) ??
    olderCommit(application) ??
    bySyncStatus(fact)
  );
}

function olderCommit({
  fact,
  commit,
  set,
}: ObservedApplication): Verdict | undefined {
  const { wantedByArgo: wanted, expected, wantsHead } = commit;
  if (wanted === undefined || expected === undefined || wantsHead) {
    return undefined;
  }
  const facts = { application: fact.meta.name, wanted, expected };
  return set && !updatesApplications(set)
    ? verdict(TYPE, 'False', 'OldCommitKept', {
        ...facts,
        applicationSet: setName(set),
      })
    : verdict(TYPE, 'False', 'OldCommit', {
        ...facts,
        error: set && errorThatKeeps(fact.meta.name, set),
      });
}

/** What keeps a set from updating an Application: an error of all of it, or of this one. */
function errorThatKeeps(
  application: string,
  set: ApplicationSetFact,
): string | undefined {
  const error = errorOfSet(set);
  return error &&
    (error.generates === 'none' ||
      (error.generates === 'others' &&
        wordsOf(error.message).includes(application)))
    ? error.message
    : undefined;
}

/** Names are words of letters, digits, dashes and dots, of which a sentence has some more at its end. */
function wordsOf(message: string): string[] {
  return message.split(/[^\w.-]+|\.(?=\s|$)/);
}

function specError(
  fact: ApplicationFact,
  observed: PolicyContext['observed'],
): Verdict | undefined {
  const application = fact.meta.name;
  const invalid = fact.conditions.find(
    ({ type }) => type === 'InvalidSpecError',
  );
  if (invalid) {
    return verdict(TYPE, 'False', 'InvalidSpec', {
      application,
      error: invalid.message,
    });
  }
  const comparison = fact.conditions.find(
    ({ type }) => type === 'ComparisonError',
  );
  if (!comparison) {
    return undefined;
  }
  const sha = /unable to resolve '?([^'\s]+)'? to a commit SHA/i.exec(
    comparison.message,
  )?.[1];
  if (sha && observed.mergeRequest?.fact.fork) {
    const project = observed.project?.fact.path ?? '';
    return verdict(TYPE, 'False', 'CommitNotInProject', {
      application,
      sha,
      project,
    });
  }
  return verdict(TYPE, 'False', 'ComparisonError', {
    application,
    error: comparison.message,
    resources: outOfSyncResources(fact),
  });
}

function failedOperation(fact: ApplicationFact): Verdict | undefined {
  const { operation } = fact;
  const application = fact.meta.name;
  if (!operation || isSuperseded(fact)) {
    return undefined;
  }
  const hook = operation.resources.find(
    ({ hookPhase, hookType }) =>
      hookType !== undefined &&
      (hookPhase === 'Failed' || hookPhase === 'Error'),
  );
  if (hook && operation.phase !== 'Succeeded') {
    return verdict(TYPE, 'False', 'HookFailed', {
      application,
      hook: `${hook.hookType} ${hook.kind} ${hook.name}`,
      error: hook.message ?? '',
    });
  }
  const failed = operation.phase === 'Failed' || operation.phase === 'Error';
  const syncError = fact.conditions.find(({ type }) => type === 'SyncError');
  if (!failed && !syncError) {
    return undefined;
  }
  return verdict(TYPE, 'False', 'SyncFailed', {
    application,
    error: operation.message || syncError?.message || '',
    resources: operation.resources
      .filter(({ status }) => status === 'SyncFailed')
      .map(({ kind, name }) => `${kind} ${name}`),
  });
}

/** The failure is of another revision than the one that is in sync now. */
function isSuperseded({ operation, sync }: ApplicationFact): boolean {
  return (
    sync.status === 'Synced' &&
    operation !== undefined &&
    operation.revisions.length > 0 &&
    sync.revisions.length > 0 &&
    operation.revisions.join() !== sync.revisions.join()
  );
}

function outOfSyncResources(fact: ApplicationFact): string[] {
  return fact.resources
    .filter(({ status }) => status === 'OutOfSync')
    .map(({ kind, name }) => `${kind} ${name}`);
}

function bySyncStatus(fact: ApplicationFact): Verdict {
  const application = fact.meta.name;
  const running =
    fact.operation?.phase === 'Running' ||
    fact.operation?.phase === 'Terminating';
  if (running || fact.operationRequested) {
    const startedAt = running ? fact.operation?.startedAt : undefined;
    return verdict(TYPE, 'False', 'SyncRunning', { application, startedAt });
  }
  switch (fact.sync.status) {
    case 'Synced':
      return verdict(TYPE, 'True', 'Synced', {
        revision: shownRevision(fact),
      });
    case 'OutOfSync':
      return verdict(TYPE, 'False', 'OutOfSync', {
        application,
        resources: outOfSyncResources(fact),
      });
    default:
      return verdict(TYPE, 'False', 'NeverSynced', { application });
  }
}
