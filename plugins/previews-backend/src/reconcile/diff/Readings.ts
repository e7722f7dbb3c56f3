import { FindingSubject } from '@previews/backstage-plugin-previews-common';
import { ReadingReference } from '../../model';
import { setReference } from '../generator';
import { kindUnknown, projectUnknown } from '../readability';
import { DecisionSettings } from '../settings';
import { WorldIndex } from '../worldIndex';

/** Tells what absence means something in: readings that are complete and fresh. */
export class Readings {
  readonly #index: WorldIndex;
  readonly #options: { now: string; settings: DecisionSettings };
  #sets?: ReadonlySet<string>;
  readonly #known = new Map<string, boolean>();

  constructor(options: {
    index: WorldIndex;
    settings: DecisionSettings;
    now: string;
  }) {
    this.#index = options.index;
    this.#options = options;
  }

  /** Whether a reading is complete and fresh; what is no longer configured tells nothing more. */
  isKnown(reference: ReadingReference): boolean {
    const id = JSON.stringify(reference);
    const known = this.#known.get(id) ?? this.#find(reference);
    this.#known.set(id, known);
    return known;
  }

  #find(reference: ReadingReference): boolean {
    switch (reference.kind) {
      case 'catalog':
        return this.#index.world.catalog.state === 'ready';
      case 'objects': {
        const cluster = this.#index.clusters.get(reference.cluster);
        return (
          cluster === undefined ||
          kindUnknown('Selected', cluster, reference.objects, this.#options) ===
            undefined
        );
      }
      case 'host': {
        const { host } = reference;
        const projects = this.#index.gitlab.get(host)?.projects.values() ?? [];
        return [...projects].every(
          project =>
            projectUnknown('Selected', project, {
              host,
              ...this.#options,
            }) === undefined,
        );
      }
      default:
        return this.#isProjectKnown(reference);
    }
  }

  areKnown(references: readonly ReadingReference[]): boolean {
    return references.every(reference => this.isKnown(reference));
  }

  /** A set that a complete and fresh reading does not have any more. */
  isSetGone(reference: string): boolean {
    const [cluster] = reference.split(':');
    this.#sets ??= new Set(
      this.#index.uses.map(use => setReference(use.cluster, use.set)),
    );
    return (
      !this.#sets.has(reference) &&
      this.isKnown({ kind: 'objects', cluster, objects: 'applicationSets' })
    );
  }

  /** An Application that a complete and fresh reading does not have any more. */
  isApplicationGone({
    cluster = '',
    namespace = '',
    name,
  }: FindingSubject): boolean {
    return (
      this.#index.applicationNamed(cluster, namespace, name) === undefined &&
      this.isKnown({ kind: 'objects', cluster, objects: 'applications' })
    );
  }

  /** A Namespace that a complete and fresh reading does not have any more. */
  isNamespaceGone({ cluster = '', name }: FindingSubject): boolean {
    const namespaces = this.#index.clusters.get(cluster)?.kinds.namespaces;
    return (
      namespaces?.objects.has(name) !== true &&
      this.isKnown({ kind: 'objects', cluster, objects: 'namespaces' })
    );
  }

  /** A set names a path that may be a former one of any project, until GitLab has told. */
  #isAnyPathOpen(host: string): boolean {
    const unreadable = this.#index.gitlab.get(host)?.unreadable ?? [];
    const nobodys = new Set(
      unreadable
        .filter(({ status }) => status === 404)
        .map(({ reference }) => reference.toLowerCase()),
    );
    return this.#index.uses.some(
      ({ host: hostOfUse, project }) =>
        hostOfUse === host &&
        project.kind === 'path' &&
        !nobodys.has(project.path.toLowerCase()) &&
        this.#index.projectAt(host, project.path) === undefined,
    );
  }

  #isProjectKnown({
    host,
    projectId,
    path,
  }: ReadingReference & { kind: 'project' }): boolean {
    if (!this.#index.gitlab.has(host)) {
      return true;
    }
    const project = this.#index.project(host, projectId);
    if (project) {
      return (
        projectUnknown('Selected', project, { host, ...this.#options }) ===
        undefined
      );
    }
    // One that no set lists any more is not read any more either.
    return (
      this.#index.usesOfProject(host, { id: projectId, path }).length === 0 &&
      !this.#isAnyPathOpen(host) &&
      this.#index.world.clusters.every(({ cluster }) =>
        this.isKnown({ kind: 'objects', cluster, objects: 'applicationSets' }),
      )
    );
  }
}
