import type { ObservedApplication, ObservedNamespace } from './gather';
import { GeneratorUse } from './generator';
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
 * set selects the MR, or what is selected is not there yet, all parts are current.
 */
export function currentParts(options: {
  applications: readonly ObservedApplication[];
  namespaces: readonly ObservedNamespace[];
  /** Sets that list the MR's project. */
  uses: readonly GeneratorUse[];
  /** Those of them that select the MR; undefined where it is not read. */
  selecting: readonly GeneratorUse[] | undefined;
}): CurrentParts {
  const { applications, namespaces, uses, selecting = [] } = options;
  const isOfOne = (
    { set }: ObservedApplication,
    among: readonly GeneratorUse[],
  ) => among.some(use => use.set.meta.uid === set?.meta.uid);
  const isLeaving = (application: ObservedApplication) =>
    !isOfOne(application, selecting) &&
    // One whose set is not known, or lists other projects, stays until somebody deletes it.
    (isOfOne(application, uses) ||
      application.fact.meta.deletionRequestedAt !== undefined);
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
