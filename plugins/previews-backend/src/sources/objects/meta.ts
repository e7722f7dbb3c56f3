import { ObjectMeta } from '../../model';
import {
  asObject,
  compact,
  integerOf,
  JsonObject,
  MAXIMUM_TEXT,
  objectAt,
  objectsOf,
  textMapOf,
  textsOf,
  timeOf,
  wholeTextOf,
} from './values';

/** What a parser is told besides the object. */
export interface ParseContext {
  /** Name of the cluster that the object was read from, as configured. */
  cluster: string;
}

/** Longest name of any Kubernetes object. */
const MAXIMUM_NAME = 253;

const KEPT_ANNOTATIONS = [
  'argocd.argoproj.io/tracking-id',
  'cert-manager.io/certificate-name',
  'cert-manager.io/certificate-revision',
  'cert-manager.io/cluster-issuer',
  'cert-manager.io/issuer',
];

/** Decides of one annotation whether a decision could ever read it. */
function isKept(key: string, value: string): boolean {
  return (
    KEPT_ANNOTATIONS.includes(key) ||
    key.startsWith('previews/') ||
    // Evidence for the join: somebody linked the MR.
    (value.length <= MAXIMUM_TEXT && /\/merge_requests\/\d/.test(value))
  );
}

/**
 * The metadata of any object; undefined for what has no name.
 *
 * Objects of a real API server always have a uid; one without is told apart by
 * its name.
 */
export function parseObjectMeta(
  value: unknown,
  context: ParseContext,
): ObjectMeta | undefined {
  const metadata = asObject(value)?.metadata;
  const name = wholeTextOf(objectAt(metadata).name, MAXIMUM_NAME);
  if (!asObject(metadata) || name === undefined) {
    return undefined;
  }
  const fields = metadata as JsonObject;
  const namespace = wholeTextOf(fields.namespace, MAXIMUM_NAME);
  const controller = objectsOf(fields.ownerReferences).find(
    reference => reference.controller === true,
  );
  const owner = controller && {
    kind: wholeTextOf(controller.kind),
    name: wholeTextOf(controller.name, MAXIMUM_NAME),
    uid: wholeTextOf(controller.uid),
  };
  return compact({
    cluster: context.cluster,
    namespace,
    name,
    uid: wholeTextOf(fields.uid) ?? `${namespace ?? ''}/${name}`,
    labels: textMapOf(fields.labels),
    annotations: textMapOf(fields.annotations, isKept),
    createdAt: timeOf(fields.creationTimestamp),
    deletionRequestedAt: timeOf(fields.deletionTimestamp),
    finalizers: textsOf(fields.finalizers),
    generation: integerOf(fields.generation),
    owner:
      owner?.kind && owner.name && owner.uid
        ? { kind: owner.kind, name: owner.name, uid: owner.uid }
        : undefined,
  });
}

/**
 * Whether an object is of a kind and group. Items of a typed list carry
 * neither, which is why absence does not speak against it. Any version counts:
 * an unknown one is understood as far as its fields are the known ones.
 */
export function isOfKind(
  value: unknown,
  options: { kind: string; groups: readonly string[] },
): boolean {
  const object = asObject(value);
  if (!object) {
    return false;
  }
  const { kind, apiVersion } = object;
  if (kind !== undefined && kind !== options.kind) {
    return false;
  }
  if (apiVersion === undefined) {
    return true;
  }
  if (typeof apiVersion !== 'string') {
    return false;
  }
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  return options.groups.includes(group);
}

/**
 * The metadata of objects that nothing is selected by: without labels and
 * annotations, since there are many of them.
 */
export function parseLeanMeta(
  value: unknown,
  context: ParseContext,
): ObjectMeta | undefined {
  const meta = parseObjectMeta(value, context);
  return meta && { ...meta, labels: {}, annotations: {} };
}
