import {
  Condition,
  ConditionType,
  Preview,
} from '@previews/backstage-plugin-previews-common';
import {
  FurtherPolicy,
  Memory,
  MergeRequestKey,
  StoredPreview,
  World,
} from '../model';
import {
  ClaimPolicy,
  decideAll,
  DecisionSettings,
  defaultSettings,
  keyString,
  PassResult,
} from '../reconcile';
import { Decision } from '../reconcile/decide';
import { MERGE_REQUEST, NOW, WorldBuilder } from './world';

/** Passes over changing worlds, each decided on what the one before stored. */
export class Story {
  #stored = new Map<string, StoredPreview>();
  #settings: DecisionSettings;
  #isClaimAllowed: ClaimPolicy;
  result?: PassResult;
  /** Conditions that modules added. */
  further: readonly FurtherPolicy[] = [];

  constructor(
    options: {
      settings?: Partial<DecisionSettings>;
      isClaimAllowed?: ClaimPolicy;
    } = {},
  ) {
    this.#settings = { ...defaultSettings, ...options.settings };
    this.#isClaimAllowed = options.isClaimAllowed ?? (() => true);
  }

  /** Decides a world and keeps the outcome as a database would: through JSON. */
  pass(
    world: WorldBuilder | World,
    now: string = NOW,
    options: { frozenSets?: ReadonlySet<string> } = {},
  ): this {
    const built =
      world instanceof WorldBuilder ? world.readAt(now).build() : world;
    this.result = decideAll({
      world: built,
      stored: this.#stored,
      settings: this.#settings,
      isClaimAllowed: this.#isClaimAllowed,
      frozenSets: options.frozenSets,
      further: this.further,
      now,
    });
    for (const [id, { change }] of this.result.decisions) {
      this.#stored.set(id, JSON.parse(JSON.stringify(change.stored)));
    }
    return this;
  }

  find(key: MergeRequestKey = MERGE_REQUEST): Decision | undefined {
    return this.result?.decisions.get(keyString(key));
  }

  decision(key: MergeRequestKey = MERGE_REQUEST): Decision {
    const found = this.find(key);
    if (!found) {
      throw new Error(`Nothing was decided for ${keyString(key)}`);
    }
    return found;
  }

  preview(key?: MergeRequestKey): Preview {
    return this.decision(key).change.stored.preview;
  }

  memory(key?: MergeRequestKey): Memory {
    return this.decision(key).change.stored.memory;
  }

  condition(type: ConditionType, key?: MergeRequestKey): Condition | undefined {
    return this.preview(key).conditions.find(found => found.type === type);
  }

  /** `False CrashLoop`, or undefined where the condition does not apply. */
  verdict(type: ConditionType, key?: MergeRequestKey): string | undefined {
    const found = this.condition(type, key);
    return found && `${found.status} ${found.reason}`;
  }

  /** The transitions of the last pass, each as `Available False->True` or `phase Waiting->Live`. */
  changes(key?: MergeRequestKey): string[] {
    return this.decision(key).change.transitions.map(
      ({ kind, type, from = '', to }) => `${type ?? kind} ${from}->${to}`,
    );
  }
}
