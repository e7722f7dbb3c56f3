import type { OnboardingRequest } from './render';

const DIGEST = `sha256:${'4f'.repeat(32)}`;

/** A merge request that previews are rendered for. */
export const mergeRequest = { number: '7', head_short_sha: '12345678' };

/** A service with everything that has a default left to it. */
export const request: OnboardingRequest = {
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
  tiers: {
    dev: { image: { tag: 'dev-9e107d9d', digest: DIGEST } },
    prod: {
      image: { tag: 'prod-v1.4.0', digest: DIGEST },
      revision: 'shop-v1.4.0',
    },
  },
};

const database = {
  secretStore: 'platform',
  remoteKey: 'databases/shop',
  clientImage: `docker.io/library/postgres:17-alpine@${DIGEST}`,
  migrateCommand: ['node', 'migrate.js'],
};

const routes = {
  gateway: { route: { kind: 'gateway', name: 'edge', namespace: 'edge' } },
  ingress: {
    route: { kind: 'ingress', className: 'traefik' },
    edgeNamespace: 'traefik',
  },
} as const;

const certificates = {
  wildcard: { kind: 'wildcard' },
  perMergeRequest: { kind: 'perMergeRequest', issuer: 'letsencrypt-dns01' },
} as const;

/** A combination of choices by a name that says which. */
export interface OnboardingCase {
  name: string;
  request: OnboardingRequest;
}

/** What the tiers of a service packaged with Kustomize are: prod is pinned by its tag alone. */
const overlayTiers = {
  dev: request.tiers!.dev,
  prod: { image: request.tiers!.prod!.image },
};

const both = <Value>(
  name: string,
  value: Value,
): [string, Value | undefined][] => [
  ['', undefined],
  [` ${name}`, value],
];

/** Every combination of the choices that change what is rendered. */
export const onboardingCases: OnboardingCase[] = Object.entries(routes).flatMap(
  ([routeName, chosenRoute]) =>
    Object.entries(certificates).flatMap(([certificateName, certificate]) =>
      both('pullSecret', 'registry').flatMap(([pullName, pullSecret]) => {
        const chosen = { ...request, ...chosenRoute, certificate, pullSecret };
        const name = `${routeName} ${certificateName}${pullName}`;
        return [
          {
            name: `kustomize ${name}`,
            request: {
              ...chosen,
              packaging: 'kustomize' as const,
              tiers: overlayTiers,
            },
          },
          ...both('split', true).flatMap(([splitName, splitNamespaces]) =>
            both('database', database).map(
              ([databaseName, chosenDatabase]) => ({
                name: `helm ${name}${splitName}${databaseName}`,
                request: {
                  ...chosen,
                  packaging: 'helm' as const,
                  splitNamespaces,
                  database: chosenDatabase,
                },
              }),
            ),
          ),
        ];
      }),
    ),
);

/** The combinations whose whole output is kept, by the name of their folder. */
export const referenceCases: Record<string, OnboardingCase> =
  Object.fromEntries(
    [
      'helm gateway wildcard',
      'helm gateway perMergeRequest split',
      'helm ingress perMergeRequest pullSecret split database',
      'helm ingress wildcard',
      'kustomize gateway wildcard',
      'kustomize ingress perMergeRequest pullSecret',
    ].map(name => [
      name.replaceAll(' ', '-'),
      onboardingCases.find(candidate => candidate.name === name)!,
    ]),
  );
