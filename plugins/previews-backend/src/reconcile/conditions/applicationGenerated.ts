import { ApplicationSetFact, MergeRequestFact } from '../../model';
import type { ObservedApplication } from '../gather';
import {
  namesFor,
  selects,
  setName,
  setReference,
  GeneratorUse,
} from '../generator';
import { relevantClusters } from '../homes';
import { kindUnknown } from '../readability';
import { Verdict, verdict, worst } from '../verdict';
import { isSelected } from '../nameIndex';
import { keyString } from '../worldIndex';
import { PolicyContext } from './context';

const TYPE = 'ApplicationGenerated';

/**
 * Whether an Application exists for every set that selects the MR, and if not,
 * what the set says about it.
 */
export function applicationGenerated(
  context: PolicyContext,
): Verdict | undefined {
  const { observed, wanted } = context;
  if (!wanted) {
    return undefined;
  }
  const missing = missingUses(context).map(use => whyMissing(use, context));
  if (missing.length > 0) {
    return worst(TYPE, missing);
  }
  const { applications } = observed.current;
  if (applications.length === 0) {
    return notRead(context);
  }
  const unread = applications
    .map(({ cluster }) =>
      kindUnknown(
        TYPE,
        observed.index.clusters.get(cluster)!,
        'applications',
        context,
      ),
    )
    .find(found => found !== undefined);
  if (unread) {
    return unread;
  }
  // One that goes with its former set is no loss where another is there.
  const counting = applications.filter(({ set }) => set !== undefined);
  const deleting = (counting.length > 0 ? counting : applications).find(
    ({ fact }) => fact.meta.deletionRequestedAt !== undefined,
  );
  if (deleting) {
    const { name, deletionRequestedAt } = deleting.fact.meta;
    return verdict(TYPE, 'False', 'Deleting', {
      application: name,
      since: deletionRequestedAt!,
    });
  }
  return (
    frozenBySet(context) ??
    verdict(TYPE, 'True', 'Generated', {
      applications: applications.map(({ fact }) => fact.meta.name),
    })
  );
}

/**
 * An Application exists, but its set creates, updates and deletes nothing while
 * its generator errs: the next commit will not arrive. Where Argo CD rejects single
 * Applications, the others proceed.
 */
function frozenBySet({ observed }: PolicyContext): Verdict | undefined {
  for (const { set } of observed.current.applications) {
    const error = set && errorOfSet(set);
    if (error?.generates === 'none') {
      return verdict(TYPE, 'True', 'FrozenByGenerator', {
        applicationSet: setName(set!),
        error: error.message,
      });
    }
  }
  return undefined;
}

/** Uses that select the MR and whose set has too few Applications for it; one a set. */
function missingUses({ observed }: PolicyContext): GeneratorUse[] {
  const { mergeRequest, uses, applications } = observed;
  if (!mergeRequest) {
    return [];
  }
  const { fact } = mergeRequest;
  const bySet = new Map<ApplicationSetFact, GeneratorUse[]>();
  for (const use of uses) {
    if (selects(use, fact).selected) {
      bySet.set(use.set, [...(bySet.get(use.set) ?? []), use]);
    }
  }
  return [...bySet.values()].flatMap(ofSet => {
    const [{ cluster, set }] = ofSet;
    const present = applications.filter(
      application => application.cluster === cluster && application.set === set,
    );
    return present.length < owedBy(ofSet, fact)
      ? [missingOf(ofSet, { present, mergeRequest: fact })]
      : [];
  });
}

/**
 * How many Applications a set owes an MR: as many as a list in a matrix gives names for
 * it, and one where that cannot be told. Names are counted, not compared: a newer Argo CD
 * may make them otherwise.
 */
function owedBy(
  uses: readonly GeneratorUse[],
  mergeRequest: MergeRequestFact,
): number {
  if (uses.length === 1) {
    return 1;
  }
  const names = uses.map(
    (use): string | undefined => namesFor(use, mergeRequest)[0],
  );
  return names.includes(undefined) ? 1 : new Set(names).size;
}

function missingOf(
  uses: readonly GeneratorUse[],
  options: {
    present: readonly ObservedApplication[];
    mergeRequest: MergeRequestFact;
  },
): GeneratorUse {
  const names = new Set(options.present.map(({ fact }) => fact.meta.name));
  const isThere = (use: GeneratorUse) =>
    namesFor(use, options.mergeRequest).some(name => names.has(name));
  return uses.find(use => !isThere(use)) ?? uses[0];
}

