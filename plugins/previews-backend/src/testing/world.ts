import {
  ApprovalsFact,
  ClusterReading,
  DnsZoneReading,
  EntityFact,
  GitLabReading,
  KindName,
  kindNames,
  KindReading,
  MergeRequestReading,
  PastMergeRequest,
  ProbeObservation,
  ProjectReading,
  World,
} from '../model';
import { ZoneRecords } from '../sources/dns/ZoneRecords';
import {
  kindDefinitions,
  parseMergeRequest,
  parsePipeline,
  parseProject,
} from '../sources/objects';

/** JSON as an upstream sends it, or a merge patch on it: `null` takes a field away. */
export type Json = Record<string, any>;

export const NOW = '2026-11-29T12:00:00.000Z';
export const HOST = 'gitlab.example.com';
export const CLUSTER = 'main';
export const HEAD = 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678';
export const OLD = 'f00dfeed0123456789abcdef0123456789abcdef';
export const NEXT = '0ddba11c0ffee123456789abcdef012345678901';
export const REGISTRY = 'registry.example.com/group/shop';
export const DNS_DOMAIN = 'preview.example.com';
export const MERGE_REQUEST = { host: HOST, projectId: 42, iid: 7 };

/** The time so many seconds after {@link NOW}; before it when negative. */
export function at(seconds: number): string {
  return new Date(Date.parse(NOW) + seconds * 1000).toISOString();
}

/** A null that stays in the JSON, where `null` in a patch takes a field away. */
export const NULL = Symbol('null');

/** Merges a patch into JSON: objects by key, all else replaced, `null` removes. */
export function merged(base: unknown, patch: unknown): any {
  if (!isJson(patch)) {
    return patch;
  }
  const result: Json = isJson(base) ? { ...base } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      delete result[key];
    } else if (value === NULL) {
      result[key] = null;
    } else {
      result[key] = merged(result[key], value);
    }
  }
  return result;
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Kinds of what is deployed for the preview of {@link WorldBuilder.live}. */
export const DEPLOYED: readonly KindName[] = [
  'applications',
  'namespaces',
  'deployments',
  'replicaSets',
  'pods',
  'certificates',
  'httpRoutes',
];

/** What is known of an MR besides its own JSON. */
export interface MergeRequestExtras {
  /** Newest first; `undefined` for not read yet. */
  pipelines?: Json[];
  tag?: MergeRequestReading['tag'];
  approvals?: ApprovalsFact;
  touchedPaths?: MergeRequestReading['touchedPaths'];
  deletedAt?: string;
}

interface Project {
  json: Json;
  reading: Partial<
    Pick<ProjectReading, 'state' | 'error' | 'status' | 'missing' | 'past'>
  > & {
    completeAt?: string;
  };
  mergeRequests: Map<number, { json: Json; extras: MergeRequestExtras }>;
  formerPaths?: readonly string[];
}

interface Cluster {
  destinations: string[];
  objects: Map<KindName, Map<string, Json>>;
  readings: Map<KindName, Partial<KindReading<unknown>>>;
}

/** A Deployment that no new pod serves for yet. */
export const rollingOut: Json = {
  status: { readyReplicas: 0, availableReplicas: 0 },
};

/**
 * Builds what the writer knows from objects as the upstreams send them, through
 * the real parsers. Every method takes a merge patch on a sensible full default,
 * or on the object of that name that is already there. Readings are complete and
 * fresh at {@link NOW} unless told otherwise.
 */
export class WorldBuilder {
  /** One project without MRs and an empty cluster. */
  static empty(): WorldBuilder {
    return new WorldBuilder().project().cluster();
  }

  /** An open, selected MR that nothing was generated for yet. */
  static open(): WorldBuilder {
    return WorldBuilder.empty().applicationSet().mergeRequest();
  }

  /** An MR whose preview serves its head, with everything a preview can have. */
  static live(): WorldBuilder {
    return WorldBuilder.open()
      .application()
      .namespace()
      .deployment()
      .replicaSet()
      .pod()
      .clusterIssuer()
      .certificate()
      .httpRoute()
      .gateway();
  }

