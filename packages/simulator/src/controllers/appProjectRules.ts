import type { KubernetesObject, KubernetesObjectInput } from '../kubernetes';
import { groupOf } from './objects';

interface Destination {
  server?: string;
  name?: string;
  namespace?: string;
}

interface GroupKind {
  group?: string;
  kind?: string;
}

/** Globs of AppProjects: `*` crosses everything. */
function globMatches(pattern: string, text: string): boolean {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${expression}$`).test(text);
}

/** One that begins with `!` denies, whatever else admits. */
function admits(patterns: string[], text: string): boolean {
  const denies = patterns.filter(pattern => pattern.startsWith('!'));
  return (
    !denies.some(pattern => globMatches(pattern.slice(1), text)) &&
    patterns.some(
      pattern => !pattern.startsWith('!') && globMatches(pattern, text),
    )
  );
}

function destinationFits(rule: Destination, wanted: Destination): boolean {
  const namespace = globMatches(rule.namespace ?? '', wanted.namespace ?? '');
  const cluster =
    wanted.server !== undefined
      ? globMatches(rule.server ?? '', wanted.server)
      : globMatches(rule.name ?? '', wanted.name ?? '');
  return namespace && cluster;
}

function names(rules: GroupKind[] | undefined, object: KubernetesObjectInput) {
  return (rules ?? []).some(
    ({ group = '', kind = '' }) =>
      globMatches(group, groupOf(object)) && globMatches(kind, object.kind),
  );
}

/** What a project has against an Application's sources or destination, as Argo CD words it. */
export function projectProblem(
  project: KubernetesObject,
  application: KubernetesObject,
): string | undefined {
  const { name } = project.metadata;
  const spec = project.spec ?? {};
  const { source, sources } = application.spec ?? {};
  const repositories = (sources?.length > 0 ? sources : [source ?? {}]) as {
    repoURL?: string;
  }[];
  const refused = repositories.find(
    ({ repoURL }) =>
      !admits((spec.sourceRepos ?? []) as string[], repoURL ?? ''),
  );
  if (refused) {
    return `application repo ${refused.repoURL} is not permitted in project '${name}'`;
  }
  const destination = (application.spec?.destination ?? {}) as Destination;
  const rules = (spec.destinations ?? []) as Destination[];
  const isDeny = ({ server, name: cluster, namespace }: Destination) =>
    [server, cluster, namespace].some(text => text?.startsWith('!'));
  if (
    !rules.some(rule => !isDeny(rule) && destinationFits(rule, destination))
  ) {
    return `application destination server '${
      destination.server ?? destination.name
    }' and namespace '${
      destination.namespace
    }' do not match any of the allowed destinations in project '${name}'`;
  }
  return undefined;
}

/** Whether a project lets its Applications manage an object. */
export function projectPermits(
  project: KubernetesObject,
  object: KubernetesObjectInput,
  namespaced: boolean,
): boolean {
  const spec = project.spec ?? {};
  if (!namespaced) {
    return (
      names(spec.clusterResourceWhitelist as GroupKind[], object) &&
      !names(spec.clusterResourceBlacklist as GroupKind[], object)
    );
  }
  return (
    (spec.namespaceResourceWhitelist === undefined ||
      names(spec.namespaceResourceWhitelist as GroupKind[], object)) &&
    !names(spec.namespaceResourceBlacklist as GroupKind[], object)
  );
}
