import { createHash } from 'node:crypto';

/** JSON as an upstream sends it. */
export type Json = Record<string, unknown>;

/** One preview of the organisation, by where it is. */
export interface Place {
  /** From 0. */
  project: number;
  /** From 1. */
  iid: number;
}

/** What differs from how everything begins. */
export interface PlaceState {
  title: string;
  updatedAt: string;
  health: string;
}

/** What all objects of an organisation have in common. */
export interface Setting {
  /** Base URL of GitLab. */
  gitlabUrl: string;
  /** ISO time that everything was ready at. */
  readyAt: string;
}

export const GROUP = 'shop';
const REGISTRY = 'registry.example.com';
const DOMAIN = 'preview.example.com';
const CLUSTER_URL = 'https://kubernetes.default.svc';
const FIRST_PROJECT_ID = 1000;

export function projectIdOf(project: number): number {
  return FIRST_PROJECT_ID + project;
}

export function projectOf(projectId: number): number {
  return projectId - FIRST_PROJECT_ID;
}

export function serviceOf(project: number): string {
  return `service-${projectIdOf(project)}`;
}

export function pathOf(project: number): string {
  return `${GROUP}/${serviceOf(project)}`;
}

export function applicationNameOf({ project, iid }: Place): string {
  return `preview-${serviceOf(project)}-mr-${iid}`;
}

function hexOf(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

export function shaOf({ project, iid }: Place): string {
  return hexOf(`head ${project} ${iid}`, 40);
}

function uidOf(text: string): string {
  const hex = hexOf(text, 32);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

function imageOf(place: Place): string {
  return `${REGISTRY}/${pathOf(place.project)}:${shaOf(place).slice(0, 8)}`;
}

function hostOf({ project, iid }: Place): string {
  return `mr-${iid}.${serviceOf(project)}.${DOMAIN}`;
}

/** The set of fields that a manager owns, as the API server writes it. */
function fieldsOf(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return {};
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      `f:${key}`,
      fieldsOf(member),
    ]),
  );
}

/** An object as a cluster sends it: with identity, version and managed fields. */
function sent(
  head: { apiVersion: string; kind: string },
  metadata: Json,
  rest: Json,
  options: { setting: Setting; managers: readonly string[] },
): Json {
  const { setting, managers } = options;
  const { namespace = '', name } = metadata as { [key: string]: string };
  return {
    ...head,
    metadata: {
      uid: uidOf(`${head.kind} ${namespace}/${name}`),
      resourceVersion: '1',
      creationTimestamp: setting.readyAt,
      generation: 1,
      ...metadata,
      managedFields: managers.map(manager => ({
        manager,
        operation: 'Update',
        apiVersion: head.apiVersion,
        time: setting.readyAt,
        fieldsType: 'FieldsV1',
        fieldsV1: { ...fieldsOf({ metadata }), ...fieldsOf(rest) },
      })),
    },
    ...rest,
  };
}

function condition(type: string, setting: Setting, reason = type): Json {
  return {
    type,
    status: 'True',
    reason,
    message: `The condition ${type} holds since the last transition of the object`,
    lastTransitionTime: setting.readyAt,
    lastUpdateTime: setting.readyAt,
    observedGeneration: 1,
  };
}

function labelsOf({ project, iid }: Place): Json {
  return {
    'app.kubernetes.io/name': serviceOf(project),
    'app.kubernetes.io/instance': applicationNameOf({ project, iid }),
    'app.kubernetes.io/managed-by': 'Helm',
    'app.kubernetes.io/part-of': GROUP,
    'helm.sh/chart': 'service-4.2.1',
  };
}

function ownedBy(apiVersion: string, kind: string, name: string, from: string) {
  return [
    {
      apiVersion,
      kind,
      name,
      uid: uidOf(`${kind} ${from}/${name}`),
      controller: true,
      blockOwnerDeletion: true,
    },
  ];
}

