import { parseCertificate } from './certificate';
import { parseGateway, parseHttpRoute, parseListenerSet } from './gatewayApi';
import { parseIngress } from './ingress';
import { parseNamespace } from './namespace';
import { parsePod } from './pod';
import { parseDeployment, parseReplicaSet, parseStatefulSet } from './workload';

const context = { cluster: 'c' };
const metadata = {
  name: 'web',
  namespace: 'preview-7',
  uid: 'u',
  generation: 4,
};

describe('parseNamespace', () => {
  const parse = (status: object) =>
    parseNamespace(
      { kind: 'Namespace', metadata: { name: 'preview-7' }, status },
      context,
    );

  it.each([
    ['Active', 'Active'],
    ['Terminating', 'Terminating'],
    ['Gone', 'Unknown'],
    [undefined, 'Unknown'],
  ])('takes the phase %p for %s', (phase, expected) => {
    expect(parse({ phase })?.phase).toBe(expected);
  });

  it('takes only conditions that are True for problems', () => {
    expect(
      parse({
        phase: 'Terminating',
        conditions: [
          {
            type: 'NamespaceDeletionDiscoveryFailure',
            status: 'False',
            message: 'fine',
          },
          {
            type: 'NamespaceContentRemaining',
            status: 'True',
            message: 'pods. has 1 resource instances',
          },
          { type: 'NamespaceFinalizersRemaining', status: 'True' },
          {
            type: 'NamespaceDeletionContentFailure',
            status: 'Unknown',
            message: '?',
          },
          { type: 'Ready', status: 'True' },
        ],
      })?.problems,
    ).toEqual([
      {
        type: 'NamespaceContentRemaining',
        message: 'pods. has 1 resource instances',
      },
      { type: 'NamespaceFinalizersRemaining', message: '' },
    ]);
  });
});

describe('workloads', () => {
  const template = {
    spec: {
      initContainers: [{ name: 'migrate', image: 'r/migrate:1' }],
      containers: [{ name: 'web', image: 'r/web:1' }, { name: 'empty' }],
    },
  };

  it.each([
    ['Deployment', parseDeployment],
    ['StatefulSet', parseStatefulSet],
  ])('reads a %s', (kind, parse) => {
    expect(
      parse(
        {
          apiVersion: 'apps/v1',
          kind,
          metadata,
          spec: { replicas: 3, template },
          status: {
            observedGeneration: 4,
            readyReplicas: 1,
            updatedReplicas: 2,
            availableReplicas: 1,
            conditions: [
              {
                type: 'Progressing',
                status: 'False',
                reason: 'ProgressDeadlineExceeded',
                message: 'm',
                lastUpdateTime: 'x',
              },
            ],
          },
        },
        context,
      ),
    ).toMatchObject({
      kind,
      desired: 3,
      ready: 1,
      updated: 2,
      available: 1,
      observed: true,
      images: ['r/web:1', 'r/migrate:1'],
      conditions: [
        {
          type: 'Progressing',
          status: 'False',
          reason: 'ProgressDeadlineExceeded',
          message: 'm',
        },
      ],
    });
  });

  it.each([
    ['has seen the spec', { observedGeneration: 4 }, true],
    ['has seen a newer one', { observedGeneration: 5 }, true],
    ['has seen an older one', { observedGeneration: 3 }, false],
    ['has seen nothing', {}, false],
    ['has seen what is no number', { observedGeneration: '4' }, false],
  ])('knows that a controller %s', (_, status, observed) => {
    expect(
      parseDeployment({ kind: 'Deployment', metadata, status }, context)
        ?.observed,
    ).toBe(observed);
  });

  it.each([
    [undefined, 1],
    [0, 0],
    [2, 2],
    [-1, 1],
    ['2', 1],
  ])('wants of replicas %p: %d', (replicas, desired) => {
    expect(
      parseDeployment({ metadata, spec: { replicas } }, context)?.desired,
    ).toBe(desired);
    expect(
      parseReplicaSet({ metadata, spec: { replicas } }, context)?.desired,
    ).toBe(desired);
  });

  it.each([
    ['True', 'quota', 'quota'],
    ['True', undefined, 'FailedCreate'],
    ['False', 'old', undefined],
  ])(
    'tells why a ReplicaSet cannot make pods: %s %p',
    (status, message, failure) => {
      expect(
        parseReplicaSet(
          {
            kind: 'ReplicaSet',
            metadata,
            status: {
              conditions: [
                {
                  type: 'ReplicaFailure',
                  status,
                  reason: 'FailedCreate',
                  message,
                },
              ],
            },
          },
          context,
        )?.failure,
      ).toBe(failure);
    },
  );
});

