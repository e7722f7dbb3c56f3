import { FurtherPolicy, World } from '../model';
import {
  ClaimPolicy,
  decideAll,
  decideChanged,
  DecisionCache,
  DecisionSettings,
  HeadChecks,
  NarrowResult,
  PassBasis,
  PassResult,
  WorldChanges,
} from '../reconcile';
import { serviceOfPreview, UsualDurations } from '../stats';
import { PreviewMemory } from './PreviewMemory';

/** How long it may be until everything is decided again, whatever was told. */
const FULL_EVERY_MILLISECONDS = 10_000;

/** Previews whose times have come one shortly after the other are looked at together. */
const AT_LEAST_MILLISECONDS = 100;

/** Everything that the engine has to know beyond the world to decide. */
export interface DeciderOptions {
  memory: PreviewMemory;
  usual: UsualDurations;
  settings: DecisionSettings;
  isClaimAllowed: ClaimPolicy;
  /** Sets whose previews do not become orphans, as `cluster:namespace/name`. */
  frozenSets: () => ReadonlySet<string>;
  /** Conditions that modules added. */
  further: readonly FurtherPolicy[];
}

/**
 * Decides for one term: everything, or what changes can matter to since everything
 * was decided last. What a pass over changes leaves out, such as a word of the
 * sources that was lost, is found by the next one over everything.
 */
export class Decider {
  readonly #options: DeciderOptions;
  readonly #cache = new DecisionCache();
  readonly #headChecks = new HeadChecks();
  #basis?: PassBasis;
  #fullDueAt = 0;

  constructor(options: DeciderOptions) {
    this.#options = options;
  }

  /** Decides everything. */
  decideAll(world: World, now: Date): PassResult {
    // The index of before goes before another one is made.
    this.#basis = undefined;
    const result = decideAll({
      ...this.#deciding(now),
      world,
      isClaimAllowed: this.#options.isClaimAllowed,
    });
    this.#basis = result.basis;
    this.#fullDueAt = now.getTime() + FULL_EVERY_MILLISECONDS;
    return result;
  }

  /** Decides what changes can matter to; undefined where everything has to be decided. */
  decideChanged(
    changes: WorldChanges | undefined,
    now: Date,
  ): NarrowResult | undefined {
    const basis = this.#basis;
    if (!changes || !basis || this.#isFullDue(now)) {
      return undefined;
    }
    const result = decideChanged({ ...this.#deciding(now), basis, changes });
    if (!result || result.isDemandChanged) {
      this.#basis = undefined;
    }
    return result;
  }

  /** Milliseconds until everything is due, or what was asked to be looked at again. */
  waitFrom(now: Date, lookAgainAt: string | undefined): number {
    const isDue = !this.#basis || this.#isFullDue(now);
    const dueAt = isDue ? now.getTime() : this.#fullDueAt;
    const next = Math.min(dueAt, Date.parse(lookAgainAt ?? '') || dueAt);
    return Math.max(AT_LEAST_MILLISECONDS, next - now.getTime());
  }

  /** Also where the clock was set back, since what is due then would wait for as long. */
  #isFullDue(now: Date): boolean {
    const milliseconds = this.#fullDueAt - now.getTime();
    return milliseconds <= 0 || milliseconds > FULL_EVERY_MILLISECONDS;
  }

  #deciding(now: Date) {
    const { memory, usual, settings, frozenSets, further } = this.#options;
    return {
      stored: memory.stored,
      settings,
      usualOf: (id: string) => usual.of(serviceOfPreview(id)),
      cache: this.#cache,
      headChecks: this.#headChecks,
      frozenSets: frozenSets(),
      further,
      now: now.toISOString(),
    };
  }
}