  /** Its container crashes again and again. */
  crashing(): this {
    return this.deployment(rollingOut)
      .replicaSet({ status: { readyReplicas: 0 } })
      .pod(
        podStatus({
          restartCount: 3,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
        }),
      );
  }

  readonly #projects = new Map<string, Project>();
  readonly #clusters = new Map<string, Cluster>();
  readonly #entities: EntityFact[] = [];
  readonly #dnsZones = new Map<
    string,
    { reading: Partial<DnsZoneReading>; sets: Json[] }
  >();
  readonly #hosts = new Map<string, { webUrl: string }>();
  readonly #unreadable = new Map<string, GitLabReading['unreadable']>();
  readonly #observations = new Map<string, ProbeObservation>();
  #domains?: string[];
  #readAt = NOW;

  /** The time that all readings are complete at. */
  readAt(time: string): this {
    this.#readAt = time;
    return this;
  }

  gitlab(options: {
    host: string;
    webUrl?: string;
    unreadable?: GitLabReading['unreadable'];
  }): this {
    const { host, webUrl = `https://${host}`, unreadable = [] } = options;
    this.#hosts.set(host, { webUrl });
    this.#unreadable.set(host, unreadable);
    return this;
  }

  project(patch: Json = {}, host: string = HOST): this {
    const id = patch.id ?? 42;
    const path = patch.path_with_namespace ?? 'group/shop';
    if (!this.#hosts.has(host)) {
      this.gitlab({ host });
    }
    const known = this.#projects.get(`${host}/${id}`);
    this.#projects.set(`${host}/${id}`, {
      json: merged(
        known?.json ?? {
          id,
          path_with_namespace: path,
          web_url: `https://${host}/${path}`,
          http_url_to_repo: `https://${host}/${path}.git`,
          ssh_url_to_repo: `git@${host}:${path}.git`,
          container_registry_image_prefix: `registry.example.com/${path}`,
        },
        patch,
      ),
      reading: known?.reading ?? {},
      mergeRequests: known?.mergeRequests ?? new Map(),
      formerPaths: known?.formerPaths,
    });
    return this;
  }

  /** The project was moved to a path, and the one that it had leads there. */
  moved(path: string): this {
    const { json } = this.#projectOf(HOST, 42);
    const formerPaths = [json.path_with_namespace];
    this.project({
      path_with_namespace: path,
      web_url: `https://${HOST}/${path}`,
    });
    this.#projectOf(HOST, 42).formerPaths = formerPaths;
    return this;
  }

  /** How the reading of a project went; the MRs read before stay. */
  projectReading(
    reading: Project['reading'],
    { id = 42, host = HOST }: { id?: number; host?: string } = {},
  ): this {
    this.#projectOf(host, id).reading = reading;
    return this;
  }

  /** What GitLab says of an MR that nobody reads; nothing where it has none of that number. */
  past(
    past: PastMergeRequest = {},
    { iid = 7, id = 42 }: { iid?: number; id?: number } = {},
  ): this {
    const { reading } = this.#projectOf(HOST, id);
    reading.past = new Map(reading.past).set(iid, past);
    return this;
  }

  /** Hosts below these domains are visited. */
  visiting(...domains: string[]): this {
    this.#domains = domains;
    return this;
  }

  /** What the last visit of a host found; undefined takes it away. */
  visited(
    result: ProbeObservation['result'] | undefined,
    options: Partial<ProbeObservation> = {},
  ): this {
    const { host = 'mr-7.preview.example.com', ...rest } = options;
    this.#domains ??= ['preview.example.com'];
    if (result) {
      const observedAt = this.#readAt;
      this.#observations.set(host, { host, observedAt, result, ...rest });
    } else {
      this.#observations.delete(host);
    }
    return this;
  }

  /** A GitLab host is configured no more. */
  withoutGitLab(host: string = HOST): this {
    this.#hosts.delete(host);
    return this;
  }

  /** All projects of a host are gone from memory, as after a restart. */
  forgetProjects(): this {
    this.#projects.clear();
    return this;
  }

  mergeRequest(
    patch: Json = {},
    extras?: MergeRequestExtras,
    host: string = HOST,
  ): this {
    const iid: number = patch.iid ?? 7;
    const projectId: number = patch.project_id ?? 42;
    const project = this.#projectOf(host, projectId);
    const known = project.mergeRequests.get(iid);
    const json = merged(
      known?.json ?? {
        id: projectId * 1000 + iid,
        iid,
        project_id: projectId,
        target_project_id: projectId,
        source_project_id: projectId,
        title: 'Show the basket',
        state: 'opened',
        web_url: `https://${host}/${project.json.path_with_namespace}/-/merge_requests/${iid}`,
        author: { username: 'dev1', name: 'Dev One' },
        source_branch: 'feature/basket',
        target_branch: 'main',
        draft: false,
        labels: ['preview'],
        sha: HEAD,
        created_at: at(-86_400),
        updated_at: at(-3600),
      },
      patch,
    );
    project.mergeRequests.set(iid, {
      json,
      extras: extras ??
        known?.extras ?? {
          pipelines: json.sha ? [pipeline({ sha: json.sha })] : [],
        },
    });
    return this;
  }

  cluster(options: { cluster?: string; destinations?: string[] } = {}): this {
    const { cluster = CLUSTER, destinations = [] } = options;
    this.#clusters.set(cluster, {
      destinations,
      objects: new Map(),
      readings: new Map(),
    });
    return this;
  }

  /** A cluster is configured no more. */
  withoutCluster(cluster: string = CLUSTER): this {
    this.#clusters.delete(cluster);
    return this;
  }

  /** A cluster is configured under another name. */
  renameCluster(name: string, cluster: string = CLUSTER): this {
    this.#clusters.set(name, this.#clusterOf(cluster));
    return this.withoutCluster(cluster);
  }

  /** How the reading of a kind went; the objects read before stay. */
  kindReading(
    kinds: KindName | readonly KindName[],
    reading: Partial<KindReading<unknown>>,
    cluster: string = CLUSTER,
  ): this {
    for (const kind of [kinds].flat()) {
      this.#clusterOf(cluster).readings.set(kind, reading);
    }
    return this;
  }

  /** No kind of a cluster has been read since the start. */
  unreadCluster(cluster: string = CLUSTER): this {
    for (const kind of kindNames) {
      this.#clusterOf(cluster).objects.delete(kind);
    }
    return this.kindReading(kindNames, { state: 'pending' }, cluster);
  }

  /** Only what the API of an Argo CD carries is read. */
  argocdOnly(cluster: string = CLUSTER): this {
    const hidden = kindNames.filter(
      kind => kind !== 'applications' && kind !== 'applicationSets',
    );
    for (const kind of hidden) {
      this.#clusterOf(cluster).objects.delete(kind);
    }
    return this.kindReading(hidden, { state: 'notObserved' }, cluster);
  }

  applicationSet(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'shop-previews';
    return this.#put('applicationSets', cluster, patch, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: {
        name,
        namespace: 'argocd',
        uid: `set-${name}`,
        creationTimestamp: at(-30 * 86_400),
      },
      spec: {
        goTemplate: true,
        goTemplateOptions: ['missingkey=error'],
        generators: [pullRequestGenerator()],
        template: {
          metadata: { name: 'preview-mr-{{.number}}' },
          spec: {
            project: 'previews',
            source: {
              repoURL: `https://${HOST}/group/deployment.git`,
              path: 'shop',
              targetRevision: 'main',
              helm: {
                parameters: [
                  { name: 'image.tag', value: '{{.head_short_sha}}' },
                ],
              },
            },
            destination: {
              server: 'https://kubernetes.default.svc',
              namespace: 'preview-mr-{{.number}}',
            },
          },
        },
      },
      status: {
        conditions: [
          {
            type: 'ErrorOccurred',
            status: 'False',
            reason: 'ApplicationSetUpToDate',
            message: 'Successfully generated parameters for all Applications',
          },
        ],
      },
    });
  }

  application(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'preview-mr-7';
    return this.#put('applications', cluster, patch, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: {
        name,
        namespace: 'argocd',
        uid: `app-${name}`,
        creationTimestamp: at(-3600),
        finalizers: ['resources-finalizer.argocd.argoproj.io'],
        ownerReferences: [ownedBy('shop-previews')],
      },
      spec: {
        project: 'previews',
        source: {
          repoURL: `https://${HOST}/group/deployment.git`,
          path: 'shop',
          targetRevision: 'main',
          helm: {
            parameters: [{ name: 'image.tag', value: HEAD.slice(0, 8) }],
          },
        },
        destination: {
          server: 'https://kubernetes.default.svc',
          namespace: name,
        },
      },
      status: {
        sync: {
          status: 'Synced',
          revision: 'd00d1e0123456789abcdef0123456789abcdef01',
        },
        health: { status: 'Healthy' },
        summary: { images: [`${REGISTRY}:${HEAD.slice(0, 8)}`] },
        operationState: {
          phase: 'Succeeded',
          message: 'successfully synced (all tasks run)',
          startedAt: at(-3500),
          finishedAt: at(-3490),
          syncResult: {
            revision: 'd00d1e0123456789abcdef0123456789abcdef01',
          },
        },
      },
    });
  }

  namespace(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'preview-mr-7';
    return this.#put('namespaces', cluster, patch, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, uid: `ns-${name}`, creationTimestamp: at(-3600) },
      status: { phase: 'Active' },
    });
  }

  deployment(patch: Json = {}, cluster?: string): this {
    return this.#put('deployments', cluster, patch, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      ...workload(patch, 'deployment'),
    });
  }

  statefulSet(patch: Json = {}, cluster?: string): this {
    return this.#put('statefulSets', cluster, patch, {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      ...workload(patch, 'statefulset'),
    });
  }

  replicaSet(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'shop-1';
    return this.#put('replicaSets', cluster, patch, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        ...inNamespace(patch),
        name,
        uid: `rs-${name}`,
        creationTimestamp: at(-3500),
        ownerReferences: [controller('Deployment', 'shop', 'deployment-shop')],
      },
      spec: { replicas: 1, template: podTemplate(HEAD) },
      status: { replicas: 1, readyReplicas: 1 },
    });
  }

  pod(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'shop-1-aaaaa';
    return this.#put('pods', cluster, patch, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...inNamespace(patch),
        name,
        uid: `pod-${name}`,
        creationTimestamp: at(-3500),
        ownerReferences: [controller('ReplicaSet', 'shop-1', 'rs-shop-1')],
      },
      spec: podTemplate(HEAD).spec,
      status: {
        phase: 'Running',
        startTime: at(-3500),
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [
          {
            name: 'shop',
            ready: true,
            restartCount: 0,
            image: `${REGISTRY}:${HEAD.slice(0, 8)}`,
            imageID: `${REGISTRY}@sha256:${'ab'.repeat(32)}`,
            state: { running: { startedAt: at(-3490) } },
          },
        ],
      },
    });
  }

  certificate(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'shop-tls';
    return this.#put('certificates', cluster, patch, {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: {
        ...inNamespace(patch),
        name,
        uid: `cert-${name}`,
        creationTimestamp: at(-1200),
      },
      spec: {
        secretName: name,
        dnsNames: ['mr-7.preview.example.com'],
        issuerRef: { kind: 'ClusterIssuer', name: 'letsencrypt' },
      },
      status: {
        notBefore: at(-1100),
        notAfter: at(89 * 86_400),
        renewalTime: at(59 * 86_400),
        revision: 1,
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'Ready',
            message: 'Certificate is up to date and has not expired',
            lastTransitionTime: at(-1100),
          },
        ],
      },
    });
  }

  clusterIssuer(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'letsencrypt';
    return this.#put('clusterIssuers', cluster, patch, {
      apiVersion: 'cert-manager.io/v1',
      kind: 'ClusterIssuer',
      metadata: { name, uid: `issuer-${name}` },
      ...acmeIssuer(),
    });
  }

  issuer(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'letsencrypt';
    return this.#put('issuers', cluster, patch, {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Issuer',
      metadata: { ...inNamespace(patch), name, uid: `issuer-${name}` },
      ...acmeIssuer(),
    });
  }

  /** The request of the first revision of `shop-tls`, which waits for its Order. */
  certificateRequest(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'shop-tls-1';
    return this.#put('certificateRequests', cluster, patch, {
      apiVersion: 'cert-manager.io/v1',
      kind: 'CertificateRequest',
      metadata: {
        ...inNamespace(patch),
        name,
        uid: `request-${name}`,
        creationTimestamp: at(-300),
        annotations: {
          'cert-manager.io/certificate-name': 'shop-tls',
          'cert-manager.io/certificate-revision': '1',
        },
        ownerReferences: [
          controller('Certificate', 'shop-tls', 'cert-shop-tls'),
        ],
      },
      spec: { issuerRef: { kind: 'ClusterIssuer', name: 'letsencrypt' } },
      status: {
        conditions: [
          { type: 'Approved', status: 'True', reason: 'cert-manager.io' },
          {
            type: 'Ready',
            status: 'False',
            reason: 'Pending',
            message:
              'Waiting on certificate issuance from order preview-mr-7/shop-tls-1-100: "pending"',
          },
        ],
      },
    });
  }

  /** The pending Order of that request. */
  order(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'shop-tls-1-100';
    return this.#put('orders', cluster, patch, {
      apiVersion: 'acme.cert-manager.io/v1',
      kind: 'Order',
      metadata: {
        ...inNamespace(patch),
        name,
        uid: `order-${name}`,
        creationTimestamp: at(-290),
        ownerReferences: [
          controller('CertificateRequest', 'shop-tls-1', 'request-shop-tls-1'),
        ],
      },
      spec: {
        dnsNames: ['mr-7.preview.example.com'],
        issuerRef: { kind: 'ClusterIssuer', name: 'letsencrypt' },
      },
      status: { state: 'pending' },
    });
  }

  /** The Challenge of that Order, presented and being checked. */
  challenge(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'shop-tls-1-100-200';
    return this.#put('challenges', cluster, patch, {
      apiVersion: 'acme.cert-manager.io/v1',
      kind: 'Challenge',
      metadata: {
        ...inNamespace(patch),
        name,
        uid: `challenge-${name}`,
        creationTimestamp: at(-280),
        finalizers: ['finalizer.acme.cert-manager.io'],
        ownerReferences: [
          controller('Order', 'shop-tls-1-100', 'order-shop-tls-1-100'),
        ],
      },
      spec: {
        dnsName: 'mr-7.preview.example.com',
        type: 'DNS-01',
        token: 'token-of-the-challenge',
        key: 'key-of-the-challenge',
      },
      status: { processing: true, presented: true, state: 'pending' },
    });
  }

  /** A warning about that Challenge. */
  acmeEvent(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'shop-tls-1-100-200.1';
    return this.#put('acmeEvents', cluster, patch, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        ...inNamespace(patch),
        name,
        uid: `event-${name}`,
        creationTimestamp: at(-270),
      },
      type: 'Warning',
      reason: 'PresentError',
      involvedObject: {
        apiVersion: 'acme.cert-manager.io/v1',
        kind: 'Challenge',
        namespace: 'preview-mr-7',
        name: 'shop-tls-1-100-200',
        uid: 'challenge-shop-tls-1-100-200',
      },
      lastTimestamp: at(-60),
    });
  }

  httpRoute(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'shop';
    const parentRef = {
      group: 'gateway.networking.k8s.io',
      kind: 'Gateway',
      namespace: 'gateways',
      name: 'public',
    };
    return this.#put('httpRoutes', cluster, patch, {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: {
        ...inNamespace(patch),
        name,
        uid: `route-${name}`,
        generation: 1,
        creationTimestamp: at(-3400),
      },
      spec: {
        hostnames: ['mr-7.preview.example.com'],
        parentRefs: [parentRef],
      },
      status: { parents: [routeParent()] },
    });
  }

  gateway(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'public';
    return this.#put('gateways', cluster, patch, {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: {
        name,
        namespace: 'gateways',
        uid: `gateway-${name}`,
        generation: 1,
      },
      spec: {
        listeners: [
          {
            name: 'https',
            hostname: '*.preview.example.com',
            port: 443,
            protocol: 'HTTPS',
            tls: { certificateRefs: [{ name: 'wildcard' }] },
          },
        ],
      },
      status: {
        listeners: [
          {
            name: 'https',
            conditions: [
              { type: 'Programmed', status: 'True', reason: 'Programmed' },
            ],
          },
        ],
      },
    });
  }

  /** What adds a listener of the preview's own to that Gateway. */
  listenerSet(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'shop';
    const programmed = [
      { type: 'Accepted', status: 'True', reason: 'Accepted' },
      { type: 'Programmed', status: 'True', reason: 'Programmed' },
    ];
    return this.#put('listenerSets', cluster, patch, {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'ListenerSet',
      metadata: {
        ...inNamespace(patch),
        name,
        uid: `listener-set-${name}`,
        generation: 1,
      },
      spec: {
        parentRef: { name: 'public', namespace: 'gateways' },
        listeners: [
          {
            name: 'https',
            hostname: 'mr-7.preview.example.com',
            port: 443,
            protocol: 'HTTPS',
            tls: { certificateRefs: [{ name: 'shop-tls' }] },
          },
        ],
      },
      status: {
        conditions: programmed,
        listeners: [{ name: 'https', conditions: programmed }],
      },
    });
  }

  ingress(patch: Json = {}, cluster?: string): this {
    const name = patch.metadata?.name ?? 'shop';
    return this.#put('ingresses', cluster, patch, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { ...inNamespace(patch), name, uid: `ingress-${name}` },
      spec: {
        ingressClassName: 'traefik',
        rules: [{ host: 'mr-7.preview.example.com' }],
        tls: [{ hosts: ['mr-7.preview.example.com'], secretName: 'shop-tls' }],
      },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.10' }] } },
    });
  }

  /** Takes one object away, or all of a kind. */
  without(
    kinds: KindName | readonly KindName[],
    name?: string,
    cluster: string = CLUSTER,
  ): this {
    for (const kind of [kinds].flat()) {
      const objects = this.#clusterOf(cluster).objects.get(kind);
      for (const key of [...(objects?.keys() ?? [])]) {
        if (name === undefined || key.split('/').pop() === name) {
          objects!.delete(key);
        }
      }
    }
    return this;
  }

  /**
   * A zone of DNS with its own records and these, as Route 53 lists them; a text
   * such as `A mr-7.preview.example.com` is an address, or a challenge of TXT.
   */
  dnsZone(
    sets: readonly (string | Json)[] = [],
    options: { domain?: string; reading?: Partial<DnsZoneReading> } = {},
  ): this {
    const { domain = DNS_DOMAIN, reading = {} } = options;
    this.#dnsZones.set(domain, {
      reading,
      sets: [
        ...['NS', 'SOA'].map(Type => ({ Name: `${domain}.`, Type })),
        ...sets.map(set => {
          const [type, name] = typeof set === 'string' ? set.split(' ') : [];
          return typeof set === 'string'
            ? { Name: `${name}.`, Type: type }
            : set;
        }),
      ],
    });
    return this;
  }

  entity(entity: Partial<EntityFact> = {}): this {
    this.#entities.push({
      entityRef: 'component:default/shop',
      project: { host: HOST, path: 'group/shop' },
      ownGroup: { host: HOST, group: 'group' },
      applicationSets: [],
      explicit: false,
      problems: [],
      ...entity,
    });
    return this;
  }

  build(): World {
    return {
      gitlab: [...this.#hosts].map(([host, { webUrl }]) => ({
        host,
        webUrl,
        unreadable: this.#unreadable.get(host) ?? [],
        projects: new Map(
          [...this.#projects]
            .filter(([key]) => key.startsWith(`${host}/`))
            .map(([, project]) => [
              project.json.id,
              this.#projectReading(project, host),
            ]),
        ),
      })),
      clusters: [...this.#clusters].map(([name, cluster]) =>
        this.#clusterReading(name, cluster),
      ),
      catalog: {
        state: 'ready',
        completeAt: this.#readAt,
        entities: this.#entities,
      },
      ...(this.#dnsZones.size > 0 && {
        dns: [...this.#dnsZones.keys()].map(domain =>
          this.#zoneReading(domain),
        ),
      }),
      ...(this.#domains && {
        reachability: {
          domains: this.#domains,
          observations: new Map(this.#observations),
        },
      }),
    };
  }

  #zoneReading(domain: string): DnsZoneReading {
    const { reading, sets } = this.#dnsZones.get(domain)!;
    const records = new ZoneRecords();
    sets.forEach(set => records.add(set));
    return {
      sourceId: `dns:${domain}`,
      state: 'ready',
      completeAt: this.#readAt,
      staleAfterSeconds: 900,
      domain: records.domain,
      affixes: { prefix: '', suffix: '' },
      records: records.byName(),
      ...reading,
    };
  }

  #projectReading(project: Project, host: string): ProjectReading {
    const fact = parseProject(project.json);
    if (!fact) {
      throw new Error('The project of a test does not parse');
    }
    const { formerPaths } = project;
    return {
      fact: { ...fact, ...(formerPaths && { formerPaths }) },
      state: 'ready',
      completeAt: this.#readAt,
      ...project.reading,
      mergeRequests: new Map(
        [...project.mergeRequests].flatMap(([iid, { json, extras }]) => {
          const mergeRequest = parseMergeRequest(json, { host });
          if (!mergeRequest) {
            throw new Error('The merge request of a test does not parse');
          }
          const reading: MergeRequestReading = {
            fact: mergeRequest,
            readAt: this.#readAt,
            ...(extras.pipelines && {
              pipelines: {
                items: extras.pipelines.flatMap(
                  item => parsePipeline(item) ?? [],
                ),
                forHead: mergeRequest.headSha,
                readAt: this.#readAt,
              },
            }),
            ...(extras.tag && { tag: extras.tag }),
            ...(extras.approvals && {
              approvals: {
                fact: extras.approvals,
                forUpdate: mergeRequest.updatedAt,
                readAt: this.#readAt,
              },
            }),
            ...(extras.touchedPaths && { touchedPaths: extras.touchedPaths }),
            ...(extras.deletedAt && { deletedAt: extras.deletedAt }),
          };
          return [[iid, reading] as const];
        }),
      ),
    };
  }

  #clusterReading(name: string, cluster: Cluster): ClusterReading {
    const kinds = Object.fromEntries(
      kindNames.map(kind => {
        const objects = new Map<string, unknown>();
        for (const [key, json] of cluster.objects.get(kind) ?? []) {
          const fact = kindDefinitions[kind].parse(json, { cluster: name });
          if (!fact) {
            throw new Error(`The ${kind} of a test do not parse: ${key}`);
          }
          objects.set(key, fact);
        }
        const reading = {
          state: 'ready',
          completeAt: this.#readAt,
          ...cluster.readings.get(kind),
          objects,
        };
        return [kind, reading];
      }),
    );
    return {
      sourceId: `cluster:${name}`,
      cluster: name,
      destinations: cluster.destinations,
      kinds: kinds as unknown as ClusterReading['kinds'],
    };
  }

  #put(
    kind: KindName,
    cluster: string = CLUSTER,
    patch: Json = {},
    base: Json = {},
  ): this {
    const { objects } = this.#clusterOf(cluster);
    const known = objects.get(kind) ?? new Map<string, Json>();
    const namespace = patch.metadata?.namespace ?? base.metadata.namespace;
    const { name } = base.metadata;
    const key = namespace ? `${namespace}/${name}` : name;
    known.set(key, merged(known.get(key) ?? base, patch));
    objects.set(kind, known);
    return this;
  }

  #projectOf(host: string, id: number): Project {
    const project = this.#projects.get(`${host}/${id}`);
    if (!project) {
      throw new Error(`The test's world has no project ${id} on ${host}`);
    }
    return project;
  }

  #clusterOf(name: string): Cluster {
    const cluster = this.#clusters.get(name);
    if (!cluster) {
      throw new Error(`The test's world has no cluster ${name}`);
    }
    return cluster;
  }
}

