import { ProjectReference } from '../types';
import { LocalKey, localKeyOf } from './GitLabMemory';
import { referenceKeyOf } from './references';
import { WantedTag } from './RegistryLookup';

/** What the engine wants to be read of one GitLab host. */
export class GitLabDemand {
  #references = new Map<string, ProjectReference>();
  #followed = new Map<string, LocalKey>();
  #followedOf = new Map<number, LocalKey[]>();
  #paths = new Map<number, readonly string[]>();
  #tags = new Map<string, WantedTag>();
  #past: readonly LocalKey[] = [];

  /** Returns whether one is new. */
  setReferences(references: readonly ProjectReference[]): boolean {
    const before = this.#references;
    this.#references = new Map(
      references.map(reference => [referenceKeyOf(reference), reference]),
    );
    return [...this.#references.keys()].some(key => !before.has(key));
  }

  setFollowed(keys: readonly LocalKey[]): void {
    this.#followed = new Map(keys.map(key => [localKeyOf(key), { ...key }]));
    this.#followedOf = new Map();
    for (const key of this.#followed.values()) {
      const known = this.#followedOf.get(key.projectId);
      if (known) {
        known.push(key);
      } else {
        this.#followedOf.set(key.projectId, [key]);
      }
    }
  }

  setTags(tags: readonly WantedTag[]): void {
    this.#tags = new Map(tags.map(tag => [localKeyOf(tag), { ...tag }]));
  }

  /** MRs that are asked for once though nobody follows them. */
  setPast(keys: readonly LocalKey[]): void {
    this.#past = keys.map(({ projectId, iid }) => ({ projectId, iid }));
  }

  setPaths(
    paths: readonly { projectId: number; paths: readonly string[] }[],
  ): void {
    this.#paths = new Map(
      paths.map(({ projectId, paths: ofProject }) => [
        projectId,
        [...ofProject],
      ]),
    );
  }

  /** The tracked projects, and those of followed MRs, by the keys of the references. */
  references(): Map<string, ProjectReference> {
    const references = new Map(this.#references);
    for (const projectId of this.#followedOf.keys()) {
      const reference = { id: projectId };
      references.set(referenceKeyOf(reference), reference);
    }
    return references;
  }

  isFollowed(key: LocalKey): boolean {
    return this.#followed.has(localKeyOf(key));
  }

  followedOf(projectId: number): readonly LocalKey[] {
    return this.#followedOf.get(projectId) ?? [];
  }

  past(): readonly LocalKey[] {
    return this.#past;
  }

  pathsOf(projectId: number): readonly string[] {
    return this.#paths.get(projectId) ?? [];
  }

  tagOf(key: LocalKey): WantedTag | undefined {
    return this.#tags.get(localKeyOf(key));
  }
}
