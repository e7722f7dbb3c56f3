import {
  ApplicationSummary,
  CertificateSummary,
  Condition,
  conditionTypes,
  ConditionType,
  englishChecks,
  EntityChecks,
  EntitySummaryResponse,
  Finding,
  Phase,
  Preview,
  ReasonParams,
  renderCheck,
  renderMessage,
  RouteSummary,
  SourceState,
  TierState,
  Transition,
} from '@previews/backstage-plugin-previews-common';

/** The moment that the fixtures are made for. */
export const fixtureNow = Date.parse('2026-11-29T14:10:00Z');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const GITLAB = 'gitlab:gitlab.example.com';
const CLUSTER = 'cluster:edge';

type Facts = [
  status: Condition['status'],
  reason: string,
  params?: ReasonParams,
];
type Conditions = Partial<Record<ConditionType, Facts>>;

/** English sentence of any reason; the table of reasons is not typed by name here. */
function messageOf(type: string, reason: string, params: ReasonParams): string {
  return renderMessage({ type, reason, params } as never);
}

interface Draft {
  iid: number;
  title: string;
  phase: Phase;
  author?: string;
  name?: string;
  branch?: string;
  ageMilliseconds: number;
  head?: string;
  running?: string;
  by?: Preview['commit']['by'];
  conditions: Conditions;
  decidedBy?: ConditionType;
  certificate?: Partial<CertificateSummary>;
  route?: Partial<RouteSummary>;
  application?: Partial<ApplicationSummary> | null;
  overrides?: Partial<Omit<Preview, 'mergeRequest'>>;
  mergeRequest?: Partial<Preview['mergeRequest']>;
}

const built: Conditions = {
  MergeRequestOpen: ['True', 'Opened'],
  Selected: ['True', 'Selected', { applicationSets: ['argocd/shop-previews'] }],
};

function live(iid: number, tag: string): Conditions {
  const name = `preview-mr-${iid}`;
  return {
    ...built,
    ImageBuilt: ['True', 'ImagePulled', { tag }],
    ApplicationGenerated: ['True', 'Generated', { applications: [name] }],
    Synced: ['True', 'Synced', { revision: tag }],
    Available: ['True', 'Available', { ready: 1, desired: 1 }],
    CertificateReady: [
      'True',
      'Ready',
      { certificate: name, issuer: "Let's Encrypt R12" },
    ],
    RouteAccepted: [
      'True',
      'Accepted',
      { route: 'shop', parents: ['gateway/edge'] },
    ],
  };
}