function acmeIssuer(): Json {
  return {
    spec: {
      acme: {
        server: 'https://acme-v02.api.letsencrypt.org/directory',
        privateKeySecretRef: { name: 'letsencrypt-account' },
      },
    },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'ACMEAccountRegistered',
          message: 'The ACME account was registered with the ACME server',
        },
      ],
    },
  };
}

function inNamespace(patch: Json): { namespace: string } {
  return { namespace: patch.metadata?.namespace ?? 'preview-mr-7' };
}

function workload(patch: Json, kind: string): Json {
  const name = patch.metadata?.name ?? 'shop';
  return {
    metadata: {
      ...inNamespace(patch),
      name,
      uid: `${kind}-${name}`,
      generation: 1,
      creationTimestamp: at(-3500),
    },
    spec: { replicas: 1, template: podTemplate(HEAD) },
    status: {
      observedGeneration: 1,
      replicas: 1,
      updatedReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
    },
  };
}

/** A TXT record of external-dns, as Route 53 lists it. */
export function ownershipRecord(
  name: string,
  options: { owner?: string; resource?: string } = {},
): Json {
  const { owner = 'edge', resource = 'httproute/preview-mr-7/shop' } = options;
  return {
    Name: `${name}.`,
    Type: 'TXT',
    TTL: 300,
    ResourceRecords: [
      {
        Value: `"heritage=external-dns,external-dns/owner=${owner},external-dns/resource=${resource}"`,
      },
    ],
  };
}

