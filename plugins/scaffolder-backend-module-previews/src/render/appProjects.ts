import type { OnboardingInput } from './input';
import { onboardingNames } from './names';
import { toYaml } from './toYaml';

interface GroupKind {
  group: string;
  kind: string;
}

/**
 * Kinds that the chart or the overlays render: the whole list, since Argo CD leaves behind what a
 * project does not permit, when an Application goes.
 */
function kindsOf(input: OnboardingInput): GroupKind[] {
  const gateway = input.route.kind === 'gateway';
  const perHost = input.certificate.kind === 'perMergeRequest';
  const kinds: (GroupKind | false)[] = [
    { group: '', kind: 'Service' },
    { group: '', kind: 'ServiceAccount' },
    { group: 'apps', kind: 'Deployment' },
    { group: 'networking.k8s.io', kind: 'NetworkPolicy' },
    { group: 'policy', kind: 'PodDisruptionBudget' },
    gateway && { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' },
    gateway &&
      perHost && { group: 'gateway.networking.k8s.io', kind: 'ListenerSet' },
    gateway &&
      input.splitNamespaces && {
        group: 'gateway.networking.k8s.io',
        kind: 'ReferenceGrant',
      },
    !gateway && { group: 'networking.k8s.io', kind: 'Ingress' },
    perHost && { group: 'cert-manager.io', kind: 'Certificate' },
    input.database !== undefined && { group: 'batch', kind: 'Job' },
    input.database !== undefined && {
      group: 'external-secrets.io',
      kind: 'ExternalSecret',
    },
  ];
  return kinds.filter((kind): kind is GroupKind => kind !== false);
}

/** Two AppProjects: one for previews, one for the tiers, so that no preview can reach a tier. */
export function appProjects(input: OnboardingInput): string {
  const names = onboardingNames(input);
  const kinds = kindsOf(input);
  const project = (options: {
    name: string;
    description: string;
    namespaces: string[];
    clusterKinds: GroupKind[];
    kinds: GroupKind[];
    ignored: { group: string; kind: string; name: string }[];
  }) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: options.name, namespace: input.argocdNamespace },
    spec: {
      description: options.description,
      sourceRepos: [input.gitops.repositoryUrl],
      destinations: options.namespaces.map(namespace => ({
        ...input.destination,
        namespace,
      })),
      clusterResourceWhitelist: options.clusterKinds,
      namespaceResourceWhitelist: options.kinds,
      orphanedResources: { warn: true, ignore: options.ignored },
    },
  });
  const ignored = [
    // Every namespace has this one, and nobody rendered it.
    { group: '', kind: 'ConfigMap', name: 'kube-root-ca.crt' },
    ...(input.pullSecret
      ? [{ group: '', kind: 'Secret', name: input.pullSecret }]
      : []),
    ...(input.certificate.kind === 'perMergeRequest'
      ? [{ group: '', kind: 'Secret', name: `${input.service}-tls` }]
      : []),
  ];
  const tiers = (['dev', 'prod'] as const).flatMap(tier => {
    const namespace = names.tierNamespace(tier);
    return input.splitNamespaces
      ? [namespace, `${namespace}-edge`]
      : [namespace];
  });
  return toYaml(
    {
      value: project({
        name: names.previewsProject,
        description: `Previews of ${input.service}`,
        namespaces: [names.previewNamespaces],
        clusterKinds: [{ group: '', kind: 'Namespace' }],
        kinds: kinds.filter(({ kind }) => kind !== 'PodDisruptionBudget'),
        ignored,
      }),
      comment: `Previews of ${input.service} reach their own namespaces and nothing else: no tier, and no preview of another\nservice, since the pattern holds the id of the project.`,
      notes: {
        'spec.clusterResourceWhitelist':
          'The chart renders its Namespace, so that it goes with the preview.',
        'spec.namespaceResourceWhitelist':
          'Everything that is rendered: Argo CD leaves behind what is not permitted when a preview goes.',
        'spec.orphanedResources':
          'What nobody tracks in a preview is shown before it leaks.',
      },
    },
    {
      value: project({
        name: names.tiersProject,
        description: `Environments of ${input.service} besides previews`,
        namespaces: tiers,
        clusterKinds: [],
        kinds,
        ignored,
      }),
    },
  );
}
