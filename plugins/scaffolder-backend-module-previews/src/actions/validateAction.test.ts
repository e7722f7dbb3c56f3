import {
  createMockDirectory,
  mockServices,
} from '@backstage/backend-test-utils';
import { parseOnboardingInput, renderOnboarding } from '../render';
import { onboardingRequest, skeletonFiles } from '../__testUtils__/onboarding';
import { runAction } from '../__testUtils__/runAction';
import { createValidateAction } from './validateAction';

const workspace = createMockDirectory();
const logger = mockServices.logger.mock();

function filesFor(request: object) {
  const rendered = renderOnboarding({
    input: parseOnboardingInput(request),
    skeleton: Object.entries(skeletonFiles()).map(([path, content]) => ({
      path,
      content,
    })),
  });
  const of = (wanted: string) =>
    Object.fromEntries(
      rendered
        .filter(({ repository }) => repository === wanted)
        .map(({ path, content }) => [path, content]),
    );
  return { gitops: of('gitops'), service: of('service') };
}

function validate() {
  return runAction({
    action: createValidateAction(),
    workspacePath: workspace.path,
    input: { service: 'shop', projectId: 42, project: 'web/shop' },
    logger,
  });
}

const { revision: _, ...overlayProd } = onboardingRequest.tiers.prod;
const kustomize = {
  ...onboardingRequest,
  packaging: 'kustomize',
  tiers: { dev: onboardingRequest.tiers.dev, prod: overlayProd },
};

describe('previews:gitops:validate', () => {
  it.each<[string, object]>([
    ['Helm', onboardingRequest],
    ['previews alone', { ...onboardingRequest, tiers: {} }],
    ['Kustomize', kustomize],
    [
      'Kustomize with an Ingress',
      {
        ...kustomize,
        route: { kind: 'ingress', className: 'traefik' },
        edgeNamespace: 'traefik',
      },
    ],
    [
      'a certificate for each merge request',
      {
        ...onboardingRequest,
        certificate: { kind: 'perMergeRequest', issuer: 'letsencrypt' },
        splitNamespaces: true,
      },
    ],
  ])('finds nothing in what is rendered: %s', async (__, request) => {
    workspace.setContent(filesFor(request));
    expect(await validate()).toEqual({ results: [] });
  });

  it('stops with the message of every error, and how to mend it', async () => {
    const { gitops, service } = filesFor(onboardingRequest);
    const set = 'argocd/shop/applicationset.yaml';
    workspace.setContent({
      service,
      gitops: {
        ...gitops,
        [set]: gitops[set]
          .replace(/^ +pullRequestState: .*\n/m, '')
          .replace('- resources-finalizer.argocd.argoproj.io', '- other'),
      },
    });
    await expect(validate()).rejects.toThrow(
      /^The files are not ready for previews:\n- \w+ in argocd\/shop\/applicationset\.yaml: .*\n- StateUnset in argocd\/shop\/applicationset\.yaml: .* Set pullRequestState: opened on the generator\.$/,
    );
  });

  it('hands on what is no error, and logs it', async () => {
    workspace.setContent({
      gitops: {
        'service.yaml':
          'apiVersion: v1\nkind: Service\nmetadata: {name: shop, namespace: shop-prod}\nspec: {type: LoadBalancer}\n',
      },
      service: {},
    });
    const { results } = await validate();
    expect(results.length).toBeGreaterThan(0);
    expect(results[0]).toMatchObject({ path: 'service.yaml' });
    expect(logger.warn).toHaveBeenCalled();
  });

  it('names the file that is no YAML', async () => {
    workspace.setContent({ gitops: { 'a.yaml': 'a: [' }, service: {} });
    await expect(validate()).rejects.toThrow('a.yaml is no valid YAML');
  });

  it('says which folder is missing', async () => {
    workspace.setContent({ service: {} });
    await expect(validate()).rejects.toThrow('no folder gitops');
  });
});
