import type { OnboardingInput, Tier } from './input';
import { hostPatches } from './kustomize/hostPatches';
import { onboardingNames } from './names';

/** Where Argo CD finds what a preview is rendered from, and with which parameters. */
export function previewSource(input: OnboardingInput): object {
  const names = onboardingNames(input);
  const source = {
    repoURL: input.gitops.repositoryUrl,
    targetRevision: input.gitops.branch,
  };
  if (input.packaging === 'kustomize') {
    return {
      ...source,
      path: `${names.folder}/kustomize/overlays/preview`,
      kustomize: {
        namespace: names.preview,
        images: [`${input.image}:{{ .head_short_sha }}`],
        commonLabels: joinLabels(input),
        labelWithoutSelector: true,
        patches: hostPatches(input, names.previewHost),
      },
    };
  }
  const parameter = (name: string, value: string) => ({
    name,
    value,
    // Eight digits, or digits around an e, would be a number to Helm.
    forceString: true,
  });
  return {
    ...source,
    path: `${names.folder}/chart`,
    helm: {
      valueFiles: ['values-preview.yaml'],
      parameters: [
        parameter('image.tag', '{{ .head_short_sha }}'),
        parameter('host', names.previewHost),
        parameter('preview.mergeRequest', '{{ .number }}'),
      ],
    },
  };
}

/** Where Argo CD finds what a tier is rendered from. */
export function tierSource(input: OnboardingInput, tier: Tier): object {
  const names = onboardingNames(input);
  const repoURL = input.gitops.repositoryUrl;
  if (input.packaging === 'kustomize') {
    return {
      repoURL,
      targetRevision: input.gitops.branch,
      path: `${names.folder}/kustomize/overlays/${tier}`,
    };
  }
  return {
    repoURL,
    targetRevision:
      (tier === 'prod' && input.tiers.prod?.revision) || input.gitops.branch,
    path: `${names.folder}/chart`,
    helm: { valueFiles: [`values-${tier}.yaml`] },
  };
}

/** The labels by which the portal joins an Application and a merge request. */
export function joinLabels(input: OnboardingInput): Record<string, string> {
  return {
    'previews/project-id': String(input.project.id),
    'previews/merge-request': '{{ .number }}',
  };
}
