import { isDeepStrictEqual } from 'node:util';
import type {
  Cluster,
  KubernetesObject,
  KubernetesObjectInput,
} from '../kubernetes';
import { projectPermits, projectProblem } from './appProjectRules';
import { renderChart } from './chart';
import { chartValues, type ValueSource } from './chartValues';
import { resourceHealth, worstHealth, type Health } from './health';
import {
  CONTROL_NAMESPACE,
  deleteIfThere,
  groupOf,
  peek,
  peekAll,
  referenceTo,
  versionOf,
} from './objects';
import {
  kubernetesTime,
  type Platform,
  type PlatformCluster,
} from './platform';
import { projectOfRepository, resolveSource } from './repositories';
import {
  RepositoryRenderer,
  sourceTypeOfFiles,
  type RepositorySource,
  type SourceType,
} from './repositoryRenderer';
import { hasSyncOption, isHook, syncSteps } from './syncTasks';
import { instanceName, track, TrackingIndex } from './tracking';
import { WorkQueue } from './workQueue';

const RESOURCES_FINALIZER = 'resources-finalizer.argocd.argoproj.io';
const REFRESH = 'argocd.argoproj.io/refresh';
/** Marks a key that comes from the refresh interval. */
const TICK = 'tick';
/** Marks the key of a cascade that is due. */
const CASCADE = 'cascade';
const HISTORY_LIMIT = 10;
const FIRST_RETRY_MILLISECONDS = 5000;
const LAST_RETRY_MILLISECONDS = 180_000;
const FIELD_MANAGER = { fieldManager: 'argocd-controller' };
/** What a manifest and a live object never share. */
const NOT_COMPARED = ['apiVersion', 'kind', 'metadata', 'status'];

type Source = ValueSource &
  RepositorySource & {
    repoURL?: string;
    targetRevision?: string;
    chart?: string;
    ref?: string;
  };

interface Comparison {
  revisions: string[];
  /** Those that are kept. */
  manifests: KubernetesObjectInput[];
  /** Those that a sync runs. */
  hooks: KubernetesObjectInput[];
  destination: PlatformCluster;
  sourceType: SourceType;
  project: KubernetesObject | undefined;
}

interface AppliedResource {
  status: 'Synced' | 'SyncFailed';
  message: string;
}

interface ResourceResult extends AppliedResource {
  group: string;
  version: string;
  kind: string;
  namespace: string;
  name: string;
  syncPhase: string;
  hookPhase: string;
  hookType?: string;
}

/** How far a sync is. */
interface OperationProgress {
  startedAt: string;
  results: Map<string, ResourceResult>;
  hooks: Set<string>;
}

interface Problem {
  type: 'ComparisonError' | 'InvalidSpecError';
  message: string;
}

/** Whether everything that is wanted is there; the live object may have more. */
function contains(live: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(live) &&
      live.length === wanted.length &&
      wanted.every((item, position) => contains(live[position], item))
    );
  }
  if (wanted && typeof wanted === 'object') {
    return Object.entries(wanted).every(
      ([key, value]) =>
        value === undefined ||
        contains((live as Record<string, unknown> | undefined)?.[key], value),
    );
  }
  return live === wanted;
}

function isInSync(
  live: KubernetesObject | undefined,
  manifest: KubernetesObjectInput,
): boolean {
  return (
    live !== undefined &&
    Object.entries(manifest).every(
      ([field, wanted]) =>
        NOT_COMPARED.includes(field) ||
        contains((live as Record<string, unknown>)[field] ?? {}, wanted ?? {}),
    ) &&
    contains(live.metadata.labels ?? {}, manifest.metadata.labels ?? {}) &&
    contains(
      live.metadata.annotations ?? {},
      manifest.metadata.annotations ?? {},
    )
  );
}

/**
 * Argo CD's application controller: compares what an Application asks for with what is there, syncs
 * it, reports health, and takes everything down again when the Application is deleted.
 */
export class ApplicationController {
  private readonly platform: Platform;
  private readonly control: Cluster;
  private readonly queue: WorkQueue;
  private readonly tracking: TrackingIndex;
  /** Applications by the namespace that they deploy to. */
  private readonly namespaces = new Map<string, Set<string>>();
  /** Deleted Applications, by uid, and how far their cascade is. */
  private readonly cascades = new Map<string, 'planned' | 'due'>();
  /** Applications whose failed sync waits for its next try. */
  private readonly backingOff = new Map<string, () => void>();
  private readonly failedTries = new Map<string, number>();
  private readonly renderer: RepositoryRenderer;
  /** Projects whose files Applications are rendered from. */
  private readonly repositories = new Map<string, Set<number>>();
  /** Running syncs by the uid of their Application. */
  private readonly operations = new Map<string, OperationProgress>();
  private readonly unsubscribes: (() => void)[];

