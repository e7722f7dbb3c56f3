import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import type {
  Cluster,
  KubernetesObject,
  KubernetesObjectInput,
} from '../kubernetes';
import {
  renderObject,
  renderString,
  type TemplateDialect,
} from '../templates/renderObject';
import {
  allGenerators,
  generate,
  type GeneratorContext,
  type Parameters,
} from './generators';
import {
  CONTROL_NAMESPACE,
  deleteIfThere,
  ownedBy,
  peek,
  peekOwned,
  referenceTo,
} from './objects';
import { kubernetesTime, type Platform } from './platform';
import { WorkQueue } from './workQueue';

/** Annotation that asks for a refresh now; the webhook receiver sets it. */
export const REFRESH_ANNOTATION = 'argocd.argoproj.io/application-set-refresh';

const RESOURCES_FINALIZER = 'resources-finalizer.argocd.argoproj.io';
const DEFAULT_REQUEUE_SECONDS = 30 * 60;
const ERROR_RETRY_SECONDS = 3 * 60;

interface Failure {
  reason: string;
  message: string;
}

/** A template or generator that failed: nothing may be changed then. */
class GenerationError extends Error {
  readonly reason: string;

  constructor(failure: Failure, cause: unknown) {
    super(failure.message, { cause });
    this.name = 'GenerationError';
    this.reason = failure.reason;
  }
}

/**
 * Argo CD's ApplicationSet controller: renders an Application for each set of parameters, creates,
 * updates and deletes accordingly, and freezes when a generator or a template fails.
 */
export class ApplicationSetController {
  private readonly platform: Platform;
  private readonly cluster: Cluster;
  private readonly queue: WorkQueue;
  private readonly unsubscribe: () => void;
  private readonly generations = new Map<string, number>();

  constructor(platform: Platform) {
    this.platform = platform;
    this.cluster = platform.clusters[0].cluster;
    this.queue = new WorkQueue({
      clock: platform.clock,
      activity: platform.activity,
      reconcile: key => this.reconcile(key),
    });
    this.unsubscribe = this.cluster.subscribe(({ type, object }) => {
      const { namespace, name } = object.metadata;
      const key = `${namespace}/${name}`;
      if (object.kind === 'ApplicationSet') {
        if (type === 'DELETED') {
          this.queue.forget(key);
          this.generations.delete(object.metadata.uid);
        } else if (this.isNews(object)) {
          this.queue.add(key);
        }
      }
      const owner = object.metadata.ownerReferences?.find(
        reference => reference.kind === 'ApplicationSet',
      );
      // Applications that somebody deletes come back.
      if (object.kind === 'Application' && type === 'DELETED' && owner) {
        this.queue.add(`${namespace}/${owner.name}`);
      }
    });
  }

  stop(): void {
    this.unsubscribe();
    this.queue.stop();
  }

  /** Status writes bump nothing that matters here. */
  private isNews(applicationSet: KubernetesObject): boolean {
    const { uid, generation, annotations } = applicationSet.metadata;
    const known = this.generations.get(uid) === generation;
    this.generations.set(uid, generation ?? 0);
    return !known || annotations?.[REFRESH_ANNOTATION] === 'true';
  }

  private async reconcile(key: string): Promise<void> {
    const [namespace, name] = key.split('/');
    const reference = { kind: 'ApplicationSet', namespace, name };
    const applicationSet = peek(this.cluster, reference);
    if (!applicationSet || applicationSet.metadata.deletionTimestamp) {
      return;
    }
    if (applicationSet.metadata.annotations?.[REFRESH_ANNOTATION]) {
      this.cluster.patch(reference, draft => {
        delete draft.metadata.annotations?.[REFRESH_ANNOTATION];
      });
    }
    let seconds = requeueSeconds(applicationSet);
    try {
      const failure = await this.synchronize(applicationSet);
      this.writeStatus(applicationSet, failure);
    } catch (error) {
      if (!(error instanceof GenerationError)) {
        throw error;
      }
      seconds = ERROR_RETRY_SECONDS;
      this.writeStatus(applicationSet, {
        reason: error.reason,
        message: error.message,
      });
    }
    this.queue.addAfter({
      key,
      milliseconds: seconds * 1000,
      background: true,
    });
  }

