import {
  FurtherPolicy,
  MergeRequestKey,
  previewIdOf,
  StoredPreview,
} from '../model';
import { decide, Decision } from './decide';
import { DecisionCache } from './decisionCache';
import { furtherInputs } from './further';
import { gather, Observed } from './gather';
import { HeadChecks } from './headChecks';
import { PassBasis } from './PassBasis';
import { DecisionSettings } from './settings';
import { addSeconds } from './time';
import { keyString } from './worldIndex';

/** How soon a preview is looked at again that waits for GitLab's word. */
const HEAD_CHECK_SECONDS = 2;

/** What every decision of a pass is made with, besides the world. */
export interface Deciding {
  /** By key string; those that are not ended, and ended ones whose MR was read again. */
  stored: ReadonlyMap<string, StoredPreview>;
  settings: DecisionSettings;
  /** How long the steps of a service usually take, by a preview's id. */
  usualOf?: (previewId: string) => Partial<Record<string, number>>;
  /** What earlier passes decided; saves deciding again what nothing has changed for. */
  cache?: DecisionCache;
  /** Which heads GitLab was asked for by earlier passes. */
  headChecks?: HeadChecks;
  /** Sets whose previews do not become orphans, as `cluster:namespace/name`. */
  frozenSets?: ReadonlySet<string>;
  /** Conditions that modules added. */
  further?: readonly FurtherPolicy[];
  now: string;
}

/** One preview's decision, and what it was made from. */
export interface PreviewOutcome {
  observed: Observed;
  /** Undefined when nothing was ever known of it. */
  decision?: Decision;
  /** Paths that entities limit it to. */
  paths: readonly string[];
}

/** Gathers and decides one preview of the world that a pass is based on. */
export function decidePreview(
  key: MergeRequestKey,
  options: Deciding & { basis: PassBasis },
): PreviewOutcome {
  const { basis, stored, settings, usualOf, cache, headChecks, now } = options;
  const id = keyString(key);
  const previous = stored.get(id);
  const { index, entityLinks } = basis;
  const observed = gather({
    key,
    index,
    joined: basis.joinedTo(id),
    intended: basis.intended,
    hostsInUse: basis.hostsInUse,
    previous,
  });
  // Without a catalog it is not known who claims what; that nobody does would
  // hide the preview from its owners.
  const entities =
    observed.project && index.world.catalog.state !== 'pending'
      ? entityLinks.entitiesOf(observed, previous)
      : undefined;
  const entityRefs =
    entities?.map(({ entityRef }) => entityRef) ??
    previous?.preview.entityRefs ??
    [];
  const timesToLive = entities?.map(({ timeToLive }) => timeToLive);
  const paths = entityLinks.pathsOf(observed, previous);
  if (previous && headChecks?.isPending(observed, previous, now)) {
    const decision: Decision = {
      change: { stored: previous, before: previous, transitions: [] },
      unchanged: true,
      lookAgainAt: addSeconds(now, HEAD_CHECK_SECONDS),
    };
    return { observed, decision, paths };
  }
  const previewId = previous?.preview.id ?? previewIdOf(key);
  const usual = usualOf?.(previewId);
  const inputs =
    cache?.inputsOf(observed, {
      entityRefs,
      timesToLive,
      usual,
      further: furtherInputs({
        policies: options.further ?? [],
        readings: index.world.further ?? [],
        previewId,
        now,
      }),
    }) ?? [];
  const known = cache?.find(id, inputs, previous, now);
  const decision =
    known ??
    decide({
      observed,
      previous,
      entityRefs,
      timesToLive,
      settings,
      usual,
      frozenSets: options.frozenSets,
      further: options.further,
      now,
    });
  if (decision && !known) {
    cache?.remember(id, inputs, previous, decision);
  }
  return { observed, decision, paths };
}