  constructor(platform: Platform) {
    this.platform = platform;
    this.control = platform.clusters[0].cluster;
    this.queue = new WorkQueue({
      clock: platform.clock,
      activity: platform.activity,
      reconcile: key => this.reconcile(key),
    });
    this.tracking = new TrackingIndex(platform.clusters, instance => {
      const separator = instance.indexOf('_');
      this.queue.add(
        separator < 0
          ? `${CONTROL_NAMESPACE}/${instance}`
          : `${instance.slice(0, separator)}/${instance.slice(separator + 1)}`,
      );
    });
    this.renderer = new RepositoryRenderer(platform.activity);
    this.unsubscribes = [
      platform.gitlab.subscribe(event => {
        if (event.type === 'push') {
          this.enqueueByRepository(event.project.id);
        }
      }),
      this.control.subscribe(({ type, object }) => {
        if (object.kind !== 'Application') {
          return;
        }
        const key = `${object.metadata.namespace}/${object.metadata.name}`;
        if (type === 'DELETED') {
          this.queue.forget(key);
          this.queue.forget(`${key}/${TICK}`);
          this.queue.forget(`${key}/${CASCADE}`);
          this.cascades.delete(object.metadata.uid);
          this.operations.delete(object.metadata.uid);
          this.repositories.delete(key);
        } else {
          this.queue.add(key);
        }
      }),
      ...platform.clusters.map(({ cluster }) =>
        cluster.subscribe(({ object }) => {
          if (object.kind === 'Pod') {
            this.enqueueByNamespace(object.metadata.namespace as string);
          }
        }),
      ),
      platform.faults.subscribe(() => {
        this.endBackOffs();
        this.control
          .list({ kind: 'Application' })
          .forEach(({ metadata }) =>
            this.queue.add(`${metadata.namespace}/${metadata.name}`),
          );
      }),
    ];
  }

  /** Failures by Application, for tests and the control API. */
  get failures(): ReadonlyMap<string, unknown> {
    return this.queue.failures;
  }

  stop(): void {
    this.unsubscribes.forEach(unsubscribe => unsubscribe());
    this.tracking.stop();
    this.queue.stop();
    this.endBackOffs();
  }

  private endBackOffs(): void {
    this.backingOff.forEach(cancel => cancel());
    this.backingOff.clear();
    this.failedTries.clear();
  }

  private backOff(key: string): void {
    const tries = this.failedTries.get(key) ?? 0;
    this.failedTries.set(key, tries + 1);
    this.backingOff.set(
      key,
      this.platform.clock.after(
        Math.min(
          FIRST_RETRY_MILLISECONDS * 2 ** tries,
          LAST_RETRY_MILLISECONDS,
        ),
        () => {
          this.backingOff.delete(key);
          this.queue.add(key);
        },
      ),
    );
  }

  /** GitLab's webhook tells Argo CD of pushes to what it renders from. */
  private enqueueByRepository(projectId: number): void {
    for (const [key, projects] of this.repositories) {
      if (projects.has(projectId)) {
        this.queue.add(key);
      }
    }
  }

  /** Images of pods are part of the summary, so pods matter to the Applications around them. */
  private enqueueByNamespace(namespace: string): void {
    const byNamespace = this.namespaces.get(namespace);
    byNamespace?.forEach(key => this.queue.add(key));
  }

  private reconcile(key: string): void {
    const [namespace, name, tick] = key.split('/');
    const application = peek(this.control, {
      kind: 'Application',
      namespace,
      name,
    });
    if (!application) {
      return;
    }
    if (application.metadata.deletionTimestamp) {
      this.beginOrTakeDown(application, tick === CASCADE);
      return;
    }
    if (tick && !this.hasMoved(application)) {
      this.planRefresh(`${namespace}/${name}`);
      return;
    }
    const target = application.spec?.destination?.namespace as string;
    this.namespaces.set(
      target,
      (this.namespaces.get(target) ?? new Set<string>()).add(
        `${namespace}/${name}`,
      ),
    );
    this.refresh(application, `${namespace}/${name}`);
  }