/** A controlling owner reference to an ApplicationSet. */
export function ownedBy(set: string): Json {
  return controller('ApplicationSet', set, `set-${set}`);
}

export function controller(kind: string, name: string, uid: string): Json {
  return { kind, name, uid, controller: true };
}

/** A pod template with one container that runs a commit's image. */
export function podTemplate(sha: string): Json {
  return {
    spec: {
      containers: [{ name: 'shop', image: `${REGISTRY}:${sha.slice(0, 8)}` }],
    },
  };
}

export function pipeline(patch: Json = {}): Json {
  return merged(
    {
      id: 900,
      status: 'success',
      sha: HEAD,
      web_url: `https://${HOST}/group/shop/-/pipelines/900`,
      created_at: at(-3500),
      started_at: at(-3490),
    },
    patch,
  );
}

/** A pull request generator for `group/shop`; the patches go on its parts. */
export function pullRequestGenerator(
  gitlab: Json = {},
  pullRequest: Json = {},
): Json {
  return {
    pullRequest: merged(
      {
        gitlab: merged(
          {
            api: `https://${HOST}/`,
            project: 'group/shop',
            labels: ['preview'],
            pullRequestState: 'opened',
          },
          gitlab,
        ),
        requeueAfterSeconds: 60,
      },
      pullRequest,
    ),
  };
}

