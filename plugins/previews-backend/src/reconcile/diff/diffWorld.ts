import { DomainBudget } from '@previews/backstage-plugin-previews-common';
import { GeneratedSet, MergeRequestKey, StoredFinding } from '../../model';
import { EntityLink } from '../claims';
import { Decision } from '../decide';
import { Joined, Unjoined } from '../join';
import { DecisionSettings } from '../settings';
import { WorldIndex } from '../worldIndex';
import { certificateBudgetFindings } from './certificateBudgets';
import {
  keptByGenerator,
  withoutEnvironment,
  withoutMergeRequest,
} from './decided';
import { Found } from './found';
import { watchGeneratedSets } from './generatedSets';
import { issuerCredentials } from './issuerCredentials';
import { nameCollisions } from './nameCollisions';
import { namedTokens } from './namedTokens';
import { namespacesLeft } from './namespacesLeft';
import { PreviewParts } from './PreviewParts';
import { projectClaims } from './projectClaims';
import { Readings } from './Readings';
import { RenderedNames } from './RenderedNames';
import { SettledFindings, settleFindings } from './settleFindings';
import { unjoinedApplications } from './unjoined';

/** What a pass over everything gives for the diff. */
export interface DiffInput {
  index: WorldIndex;
  joined: ReadonlyMap<string, readonly Joined[]>;
  unjoined: readonly Unjoined[];
  links: readonly EntityLink[];
  decisions: ReadonlyMap<string, Decision>;
}

export interface WorldDiff extends SettledFindings {
  /** By reference: what to remember of the sets. Those that did not change are the same objects. */
  sets: ReadonlyMap<string, GeneratedSet>;
  /** MRs that nobody reads, and of which it would help to know when they began and ended. */
  past: readonly MergeRequestKey[];
}

/**
 * The difference between the MRs and what is deployed for them, both ways, and what is
 * wrong with limits and credentials: a pure function of a whole pass, what was found and remembered before, and the time.
 */
export function diffWorld(options: {
  pass: DiffInput;
  /** By id. */
  open: ReadonlyMap<string, StoredFinding>;
  /** By reference. */
  sets: ReadonlyMap<string, GeneratedSet>;
  names: RenderedNames;
  /** What is left of the limits of certificate authorities. */
  budgets?: readonly DomainBudget[];
  settings: DecisionSettings;
  now: string;
}): WorldDiff {
  const { pass, open, names, settings, now } = options;
  const readings = new Readings({ index: pass.index, settings, now });
  const watched = watchGeneratedSets({
    ...pass,
    readings,
    remembered: options.sets,
    now,
  });
  const collisions = nameCollisions({ ...pass, names });
  const namespaces = namespacesLeft({
    ...pass,
    readings,
    frozenSets: new Set(
      watched.alarms.flatMap(({ applicationSets }) => applicationSets),
    ),
    settings,
    now,
  });
  const found = [
    ...watched.alarms,
    ...collisions,
    ...decidedFindings(pass, { collisions, readings, settings, now }),
    ...namespaces.found,
    ...unjoinedApplications(pass),
    ...projectClaims(pass.links),
    ...certificateBudgetFindings(options.budgets ?? []),
    ...issuerCredentials(pass.index),
    ...namedTokens(pass.index.world.tokens ?? [], now),
  ];
  return {
    ...settleFindings({ open, found, readings, now }),
    sets: watched.sets,
    past: namespaces.past,
  };
}

function decidedFindings(
  { index, decisions }: DiffInput,
  options: {
    collisions: readonly Found[];
    readings: Readings;
    settings: DecisionSettings;
    now: string;
  },
): Found[] {
  // A collision says it already of all that go without for it.
  const colliding = new Set(
    options.collisions.flatMap(({ finding }) => finding.previewIds),
  );
  const { readings } = options;
  const parts = new PreviewParts({ index, decisions, readings });
  return [...decisions.values()].flatMap(({ change: { stored } }) => [
    ...keptByGenerator(stored, parts),
    ...(colliding.has(stored.preview.id)
      ? []
      : withoutEnvironment(stored, options)),
    ...withoutMergeRequest(stored, parts),
  ]);
}