describe('parsePod', () => {
  const parse = (parts: object) =>
    parsePod({ kind: 'Pod', metadata, ...parts }, context)!;

  it('reads one that is not scheduled', () => {
    expect(
      parse({
        spec: { containers: [{ name: 'web', image: 'r/web:1' }] },
        status: {
          phase: 'Pending',
          conditions: [
            {
              type: 'PodScheduled',
              status: 'False',
              message: '0/3 nodes are available',
            },
          ],
        },
      }),
    ).toMatchObject({
      phase: 'Pending',
      ready: false,
      unschedulable: '0/3 nodes are available',
      containers: [
        {
          name: 'web',
          init: false,
          image: 'r/web:1',
          ready: false,
          restarts: 0,
        },
      ],
    });
  });

  it('reads one that serves, with the image as asked for and as pulled', () => {
    const pod = parse({
      spec: { containers: [{ name: 'web', image: 'web:1' }] },
      status: {
        phase: 'Running',
        startTime: '2026-03-01T10:00:00Z',
        conditions: [
          { type: 'PodScheduled', status: 'True' },
          { type: 'Ready', status: 'True' },
        ],
        containerStatuses: [
          {
            name: 'web',
            image: 'docker.io/library/web:1',
            imageID: 'docker.io/library/web@sha256:1',
            ready: true,
            restartCount: 2,
            state: { running: {} },
          },
        ],
      },
    });
    expect(pod).toMatchObject({
      phase: 'Running',
      ready: true,
      startedAt: '2026-03-01T10:00:00Z',
      containers: [
        {
          name: 'web',
          init: false,
          image: 'web:1',
          imageId: 'docker.io/library/web@sha256:1',
          ready: true,
          restarts: 2,
        },
      ],
    });
    expect(pod.unschedulable).toBeUndefined();
  });

  it.each([
    ['ErrImagePull'],
    ['ImagePullBackOff'],
    ['InvalidImageName'],
    ['CrashLoopBackOff'],
    ['CreateContainerConfigError'],
    ['SomethingNew'],
  ])('reads that a container waits: %s', reason => {
    expect(
      parse({
        status: {
          containerStatuses: [
            {
              name: 'web',
              image: 'r/web:1',
              imageID: '',
              state: { waiting: { reason, message: 'm' } },
            },
          ],
        },
      }).containers,
    ).toEqual([
      {
        name: 'web',
        init: false,
        image: 'r/web:1',
        ready: false,
        restarts: 0,
        waiting: { reason, message: 'm' },
      },
    ]);
  });

  it('reads how a container ended, now and before', () => {
    expect(
      parse({
        status: {
          initContainerStatuses: [
            {
              name: 'migrate',
              image: 'm',
              state: { terminated: { reason: 'Error', exitCode: 1 } },
            },
          ],
          containerStatuses: [
            {
              name: 'web',
              image: 'w',
              lastState: { terminated: { reason: 'OOMKilled', exitCode: 137 } },
            },
          ],
        },
      }).containers,
    ).toMatchObject([
      {
        name: 'web',
        init: false,
        lastTerminated: { reason: 'OOMKilled', exitCode: 137 },
      },
      {
        name: 'migrate',
        init: true,
        terminated: { reason: 'Error', exitCode: 1 },
      },
    ]);
  });
});

