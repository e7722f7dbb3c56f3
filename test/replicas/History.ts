import { Simulator } from 'simulator';

/** An MR by its project's path and its number. */
export interface Reference {
  project: string;
  iid: number;
}

const SECOND = 1000;

/**
 * What happened to merge requests and their Applications in a simulator: what
 * timelines are judged by. In it an MR that has ended is not opened again.
 */
export class History {
  readonly #simulator: Simulator;
  readonly #heads = new Map<string, string[]>();
  readonly #applications = new Map<string, Set<string>>();
  readonly #unsubscribe: (() => void)[];

  constructor(simulator: Simulator) {
    this.#simulator = simulator;
    this.#unsubscribe = [
      simulator.gitlab.state.subscribe(() => this.#noteHeads()),
      simulator.clusters[0].cluster.subscribe(({ object }) => {
        const { kind, metadata } = object;
        if (kind === 'Application') {
          const uids = this.#applications.get(metadata.name) ?? new Set();
          this.#applications.set(metadata.name, uids.add(metadata.uid));
        }
      }),
    ];
  }

  stop(): void {
    this.#unsubscribe.forEach(unsubscribe => unsubscribe());
  }

  /** Name of the Application and of the namespace of an MR. */
  nameOf({ project, iid }: Reference): string {
    const { id } = this.#simulator.gitlab.state.findProject(project)!;
    return `preview-mr-${id}-${iid}`;
  }

  /** Heads that an MR had, oldest first. */
  headsOf(reference: Reference): string[] {
    return this.#heads.get(keyOf(reference)) ?? [];
  }

  /** How many times the Application of an MR was made anew. */
  recreationsOf(reference: Reference): number {
    return (this.#applications.get(this.nameOf(reference))?.size ?? 1) - 1;
  }

  /** Whether an MR was open at this time, give or take what a pass may take. */
  wasOpen(reference: Reference, at: string): boolean {
    const { mergedAt, closedAt } =
      this.#simulator.gitlab.state.mergeRequest(reference);
    const endedAt = mergedAt ?? closedAt;
    return (
      endedAt === undefined || Date.parse(at) < Date.parse(endedAt) - SECOND
    );
  }

  #noteHeads() {
    for (const {
      sha,
      ...reference
    } of this.#simulator.control.mergeRequests()) {
      const heads = this.#heads.get(keyOf(reference)) ?? [];
      this.#heads.set(keyOf(reference), heads);
      if (sha && heads[heads.length - 1] !== sha) {
        heads.push(sha);
      }
    }
  }
}

function keyOf({ project, iid }: Reference): string {
  return `${project}!${iid}`;
}
