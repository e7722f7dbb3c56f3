import type { OnboardingInput, Tier } from './input';

const NUMBER = '{{ .number }}';

/** Names that onboarding gives out; `{{ .number }}` in them is the merge request's. */
export interface OnboardingNames {
  applicationSet: string;
  previewsProject: string;
  tiersProject: string;
  tokenSecret: string;
  /** Of the Application and of the namespace of a preview. */
  preview: string;
  previewHost: string;
  /** What all namespaces of the service's previews match, and no other's. */
  previewNamespaces: string;
  /** Folder of the service's chart or overlays in the GitOps repository. */
  folder: string;
  /** Folder of the objects for Argo CD, which a root Application reads. */
  argocdFolder: string;
  tierNamespace(tier: Tier): string;
  tierHost(tier: Tier): string;
}

/**
 * Every name in one place. Those of previews hold the numeric project id and the number of the
 * merge request: a branch can be called like another one's slug, these two cannot collide.
 */
export function onboardingNames(input: OnboardingInput): OnboardingNames {
  const { service, project, domain } = input;
  return {
    applicationSet: `previews-${service}`,
    previewsProject: `previews-${service}`,
    tiersProject: service,
    tokenSecret: `previews-${service}-gitlab`,
    preview: `preview-mr-${project.id}-${NUMBER}`,
    previewHost: `${service}-mr-${NUMBER}.preview.${domain}`,
    previewNamespaces: `preview-mr-${project.id}-*`,
    folder: `services/${service}`,
    argocdFolder: `argocd/${service}`,
    tierNamespace: tier => `${service}-${tier}`,
    tierHost: tier =>
      input.tiers[tier]?.host ??
      (tier === 'prod'
        ? `${service}.${domain}`
        : `${service}.${tier}.${domain}`),
  };
}