describe('parseCertificate', () => {
  const parse = (parts: object) =>
    parseCertificate(
      {
        apiVersion: 'cert-manager.io/v1',
        kind: 'Certificate',
        metadata,
        ...parts,
      },
      context,
    )!;

  it('reads one that was just made', () => {
    expect(
      parse({
        spec: {
          dnsNames: ['a.example.com'],
          secretName: 's',
          issuerRef: { name: 'i' },
        },
      }),
    ).toMatchObject({
      dnsNames: ['a.example.com'],
      secretName: 's',
      issuer: { kind: 'Issuer', name: 'i' },
    });
  });

  it('reads one that is ready while its renewal failed', () => {
    expect(
      parse({
        spec: {
          dnsNames: ['a.example.com', '*.a.example.com'],
          issuerRef: { kind: 'ClusterIssuer', name: 'i' },
        },
        status: {
          conditions: [
            {
              type: 'Issuing',
              status: 'False',
              reason: 'Failed',
              message: 'm',
              lastTransitionTime: '2026-03-02T10:00:00Z',
            },
            {
              type: 'Ready',
              status: 'True',
              reason: 'Ready',
              lastTransitionTime: '2026-03-01T10:00:00Z',
            },
          ],
          notBefore: '2026-03-01T10:00:00Z',
          notAfter: '2026-05-30T10:00:00Z',
          renewalTime: '2026-04-30T10:00:00Z',
          lastFailureTime: '2026-03-02T10:00:00Z',
          failedIssuanceAttempts: 2,
        },
      }),
    ).toMatchObject({
      issuer: { kind: 'ClusterIssuer', name: 'i' },
      ready: {
        status: 'True',
        reason: 'Ready',
        lastTransitionAt: '2026-03-01T10:00:00Z',
      },
      issuing: {
        status: 'False',
        reason: 'Failed',
        message: 'm',
        lastTransitionAt: '2026-03-02T10:00:00Z',
      },
      notBefore: '2026-03-01T10:00:00Z',
      notAfter: '2026-05-30T10:00:00Z',
      renewalTime: '2026-04-30T10:00:00Z',
      lastFailureTime: '2026-03-02T10:00:00Z',
      failedIssuanceAttempts: 2,
    });
  });

  it('is not taken from the group of another project', () => {
    expect(
      parse({ apiVersion: 'networking.internal.knative.dev/v1' }),
    ).toBeUndefined();
  });
});

describe('parseHttpRoute', () => {
  it('reads routes with the defaults of their parents', () => {
    const conditions = [
      {
        type: 'Accepted',
        status: 'True',
        reason: 'Accepted',
        observedGeneration: 4,
        lastTransitionTime: 'x',
      },
    ];
    expect(
      parseHttpRoute(
        {
          apiVersion: 'gateway.networking.k8s.io/v1',
          kind: 'HTTPRoute',
          metadata,
          spec: {
            hostnames: ['a.example.com'],
            parentRefs: [
              { name: 'own' },
              {
                name: 'shared',
                namespace: 'gateways',
                sectionName: 'https',
                port: 443,
                kind: 'Gateway',
              },
              {},
            ],
          },
          status: {
            parents: [
              { parentRef: { name: 'own' }, controllerName: 'x/y', conditions },
              { parentRef: null },
            ],
          },
        },
        context,
      ),
    ).toMatchObject({
      hostnames: ['a.example.com'],
      parentRefs: [
        { kind: 'Gateway', namespace: 'preview-7', name: 'own' },
        {
          kind: 'Gateway',
          namespace: 'gateways',
          name: 'shared',
          sectionName: 'https',
          port: 443,
        },
      ],
      parents: [
        {
          ref: { kind: 'Gateway', namespace: 'preview-7', name: 'own' },
          controllerName: 'x/y',
          conditions: [
            {
              type: 'Accepted',
              status: 'True',
              reason: 'Accepted',
              observedGeneration: 4,
            },
          ],
        },
      ],
    });
  });
});

describe('parseGateway', () => {
  const gateway = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata,
    spec: {
      listeners: [
        {
          name: 'https',
          hostname: '*.example.com',
          port: 443,
          protocol: 'HTTPS',
          tls: { certificateRefs: [{ name: 'wildcard' }, {}] },
        },
        { name: 'http', port: 80, protocol: 'HTTP' },
        { port: 1 },
      ],
    },
    status: {
      listeners: [
        {
          name: 'https',
          conditions: [
            { type: 'Programmed', status: 'False', reason: 'Invalid' },
          ],
        },
      ],
    },
  };

  it('reads listeners, each with its own status', () => {
    expect(parseGateway(gateway, context)?.listeners).toEqual([
      {
        name: 'https',
        hostname: '*.example.com',
        port: 443,
        protocol: 'HTTPS',
        certificateRefs: [{ name: 'wildcard' }],
        conditions: [
          { type: 'Programmed', status: 'False', reason: 'Invalid' },
        ],
      },
      {
        name: 'http',
        port: 80,
        protocol: 'HTTP',
        certificateRefs: [],
        conditions: [],
      },
    ]);
  });

  it('is not taken from a service mesh', () => {
    expect(
      parseGateway(
        { ...gateway, apiVersion: 'networking.istio.io/v1' },
        context,
      ),
    ).toBeUndefined();
  });
});