export function applicationSet(project: number, setting: Setting): Json {
  const service = serviceOf(project);
  return sent(
    { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet' },
    { name: `${service}-previews`, namespace: 'argocd' },
    {
      spec: {
        goTemplate: true,
        goTemplateOptions: ['missingkey=error'],
        generators: [
          {
            pullRequest: {
              gitlab: {
                api: setting.gitlabUrl,
                project: pathOf(project),
                labels: ['preview'],
                pullRequestState: 'opened',
              },
              requeueAfterSeconds: 60,
            },
          },
        ],
        template: {
          metadata: { name: `preview-${service}-mr-{{.number}}` },
          spec: {
            project: 'previews',
            source: sourceOf({
              service,
              host: `mr-{{.number}}.${service}.${DOMAIN}`,
              tag: '{{.head_short_sha}}',
              setting,
            }),
            destination: {
              server: CLUSTER_URL,
              namespace: `preview-${service}-mr-{{.number}}`,
            },
          },
        },
      },
      status: {
        conditions: [
          { ...condition('ErrorOccurred', setting), status: 'False' },
        ],
      },
    },
    { setting, managers: ['argocd-applicationset-controller'] },
  );
}

function sourceOf(options: {
  service: string;
  host: string;
  tag: string;
  setting: Setting;
}): Json {
  const { service, host, tag, setting } = options;
  return {
    repoURL: `${setting.gitlabUrl}/${GROUP}/deployment.git`,
    path: 'charts/service',
    targetRevision: 'main',
    helm: {
      parameters: [{ name: 'image.tag', value: tag }],
      valuesObject: {
        nameOverride: service,
        image: { repository: `${REGISTRY}/${GROUP}/${service}` },
        ingress: { host, gateway: 'public', issuer: 'letsencrypt' },
        resources: {
          requests: { cpu: '50m', memory: '128Mi' },
          limits: { memory: '512Mi' },
        },
        postgresql: { enabled: true, size: '1Gi' },
        env: {
          LOG_LEVEL: 'debug',
          PUBLIC_URL: `https://${host}`,
          FEATURES: 'basket,payments,recommendations',
        },
      },
    },
  };
}

/** About 15 kB as sent: four deployments behind it, nine resources. */
export function application(
  place: Place,
  state: PlaceState,
  setting: Setting,
): Json {
  const name = applicationNameOf(place);
  const service = serviceOf(place.project);
  const revision = hexOf(`revision ${place.project}`, 40);
  const source = sourceOf({
    service,
    host: hostOf(place),
    tag: shaOf(place).slice(0, 8),
    setting,
  });
  const destination = { server: CLUSTER_URL, namespace: name };
  const resources = [
    ['', 'v1', 'Service', service],
    ['', 'v1', 'ServiceAccount', service],
    ['', 'v1', 'ConfigMap', service],
    ['apps', 'v1', 'Deployment', service],
    ['apps', 'v1', 'StatefulSet', `${service}-postgresql`],
    ['', 'v1', 'Service', `${service}-postgresql`],
    ['cert-manager.io', 'v1', 'Certificate', `${service}-tls`],
    ['gateway.networking.k8s.io', 'v1', 'HTTPRoute', service],
    ['networking.k8s.io', 'v1', 'NetworkPolicy', service],
  ].map(([group, version, kind, resource]) => ({
    group,
    version,
    kind,
    namespace: name,
    name: resource,
  }));
  return sent(
    { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
    {
      name,
      namespace: 'argocd',
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
      labels: { team: GROUP, tier: 'preview' },
      ownerReferences: ownedBy(
        'argoproj.io/v1alpha1',
        'ApplicationSet',
        `${service}-previews`,
        'argocd',
      ),
    },
    {
      spec: {
        project: 'previews',
        source,
        destination,
        syncPolicy: {
          automated: { prune: true, selfHeal: true },
          syncOptions: ['CreateNamespace=true', 'ServerSideApply=true'],
        },
      },
      status: {
        sync: {
          status: 'Synced',
          revision,
          comparedTo: { source, destination },
        },
        health: { status: state.health, lastTransitionTime: setting.readyAt },
        reconciledAt: setting.readyAt,
        sourceType: 'Helm',
        summary: {
          images: [imageOf(place), 'docker.io/library/postgres:17.2'],
          externalURLs: [`https://${hostOf(place)}/`],
        },
        resources: resources.map(resource => ({
          ...resource,
          status: 'Synced',
          health: { status: 'Healthy' },
        })),
        history: [1, 2, 3, 4].map(id => ({
          id,
          revision,
          source,
          deployStartedAt: setting.readyAt,
          deployedAt: setting.readyAt,
          initiatedBy: { automated: true },
        })),
        operationState: {
          phase: 'Succeeded',
          message: 'successfully synced (all tasks run)',
          startedAt: setting.readyAt,
          finishedAt: setting.readyAt,
          operation: {
            initiatedBy: { automated: true },
            retry: { limit: 5 },
            sync: {
              prune: true,
              revision,
              syncOptions: ['CreateNamespace=true'],
            },
          },
          syncResult: {
            revision,
            source,
            resources: resources.map(resource => ({
              ...resource,
              status: 'Synced',
              syncPhase: 'Sync',
              hookPhase: 'Running',
              message: `${resource.kind.toLocaleLowerCase('en-US')}/${
                resource.name
              } configured, serverside-applied`,
            })),
          },
        },
      },
    },
    {
      setting,
      managers: [
        'argocd-applicationset-controller',
        'argocd-application-controller',
      ],
    },
  );
}

export function namespaceObject(place: Place, setting: Setting): Json {
  return sent(
    { apiVersion: 'v1', kind: 'Namespace' },
    {
      name: applicationNameOf(place),
      labels: { 'kubernetes.io/metadata.name': applicationNameOf(place) },
    },
    { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } },
    { setting, managers: ['argocd-controller'] },
  );
}

function podSpec(name: string, image: string): Json {
  return {
    serviceAccountName: name,
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: { runAsNonRoot: true, fsGroup: 1000 },
    containers: [
      {
        name: 'main',
        image,
        imagePullPolicy: 'IfNotPresent',
        ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
        env: Array.from({ length: 16 }, (_, index) => ({
          name: `SETTING_${index}`,
          valueFrom: {
            configMapKeyRef: { name, key: `setting-${index}`, optional: true },
          },
        })),
        resources: {
          requests: { cpu: '50m', memory: '128Mi' },
          limits: { memory: '512Mi' },
        },
        readinessProbe: {
          httpGet: { path: '/ready', port: 'http', scheme: 'HTTP' },
          periodSeconds: 10,
          timeoutSeconds: 1,
          successThreshold: 1,
          failureThreshold: 3,
        },
        livenessProbe: {
          httpGet: { path: '/live', port: 'http', scheme: 'HTTP' },
          periodSeconds: 10,
          timeoutSeconds: 1,
          successThreshold: 1,
          failureThreshold: 3,
        },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        },
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        volumeMounts: ['configuration', 'temporary', 'token'].map(volume => ({
          name: volume,
          mountPath: `/var/run/${volume}`,
          readOnly: volume !== 'temporary',
        })),
      },
    ],
    volumes: [
      { name: 'configuration', configMap: { name, defaultMode: 420 } },
      { name: 'temporary', emptyDir: {} },
      {
        name: 'token',
        projected: {
          defaultMode: 420,
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
            { configMap: { name: 'kube-root-ca.crt' } },
          ],
        },
      },
    ],
    tolerations: ['not-ready', 'unreachable'].map(taint => ({
      key: `node.kubernetes.io/${taint}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    })),
  };
}

/** Names of what runs: the service itself and its database. */
function workloadsOf({ project }: Place) {
  const service = serviceOf(project);
  return { service, database: `${service}-postgresql` };
}

function replicaSetNameOf(place: Place): string {
  return `${serviceOf(place.project)}-${hexOf(`set ${place.iid}`, 10)}`;
}

const DATABASE_IMAGE = 'docker.io/library/postgres:17.2';

export function deployment(place: Place, setting: Setting): Json {
  const { service } = workloadsOf(place);
  return sent(
    { apiVersion: 'apps/v1', kind: 'Deployment' },
    {
      name: service,
      namespace: applicationNameOf(place),
      labels: labelsOf(place),
      annotations: { 'deployment.kubernetes.io/revision': '1' },
    },
    {
      spec: {
        replicas: 1,
        selector: { matchLabels: labelsOf(place) },
        template: { spec: podSpec(service, imageOf(place)) },
      },
      status: {
        observedGeneration: 1,
        replicas: 1,
        updatedReplicas: 1,
        readyReplicas: 1,
        availableReplicas: 1,
        conditions: ['Available', 'Progressing'].map(type =>
          condition(type, setting),
        ),
      },
    },
    { setting, managers: ['argocd-controller'] },
  );
}

export function replicaSet(place: Place, setting: Setting): Json {
  const { service } = workloadsOf(place);
  const home = applicationNameOf(place);
  return sent(
    { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
    {
      name: replicaSetNameOf(place),
      namespace: home,
      labels: labelsOf(place),
      ownerReferences: ownedBy('apps/v1', 'Deployment', service, home),
    },
    {
      spec: {
        replicas: 1,
        selector: { matchLabels: labelsOf(place) },
        template: { spec: podSpec(service, imageOf(place)) },
      },
      status: { observedGeneration: 1, replicas: 1, readyReplicas: 1 },
    },
    { setting, managers: ['kube-controller-manager'] },
  );
}

export function statefulSet(place: Place, setting: Setting): Json {
  const { database } = workloadsOf(place);
  return sent(
    { apiVersion: 'apps/v1', kind: 'StatefulSet' },
    {
      name: database,
      namespace: applicationNameOf(place),
      labels: labelsOf(place),
    },
    {
      spec: {
        replicas: 1,
        serviceName: database,
        template: { spec: podSpec(database, DATABASE_IMAGE) },
      },
      status: {
        observedGeneration: 1,
        replicas: 1,
        updatedReplicas: 1,
        readyReplicas: 1,
        availableReplicas: 1,
      },
    },
    { setting, managers: ['argocd-controller'] },
  );
}

/** About 8 kB as sent. */
function pod(
  place: Place,
  options: { name: string; owner: Json[]; image: string; setting: Setting },
): Json {
  const { name, owner, image, setting } = options;
  const id = hexOf(`container ${place.project} ${place.iid} ${name}`, 64);
  return sent(
    { apiVersion: 'v1', kind: 'Pod' },
    {
      name,
      namespace: applicationNameOf(place),
      labels: { ...labelsOf(place), 'pod-template-hash': id.slice(0, 10) },
      annotations: { 'kubectl.kubernetes.io/restartedAt': setting.readyAt },
      ownerReferences: owner,
    },
    {
      spec: {
        ...podSpec(serviceOf(place.project), image),
        nodeName: `node-${place.iid % 8}`,
      },
      status: {
        phase: 'Running',
        qosClass: 'Burstable',
        hostIP: '192.0.2.10',
        podIP: '198.51.100.7',
        podIPs: [{ ip: '198.51.100.7' }],
        startTime: setting.readyAt,
        conditions: [
          'PodReadyToStartContainers',
          'Initialized',
          'Ready',
          'ContainersReady',
          'PodScheduled',
        ].map(type => condition(type, setting)),
        containerStatuses: [
          {
            name: 'main',
            ready: true,
            started: true,
            restartCount: 0,
            image,
            imageID: `${image.split(':')[0]}@sha256:${id}`,
            containerID: `containerd://${id}`,
            state: { running: { startedAt: setting.readyAt } },
            lastState: {},
            resources: {
              requests: { cpu: '50m', memory: '128Mi' },
              limits: { memory: '512Mi' },
            },
          },
        ],
      },
    },
    { setting, managers: ['kube-controller-manager', 'kubelet'] },
  );
}