  /** The cascade takes its time to begin, so that a preview is seen on its way out. */
  private beginOrTakeDown(application: KubernetesObject, due: boolean): void {
    const { uid, namespace, name } = application.metadata;
    if (due) {
      this.cascades.set(uid, 'due');
    }
    if (this.cascades.get(uid) === 'due') {
      this.takeDown(application);
    } else if (!this.cascades.has(uid)) {
      this.cascades.set(uid, 'planned');
      this.queue.addAfter({
        key: `${namespace}/${name}/${CASCADE}`,
        milliseconds: this.platform.delays.applicationDelete,
      });
    }
  }

  private takeDown(application: KubernetesObject): void {
    const finalizers = application.metadata.finalizers ?? [];
    if (!finalizers.some(name => name.startsWith(RESOURCES_FINALIZER))) {
      return;
    }
    const tracked = this.tracking.of(
      instanceName(application, CONTROL_NAMESPACE),
    );
    const deletable = () =>
      tracked.filter(({ cluster, reference }) => {
        const live = peek(cluster.cluster, reference);
        return live !== undefined && !hasSyncOption(live, 'Delete=false');
      });
    deletable().forEach(({ cluster, reference }) =>
      deleteIfThere(cluster.cluster, reference),
    );
    // Deletion events of the tracked objects bring us back here.
    if (deletable().length > 0) {
      return;
    }
    const { namespace, name } = application.metadata;
    this.namespaces
      .get(application.spec?.destination?.namespace)
      ?.delete(`${namespace}/${name}`);
    this.control.patch({ kind: 'Application', namespace, name }, draft => {
      draft.metadata.finalizers = draft.metadata.finalizers?.filter(
        finalizer => !finalizer.startsWith(RESOURCES_FINALIZER),
      );
    });
  }

  private refresh(application: KubernetesObject, key: string): void {
    const compared = this.compare(application, key);
    if (!compared) {
      return;
    }
    if ('type' in compared) {
      this.writeProblem(application, compared);
      this.planRefresh(key);
      return;
    }
    const operation = application.status?.operationState;
    if (operation?.phase === 'Running') {
      this.finishOperation(application, compared, key);
      return;
    }
    const resources = this.resources(application, compared);
    const outOfSync =
      resources.some(resource => resource.status !== 'Synced') ||
      this.fault(application) === 'OutOfSync';
    this.writeComparison(application, compared, resources, outOfSync);
    if (outOfSync && this.shouldSync(application, compared)) {
      this.beginOperation(application, compared);
      this.queue.addAfter({
        key,
        milliseconds: this.platform.delays.applicationSync,
      });
    } else {
      this.planRefresh(key);
    }
  }

  /** Whether a branch that the Application follows has a new commit. */
  private hasMoved(application: KubernetesObject): boolean {
    const { revision, revisions } = application.status?.sync ?? {};
    return !isDeepStrictEqual(
      sourcesOf(application).map(source =>
        resolveSource(this.platform.gitlab, source),
      ),
      revisions ?? [revision],
    );
  }

  /** All but the revision is told by events, so the interval looks at that alone. */
  private planRefresh(key: string): void {
    this.queue.addAfter({
      key: `${key}/${TICK}`,
      milliseconds: this.platform.delays.applicationRefresh,
      background: true,
    });
  }

  private fault(application: KubernetesObject) {
    return this.platform.faults.find('sync', application.metadata.name);
  }

  private destination(
    application: KubernetesObject,
  ): PlatformCluster | undefined {
    const { server, name } = (application.spec?.destination ?? {}) as {
      server?: string;
      name?: string;
    };
    if (server === 'https://kubernetes.default.svc' || name === 'in-cluster') {
      return this.platform.clusters[0];
    }
    return this.platform.clusters.find(
      cluster => cluster.url === server || cluster.name === name,
    );
  }

