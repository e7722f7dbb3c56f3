import { ContainerFact, PodFact } from '../../model';
import { parseConditions } from './conditions';
import { isOfKind, parseObjectMeta, ParseContext } from './meta';
import { messageOf } from './stableText';
import {
  asObject,
  compact,
  countOf,
  integerOf,
  JsonObject,
  objectAt,
  objectsOf,
  timeOf,
  wholeTextOf,
} from './values';

/** The end of a container's run. */
function parseTermination(value: unknown): ContainerFact['terminated'] {
  const terminated = asObject(value);
  return (
    terminated &&
    compact({
      reason: wholeTextOf(terminated.reason),
      exitCode: integerOf(terminated.exitCode),
    })
  );
}

function parseContainer(options: {
  name: string;
  init: boolean;
  spec: JsonObject;
  status: JsonObject;
}): ContainerFact {
  const { name, init, spec, status } = options;
  const state = objectAt(status, 'state');
  const waiting = asObject(state.waiting);
  const restarts = countOf(status.restartCount);
  return compact({
    name,
    init,
    // The status may name the image as the runtime resolved it.
    image: wholeTextOf(spec.image) ?? wholeTextOf(status.image) ?? '',
    imageId: wholeTextOf(status.imageID),
    ready: status.ready === true,
    restarts,
    waiting:
      waiting &&
      compact({
        reason: wholeTextOf(waiting.reason) ?? '',
        message: messageOf(waiting.message),
      }),
    terminated: parseTermination(state.terminated),
    lastTerminated: parseTermination(objectAt(status, 'lastState').terminated),
    // Nobody asks it of the many that run as they were started, or are probed.
    runningSince:
      restarts > 0 && !asObject(spec.readinessProbe)
        ? timeOf(objectAt(state, 'running').startedAt)
        : undefined,
  });
}

/** Containers by the spec; those that only the status tells of come after. */
function parseContainers(options: {
  specs: unknown;
  statuses: unknown;
  init: boolean;
}): ContainerFact[] {
  const specs = objectsOf(options.specs);
  const statuses = objectsOf(options.statuses);
  const names = new Set(
    [...specs, ...statuses].flatMap(({ name }) => wholeTextOf(name) ?? []),
  );
  const named = (objects: JsonObject[], name: string) =>
    objects.find(object => object.name === name) ?? {};
  return [...names].map(name =>
    parseContainer({
      name,
      init: options.init,
      spec: named(specs, name),
      status: named(statuses, name),
    }),
  );
}

/** Parses a Pod; undefined for anything else. */
export function parsePod(
  value: unknown,
  context: ParseContext,
): PodFact | undefined {
  if (!isOfKind(value, { kind: 'Pod', groups: [''] })) {
    return undefined;
  }
  const meta = parseObjectMeta(value, context);
  if (!meta) {
    return undefined;
  }
  const spec = objectAt(value, 'spec');
  const status = objectAt(value, 'status');
  const conditions = parseConditions(status.conditions);
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
  return compact({
    meta,
    phase: wholeTextOf(status.phase) ?? 'Unknown',
    ready: conditions.some(
      condition => condition.type === 'Ready' && condition.status === 'True',
    ),
    containers: [
      ...parseContainers({
        specs: spec.containers,
        statuses: status.containerStatuses,
        init: false,
      }),
      ...parseContainers({
        specs: spec.initContainers,
        statuses: status.initContainerStatuses,
        init: true,
      }),
    ],
    unschedulable:
      scheduled?.status === 'False'
        ? scheduled.message ?? scheduled.reason ?? ''
        : undefined,
    startedAt: timeOf(status.startTime),
  });
}
