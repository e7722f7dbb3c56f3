import { CheckedObject, SetUp } from './SetUp';
import { JsonObject, objectAt, objectsAt, Path, textAt } from './values';

/** Where the template of pods is, by kind. */
const POD_SPECS: Record<string, Path> = {
  Deployment: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

/** A container of a workload, with its place. */
export interface Container {
  object: JsonObject;
  path: Path;
  name: string;
  image: string;
}

/** Something that makes pods. */
export interface Workload {
  on: CheckedObject;
  path: Path;
  pod: JsonObject;
  labels: JsonObject;
  containers: readonly Container[];
  initContainers: readonly Container[];
}

function containersAt(on: CheckedObject, path: Path): Container[] {
  return objectsAt(on.object, ...path).map(({ object, path: place }) => ({
    object,
    path: place,
    name: textAt(object, 'name'),
    image: textAt(object, 'image'),
  }));
}

/** Everything that makes pods. */
export function workloadsOf(setUp: SetUp): Workload[] {
  return setUp.ofKind(...Object.keys(POD_SPECS)).map(on => {
    const path = POD_SPECS[on.kind];
    return {
      on,
      path,
      pod: objectAt(on.object, ...path),
      labels: objectAt(on.object, ...path.slice(0, -1), 'metadata', 'labels'),
      containers: containersAt(on, [...path, 'containers']),
      initContainers: containersAt(on, [...path, 'initContainers']),
    };
  });
}

/** Whether a selector of labels takes pods; an empty one takes all. */
export function selects(selector: JsonObject, labels: JsonObject): boolean {
  const isFit = Object.entries(objectAt(selector, 'matchLabels')).every(
    ([name, value]) => labels[name] === value,
  );
  return (
    isFit &&
    objectsAt(selector, 'matchExpressions').every(({ object }) => {
      const values = Array.isArray(object.values) ? object.values : [];
      const value = labels[textAt(object, 'key')];
      switch (object.operator) {
        case 'In':
          return values.includes(value);
        case 'NotIn':
          return !values.includes(value);
        case 'Exists':
          return value !== undefined;
        case 'DoesNotExist':
          return value === undefined;
        default:
          return false;
      }
    })
  );
}

/** Whether traffic comes to its pods: a Service takes them, or they name a port. */
export function isServing(workload: Workload, setUp: SetUp): boolean {
  if (['Job', 'CronJob'].includes(workload.on.kind)) {
    return false;
  }
  return (
    servingContainers(workload).length > 0 ||
    setUp.beside(workload.on, 'Service').some(({ object }) => {
      const selector = objectAt(object, 'spec', 'selector');
      return (
        Object.keys(selector).length > 0 &&
        selects({ matchLabels: selector }, workload.labels)
      );
    })
  );
}

/** Containers that name a port. */
export function servingContainers({ containers }: Workload): Container[] {
  return containers.filter(
    ({ object }) => objectsAt(object, 'ports').length > 0,
  );
}
