import {
  DriftedResource,
  HandChange,
} from '@previews/backstage-plugin-previews-common';
import { ApplicationFact } from '../../model';
import { latestFirst, MAXIMUM_CHANGES } from './handChanges';

/** More resources of one tier than this are not told. */
const MAXIMUM_RESOURCES = 50;

/** Names a resource of an Application. */
export type Resource = Pick<
  DriftedResource,
  'group' | 'kind' | 'namespace' | 'name'
>;

/** Changes that were found in the live object of a resource. */
export interface SeenChanges {
  resource: Resource;
  changes: readonly HandChange[];
}

export function resourceKey(resource: Resource): string {
  const { group, kind, namespace = '', name } = resource;
  return `${group}/${kind}/${namespace}/${name}`;
}

/** Resources that Argo CD calls out of sync; hooks come and go by themselves. */
export function outOfSync(fact: ApplicationFact): Resource[] {
  return fact.resources
    .filter(({ status, hook }) => status === 'OutOfSync' && !hook)
    .slice(0, MAXIMUM_RESOURCES)
    .map(({ group, kind, namespace, name }) => ({
      group,
      kind,
      ...(namespace !== undefined && { namespace }),
      name,
    }));
}

/**
 * The drift of a tier now: what is out of sync, with the changes by hand that were seen now, and
 * those that were seen before and have been put back since. Where it was not read what is by hand
 * now, what was known stays.
 *
 * @param options.seen - what was read of live objects since, in the order of time.
 * @param options.forgetBefore - ISO: what was put back before is let go of.
 */
export function mergeDrift(options: {
  before: readonly DriftedResource[];
  fact: ApplicationFact;
  seen: readonly SeenChanges[];
  now: string;
  forgetBefore: string;
}): DriftedResource[] {
  const { before, fact, now, forgetBefore } = options;
  const seen = new Map<string, SeenChanges>();
  for (const one of options.seen) {
    const key = resourceKey(one.resource);
    const changes = [...(seen.get(key)?.changes ?? []), ...one.changes];
    seen.set(key, { resource: one.resource, changes });
  }
  const known = new Map(before.map(one => [resourceKey(one), one]));
  const drifted = new Map(outOfSync(fact).map(one => [resourceKey(one), one]));
  const statuses = new Map(
    fact.resources.map(one => [resourceKey(one), one.status]),
  );
  const keys = new Set([...drifted.keys(), ...known.keys(), ...seen.keys()]);
  return [...keys]
    .flatMap((key): DriftedResource[] => {
      const isOut = drifted.has(key);
      const resource =
        drifted.get(key) ?? known.get(key) ?? seen.get(key)?.resource;
      if (!resource) {
        return [];
      }
      const status = isOut ? 'OutOfSync' : statusOf(statuses.get(key), fact);
      const changes = mergeChanges({
        before: known.get(key)?.changes ?? [],
        seen: seen.get(key)?.changes,
        restored: status === 'Synced' ? now : undefined,
      }).filter(
        ({ restoredAt }) =>
          restoredAt === undefined || restoredAt >= forgetBefore,
      );
      const { group, kind, namespace, name } = resource;
      return isOut || changes.length > 0
        ? [
            {
              group,
              kind,
              ...(namespace !== undefined && { namespace }),
              name,
              status,
              ...(changes.length > 0 && { changes }),
            },
          ]
        : [];
    })
    .slice(0, MAXIMUM_RESOURCES);
}

/** A resource that an Application does not tell of any more is what the Application as a whole is. */
function statusOf(
  status: string | undefined,
  { sync }: ApplicationFact,
): DriftedResource['status'] {
  const word = status ?? sync.status;
  return word === 'Synced' ? 'Synced' : 'Unknown';
}

function mergeChanges(options: {
  before: readonly HandChange[];
  seen: readonly HandChange[] | undefined;
  restored: string | undefined;
}): HandChange[] {
  const { before, seen, restored } = options;
  const merged = new Map<string, HandChange>();
  for (const change of [...before, ...(seen ?? [])]) {
    const key = `${change.manager} ${change.at}`;
    const older = merged.get(key);
    merged.set(key, older ? { ...older, ...change } : change);
  }
  return [...merged.values()]
    .map(change =>
      restored !== undefined && change.restoredAt === undefined
        ? { ...change, restoredAt: restored }
        : change,
    )
    .sort(latestFirst)
    .slice(0, MAXIMUM_CHANGES);
}