  /** Answers with a failure that did not stop the others. */
  private async synchronize(
    applicationSet: KubernetesObject,
  ): Promise<Failure | undefined> {
    const rendered = await this.render(applicationSet);
    const valid: KubernetesObjectInput[] = [];
    const problems: string[] = [];
    const names = new Set<string>();
    for (const application of rendered) {
      const problem = this.validate(applicationSet, application, names);
      if (problem) {
        problems.push(problem);
      } else {
        valid.push(application);
      }
      names.add(application.metadata.name as string);
    }
    const sync = applicationSet.spec?.syncPolicy?.applicationsSync ?? 'sync';
    const current = this.owned(applicationSet);
    const writeProblems: string[] = [];
    for (const application of valid) {
      try {
        this.createOrUpdate(current, application, sync);
      } catch (error) {
        writeProblems.push(
          error instanceof Error ? error.message : String(error),
        );
      }
    }
    if (sync === 'sync' || sync === 'create-delete') {
      current
        .filter(live => !names.has(live.metadata.name))
        .forEach(live => deleteIfThere(this.cluster, referenceTo(live)));
    }
    return (
      summarize('ApplicationValidationError', problems) ??
      summarize('CreateApplicationError', writeProblems)
    );
  }

  private async render(
    applicationSet: KubernetesObject,
  ): Promise<KubernetesObjectInput[]> {
    const dialect: TemplateDialect = {
      goTemplate: applicationSet.spec?.goTemplate === true,
      goTemplateOptions: applicationSet.spec?.goTemplateOptions,
    };
    const context: GeneratorContext = {
      cluster: this.cluster,
      applicationSet,
      dialect,
    };
    const rendered: KubernetesObjectInput[] = [];
    for (const generator of applicationSet.spec?.generators ?? []) {
      for (const parameters of await this.parameters(generator, context)) {
        try {
          rendered.push(this.renderOne(applicationSet, parameters, dialect));
        } catch (error) {
          throw new GenerationError(
            {
              reason: 'RenderTemplateParamsError',
              message: error instanceof Error ? error.message : String(error),
            },
            error,
          );
        }
      }
    }
    return rendered;
  }

  private async parameters(
    generator: Record<string, unknown>,
    context: GeneratorContext,
  ): Promise<Parameters[]> {
    const { name } = context.applicationSet.metadata;
    try {
      if (this.platform.faults.find('generator', name)) {
        throw new Error(
          'error listing repos: error listing merge requests: 500 Internal Server Error',
        );
      }
      return await generate(generator, context);
    } catch (error) {
      throw new GenerationError(
        {
          reason: 'ApplicationGenerationFromParamsError',
          message: error instanceof Error ? error.message : String(error),
        },
        error,
      );
    }
  }

  private renderOne(
    applicationSet: KubernetesObject,
    parameters: Parameters,
    dialect: TemplateDialect,
  ): KubernetesObjectInput {
    const { spec, metadata } = applicationSet;
    const template = renderObject(
      spec?.template ?? {},
      parameters,
      dialect,
    ) as { metadata: Record<string, any>; spec: Record<string, any> };
    const patched = spec?.templatePatch
      ? (mergePatch(
          template,
          parse(renderString(spec.templatePatch, parameters, dialect)),
        ) as typeof template)
      : template;
    const preserve = spec?.syncPolicy?.preserveResourcesOnDeletion === true;
    const finalizers = (patched.metadata.finalizers ?? []) as string[];
    const kept =
      finalizers.length > 0 || preserve ? finalizers : [RESOURCES_FINALIZER];
    return {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: {
        name: patched.metadata.name,
        // Always the set's own, whatever the template says.
        namespace: metadata.namespace,
        labels: {
          ...patched.metadata.labels,
          'argocd.argoproj.io/application-set-name': metadata.name,
        },
        ...(patched.metadata.annotations && {
          annotations: patched.metadata.annotations,
        }),
        ...(kept.length > 0 && { finalizers: kept }),
        ownerReferences: [ownedBy(applicationSet)],
      },
      spec: patched.spec,
    };
  }

  private validate(
    applicationSet: KubernetesObject,
    application: KubernetesObjectInput,
    names: Set<string>,
  ): string | undefined {
    const name = application.metadata.name as string;
    if (names.has(name)) {
      return `ApplicationSet ${applicationSet.metadata.name} contains applications with duplicate name: ${name}`;
    }
    const { project, destination } = application.spec ?? {};
    if (
      project &&
      !this.cluster.get({
        kind: 'AppProject',
        namespace: CONTROL_NAMESPACE,
        name: project,
      })
    ) {
      return `application references project ${project} which does not exist`;
    }
    if (destination?.server && destination.name) {
      return `application destination spec is invalid: can't have both name and server defined: ${destination.name} ${destination.server}`;
    }
    return undefined;
  }

  private owned(applicationSet: KubernetesObject): KubernetesObject[] {
    return peekOwned(this.cluster, applicationSet, 'Application');
  }

