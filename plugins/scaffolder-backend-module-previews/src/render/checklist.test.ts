import { onboardingRequest, skeletonFiles } from '../__testUtils__/onboarding';
import { type OnboardingRequest, parseOnboardingInput } from './input';
import { renderOnboarding } from './renderOnboarding';

const { dev, prod } = onboardingRequest.tiers;

/** The checklist, and what else is written into the GitOps repository. */
function written(more: Partial<OnboardingRequest>) {
  const files = renderOnboarding({
    input: parseOnboardingInput({ ...onboardingRequest, ...more }),
    skeleton: Object.entries(skeletonFiles()).map(([path, content]) => ({
      path,
      content,
    })),
  }).filter(({ repository }) => repository === 'gitops');
  const checklist = files.find(
    ({ path }) => path === 'services/shop/checklist.md',
  );
  return {
    checklist: String(checklist?.content),
    paths: files.map(({ path }) => path),
  };
}

describe('the checklist', () => {
  it('tells how prod is released where prod is written', () => {
    const { checklist } = written({ tiers: { prod } });
    expect(checklist).toContain(
      'changes spec.source.targetRevision in argocd/shop/application-prod.yaml',
    );
  });

  it.each<[string, Partial<OnboardingRequest>]>([
    ['neither dev nor prod', { tiers: {} }],
    ['dev alone', { tiers: { dev } }],
    ['prod alone', { tiers: { prod } }],
    ['both', { tiers: { dev, prod } }],
    [
      'overlays',
      { packaging: 'kustomize', tiers: { dev, prod: { image: prod.image } } },
    ],
    ['no overlays', { packaging: 'kustomize', tiers: {} }],
  ])('names no file that is not written with %s', (_, more) => {
    const { checklist, paths } = written(more);
    const named = checklist.match(/(argocd|services)\/shop\/[\w./-]+\w/g) ?? [];
    expect(paths).toEqual(expect.arrayContaining(named));
    expect(checklist.includes('A release of prod')).toBe(
      paths.includes('argocd/shop/application-prod.yaml') &&
        more.packaging !== 'kustomize',
    );
  });
});
