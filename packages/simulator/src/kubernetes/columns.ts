import type { KubernetesObject } from './object';

/** A column of the table that `kubectl get` prints. */
export interface Column {
  name: string;
  type: 'string' | 'integer' | 'date';
  format?: 'name';
  description: string;
  /** 0 is always shown, 1 only with `-o wide`. */
  priority: 0 | 1;
  value(object: KubernetesObject, now: Date): string | number;
}

type Value = Column['value'];

function column(name: string, value: Value, priority: 0 | 1 = 0): Column {
  return { name, type: 'string', description: name, priority, value };
}

function wide(name: string, value: Value): Column {
  return column(name, value, 1);
}

/** The name of the object: the first column of every table. */
export const nameColumn: Column = {
  ...column('Name', object => object.metadata.name),
  format: 'name',
};

/** Time since creation. */
export const ageColumn: Column = column('Age', (object, now) =>
  age(object.metadata.creationTimestamp, now),
);

const createdAtColumn: Column = {
  ...column('Created At', object => object.metadata.creationTimestamp),
  type: 'date',
};

function at(path: string): Value {
  const keys = path.split('.');
  return object => {
    let value: any = object;
    for (const key of keys) {
      value = value?.[key];
    }
    return typeof value === 'number' ? value : text(value);
  };
}

