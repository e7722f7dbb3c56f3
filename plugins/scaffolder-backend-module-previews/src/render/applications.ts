import type { OnboardingInput, Tier } from './input';
import { onboardingNames } from './names';
import { tierSource } from './sources';
import { toYaml } from './toYaml';

/** The Application of an environment besides previews. */
export function tierApplication(input: OnboardingInput, tier: Tier): string {
  const names = onboardingNames(input);
  const pinned = tier === 'prod' && input.packaging === 'helm';
  return toYaml({
    value: {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: {
        name: names.tierNamespace(tier),
        namespace: input.argocdNamespace,
        labels: {
          'previews/project-id': String(input.project.id),
          'previews/tier': tier,
        },
      },
      spec: {
        project: names.tiersProject,
        source: tierSource(input, tier),
        destination: {
          ...input.destination,
          namespace: names.tierNamespace(tier),
        },
        syncPolicy: { automated: { prune: true, selfHeal: true } },
      },
    },
    comment: `${input.service} in ${tier}. No finalizer: to delete this file by mistake must not delete the environment.`,
    notes: {
      'spec.source.targetRevision': pinned
        ? 'A release changes this line, and reverting it takes the release back.'
        : `Follows ${input.gitops.branch}; the image stands in the ${
            input.packaging === 'helm' ? 'values' : 'overlay'
          }.`,
    },
  });
}

/**
 * Namespaces of the tiers. They outlive a mistaken deletion, unlike those of previews, which the
 * chart renders.
 */
export function tierNamespaces(input: OnboardingInput, tiers: Tier[]): string {
  const names = onboardingNames(input);
  const served = input.splitNamespaces ? '-edge' : '';
  return toYaml(
    ...tiers.flatMap(tier => {
      const own = names.tierNamespace(tier);
      return [...new Set([own, `${own}${served}`])].map(name => ({
        value: {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: {
            name,
            labels: {
              'app.kubernetes.io/part-of': input.service,
              'previews/tier': tier,
              ...(name === `${own}${served}` && { 'previews/served': 'true' }),
              'pod-security.kubernetes.io/enforce': 'restricted',
            },
            annotations: {
              'argocd.argoproj.io/sync-wave': '-1',
              'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
            },
          },
        },
      }));
    }),
  );
}
