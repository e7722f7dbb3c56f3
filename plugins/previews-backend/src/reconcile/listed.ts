import { ApplicationFact, KindName } from '../model';

/** Kinds that lead to a preview, with what Argo CD and Kubernetes call them. */
export const LEADING_KINDS = {
  certificates: { group: 'cert-manager.io', kind: 'Certificate' },
  httpRoutes: { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' },
  ingresses: { group: 'networking.k8s.io', kind: 'Ingress' },
} as const satisfies Partial<Record<KindName, { group: string; kind: string }>>;

/** One of {@link LEADING_KINDS}. */
export type LeadingKind = keyof typeof LEADING_KINDS;

/** Kinds that are looked for by what Argo CD tracks their objects for: what leads to a preview, and what runs. */
export const TRACKED_KINDS = {
  ...LEADING_KINDS,
  deployments: { group: 'apps', kind: 'Deployment' },
  statefulSets: { group: 'apps', kind: 'StatefulSet' },
} as const satisfies Partial<Record<KindName, { group: string; kind: string }>>;

/** One of {@link TRACKED_KINDS}. */
export type TrackedKind = keyof typeof TRACKED_KINDS;

export function isTrackedKind(kind: KindName): kind is TrackedKind {
  return kind in TRACKED_KINDS;
}

/** `group/kind` of what makes a namespace one to look for a preview in. */
const MAKING_PLACES: ReadonlySet<string> = new Set([
  ...Object.values(LEADING_KINDS).map(({ group, kind }) => `${group}/${kind}`),
  'gateway.networking.k8s.io/ListenerSet',
  '/Namespace',
]);

/** A namespace that an Application has something in, and does not deploy to. */
export interface NamespaceBeside {
  name: string;
  /** The Namespace itself is one of the Application's resources. */
  isListed: boolean;
  /** It is listed, or what leads to a preview is in it. */
  isPlace: boolean;
}

const NONE: readonly NamespaceBeside[] = [];

/** Where an Application has resources beyond its destination, in the order of its status. */
export function namespacesBeside({
  destination,
  resources,
}: Pick<
  ApplicationFact,
  'destination' | 'resources'
>): readonly NamespaceBeside[] {
  // Nearly all have none, and this is asked of every Application in every pass.
  let found: Map<string, NamespaceBeside> | undefined;
  for (const resource of resources) {
    const isListed = resource.kind === 'Namespace' && resource.group === '';
    const name = isListed ? resource.name : resource.namespace;
    if (!name || name === destination.namespace) {
      continue;
    }
    found ??= new Map();
    const known = found.get(name);
    found.set(name, {
      name,
      isListed: isListed || known?.isListed === true,
      isPlace:
        MAKING_PLACES.has(`${resource.group}/${resource.kind}`) ||
        known?.isPlace === true,
    });
  }
  return found ? [...found.values()] : NONE;
}
