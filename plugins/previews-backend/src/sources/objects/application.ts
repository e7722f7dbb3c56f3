import { ApplicationFact, ApplicationSource } from '../../model';
import { isOfKind, parseObjectMeta, ParseContext } from './meta';
import { messageOf } from './stableText';
import {
  asObject,
  boundedCopy,
  compact,
  integerOf,
  JsonObject,
  MAXIMUM_ITEMS,
  objectAt,
  objectsOf,
  textOf,
  textsOf,
  timeOf,
  wholeTextOf,
  wordOf,
} from './values';

/** Characters of all that is kept of one source as written. */
const MAXIMUM_SOURCE = 100_000;

/** More resources than this are not told one by one. */
const MAXIMUM_RESOURCES = 500;

/**
 * Kinds that tell where an Application has what a preview is made of. Of many
 * resources these come first, then what is not in order, which explains the
 * Application; the rest can go.
 */
const LOCATING_KINDS: ReadonlySet<string> = new Set([
  'Namespace',
  'HTTPRoute',
  'ListenerSet',
  'Ingress',
  'Certificate',
  'Deployment',
  'StatefulSet',
]);

function parseSource(source: JsonObject): ApplicationSource {
  return compact({
    repoUrl: wholeTextOf(source.repoURL),
    chart: wholeTextOf(source.chart),
    path: wholeTextOf(source.path),
    targetRevision: wholeTextOf(source.targetRevision),
    raw: boundedCopy(source, { characters: MAXIMUM_SOURCE }),
  });
}

/**
 * One revision per source, in order. Argo CD writes empty ones before it has
 * resolved any.
 */
function revisionsOf(value: JsonObject): string[] {
  const revisions =
    Array.isArray(value.revisions) && value.revisions.length > 0
      ? value.revisions
      : [value.revision];
  const texts = revisions
    .slice(0, MAXIMUM_ITEMS)
    .map(revision => wholeTextOf(revision) ?? '');
  return texts.some(text => text !== '') ? texts : [];
}

function parseOperation(state: JsonObject): ApplicationFact['operation'] {
  const result = objectAt(state, 'syncResult');
  const resources = objectsOf(result.resources, Infinity)
    .filter(
      resource =>
        // Ordinary resources have a hook phase too; only hooks have a type.
        wholeTextOf(resource.hookType) !== undefined ||
        resource.status === 'SyncFailed' ||
        resource.hookPhase === 'Failed' ||
        resource.hookPhase === 'Error',
    )
    .slice(0, MAXIMUM_ITEMS)
    .map(resource =>
      compact({
        kind: wholeTextOf(resource.kind) ?? '',
        namespace: wholeTextOf(resource.namespace),
        name: wholeTextOf(resource.name) ?? '',
        status: wholeTextOf(resource.status),
        message: messageOf(resource.message),
        hookType: wholeTextOf(resource.hookType),
        hookPhase: wholeTextOf(resource.hookPhase),
      }),
    );
  return compact({
    phase: wordOf(
      state.phase,
      ['Running', 'Terminating', 'Failed', 'Error', 'Succeeded'] as const,
      'Unknown',
    ),
    message: messageOf(state.message),
    startedAt: timeOf(state.startedAt),
    finishedAt: timeOf(state.finishedAt),
    revisions: revisionsOf(result),
    resources,
  });
}

function parseResources(value: unknown): ApplicationFact['resources'] {
  const all = objectsOf(value, Infinity).map(resource =>
    compact({
      group: wholeTextOf(resource.group) ?? '',
      kind: wholeTextOf(resource.kind) ?? '',
      namespace: wholeTextOf(resource.namespace),
      name: wholeTextOf(resource.name) ?? '',
      status: wholeTextOf(resource.status),
      health: wholeTextOf(objectAt(resource.health).status),
      requiresPruning: resource.requiresPruning === true,
      hook: resource.hook === true,
    }),
  );
  if (all.length <= MAXIMUM_RESOURCES) {
    return all;
  }
  const rankOf = ({ kind, status }: (typeof all)[number]) => {
    if (LOCATING_KINDS.has(kind)) {
      return 0;
    }
    return status === 'Synced' ? 2 : 1;
  };
  return all
    .sort((left, right) => rankOf(left) - rankOf(right))
    .slice(0, MAXIMUM_RESOURCES);
}

