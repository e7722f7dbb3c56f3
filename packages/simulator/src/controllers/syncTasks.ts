import type { KubernetesObjectInput } from '../kubernetes';

const HOOK = 'argocd.argoproj.io/hook';
const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';
const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';

const PHASES = ['PreSync', 'Sync', 'PostSync'] as const;
type SyncPhase = (typeof PHASES)[number];

/** Order in which kinds of one wave are applied; the rest comes last. */
const KIND_ORDER = [
  'Namespace',
  'NetworkPolicy',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'Service',
  'Deployment',
  'StatefulSet',
];

interface Annotated {
  metadata: { annotations?: Record<string, string> };
}

/** Whether it runs in a sync instead of being kept: what Argo CD calls a hook. */
export function isHook({ metadata }: Annotated): boolean {
  return metadata.annotations?.[HOOK] !== undefined;
}

/** Whether its `sync-options` hold an option, such as `Prune=false`. */
export function hasSyncOption(
  { metadata }: Annotated,
  option: string,
): boolean {
  return (metadata.annotations?.[SYNC_OPTIONS] ?? '')
    .split(',')
    .some(given => given.trim() === option);
}

/** What a sync applies together: the next wave waits until all of it is healthy. */
export interface SyncStep {
  phase: SyncPhase;
  wave: number;
  resources: KubernetesObjectInput[];
  hooks: KubernetesObjectInput[];
}

function phasesOf(manifest: KubernetesObjectInput): SyncPhase[] {
  if (!isHook(manifest)) {
    return ['Sync'];
  }
  const asked = (manifest.metadata.annotations?.[HOOK] ?? '').split(',');
  return PHASES.filter(phase => asked.some(name => name.trim() === phase));
}

/** The steps of a sync, in order. */
export function syncSteps(manifests: KubernetesObjectInput[]): SyncStep[] {
  const steps = new Map<string, SyncStep>();
  for (const manifest of manifests) {
    const wave = Number(manifest.metadata.annotations?.[SYNC_WAVE] ?? 0) || 0;
    for (const phase of phasesOf(manifest)) {
      const key = `${phase}/${wave}`;
      const step = steps.get(key) ?? { phase, wave, resources: [], hooks: [] };
      (isHook(manifest) ? step.hooks : step.resources).push(manifest);
      steps.set(key, step);
    }
  }
  const position = ({ kind }: KubernetesObjectInput) =>
    KIND_ORDER.indexOf(kind) < 0 ? KIND_ORDER.length : KIND_ORDER.indexOf(kind);
  const inOrder = [...steps.values()].sort(
    (left, right) =>
      PHASES.indexOf(left.phase) - PHASES.indexOf(right.phase) ||
      left.wave - right.wave,
  );
  inOrder.forEach(step =>
    step.resources.sort((left, right) => position(left) - position(right)),
  );
  return inOrder;
}
