import { ControlledMergeRequest, Service, Simulator } from 'simulator';
import { MergeRequestReference } from '../../support/startPlugin';
import { ServiceName } from './steps';

/** An MR as the sequence knows it. */
export interface Subject extends MergeRequestReference {
  service: ServiceName;
  sourceBranch: string;
}

/** What is true of an MR right now, by the simulator's own objects. */
export interface Truth {
  /** As GitLab keeps it; undefined once it is deleted. */
  mergeRequest: ControlledMergeRequest | undefined;
  /** Every state that it was in. */
  states: ReadonlySet<ControlledMergeRequest['state']>;
  /** Whether its set generates it, by the rule of its service. */
  isWanted: boolean;
  /** Names of what there is of it. */
  things: string[];
  /** Whether the registry has the image of the head. */
  isHeadBuilt: boolean;
  /** Whether a ready pod runs the image of the head. */
  isHeadServed: boolean;
  /** Whether a pod that is ready runs another image of it. */
  isOlderServed: boolean;
}

/** From when to when something held; the end is open while it holds. */
interface Stretch {
  from: number;
  to?: number;
}

const LABEL = 'preview';
/** Nothing in the cluster has it. */
const NO_NAME = 'nothing-has-this-name';
const SHORT_SHA = 8;

/**
 * Keeps what happened in the simulator, with its times: what the answers of the
 * portal are compared with. It knows nothing of the portal.
 */
export class Witness {
  readonly #simulator: Simulator;
  readonly #services: Map<ServiceName, Service>;
  readonly #subjects = new Map<string, Subject>();
  readonly #open = new Map<string, Stretch[]>();
  /** By the name of an Application: whose it is, and since when. */
  readonly #holders = new Map<string, { key: string; from: number }[]>();
  readonly #wanted = new Map<string, Stretch[]>();
  readonly #selected = new Map<string, Stretch[]>();
  readonly #existing = new Map<string, Stretch[]>();
  readonly #heads = new Map<string, string[]>();
  readonly #states = new Map<string, Set<ControlledMergeRequest['state']>>();
  readonly #disturbances: Stretch[] = [];
  readonly #unsubscribe: () => void;

