import { MergeRequestKey, StoredPreview, World } from '../model';
import { ClaimPolicy, EntityLink } from './claims';
import { Decision } from './decide';
import { decidePreview, Deciding } from './decidePreview';
import { byHostOf, Demand, demandOf } from './demand';
import { Observed } from './gather';
import { Unjoined } from './join';
import { PassBasis } from './PassBasis';
import { PathDemand } from './PathDemand';
import { keyString, WorldIndex } from './worldIndex';

export interface PassResult {
  /** By key string. */
  decisions: ReadonlyMap<string, Decision>;
  links: readonly EntityLink[];
  unjoined: readonly Unjoined[];
  demand: Demand;
  /** ISO: the earliest time at which time alone may change a decision. */
  lookAgainAt?: string;
  /** What the narrow passes until the next full one begin from. */
  basis: PassBasis;
}

/** Decides every preview of a world: a pure function of it, what is stored and the time. */
export function decideAll(
  options: Deciding & { world: World; isClaimAllowed: ClaimPolicy },
): PassResult {
  const { world, isClaimAllowed, ...deciding } = options;
  const { stored, settings, cache, headChecks, now } = deciding;
  const basis = PassBasis.create({
    world,
    stored,
    isClaimAllowed,
    settings,
    now,
  });
  const { index, joins, links } = basis;
  cache?.begin({ index, settings, now });
  headChecks?.begin();

  const decisions = new Map<string, Decision>();
  const observations: Observed[] = [];
  const paths = new PathDemand();
  for (const [id, key] of keysOf(index, stored)) {
    const outcome = decidePreview(key, { ...deciding, basis });
    observations.push(outcome.observed);
    paths.add(key, outcome.paths);
    if (outcome.decision) {
      decisions.set(id, outcome.decision);
    }
    basis.note(id, outcome);
  }
  cache?.keepOnly(decisions);
  const lookAgainAt = basis.lookAgain.earliest();
  return {
    decisions,
    links,
    unjoined: joins.unjoined,
    demand: {
      ...demandOf({ index, observations, decisions, wanted: joins.wanted }),
      heads: byHostOf(headChecks?.due() ?? []),
      paths: paths.byHost(),
    },
    ...(lookAgainAt !== undefined && { lookAgainAt }),
    basis,
  };
}

/** MRs that were read, and stored previews whose MR was not. */
function keysOf(
  index: WorldIndex,
  stored: ReadonlyMap<string, StoredPreview>,
): Map<string, MergeRequestKey> {
  const keys = new Map<string, MergeRequestKey>();
  for (const { reading } of index.mergeRequests()) {
    keys.set(keyString(reading.fact.key), reading.fact.key);
  }
  for (const [id, { key }] of stored) {
    keys.set(id, key);
  }
  return keys;
}