  /** Undefined while a source is being rendered, which brings the Application back. */
  private compare(
    application: KubernetesObject,
    key: string,
  ): Comparison | Problem | undefined {
    const destination = this.destination(application);
    if (!destination) {
      const { server, name } = application.spec?.destination ?? {};
      return {
        type: 'InvalidSpecError',
        message: name
          ? `application destination spec is invalid: unable to find destination server: there are no clusters with this name: ${name}`
          : `application destination spec is invalid: cluster "${server}" not found`,
      };
    }
    const sources = sourcesOf(application);
    const revisions: string[] = [];
    for (const source of sources) {
      const revision = resolveSource(this.platform.gitlab, source);
      if (!revision || this.fault(application) === 'ComparisonError') {
        return {
          type: 'ComparisonError',
          message: `Failed to load target state: failed to generate manifest for source 1 of ${sources.length}: rpc error: code = Unknown desc = failed to get git client for repo ${source.repoURL}: unable to resolve '${source.targetRevision}' to a commit SHA`,
        };
      }
      revisions.push(revision);
    }
    const project = this.appProject(application);
    const refusal = project && projectProblem(project, application);
    if (refusal) {
      return { type: 'InvalidSpecError', message: refusal };
    }
    const loaded = this.load(application, revisions, key);
    if (!loaded || 'type' in loaded) {
      return loaded;
    }
    const namespace = application.spec?.destination?.namespace as string;
    const manifests = loaded.manifests.map(manifest =>
      track(
        inNamespace(destination.cluster, manifest, namespace),
        instanceName(application, CONTROL_NAMESPACE),
        namespace,
      ),
    );
    return {
      revisions,
      manifests: manifests.filter(manifest => !isHook(manifest)),
      hooks: manifests.filter(isHook),
      destination,
      sourceType: loaded.sourceType,
      project,
    };
  }

  private appProject(
    application: KubernetesObject,
  ): KubernetesObject | undefined {
    return peek(this.control, {
      kind: 'AppProject',
      namespace: CONTROL_NAMESPACE,
      name: (application.spec?.project as string | undefined) ?? 'default',
    });
  }

  /** What the sources ask for: of files by the real tools, else by the model of a chart. */
  private load(
    application: KubernetesObject,
    revisions: string[],
    key: string,
  ):
    | { manifests: KubernetesObjectInput[]; sourceType: SourceType }
    | Problem
    | undefined {
    const { gitlab } = this.platform;
    const applicationName = application.metadata.name;
    const namespace = application.spec?.destination?.namespace as string;
    const sources = sourcesOf(application);
    const manifests: KubernetesObjectInput[] = [];
    let sourceType = sourceTypeOf(sources[0]);
    let pending = false;
    for (const [position, source] of sources.entries()) {
      const project = projectOfRepository(gitlab, source.repoURL ?? '');
      const sha = revisions[position];
      const files = project && gitlab.filesAt(project, sha);
      const type = files && sourceTypeOfFiles(source, files);
      if (project && files && type) {
        sourceType = type;
        this.repositories.set(
          key,
          (this.repositories.get(key) ?? new Set()).add(project.id),
        );
        const rendering = this.renderer.render(
          { source, sha, files, applicationName, namespace },
          () => this.queue.add(key),
        );
        if (!rendering) {
          pending = true;
        } else if ('problem' in rendering) {
          return {
            type: 'ComparisonError',
            message: `Failed to load target state: failed to generate manifest for source ${
              position + 1
            } of ${sources.length}: rpc error: code = Unknown desc = ${
              rendering.problem
            }`,
          };
        } else {
          manifests.push(...structuredClone(rendering.manifests));
        }
      } else if (!source.ref || source.path || source.chart) {
        manifests.push(
          ...renderChart(
            chartValues({ source, project, files, applicationName }),
            namespace,
          ),
        );
      }
    }
    return pending ? undefined : { manifests, sourceType };
  }

  private resources(
    application: KubernetesObject,
    { manifests, destination }: Comparison,
  ) {
    const wanted = manifests.map(manifest => {
      const live = peek(destination.cluster, referenceTo(manifest));
      return {
        group: groupOf(manifest) || undefined,
        version: versionOf(manifest),
        kind: manifest.kind,
        namespace: manifest.metadata.namespace,
        name: manifest.metadata.name,
        status: isInSync(live, manifest) ? 'Synced' : 'OutOfSync',
        requiresPruning: undefined as true | undefined,
      };
    });
    const surplus = this.tracking
      .of(instanceName(application, CONTROL_NAMESPACE))
      .filter(
        ({ reference }) =>
          !manifests.some(manifest =>
            isDeepStrictEqual(referenceTo(manifest), reference),
          ),
      )
      .flatMap(({ cluster, reference }) => {
        const live = peek(cluster.cluster, reference);
        return live && !isHook(live)
          ? [
              {
                group: groupOf(live) || undefined,
                version: versionOf(live),
                ...reference,
                status: 'OutOfSync',
                requiresPruning: true as const,
              },
            ]
          : [];
      });
    return [...wanted, ...surplus].sort((left, right) =>
      `${left.kind}/${left.name}` < `${right.kind}/${right.name}` ? -1 : 1,
    );
  }

