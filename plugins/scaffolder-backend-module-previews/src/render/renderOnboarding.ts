import { appProjects } from './appProjects';
import { applicationSet } from './applicationSet';
import { tierApplication, tierNamespaces } from './applications';
import { chartFiles } from './chartFiles';
import { checklist } from './checklist';
import { CI_FILE, ciFile } from './ciFile';
import type { RenderedFile, SkeletonFile } from './files';
import type { OnboardingInput } from './input';
import { kustomizeFiles } from './kustomize/kustomizeFiles';
import { onboardingNames } from './names';
import { tokenSecret } from './tokenSecret';

/**
 * Everything that onboarding writes, for both repositories: the same input gives the same files, in the
 * same order. Files that the repository has already, and that are only added to, are not among
 * them.
 */
export function renderOnboarding(options: {
  input: OnboardingInput;
  /** The files of the template, by their path below its folder `skeleton`. */
  skeleton: SkeletonFile[];
}): RenderedFile[] {
  const { input, skeleton } = options;
  const names = onboardingNames(input);
  const tiers = (['dev', 'prod'] as const).filter(tier => input.tiers[tier]);
  const gitops = (path: string, content: string): RenderedFile => ({
    repository: 'gitops',
    path,
    content,
  });
  const argocd = (file: string, content: string) =>
    gitops(`${names.argocdFolder}/${file}`, content);
  const packaged =
    input.packaging === 'helm'
      ? chartFiles(input, skeleton).map(({ path, content }) =>
          gitops(`${names.folder}/chart/${path}`, content),
        )
      : kustomizeFiles(input).map(({ path, content }) =>
          gitops(`${names.folder}/kustomize/${path}`, content),
        );
  return [
    argocd('appprojects.yaml', appProjects(input)),
    argocd('applicationset.yaml', applicationSet(input)),
    argocd('token.yaml', tokenSecret(input)),
    ...(tiers.length > 0
      ? [argocd('namespaces.yaml', tierNamespaces(input, tiers))]
      : []),
    ...tiers.map(tier =>
      argocd(`application-${tier}.yaml`, tierApplication(input, tier)),
    ),
    gitops(`${names.folder}/checklist.md`, checklist(input)),
    ...packaged,
    {
      repository: 'service',
      path: CI_FILE,
      content: ciFile(input, skeleton),
    },
  ];
}
