import { ObjectRequest } from '../model';
import {
  namespacedKinds,
  requestKey,
  requestsFollowing,
  requestsOf,
} from './requestsOf';
import { EntitySetUp } from './setUpOf';

const prod = { tier: 'prod', name: 'prod' } as const;

const setUp: EntitySetUp = {
  entityRef: 'component:default/shop',
  service: 'shop',
  sets: [{ cluster: 'main', namespace: 'argocd', name: 'shop-previews' }],
  appProjects: [{ cluster: 'main', namespace: 'argocd', name: 'shop' }],
  applications: [
    { cluster: 'main', namespace: 'argocd', name: 'preview-mr-42-7' },
    {
      cluster: 'main',
      namespace: 'argocd',
      name: 'shop-prod',
      environment: prod,
    },
  ],
  namespaces: [
    { cluster: 'main', name: 'preview-mr-42-7' },
    { cluster: 'live', name: 'shop', environment: prod },
  ],
  repositories: [],
  fingerprint: '',
};

function shown({ cluster, kind, namespace = '', name = '' }: ObjectRequest) {
  return `${cluster}:${kind} ${namespace}/${name}`;
}

describe('what is read of a set-up', () => {
  const wanted = requestsOf(setUp);

  it('is by name what the set-up names, and by namespace what runs', () => {
    const texts = wanted.map(({ request }) => shown(request));
    expect(texts).toEqual([
      'main:ApplicationSet argocd/shop-previews',
      'main:AppProject argocd/shop',
      'main:Application argocd/preview-mr-42-7',
      'main:Application argocd/shop-prod',
      'main:Namespace /preview-mr-42-7',
      ...namespacedKinds.map(kind => `main:${kind} preview-mr-42-7/`),
      'live:Namespace /shop',
      ...namespacedKinds.map(kind => `live:${kind} shop/`),
    ]);
    expect(new Set(wanted.map(({ request }) => requestKey(request))).size).toBe(
      texts.length,
    );
  });

  it('has the environment of its tier', () => {
    const tiers = wanted
      .filter(({ environment }) => environment)
      .map(({ request }) => request.cluster);
    expect(tiers).toHaveLength(2 + namespacedKinds.length);
    expect(
      wanted.every(({ environment }) => !environment || environment === prod),
    ).toBe(true);
  });
});

describe('what objects name in turn', () => {
  function following(
    kind: ObjectRequest['kind'],
    object: Record<string, unknown>,
  ): string[] {
    return requestsFollowing([
      {
        request: { cluster: 'main', kind, namespace: 'shop' },
        environment: prod,
        objects: [{ metadata: { namespace: 'shop', name: 'x' }, ...object }],
      },
    ]).map(({ request, environment }) => {
      expect(environment).toBe(prod);
      return shown(request);
    });
  }

  const certificate = (issuerRef: unknown) =>
    following('Certificate', { spec: { issuerRef } });

  it.each<[string, () => string[], string[]]>([
    [
      'the ClusterIssuer of a Certificate',
      () => certificate({ kind: 'ClusterIssuer', name: 'acme' }),
      ['main:ClusterIssuer /acme'],
    ],
    [
      'the Issuer beside it, which is what no kind means',
      () => certificate({ name: 'acme' }),
      ['main:Issuer shop/acme'],
    ],
    [
      'no issuer of another group',
      () => certificate({ group: 'awspca.cert-manager.io', name: 'acme' }),
      [],
    ],
    ['no issuer without a name', () => certificate({}), []],
    ['nothing of what is no reference', () => certificate('acme'), []],
    [
      'the issuers that annotations of an Ingress name',
      () =>
        following('Ingress', {
          metadata: {
            namespace: 'shop',
            annotations: {
              'cert-manager.io/cluster-issuer': 'acme',
              'cert-manager.io/issuer': 'own',
            },
          },
        }),
      ['main:ClusterIssuer /acme', 'main:Issuer shop/own'],
    ],
    [
      'the Gateways of a route, wherever they are',
      () =>
        following('HTTPRoute', {
          spec: {
            parentRefs: [
              { name: 'own' },
              { name: 'public', namespace: 'edge' },
              { kind: 'Service', name: 'mesh' },
              'hostile',
              null,
            ],
          },
        }),
      ['main:Gateway shop/own', 'main:Gateway edge/public'],
    ],
    [
      'no Gateways of a route whose parents are no list',
      () => following('HTTPRoute', { spec: { parentRefs: 'edge' } }),
      [],
    ],
    [
      'the classes of storage for a claim',
      () => following('PersistentVolumeClaim', {}),
      ['main:StorageClass /'],
    ],
    ['nothing for a Service', () => following('Service', {}), []],
  ])('is %s', (_, found, expected) => {
    expect(found()).toEqual(expected);
  });
});
