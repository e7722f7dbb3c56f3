import type { KubernetesObjectInput } from '../kubernetes';
import type { ChartValues } from './chartValues';

const CONTAINER_PORT = 8080;

/**
 * The manifests of one preview: namespace, workload, service, route and certificate. A small model
 * of what a team's chart or Kustomize base renders.
 */
export function renderChart(
  values: ChartValues,
  namespace: string,
): KubernetesObjectInput[] {
  const { name, host } = values;
  const labels = { 'app.kubernetes.io/name': name };
  const metadata = { name, namespace, labels };
  const manifests: KubernetesObjectInput[] = [];
  if (values.namespace) {
    manifests.push({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { 'example.com/tier': 'preview' } },
    });
  }
  manifests.push(
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        selector: labels,
        ports: [{ name: 'http', port: 80, targetPort: CONTAINER_PORT }],
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: values.workload,
      metadata,
      spec: {
        replicas: values.replicas,
        selector: { matchLabels: labels },
        ...(values.workload === 'StatefulSet' && { serviceName: name }),
        template: {
          metadata: { labels: { ...labels, ...values.podLabels } },
          spec: {
            containers: [
              {
                name,
                image: `${values.image.repository}:${values.image.tag}`,
                ports: [{ name: 'http', containerPort: CONTAINER_PORT }],
                readinessProbe: { httpGet: { path: '/', port: 'http' } },
              },
            ],
          },
        },
      },
    },
  );
  if (values.route === 'httproute') {
    manifests.push({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata,
      spec: {
        parentRefs: [
          {
            group: 'gateway.networking.k8s.io',
            kind: 'Gateway',
            name: values.gateway.name,
            namespace: values.gateway.namespace,
          },
        ],
        hostnames: [host],
        rules: [
          {
            matches: [{ path: { type: 'PathPrefix', value: '/' } }],
            backendRefs: [
              { group: '', kind: 'Service', name, port: 80, weight: 1 },
            ],
          },
        ],
      },
    });
  }
  if (values.route === 'ingress') {
    manifests.push({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: {
        ...metadata,
        ...(values.certificate === 'ingressShim' && {
          annotations: { 'cert-manager.io/cluster-issuer': values.issuer },
        }),
      },
      spec: {
        ingressClassName: 'nginx',
        rules: [
          {
            host,
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name, port: { number: 80 } } },
                },
              ],
            },
          },
        ],
        ...(values.certificate !== 'none' && {
          tls: [
            {
              hosts: [host],
              secretName:
                values.certificate === 'wildcard'
                  ? values.wildcardSecret
                  : `${name}-tls`,
            },
          ],
        }),
      },
    });
  }
  if (values.route !== 'none' && values.certificate === 'perMergeRequest') {
    manifests.push({
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { ...metadata, name: `${name}-tls` },
      spec: {
        dnsNames: [host],
        issuerRef: {
          group: 'cert-manager.io',
          kind: 'ClusterIssuer',
          name: values.issuer,
        },
        secretName: `${name}-tls`,
        usages: ['digital signature', 'key encipherment'],
      },
    });
  }
  return manifests;
}
