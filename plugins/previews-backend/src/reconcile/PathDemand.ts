import { MergeRequestKey } from '../model';

/** Collects the paths that are looked for among changed files, by project. */
export class PathDemand {
  readonly #byHost = new Map<string, Map<number, Set<string>>>();

  add({ host, projectId }: MergeRequestKey, paths: readonly string[]): void {
    if (paths.length === 0) {
      return;
    }
    const ofHost = this.#byHost.get(host) ?? new Map<number, Set<string>>();
    this.#byHost.set(host, ofHost);
    const ofProject = ofHost.get(projectId) ?? new Set<string>();
    ofHost.set(projectId, ofProject);
    paths.forEach(path => ofProject.add(path));
  }

  byHost(): Map<string, { projectId: number; paths: string[] }[]> {
    return new Map(
      [...this.#byHost].map(([host, projects]) => [
        host,
        [...projects].map(([projectId, paths]) => ({
          projectId,
          paths: [...paths].sort(),
        })),
      ]),
    );
  }
}
