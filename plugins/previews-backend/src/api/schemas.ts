import {
  certificateBudgetStates,
  checkIds,
  checkSeverities,
  findingSeverities,
  findingSubjectKinds,
  findingTypes,
  phases,
} from '@previews/backstage-plugin-previews-common';

/*
 * Schemas of the wire types of previews-common, for the OpenAPI document. The API's
 * tests hold real answers to them; what is optional in the types is optional here.
 */

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const flag = { type: 'boolean' } as const;
const texts = { type: 'array', items: text } as const;
const time = {
  type: 'string',
  format: 'date-time',
  description: 'ISO 8601, UTC',
} as const;
const facts = {
  type: 'object',
  description: 'Facts that the sentence of the reason is rendered from',
  additionalProperties: {
    anyOf: [text, { type: 'number' }, flag, texts],
  },
} as const;

export function referenceTo(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

function listOf(name: string) {
  return { type: 'array', items: referenceTo(name) };
}

/** An object whose properties are all required but for the optional ones. */
function object(
  properties: Record<string, unknown>,
  optional: Record<string, unknown> = {},
) {
  return {
    type: 'object',
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
  };
}

const seconds = { type: 'number', minimum: 0 } as const;
const count = { type: 'integer', minimum: 0 } as const;

const statistics = {
  spinUp: referenceTo('DurationStatistics'),
  teardown: referenceTo('DurationStatistics'),
  created: referenceTo('VolumeStatistics'),
};
const optionalStatistics = {
  reviewLeadTime: referenceTo('DurationStatistics'),
};

const budget = {
  state: { type: 'string', enum: [...certificateBudgetStates] },
  limit: count,
  used: count,
  left: count,
  refillSeconds: count,
} as const;
const optionalBudget = {
  nextRefillAt: time,
  fullAt: time,
  refusedUntil: time,
};

const phaseCounts = {
  type: 'object',
  description: 'Number of previews by phase; phases without any are left out',
  additionalProperties: { type: 'integer', minimum: 0 },
};

export const schemas = {
  Phase: { type: 'string', enum: [...phases] },
  Pipeline: object(
    { id: integer, status: text, sha: text },
    { webUrl: text, createdAt: time, startedAt: time, finishedAt: time },
  ),
  MergeRequest: object(
    {
      host: text,
      project: text,
      projectId: integer,
      iid: integer,
      title: text,
      author: object({ username: text }, { name: text }),
      sourceBranch: text,
      targetBranch: text,
      fork: flag,
      draft: flag,
      labels: texts,
      state: {
        type: 'string',
        enum: ['opened', 'locked', 'merged', 'closed', 'deleted'],
      },
      createdAt: time,
      updatedAt: time,
    },
    {
      webUrl: text,
      headSha: text,
      mergedAt: time,
      closedAt: time,
      approvedAt: time,
      pipeline: referenceTo('Pipeline'),
    },
  ),
  Condition: object(
    {
      type: text,
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      reason: text,
      params: facts,
      message: text,
      since: time,
      observedAt: time,
    },
    {
      lastKnown: object({
        status: { type: 'string', enum: ['True', 'False'] },
        reason: text,
        params: facts,
      }),
    },
  ),
  Texts: object({ en: text }, { ca: text, fr: text, es: text }),
  FurtherCondition: object(
    {
      type: text,
      title: referenceTo('Texts'),
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      reason: text,
      effect: text,
      blocksLive: flag,
      params: facts,
      message: text,
      since: time,
      observedAt: time,
    },
    {
      sentences: referenceTo('Texts'),
      lastKnown: object({
        status: { type: 'string', enum: ['True', 'False'] },
        reason: text,
        effect: text,
        params: facts,
        sentences: referenceTo('Texts'),
      }),
    },
  ),
  Commit: object(
    { by: { type: 'string', enum: ['tag', 'revision', 'none'] } },
    {
      head: text,
      expected: text,
      wantedByArgo: text,
      running: text,
      pushed: text,
    },
  ),
  Application: object(
    {
      cluster: text,
      namespace: text,
      name: text,
      destination: object(
        {},
        { cluster: text, server: text, name: text, namespace: text },
      ),
      sync: text,
      health: text,
    },
    {
      applicationSet: text,
      project: text,
      revision: text,
      operation: object(
        { phase: text },
        { startedAt: time, finishedAt: time, message: text },
      ),
      webUrl: text,
      createdAt: time,
      deletionRequestedAt: time,
    },
  ),
  Namespace: object(
    { cluster: text, name: text, phase: text, own: flag },
    { terminatingSince: time },
  ),
  Certificate: object(
    {
      cluster: text,
      namespace: text,
      name: text,
      hosts: texts,
      wildcard: flag,
      state: {
        type: 'string',
        enum: ['waiting', 'ready', 'failed', 'expired', 'unknown'],
      },
      reason: text,
      params: facts,
      message: text,
    },
    {
      shared: flag,
      issuer: text,
      notAfter: time,
      renewalTime: time,
      retryAt: time,
      chain: listOf('CertificateStep'),
    },
  ),
  CertificateStep: object(
    {
      kind: {
        type: 'string',
        enum: ['Certificate', 'CertificateRequest', 'Order', 'Challenge'],
      },
      name: text,
      status: { type: 'string', enum: ['done', 'waiting', 'failed'] },
    },
    { state: text, reason: text, host: text, type: text, since: time },
  ),
  Route: object(
    {
      cluster: text,
      namespace: text,
      kind: { type: 'string', enum: ['HTTPRoute', 'Ingress'] },
      name: text,
      hosts: texts,
      parents: texts,
      accepted: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    },
    { reason: text, params: facts, message: text },
  ),
  ShownCertificate: object(
    {
      names: texts,
      chain: texts,
      notBefore: time,
      notAfter: time,
      namesHost: flag,
      trusted: flag,
    },
    { issuer: text, error: text },
  ),
  Probe: object(
    {
      host: text,
      observedAt: time,
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      reason: text,
      params: facts,
      message: text,
    },
    { milliseconds: count, certificate: referenceTo('ShownCertificate') },
  ),
  Workload: object(
    {
      cluster: text,
      namespace: text,
      kind: { type: 'string', enum: ['Deployment', 'StatefulSet'] },
      name: text,
      ready: integer,
      desired: integer,
      images: texts,
    },
    { reason: text },
  ),
  PreviewUrl: object({ url: text, host: text, clickable: flag }),
  Preview: object(
    {
      id: { type: 'string', pattern: '^[a-z0-9-]+$' },
      entityRefs: texts,
      mergeRequest: referenceTo('MergeRequest'),
      phase: referenceTo('Phase'),
      phaseSince: time,
      stale: texts,
      conditions: listOf('Condition'),
      urls: listOf('PreviewUrl'),
      commit: referenceTo('Commit'),
      applications: listOf('Application'),
      namespaces: listOf('Namespace'),
      certificates: listOf('Certificate'),
      routes: listOf('Route'),
      workloads: listOf('Workload'),
      createdAt: time,
      activityAt: time,
    },
    {
      furtherConditions: listOf('FurtherCondition'),
      probes: listOf('Probe'),
      reason: object(
        { type: text, reason: text, params: facts },
        { sentences: referenceTo('Texts') },
      ),
      message: text,
      liveAt: time,
      goneAt: time,
      ttl: object({
        idleSince: time,
        duration: { type: 'string', description: 'ISO 8601 duration' },
        from: { type: 'string', enum: ['annotation', 'configuration'] },
        expiresAt: time,
        near: flag,
      }),
      usual: { type: 'object', additionalProperties: { type: 'number' } },
    },
  ),
  Transition: object(
    {
      id: text,
      previewId: text,
      at: time,
      kind: {
        type: 'string',
        enum: ['condition', 'phase', 'head', 'application', 'approval'],
      },
      to: text,
      message: text,
    },
    {
      type: text,
      from: text,
      reason: text,
      params: facts,
      sentences: referenceTo('Texts'),
      lastedSeconds: { type: 'number' },
    },
  ),
  SourceError: object(
    { reason: text, message: text, since: time },
    { subject: text, retryAt: time },
  ),
  SourceState: object(
    {
      id: text,
      kind: {
        type: 'string',
        enum: ['gitlab', 'cluster', 'argocd', 'dns', 'extension'],
      },
      name: text,
      status: {
        type: 'string',
        enum: ['fresh', 'stale', 'failing', 'pending'],
      },
      errors: listOf('SourceError'),
      notes: listOf('SourceNote'),
    },
    { lastCompleteAt: time, notInstalled: texts },
  ),
  Health: object(
    {
      status: { type: 'string', enum: ['ok', 'degraded', 'down'] },
      sources: {
        type: 'array',
        items: object({ id: text, status: text }),
      },
    },
    { reconciledAt: time },
  ),
  SourceNote: object({ reason: text, params: facts, message: text }),
  AnnotationProblem: object({
    annotation: text,
    reason: text,
    params: facts,
    message: text,
  }),
  Finding: object(
    {
      id: { type: 'string', pattern: '^[a-z0-9-]+$' },
      type: { type: 'string', enum: [...findingTypes] },
      severity: { type: 'string', enum: [...findingSeverities] },
      subject: object(
        {
          kind: {
            type: 'string',
            enum: [...findingSubjectKinds],
          },
          name: text,
        },
        { namespace: text, cluster: text, host: text },
      ),
      params: facts,
      message: text,
      since: time,
      previewIds: texts,
      evidence: listOf('FindingEvidence'),
    },
    {
      cause: object({ type: text, reason: text, params: facts, message: text }),
      resolvedAt: time,
    },
  ),
  FindingEvidence: object(
    {
      kind: {
        type: 'string',
        enum: [
          'MergeRequest',
          'Application',
          'ApplicationSet',
          'Namespace',
          'HTTPRoute',
          'Ingress',
          'Certificate',
          'DnsRecord',
        ],
      },
      name: text,
    },
    {
      namespace: text,
      cluster: text,
      host: text,
      since: time,
      contents: count,
      previewId: text,
    },
  ),
  FindingList: object(
    { items: listOf('Finding'), totalItems: count },
    { nextCursor: text },
  ),
  FindingAnswer: object({ finding: referenceTo('Finding') }),
  Signal: object({ channel: text }),
  PreviewList: object(
    {
      items: listOf('Preview'),
      totalItems: { type: 'integer', minimum: 0 },
      phaseCounts,
      authors: texts,
      sources: listOf('SourceState'),
    },
    { nextCursor: text, readAt: time, signal: referenceTo('Signal') },
  ),
  PreviewAnswer: object(
    {
      preview: referenceTo('Preview'),
      findings: listOf('Finding'),
      sources: listOf('SourceState'),
    },
    { readAt: time, signal: referenceTo('Signal') },
  ),
  Timeline: object({ items: listOf('Transition') }, { nextCursor: text }),
  Accepted: object({ accepted: { type: 'boolean', enum: [true] } }),
  EntitySummary: object(
    {
      entityRef: text,
      onboarded: flag,
      applicationSets: texts,
      phaseCounts,
      latest: listOf('Preview'),
      problems: listOf('AnnotationProblem'),
      findingCounts: {
        type: 'object',
        description:
          'Number of findings by severity; severities without any are left out',
        additionalProperties: count,
      },
      alarms: listOf('Finding'),
      sources: listOf('SourceState'),
    },
    {
      project: text,
      attention: referenceTo('Preview'),
      tiers: listOf('TierState'),
      checks: referenceTo('EntityChecks'),
      readAt: time,
      signal: referenceTo('Signal'),
    },
  ),
  TierState: object(
    {
      tier: text,
      application: object(
        { cluster: text, namespace: text, name: text },
        { webUrl: text },
      ),
      sync: { type: 'string', enum: ['Synced', 'OutOfSync', 'Unknown'] },
      health: {
        type: 'string',
        enum: [
          'Healthy',
          'Progressing',
          'Degraded',
          'Suspended',
          'Missing',
          'Unknown',
        ],
      },
      urls: listOf('PreviewUrl'),
      drift: listOf('DriftedResource'),
      stale: texts,
    },
    {
      targetRevision: text,
      revision: text,
      repository: object({ host: text, project: text }, { webUrl: text }),
      image: text,
      distance: object(
        { from: text, behind: count },
        { atLeast: flag, project: text, webUrl: text },
      ),
      release: object(
        { automated: flag },
        {
          deployedAt: time,
          initiatedBy: text,
          commit: object(
            { sha: text, title: text, author: text, committedAt: time },
            {
              webUrl: text,
              mergeRequest: object(
                { iid: count, title: text, author: text, webUrl: text },
                { mergedBy: text },
              ),
            },
          ),
        },
      ),
      previousRevision: text,
      pin: object(
        {
          line: { type: 'string', enum: ['targetRevision', 'newTag'] },
          repository: text,
          host: text,
        },
        { path: text, branch: text },
      ),
    },
  ),
  DriftedResource: object(
    {
      group: text,
      kind: text,
      name: text,
      status: { type: 'string', enum: ['OutOfSync', 'Synced', 'Unknown'] },
    },
    {
      namespace: text,
      changes: {
        type: 'array',
        items: object(
          { manager: text, at: time, fields: texts },
          { restoredAt: time },
        ),
      },
    },
  ),
  EntityChecks: object({
    results: listOf('CheckResult'),
    counts: {
      type: 'object',
      description:
        'Number of all results by severity; severities without any are left out',
      additionalProperties: count,
    },
    checkedAt: time,
    incomplete: texts,
  }),
  CheckResult: object({
    id: { type: 'string', enum: [...checkIds] },
    severity: { type: 'string', enum: [...checkSeverities] },
    subject: object(
      { kind: text, name: text },
      { namespace: text, path: text, cluster: text },
    ),
    evidence: object({ path: text }, { value: text }),
    params: facts,
    message: text,
    fix: text,
  }),
  DurationStatistics: object(
    {
      count,
      imprecise: count,
      stages: {
        type: 'array',
        items: object({
          stage: text,
          p50Seconds: seconds,
          p95Seconds: seconds,
          share: { type: 'number', minimum: 0, maximum: 1 },
        }),
      },
    },
    { p50Seconds: seconds, p95Seconds: seconds },
  ),
  VolumeStatistics: object({
    total: count,
    weeks: {
      type: 'array',
      items: object({ weekStart: { type: 'string', format: 'date' }, count }),
    },
  }),
  PreviewStatistics: object(statistics, optionalStatistics),
  ServiceStatistics: object(
    { host: text, projectId: integer, project: text, ...statistics },
    optionalStatistics,
  ),
  Stats: object({
    from: time,
    to: time,
    overall: referenceTo('PreviewStatistics'),
    services: listOf('ServiceStatistics'),
    totalServices: count,
    certificateBudget: referenceTo('CertificateBudgets'),
  }),
  CertificateBudgets: object(
    {
      domains: listOf('DomainBudget'),
      atLeast: flag,
    },
    { observedSince: time },
  ),
  DomainBudget: object(
    {
      ...budget,
      domain: text,
      issuedLastWeek: count,
      weeklyPace: count,
      nameSets: listOf('NameSetBudget'),
    },
    {
      ...optionalBudget,
      server: text,
      runsOutAt: time,
      advisedWildcard: text,
    },
  ),
  NameSetBudget: object({ ...budget, names: texts }, optionalBudget),
  SourceList: object({ items: listOf('SourceState') }),
  Error: object(
    {
      // With further fields, as Backstage writes an error and its cause.
      error: {
        ...object({ name: text, message: text }),
        additionalProperties: true,
      },
      response: object({ statusCode: integer }),
    },
    { request: object({}, { method: text, url: text }) },
  ),
} as const;
