import { MergeRequestFact } from '../model';
import type { ObservedApplication, ObservedNamespace } from './gather';
import { GeneratorUse, namesFor } from './generator';
import { namespacesBeside } from './listed';

/** What a preview is judged by. */
export interface CurrentParts {
  applications: readonly ObservedApplication[];
  namespaces: readonly ObservedNamespace[];
}

/**
 * The parts of a preview that are not about to go. Where several sets take a project's
 * MRs, one may select an MR no more, since a label went or its target is another one,
 * while another one does: what is torn down then is no trouble of what serves. Where no
 * set selects the MR, or what is selected is not there yet, all parts are current. So it
 * is where a set names an Application by what has changed, such as the commit.
 */
export function currentParts(options: {
  applications: readonly ObservedApplication[];
  namespaces: readonly ObservedNamespace[];
  /** Sets that list the MR's project. */
  uses: readonly GeneratorUse[];
  /** Those of them that select the MR. */
  selecting: readonly GeneratorUse[];
  /** Undefined where it is not read: then it is not known what goes. */
  mergeRequest: MergeRequestFact | undefined;
}): CurrentParts {
  const { applications, namespaces, uses, mergeRequest } = options;
  if (!mergeRequest || applications.length < 2) {
    return { applications, namespaces };
  }
  const { selecting } = options;
  const isOfOne = (
    { set }: ObservedApplication,
    among: readonly GeneratorUse[],
  ) => among.some(use => use.set.meta.uid === set?.meta.uid);
  const isLeaving = (application: ObservedApplication) =>
    isOfOne(application, selecting)
      ? isReplaced(application, { applications, selecting, mergeRequest })
      : // One whose set is not known, or lists other projects, stays until somebody deletes it.
        isOfOne(application, uses) || isDeleted(application);
  const leaving = applications.filter(isLeaving);
  if (
    leaving.length === 0 ||
    !applications.some(application => isOfOne(application, selecting))
  ) {
    return { applications, namespaces };
  }
  const current = applications.filter(
    application => !leaving.includes(application),
  );
  return {
    applications: current,
    namespaces: namespaces.filter(
      namespace =>
        current.some(application => isIn(application, namespace)) ||
        !leaving.some(application => isIn(application, namespace)),
    ),
  };
}

function isDeleted({ fact }: ObservedApplication): boolean {
  return fact.meta.deletionRequestedAt !== undefined;
}

/** One that is deleted, of a set that gives another name now and has made that one. */
function isReplaced(
  application: ObservedApplication,
  options: {
    applications: readonly ObservedApplication[];
    selecting: readonly GeneratorUse[];
    mergeRequest: MergeRequestFact;
  },
): boolean {
  const { applications, selecting, mergeRequest } = options;
  if (!isDeleted(application)) {
    return false;
  }
  const ofSet = ({ set }: { set?: { meta: { uid: string } } }) =>
    set?.meta.uid === application.set?.meta.uid;
  const names = new Set(
    selecting.filter(ofSet).flatMap(use => namesFor(use, mergeRequest)),
  );
  const isNamed = ({ fact }: ObservedApplication) => names.has(fact.meta.name);
  return (
    !isNamed(application) &&
    applications.some(other => ofSet(other) && isNamed(other))
  );
}

/** Whether an Application deploys to a namespace, or has something in it. */
function isIn(
  { destination, fact }: ObservedApplication,
  { cluster, name }: ObservedNamespace,
): boolean {
  return (
    destination?.cluster === cluster.cluster &&
    (fact.destination.namespace === name ||
      namespacesBeside(fact).some(beside => beside.name === name))
  );
}