  private shouldSync(
    application: KubernetesObject,
    { revisions }: Comparison,
  ): boolean {
    const automated = application.spec?.syncPolicy?.automated as
      | { selfHeal?: boolean; enabled?: boolean }
      | undefined;
    if (!automated || automated.enabled === false) {
      return false;
    }
    const last = application.status?.operationState;
    const sameTarget =
      last !== undefined &&
      isDeepStrictEqual(
        last.syncResult?.revisions ?? [last.syncResult?.revision],
        revisions,
      ) &&
      isDeepStrictEqual(
        last.syncResult?.sources ?? [last.syncResult?.source],
        sourcesOf(application),
      );
    const { namespace, name } = application.metadata;
    if (this.backingOff.has(`${namespace}/${name}`)) {
      return false;
    }
    // Argo CD does not repeat a sync to the same target unless it may heal what drifted.
    return (
      !sameTarget ||
      last?.phase === 'Failed' ||
      (automated.selfHeal === true &&
        last?.phase === 'Succeeded' &&
        this.fault(application) !== 'OutOfSync')
    );
  }

  private beginOperation(
    application: KubernetesObject,
    { revisions }: Comparison,
  ): void {
    const automated = application.spec?.syncPolicy?.automated;
    this.operations.delete(application.metadata.uid);
    this.patchStatus(application, (status, now) => ({
      ...status,
      operationState: {
        phase: 'Running',
        message: 'waiting for resources to be applied',
        startedAt: kubernetesTime(now),
        operation: {
          initiatedBy: { automated: true },
          retry: { limit: 5 },
          sync: {
            ...(automated?.prune && { prune: true }),
            ...revisionFields(application, revisions),
          },
        },
        syncResult: {
          ...syncResultRevisions(application, revisions),
          ...sourceFields(application),
        },
      },
    }));
  }

  private finishOperation(
    application: KubernetesObject,
    compared: Comparison,
    key: string,
  ): void {
    const { results, waitingFor } = this.apply(application, compared);
    const failed = results.filter(result => result.status === 'SyncFailed');
    if (failed.length === 0 && waitingFor !== undefined) {
      this.patchStatus(application, status => ({
        ...status,
        operationState: {
          ...status.operationState,
          message: waitingFor,
          syncResult: {
            ...status.operationState?.syncResult,
            resources: results,
          },
        },
      }));
      this.writeComparison(
        application,
        compared,
        this.resources(application, compared),
        true,
      );
      return;
    }
    this.operations.delete(application.metadata.uid);
    if (failed.length > 0) {
      this.backOff(key);
    } else {
      this.failedTries.delete(key);
    }
    const deployStartedAt = application.status?.operationState
      ?.startedAt as string;
    this.patchStatus(application, (status, now) => {
      const history = (status.history ?? []) as { id: number }[];
      const operationState = {
        ...status.operationState,
        phase: failed.length > 0 ? 'Failed' : 'Succeeded',
        message:
          failed.length > 0
            ? `one or more objects failed to apply, reason: ${failed[0].message}`
            : 'successfully synced (all tasks run)',
        finishedAt: kubernetesTime(now),
        syncResult: {
          ...syncResultRevisions(application, compared.revisions),
          ...sourceFields(application),
          resources: results,
        },
      };
      return {
        ...status,
        operationState,
        ...(failed.length === 0 && {
          history: [
            ...history,
            {
              id: (history.at(-1)?.id ?? -1) + 1,
              ...revisionFields(application, compared.revisions),
              ...sourceFields(application),
              deployStartedAt,
              deployedAt: kubernetesTime(now),
              initiatedBy: { automated: true },
            },
          ].slice(-HISTORY_LIMIT),
        }),
      };
    });
    this.planRefresh(key);
  }

