import {
  Finding,
  FindingType,
} from '@previews/backstage-plugin-previews-common';
import { GeneratedSet, StoredFinding, World } from '../model';
import {
  defaultSettings,
  diffWorld,
  RenderedNames,
  WorldDiff,
} from '../reconcile';
import { NOW, WorldBuilder } from './world';
import { Story } from './Story';

/** Passes over changing worlds with the findings that they begin, change and end. */
export class DiffStory {
  readonly story: Story;
  readonly #names = new RenderedNames();
  #open = new Map<string, StoredFinding>();
  #sets: ReadonlyMap<string, GeneratedSet> = new Map();
  last?: WorldDiff;

  constructor(options: ConstructorParameters<typeof Story>[0] = {}) {
    this.story = new Story(options);
  }

  pass(world: WorldBuilder | World, now: string = NOW): this {
    this.story.pass(world, now, { frozenSets: this.frozenSets });
    const { basis, decisions, links } = this.story.result!;
    this.last = diffWorld({
      pass: {
        index: basis.index,
        joined: basis.joins.byMergeRequest,
        unjoined: basis.joins.unjoined,
        links,
        decisions,
      },
      open: this.#open,
      sets: this.#sets,
      names: this.#names,
      settings: defaultSettings,
      now,
    });
    // As a database would keep it: through JSON.
    this.#sets = new Map(
      [...this.last.sets].map(([id, set]) => [
        id,
        JSON.parse(JSON.stringify(set)),
      ]),
    );
    for (const stored of [...this.last.opened, ...this.last.changed]) {
      this.#open.set(stored.finding.id, JSON.parse(JSON.stringify(stored)));
    }
    this.last.resolved.forEach(({ finding }) => this.#open.delete(finding.id));
    return this;
  }

  get frozenSets(): ReadonlySet<string> {
    return new Set(
      [...this.#sets.values()].flatMap(({ reference, alarm }) =>
        alarm ? [reference] : [],
      ),
    );
  }

  /** Types of what is open, in order. */
  types(): FindingType[] {
    return [...this.#open.values()].map(({ finding }) => finding.type).sort();
  }

  findings(type: FindingType): Finding[] {
    return [...this.#open.values()]
      .map(({ finding }) => finding)
      .filter(finding => finding.type === type);
  }

  /** The one finding of a type. */
  finding(type: FindingType): Finding {
    const [finding, ...more] = this.findings(type);
    if (!finding || more.length > 0) {
      throw new Error(
        `There are ${more.length + (finding ? 1 : 0)} of ${type}, not one`,
      );
    }
    return finding;
  }
}
