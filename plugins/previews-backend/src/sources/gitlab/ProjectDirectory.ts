import { ProjectFact } from '../../model';
import { ProjectReference } from '../types';
import { GitLabClient } from './GitLabClient';
import { GitLabMemory } from './GitLabMemory';
import { GitLabRequestError, toGitLabRequestError } from './GitLabRequestError';
import {
  isPossibleReference,
  pathOfKey,
  referenceKeyOf,
  referenceNameOf,
} from './references';

/** How long it is believed which project a reference means, in milliseconds. */
const RESOLUTION_KEPT = 10 * 60 * 1000;

/** Which projects the references mean. */
export class ProjectDirectory {
  readonly #client: GitLabClient;
  readonly #memory: GitLabMemory;
  readonly #clock: () => Date;
  /** By the key of the reference. */
  readonly #resolved = new Map<string, { id: number; at: number }>();
  /** Paths that were found to lead to a project, by its id. */
  readonly #paths = new Map<number, Set<string>>();

  private constructor(options: {
    client: GitLabClient;
    memory: GitLabMemory;
    clock: () => Date;
  }) {
    this.#client = options.client;
    this.#memory = options.memory;
    this.#clock = options.clock;
  }

  static create(options: {
    client: GitLabClient;
    memory: GitLabMemory;
    clock: () => Date;
  }): ProjectDirectory {
    return new ProjectDirectory(options);
  }

  idOf(referenceKey: string): number | undefined {
    return this.#resolved.get(referenceKey)?.id;
  }

  isBelieved(referenceKey: string): boolean {
    const known = this.#resolved.get(referenceKey);
    return (
      known !== undefined &&
      this.#clock().getTime() - known.at < RESOLUTION_KEPT
    );
  }

  /** Full path of the project, as far as it is known without a call. */
  pathOf(reference: ProjectReference): string | undefined {
    const id = this.idOf(referenceKeyOf(reference));
    const known = id === undefined ? undefined : this.#memory.project(id);
    if (known) {
      return known.fact.path;
    }
    return 'path' in reference && isPossibleReference(reference)
      ? reference.path
      : undefined;
  }

  /** GitLab answered with this project for the reference. */
  noteFound(reference: ProjectReference, fact: ProjectFact): void {
    const key = referenceKeyOf(reference);
    this.#memory.dropUnreadable(key);
    this.#memory.putProject(fact);
    this.#put(key, { id: fact.id, at: this.#clock().getTime() });
  }

  #put(key: string, entry: { id: number; at: number }): void {
    if (this.idOf(key) !== entry.id) {
      this.#drop(key);
    }
    this.#resolved.set(key, entry);
    const path = pathOfKey(key);
    if (path !== undefined) {
      const paths = this.#paths.get(entry.id) ?? new Set();
      this.#paths.set(entry.id, paths.add(path));
    }
    this.#tellPaths(entry.id);
  }

  #drop(key: string): void {
    const id = this.idOf(key);
    const path = pathOfKey(key);
    this.#resolved.delete(key);
    if (id !== undefined && path !== undefined) {
      this.#paths.get(id)?.delete(path);
      this.#tellPaths(id);
    }
  }

  /** Where a project was moved to, what names it by its path does not say. */
  #tellPaths(id: number): void {
    const own = this.#memory.project(id)?.fact.path;
    const paths = [...(this.#paths.get(id) ?? [])];
    this.#memory.putFormerPaths(
      id,
      paths.filter(path => path !== own?.toLocaleLowerCase('en-US')).sort(),
    );
    if (paths.length === 0) {
      this.#paths.delete(id);
    }
  }

  /** A failure is noted where the reference never led to a project. */
  noteFailure(reference: ProjectReference, failure: GitLabRequestError): void {
    const key = referenceKeyOf(reference);
    if (!this.#resolved.has(key)) {
      this.#memory.putUnreadable(key, {
        reference: referenceNameOf(reference),
        failure,
        now: this.#clock(),
      });
    }
  }

  /** Asks for the project itself. What became of one that was known, its list tells. */
  async resolve(reference: ProjectReference): Promise<void> {
    try {
      if (!isPossibleReference(reference)) {
        throw new GitLabRequestError({
          reason: 'NotFound',
          message: 'This is no path of a project.',
          status: 404,
        });
      }
      this.noteFound(reference, await this.#client.project(reference));
    } catch (error) {
      this.noteFailure(reference, toGitLabRequestError(error));
    }
  }

  /**
   * Forgets all other references, and the projects that nothing leads to any
   * more. A project that is named in another way than before is not asked for
   * again.
   */
  keep(references: ReadonlyMap<string, ProjectReference>): void {
    this.#adopt(references);
    for (const key of [...this.#resolved.keys()]) {
      if (!references.has(key)) {
        this.#drop(key);
      }
    }
    const ids = new Set([...this.#resolved.values()].map(({ id }) => id));
    this.#memory.keepUnreadable(key => references.has(key));
    this.#memory.keepProjects(id => ids.has(id));
  }

  #adopt(references: ReadonlyMap<string, ProjectReference>): void {
    const unknown = [...references].filter(([key]) => !this.#resolved.has(key));
    if (unknown.length === 0) {
      return;
    }
    const known = new Map<string, { id: number; at: number }>();
    for (const entry of this.#resolved.values()) {
      const project = this.#memory.project(entry.id);
      if (project) {
        known.set(referenceKeyOf({ id: entry.id }), entry);
        known.set(referenceKeyOf({ path: project.fact.path }), entry);
      }
    }
    for (const [key] of unknown) {
      const entry = known.get(key);
      if (entry) {
        this.#put(key, entry);
        this.#memory.dropUnreadable(key);
      }
    }
  }
}
