import { at, Json, routeParent, WorldBuilder } from '../world';
import { ConditionCase } from './types';

const { live } = WorldBuilder;

const parents =
  (...list: Json[]) =>
  () =>
    live().httpRoute({ status: { parents: list } });

const refused = (reason: string, message = 'no') =>
  parents(routeParent({ accepted: { status: 'False', reason, message } }));

const unresolved = (reason: string, message: string) =>
  parents(routeParent({ resolved: { status: 'False', reason, message } }));

const twoParents = (second: Json) => () =>
  live().httpRoute({
    spec: {
      parentRefs: [
        { kind: 'Gateway', namespace: 'gateways', name: 'public' },
        { kind: 'Gateway', namespace: 'gateways', name: 'private' },
      ],
    },
    status: {
      parents: [
        routeParent(),
        routeParent({ parentRef: { name: 'private' }, ...second }),
      ],
    },
  });

const ofListener = (conditions: Json[]) => ({
  status: { listeners: [{ name: 'https', conditions }] },
});

const listenerProgrammed = (status: string) =>
  ofListener([{ type: 'Programmed', status }]);

const SET = 'ListenerSet preview-mr-7/shop';

/** A route to a ListenerSet of the preview's own namespace. */
const behindListenerSet = (set: Json | undefined, parent: Json = {}) => {
  const reference = {
    kind: 'ListenerSet',
    name: 'shop',
    namespace: 'preview-mr-7',
  };
  const world = live().httpRoute({
    spec: { parentRefs: [{ kind: 'ListenerSet', name: 'shop' }] },
    status: { parents: [routeParent({ parentRef: reference, ...parent })] },
  });
  return set ? world.listenerSet(set) : world;
};

const setRefused = {
  status: {
    conditions: [{ type: 'Accepted', status: 'False', reason: 'NotAllowed' }],
    listeners: [],
  },
};

const noReadyListeners = {
  accepted: { status: 'False', reason: 'NoReadyListeners', message: 'none' },
};

const withoutEntry = (world: WorldBuilder) =>
  world.httpRoute({ status: { parents: [] } });

const NOT_ADMITTED =
  'Gateway gateways/public does not admit the listeners of ListenerSet preview-mr-7/shop, so HTTPRoute shop serves nothing; whoever owns Gateway gateways/public can admit its namespace (allowedListeners).';