  /** Goes through the steps of a sync, as far as it gets by now. */
  private apply(
    application: KubernetesObject,
    compared: Comparison,
  ): { results: ResourceResult[]; waitingFor?: string } {
    const { cluster } = compared.destination;
    const namespace = application.spec?.destination?.namespace as string;
    const options = (application.spec?.syncPolicy?.syncOptions ??
      []) as string[];
    if (
      options.includes('CreateNamespace=true') &&
      !cluster.get({ kind: 'Namespace', name: namespace })
    ) {
      cluster.create({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace },
      });
    }
    const progress = this.progressOf(application);
    const steps = syncSteps([...compared.manifests, ...compared.hooks]);
    for (const [position, step] of steps.entries()) {
      for (const manifest of step.resources) {
        this.note(progress, manifest, {
          syncPhase: step.phase,
          hookPhase: 'Running',
          ...this.applyPermitted(application, compared, manifest),
        });
      }
      const hookWait = this.runHooks(compared, step, progress);
      const results = [...progress.results.values()];
      if (results.some(({ status }) => status === 'SyncFailed')) {
        return { results };
      }
      const isLast = position === steps.length - 1;
      const waitingFor =
        hookWait ?? (isLast ? undefined : this.unhealthyOf(compared, step));
      if (waitingFor !== undefined) {
        return { results, waitingFor };
      }
    }
    if (application.spec?.syncPolicy?.automated?.prune) {
      this.prune(application, compared);
    }
    return { results: [...progress.results.values()] };
  }

  private progressOf(application: KubernetesObject): OperationProgress {
    const { uid } = application.metadata;
    const startedAt = application.status?.operationState?.startedAt as string;
    let progress = this.operations.get(uid);
    if (progress?.startedAt !== startedAt) {
      progress = { startedAt, results: new Map(), hooks: new Set() };
      this.operations.set(uid, progress);
    }
    return progress;
  }

  /** The first message about an object stays: `created` must not become `unchanged`. */
  private note(
    progress: OperationProgress,
    manifest: KubernetesObjectInput,
    result: AppliedResource & Pick<ResourceResult, 'syncPhase' | 'hookPhase'>,
  ): void {
    const { kind, namespace = '', name } = referenceTo(manifest);
    const key = `${groupOf(manifest)}/${kind}/${namespace}/${name}`;
    const known = progress.results.get(key);
    if (!known || known.status !== result.status || isHook(manifest)) {
      progress.results.set(key, {
        group: groupOf(manifest),
        version: versionOf(manifest),
        kind,
        namespace,
        name,
        ...(isHook(manifest) && { hookType: result.syncPhase }),
        ...result,
      });
    }
  }

  private applyPermitted(
    application: KubernetesObject,
    { destination, project }: Comparison,
    manifest: KubernetesObjectInput,
  ): AppliedResource {
    const { cluster } = destination;
    const namespaced = cluster.resources.ofObject(manifest)?.namespaced ?? true;
    if (project && !projectPermits(project, manifest, namespaced)) {
      return {
        status: 'SyncFailed',
        message: `resource ${groupOf(manifest)}:${
          manifest.kind
        } is not permitted in project ${project.metadata.name}`,
      };
    }
    return this.applyOne(cluster, application, manifest);
  }

  /** Starts the hooks of a step anew, once in a sync; the answer is what is waited for. */
  private runHooks(
    { destination }: Comparison,
    { hooks, phase }: ReturnType<typeof syncSteps>[number],
    progress: OperationProgress,
  ): string | undefined {
    const { cluster } = destination;
    let waitingFor: string | undefined;
    for (const hook of hooks) {
      const reference = referenceTo(hook);
      const key = `${phase}/${hook.kind}/${reference.namespace}/${reference.name}`;
      const label = `${groupOf(hook)}/${hook.kind}/${reference.name}`;
      const live = peek(cluster, reference);
      if (!progress.hooks.has(key)) {
        if (live) {
          // Deleted before it is created again; its deletion brings the Application back.
          deleteIfThere(cluster, reference);
        }
        if (!peek(cluster, reference)) {
          cluster.create(hook, FIELD_MANAGER);
          progress.hooks.add(key);
        }
      }
      const health =
        live && progress.hooks.has(key) ? resourceHealth(live) : undefined;
      const isOver = health && health.status !== 'Progressing';
      const failed = isOver && health.status === 'Degraded';
      this.note(progress, hook, {
        syncPhase: phase,
        hookPhase: hookPhase(health),
        status: failed ? 'SyncFailed' : 'Synced',
        message: (isOver && health.message) || `${label} created`,
      });
      if (!isOver) {
        waitingFor ??= `waiting for completion of hook ${label}`;
      }
    }
    return waitingFor;
  }

  private unhealthyOf(
    { destination }: Comparison,
    { resources }: ReturnType<typeof syncSteps>[number],
  ): string | undefined {
    const waiting = resources.find(manifest => {
      const live = peek(destination.cluster, referenceTo(manifest));
      const health = live && resourceHealth(live);
      return health !== undefined && health.status !== 'Healthy';
    });
    return (
      waiting &&
      `waiting for healthy state of ${groupOf(waiting)}/${waiting.kind}/${
        waiting.metadata.name
      }`
    );
  }

  private prune(application: KubernetesObject, compared: Comparison): void {
    const { cluster } = compared.destination;
    for (const resource of this.resources(application, compared)) {
      const reference = {
        kind: resource.kind,
        namespace: resource.namespace,
        name: resource.name as string,
      };
      const live = peek(cluster, reference);
      if (
        resource.requiresPruning &&
        live &&
        !hasSyncOption(live, 'Prune=false')
      ) {
        deleteIfThere(cluster, reference);
      }
    }
  }

  private applyOne(
    cluster: Cluster,
    application: KubernetesObject,
    manifest: KubernetesObjectInput,
  ): AppliedResource {
    const label = `${manifest.kind.toLowerCase()}${
      groupOf(manifest) ? `.${groupOf(manifest)}` : ''
    }/${manifest.metadata.name}`;
    if (this.fault(application) === 'SyncFailed') {
      return {
        status: 'SyncFailed',
        message: `error when creating "/dev/shm/manifest": ${label} is invalid: spec: Invalid value`,
      };
    }
    try {
      const live = cluster.get(referenceTo(manifest));
      if (!live) {
        cluster.create(manifest, FIELD_MANAGER);
        return { status: 'Synced', message: `${label} created` };
      }
      if (isInSync(live, manifest)) {
        return { status: 'Synced', message: `${label} unchanged` };
      }
      cluster.patch(
        referenceTo(manifest),
        draft => {
          draft.metadata.labels = {
            ...draft.metadata.labels,
            ...manifest.metadata.labels,
          };
          draft.metadata.annotations = {
            ...draft.metadata.annotations,
            ...manifest.metadata.annotations,
          };
          const { spec, ...others } = Object.fromEntries(
            Object.entries(manifest).filter(
              ([field]) => !NOT_COMPARED.includes(field),
            ),
          );
          Object.assign(draft, others);
          if (spec) {
            draft.spec = { ...draft.spec, ...(spec as object) };
          }
        },
        FIELD_MANAGER,
      );
      return { status: 'Synced', message: `${label} configured` };
    } catch (error) {
      return {
        status: 'SyncFailed',
        message: error instanceof Error ? error.message : String(error),
      };
    }
  }

  private images(namespace: string, { cluster }: PlatformCluster): string[] {
    const images = new Set<string>();
    for (const kind of ['Deployment', 'StatefulSet', 'Pod']) {
      for (const object of peekAll(cluster, kind, namespace)) {
        const spec = kind === 'Pod' ? object.spec : object.spec?.template?.spec;
        for (const container of spec?.containers ?? []) {
          images.add(container.image as string);
        }
      }
    }
    return [...images].sort();
  }

  private writeComparison(
    application: KubernetesObject,
    compared: Comparison,
    resources: ReturnType<ApplicationController['resources']>,
    outOfSync: boolean,
  ): void {
    const { cluster } = compared.destination;
    const health = worstHealth(
      resources.flatMap(resource => {
        const live = peek(cluster, {
          kind: resource.kind,
          namespace: resource.namespace,
          name: resource.name as string,
        });
        return (live && resourceHealth(live)) ?? [];
      }),
    );
    const nothingThere =
      resources.length > 0 &&
      resources.every(
        ({ kind, namespace, name }) =>
          !peek(cluster, { kind, namespace, name: name as string }),
      );
    const namespace = application.spec?.destination?.namespace as string;
    const images = this.images(namespace, compared.destination);
    this.patchStatus(application, (status, now) => ({
      ...status,
      conditions: undefined,
      controllerNamespace: CONTROL_NAMESPACE,
      health: nextHealth(
        status.health,
        nothingThere ? { status: 'Missing' } : health,
        now,
      ),
      resourceHealthSource: 'appTree',
      resources,
      sourceType: compared.sourceType,
      summary: {
        ...(images.length > 0 && { images }),
        ...externalUrls(compared.manifests),
      },
      sync: {
        status: outOfSync ? 'OutOfSync' : 'Synced',
        ...revisionFields(application, compared.revisions),
        comparedTo: {
          destination: application.spec?.destination,
          ...sourceFields(application),
        },
      },
    }));
  }

  private writeProblem(application: KubernetesObject, problem: Problem): void {
    this.patchStatus(application, (status, now) => {
      const previous = (status.conditions ?? []) as {
        type: string;
        message: string;
        lastTransitionTime: string;
      }[];
      const same = previous.find(
        condition =>
          condition.type === problem.type &&
          condition.message === problem.message,
      );
      return {
        ...status,
        controllerNamespace: CONTROL_NAMESPACE,
        conditions: [
          {
            ...problem,
            lastTransitionTime: same?.lastTransitionTime ?? kubernetesTime(now),
          },
        ],
        health:
          problem.type === 'InvalidSpecError'
            ? nextHealth(status.health, { status: 'Unknown' }, now)
            : status.health ??
              nextHealth(undefined, { status: 'Healthy' }, now),
        sync: {
          status: 'Unknown',
          comparedTo: {
            destination: application.spec?.destination,
            ...sourceFields(application),
          },
        },
      };
    });
  }

  /**
   * Writes the status when it changed, or when a refresh was asked for; only then does
   * `reconciledAt` move, so that rest stays rest.
   */
  private patchStatus(
    application: KubernetesObject,
    change: (status: Record<string, any>, now: Date) => Record<string, unknown>,
  ): void {
    const { namespace, name } = application.metadata;
    this.control.patch({ kind: 'Application', namespace, name }, draft => {
      const now = this.platform.clock.now();
      const before = draft.status ?? {};
      const after = JSON.parse(JSON.stringify(change(before, now))) as Record<
        string,
        unknown
      >;
      const asked = draft.metadata.annotations?.[REFRESH] !== undefined;
      if (asked) {
        delete draft.metadata.annotations?.[REFRESH];
      }
      if (asked || !isDeepStrictEqual(before, after)) {
        draft.status = { ...after, reconciledAt: kubernetesTime(now) };
      }
    });
  }
}