  private createOrUpdate(
    current: KubernetesObject[],
    application: KubernetesObjectInput,
    sync: string,
  ): void {
    const live = current.find(
      known => known.metadata.name === application.metadata.name,
    );
    if (!live) {
      this.cluster.create(application, {
        fieldManager: 'argocd-applicationset-controller',
      });
      return;
    }
    if (
      sync === 'create-only' ||
      sync === 'create-delete' ||
      isAsRendered(live, application)
    ) {
      return;
    }
    this.cluster.patch(
      referenceTo(live),
      draft => {
        const { labels, annotations, finalizers } = application.metadata;
        draft.spec = application.spec;
        draft.metadata.labels = { ...labels };
        draft.metadata.annotations = {
          ...keptAnnotations(draft.metadata.annotations),
          ...annotations,
        };
        if (Object.keys(draft.metadata.annotations).length === 0) {
          delete draft.metadata.annotations;
        }
        if (!draft.metadata.deletionTimestamp && finalizers) {
          draft.metadata.finalizers = finalizers;
        }
      },
      { fieldManager: 'argocd-applicationset-controller' },
    );
  }

  private writeStatus(
    applicationSet: KubernetesObject,
    failure: Failure | undefined,
  ): void {
    const reference = referenceTo(applicationSet);
    if (!this.cluster.get(reference)) {
      return;
    }
    const resources = this.owned(applicationSet).map(application => ({
      group: 'argoproj.io',
      version: 'v1alpha1',
      kind: 'Application',
      namespace: application.metadata.namespace,
      name: application.metadata.name,
      status: application.status?.sync?.status,
      health: application.status?.health,
    }));
    this.cluster.patch(reference, draft => {
      draft.status = {
        ...draft.status,
        conditions: conditionsFor(
          failure,
          draft.status?.conditions ?? [],
          kubernetesTime(this.platform.clock.now()),
        ),
        resources,
        resourcesCount: resources.length,
      };
    });
  }
}

/** Most refreshes find nothing new; those must cost little. */
function isAsRendered(
  live: KubernetesObject,
  { spec, metadata }: KubernetesObjectInput,
): boolean {
  return (
    isDeepStrictEqual(live.spec, spec) &&
    isDeepStrictEqual(live.metadata.labels ?? {}, metadata.labels ?? {}) &&
    isDeepStrictEqual(live.metadata.annotations ?? {}, {
      ...keptAnnotations(live.metadata.annotations),
      ...metadata.annotations,
    }) &&
    (live.metadata.deletionTimestamp !== undefined ||
      isDeepStrictEqual(
        live.metadata.finalizers ?? [],
        metadata.finalizers ?? [],
      ))
  );
}

function requeueSeconds(applicationSet: KubernetesObject): number {
  const seconds = allGenerators(applicationSet.spec?.generators ?? [])
    .map(
      generator =>
        generator.pullRequest?.requeueAfterSeconds as number | undefined,
    )
    .filter(value => value !== undefined);
  return seconds.length > 0 ? Math.min(...seconds) : DEFAULT_REQUEUE_SECONDS;
}

function summarize(reason: string, messages: string[]): Failure | undefined {
  const last = messages.at(-1);
  if (last === undefined) {
    return undefined;
  }
  return {
    reason,
    message:
      messages.length > 1 ? `${last} (and ${messages.length - 1} more)` : last,
  };
}

/** Annotations that Argo CD itself sets on Applications survive an update. */
function keptAnnotations(annotations: Record<string, string> | undefined) {
  return Object.fromEntries(
    Object.entries(annotations ?? {}).filter(
      ([key]) =>
        key === 'argocd.argoproj.io/refresh' ||
        key.startsWith('notified.notifications.argoproj.io'),
    ),
  );
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) {
    return patch;
  }
  const result: Record<string, unknown> = {
    ...(target as Record<string, unknown>),
  };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      delete result[key];
    } else {
      result[key] = mergePatch(result[key], value);
    }
  }
  return result;
}

interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastTransitionTime: string;
}

function conditionsFor(
  failure: Failure | undefined,
  previous: Condition[],
  now: string,
): Condition[] {
  const generated = 'Successfully generated parameters for all Applications';
  const next = failure
    ? [
        { type: 'ErrorOccurred', status: 'True', ...failure },
        {
          type: 'ParametersGenerated',
          status: 'False',
          reason: 'ErrorOccurred',
          message: failure.message,
        },
        { type: 'ResourcesUpToDate', status: 'False', ...failure },
      ]
    : [
        {
          type: 'ErrorOccurred',
          status: 'False',
          reason: 'ApplicationSetUpToDate',
          message: generated,
        },
        {
          type: 'ParametersGenerated',
          status: 'True',
          reason: 'ParametersGenerated',
          message: generated,
        },
        {
          type: 'ResourcesUpToDate',
          status: 'True',
          reason: 'ApplicationSetUpToDate',
          message: 'ApplicationSet up to date',
        },
      ];
  return next.map(condition => {
    const before = previous.find(known => known.type === condition.type);
    const { lastTransitionTime, ...rest } = before ?? {};
    return {
      ...condition,
      // Argo CD moves the time with the message too.
      lastTransitionTime:
        lastTransitionTime && isDeepStrictEqual(rest, condition)
          ? lastTransitionTime
          : now,
    };
  });
}