  constructor(options: {
    simulator: Simulator;
    services: Map<ServiceName, Service>;
  }) {
    this.#simulator = options.simulator;
    this.#services = options.services;
    const { cluster } = options.simulator.clusters[0];
    this.#unsubscribe = cluster.subscribe(({ type, object }) => {
      if (object.kind !== 'Application' && object.kind !== 'Namespace') {
        return;
      }
      hold(this.#existing, {
        key: `${object.kind} ${object.metadata.name}`,
        at: Date.now(),
        holds: type !== 'DELETED',
      });
    });
  }

  stop(): void {
    this.#unsubscribe();
  }

  get subjects(): Subject[] {
    return [...this.#subjects.values()];
  }

  /** To be called for every MR, after everything that was done to it. */
  note(subject: Subject): void {
    const key = keyOf(subject);
    this.#subjects.set(key, subject);
    const mergeRequest = this.#mergeRequest(subject);
    // What is locked counts as open, though its set may not list it.
    const isLocked = mergeRequest?.state === 'locked';
    const at = Date.now();
    const isOpen = isLocked || mergeRequest?.state === 'opened';
    hold(this.#open, { key, at, holds: isOpen });
    this.#noteHolder(subject, { isOpen, at });
    hold(this.#wanted, {
      key,
      at,
      holds: isLocked || this.#isWanted(subject),
    });
    hold(this.#selected, { key, at, holds: this.#isSelected(subject) });
    const states = this.#states.get(key) ?? new Set();
    this.#states.set(key, states);
    if (mergeRequest) {
      states.add(mergeRequest.state);
    }
    const heads = this.#heads.get(key) ?? [];
    this.#heads.set(key, heads);
    if (mergeRequest?.sha && heads[heads.length - 1] !== mergeRequest.sha) {
      heads.push(mergeRequest.sha);
    }
  }

  /** From now on the portal may not see what happens, until `isHealed`. */
  noteDisturbance(options: { isHealed: boolean }): void {
    const last = this.#disturbances[this.#disturbances.length - 1];
    const isOpen = last !== undefined && last.to === undefined;
    if (options.isHealed && isOpen) {
      last.to = Date.now();
    } else if (!options.isHealed && !isOpen) {
      this.#disturbances.push({ from: Date.now() });
    }
  }

  /** Whether an MR is open on the branch of this one. */
  isBranchTaken({ project, sourceBranch }: Subject): boolean {
    return this.#simulator.control
      .mergeRequests()
      .some(
        other =>
          other.project === project &&
          other.sourceBranch === sourceBranch &&
          (other.state === 'opened' || other.state === 'locked'),
      );
  }

  truthOf(subject: Subject): Truth {
    const mergeRequest = this.#mergeRequest(subject);
    // What has its name is that of the one that was opened last.
    const name = this.#isHolder(subject) ? this.nameOf(subject) : NO_NAME;
    const { state } = this.#simulator.gitlab;
    const { cluster } = this.#simulator.clusters[0];
    const { image } = this.#services.get(subject.service)!;
    const sha = mergeRequest?.sha ?? undefined;
    const head = sha && `${image}:${sha.slice(0, SHORT_SHA)}`;
    const served = cluster
      .list({ kind: 'Pod', namespace: name })
      .filter(
        ({ metadata, status }) =>
          !metadata.deletionTimestamp &&
          status?.conditions?.some(
            (condition: { type: string; status: string }) =>
              condition.type === 'Ready' && condition.status === 'True',
          ),
      )
      .flatMap(({ spec }) =>
        (spec?.containers ?? []).map(
          (container: { image: string }) => container.image,
        ),
      );
    return {
      mergeRequest,
      states: this.#states.get(keyOf(subject)) ?? new Set(),
      isWanted: this.#isWanted(subject),
      things: [
        ...(cluster.get({ kind: 'Application', namespace: 'argocd', name })
          ? [`Application ${name}`]
          : []),
        ...(cluster.get({ kind: 'Namespace', name })
          ? [`Namespace ${name}`]
          : []),
      ],
      isHeadBuilt: head !== undefined && state.hasImage(head) === true,
      isHeadServed: head !== undefined && served.includes(head),
      isOlderServed: served.some(candidate => candidate !== head),
    };
  }

  /** Heads that an MR had, oldest first. */
  headsOf(subject: Subject): string[] {
    return this.#heads.get(keyOf(subject)) ?? [];
  }

  /** Name of the Application and of the namespace of an MR. */
  nameOf({ service, iid, sourceBranch }: Subject): string {
    return service === 'slugs'
      ? `slugs-${sourceBranch.replace('/', '-')}`
      : `preview-mr-${this.#services.get(service)!.projectId}-${iid}`;
  }

  /**
   * Whether an MR was unwanted at some time in between, and had been for so long
   * at the end as somebody sees it who missed what came after that time.
   */
  wasUnwantedFor(
    subject: Subject,
    options: { milliseconds: number; between: { from: number; to: number } },
  ): boolean {
    const { milliseconds, between } = options;
    const stretches = this.#wanted.get(keyOf(subject)) ?? [];
    // The gaps between the stretches in which it was wanted.
    return stretches.some(({ to }, index) => {
      const next = stretches[index + 1]?.from ?? Infinity;
      return (
        to !== undefined &&
        to + milliseconds <= between.to &&
        next >= between.from
      );
    });
  }

  /**
   * Whether an MR was open, and its set selects such, at all times in between or
   * since it was opened.
   */
  wasSelectedThroughout(
    subject: Subject,
    between: { from: number; to: number },
  ): boolean {
    return heldThroughout(
      this.#selected.get(keyOf(subject)),
      this.#sinceOpened(subject, between),
    );
  }

  /** Whether an MR was open at all times in between, or since it was opened. */
  wasOpenThroughout(
    subject: Subject,
    between: { from: number; to: number },
  ): boolean {
    return heldThroughout(
      this.#open.get(keyOf(subject)),
      this.#sinceOpened(subject, between),
    );
  }

  /**
   * What of an MR was there all of the time in between, or since it was first
   * made: before that there was nothing that could be gone.
   */
  existedThroughout(
    subject: Subject,
    between: { from: number; to: number },
  ): string[] {
    const name = this.nameOf(subject);
    const holders = this.#holders.get(name) ?? [];
    const isOthers = holders.some(
      ({ key, from }, index) =>
        key !== keyOf(subject) &&
        from <= between.to &&
        (holders[index + 1]?.from ?? Infinity) >= between.from,
    );
    if (isOthers) {
      return [];
    }
    return [`Application ${name}`, `Namespace ${name}`].filter(thing => {
      const stretches = this.#existing.get(thing) ?? [];
      const begin = Math.max(between.from, stretches[0]?.from ?? Infinity);
      return heldThroughout(stretches, { ...between, from: begin });
    });
  }

  /** Whether nothing was broken at any time in between. */
  wasUndisturbed(between: { from: number; to: number }): boolean {
    return !this.#disturbances.some(
      ({ from, to }) => from <= between.to && (to ?? Infinity) >= between.from,
    );
  }

  /** Of several MRs that give one name the one that was opened last has what is there. */
  #noteHolder(
    subject: Subject,
    { isOpen, at }: { isOpen: boolean; at: number },
  ): void {
    const name = this.nameOf(subject);
    const holders = this.#holders.get(name) ?? [];
    this.#holders.set(name, holders);
    const key = keyOf(subject);
    if (isOpen && holders[holders.length - 1]?.key !== key) {
      holders.push({ key, from: at });
    }
  }

  #isHolder(subject: Subject): boolean {
    const holders = this.#holders.get(this.nameOf(subject)) ?? [];
    const last = holders[holders.length - 1];
    return last === undefined || last.key === keyOf(subject);
  }

  #sinceOpened(
    subject: Subject,
    between: { from: number; to: number },
  ): { from: number; to: number } {
    const openedAt = this.#open.get(keyOf(subject))?.[0]?.from ?? Infinity;
    return { ...between, from: Math.max(between.from, openedAt) };
  }

  #mergeRequest(subject: Subject): ControlledMergeRequest | undefined {
    return this.#simulator.control
      .mergeRequests()
      .find(
        ({ project, iid }) =>
          project === subject.project && iid === subject.iid,
      );
  }

  #isWanted(subject: Subject): boolean {
    return (
      this.#mergeRequest(subject)?.state === 'opened' &&
      this.#isSelected(subject)
    );
  }

  #isSelected(subject: Subject): boolean {
    const mergeRequest = this.#mergeRequest(subject);
    if (mergeRequest?.state !== 'opened' && mergeRequest?.state !== 'locked') {
      return false;
    }
    switch (subject.service) {
      case 'labelled':
        return mergeRequest.labels.includes(LABEL);
      case 'titled':
        return mergeRequest.title.includes('Show');
      default:
        return true;
    }
  }
}

export function keyOf({ project, iid }: MergeRequestReference): string {
  return `${project}!${iid}`;
}

function heldThroughout(
  stretches: readonly Stretch[] | undefined,
  between: { from: number; to: number },
): boolean {
  return (
    stretches?.some(
      ({ from, to }) => from <= between.from && (to ?? Infinity) >= between.to,
    ) ?? false
  );
}

/** Begins or ends a stretch, where that is news. */
function hold(
  stretches: Map<string, Stretch[]>,
  options: { key: string; at: number; holds: boolean },
): void {
  const { key, at, holds } = options;
  const known = stretches.get(key) ?? [];
  stretches.set(key, known);
  const last = known[known.length - 1];
  const isOpen = last !== undefined && last.to === undefined;
  if (holds && !isOpen) {
    known.push({ from: at });
  } else if (!holds && isOpen) {
    last.to = at;
  }
}