const listenerSetCases: ConditionCase[] = [
  {
    title: 'a route to a programmed ListenerSet serves',
    world: () => behindListenerSet({}),
    expected: 'True Accepted',
    params: { parents: [SET] },
    message: `HTTPRoute shop is accepted by ${SET}.`,
  },
  {
    title: 'a ListenerSet that its Gateway does not admit is told',
    world: () => behindListenerSet(setRefused, noReadyListeners),
    expected: 'False ListenersNotAdmitted',
    params: { parent: SET, gateway: 'Gateway gateways/public' },
    message: NOT_ADMITTED,
  },
  {
    title:
      'a ListenerSet that is not admitted is told where a route is accepted all the same',
    world: () => behindListenerSet(setRefused),
    expected: 'False ListenersNotAdmitted',
    message: NOT_ADMITTED,
  },
  {
    title:
      'a ListenerSet that is not admitted is told where nobody looks after the route',
    world: () => withoutEntry(behindListenerSet(setRefused)),
    expected: 'False ListenersNotAdmitted',
    message: NOT_ADMITTED,
  },
  {
    title: 'a refusal of an older generation of the ListenerSet is nothing',
    world: () =>
      behindListenerSet({
        metadata: { generation: 2 },
        status: {
          conditions: [
            {
              type: 'Accepted',
              status: 'False',
              reason: 'NotAllowed',
              observedGeneration: 1,
            },
          ],
        },
      }),
    expected: 'True Accepted',
  },
  {
    title: 'a listener of a ListenerSet that waits for its Secret is told',
    world: () =>
      behindListenerSet(
        ofListener([
          {
            type: 'ResolvedRefs',
            status: 'False',
            reason: 'InvalidCertificateRef',
            message: 'Secret preview-mr-7/shop-tls does not exist',
          },
          { type: 'Programmed', status: 'False', reason: 'Invalid' },
        ]),
        noReadyListeners,
      ),
    expected: 'False ListenerCertificateInvalid',
    params: { parent: SET, listener: 'https' },
    message: `The listener https of ${SET} cannot use its certificate, so HTTPRoute shop serves nothing; whoever owns ${SET} has to look at its certificateRefs: Secret preview-mr-7/shop-tls does not exist.`,
  },
  {
    title: 'a listener of a ListenerSet that conflicts is told',
    world: () =>
      behindListenerSet(
        ofListener([{ type: 'Conflicted', status: 'True' }]),
        noReadyListeners,
      ),
    expected: 'False ListenerConflicted',
    params: { parent: SET, listener: 'https' },
  },
  {
    title: 'a listener of a ListenerSet that is not programmed is told',
    world: () => behindListenerSet(listenerProgrammed('False')),
    expected: 'False ListenerNotProgrammed',
    params: { parent: SET },
  },
  {
    title:
      'a listener of a ListenerSet that is not programmed yet is waited for',
    world: () => behindListenerSet(listenerProgrammed('Unknown')),
    expected: 'False ListenerPending',
    params: { parent: SET },
  },
  {
    title: 'the Gateway behind a ListenerSet has to be programmed',
    world: () =>
      behindListenerSet({}).gateway({
        status: {
          conditions: [
            {
              type: 'Programmed',
              status: 'False',
              reason: 'AddressNotAssigned',
              message: 'No addresses have been assigned to the Gateway',
            },
          ],
        },
      }),
    expected: 'False GatewayNotProgrammed',
    params: { parent: 'Gateway gateways/public' },
    message:
      'Gateway gateways/public is not programmed, so HTTPRoute shop serves nothing; whoever owns it has to look: No addresses have been assigned to the Gateway.',
  },
  {
    title: 'a ListenerSet that does not exist is missing',
    world: () => withoutEntry(behindListenerSet(undefined)),
    expected: 'False GatewayMissing',
    params: { parent: SET },
    message: `HTTPRoute shop asks for ${SET}, which does not exist; whoever owns the manifests has to correct the parentRefs.`,
  },
  {
    title: 'the Gateway of a ListenerSet that does not exist is missing',
    world: () => withoutEntry(behindListenerSet({}).without('gateways')),
    expected: 'False GatewayMissing',
    params: { parent: 'Gateway gateways/public' },
  },
  {
    title: 'a ListenerSet that may not be read is not called missing',
    world: () =>
      withoutEntry(behindListenerSet(undefined)).kindReading('listenerSets', {
        state: 'forbidden',
      }),
    expected: 'False Pending',
  },
  {
    title: 'a ListenerSet is missing where the cluster does not have the kind',
    world: () =>
      withoutEntry(behindListenerSet(undefined)).kindReading('listenerSets', {
        state: 'notInstalled',
      }),
    expected: 'False GatewayMissing',
    params: { parent: SET },
  },
  {
    title: 'a ListenerSet that may not be read leaves it to the route',
    world: () =>
      behindListenerSet(undefined).kindReading('listenerSets', {
        state: 'forbidden',
      }),
    expected: 'True Accepted',
  },
];

