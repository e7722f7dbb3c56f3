import {
  Condition,
  findReason,
  Preview,
} from '@previews/backstage-plugin-previews-common';
import { StoredPreview } from '../../model';
import { DecisionSettings } from '../settings';
import { hasElapsed } from '../time';
import { causeOf, Found, found, mergeRequestOfPreview } from './found';
import { PreviewParts } from './PreviewParts';

/*
 * Findings that follow from what was decided of one preview. Its conditions are
 * unknown while something they need is not read, with what was last known: then
 * what was found stays.
 */

/** A condition by what was last known, and whether that is known now. */
function known(
  preview: Preview,
  type: Condition['type'],
):
  | (Pick<Condition, 'reason' | 'params' | 'since'> & {
      status: string;
      certain: boolean;
    })
  | undefined {
  const condition = preview.conditions.find(one => one.type === type);
  if (!condition) {
    return undefined;
  }
  const { lastKnown, since } = condition;
  return condition.status === 'Unknown'
    ? lastKnown && { ...lastKnown, since, certain: false }
    : { ...condition, certain: true };
}

function isOpen({ mergeRequest: { state } }: Preview): boolean {
  return state === 'opened' || state === 'locked';
}

function nameOf(preview: Preview): string {
  return mergeRequestOfPreview(preview).name;
}

/** The MR is over, and a set that takes MRs of any state keeps its environment. */
export function keptByGenerator(
  stored: StoredPreview,
  parts: PreviewParts,
): Found[] {
  const { preview, memory } = stored;
  const selected = known(preview, 'Selected');
  if (selected?.reason !== 'KeptByGenerator') {
    return [];
  }
  return [
    found({
      type: 'KeptByGenerator',
      subject: mergeRequestOfPreview(preview),
      identity: preview.id,
      params: {
        mergeRequest: nameOf(preview),
        state: preview.mergeRequest.state,
      },
      cause: causeOf(preview, 'Selected'),
      previewIds: [preview.id],
      evidence: parts.of(stored),
      applicationSets: memory.selectedBy,
      certain: selected.certain,
    }),
  ];
}

/**
 * The MR is open and selected, and has no Application: at once where a person has
 * to do something, else when its set had the time to look twice.
 */
export function withoutEnvironment(
  { preview, memory }: StoredPreview,
  options: { settings: DecisionSettings; now: string },
): Found[] {
  const generated = known(preview, 'ApplicationGenerated');
  const selected = known(preview, 'Selected');
  if (
    !isOpen(preview) ||
    selected?.status !== 'True' ||
    generated?.status !== 'False'
  ) {
    return [];
  }
  const isBlocked =
    findReason('ApplicationGenerated', generated.reason)?.effect === 'blocked';
  const requeueSeconds = Number(generated.params.requeueAfterSeconds ?? 0);
  const graceSeconds = Math.max(
    2 * requeueSeconds,
    options.settings.minimumGraceSeconds,
  );
  if (!isBlocked && !hasElapsed(generated.since, options.now, graceSeconds)) {
    return [];
  }
  return [
    found({
      type: 'WithoutEnvironment',
      subject: mergeRequestOfPreview(preview),
      identity: preview.id,
      params: { mergeRequest: nameOf(preview) },
      cause: causeOf(preview, 'ApplicationGenerated'),
      previewIds: [preview.id],
      applicationSets: memory.selectedBy,
      certain: generated.certain && selected.certain,
    }),
  ];
}

/** Nobody wants it any more, and past the grace period nobody deletes what is left. */
export function withoutMergeRequest(
  stored: StoredPreview,
  parts: PreviewParts,
): Found[] {
  const { preview, memory } = stored;
  if (preview.phase !== 'Orphaned') {
    return [];
  }
  return [
    found({
      type: 'WithoutMergeRequest',
      subject: mergeRequestOfPreview(preview),
      identity: preview.id,
      params: {
        mergeRequest: nameOf(preview),
        ...(memory.unwantedSince !== undefined && {
          since: memory.unwantedSince,
        }),
      },
      cause: causeOf(preview, 'CleanedUp'),
      previewIds: [preview.id],
      evidence: parts.of(stored),
      certain: known(preview, 'CleanedUp')?.certain !== false,
    }),
  ];
}
