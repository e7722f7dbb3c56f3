import {
  CommitDistance,
  DriftedResource,
  HandChange,
  TierState,
} from '@previews/backstage-plugin-previews-common';
import { Translate } from '../../words';
import { healthTone, shortSha, syncTone, Tone } from '../shared';

/** What has been put back is news for a day; later it is in the details only. */
const NEWS_MILLISECONDS = 24 * 3_600_000;

function isCommit(value: string): boolean {
  return /^[0-9a-f]{7,64}$/i.test(value);
}

/** `shop-v1.42.0` without the digest, which says nothing to a reader. */
function tagOf(image: string): string {
  return image.split('@')[0];
}

/**
 * What runs, in few words: `v1.42.0` where a release pins it, `main @ 9f8e7d61`
 * where a branch is followed; undefined where nothing is known.
 */
export function revisionName(tier: TierState): string | undefined {
  const { targetRevision, revision, image, pin } = tier;
  if (pin?.line === 'newTag' && image) {
    return tagOf(image);
  }
  if (!targetRevision || targetRevision === revision) {
    return revision ? shortSha(revision) : targetRevision;
  }
  if (pin?.line === 'targetRevision' || !revision) {
    return shortSha(targetRevision);
  }
  return isCommit(targetRevision)
    ? shortSha(revision)
    : `${targetRevision} @ ${shortSha(revision)}`;
}

/** Page of the commit that is synced. */
export function revisionUrl({
  revision,
  release,
}: TierState): string | undefined {
  const commit = release?.commit;
  // After a new revision the release may still be of the one before.
  return commit && commit.sha === revision ? commit.webUrl : undefined;
}

/** What is wrong with a tier, in Argo CD's own words; empty when all is well. */
export function concerns(tier: TierState): { word: string; tone: Tone }[] {
  return [
    { word: tier.health, tone: healthTone(tier.health) },
    { word: tier.sync, tone: syncTone(tier.sync) },
  ].filter(
    // `Unknown` twice says no more than once.
    ({ word, tone }, index, all) =>
      word && tone !== 'good' && !(index > 0 && all[0].word === word),
  );
}

/** `12 commits behind dev`. */
export function distanceText(
  { from, behind, atLeast }: CommitDistance,
  t: Translate,
): string {
  if (atLeast) {
    return t('tier.behindAtLeast', { number: String(behind), from });
  }
  if (behind === 0) {
    return t('tier.level', { from });
  }
  return behind === 1
    ? t('tier.behindOne', { from })
    : t('tier.behind', { number: String(behind), from });
}

/** A drifted resource of a tier, with the change by hand that is told. */
export interface Drift {
  tier: string;
  resource: DriftedResource;
  change?: HandChange;
  /** It is as Git has it again. */
  restored: boolean;
}

/** What is not put back first, and before the rest what was changed by hand. */
function byUrgency(left: Drift, right: Drift): number {
  return (
    Number(left.restored) - Number(right.restored) ||
    Number(right.change !== undefined) - Number(left.change !== undefined)
  );
}

/** Everything of a tier that drifted. */
export function driftsOf({ tier, drift }: TierState): Drift[] {
  return drift
    .flatMap((resource): Drift[] => {
      const changes = resource.changes ?? [];
      if (changes.length === 0) {
        return resource.status === 'OutOfSync'
          ? [{ tier, resource, restored: false }]
          : [];
      }
      return changes.map(change => ({
        tier,
        resource,
        change,
        restored: change.restoredAt !== undefined,
      }));
    })
    .sort(byUrgency);
}

/** What is told below the strip: what is not put back, and what lately was. */
export function newsOf(tiers: readonly TierState[], now: number): Drift[] {
  return tiers
    .flatMap(driftsOf)
    .filter(
      ({ change }) =>
        change?.restoredAt === undefined ||
        now - Date.parse(change.restoredAt) < NEWS_MILLISECONDS,
    )
    .sort(byUrgency);
}