function createPreview(now: number, draft: Draft): Preview {
  const at = (milliseconds: number) => new Date(milliseconds).toISOString();
  const { iid, phase, ageMilliseconds: age } = draft;
  const name = `preview-mr-${iid}`;
  const host = `mr-${iid}.preview.example.com`;
  const created = now - age;
  const head =
    draft.head ?? `${iid}a2b3c4d5e6f7081920a1b2c3d4e5f60718293a4b`.slice(0, 40);
  const tag = head.slice(0, 8);
  const exists = draft.application !== null;
  const conditions = conditionTypes.flatMap((type, index): Condition[] => {
    const facts = draft.conditions[type];
    if (!facts) {
      return [];
    }
    const [status, reason, params = {}] = facts;
    const since = at(Math.min(now, created + index * 45_000));
    return [
      {
        type,
        status,
        reason,
        params,
        message: messageOf(type, reason, params),
        since,
        observedAt: at(now - 8_000),
      },
    ];
  });
  const deciding = conditions.find(({ type }) => type === draft.decidedBy);
  return {
    id: `p-42-${iid}`,
    entityRefs: ['component:default/shop'],
    mergeRequest: {
      host: 'gitlab.example.com',
      project: 'group/shop',
      projectId: 42,
      iid,
      title: draft.title,
      webUrl: `https://gitlab.example.com/group/shop/-/merge_requests/${iid}`,
      author: {
        username: draft.author ?? 'dev1',
        ...(draft.name && { name: draft.name }),
      },
      sourceBranch: draft.branch ?? `change-${iid}`,
      targetBranch: 'main',
      fork: false,
      draft: false,
      labels: ['preview'],
      state: 'opened',
      headSha: head,
      createdAt: at(created),
      updatedAt: at(created),
      ...draft.mergeRequest,
    },
    phase,
    // Not before the last of its conditions.
    phaseSince: at(created + Math.min(age / 2, 6 * MINUTE)),
    stale: [],
    ...(deciding && {
      reason: {
        type: deciding.type,
        reason: deciding.reason,
        params: deciding.params,
      },
      message: deciding.message,
    }),
    conditions,
    urls: exists ? [{ url: `https://${host}/`, host, clickable: true }] : [],
    commit: {
      head,
      expected: tag,
      by: draft.by ?? 'tag',
      ...(exists && { wantedByArgo: tag }),
      ...(draft.running && { running: draft.running }),
    },
    applications: exists
      ? [
          {
            cluster: 'edge',
            namespace: 'argocd',
            name,
            applicationSet: 'argocd/shop-previews',
            project: 'previews',
            destination: { cluster: 'edge', namespace: name },
            sync: 'Synced',
            health: 'Healthy',
            revision: head,
            webUrl: `https://argocd.example.com/applications/argocd/${name}`,
            ...draft.application,
          },
        ]
      : [],
    namespaces: exists
      ? [{ cluster: 'edge', name, phase: 'Active', own: true }]
      : [],
    certificates: draft.certificate
      ? [
          {
            cluster: 'edge',
            namespace: name,
            name,
            hosts: [host],
            wildcard: false,
            state: 'ready',
            issuer: "Let's Encrypt R12",
            notAfter: at(now + 78 * DAY + HOUR),
            renewalTime: at(now + 48 * DAY),
            reason: 'Ready',
            params: { certificate: name },
            message: `Certificate ${name} is valid.`,
            ...draft.certificate,
          },
        ]
      : [],
    routes: exists
      ? [
          {
            cluster: 'edge',
            namespace: name,
            kind: 'HTTPRoute',
            name: 'shop',
            hosts: [host],
            parents: ['gateway/edge'],
            accepted: 'True',
            reason: 'Accepted',
            params: { route: 'HTTPRoute shop', parents: ['gateway/edge'] },
            ...draft.route,
          },
        ]
      : [],
    workloads: exists
      ? [
          {
            cluster: 'edge',
            namespace: name,
            kind: 'Deployment',
            name: 'api',
            ready: draft.running ? 1 : 0,
            desired: 1,
            images: [`registry.example.com/group/shop/api:${tag}`],
          },
        ]
      : [],
    createdAt: at(created),
    activityAt: at(created + Math.min(age / 2, 5 * MINUTE)),
    usual: { ImageBuilt: 150, Available: 60, CertificateReady: 90 },
    ...draft.overrides,
  };
}

