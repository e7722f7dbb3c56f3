import { StoredFinding } from '../../model';
import { isEqual } from '../sameness';
import { Found } from './found';
import { Readings } from './Readings';

export interface SettledFindings {
  /** Not there before, or over before. */
  opened: StoredFinding[];
  /** There before, and something of them is another now. */
  changed: StoredFinding[];
  /** Over, with the time. */
  resolved: StoredFinding[];
}

/**
 * Compares what a pass found with what was found before. While something that a
 * finding rests on is not read, it neither begins nor changes nor ends.
 *
 * @param open - by id.
 */
export function settleFindings(options: {
  open: ReadonlyMap<string, StoredFinding>;
  found: readonly Found[];
  readings: Readings;
  now: string;
}): SettledFindings {
  const { open, found, readings, now } = options;
  const settled: SettledFindings = { opened: [], changed: [], resolved: [] };
  const seen = new Set<string>();
  for (const { certain, ...rest } of found) {
    const { id } = rest.finding;
    if (seen.has(id)) {
      continue;
    }
    seen.add(id);
    if (!certain || !readings.areKnown(rest.restsOn)) {
      continue;
    }
    const before = open.get(id);
    const { previewIds, evidence, ...facts } = rest.finding;
    const after: StoredFinding = {
      ...rest,
      finding: {
        ...facts,
        since: before?.finding.since ?? now,
        previewIds,
        evidence,
      },
    };
    if (!before) {
      settled.opened.push(after);
    } else if (!isEqual(before, after)) {
      settled.changed.push(after);
    }
  }
  for (const [id, stored] of open) {
    if (!seen.has(id) && isOver(stored, readings)) {
      settled.resolved.push({
        ...stored,
        finding: { ...stored.finding, resolvedAt: now },
      });
    }
  }
  return settled;
}

/** Whether it can be told that what is found no more is over. */
function isOver(
  { finding, applicationSets, restsOn }: StoredFinding,
  readings: Readings,
): boolean {
  const areSetsGone =
    applicationSets.length > 0 &&
    applicationSets.every(set => readings.isSetGone(set));
  return (
    areSetsGone ||
    isSubjectGone(finding, readings) ||
    readings.areKnown(restsOn)
  );
}

/** Without the object, nothing has to be known of the MRs that it might belong to. */
function isSubjectGone(
  { type, subject }: StoredFinding['finding'],
  readings: Readings,
): boolean {
  switch (type) {
    case 'Unjoined':
      return readings.isApplicationGone(subject);
    case 'NamespaceLeft':
    case 'NamespaceMaybeLeft':
      return readings.isNamespaceGone(subject);
    default:
      return false;
  }
}
