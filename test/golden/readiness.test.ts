import { runReadinessChecks } from '@previews/backstage-plugin-previews-node';
import {
  manifestsOf,
  Onboarding,
  type Environment,
} from './support/onboarding';
import { onboardingCases } from './support/onboardingCases';

const [{ request: plain }] = onboardingCases;
const environments: Environment[] = ['preview', 'dev', 'prod'];

/** What the checks that people's own set-ups are held to say of what onboarding writes. */
it.each(onboardingCases)(
  'the readiness checks find nothing in what is written and rendered: $name',
  async ({ request }) => {
    const onboarding = await Onboarding.create(request);
    const rendered = await Promise.all(
      environments.map(async environment =>
        manifestsOf((await onboarding.render(environment)).output).map(
          object => ({
            source: { path: `rendered/${environment}.yaml` },
            object,
            environment: { tier: environment, name: environment },
          }),
        ),
      ),
    );
    await onboarding.remove();
    const edges = ['preview-mr-42-7', 'shop-dev', 'shop-prod'].map(name =>
      request.splitNamespaces ? `${name}-edge` : name,
    );

    const results = runReadinessChecks({
      manifests: [
        ...onboarding.argocdManifests().map(object => ({
          source: { path: 'argocd/shop' },
          object,
        })),
        ...rendered.flat(),
      ],
      files: [
        {
          path: '.gitlab/previews.gitlab-ci.yml',
          text: onboarding.read('.gitlab/previews.gitlab-ci.yml', 'service'),
        },
      ],
      context: {
        service: 'shop',
        projectId: 42,
        project: 'web/shop',
        // Without a split the edge is told apart by its routes, not by its namespaces.
        ...(request.splitNamespaces && { servedNamespaces: edges }),
        originVariable: 'APP_ORIGIN',
        repositories: [
          {
            path: 'platform/gitops',
            role: 'gitops',
            defaultBranch: 'main',
            protectedBranches: [
              {
                name: 'main',
                push_access_levels: [{ access_level: 0 }],
                merge_access_levels: [{ access_level: 40 }],
                allow_force_push: false,
              },
            ],
            protectedTags: [
              { name: 'shop-v*', create_access_levels: [{ access_level: 40 }] },
            ],
          },
          {
            path: 'web/shop',
            role: 'service',
            defaultBranch: 'main',
            protectedTags: [
              { name: 'v*', create_access_levels: [{ access_level: 40 }] },
            ],
          },
        ],
      },
    });

    expect(
      results.map(({ id, subject, evidence, message }) => ({
        id,
        subject: `${subject.kind} ${subject.name} ${subject.path}`,
        evidence,
        message,
      })),
    ).toEqual([]);
  },
);

it('the readiness checks would find what is broken in it', async () => {
  const onboarding = await Onboarding.create(plain);
  await onboarding.remove();
  const set = onboarding
    .argocdManifests()
    .find(({ kind }) => kind === 'ApplicationSet')!;
  delete set.spec.template.metadata.finalizers;
  delete set.spec.generators[0].pullRequest.gitlab.pullRequestState;
  set.spec.generators[0].pullRequest.gitlab.project = 'web/shop';

  const results = runReadinessChecks({
    manifests: [{ source: { path: 'argocd/shop' }, object: set }],
  });
  expect(results.length).toBeGreaterThanOrEqual(3);
});