/** One preview in every phase and some of the odd ones, in the order "attention". */
export function createPreviews(now: number = fixtureNow): Preview[] {
  const at = (milliseconds: number) => new Date(milliseconds).toISOString();
  const drafts: Draft[] = [
    {
      iid: 119,
      title: 'Upgrade Postgres client',
      phase: 'Failed',
      ageMilliseconds: 5 * HOUR,
      head: '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c',
      conditions: {
        ...live(119, '0f1e2d3c'),
        Available: [
          'False',
          'CrashLoop',
          { container: 'api', workload: 'api', restarts: 6, exitCode: 1 },
        ],
      },
      decidedBy: 'Available',
      certificate: { notAfter: at(now + 80 * DAY + HOUR) },
      application: { health: 'Degraded' },
    },
    {
      iid: 118,
      title: 'Cache product images',
      phase: 'Degraded',
      author: 'dev2',
      name: 'Dev Two',
      ageMilliseconds: 26 * HOUR,
      running: '118aaaaa',
      conditions: {
        ...live(118, '118a2b3c'),
        ImageBuilt: [
          'False',
          'PipelineFailed',
          { tag: '118a2b3c', pipeline: 9118 },
        ],
      },
      decidedBy: 'ImageBuilt',
      certificate: {},
      application: { health: 'Healthy' },
      mergeRequest: {
        pipeline: {
          id: 9118,
          status: 'failed',
          sha: '118a2b3c4d5e6f7081920a1b2c3d4e5f60718293',
          webUrl: 'https://gitlab.example.com/group/shop/-/pipelines/9118',
        },
      },
    },
    {
      iid: 98,
      title: 'Try another search engine',
      phase: 'Orphaned',
      author: 'dev3',
      ageMilliseconds: 21 * DAY,
      running: '98a2b3c4',
      conditions: {
        MergeRequestOpen: ['False', 'Closed', { at: at(now - 3 * DAY) }],
        CleanedUp: [
          'False',
          'OperationBlocksDeletion',
          { application: 'preview-mr-98', since: at(now - 3 * DAY) },
        ],
      },
      decidedBy: 'CleanedUp',
      certificate: { state: 'expired', notAfter: at(now - DAY) },
      mergeRequest: { state: 'closed', closedAt: at(now - 3 * DAY) },
    },
    {
      iid: 97,
      title: 'Move to the new payment provider',
      phase: 'Unknown',
      author: 'dev3',
      ageMilliseconds: 40 * MINUTE,
      by: 'none',
      conditions: {
        MergeRequestOpen: ['True', 'Opened'],
        Available: [
          'Unknown',
          'ClusterNotConfigured',
          { destination: 'https://10.0.0.9', application: 'preview-mr-97' },
        ],
      },
      decidedBy: 'Available',
      application: { sync: 'Unknown', health: 'Unknown' },
      overrides: { urls: [] },
    },
    {
      iid: 121,
      title: 'Rework cart',
      phase: 'Updating',
      author: 'dev2',
      name: 'Dev Two',
      ageMilliseconds: 3 * DAY,
      head: '77aa88bb99cc00dd11ee22ff33aa44bb55cc66dd',
      running: '4d5e6f70',
      conditions: {
        ...live(121, '77aa88bb'),
        ImageBuilt: [
          'False',
          'PipelineRunning',
          {
            tag: '77aa88bb',
            pipeline: 9121,
            startedAt: at(now - 100_000),
            usualSeconds: 150,
          },
        ],
      },
      decidedBy: 'ImageBuilt',
      certificate: { notAfter: at(now + 61 * DAY + HOUR) },
      application: { health: 'Progressing' },
    },
    {
      iid: 123,
      title: 'Draft: New header',
      phase: 'Building',
      ageMilliseconds: 2 * MINUTE,
      head: '9c8b7a6554433221100ffeeddccbbaa998877665',
      conditions: {
        ...built,
        ImageBuilt: [
          'False',
          'PipelineRunning',
          {
            tag: '9c8b7a65',
            pipeline: 9123,
            startedAt: at(now - 100_000),
            usualSeconds: 150,
          },
        ],
      },
      decidedBy: 'ImageBuilt',
      application: null,
      mergeRequest: { draft: true },
    },
    {
      iid: 124,
      title: 'Show delivery dates',
      phase: 'Waiting',
      author: 'reviewer1',
      ageMilliseconds: MINUTE,
      conditions: {
        ...built,
        ApplicationGenerated: [
          'False',
          'NotPolledYet',
          {
            applicationSet: 'argocd/shop-previews',
            requeueAfterSeconds: 1800,
          },
        ],
      },
      decidedBy: 'ApplicationGenerated',
      application: null,
      mergeRequest: { fork: true },
    },
    {
      iid: 125,
      title: 'Vouchers in the basket',
      phase: 'Deploying',
      ageMilliseconds: 6 * MINUTE,
      conditions: {
        ...live(125, '125a2b3c'),
        Available: [
          'False',
          'Progressing',
          { workload: 'api', ready: 0, desired: 1 },
        ],
      },
      decidedBy: 'Available',
      certificate: { state: 'waiting', notAfter: undefined },
      application: { health: 'Progressing' },
    },
    {
      iid: 126,
      title: 'Translate the invoice',
      phase: 'Securing',
      author: 'reviewer1',
      ageMilliseconds: 8 * MINUTE,
      running: '126a2b3c',
      conditions: {
        ...live(126, '126a2b3c'),
        CertificateReady: [
          'False',
          'Issuing',
          {
            certificate: 'preview-mr-126',
            hosts: ['mr-126.preview.example.com'],
            since: at(now - 70_000),
            usualSeconds: 90,
          },
        ],
      },
      decidedBy: 'CertificateReady',
      certificate: { state: 'waiting', notAfter: undefined, reason: 'Issuing' },
    },
    {
      iid: 110,
      title: 'Remove the old basket',
      phase: 'TearingDown',
      author: 'dev2',
      name: 'Dev Two',
      ageMilliseconds: 4 * DAY,
      running: '110a2b3c',
      conditions: {
        ...live(110, '110a2b3c'),
        MergeRequestOpen: ['False', 'Merged', { at: at(now - MINUTE) }],
        Selected: [
          'False',
          'StateExcluded',
          { applicationSet: 'argocd/shop-previews', state: 'merged' },
        ],
        CleanedUp: [
          'False',
          'NamespaceTerminating',
          { namespace: 'preview-mr-110', since: at(now - MINUTE) },
        ],
      },
      decidedBy: 'CleanedUp',
      certificate: {},
      mergeRequest: { state: 'merged', mergedAt: at(now - MINUTE) },
      overrides: {
        namespaces: [
          {
            cluster: 'edge',
            name: 'preview-mr-110',
            phase: 'Terminating',
            own: true,
            terminatingSince: at(now - MINUTE),
          },
        ],
      },
    },
    {
      iid: 117,
      title: 'Faster checkout',
      phase: 'Live',
      author: 'author1',
      branch: 'feat',
      ageMilliseconds: 2 * HOUR,
      head: '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d',
      running: '1a2b3c4d',
      conditions: live(117, '1a2b3c4d'),
      certificate: {},
    },
    {
      iid: 116,
      title: 'Chart in another cluster, by revision',
      phase: 'Live',
      author: 'reviewer1',
      ageMilliseconds: 9 * HOUR,
      running: '116a2b3c4d5e6f7081920a1b2c3d4e5f60718293',
      by: 'revision',
      conditions: live(116, '116a2b3c'),
      certificate: { state: 'failed', reason: 'IssuanceFailed' },
      overrides: {
        urls: [
          {
            url: 'https://elsewhere.example.net/',
            host: 'elsewhere.example.net',
            clickable: false,
          },
        ],
      },
    },
    {
      iid: 120,
      title: 'Docs only',
      phase: 'NotSelected',
      author: 'dev2',
      name: 'Dev Two',
      ageMilliseconds: HOUR,
      conditions: {
        MergeRequestOpen: ['True', 'Opened'],
        Selected: [
          'False',
          'LabelMissing',
          { applicationSet: 'argocd/shop-previews', labels: ['preview'] },
        ],
      },
      decidedBy: 'Selected',
      application: null,
      mergeRequest: { draft: true, labels: [] },
    },
    {
      iid: 101,
      title: 'Fix rounding of taxes',
      phase: 'Gone',
      ageMilliseconds: 12 * DAY,
      conditions: {
        MergeRequestOpen: ['False', 'Merged', { at: at(now - 2 * DAY) }],
        CleanedUp: ['True', 'NothingLeft'],
      },
      application: null,
      mergeRequest: { state: 'merged', mergedAt: at(now - 2 * DAY) },
      overrides: { goneAt: at(now - 2 * DAY) },
    },
  ];
  return drafts.map(draft => createPreview(now, draft));
}