function whyMissing(
  use: GeneratorUse,
  { observed, now, settings }: PolicyContext,
): Verdict {
  const cluster = observed.index.clusters.get(use.cluster)!;
  const unread = kindUnknown(TYPE, cluster, 'applications', { now, settings });
  if (unread) {
    return unread;
  }
  const applicationSet = setName(use.set);
  const hindrance = takenName(use, observed);
  if (hindrance) {
    return hindrance;
  }
  const error = errorOfSet(use.set);
  if (error && error.generates !== 'all') {
    const reason =
      error.generates === 'none' ? 'GeneratorError' : 'ValidationError';
    return verdict(TYPE, 'False', reason, {
      applicationSet,
      error: error.message,
    });
  }
  const { requeueAfterSeconds } = use.set;
  return verdict(TYPE, 'False', 'NotPolledYet', {
    applicationSet,
    requeueAfterSeconds,
  });
}

/** What a set goes on with while it reports an error. */
interface WorkLeft {
  /** Which Applications it creates and updates: all, none, or all but those that the error is of. */
  generates: 'all' | 'others' | 'none';
  deletes: boolean;
}

/**
 * By reason. Argo CD creates and updates one after the other and goes on with the
 * next where one fails, but comes to deleting only where none did.
 */
const WORK_LEFT: ReadonlyMap<string, WorkLeft> = new Map([
  ['ApplicationValidationError', { generates: 'others', deletes: true }],
  ['CreateApplicationError', { generates: 'others', deletes: false }],
  ['UpdateApplicationError', { generates: 'others', deletes: false }],
  ['DeleteApplicationError', { generates: 'all', deletes: false }],
]);

/** All others are of what the generator or the template gives, and stop everything. */
const NO_WORK_LEFT: WorkLeft = { generates: 'none', deletes: false };

/**
 * The error that a set reports. A condition of type ErrorOccurred counts only
 * with status True: with False it says that all is well.
 */
export function errorOfSet(
  set: ApplicationSetFact,
): (WorkLeft & { message: string }) | undefined {
  const error = set.conditions.find(
    ({ type, status }) => type === 'ErrorOccurred' && status === 'True',
  );
  return (
    error && {
      ...(WORK_LEFT.get(error.reason ?? '') ?? NO_WORK_LEFT),
      message: error.message,
    }
  );
}

/**
 * What keeps the name that this MR would get: an Application that is another MR's, or
 * one that is being deleted. One that an MR left which is not selected any more goes, or
 * becomes this MR's; so does the MR's own that has no set any more, as where its set was
 * made anew under another name.
 */
function takenName(
  use: GeneratorUse,
  { index, mergeRequest, key, applications }: PolicyContext['observed'],
): Verdict | undefined {
  const names = mergeRequest ? namesFor(use, mergeRequest.fact) : [];
  const { namespace = '' } = use.set.meta;
  for (const name of names) {
    const fact = index.applicationNamed(use.cluster, namespace, name);
    if (!fact) {
      continue;
    }
    const { owner: reference, deletionRequestedAt } = fact.meta;
    const owner = index.setByUid(reference?.uid);
    const other = owner && otherMergeRequestOf(owner.set, name, index, key);
    if (other) {
      return verdict(TYPE, 'False', 'NameCollision', { name, other });
    }
    if (deletionRequestedAt !== undefined) {
      return verdict(TYPE, 'False', 'Deleting', {
        application: name,
        since: deletionRequestedAt,
      });
    }
    const isLeft = reference
      ? !owner && reference.kind === 'ApplicationSet'
      : applications.some(application => application.fact === fact);
    if (owner?.set !== use.set && !isLeft) {
      return verdict(TYPE, 'False', 'NameCollision', {
        name,
        other: owner ? setReference(owner.cluster, owner.set) : 'another owner',
      });
    }
  }
  return undefined;
}

function otherMergeRequestOf(
  set: ApplicationSetFact,
  name: string,
  index: PolicyContext['observed']['index'],
  key: PolicyContext['observed']['key'],
): string | undefined {
  for (const use of index.usesOfSet(set)) {
    for (const project of index.projectsOf(use)) {
      for (const reading of project.mergeRequests.values()) {
        const { fact } = reading;
        if (
          keyString(fact.key) !== keyString(key) &&
          isSelected(use, reading) &&
          namesFor(use, fact).includes(name)
        ) {
          return `${project.fact.path}!${fact.key.iid}`;
        }
      }
    }
  }
  return undefined;
}

/** No set is readable, or none is known to want it any more: what the Applications' reading allows. */
function notRead({
  observed,
  now,
  settings,
}: PolicyContext): Verdict | undefined {
  const unread = relevantClusters(observed)
    .map(cluster =>
      kindUnknown(TYPE, cluster, 'applications', { now, settings }),
    )
    .find(found => found !== undefined);
  return (
    unread ??
    verdict(TYPE, 'Unknown', 'NotReadYet', {
      source: `gitlab:${observed.key.host}`,
    })
  );
}
