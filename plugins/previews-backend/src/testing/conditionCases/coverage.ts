import { at, Json, WorldBuilder } from '../world';
import { ConditionCase } from './types';

const { live } = WorldBuilder;
const HOST = 'mr-7.preview.example.com';

/** A route to a listener with TLS, and no Certificate of the preview's own. */
const behindGateway = () => live().without('certificates');

/** The Certificate of the listener's Secret, in the namespace of the Gateway. */
const wildcard = (patch: Json = {}) => ({
  metadata: { name: 'previews', namespace: 'gateways' },
  spec: {
    secretName: 'wildcard',
    dnsNames: ['*.preview.example.com'],
    ...patch.spec,
  },
  ...(patch.status !== undefined && { status: patch.status }),
});

const withHost = (host: string) => ({
  spec: { hostnames: [host] },
});

const listener = (patch: Json) => ({
  spec: {
    listeners: [
      {
        name: 'https',
        hostname: '*.preview.example.com',
        port: 443,
        protocol: 'HTTPS',
        tls: { certificateRefs: [{ name: 'wildcard' }] },
        ...patch,
      },
    ],
  },
});

const behindIngress = () =>
  live().without(['httpRoutes', 'gateways']).ingress();

/** A route to a ListenerSet beside it, whose Secret the preview's own Certificate fills. */
const behindListenerSet = () =>
  live()
    .httpRoute({
      spec: { parentRefs: [{ kind: 'ListenerSet', name: 'shop' }] },
    })
    .listenerSet();

