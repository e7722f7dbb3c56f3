import { MergeRequestKey, ProjectReading } from '../../model';
import { Decision } from '../decide';
import { projectString } from '../worldIndex';

interface Opened {
  iid: number;
  /** ISO: when this one, or one of a lower number, was opened; the latest of them. */
  notBefore: string;
}

/**
 * What the MRs that are read or were asked for, or have a preview, tell of those that are not: GitLab
 * counts up, so that a number was given after all lower ones.
 */
export class KnownMergeRequests {
  readonly #decisions: ReadonlyMap<string, Decision>;
  #opened?: Map<string, Map<number, string>>;
  readonly #projects = new Map<ProjectReading, readonly Opened[]>();

  constructor(decisions: ReadonlyMap<string, Decision>) {
    this.#decisions = decisions;
  }

  /** The highest number that is known; undefined where no MR of the project is. */
  newest(host: string, project: ProjectReading): number | undefined {
    return this.#of(host, project).at(-1)?.iid;
  }

  /** ISO: when an MR was opened, or a time that it cannot have been opened before. */
  openedNotBefore(
    { host, iid }: MergeRequestKey,
    project: ProjectReading,
  ): string | undefined {
    const own =
      project.mergeRequests.get(iid)?.fact.createdAt ??
      project.past?.get(iid)?.createdAt;
    if (own !== undefined) {
      return own;
    }
    const opened = this.#of(host, project);
    let [low, high] = [0, opened.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (opened[middle].iid <= iid) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return opened[low - 1]?.notBefore;
  }

  /** By number. */
  #of(host: string, project: ProjectReading): readonly Opened[] {
    let known = this.#projects.get(project);
    if (!known) {
      const { fact, mergeRequests, past = [] } = project;
      this.#opened ??= openedByProject(this.#decisions);
      const times = new Map(this.#opened.get(projectString(host, fact.id)));
      for (const [iid, { createdAt }] of past) {
        if (createdAt !== undefined) {
          times.set(iid, createdAt);
        }
      }
      for (const [iid, reading] of mergeRequests) {
        times.set(iid, reading.fact.createdAt);
      }
      known = inOrder(times);
      this.#projects.set(project, known);
    }
    return known;
  }
}

function openedByProject(
  decisions: ReadonlyMap<string, Decision>,
): Map<string, Map<number, string>> {
  const projects = new Map<string, Map<number, string>>();
  for (const { change } of decisions.values()) {
    const { key, preview } = change.stored;
    const id = projectString(key.host, key.projectId);
    const times = projects.get(id) ?? new Map<number, string>();
    projects.set(id, times.set(key.iid, preview.mergeRequest.createdAt));
  }
  return projects;
}

function inOrder(times: ReadonlyMap<number, string>): Opened[] {
  let notBefore: string | undefined;
  return [...times]
    .sort(([one], [other]) => one - other)
    .map(([iid, time]) => {
      if (notBefore === undefined || Date.parse(time) > Date.parse(notBefore)) {
        notBefore = time;
      }
      return { iid, notBefore };
    });
}
