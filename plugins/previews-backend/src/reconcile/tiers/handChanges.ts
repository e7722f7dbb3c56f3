import {
  cleanText,
  HandChange,
} from '@previews/backstage-plugin-previews-common';

/** More fields of one change than this are not told. */
const MAXIMUM_FIELDS = 10;
/** More changes of one resource than this are not kept. */
export const MAXIMUM_CHANGES = 10;
/** Fields that are looked through of one manager. */
const MAXIMUM_VISITED = 5_000;
const MAXIMUM_DEPTH = 40;
const MAXIMUM_TEXT = 200;

/**
 * Who writes to objects though nobody is at a keyboard: Argo CD itself, the control plane, and
 * whatever calls itself a controller or an operator.
 */
const CONTROLLERS = [
  /^argocd(-|$)/,
  /^argo-?rollouts?/,
  /^(kube-(apiserver|controller-manager|scheduler|proxy)|kubelet|cloud-controller-manager)$/,
  /(^|-)(controller|controller-manager|operator|autoscaler|webhook|admission|injector|provisioner|agent)s?(-|$)/,
  /^(cert-manager|external-secrets|external-dns|keda|istio|cilium|envoy|vpa|hpa|cluster-autoscaler|karpenter|kyverno|linkerd)/,
  // What a controller is called that was given no name.
  /^manager$/,
];

/** Fields that tools leave behind and that nobody means. */
const BOOK_KEEPING = new Set([
  'metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]',
  'metadata.annotations[deployment.kubernetes.io/revision]',
  'metadata.annotations[argocd.argoproj.io/tracking-id]',
]);

type JsonObject = Record<string, unknown>;

function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

function isController(manager: string): boolean {
  return CONTROLLERS.some(pattern => pattern.test(manager.toLowerCase()));
}

/** `f:spec` is `spec`; `k:{"name":"app"}` is `[name=app]`; `v:"x"` is `["x"]`. */
function segmentOf(key: string): string | undefined {
  const rest = key.slice(2);
  if (key.startsWith('f:')) {
    // A name with dots in it would be read as several.
    return /^[\w-]+$/.test(rest) ? rest : `[${rest}]`;
  }
  if (key.startsWith('k:')) {
    try {
      const pairs = Object.entries(JSON.parse(rest) as JsonObject);
      return `[${pairs.map(([name, value]) => `${name}=${value}`).join(',')}]`;
    } catch {
      return `[${rest}]`;
    }
  }
  return key.startsWith('v:') || key.startsWith('i:') ? `[${rest}]` : undefined;
}

function fieldsOf(fieldsV1: unknown): string[] {
  const fields: string[] = [];
  let visited = 0;
  const visit = (node: JsonObject, path: string, depth: number) => {
    const inner = Object.entries(node).flatMap(([key, value]) => {
      const segment = segmentOf(key);
      return segment === undefined ? [] : [[segment, value] as const];
    });
    if (inner.length === 0 && path) {
      fields.push(path);
      return;
    }
    for (const [segment, value] of inner) {
      visited += 1;
      if (visited > MAXIMUM_VISITED || depth > MAXIMUM_DEPTH) {
        return;
      }
      const next =
        segment.startsWith('[') || !path
          ? path + segment
          : `${path}.${segment}`;
      if (next !== 'status') {
        visit(asObject(value) ?? {}, next, depth + 1);
      }
    }
  };
  visit(asObject(fieldsV1) ?? {}, '', 0);
  return fields.filter(field => !BOOK_KEEPING.has(field));
}

/**
 * The fields of an object that somebody changed past Argo CD, from its managed fields: those of
 * managers that are no controller, the status left out. A change that is older than the last sync
 * that went well was put back by it; what is left of that is in fields that Git says nothing of.
 *
 * @param object - whole, as the API server answers.
 * @param options.since - ISO: end of the last sync that went well, where there was one.
 * @returns the latest first.
 */
export function handChangesOf(
  object: unknown,
  options: { since?: string },
): HandChange[] {
  const entries = asObject(asObject(object)?.metadata)?.managedFields;
  const since = options.since === undefined ? NaN : Date.parse(options.since);
  const changes: HandChange[] = [];
  for (const item of Array.isArray(entries) ? entries : []) {
    const entry = asObject(item) ?? {};
    const { manager, time, subresource } = entry;
    const at = typeof time === 'string' ? Date.parse(time) : NaN;
    if (
      typeof manager !== 'string' ||
      manager === '' ||
      Number.isNaN(at) ||
      at < since ||
      subresource === 'status' ||
      isController(manager)
    ) {
      continue;
    }
    const fields = fieldsOf(entry.fieldsV1);
    if (fields.length > 0) {
      changes.push({
        manager: cleanText(manager).slice(0, MAXIMUM_TEXT),
        at: new Date(at).toISOString(),
        fields: fields
          .sort()
          .slice(0, MAXIMUM_FIELDS)
          .map(field => cleanText(field).slice(0, MAXIMUM_TEXT)),
      });
    }
  }
  return changes.sort(latestFirst).slice(0, MAXIMUM_CHANGES);
}

export function latestFirst(left: HandChange, right: HandChange): number {
  return Date.parse(right.at) - Date.parse(left.at);
}