/** A preview whose every text tries to be something else. */
export function createHostilePreview(now: number = fixtureNow): Preview {
  const markup =
    '<img src=x onerror="window.hacked=true"><b>{{t}}$t(phase.Live)';
  // eslint-disable-next-line no-script-url -- a hostile address
  const script = 'javascript:window.hacked=true';
  const [base] = createPreviews(now).filter(({ phase }) => phase === 'Live');
  return {
    ...base,
    id: 'p-42-666',
    phase: 'Degraded',
    mergeRequest: {
      ...base.mergeRequest,
      iid: 666,
      title: markup,
      webUrl: script,
      author: { username: '"><script>window.hacked=true</script>' },
      sourceBranch: `${'x'.repeat(200)}${markup}`,
      pipeline: { id: 1, status: 'failed', sha: 'x', webUrl: script },
    },
    reason: {
      type: 'ImageBuilt',
      reason: 'PipelineFailed',
      params: { tag: markup, pipeline: 1 },
    },
    message: markup,
    urls: [{ url: script, host: markup, clickable: true }],
    commit: { ...base.commit, head: markup, running: script, expected: markup },
    applications: base.applications.map(application => ({
      ...application,
      webUrl: 'data:text/html,<script>window.hacked=true</script>',
      sync: markup,
      health: 'constructor',
      operation: { phase: 'Failed', message: markup },
    })),
    certificates: base.certificates.map(certificate => ({
      ...certificate,
      issuer: markup,
      hosts: [markup],
    })),
  };
}

