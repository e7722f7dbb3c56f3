import { StoredPreview, World } from '../model';
import { ClaimPolicy, EntityLink, EntityLinks, linkEntities } from './claims';
import { HostsInUse } from './dns';
import type { PreviewOutcome } from './decidePreview';
import { ownDemand } from './demand';
import { freshUntil } from './freshUntil';
import { watchesOf } from './gather';
import { IntendedNamespaces } from './intendedNamespaces';
import { formerJoinsOf, Joined, joinApplications, JoinResult } from './join';
import { LookAgain } from './LookAgain';
import { DecisionSettings } from './settings';
import { LocatedApplication, WorldIndex } from './worldIndex';

const NOBODY: ReadonlySet<string> = new Set();
const NOTHING: readonly Joined[] = [];

function applicationKey({ cluster, fact: { meta } }: LocatedApplication) {
  return `${cluster}/${meta.namespace}/${meta.name}`;
}

/**
 * What holds for all previews of a pass: the index, who was joined to whom and
 * who claims what. It also remembers what each preview was decided from, so that
 * until the next full pass a change of one object leads to the previews that it
 * can matter to, and to no others.
 */
export class PassBasis {
  static create(options: {
    world: World;
    stored: ReadonlyMap<string, StoredPreview>;
    isClaimAllowed: ClaimPolicy;
    settings: DecisionSettings;
    now: string;
  }): PassBasis {
    return new PassBasis(options);
  }

  readonly index: WorldIndex;
  readonly intended: IntendedNamespaces;
  readonly hostsInUse: HostsInUse;
  readonly links: readonly EntityLink[];
  readonly entityLinks: EntityLinks;
  readonly joins: JoinResult;
  /** ISO: when a reading that is fresh becomes stale; undefined when none is. */
  readonly freshUntil: string | undefined;
  readonly lookAgain = new LookAgain();
  readonly #joined: Map<string, readonly Joined[]>;
  /** Ids by the Application that was joined to them. */
  readonly #owners = new Map<string, string>();
  /** Ids by what they were decided from, as `watches` names it. */
  readonly #watchers = new Map<string, Set<string>>();
  /** Ids by the host that was visited for them. */
  readonly #visitors = new Map<string, Set<string>>();
  readonly #demands = new Map<string, string>();
  /** Ids of previews that lack an Application. */
  readonly #lacking = new Set<string>();
  #unsettled: string[] = [];
  #areCommitsEvidence?: boolean;

  private constructor(options: {
    world: World;
    stored: ReadonlyMap<string, StoredPreview>;
    isClaimAllowed: ClaimPolicy;
    settings: DecisionSettings;
    now: string;
  }) {
    const { world, stored, isClaimAllowed, settings, now } = options;
    this.freshUntil = freshUntil({ world, settings, now });
    this.index = new WorldIndex(world);
    this.intended = new IntendedNamespaces(this.index);
    this.hostsInUse = new HostsInUse(this.index, stored);
    this.joins = joinApplications(this.index, formerJoinsOf(stored.values()));
    this.#joined = new Map(this.joins.byMergeRequest);
    for (const [id, joined] of this.#joined) {
      for (const application of joined) {
        this.#owners.set(applicationKey(application), id);
      }
    }
    this.links = linkEntities(this.index, isClaimAllowed);
    this.entityLinks = new EntityLinks(this.links, isClaimAllowed);
  }

  /** The Applications of a preview, by its key string. */
  joinedTo(id: string): readonly Joined[] {
    return this.#joined.get(id) ?? NOTHING;
  }

  /** Key string of the preview that an Application was joined to. */
  ownerOf(application: LocatedApplication): string | undefined {
    return this.#owners.get(applicationKey(application));
  }

  /** Whether Applications of more than one owner list something in a namespace that they do not deploy to. */
  areSeveralBeside(cluster: string, namespace: string): boolean {
    const owners = new Set<string>();
    for (const application of this.index.applicationsBeside(
      cluster,
      namespace,
    )) {
      owners.add(this.ownerOf(application) ?? applicationKey(application));
      if (owners.size > 1) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether some Application of a set is, or may come to be, somebody's by the
   * commit that it runs.
   */
  areCommitsEvidence(): boolean {
    this.#areCommitsEvidence ??=
      this.joins.unjoined.length > 0 ||
      [...this.#joined.values()].some(joined =>
        joined.some(({ rule }) => rule === 'evidence'),
      );
    return this.#areCommitsEvidence;
  }

  /** Key strings of the previews that were decided from something, as `watches` names it. */
  watchersOf(watched: string): ReadonlySet<string> {
    return this.#watchers.get(watched) ?? NOBODY;
  }

  /** Key strings of the previews that what a visit of a host found matters to. */
  visitorsOf(host: string): ReadonlySet<string> {
    return this.#visitors.get(host) ?? NOBODY;
  }

  /** Key strings of the previews that lack an Application, whose name another may still have. */
  get lackingApplications(): ReadonlySet<string> {
    return this.#lacking;
  }

  /** Puts an Application's newer state in the place of the one that was joined. */
  replaceJoined(id: string, application: LocatedApplication): void {
    const key = applicationKey(application);
    this.#joined.set(
      id,
      this.joinedTo(id).map(joined =>
        applicationKey(joined) === key
          ? { ...joined, fact: application.fact }
          : joined,
      ),
    );
  }

  /**
   * Those whose last decision changed what is stored. The next one is made on that
   * and may differ once more, without any other change.
   */
  takeUnsettled(): readonly string[] {
    const unsettled = this.#unsettled;
    this.#unsettled = [];
    return unsettled;
  }

  /**
   * Remembers what a preview was decided from. Watches and hosts are only ever added:
   * to look at a preview in vain costs little.
   *
   * @returns whether it asks the sources for something else than before.
   */
  note(id: string, outcome: PreviewOutcome): boolean {
    for (const watched of watchesOf(outcome.observed)) {
      addTo(this.#watchers, watched, id);
    }
    for (const host of outcome.observed.probeHosts) {
      addTo(this.#visitors, host, id);
    }
    this.lookAgain.set(id, outcome.decision?.lookAgainAt);
    if (outcome.decision && !outcome.decision.unchanged) {
      this.#unsettled.push(id);
    }
    if (isApplicationLacking(outcome)) {
      this.#lacking.add(id);
    } else {
      this.#lacking.delete(id);
    }
    const demand = ownDemand(outcome);
    const before = this.#demands.get(id) ?? '';
    if (demand !== before) {
      this.#demands.set(id, demand);
    }
    return demand !== before;
  }
}

function isApplicationLacking({ decision }: PreviewOutcome): boolean {
  return (
    decision?.change.stored.preview.conditions.some(
      ({ type, status }) =>
        type === 'ApplicationGenerated' && status === 'False',
    ) === true
  );
}

function addTo(map: Map<string, Set<string>>, key: string, id: string): void {
  const ids = map.get(key);
  if (ids) {
    ids.add(id);
  } else {
    map.set(key, new Set([id]));
  }
}