/** As Argo CD completes what a chart leaves out: the destination's namespace, where the kind has one. */
function inNamespace(
  cluster: Cluster,
  manifest: KubernetesObjectInput,
  namespace: string,
): KubernetesObjectInput {
  const { namespaced = true } = cluster.resources.ofObject(manifest) ?? {};
  const { namespace: own, ...metadata } = manifest.metadata;
  return {
    ...manifest,
    metadata: namespaced
      ? { ...metadata, namespace: own ?? namespace }
      : metadata,
  };
}

/** How far a hook is, as its health tells. */
function hookPhase(health: Health | undefined): string {
  switch (health?.status) {
    case undefined:
    case 'Progressing':
      return 'Running';
    case 'Degraded':
      return 'Failed';
    default:
      return 'Succeeded';
  }
}

function sourcesOf(application: KubernetesObject): Source[] {
  const { source, sources } = application.spec ?? {};
  return (sources?.length > 0 ? sources : [source ?? {}]) as Source[];
}

function isMultiSource(application: KubernetesObject): boolean {
  return application.spec?.sources?.length > 0;
}

function revisionFields(application: KubernetesObject, revisions: string[]) {
  return isMultiSource(application)
    ? { revisions }
    : { revision: revisions[0] };
}

/** A sync result always has `revision`, empty where there are several sources. */
function syncResultRevisions(
  application: KubernetesObject,
  revisions: string[],
) {
  return { revision: '', ...revisionFields(application, revisions) };
}

function sourceFields(application: KubernetesObject) {
  return isMultiSource(application)
    ? { sources: application.spec?.sources as unknown }
    : { source: application.spec?.source as unknown };
}

function sourceTypeOf(source: Source): SourceType {
  if (source.kustomize) {
    return 'Kustomize';
  }
  return source.helm || source.chart ? 'Helm' : 'Directory';
}

function nextHealth(
  before: (Health & { lastTransitionTime?: string }) | undefined,
  { status }: Health,
  now: Date,
) {
  return {
    status,
    lastTransitionTime:
      before?.status === status
        ? before.lastTransitionTime
        : kubernetesTime(now),
  };
}

function externalUrls(manifests: KubernetesObjectInput[]) {
  const urls = manifests
    .filter(manifest => manifest.kind === 'Ingress')
    .flatMap(manifest => (manifest.spec?.rules ?? []) as { host: string }[])
    .map(rule => `https://${rule.host}/`);
  return urls.length > 0 ? { externalURLs: urls } : {};
}
