import { InputError } from '@backstage/errors';
import { parseOnboardingInput, type OnboardingRequest } from './input';

const DIGEST = `sha256:${'4f'.repeat(32)}`;

const request: OnboardingRequest = {
  service: 'shop',
  project: { id: 42, path: 'web/shop' },
  gitlabUrl: 'https://gitlab.example.com',
  gitops: {
    repositoryUrl: 'https://gitlab.example.com/platform/gitops.git',
    project: 'platform/gitops',
  },
  image: 'registry.example.com/web/shop',
  domain: 'example.com',
  token: {
    secretStore: 'platform',
    remoteKey: 'gitlab/previews',
    expiresOn: '2027-03-01',
  },
};

const database = {
  secretStore: 'platform',
  remoteKey: 'databases/shop',
  clientImage: `postgres@${DIGEST}`,
};

describe('parseOnboardingInput', () => {
  it('fills in what the form may leave out', () => {
    expect(parseOnboardingInput(request)).toEqual({
      ...request,
      gitops: { ...request.gitops, branch: 'main' },
      destination: { server: 'https://kubernetes.default.svc' },
      argocdNamespace: 'argocd',
      port: 8080,
      healthPath: '/healthz',
      resources: {
        requests: { cpu: '50m', memory: '128Mi' },
        limits: { memory: '256Mi' },
      },
      route: { kind: 'gateway', name: 'edge', namespace: 'edge' },
      edgeNamespace: 'envoy-gateway-system',
      certificate: { kind: 'wildcard' },
      packaging: 'helm',
      idleTtl: 'P7D',
      splitNamespaces: false,
      token: { ...request.token, property: 'token' },
      pipelines: 'mergeRequests',
      stage: 'build',
      tiers: {},
    });
  });

  it.each<[string, Partial<OnboardingRequest>]>([
    ['an Ingress', { route: { kind: 'ingress', className: 'traefik' } }],
    ['a Gateway', {}],
  ])('takes the namespace that is named for the pods of %s', (_, more) => {
    const { edgeNamespace } = parseOnboardingInput({
      ...request,
      ...more,
      edgeNamespace: 'edge-pods',
    });
    expect(edgeNamespace).toBe('edge-pods');
  });

  it.each<[string, object, string]>([
    [
      'a service whose name is no label of DNS',
      { service: 'Shop_1' },
      'service: begins with a small letter',
    ],
    [
      'a service whose name leaves no room for the number',
      { service: 'a'.repeat(46) },
      'service: ',
    ],
    [
      'a service whose objects could be taken for a preview’s',
      { service: 'previews-shop' },
      'service: must not begin with "preview"',
    ],
    [
      'a project by its path alone',
      { project: { path: 'web/shop' } },
      'project.id: Required',
    ],
    [
      'a project that would end a string of a script',
      { project: { id: 42, path: 'web/"; rm -rf' } },
      'project.path: is the full path of a project',
    ],
    [
      'a GitLab without TLS',
      { gitlabUrl: 'http://gitlab.example.com' },
      'gitlabUrl: is an https URL',
    ],
    [
      'a GitLab with a password in its URL',
      { gitlabUrl: 'https://dev1:pass@gitlab.example.com' },
      'gitlabUrl: is an https URL without credentials',
    ],
    [
      'an image with a tag',
      { image: 'registry.example.com/web/shop:latest' },
      'image: is an image with its registry, without tag and digest',
    ],
    [
      'a domain with a scheme',
      { domain: 'https://example.com' },
      'domain: is a domain',
    ],
    [
      'a branch that would be a command',
      { gitops: { ...request.gitops, branch: 'main;reboot' } },
      'gitops.branch: is a name of Git',
    ],
    ['a privileged port', { port: 80 }, 'port: '],
    [
      'a health path that is none',
      { healthPath: 'healthz' },
      'healthPath: is a path that begins with /',
    ],
    [
      'memory without a unit',
      {
        resources: {
          requests: { cpu: '1', memory: '128' },
          limits: { memory: '256Mi' },
        },
      },
      'resources.requests.memory: is memory such as 256Mi',
    ],
    [
      'a duration that GitLab would not understand',
      { idleTtl: '7 days' },
      'idleTtl: is a duration such as P7D',
    ],
    ['an empty duration', { idleTtl: 'P' }, 'idleTtl: '],
    [
      'a day that the calendar does not have',
      { token: { ...request.token, expiresOn: '2027-02-30' } },
      'token.expiresOn: is a day such as 2027-01-31',
    ],
    [
      'a label that GitLab does not have',
      { label: '"' },
      'label: is no label of GitLab',
    ],
    [
      'a database client by a tag that moves',
      { database: { ...database, clientImage: 'postgres:17' } },
      'database.clientImage: is an image with psql, by its digest',
    ],
    [
      'what nobody asked',
      { servcie: 'shop' },
      "input: Unrecognized key(s) in object: 'servcie'",
    ],
    [
      'split namespaces with Kustomize',
      { packaging: 'kustomize', splitNamespaces: true },
      'splitNamespaces: needs Helm',
    ],
    [
      'a database with Kustomize',
      { packaging: 'kustomize', database },
      'database: needs Helm',
    ],
    [
      'a Secret of the wildcard beside a Gateway',
      { certificate: { kind: 'wildcard', secret: 'wildcard' } },
      'certificate.secret: is for an Ingress',
    ],
    [
      'an Ingress whose controller could be anywhere',
      { route: { kind: 'ingress', className: 'traefik' } },
      'edgeNamespace: is missing: with an Ingress it is the namespace of the ingress controller’s pods',
    ],
    [
      'a Secret in a served namespace',
      {
        splitNamespaces: true,
        route: { kind: 'ingress', className: 'traefik' },
        edgeNamespace: 'traefik',
        certificate: { kind: 'wildcard', secret: 'wildcard' },
      },
      'certificate.secret: would put a Secret into the served namespace',
    ],
    [
      'dev with an image of prod',
      { tiers: { dev: { image: { tag: 'prod-v1.0.0', digest: DIGEST } } } },
      'tiers.dev.image.tag: does not name the environment: it begins with "dev-"',
    ],
    [
      'a tier without a digest',
      { tiers: { dev: { image: { tag: 'dev-1a2b3c4d' } } } },
      'tiers.dev.image.digest: Required',
    ],
    [
      'a tier at the host of a preview',
      {
        tiers: {
          dev: {
            image: { tag: 'dev-1a2b3c4d', digest: DIGEST },
            host: 'shop-mr-1.preview.example.com',
          },
        },
      },
      'tiers.dev.host: is under preview.example.com',
    ],
    [
      'prod that is pinned to nothing',
      { tiers: { prod: { image: { tag: 'prod-v1.0.0', digest: DIGEST } } } },
      'tiers.prod.revision: is missing',
    ],
    [
      'prod that is pinned to a branch',
      {
        tiers: {
          prod: {
            image: { tag: 'prod-v1.0.0', digest: DIGEST },
            revision: 'main',
          },
        },
      },
      'tiers.prod.revision: is not protected: tags of this service begin with "shop-v"',
    ],
    [
      'a pinned revision with Kustomize',
      {
        packaging: 'kustomize',
        tiers: {
          prod: {
            image: { tag: 'prod-v1.0.0', digest: DIGEST },
            revision: 'shop-v1.0.0',
          },
        },
      },
      'tiers.prod.revision: is for Helm',
    ],
  ])('refuses %s, and names the field', (_, changes, message) => {
    const parse = () => parseOnboardingInput({ ...request, ...changes });
    expect(parse).toThrow(InputError);
    expect(parse).toThrow(message);
  });

  it('takes a token until the day on which it expires', () => {
    const now = new Date('2027-02-28T23:59:59Z');
    expect(parseOnboardingInput(request, { now }).token.expiresOn).toBe(
      '2027-03-01',
    );
  });

  it.each([
    ['as its day begins', '2027-03-01T00:00:00Z'],
    ['in a later year', '2028-01-01T00:00:00Z'],
  ])('refuses a token %s, as GitLab does', (_, now) => {
    const parse = () => parseOnboardingInput(request, { now: new Date(now) });
    expect(parse).toThrow(InputError);
    expect(parse).toThrow(
      'token.expiresOn: 2027-03-01 is no day to come, so the token has expired',
    );
  });

  it('names all fields that are wrong at once', () => {
    expect(() =>
      parseOnboardingInput({ ...request, port: 80, domain: 'localhost' }),
    ).toThrow(/domain: .*; port: /);
  });
});
