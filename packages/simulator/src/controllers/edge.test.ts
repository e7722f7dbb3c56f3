import type { KubernetesObject } from '../kubernetes';
import type { AddServiceOptions } from '../scenarios/scenarioBuilder';
import { startSimulator, type Simulator } from '../simulator';
import { eventually } from '../testing/eventually';

const SPEED = 200;
const HOST = 'mr-1.checkout.preview.example.com';

describe('the edge of the simulator', () => {
  let simulator: Simulator;

  beforeEach(async () => {
    simulator = await startSimulator({ speed: SPEED });
  });

  afterEach(async () => {
    await simulator.stop();
  });

  const cluster = () => simulator.clusters[0].cluster;
  const open = async (options: Partial<AddServiceOptions> = {}) => {
    const service = simulator.scenario.addService({
      name: 'checkout',
      ...options,
    });
    const { iid } = simulator.control.openMergeRequest({
      project: service.project,
      sourceBranch: 'a',
      title: 'A',
      author: 'dev1',
    });
    await simulator.quiet();
    return {
      project: service.project,
      iid,
      namespace: `preview-mr-${service.projectId}-${iid}`,
    };
  };
  const get = (kind: string, namespace: string, name: string) =>
    cluster().get({ kind, namespace, name }) as KubernetesObject;
  const isReady = (certificate: KubernetesObject) =>
    certificate.status?.conditions.find(
      (condition: { type: string }) => condition.type === 'Ready',
    )?.status;

  describe('records of hosts', () => {
    const record = (name: string) => simulator.platform.dns.lookup(name);

    it.each([
      ['httproute', 'httproute'],
      ['ingress', 'ingress'],
    ] as const)(
      'of an %s say whose they are, and go with it',
      async (route, resource) => {
        const preview = await open({ route });
        expect(record(HOST)).toMatchObject([
          { type: 'A', values: ['192.0.2.10'], ttl: 300 },
        ]);
        expect(record(`a-${HOST}`)).toMatchObject([
          {
            type: 'TXT',
            values: [
              `"heritage=external-dns,external-dns/owner=preview,external-dns/resource=${resource}/${preview.namespace}/checkout"`,
            ],
          },
        ]);
        simulator.control.close(preview);
        await simulator.quiet();
        await eventually(() => expect(record(HOST)).toEqual([]));
        expect(record(`a-${HOST}`)).toEqual([]);
      },
    );

    it('stay behind under the fault that leaves them, until it is healed', async () => {
      const preview = await open();
      simulator.faults.platform.set('externalDns', '*', 'leavesRecords');
      simulator.control.close(preview);
      await simulator.quiet();
      expect(record(HOST)).toHaveLength(1);
      expect(record(`a-${HOST}`)).toHaveLength(1);
      await simulator.faults.clear();
      await eventually(() => expect(record(HOST)).toEqual([]));
    });

    it('are not made while external-dns is down', async () => {
      simulator.faults.platform.set('externalDns', HOST, 'down');
      await open();
      expect(record(HOST)).toEqual([]);
      await simulator.faults.clear();
      await eventually(() => expect(record(HOST)).toHaveLength(1));
    });
  });

  describe('certificates', () => {
    it('of the platform cover hosts one label below the wildcard', async () => {
      const { namespace } = await open({ certificate: 'wildcard' });
      expect(cluster().list({ kind: 'Certificate', namespace })).toEqual([]);
      expect(get('HTTPRoute', namespace, 'checkout')).toMatchObject({
        spec: {
          hostnames: ['mr-1-checkout.preview.example.com'],
          parentRefs: [{ name: 'wildcard', namespace: 'gateways' }],
        },
        status: {
          parents: [
            {
              conditions: [
                { type: 'Accepted', status: 'True' },
                { type: 'ResolvedRefs', status: 'True' },
              ],
            },
          ],
        },
      });
      expect(get('Gateway', 'gateways', 'wildcard').spec).toMatchObject({
        listeners: [
          {
            hostname: '*.preview.example.com',
            tls: { certificateRefs: [{ name: 'preview-wildcard' }] },
          },
        ],
      });
      const certificate = get('Certificate', 'gateways', 'preview-wildcard');
      expect(isReady(certificate)).toBe('True');
      expect(cluster().list({ kind: 'Order', namespace: 'gateways' })).toEqual(
        [],
      );
    });

    it('of a service’s own Gateway are made by its annotation and shared by its previews', async () => {
      const { namespace } = await open({ certificate: 'gatewayListener' });
      expect(cluster().list({ kind: 'Certificate', namespace })).toEqual([]);
      const certificate = get(
        'Certificate',
        'gateways',
        'checkout-wildcard-tls',
      );
      expect(certificate.spec?.dnsNames).toEqual([
        '*.checkout.preview.example.com',
      ]);
      expect(isReady(certificate)).toBe('True');
      expect(
        get('HTTPRoute', namespace, 'checkout').status?.parents[0],
      ).toMatchObject({
        parentRef: { name: 'checkout', namespace: 'gateways' },
        conditions: [{ type: 'Accepted', status: 'True' }, {}],
      });
    });

    it('that a listener waits for keep it and its routes from being ready', async () => {
      simulator.faults.platform.set('certificate', '*', 'never');
      const { namespace } = await open({ certificate: 'gatewayListener' });
      const listener = () =>
        get('Gateway', 'gateways', 'checkout').status?.listeners[0].conditions;
      const accepted = () =>
        get('HTTPRoute', namespace, 'checkout').status?.parents[0]
          .conditions[0];
      expect(listener()).toContainEqual(
        expect.objectContaining({
          type: 'ResolvedRefs',
          status: 'False',
          reason: 'InvalidCertificateRef',
          message: 'Secret gateways/checkout-wildcard-tls does not exist.',
        }),
      );
      expect(accepted()).toMatchObject({
        status: 'False',
        reason: 'NoReadyListeners',
      });
      await simulator.faults.clear();
      await simulator.quiet();
      expect(listener()).toContainEqual(
        expect.objectContaining({ type: 'Programmed', status: 'True' }),
      );
      expect(accepted()).toMatchObject({ status: 'True' });
    });

    it('of an Ingress are made by its annotation', async () => {
      const { namespace } = await open({
        certificate: 'ingressShim',
        route: 'ingress',
      });
      const certificate = get('Certificate', namespace, 'checkout-tls');
      expect(certificate.metadata.ownerReferences).toMatchObject([
        { kind: 'Ingress' },
      ]);
      expect(isReady(certificate)).toBe('True');
    });

    it('of an Ingress without the annotation are of the chart', async () => {
      const { namespace } = await open({
        certificate: 'perMergeRequest',
        route: 'ingress',
      });
      const certificate = get('Certificate', namespace, 'checkout-tls');
      expect(certificate.metadata.ownerReferences).toBeUndefined();
      expect(
        get('Ingress', namespace, 'checkout').metadata.annotations,
      ).not.toHaveProperty('cert-manager.io/cluster-issuer');
    });

    it('are none where none are asked for', async () => {
      const { namespace } = await open({ certificate: 'none' });
      expect(cluster().list({ kind: 'Certificate', namespace })).toEqual([]);
    });
  });

  describe('faults', () => {
    it.each([
      ['conflicted', { type: 'Conflicted', status: 'True' }],
      ['notProgrammed', { type: 'Programmed', reason: 'Pending' }],
      [
        'invalidCertificateRef',
        { type: 'ResolvedRefs', reason: 'InvalidCertificateRef' },
      ],
    ] as const)(
      'of a listener that is %s refuse its routes',
      async (fault, condition) => {
        simulator.faults.platform.set(
          'listener',
          'gateways/shared/https',
          fault,
        );
        const { namespace } = await open();
        const accepted = () =>
          get('HTTPRoute', namespace, 'checkout').status?.parents[0]
            .conditions[0];
        expect(
          get('Gateway', 'gateways', 'shared').status?.listeners[0].conditions,
        ).toContainEqual(expect.objectContaining(condition));
        expect(accepted()).toMatchObject({
          status: 'False',
          reason: 'NoReadyListeners',
        });
        await simulator.faults.clear();
        await simulator.quiet();
        expect(accepted()).toMatchObject({ status: 'True' });
        expect(
          get('Gateway', 'gateways', 'shared')
            .status?.listeners[0].conditions.map(
              ({ type, status }: { type: string; status: string }) =>
                `${type}=${status}`,
            )
            .sort(),
        ).toEqual(['Accepted=True', 'Programmed=True', 'ResolvedRefs=True']);
      },
    );

    it('are not needed where two listeners want the same host', async () => {
      cluster().patch(
        { kind: 'Gateway', namespace: 'gateways', name: 'shared' },
        draft => {
          const [listener] = draft.spec?.listeners ?? [];
          draft.spec = {
            ...draft.spec,
            listeners: [listener, { ...listener, name: 'https-2' }],
          };
        },
      );
      await simulator.quiet();
      expect(
        get('Gateway', 'gateways', 'shared').status?.listeners,
      ).toMatchObject([
        {
          conditions: expect.arrayContaining([
            expect.objectContaining({
              type: 'Conflicted',
              status: 'True',
              reason: 'HostnameConflict',
            }),
          ]),
        },
        { name: 'https-2' },
      ]);
    });

    it('of backends leave the references resolved', async () => {
      const { namespace } = await open();
      simulator.faults.platform.set('route', HOST, 'BackendsUnavailable');
      await simulator.quiet();
      expect(
        get('HTTPRoute', namespace, 'checkout').status?.parents[0].conditions,
      ).toMatchObject([
        { type: 'Accepted', status: 'True' },
        { type: 'ResolvedRefs', status: 'True' },
        {
          type: 'BackendsAvailable',
          status: 'False',
          reason: 'EndpointsNotFound',
        },
      ]);
    });
  });
});