/** The pod of the service and that of its database. */
export function pods(place: Place, setting: Setting): Json[] {
  const { database } = workloadsOf(place);
  const home = applicationNameOf(place);
  const set = replicaSetNameOf(place);
  return [
    pod(place, {
      name: `${set}-${hexOf(set, 5)}`,
      owner: ownedBy('apps/v1', 'ReplicaSet', set, home),
      image: imageOf(place),
      setting,
    }),
    pod(place, {
      name: `${database}-0`,
      owner: ownedBy('apps/v1', 'StatefulSet', database, home),
      image: DATABASE_IMAGE,
      setting,
    }),
  ];
}

export function certificate(place: Place, setting: Setting): Json {
  const name = `${serviceOf(place.project)}-tls`;
  const inDays = (days: number) =>
    new Date(Date.parse(setting.readyAt) + days * 86_400_000)
      .toISOString()
      .replace(/\.\d+/, '');
  return sent(
    { apiVersion: 'cert-manager.io/v1', kind: 'Certificate' },
    { name, namespace: applicationNameOf(place), labels: labelsOf(place) },
    {
      spec: {
        secretName: name,
        dnsNames: [hostOf(place)],
        issuerRef: {
          group: 'cert-manager.io',
          kind: 'ClusterIssuer',
          name: 'letsencrypt',
        },
        usages: ['digital signature', 'key encipherment'],
      },
      status: {
        notBefore: setting.readyAt,
        notAfter: inDays(90),
        renewalTime: inDays(60),
        revision: 1,
        conditions: [condition('Ready', setting)],
      },
    },
    { setting, managers: ['argocd-controller', 'cert-manager'] },
  );
}