/** The patch that gives an ApplicationSet this one generator. */
export function generatedBy(gitlab: Json = {}, pullRequest: Json = {}): Json {
  return { spec: { generators: [pullRequestGenerator(gitlab, pullRequest)] } };
}

/** An entry of a route's status, accepted and resolved unless told. */
export function routeParent(
  options: {
    accepted?: Json;
    resolved?: Json;
    parentRef?: Json;
    controllerName?: string;
  } = {},
): Json {
  return {
    parentRef: {
      kind: 'Gateway',
      namespace: 'gateways',
      name: 'public',
      ...options.parentRef,
    },
    controllerName:
      options.controllerName ?? 'gateway.envoyproxy.io/gatewayclass-controller',
    conditions: [
      {
        type: 'Accepted',
        status: 'True',
        reason: 'Accepted',
        observedGeneration: 1,
        ...options.accepted,
      },
      {
        type: 'ResolvedRefs',
        status: 'True',
        reason: 'ResolvedRefs',
        observedGeneration: 1,
        ...options.resolved,
      },
    ],
  };
}

/** The status of a pod that is not ready, with its one container's state. */
export function podStatus(container: Json, phase = 'Pending'): Json {
  return {
    status: {
      phase,
      conditions: [{ type: 'Ready', status: 'False' }],
      containerStatuses: [
        {
          name: 'shop',
          ready: false,
          restartCount: 0,
          image: `${REGISTRY}:${HEAD.slice(0, 8)}`,
          imageID: '',
          ...container,
        },
      ],
    },
  };
}

/** What the controller of an ApplicationSet says of it; an error unless the status says otherwise. */
export function setError(
  reason: string,
  message = 'no such project',
  status = 'True',
): Json {
  return {
    status: {
      conditions: [{ type: 'ErrorOccurred', status, reason, message }],
    },
  };
}