/** What serves a host, and whether its certificate names it. */
export const coverageCases: ConditionCase[] = [
  {
    title:
      'the certificate of one host behind a ListenerSet serves the preview',
    world: behindListenerSet,
    expected: 'True Ready',
    params: { certificate: 'shop-tls' },
  },
  {
    title: 'a certificate for other hosts behind a ListenerSet does not cover',
    world: () =>
      behindListenerSet().certificate({
        spec: { dnsNames: ['other.preview.example.com'] },
      }),
    expected: 'False NotCovered',
    params: {
      certificate: 'shop-tls',
      host: HOST,
      server: 'ListenerSet preview-mr-7/shop (https)',
    },
  },
  {
    title:
      'a Secret of a ListenerSet that no Certificate fills is not observed',
    world: () => behindListenerSet().without('certificates'),
    expected: 'Unknown NotObserved',
    params: { what: 'Secret preview-mr-7/shop-tls' },
  },
  {
    title:
      'a ListenerSet that asks for a certificate by annotation waits for it',
    world: () =>
      behindListenerSet()
        .without('certificates')
        .listenerSet({
          metadata: {
            annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
          },
        }),
    expected: 'False CertificateMissing',
    params: {
      certificate: 'shop-tls',
      server: 'ListenerSet preview-mr-7/shop (https)',
    },
  },
  {
    title: 'a wildcard of the Gateway’s namespace serves the preview',
    world: () => behindGateway().certificate(wildcard()),
    expected: 'True Ready',
    params: { certificate: 'previews' },
  },
  {
    title: 'a wildcard that is being issued holds the preview up',
    world: () =>
      behindGateway().certificate(
        wildcard({
          status: {
            notAfter: null,
            revision: null,
            conditions: [
              {
                type: 'Issuing',
                status: 'True',
                lastTransitionTime: at(-60),
              },
            ],
          },
        }),
      ),
    expected: 'False Issuing',
    params: { certificate: 'previews' },
  },
  {
    title: 'a wildcard that expired and is still served is told',
    world: () =>
      behindGateway().certificate(
        wildcard({ status: { notAfter: at(-86_400) } }),
      ),
    expected: 'False Expired',
    params: { certificate: 'previews', notAfter: at(-86_400) },
  },
  {
    title: 'a wildcard does not cover a host two labels deep',
    world: () =>
      behindGateway()
        .httpRoute(withHost('api.mr-7.preview.example.com'))
        .certificate(wildcard()),
    expected: 'False NotCovered',
    params: {
      certificate: 'previews',
      host: 'api.mr-7.preview.example.com',
      server: 'Gateway gateways/public (https)',
      hosts: ['*.preview.example.com'],
    },
    message:
      'Gateway gateways/public (https) serves api.mr-7.preview.example.com with the Certificate previews, which is only valid for *.preview.example.com; give the preview a host that it covers, or let whoever owns the manifests add a certificate.',
  },
  {
    title: 'a wildcard does not cover its own domain',
    world: () =>
      behindGateway()
        .httpRoute(withHost('preview.example.com'))
        .gateway(listener({ hostname: null }))
        .certificate(wildcard()),
    expected: 'False NotCovered',
    params: { host: 'preview.example.com' },
  },
  {
    title: 'names are compared without case and closing dot',
    world: () =>
      behindGateway()
        .httpRoute(withHost('MR-7.Preview.example.com.'))
        .certificate(wildcard()),
    expected: 'True Ready',
  },
  {
    title:
      'a listener whose certificate has other names does not cover the host',
    world: () =>
      behindGateway().certificate(
        wildcard({ spec: { dnsNames: ['shop.example.com'] } }),
      ),
    expected: 'False NotCovered',
    params: { host: HOST, hosts: ['shop.example.com'] },
  },
  {
    title: 'an own certificate that the listener does not use covers nothing',
    world: () =>
      live().certificate(
        wildcard({ spec: { dnsNames: ['shop.example.com'] } }),
      ),
    expected: 'False NotCovered',
    params: { certificate: 'previews' },
  },
  {
    title: 'an own certificate that nothing needs holds nothing up',
    world: () => live().certificate({ status: null }).certificate(wildcard()),
    expected: 'True Ready',
    params: { certificate: 'previews' },
  },
  {
    title:
      'a Secret that no Certificate fills is not observed, never uncovered',
    world: behindGateway,
    expected: 'Unknown NotObserved',
    params: { what: 'Secret gateways/wildcard' },
    message:
      'The portal does not read Secret gateways/wildcard, so it cannot tell more; the preview does not wait for this.',
  },
  {
    title:
      'an own certificate for the host stands for a Secret that is not observed',
    world: live,
    expected: 'True Ready',
    params: { certificate: 'shop-tls' },
  },
  {
    title: 'one of two Secrets that is not observed leaves it open',
    world: () =>
      behindGateway()
        .gateway(
          listener({
            tls: {
              certificateRefs: [{ name: 'wildcard' }, { name: 'by-hand' }],
            },
          }),
        )
        .certificate(wildcard({ spec: { dnsNames: ['shop.example.com'] } })),
    expected: 'Unknown NotObserved',
    params: { what: 'Secret gateways/by-hand' },
  },
  {
    title: 'one of two Secrets that covers the host is enough',
    world: () =>
      behindGateway()
        .gateway(
          listener({
            tls: {
              certificateRefs: [{ name: 'wildcard' }, { name: 'by-hand' }],
            },
          }),
        )
        .certificate(wildcard()),
    expected: 'True Ready',
  },
  {
    title: 'a Secret of another namespace is looked for there',
    world: () =>
      behindGateway()
        .gateway(
          listener({
            tls: { certificateRefs: [{ name: 'edge', namespace: 'certs' }] },
          }),
        )
        .certificate({
          metadata: { name: 'edge', namespace: 'certs' },
          spec: { secretName: 'edge', dnsNames: ['*.preview.example.com'] },
        }),
    expected: 'True Ready',
    params: { certificate: 'edge' },
  },
  {
    title:
      'of two listeners the one that names the host most exactly serves it',
    world: () =>
      behindGateway()
        .gateway({
          spec: {
            listeners: [
              {
                name: 'all',
                port: 443,
                protocol: 'HTTPS',
                tls: { certificateRefs: [{ name: 'default' }] },
              },
              {
                name: 'https',
                hostname: '*.preview.example.com',
                port: 443,
                protocol: 'HTTPS',
                tls: { certificateRefs: [{ name: 'wildcard' }] },
              },
            ],
          },
        })
        .certificate(wildcard()),
    expected: 'True Ready',
  },
  {
    title: 'TLS that is left to the backend is not observed',
    world: () =>
      behindGateway().gateway(listener({ tls: { mode: 'Passthrough' } })),
    expected: 'Unknown NotObserved',
    params: { what: 'TLS Gateway gateways/public (https)' },
  },
  {
    title: 'a route without TLS needs no certificate',
    world: () =>
      behindGateway().gateway(
        listener({ protocol: 'HTTP', port: 80, tls: null }),
      ),
    expected: undefined,
  },
  {
    title: 'a Gateway that asks for its certificate waits for cert-manager',
    world: () =>
      behindGateway().gateway({
        metadata: {
          annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
        },
      }),
    expected: 'False CertificateMissing',
    params: {
      certificate: 'wildcard',
      host: HOST,
      server: 'Gateway gateways/public (https)',
    },
    message:
      'Gateway gateways/public (https) waits for cert-manager to make the Certificate wildcard for mr-7.preview.example.com.',
  },
  {
    title: 'the certificate of an Ingress serves its host',
    world: behindIngress,
    expected: 'True Ready',
    params: { certificate: 'shop-tls' },
  },
  {
    title:
      'an Ingress with the certificate of other names does not cover its host',
    world: () =>
      behindIngress().certificate({ spec: { dnsNames: ['shop.example.com'] } }),
    expected: 'False NotCovered',
    params: { server: 'Ingress shop', hosts: ['shop.example.com'] },
  },
  {
    title: 'an Ingress that asks for its certificate waits for cert-manager',
    world: () =>
      behindIngress()
        .without('certificates')
        .ingress({
          metadata: {
            annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
          },
        }),
    expected: 'False CertificateMissing',
    params: { certificate: 'shop-tls', server: 'Ingress shop' },
  },
  {
    title: 'an Ingress with a Secret made by hand is not observed',
    world: () => behindIngress().without('certificates'),
    expected: 'Unknown NotObserved',
    params: { what: 'Secret preview-mr-7/shop-tls' },
  },
  {
    title: 'the certificate that a controller has by default is not observed',
    world: () =>
      behindIngress()
        .without('certificates')
        .ingress({ spec: { tls: [{ hosts: [HOST] }] } }),
    expected: 'Unknown NotObserved',
    params: { what: 'TLS Ingress shop' },
  },
  {
    title: 'an Ingress without TLS needs no certificate',
    world: () =>
      behindIngress()
        .without('certificates')
        .ingress({ spec: { tls: null } }),
    expected: undefined,
  },
  {
    title: 'the worst of several hosts is told, naming it',
    world: () =>
      behindGateway()
        .certificate(wildcard())
        .httpRoute({
          metadata: { name: 'admin' },
          spec: { hostnames: ['admin.mr-7.preview.example.com'] },
        }),
    expected: 'False NotCovered',
    params: { host: 'admin.mr-7.preview.example.com' },
  },
];