export function httpRoute(place: Place, setting: Setting): Json {
  const service = serviceOf(place.project);
  const parentRef = {
    group: 'gateway.networking.k8s.io',
    kind: 'Gateway',
    namespace: 'gateways',
    name: 'public',
  };
  return sent(
    { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute' },
    {
      name: service,
      namespace: applicationNameOf(place),
      labels: labelsOf(place),
    },
    {
      spec: {
        hostnames: [hostOf(place)],
        parentRefs: [parentRef],
        rules: [
          {
            matches: [{ path: { type: 'PathPrefix', value: '/' } }],
            backendRefs: [
              {
                group: '',
                kind: 'Service',
                name: service,
                port: 80,
                weight: 1,
              },
            ],
          },
        ],
      },
      status: {
        parents: [
          {
            parentRef,
            controllerName: 'gateway.envoyproxy.io/gatewayclass-controller',
            conditions: ['Accepted', 'ResolvedRefs'].map(type =>
              condition(type, setting),
            ),
          },
        ],
      },
    },
    { setting, managers: ['argocd-controller'] },
  );
}

export function gateway(setting: Setting): Json {
  return sent(
    { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'Gateway' },
    { name: 'public', namespace: 'gateways' },
    {
      spec: {
        gatewayClassName: 'public',
        listeners: [
          {
            name: 'https',
            port: 443,
            protocol: 'HTTPS',
            tls: { certificateRefs: [{ name: 'wildcard' }] },
            allowedRoutes: { namespaces: { from: 'All' } },
          },
        ],
      },
      status: {
        listeners: [
          { name: 'https', conditions: [condition('Programmed', setting)] },
        ],
      },
    },
    { setting, managers: ['gateway'] },
  );
}

export function projectOfGitLab(index: number, setting: Setting): Json {
  const path = pathOf(index);
  const webUrl = `${setting.gitlabUrl}/${path}`;
  return {
    id: projectIdOf(index),
    name: serviceOf(index),
    path: serviceOf(index),
    path_with_namespace: path,
    default_branch: 'main',
    web_url: webUrl,
    http_url_to_repo: `${webUrl}.git`,
    ssh_url_to_repo: `git@gitlab.example.com:${path}.git`,
    container_registry_image_prefix: `${REGISTRY}/${path}`,
    description: 'One of many services',
    archived: false,
    merge_requests_enabled: true,
  };
}

export function mergeRequest(
  place: Place,
  state: PlaceState,
  setting: Setting,
): Json {
  const projectId = projectIdOf(place.project);
  const author = {
    id: 1 + (place.iid % 20),
    username: `dev${1 + (place.iid % 20)}`,
    name: `Developer ${1 + (place.iid % 20)}`,
    state: 'active',
  };
  return {
    id: projectId * 100_000 + place.iid,
    iid: place.iid,
    project_id: projectId,
    target_project_id: projectId,
    source_project_id: projectId,
    title: state.title,
    description: 'What it changes, and why, told in a few sentences. '.repeat(
      20,
    ),
    state: 'opened',
    draft: false,
    labels: ['preview', 'backend'],
    source_branch: `feature/change-${place.iid}`,
    target_branch: 'main',
    sha: shaOf(place),
    author,
    assignees: [author],
    reviewers: [author],
    detailed_merge_status: 'mergeable',
    user_notes_count: 3,
    upvotes: 0,
    downvotes: 0,
    web_url: `${setting.gitlabUrl}/${pathOf(place.project)}/-/merge_requests/${
      place.iid
    }`,
    created_at: setting.readyAt,
    updated_at: state.updatedAt,
    merged_at: null,
    closed_at: null,
  };
}

export function pipeline(place: Place, setting: Setting): Json {
  const id = projectIdOf(place.project) * 100_000 + place.iid;
  return {
    id,
    iid: place.iid,
    project_id: projectIdOf(place.project),
    sha: shaOf(place),
    ref: `feature/change-${place.iid}`,
    status: 'success',
    source: 'push',
    web_url: `${setting.gitlabUrl}/${pathOf(place.project)}/-/pipelines/${id}`,
    created_at: setting.readyAt,
    updated_at: setting.readyAt,
  };
}