export const routeAccepted: ConditionCase[] = [
  ...listenerSetCases,
  {
    title: 'a route that is accepted, resolved and programmed serves',
    world: live,
    expected: 'True Accepted',
    params: {
      route: 'HTTPRoute shop',
      parents: ['Gateway gateways/public'],
    },
    message: 'HTTPRoute shop is accepted by Gateway gateways/public.',
  },
  {
    title: 'a route that no controller has looked at is pending',
    world: parents(),
    expected: 'False Pending',
    message:
      'HTTPRoute shop waits for the controller of its Gateway to accept it.',
  },
  {
    title: 'the acceptance of an older generation is none',
    world: () => live().httpRoute({ metadata: { generation: 2 } }),
    expected: 'False Pending',
  },
  {
    title: 'the refusal of an older generation is none either',
    world: () =>
      refused('NoMatchingParent')().httpRoute({ metadata: { generation: 2 } }),
    expected: 'False Pending',
  },
  {
    title: 'a controller that says Pending is waited for',
    world: refused('Pending'),
    expected: 'False Pending',
  },
  {
    title: 'a Gateway that does not allow the namespace is told',
    world: refused('NotAllowedByListeners'),
    expected: 'False NotAllowedByListeners',
    params: { parent: 'Gateway gateways/public' },
  },
  {
    title: 'a host that no listener has is told with the hosts',
    world: refused('NoMatchingListenerHostname'),
    expected: 'False NoMatchingHost',
    params: { hosts: ['mr-7.preview.example.com'] },
    message:
      'No listener of Gateway gateways/public serves mr-7.preview.example.com of HTTPRoute shop; correct the host, or let whoever owns Gateway gateways/public add a listener.',
  },
  {
    title: 'a section or port that the Gateway has not is told',
    world: refused('NoMatchingParent'),
    expected: 'False NoMatchingParent',
    message:
      'HTTPRoute shop asks for Gateway gateways/public, which has no listener that fits; whoever owns the manifests has to correct the parentRefs.',
  },
  {
    title: 'any other refusal is told in the controller’s words',
    world: refused('UnsupportedValue', 'filter not supported'),
    expected: 'False NotAccepted',
    params: { code: 'UnsupportedValue', error: 'filter not supported' },
    message:
      'Gateway gateways/public does not accept HTTPRoute shop (UnsupportedValue), and whoever owns the manifests has to correct it: filter not supported.',
  },
  {
    title: 'a Service that does not exist is told though the route is accepted',
    world: unresolved('BackendNotFound', 'service shop not found'),
    expected: 'False BackendNotFound',
    params: { error: 'service shop not found' },
    message:
      'HTTPRoute shop leads to a Service that does not exist; whoever owns the manifests has to correct the backendRefs: service shop not found.',
  },
  {
    title: 'a reference into another namespace without a grant is told',
    world: unresolved('RefNotPermitted', 'no grant'),
    expected: 'False ReferenceNotPermitted',
    params: { error: 'no grant' },
    message:
      'HTTPRoute shop refers to an object of another namespace, whose owner has to permit it with a ReferenceGrant: no grant.',
  },
  {
    title: 'a listener that is not programmed serves nobody',
    world: () => live().gateway(listenerProgrammed('False')),
    expected: 'False ListenerNotProgrammed',
    params: { listener: 'https', parent: 'Gateway gateways/public' },
    message:
      'The listener https of Gateway gateways/public is not programmed, so HTTPRoute shop serves nothing; whoever owns Gateway gateways/public has to look.',
  },
  {
    title: 'a listener of which nothing is known yet does not serve yet',
    world: () => live().gateway(listenerProgrammed('Unknown')),
    expected: 'False ListenerPending',
    params: { listener: 'https' },
    message:
      'HTTPRoute shop waits until the listener https of Gateway gateways/public is programmed.',
  },
  {
    title: 'a listener without such a condition is taken for one that serves',
    world: () =>
      live().gateway(ofListener([{ type: 'Ready', status: 'True' }])),
    expected: 'True Accepted',
  },
  {
    title: 'a listener in conflict with another one is told',
    world: () =>
      live().gateway(
        ofListener([
          { type: 'Conflicted', status: 'True', reason: 'HostnameConflict' },
          { type: 'Programmed', status: 'False' },
        ]),
      ),
    expected: 'False ListenerConflicted',
    params: { listener: 'https', parent: 'Gateway gateways/public' },
    message:
      'The listener https of Gateway gateways/public is in conflict with another one, so HTTPRoute shop serves nothing; whoever owns Gateway gateways/public has to give it a port or a host of its own.',
  },
  {
    title: 'a listener that cannot use its certificate is told with the reason',
    world: () =>
      live().gateway(
        ofListener([
          { type: 'Programmed', status: 'False', reason: 'Invalid' },
          {
            type: 'ResolvedRefs',
            status: 'False',
            reason: 'InvalidCertificateRef',
            message: 'Secret gateways/wildcard does not exist',
          },
        ]),
      ),
    expected: 'False ListenerCertificateInvalid',
    params: { error: 'Secret gateways/wildcard does not exist' },
    message:
      'The listener https of Gateway gateways/public cannot use its certificate, so HTTPRoute shop serves nothing; whoever owns Gateway gateways/public has to look at its certificateRefs: Secret gateways/wildcard does not exist.',
  },
  {
    title: 'a route without a listener that is ready is told by the listener',
    world: () =>
      refused('NoReadyListeners', 'There are no ready listeners')().gateway(
        ofListener([{ type: 'Conflicted', status: 'True' }]),
      ),
    expected: 'False ListenerConflicted',
  },
  {
    title: 'a route without a listener that is ready is told without it',
    world: () =>
      refused('NoReadyListeners', 'There are no ready listeners')().without(
        'gateways',
      ),
    expected: 'False NotAccepted',
    params: { code: 'NoReadyListeners', error: 'There are no ready listeners' },
  },
  {
    title: 'a listener that is programmed but not accepted serves nobody',
    world: () =>
      live().gateway(
        ofListener([
          { type: 'Programmed', status: 'True' },
          { type: 'Accepted', status: 'False', reason: 'PortUnavailable' },
        ]),
      ),
    expected: 'False ListenerNotProgrammed',
  },
  {
    title: 'one listener that serves is enough',
    world: () =>
      live().gateway({
        spec: {
          listeners: [
            { name: 'http', port: 80, protocol: 'HTTP' },
            { name: 'https', port: 443, protocol: 'HTTPS' },
          ],
        },
        status: {
          listeners: [
            {
              name: 'http',
              conditions: [{ type: 'Programmed', status: 'True' }],
            },
            {
              name: 'https',
              conditions: [{ type: 'Programmed', status: 'False' }],
            },
          ],
        },
      }),
    expected: 'True Accepted',
  },
  {
    title: 'a Gateway that is broken as a whole is told in its words',
    world: () =>
      live().gateway({
        status: {
          conditions: [
            {
              type: 'Programmed',
              status: 'False',
              reason: 'AddressNotAssigned',
              message: 'No addresses have been assigned to the Gateway',
            },
          ],
          ...listenerProgrammed('Unknown').status,
        },
      }),
    expected: 'False GatewayNotProgrammed',
    params: { error: 'No addresses have been assigned to the Gateway' },
    message:
      'Gateway gateways/public is not programmed, so HTTPRoute shop serves nothing; whoever owns it has to look: No addresses have been assigned to the Gateway.',
  },
  {
    title: 'a Gateway that does not exist is named',
    world: () => parents()().without('gateways'),
    expected: 'False GatewayMissing',
    params: { parent: 'Gateway gateways/public' },
    message:
      'HTTPRoute shop asks for Gateway gateways/public, which does not exist; whoever owns the manifests has to correct the parentRefs.',
  },
  {
    title: 'a Gateway that may not be read is not called missing',
    world: () =>
      parents()()
        .without('gateways')
        .kindReading('gateways', { state: 'forbidden' }),
    expected: 'False Pending',
  },
  {
    title: 'a route without a ready pod answers 503, which is told',
    world: parents({
      ...routeParent(),
      conditions: [
        ...routeParent().conditions,
        {
          type: 'BackendsAvailable',
          status: 'False',
          reason: 'NoReadyEndpoints',
          message: 'no ready endpoints for the related backend',
          observedGeneration: 1,
        },
      ],
    }),
    expected: 'False BackendsUnavailable',
    params: { error: 'no ready endpoints for the related backend' },
    message:
      'HTTPRoute shop is accepted, but no pod behind it is ready, so it answers 503: no ready endpoints for the related backend.',
  },
  {
    title: 'a backend of a kind that is not supported is told with its code',
    world: unresolved('InvalidKind', 'kind Foo is not supported'),
    expected: 'False NotAccepted',
    params: { code: 'InvalidKind', error: 'kind Foo is not supported' },
  },
  {
    title: 'namespaces that a listener takes routes of are told',
    world: () =>
      refused('NotAllowedByListeners')().gateway({
        spec: {
          listeners: [
            {
              name: 'https',
              port: 443,
              protocol: 'HTTPS',
              allowedRoutes: { namespaces: { from: 'Selector' } },
            },
          ],
        },
      }),
    expected: 'False NotAllowedByListeners',
    params: { allowed: 'Selector' },
    message:
      'The listeners of Gateway gateways/public do not allow HTTPRoute shop (allowedRoutes: Selector); whoever owns Gateway gateways/public can allow routes from its namespace.',
  },
  {
    title: 'a Gateway that is not read says nothing against the route',
    world: () => live().without('gateways'),
    expected: 'True Accepted',
  },
  {
    title: 'one parent that accepts is enough, the other is a warning',
    world: twoParents({
      accepted: { status: 'False', reason: 'NotAllowedByListeners' },
    }),
    expected: 'True AcceptedByOneParent',
    params: {
      parent: 'Gateway gateways/public',
      refusedBy: 'Gateway gateways/private',
    },
    message:
      'HTTPRoute shop is accepted by Gateway gateways/public but refused by Gateway gateways/private; the preview can be reached through Gateway gateways/public only.',
  },
  {
    title: 'a second parent that has not looked yet is no warning',
    world: twoParents({ accepted: { observedGeneration: 0 } }),
    expected: 'True Accepted',
  },
  {
    title:
      'the status of a parent that the spec does not name any more is nothing',
    world: parents(
      routeParent({
        parentRef: { name: 'former' },
        accepted: { status: 'False', reason: 'NoMatchingParent' },
      }),
      routeParent(),
    ),
    expected: 'True Accepted',
  },
  {
    title:
      'a parent that accepted the current generation is enough, beside one whose refusal is of an older one',
    world: () =>
      live().httpRoute({
        metadata: { generation: 2 },
        spec: {
          parentRefs: [
            {
              kind: 'Gateway',
              namespace: 'gateways',
              name: 'public',
              sectionName: 'former',
            },
          ],
        },
        status: {
          parents: [
            routeParent({
              parentRef: { sectionName: 'former' },
              accepted: { status: 'False', reason: 'NoMatchingParent' },
            }),
            routeParent({
              parentRef: { sectionName: 'https' },
              accepted: { observedGeneration: 2 },
              resolved: { observedGeneration: 2 },
            }),
          ],
        },
      }),
    expected: 'True Accepted',
    params: { parents: ['Gateway gateways/public (https)'] },
  },
  {
    title: 'of two controllers for one parent one that accepts is enough',
    world: parents(
      routeParent({
        controllerName: 'example.com/other',
        accepted: { status: 'False', reason: 'NoMatchingParent' },
      }),
      routeParent(),
    ),
    expected: 'True Accepted',
  },
  {
    title: 'the worst of several routes is told',
    world: () =>
      live().httpRoute({
        metadata: { name: 'admin' },
        status: { parents: [] },
      }),
    expected: 'False Pending',
    params: { route: 'HTTPRoute admin' },
  },
  {
    title: 'an Ingress with an address is accepted',
    world: () => live().without('httpRoutes').ingress(),
    expected: 'True Accepted',
    params: { route: 'Ingress shop' },
  },
  {
    title: 'an Ingress without an address is pending',
    world: () => live().without('httpRoutes').ingress({ status: null }),
    expected: 'False IngressPending',
    params: { className: 'traefik' },
    message:
      'Ingress shop waits for the controller of the class traefik to give it an address.',
  },
  {
    title: 'an Ingress without a class is pending without one',
    world: () =>
      live()
        .without('httpRoutes')
        .ingress({ spec: { ingressClassName: null }, status: null }),
    expected: 'False IngressPending',
    message:
      'Ingress shop waits for the controller of its class to give it an address.',
  },
  {
    title: 'ingress-nginx is known by its class, and is retired',
    world: () =>
      live()
        .without('httpRoutes')
        .ingress({ spec: { ingressClassName: 'nginx' } }),
    expected: 'True AcceptedByRetired',
    params: { route: 'Ingress shop', className: 'nginx' },
    message:
      'Ingress shop is served by ingress-nginx (class nginx), which is maintained no more; whoever runs the platform has to move it to the Gateway API, with an HTTPRoute for each preview.',
  },
  {
    title: 'ingress-nginx is known by its annotations under any class',
    world: () =>
      live()
        .without('httpRoutes')
        .ingress({
          metadata: {
            annotations: { 'nginx.ingress.kubernetes.io/rewrite-target': '/' },
          },
          spec: { ingressClassName: 'internal' },
        }),
    expected: 'True AcceptedByRetired',
    params: { className: 'internal' },
  },
  {
    title: 'the nginx of another maker is not retired',
    world: () =>
      live()
        .without('httpRoutes')
        .ingress({
          metadata: { annotations: { 'nginx.org/websocket-services': 'shop' } },
          spec: { ingressClassName: 'nginx' },
        }),
    expected: 'True Accepted',
  },
  {
    title: 'it does not apply to a preview without a route',
    world: () => live().without('httpRoutes'),
    expected: undefined,
  },
  {
    title: 'a Gateway API that is not installed leaves the word to the Ingress',
    world: () =>
      live()
        .without(['httpRoutes', 'gateways'])
        .kindReading(['httpRoutes', 'gateways'], { state: 'notInstalled' })
        .ingress(),
    expected: 'True Accepted',
  },
  {
    title: 'routes that may not be listed leave the word to the Ingress',
    world: () =>
      live()
        .without('httpRoutes')
        .kindReading('httpRoutes', { state: 'forbidden' })
        .ingress(),
    expected: 'True Accepted',
  },
  {
    title:
      'routes that may not be listed are unknown where nothing else is read',
    world: () =>
      live()
        .without('httpRoutes')
        .kindReading('httpRoutes', { state: 'forbidden' }),
    expected: 'Unknown KindForbidden',
    params: { group: 'gateway.networking.k8s.io' },
    message:
      'The cluster main does not let the portal list httpRoutes (gateway.networking.k8s.io); whoever runs the cluster can allow it in the portal’s cluster role.',
  },
  {
    title: 'routes that nothing reads are not observed',
    world: () => live().argocdOnly(),
    expected: 'Unknown NotObserved',
    params: { what: 'HTTPRoutes' },
    message:
      'The portal does not read HTTPRoutes, so it cannot tell more; the preview does not wait for this.',
  },
  {
    title: 'routes whose reading is too old are unknown',
    world: () =>
      live().kindReading('httpRoutes', {
        state: 'failing',
        completeAt: at(-3600),
      }),
    expected: 'Unknown SourceUnavailable',
    message:
      'The cluster main has not answered since 2026-11-29 11:00 UTC; what you see is from then.',
  },
];
