import type { Cluster, KubernetesObject } from '../kubernetes';
import { startSimulator, type Simulator } from '../simulator';
import { eventually } from '../testing/eventually';

const API = 'gateway.networking.k8s.io';
const HOST = 'mr-7.preview.example.com';
const NAMESPACE = 'preview';

describe('ListenerSets of the simulator', () => {
  let simulator: Simulator;
  let cluster: Cluster;

  const namespace = (name: string, labels: Record<string, string> = {}) =>
    cluster.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels },
    });

  beforeEach(async () => {
    simulator = await startSimulator({ speed: 400 });
    cluster = simulator.clusters[0].cluster;
    namespace('edge');
    namespace(NAMESPACE, { admitted: 'true' });
  });

  afterEach(async () => {
    await simulator.stop();
  });

  const create = (
    kind: string,
    name: string,
    { at = NAMESPACE, version = `${API}/v1`, ...fields }: Record<string, any>,
  ) =>
    cluster.create({
      apiVersion: version,
      kind,
      metadata: { name, namespace: at },
      ...fields,
    });
  const gateway = (allowed?: object) =>
    create('Gateway', 'edge', {
      at: 'edge',
      spec: {
        gatewayClassName: 'envoy',
        listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
        ...(allowed && { allowedListeners: { namespaces: allowed } }),
      },
    });
  const listenerSet = (name = 'shop', hostname = HOST, kind = 'ListenerSet') =>
    create(kind, name, {
      version:
        kind === 'ListenerSet'
          ? `${API}/v1`
          : 'gateway.networking.x-k8s.io/v1alpha1',
      spec: {
        parentRef: { name: 'edge', namespace: 'edge' },
        listeners: [
          {
            name: 'https',
            hostname,
            port: 443,
            protocol: 'HTTPS',
            tls: { certificateRefs: [{ name: 'shop-tls' }] },
          },
        ],
      },
    });
  const secret = () =>
    create('Secret', 'shop-tls', { version: 'v1', type: 'kubernetes.io/tls' });
  const route = (parent: object = {}) =>
    create('HTTPRoute', 'shop', {
      spec: {
        hostnames: [HOST],
        parentRefs: [
          { group: API, kind: 'ListenerSet', name: 'shop', ...parent },
        ],
      },
    });
  const get = (kind: string, name = 'shop', at = NAMESPACE) =>
    cluster.get({ kind, namespace: at, name }) as KubernetesObject;
  const told = (conditions: { type: string }[] | undefined) =>
    Object.fromEntries(
      (conditions ?? []).map(({ type, ...condition }: any) => [
        type,
        `${condition.status} ${condition.reason}`,
      ]),
    );

  it('add a listener to a Gateway that admits them, and routes attach to it', async () => {
    gateway({
      from: 'Selector',
      selector: { matchLabels: { admitted: 'true' } },
    });
    secret();
    listenerSet();
    route({ sectionName: 'https' });
    await simulator.quiet();
    const { status } = get('ListenerSet');
    expect(told(status?.conditions)).toEqual({
      Accepted: 'True Accepted',
      Programmed: 'True Programmed',
    });
    expect(status?.listeners).toMatchObject([
      { name: 'https', attachedRoutes: 1 },
    ]);
    expect(told(status?.listeners[0].conditions)).toEqual({
      Accepted: 'True Accepted',
      Programmed: 'True Programmed',
      ResolvedRefs: 'True ResolvedRefs',
    });
    expect(get('HTTPRoute').status?.parents).toMatchObject([
      {
        parentRef: { kind: 'ListenerSet', name: 'shop', sectionName: 'https' },
        conditions: [{ type: 'Accepted', status: 'True' }, {}],
      },
    ]);
    expect(get('Gateway', 'edge', 'edge').status).toMatchObject({
      attachedListenerSets: 1,
    });
    expect(simulator.platform.dns.lookup(HOST)).toMatchObject([{ type: 'A' }]);
  });

  it.each([
    [undefined, false],
    [{ from: 'None' }, false],
    [{ from: 'Same' }, false],
    [
      { from: 'Selector', selector: { matchLabels: { admitted: 'no' } } },
      false,
    ],
    [{ from: 'All' }, true],
  ])(
    'of another namespace attach where the Gateway admits %j: %s',
    async (rule, expected) => {
      gateway(rule);
      secret();
      listenerSet();
      route();
      await simulator.quiet();
      expect(told(get('ListenerSet').status?.conditions)).toEqual(
        expected
          ? { Accepted: 'True Accepted', Programmed: 'True Programmed' }
          : { Accepted: 'False NotAllowed', Programmed: 'False NotAllowed' },
      );
      expect(
        told(get('HTTPRoute').status?.parents[0].conditions).Accepted,
      ).toBe(expected ? 'True Accepted' : 'False NoReadyListeners');
    },
  );

  it('wait for the Secret of their certificate', async () => {
    gateway({ from: 'All' });
    listenerSet();
    route();
    await simulator.quiet();
    expect(told(get('ListenerSet').status?.listeners[0].conditions)).toEqual({
      ResolvedRefs: 'False InvalidCertificateRef',
      Programmed: 'False Invalid',
    });
    expect(told(get('ListenerSet').status?.conditions)).toEqual({
      Accepted: 'False ListenersNotValid',
      Programmed: 'False ListenersNotValid',
    });
    secret();
    await simulator.quiet();
    await eventually(() =>
      expect(
        told(get('HTTPRoute').status?.parents[0].conditions).Accepted,
      ).toBe('True Accepted'),
    );
  });

  it('conflict with an older listener for the same host', async () => {
    gateway({ from: 'All' });
    secret();
    listenerSet('a-first');
    listenerSet('b-second');
    await simulator.quiet();
    expect(
      told(get('ListenerSet', 'a-first').status?.listeners[0].conditions),
    ).toMatchObject({ Programmed: 'True Programmed' });
    expect(
      told(get('ListenerSet', 'b-second').status?.listeners[0].conditions),
    ).toMatchObject({ Conflicted: 'True HostnameConflict' });
  });

  it('are told nothing without their Gateway', async () => {
    listenerSet();
    route();
    await simulator.quiet();
    expect(get('ListenerSet').status).toBeUndefined();
    expect(get('HTTPRoute').status?.parents).toEqual([]);
    secret();
    gateway({ from: 'All' });
    await simulator.quiet();
    expect(told(get('ListenerSet').status?.conditions)).toMatchObject({
      Accepted: 'True Accepted',
    });
  });

  it('of the experimental kind attach as well', async () => {
    gateway({ from: 'All' });
    secret();
    listenerSet('shop', HOST, 'XListenerSet');
    route({ group: 'gateway.networking.x-k8s.io', kind: 'XListenerSet' });
    await simulator.quiet();
    expect(told(get('HTTPRoute').status?.parents[0].conditions)).toMatchObject({
      Accepted: 'True Accepted',
    });
  });

  it('lead to a Service of another namespace only by a ReferenceGrant', async () => {
    gateway({ from: 'All' });
    secret();
    listenerSet();
    namespace('workloads');
    create('Service', 'shop', { at: 'workloads', version: 'v1' });
    create('HTTPRoute', 'shop', {
      spec: {
        hostnames: [HOST],
        parentRefs: [{ group: API, kind: 'ListenerSet', name: 'shop' }],
        rules: [
          { backendRefs: [{ name: 'shop', namespace: 'workloads', port: 80 }] },
        ],
      },
    });
    await simulator.quiet();
    const resolved = () =>
      told(get('HTTPRoute').status?.parents[0].conditions).ResolvedRefs;
    expect(resolved()).toBe('False RefNotPermitted');
    create('ReferenceGrant', 'shop', {
      at: 'workloads',
      version: `${API}/v1beta1`,
      spec: {
        from: [{ group: API, kind: 'HTTPRoute', namespace: NAMESPACE }],
        to: [{ group: '', kind: 'Service', name: 'shop' }],
      },
    });
    await simulator.quiet();
    expect(resolved()).toBe('True ResolvedRefs');
  });
});