export function createSources(now: number = fixtureNow): SourceState[] {
  return [
    {
      id: GITLAB,
      kind: 'gitlab',
      name: 'gitlab.example.com',
      status: 'fresh',
      lastCompleteAt: new Date(now - 8_000).toISOString(),
      errors: [],
      notes: [],
    },
    {
      id: CLUSTER,
      kind: 'cluster',
      name: 'edge',
      status: 'fresh',
      lastCompleteAt: new Date(now - 3_000).toISOString(),
      errors: [],
      notes: [],
    },
  ];
}

/** The same sources while GitLab has not answered for eight minutes. */
export function createStaleSources(now: number = fixtureNow): SourceState[] {
  const since = new Date(now - 8 * MINUTE).toISOString();
  return createSources(now).map(source =>
    source.kind === 'gitlab'
      ? {
          ...source,
          status: 'stale',
          lastCompleteAt: since,
          errors: [
            {
              reason: 'Unreachable',
              message: 'GitLab gitlab.example.com cannot be reached.',
              since,
            },
          ],
        }
      : source,
  );
}

/** A preview while the cluster lets the portal list anything but certificates. */
export function withoutCertificates(preview: Preview): Preview {
  const unread = {
    reason: 'KindForbidden',
    params: { kind: 'certificates', group: 'cert-manager.io', cluster: 'edge' },
    message: 'The cluster edge does not let the portal list certificates.',
  };
  return {
    ...preview,
    stale: [CLUSTER],
    conditions: preview.conditions.map(condition =>
      condition.type === 'CertificateReady'
        ? { ...condition, ...unread, status: 'Unknown' }
        : condition,
    ),
    certificates: preview.certificates.map(certificate => ({
      ...certificate,
      ...unread,
      state: 'unknown',
    })),
  };
}

export function createSummary(
  previews: readonly Preview[],
  now: number = fixtureNow,
): EntitySummaryResponse {
  const shown = previews.filter(({ phase }) => phase !== 'Gone');
  return {
    entityRef: 'component:default/shop',
    onboarded: true,
    project: 'group/shop',
    applicationSets: ['edge:argocd/shop-previews'],
    phaseCounts: countPhases(shown),
    latest: [...shown]
      .sort(
        (left, right) =>
          Number(right.phase === 'Live') - Number(left.phase === 'Live') ||
          right.activityAt.localeCompare(left.activityAt),
      )
      .slice(0, 3),
    attention: shown.find(({ phase }) => phase === 'Failed'),
    problems: [],
    findingCounts: {},
    alarms: [],
    sources: createSources(now),
    readAt: new Date(now - 8_000).toISOString(),
  };
}

export function countPhases(
  previews: readonly Preview[],
): Partial<Record<Phase, number>> {
  const counts: Partial<Record<Phase, number>> = {};
  for (const { phase } of previews) {
    counts[phase] = (counts[phase] ?? 0) + 1;
  }
  return counts;
}

/** What happened to a preview, newest first. */
export function createTimeline(preview: Preview): Transition[] {
  const start = Date.parse(preview.createdAt);
  const conditions = preview.conditions.map(
    (condition, index): Transition => ({
      id: `${preview.id}-${index}`,
      previewId: preview.id,
      at: condition.since,
      kind: 'condition',
      type: condition.type,
      to: condition.status,
      reason: condition.reason,
      params: condition.params,
      message: condition.message,
      ...(index > 0 && { lastedSeconds: 45 }),
    }),
  );
  return [
    ...conditions.reverse(),
    {
      id: `${preview.id}-first`,
      previewId: preview.id,
      at: new Date(start).toISOString(),
      kind: 'phase',
      to: 'Waiting',
      message: 'The preview is Waiting.',
    },
  ];
}

/** A set that lost many Applications at once, as it concerns every row. */
export function createAlarm(previews: readonly Preview[]): Finding {
  return {
    id: 'generated-set-shrank-1',
    type: 'GeneratedSetShrank',
    severity: 'critical',
    subject: {
      kind: 'ApplicationSet',
      cluster: 'edge',
      namespace: 'argocd',
      name: 'shop-previews',
    },
    params: { applicationSet: 'argocd/shop-previews', lost: 6, before: 9 },
    message: 'The ApplicationSet lost 6 of 9 Applications.',
    since: new Date(fixtureNow - 2 * 3_600_000).toISOString(),
    previewIds: previews.map(({ id }) => id),
    evidence: [],
  };
}

