import {
  manifestsOf,
  Onboarding,
  type Environment,
} from './support/onboarding';
import { onboardingCases } from './support/onboardingCases';
import { schemaProblems } from './support/schemaProblems';

const environments: Environment[] = ['preview', 'dev', 'prod'];

describe.each(onboardingCases)('$name', ({ request }) => {
  let onboarding: Onboarding;

  beforeAll(async () => {
    onboarding = await Onboarding.create(request);
  });

  afterAll(() => onboarding.remove());

  it('renders each environment with the real tool, into objects that its AppProject permits', async () => {
    const projects = onboarding
      .argocdManifests()
      .filter(({ kind }) => kind === 'AppProject');
    const custom = onboarding.argocdManifests();

    for (const environment of environments) {
      const { code, error, output } = await onboarding.render(environment);
      expect({ environment, code, error }).toEqual({
        environment,
        code: 0,
        error: '',
      });
      const objects = manifestsOf(output);
      custom.push(...objects);

      const application = onboarding.application(environment);
      const { namespace } = application.spec.destination;
      const { spec } = projects.find(
        ({ metadata }) => metadata.name === application.spec.project,
      )!;
      const forbidden = objects.filter(({ apiVersion, kind }) => {
        const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
        return !(
          kind === 'Namespace'
            ? spec.clusterResourceWhitelist
            : spec.namespaceResourceWhitelist
        ).some(
          (allowed: { group: string; kind: string }) =>
            allowed.group === group && allowed.kind === kind,
        );
      });
      expect(forbidden.map(({ kind }) => kind)).toEqual([]);
      const namespaces = objects.map(({ kind, metadata }) =>
        kind === 'Namespace' ? metadata.name : metadata.namespace,
      );
      expect([...new Set(namespaces)].sort()).toEqual(
        request.splitNamespaces
          ? [namespace, `${namespace}-edge`]
          : [namespace],
      );
    }
    expect(await schemaProblems(custom)).toEqual([]);
  });

  it('renders the Namespace of previews only, for the others have theirs beside their Application', async () => {
    const owned = async (environment: Environment) =>
      manifestsOf((await onboarding.render(environment)).output)
        .filter(({ kind }) => kind === 'Namespace')
        .map(({ metadata }) => metadata.name);
    const split = request.splitNamespaces;

    expect(await owned('preview')).toEqual(
      split ? ['preview-mr-42-7', 'preview-mr-42-7-edge'] : ['preview-mr-42-7'],
    );
    expect([...(await owned('dev')), ...(await owned('prod'))]).toEqual([]);
    expect(
      onboarding
        .argocdManifests()
        .filter(({ kind }) => kind === 'Namespace')
        .map(({ metadata }) => metadata.name),
    ).toEqual(
      ['shop-dev', 'shop-prod'].flatMap(name =>
        split ? [name, `${name}-edge`] : [name],
      ),
    );
  });

  it('has pods that survive a rebuilt node and that could do no harm', async () => {
    for (const environment of environments) {
      const objects = manifestsOf(
        (await onboarding.render(environment)).output,
      );
      const deployment = objects.find(({ kind }) => kind === 'Deployment')!;
      const pod = deployment.spec.template.spec;
      const [container] = pod.containers;
      const preview = environment === 'preview';

      expect(deployment.spec.replicas).toBe(preview ? 1 : 2);
      expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
      expect(objects.some(({ kind }) => kind === 'PodDisruptionBudget')).toBe(
        !preview,
      );
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext.runAsNonRoot).toBe(true);
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.readinessProbe.httpGet.path).toBe('/healthz');
      expect(container.livenessProbe.httpGet.path).toBe('/healthz');
      expect(container.resources.requests).toEqual({
        cpu: '50m',
        memory: '128Mi',
      });
      expect(pod.imagePullSecrets).toEqual(
        request.pullSecret ? [{ name: request.pullSecret }] : undefined,
      );
      expect(container.image).toMatch(
        preview
          ? /^registry\.example\.com\/web\/shop:12345678$/
          : new RegExp(
              `^registry\\.example\\.com/web/shop:${environment}-[^@]+@sha256:[0-9a-f]{64}$`,
            ),
      );
      expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    }
  });

  it('lets nobody but the edge reach the service, at the host of the environment alone', async () => {
    for (const [environment, host] of [
      ['preview', 'shop-mr-7.preview.example.com'],
      ['dev', 'shop.dev.example.com'],
      ['prod', 'shop.example.com'],
    ] as const) {
      const { output } = await onboarding.render(environment);
      const objects = manifestsOf(output);
      const admitted = objects
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .flatMap(({ spec }) => spec.ingress ?? [])
        .flatMap(({ from }: { from: object[] }) => from);
      expect(admitted).toEqual([
        {
          namespaceSelector: {
            matchLabels: {
              'kubernetes.io/metadata.name':
                request.route?.kind === 'ingress'
                  ? 'traefik'
                  : 'envoy-gateway-system',
            },
          },
        },
      ]);
      const hosts = objects.flatMap(({ kind, spec }): string[] => {
        switch (kind) {
          case 'HTTPRoute':
            return spec.hostnames;
          case 'ListenerSet':
            return spec.listeners.map(
              ({ hostname }: { hostname: string }) => hostname,
            );
          case 'Ingress':
            return [spec.rules[0].host, ...spec.tls[0].hosts];
          case 'Certificate':
            return spec.dnsNames;
          default:
            return [];
        }
      });
      expect(new Set(hosts)).toEqual(new Set([host]));
      expect(output).toContain(`https://${host}`);
      expect(objects.some(({ kind }) => kind === 'Certificate')).toBe(
        request.certificate?.kind === 'perMergeRequest',
      );
    }
  });
});
