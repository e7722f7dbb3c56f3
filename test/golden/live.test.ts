import { condition, startPlugin, StartedPlugin } from '../support/startPlugin';
import { request } from './support/onboardingCases';
import { readSkeleton } from './support/readSkeleton';
import {
  parseOnboardingInput,
  renderOnboarding,
  type OnboardingRequest,
} from './support/render';

jest.setTimeout(120_000);

const GITOPS = 'platform/gitops';
const PROJECT = 'web/shop';

const gateway = { kind: 'gateway', name: 'edge', namespace: 'edge' } as const;
const perMergeRequest = {
  kind: 'perMergeRequest',
  issuer: 'letsencrypt',
} as const;

const choices: [string, Partial<OnboardingRequest>][] = [
  ['Helm, a Gateway and its wildcard', { route: gateway }],
  [
    'Helm, a Gateway and a certificate for each merge request',
    { route: gateway, certificate: perMergeRequest },
  ],
  [
    'Helm, an Ingress and a certificate for each merge request',
    {
      route: { kind: 'ingress', className: 'traefik' },
      edgeNamespace: 'traefik',
      certificate: perMergeRequest,
    },
  ],
  [
    'Helm, a Gateway, a certificate for each merge request and split namespaces',
    { route: gateway, certificate: perMergeRequest, splitNamespaces: true },
  ],
  [
    'Helm, an Ingress and split namespaces',
    {
      route: { kind: 'ingress', className: 'traefik' },
      edgeNamespace: 'traefik',
      certificate: perMergeRequest,
      splitNamespaces: true,
    },
  ],
  [
    'Kustomize, a Gateway and its wildcard',
    { route: gateway, packaging: 'kustomize' },
  ],
];

/** The portal beside a platform with a service that was onboarded so. */
function onboarded(choice: Partial<OnboardingRequest>): Promise<StartedPlugin> {
  return startPlugin({
    scenario: ({ scenario, gitlab: { state } }) => {
      scenario.addGitOpsRepository();
      const { id } = scenario.addRepository({
        path: PROJECT,
        files: { 'server.js': '// serves\n' },
      });
      const input = parseOnboardingInput(
        {
          ...request,
          tiers: {},
          project: { id, path: PROJECT },
          gitlabUrl: state.externalUrl,
          gitops: {
            repositoryUrl: `${state.externalUrl}/${GITOPS}.git`,
            project: GITOPS,
          },
          ...choice,
        },
        { insecureGitLabs: [state.externalUrl] },
      );
      const files = renderOnboarding({ input, skeleton: readSkeleton() });
      state.commit({
        project: GITOPS,
        branch: 'main',
        message: 'Previews for shop',
        actions: files
          .filter(({ repository }) => repository === 'gitops')
          .map(({ path, content }) => ({ action: 'create', path, content })),
      });
    },
  });
}

function open({ simulator }: StartedPlugin) {
  const { iid } = simulator.control.openMergeRequest({
    project: PROJECT,
    sourceBranch: 'feature/stars',
    title: 'Show stars',
    author: 'dev1',
  });
  return { project: PROJECT, iid };
}

describe.each(choices)('a service that was onboarded with %s', (_, choice) => {
  let plugin: StartedPlugin;

  beforeAll(async () => {
    plugin = await onboarded(choice);
  });

  afterAll(async () => {
    await plugin.stop();
  });

  it('has a preview that goes live with a merge request, and goes with it', async () => {
    const { simulator } = plugin;
    const reference = open(plugin);
    const { iid } = reference;
    // Each kind is watched by itself: what does not hold up may be seen later.
    const live = await plugin.until(
      reference,
      preview =>
        preview.phase === 'Live' &&
        preview.namespaces.every(({ own }) => own) &&
        ['RouteAccepted', 'CertificateReady'].every(type =>
          preview.conditions.some(
            one => one.type === type && one.status === 'True',
          ),
        ),
    );
    const home = live.applications[0].destination.namespace;
    const served = choice.splitNamespaces ? `${home}-edge` : home;
    expect(live.routes.map(({ namespace }) => namespace)).toEqual([served]);
    expect(live.namespaces.map(({ name }) => name)).toEqual([
      ...new Set([home, served]),
    ]);
    expect(live.urls.map(({ url }) => url)).toEqual([
      `https://shop-mr-${iid}.preview.example.com`,
    ]);

    simulator.control.close(reference);
    await plugin.untilPhase(reference, 'Gone');
    const [{ cluster }] = simulator.platform.clusters;
    expect(
      cluster
        .list({ kind: 'Namespace' })
        .filter(({ metadata }) => metadata.name.startsWith('preview-mr-')),
    ).toEqual([]);
    expect(plugin.errors).toEqual([]);
  });
});

it('a preview whose route is refused in the namespace beside its workloads is not live', async () => {
  const plugin = await onboarded({ route: gateway, splitNamespaces: true });
  try {
    const { faults } = plugin.simulator;
    faults.platform.set('route', '*', 'NotAllowedByListeners');
    const reference = open(plugin);
    // Until the Gateway has its certificate, that is what keeps the route away.
    const refused = await plugin.until(
      reference,
      preview =>
        preview.phase === 'Failed' &&
        condition(preview, 'RouteAccepted')?.reason === 'NotAllowedByListeners',
    );
    expect(condition(refused, 'RouteAccepted')?.status).toBe('False');
    expect(refused.liveAt).toBeUndefined();

    await faults.clear();
    await plugin.untilPhase(reference, 'Live');
    expect(plugin.errors).toEqual([]);
  } finally {
    await plugin.stop();
  }
});