describe('parseIngress', () => {
  const parse = (parts: object) =>
    parseIngress(
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata,
        ...parts,
      },
      context,
    )!;

  it.each([
    'networking.k8s.io/v1',
    'networking.k8s.io/v1beta1',
    'extensions/v1beta1',
  ])('reads one of %s', apiVersion => {
    expect(
      parse({
        apiVersion,
        spec: {
          ingressClassName: 'nginx',
          rules: [{ host: 'a.example.com' }, { host: 'a.example.com' }, {}],
          tls: [{ hosts: ['a.example.com'], secretName: 's' }, {}],
        },
        status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
      }),
    ).toMatchObject({
      className: 'nginx',
      hosts: ['a.example.com'],
      tls: [{ hosts: ['a.example.com'], secretName: 's' }, { hosts: [] }],
      addressed: true,
    });
  });

  it('reads the class of an old annotation', () => {
    expect(
      parse({
        metadata: {
          ...metadata,
          annotations: { 'kubernetes.io/ingress.class': 'traefik' },
        },
      }).className,
    ).toBe('traefik');
  });

  it.each([
    [{ loadBalancer: { ingress: [{ hostname: 'lb.example.com' }] } }, true],
    [{ loadBalancer: { ingress: [{}] } }, false],
    [{ loadBalancer: { ingress: [] } }, false],
    [{ loadBalancer: {} }, false],
    [{}, false],
  ])('with status %j is addressed: %s', (status, addressed) => {
    expect(parse({ status }).addressed).toBe(addressed);
  });
});

describe('ListenerSets', () => {
  const parse = (spec: object, status: object = {}) =>
    parseListenerSet(
      {
        apiVersion: 'gateway.networking.k8s.io/v1',
        kind: 'ListenerSet',
        metadata,
        spec,
        status,
      },
      context,
    );

  it('have the listeners that they add, each with what is said of it', () => {
    expect(
      parse(
        {
          parentRef: { name: 'edge', namespace: 'gateways' },
          listeners: [
            {
              name: 'https',
              hostname: 'a.example.com',
              port: 443,
              protocol: 'HTTPS',
              tls: { certificateRefs: [{ kind: 'Secret', name: 'shop-tls' }] },
              allowedRoutes: { namespaces: { from: 'Same' } },
            },
            { port: 80 },
          ],
        },
        {
          conditions: [
            { type: 'Accepted', status: 'False', reason: 'NotAllowed' },
          ],
          listeners: [
            {
              name: 'https',
              conditions: [{ type: 'Programmed', status: 'True' }],
            },
          ],
        },
      ),
    ).toMatchObject({
      meta: { name: 'web', namespace: 'preview-7' },
      gateway: { namespace: 'gateways', name: 'edge' },
      conditions: [{ type: 'Accepted', status: 'False', reason: 'NotAllowed' }],
      listeners: [
        {
          name: 'https',
          hostname: 'a.example.com',
          port: 443,
          protocol: 'HTTPS',
          certificateRefs: [{ name: 'shop-tls' }],
          allowedFrom: 'Same',
          conditions: [{ type: 'Programmed', status: 'True' }],
        },
      ],
    });
  });

  it('look for their Gateway beside them, and take no other parent for one', () => {
    expect(parse({ parentRef: { name: 'edge' } })?.gateway).toEqual({
      namespace: 'preview-7',
      name: 'edge',
    });
    expect(
      parse({ parentRef: { kind: 'Mesh', name: 'edge' } })?.gateway,
    ).toBeUndefined();
    expect(parse({})).toMatchObject({ listeners: [], conditions: [] });
  });
});