function text(value: unknown): string {
  if (value === undefined || value === null) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function conditionField(type: string, field = 'status'): Value {
  return object =>
    text(
      (object.status?.conditions ?? []).find(
        (condition: any) => condition.type === type,
      )?.[field],
    );
}

function orNone(value: Value): Value {
  return (object, now) => {
    const cell = value(object, now);
    return cell === '' ? '<none>' : cell;
  };
}

/** A duration as `kubectl` writes it: two units at most, coarser with age. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < -1) {
    return '<invalid>';
  }
  if (seconds < 120) {
    return `${Math.max(seconds, 0)}s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) {
    return withRemainder(minutes, 'm', seconds % 60, 's');
  }
  if (minutes < 180) {
    return `${minutes}m`;
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 8) {
    return withRemainder(hours, 'h', minutes % 60, 'm');
  }
  if (hours < 48) {
    return `${hours}h`;
  }
  const days = Math.floor(hours / 24);
  if (days < 8) {
    return withRemainder(days, 'd', hours % 24, 'h');
  }
  if (days < 730) {
    return `${days}d`;
  }
  const years = Math.floor(days / 365);
  return years < 8 ? withRemainder(years, 'y', days % 365, 'd') : `${years}y`;
}

function withRemainder(
  value: number,
  unit: string,
  rest: number,
  restUnit: string,
): string {
  return rest === 0 ? `${value}${unit}` : `${value}${unit}${rest}${restUnit}`;
}

function age(since: string | undefined, now: Date): string {
  return since ? humanDuration(now.getTime() - Date.parse(since)) : '<unknown>';
}

function containersOf(object: KubernetesObject): any[] {
  return (
    object.spec?.template?.spec?.containers ?? object.spec?.containers ?? []
  );
}

const containersColumn = wide('Containers', object =>
  containersOf(object)
    .map(container => container.name)
    .join(','),
);
const imagesColumn = wide('Images', object =>
  containersOf(object)
    .map(container => container.image)
    .join(','),
);
const selectorColumn = wide('Selector', object =>
  Object.entries(object.spec?.selector?.matchLabels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(','),
);

function podReady(object: KubernetesObject): string {
  const statuses: any[] = object.status?.containerStatuses ?? [];
  const ready = statuses.filter(status => status.ready).length;
  return `${ready}/${object.spec?.containers?.length ?? 0}`;
}

function podStatus(object: KubernetesObject): string {
  if (object.metadata.deletionTimestamp) {
    return 'Terminating';
  }
  const statuses: any[] = object.status?.containerStatuses ?? [];
  for (const { state } of [...statuses].reverse()) {
    const reason = state?.waiting?.reason ?? state?.terminated?.reason;
    if (reason) {
      return reason;
    }
  }
  return object.status?.reason ?? object.status?.phase ?? 'Unknown';
}

function podRestarts(object: KubernetesObject): number {
  const statuses: any[] = object.status?.containerStatuses ?? [];
  return statuses.reduce((sum, status) => sum + (status.restartCount ?? 0), 0);
}

function ratio(done: string): Value {
  return object =>
    `${object.status?.[done] ?? 0}/${object.spec?.replicas ?? 1}`;
}

function count(field: string): Value {
  return object => Number(object.status?.[field] ?? 0);
}

function servicePorts(object: KubernetesObject): string {
  const ports: any[] = object.spec?.ports ?? [];
  return ports
    .map(
      ({ port, nodePort, protocol }) =>
        `${port}${nodePort ? `:${nodePort}` : ''}/${protocol ?? 'TCP'}`,
    )
    .join(',');
}

function addresses(object: KubernetesObject): string {
  const entries: any[] = object.status?.loadBalancer?.ingress ?? [];
  return entries.map(entry => entry.ip ?? entry.hostname).join(',');
}

function dataCount(object: KubernetesObject): number {
  return (
    Object.keys(object.data ?? {}).length +
    Object.keys(object.binaryData ?? {}).length
  );
}

const ACCESS_MODES: Record<string, string> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

function accessModes(object: KubernetesObject): string {
  const modes: string[] =
    object.status?.accessModes ?? object.spec?.accessModes ?? [];
  return modes.map(mode => ACCESS_MODES[mode] ?? mode).join(',');
}

function nodeRoles(object: KubernetesObject): string {
  const prefix = 'node-role.kubernetes.io/';
  return Object.keys(object.metadata.labels ?? {})
    .filter(label => label.startsWith(prefix))
    .map(label => label.slice(prefix.length))
    .join(',');
}

const listenerSetColumns = [
  column('Accepted', conditionField('Accepted')),
  column('Programmed', conditionField('Programmed')),
  ageColumn,
];
const secretStoreColumns = [
  ageColumn,
  column('Status', conditionField('Ready', 'reason')),
  column('Capabilities', at('status.capabilities')),
  column('Ready', conditionField('Ready')),
];

const roleReference: Value = object =>
  `${object.roleRef?.kind}/${object.roleRef?.name}`;

/** Columns of every kind, between the name and whatever a kind ends with. */
export const columnsByKind: Record<string, Column[]> = {
  Namespace: [column('Status', at('status.phase')), ageColumn],
  Pod: [
    column('Ready', podReady),
    column('Status', podStatus),
    column('Restarts', podRestarts),
    ageColumn,
    wide('IP', orNone(at('status.podIP'))),
    wide('Node', orNone(at('spec.nodeName'))),
    wide('Nominated Node', orNone(at('status.nominatedNodeName'))),
    wide('Readiness Gates', () => '<none>'),
  ],
  Service: [
    column('Type', at('spec.type')),
    column('Cluster-IP', orNone(at('spec.clusterIP'))),
    column('External-IP', orNone(addresses)),
    column('Port(s)', orNone(servicePorts)),
    ageColumn,
  ],
  Secret: [column('Type', at('type')), column('Data', dataCount), ageColumn],
  ConfigMap: [column('Data', dataCount), ageColumn],
  Event: [
    column('Last Seen', (object, now) =>
      age(
        object.lastTimestamp ??
          object.eventTime ??
          object.metadata.creationTimestamp,
        now,
      ),
    ),
    column('Type', at('type')),
    column('Reason', at('reason')),
    column(
      'Object',
      object =>
        `${text(object.involvedObject?.kind).toLowerCase()}/${text(
          object.involvedObject?.name,
        )}`,
    ),
    wide('Source', at('source.component')),
    column('Message', at('message')),
    wide('First Seen', (object, now) => age(object.firstTimestamp, now)),
    wide('Count', object => Number(object.count ?? 1)),
    { ...nameColumn, priority: 1 },
  ],
  PersistentVolumeClaim: [
    column('Status', at('status.phase')),
    column('Volume', at('spec.volumeName')),
    column('Capacity', at('status.capacity.storage')),
    column('Access Modes', accessModes),
    column('StorageClass', at('spec.storageClassName')),
    ageColumn,
  ],
  PersistentVolume: [
    column('Capacity', at('spec.capacity.storage')),
    column('Access Modes', accessModes),
    column('Reclaim Policy', at('spec.persistentVolumeReclaimPolicy')),
    column('Status', at('status.phase')),
    column('Claim', object =>
      object.spec?.claimRef
        ? `${object.spec.claimRef.namespace}/${object.spec.claimRef.name}`
        : '',
    ),
    column('StorageClass', at('spec.storageClassName')),
    column('Reason', at('status.reason')),
    ageColumn,
  ],
  ServiceAccount: [
    column('Secrets', object => object.secrets?.length ?? 0),
    ageColumn,
  ],
  Node: [
    column('Status', object =>
      conditionField('Ready')(object, new Date(0)) === 'True'
        ? 'Ready'
        : 'NotReady',
    ),
    column('Roles', orNone(nodeRoles)),
    ageColumn,
    column('Version', at('status.nodeInfo.kubeletVersion')),
  ],
  Deployment: [
    column('Ready', ratio('readyReplicas')),
    column('Up-to-date', count('updatedReplicas')),
    column('Available', count('availableReplicas')),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  StatefulSet: [
    column('Ready', ratio('readyReplicas')),
    ageColumn,
    containersColumn,
    imagesColumn,
  ],
  ReplicaSet: [
    column('Desired', object => object.spec?.replicas ?? 1),
    column('Current', count('replicas')),
    column('Ready', count('readyReplicas')),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  Job: [
    column('Status', object => {
      if (conditionField('Failed')(object, new Date(0)) === 'True') {
        return 'Failed';
      }
      return object.status?.completionTime ? 'Complete' : 'Running';
    }),
    column(
      'Completions',
      object =>
        `${object.status?.succeeded ?? 0}/${object.spec?.completions ?? 1}`,
    ),
    column('Duration', (object, now) =>
      object.status?.startTime
        ? humanDuration(
            (object.status.completionTime
              ? Date.parse(object.status.completionTime)
              : now.getTime()) - Date.parse(object.status.startTime),
          )
        : '',
    ),
    ageColumn,
    containersColumn,
    imagesColumn,
  ],
  CronJob: [
    column('Schedule', at('spec.schedule')),
    column('Timezone', orNone(at('spec.timeZone'))),
    column('Suspend', object => (object.spec?.suspend ? 'True' : 'False')),
    column('Active', object => object.status?.active?.length ?? 0),
    column('Last Schedule', (object, now) =>
      object.status?.lastScheduleTime
        ? age(object.status.lastScheduleTime, now)
        : '<none>',
    ),
    ageColumn,
  ],
  HorizontalPodAutoscaler: [
    column(
      'Reference',
      object =>
        `${object.spec?.scaleTargetRef?.kind}/${object.spec?.scaleTargetRef?.name}`,
    ),
    column('MinPods', object => object.spec?.minReplicas ?? '<unset>'),
    column('MaxPods', at('spec.maxReplicas')),
    column('Replicas', count('currentReplicas')),
    ageColumn,
  ],
  PodDisruptionBudget: [
    column('Min Available', object => object.spec?.minAvailable ?? 'N/A'),
    column('Max Unavailable', object => object.spec?.maxUnavailable ?? 'N/A'),
    column('Allowed Disruptions', count('disruptionsAllowed')),
    ageColumn,
  ],
  NetworkPolicy: [
    column('Pod-Selector', object => {
      const labels = object.spec?.podSelector?.matchLabels ?? {};
      return (
        Object.entries(labels)
          .map(([key, value]) => `${key}=${value}`)
          .join(',') || '<none>'
      );
    }),
    ageColumn,
  ],
  Ingress: [
    column('Class', orNone(at('spec.ingressClassName'))),
    column('Hosts', object => {
      const rules: any[] = object.spec?.rules ?? [];
      return rules.map(rule => rule.host ?? '*').join(',') || '*';
    }),
    column('Address', addresses),
    column('Ports', object => (object.spec?.tls?.length ? '80, 443' : '80')),
    ageColumn,
  ],
  ClusterRole: [createdAtColumn],
  Role: [createdAtColumn],
  ClusterRoleBinding: [column('Role', roleReference), ageColumn],
  RoleBinding: [column('Role', roleReference), ageColumn],
  Application: [
    column('Sync Status', at('status.sync.status')),
    column('Health Status', at('status.health.status')),
    wide('Revision', at('status.sync.revision')),
    wide('Project', at('spec.project')),
  ],
  Certificate: [
    column('Ready', conditionField('Ready')),
    column('Secret', at('spec.secretName')),
    wide('Issuer', at('spec.issuerRef.name')),
    wide('Status', conditionField('Ready', 'message')),
    ageColumn,
  ],
  CertificateRequest: [
    column('Approved', conditionField('Approved')),
    column('Denied', conditionField('Denied')),
    column('Ready', conditionField('Ready')),
    column('Issuer', at('spec.issuerRef.name')),
    column('Requester', at('spec.username')),
    wide('Status', conditionField('Ready', 'message')),
    ageColumn,
  ],
  Issuer: [
    column('Ready', conditionField('Ready')),
    wide('Status', conditionField('Ready', 'message')),
    ageColumn,
  ],
  ClusterIssuer: [
    column('Ready', conditionField('Ready')),
    wide('Status', conditionField('Ready', 'message')),
    ageColumn,
  ],
  Order: [
    column('State', at('status.state')),
    wide('Issuer', at('spec.issuerRef.name')),
    wide('Reason', at('status.reason')),
    ageColumn,
  ],
  Challenge: [
    column('State', at('status.state')),
    column('Domain', at('spec.dnsName')),
    wide('Reason', at('status.reason')),
    ageColumn,
  ],
  Gateway: [
    column('Class', at('spec.gatewayClassName')),
    column('Address', at('status.addresses.0.value')),
    column('Programmed', conditionField('Programmed')),
    ageColumn,
  ],
  GatewayClass: [
    column('Controller', at('spec.controllerName')),
    column('Accepted', conditionField('Accepted')),
    ageColumn,
    wide('Description', at('spec.description')),
  ],
  HTTPRoute: [column('Hostnames', at('spec.hostnames')), ageColumn],
  ListenerSet: listenerSetColumns,
  XListenerSet: listenerSetColumns,
  ExternalSecret: [
    column('StoreType', at('spec.secretStoreRef.kind')),
    column('Store', at('spec.secretStoreRef.name')),
    column('Refresh Interval', at('spec.refreshInterval')),
    column('Status', conditionField('Ready', 'reason')),
    column('Ready', conditionField('Ready')),
  ],
  SecretStore: secretStoreColumns,
  ClusterSecretStore: secretStoreColumns,
};
