import { createMockDirectory } from '@backstage/backend-test-utils';
import { InputError, NotFoundError } from '@backstage/errors';
import { integrationsOf } from '../__testUtils__/integrations';
import { onboardingRequest, skeletonFiles } from '../__testUtils__/onboarding';
import { runAction } from '../__testUtils__/runAction';
import { createRenderAction } from './renderAction';

const workspace = createMockDirectory();

const integrations = integrationsOf([
  {
    host: 'gitlab.example.com',
    apiBaseUrl: 'https://gitlab.example.com/api/v4',
  },
  {
    host: '127.0.0.1:7081',
    baseUrl: 'http://127.0.0.1:7081',
    apiBaseUrl: 'http://127.0.0.1:7081/api/v4',
  },
]);

const now = () => new Date('2026-11-30T12:00:00Z');

function render(input: object, more: { isDryRun?: boolean } = {}) {
  return runAction({
    action: createRenderAction({ integrations, now }),
    workspacePath: workspace.path,
    input,
    ...more,
  });
}

describe('previews:gitops:render', () => {
  beforeEach(() => workspace.setContent({ skeleton: skeletonFiles() }));

  it('writes the files of both repositories into a folder each', async () => {
    const output = await render({ values: onboardingRequest });
    expect(output.files).toEqual(
      expect.arrayContaining([
        { repository: 'gitops', path: 'argocd/shop/applicationset.yaml' },
        { repository: 'gitops', path: 'services/shop/chart/values.yaml' },
        { repository: 'service', path: '.gitlab/previews.gitlab-ci.yml' },
      ]),
    );
    const content = workspace.content() as Record<string, any>;
    expect(content.gitops.argocd.shop['applicationset.yaml']).toContain(
      'kind: ApplicationSet',
    );
    expect(Object.keys(content.service)).toEqual(['.gitlab']);
    expect(output.checklistPath).toBe('services/shop/checklist.md');
    expect(output.checklist).toContain('What is left to do');
    expect(output.changed).toBe(true);
  });

  it('names the branch after the content', async () => {
    const { branchName } = await render({ values: onboardingRequest });
    expect(branchName).toMatch(/^previews\/onboard-shop-[0-9a-f]{8}$/);
    expect(await render({ values: onboardingRequest })).toMatchObject({
      branchName,
    });
    const other = await render({
      values: { ...onboardingRequest, port: 9000 },
    });
    expect(other.branchName).not.toBe(branchName);
  });

  it('writes nothing for an Ingress whose controller could be anywhere', async () => {
    const values = {
      ...onboardingRequest,
      route: { kind: 'ingress', className: 'traefik' },
    };
    const rendering = render({ values });
    await expect(rendering).rejects.toThrow(InputError);
    await expect(rendering).rejects.toThrow('edgeNamespace: is missing');
    expect(Object.keys(workspace.content()!)).toEqual(['skeleton']);
    await render({ values: { ...values, edgeNamespace: 'traefik' } });
    const { gitops } = workspace.content() as Record<string, any>;
    expect(gitops.services.shop.chart['values.yaml']).toContain(
      'edgeNamespace: traefik\n',
    );
  });

  it('does in a dry run what it does else', async () => {
    expect(createRenderAction({ integrations }).supportsDryRun).toBe(true);
    const output = await render(
      { values: onboardingRequest },
      { isDryRun: true },
    );
    expect(output).toEqual(await render({ values: onboardingRequest }));
  });

  it('says that a repository has all of it', async () => {
    await render({ values: onboardingRequest, gitopsPath: 'repository' });
    const compared = {
      values: onboardingRequest,
      repositoryPath: 'repository',
    };
    expect(await render(compared)).toMatchObject({ changed: false });
    workspace.addContent({
      repository: { 'argocd/shop/token.yaml': 'kind: Changed\n' },
    });
    expect(await render(compared)).toMatchObject({ changed: true });
  });

  it('names the rule of the repository that would hide a file', async () => {
    workspace.addContent({ repository: { '.gitignore': 'values-*.yaml\n' } });
    await expect(
      render({ values: onboardingRequest, repositoryPath: 'repository' }),
    ).rejects.toThrow(
      'services/shop/chart/values-preview.yaml by "values-*.yaml" (.gitignore, line 1)',
    );
  });

  it('refuses a project that another file of the repository gives previews to, and writes nothing', async () => {
    workspace.addContent({
      repository: {
        'apps/previews.yml':
          'kind: ApplicationSet\nmetadata: {name: shop-previews}\nspec:\n  generators:\n    - pullRequest:\n        gitlab: {project: web/shop, api: https://gitlab.example.com}\n',
      },
    });
    await expect(
      render({ values: onboardingRequest, repositoryPath: 'repository' }),
    ).rejects.toThrow(
      'web/shop has previews already: the ApplicationSet shop-previews in apps/previews.yml of platform/gitops',
    );
    expect(workspace.content()).not.toHaveProperty('gitops');
  });

  it('refuses to replace the files of somebody else', async () => {
    workspace.addContent({
      repository: { 'services/shop/chart/templates/_helpers.tpl': 'theirs' },
    });
    await expect(
      render({ values: onboardingRequest, repositoryPath: 'repository' }),
    ).rejects.toThrow(
      'which would be replaced: services/shop/chart/templates/_helpers.tpl.',
    );
  });

  it('names every field that is wrong, and writes nothing', async () => {
    await expect(
      render({ values: { ...onboardingRequest, service: 'A', port: 1 } }),
    ).rejects.toThrow(/service: begins with a small letter.*port: /);
    expect(Object.keys(workspace.content() as object)).toEqual(['skeleton']);
  });

  const renderAt = (gitlabUrl: string) =>
    render({
      values: {
        ...onboardingRequest,
        gitlabUrl,
        gitops: {
          ...onboardingRequest.gitops,
          repositoryUrl: `${gitlabUrl}/platform/gitops.git`,
        },
      },
    });

  it('takes a GitLab without TLS that the portal itself has so', async () => {
    expect(await renderAt('http://127.0.0.1:7081')).toMatchObject({
      changed: true,
    });
  });

  it.each([
    'http://127.0.0.1:7082',
    'http://127.0.0.1:7081.example.com',
    'http://gitlab.example.com',
  ])('refuses %s, whose portal has it not so', async gitlabUrl => {
    await expect(renderAt(gitlabUrl)).rejects.toThrow(
      'gitlabUrl: is an https URL',
    );
  });

  it('refuses a token that has expired by the time that it is run, and writes nothing', async () => {
    const values = {
      ...onboardingRequest,
      token: { ...onboardingRequest.token, expiresOn: '2026-11-30' },
    };
    await expect(render({ values })).rejects.toThrow(
      'token.expiresOn: 2026-11-30 is no day to come',
    );
    expect(Object.keys(workspace.content() as object)).toEqual(['skeleton']);
  });

  it('reads the clock where no other time is given', async () => {
    const action = createRenderAction({ integrations });
    const expiring = (expiresOn: string) =>
      runAction({
        action,
        workspacePath: workspace.path,
        input: {
          values: {
            ...onboardingRequest,
            token: { ...onboardingRequest.token, expiresOn },
          },
        },
      });
    await expect(expiring('2020-01-01')).rejects.toThrow(InputError);
    expect(await expiring('2999-01-01')).toMatchObject({ changed: true });
  });

  it('says which step is missing when there is no skeleton', async () => {
    await expect(
      render({ values: onboardingRequest, skeletonPath: 'none' }),
    ).rejects.toThrow(
      new NotFoundError(
        'The workspace has no folder none: a step before has to make it',
      ),
    );
  });

  it('does not leave its workspace', async () => {
    await expect(
      render({ values: onboardingRequest, gitopsPath: '../elsewhere' }),
    ).rejects.toThrow('Relative path is not allowed');
  });

  it('reads no links of what was fetched', async () => {
    workspace.addContent({
      repository: {
        'argocd/shop/token.yaml': ({ symlink }) => symlink('../../secret'),
        secret: 'x',
      },
    });
    await expect(
      render({ values: onboardingRequest, repositoryPath: 'repository' }),
    ).rejects.toThrow(InputError);
  });
});
