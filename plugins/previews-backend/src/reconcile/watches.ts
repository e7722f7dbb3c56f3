import { TrackedKind } from './listed';

/**
 * What a preview can watch in a cluster: a change of nothing else can change what
 * was observed of it. Names of Kubernetes have no slash, so that no two of these
 * are the same text.
 */

/** All that is in a namespace, the Namespace itself, and who has anything in it. */
export function wholeNamespace(cluster: string, namespace: string): string {
  return `${cluster}/${namespace}`;
}

/** The Namespace itself, and who has anything in it. */
export function namespaceItself(cluster: string, namespace: string): string {
  return `${cluster}/${namespace}/`;
}

/** What Argo CD tracks in a namespace for an Application, by its name there. */
export function trackedInNamespace(
  cluster: string,
  namespace: string,
  application: string,
): string {
  return `${cluster}/${namespace}/tracked/${application}`;
}

/** One route, Certificate or workload. */
export function objectInNamespace(
  cluster: string,
  namespace: string,
  object: { kind: TrackedKind; name: string },
): string {
  return `${cluster}/${namespace}/${object.kind}/${object.name}`;
}