/** `dev` that follows a branch and `prod` that is pinned, twelve commits behind. */
export function createTiers(now: number = fixtureNow): TierState[] {
  const at = (milliseconds: number) => new Date(milliseconds).toISOString();
  const project = 'https://gitlab.example.com/group/gitops';
  const dev = '9f8e7d61b2c3d4e5f60718293a4b5c6d7e8f9a0b';
  const prod = '5c6d7e8f9a0b1c2d3e4f5061728394a5b6c7d8e9';
  const repository = {
    host: 'gitlab.example.com',
    project: 'group/gitops',
    webUrl: project,
  };
  const pin = {
    repository: 'group/platform/gitops',
    host: 'gitlab.example.com',
    branch: 'main',
  };
  return [
    {
      tier: 'dev',
      application: {
        cluster: 'edge',
        namespace: 'argocd',
        name: 'shop-dev',
        webUrl: 'https://argocd.example.com/applications/argocd/shop-dev',
      },
      targetRevision: 'main',
      revision: dev,
      repository,
      image: 'dev-1a2b3c4d',
      sync: 'Synced',
      health: 'Healthy',
      urls: [
        {
          url: 'https://shop.dev.example.com/',
          host: 'shop.dev.example.com',
          clickable: true,
        },
      ],
      distance: { from: 'main', behind: 0, project: 'group/gitops' },
      release: {
        deployedAt: at(now - 5 * MINUTE),
        automated: true,
        commit: {
          sha: dev,
          title: 'Deploy shop 1a2b3c4d to dev',
          author: 'dev1',
          committedAt: at(now - 7 * MINUTE),
          webUrl: `${project}/-/commit/${dev}`,
          mergeRequest: {
            iid: 31,
            title: 'Faster checkout in dev',
            author: 'dev1',
            mergedBy: 'reviewer1',
            webUrl: `${project}/-/merge_requests/31`,
          },
        },
      },
      drift: [],
      stale: [],
    },
    {
      tier: 'prod',
      application: {
        cluster: 'edge',
        namespace: 'argocd',
        name: 'shop-prod',
        webUrl: 'https://argocd.example.com/applications/argocd/shop-prod',
      },
      targetRevision: 'shop-v1.42.0',
      revision: prod,
      repository,
      sync: 'Synced',
      health: 'Healthy',
      urls: [],
      distance: {
        from: 'dev',
        behind: 12,
        project: 'group/gitops',
        webUrl: `${project}/-/compare/${prod}...${dev}`,
      },
      release: {
        deployedAt: at(now - 3 * DAY),
        initiatedBy: 'reviewer1',
        automated: false,
        commit: {
          sha: prod,
          title: 'Release shop 1.42.0',
          author: 'dev2',
          committedAt: at(now - 3 * DAY),
          webUrl: `${project}/-/commit/${prod}`,
        },
      },
      previousRevision: 'shop-v1.41.0',
      pin: {
        ...pin,
        line: 'targetRevision',
        path: 'argocd/shop/application-prod.yaml',
      },
      drift: [
        {
          group: 'apps',
          kind: 'Deployment',
          namespace: 'shop-prod',
          name: 'api',
          status: 'Synced',
          changes: [
            {
              manager: 'kubectl-edit',
              at: at(now - 20 * MINUTE),
              fields: ['spec.replicas'],
              restoredAt: at(now - 19 * MINUTE),
            },
          ],
        },
      ],
      stale: [],
    },
  ];
}

/** What the checks find on a set-up with an error and a warning. */
export function createChecks(now: number = fixtureNow): EntityChecks {
  const set = {
    kind: 'ApplicationSet',
    namespace: 'argocd',
    name: 'shop-previews',
    cluster: 'edge',
  };
  const object = 'ApplicationSet argocd/shop-previews';
  const results = [
    {
      id: 'StateUnset',
      severity: 'error',
      subject: set,
      evidence: { path: 'spec.generators[0].pullRequest.gitlab' },
      params: { object },
    },
    {
      id: 'ProjectByPath',
      severity: 'warning',
      subject: set,
      evidence: {
        path: 'spec.generators[0].pullRequest.gitlab.project',
        value: 'group/shop',
      },
      params: { object, project: 'group/shop' },
    },
  ] as const;
  return {
    results: results.map(result => {
      const texts = renderCheck(result, { catalogue: englishChecks });
      return {
        ...result,
        message: texts?.problem ?? '',
        fix: texts?.fix ?? '',
      };
    }),
    counts: { error: 1, warning: 1 },
    checkedAt: new Date(now - 4 * MINUTE).toISOString(),
    incomplete: [],
  };
}