/** The newest entry's revisions, with the time of the first entry of its run. */
function parseDeployed(value: unknown): ApplicationFact['deployed'] {
  const entries = objectsOf(value).map((entry, index) => ({
    order: integerOf(entry.id) ?? index,
    revisions: revisionsOf(entry),
    at: timeOf(entry.deployedAt),
  }));
  entries.sort((left, right) => right.order - left.order);
  const newest = entries[0];
  if (!newest || newest.revisions.length === 0) {
    return undefined;
  }
  const isSame = (revisions: string[]) =>
    revisions.length === newest.revisions.length &&
    revisions.every((revision, index) => revision === newest.revisions[index]);
  let at = newest.at;
  for (const entry of entries) {
    if (!isSame(entry.revisions)) {
      break;
    }
    at = entry.at ?? at;
  }
  return compact({ revisions: newest.revisions, at });
}

/** Parses an Application of Argo CD; undefined for anything else. */
export function parseApplication(
  value: unknown,
  context: ParseContext,
): ApplicationFact | undefined {
  if (!isOfKind(value, { kind: 'Application', groups: ['argoproj.io'] })) {
    return undefined;
  }
  const meta = parseObjectMeta(value, context);
  if (!meta) {
    return undefined;
  }
  const application = value as JsonObject;
  const spec = objectAt(application, 'spec');
  const status = objectAt(application, 'status');
  const destination = objectAt(spec, 'destination');
  const sync = objectAt(status, 'sync');
  const health = objectAt(status, 'health');
  const summary = objectAt(status, 'summary');
  const operationState = asObject(status.operationState);

  const multiSource = Array.isArray(spec.sources) && spec.sources.length > 0;
  const single = asObject(spec.source);
  const sources = multiSource
    ? objectsOf(spec.sources).map(parseSource)
    : [...(single ? [parseSource(single)] : [])];
  const isRunning =
    operationState?.phase === 'Running' ||
    operationState?.phase === 'Terminating';

  return compact({
    meta,
    project: wholeTextOf(spec.project),
    destination: compact({
      server: wholeTextOf(destination.server),
      name: wholeTextOf(destination.name),
      namespace: wholeTextOf(destination.namespace),
    }),
    sources,
    multiSource,
    info: objectsOf(spec.info).flatMap(item => {
      const name = textOf(item.name);
      const text = wholeTextOf(item.value);
      return name !== undefined && text !== undefined
        ? [{ name, value: text }]
        : [];
    }),
    sync: {
      status: wordOf(sync.status, ['Synced', 'OutOfSync'] as const, 'Unknown'),
      revisions: revisionsOf(sync),
    },
    health: compact({
      status: wordOf(
        health.status,
        ['Healthy', 'Progressing', 'Degraded', 'Suspended', 'Missing'] as const,
        'Unknown',
      ),
      message: messageOf(health.message),
    }),
    // Argo CD leaves `operation` in place while the operation runs.
    operationRequested:
      asObject(application.operation) !== undefined && !isRunning,
    operation: operationState && parseOperation(operationState),
    conditions: objectsOf(status.conditions).flatMap(condition => {
      const type = wholeTextOf(condition.type);
      return type !== undefined
        ? [
            compact({
              type,
              message: messageOf(condition.message) ?? '',
              lastTransitionAt: timeOf(condition.lastTransitionTime),
            }),
          ]
        : [];
    }),
    resources: parseResources(status.resources),
    images: textsOf(summary.images),
    externalUrls: textsOf(summary.externalURLs),
    deployed: parseDeployed(status.history),
    reconciledAt: timeOf(status.reconciledAt),
  });
}
