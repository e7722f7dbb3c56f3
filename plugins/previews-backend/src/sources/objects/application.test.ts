/* eslint-disable no-script-url -- hostile on purpose */
import { ApplicationFact } from '../../model';
import { parseApplication } from './application';

const FIRST = 'a'.repeat(40);
const SECOND = 'b'.repeat(40);

function parse(parts: {
  metadata?: object;
  spec?: object;
  status?: object;
  operation?: unknown;
}): ApplicationFact {
  return parseApplication(
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      ...parts,
      metadata: {
        name: 'shop-7',
        namespace: 'argocd',
        uid: 'u',
        ...parts.metadata,
      },
    },
    { cluster: 'management' },
  )!;
}

describe('parseApplication', () => {
  it('reads one that was just made', () => {
    expect(parse({ spec: { project: 'default' } })).toEqual({
      meta: {
        cluster: 'management',
        namespace: 'argocd',
        name: 'shop-7',
        uid: 'u',
        labels: {},
        annotations: {},
        finalizers: [],
      },
      project: 'default',
      destination: {},
      sources: [],
      multiSource: false,
      info: [],
      sync: { status: 'Unknown', revisions: [] },
      health: { status: 'Unknown' },
      operationRequested: false,
      conditions: [],
      resources: [],
      images: [],
      externalUrls: [],
    });
  });

  it('reads who owns it, what holds it and when it began to go', () => {
    const { meta } = parse({
      metadata: {
        labels: { 'previews/merge-request': '7', broken: 7 },
        annotations: {
          'previews/project-id': '42',
          'argocd.argoproj.io/tracking-id':
            'shop-7:argoproj.io/Application:argocd/shop-7',
          'example.com/link':
            'https://gitlab.example.com/group/shop/-/merge_requests/7',
          'kubectl.kubernetes.io/last-applied-configuration': '{}',
        },
        creationTimestamp: '2026-03-01T10:00:00Z',
        deletionTimestamp: '2026-03-02T10:00:00Z',
        finalizers: ['resources-finalizer.argocd.argoproj.io/background'],
        generation: 3,
        ownerReferences: [
          { kind: 'Other', name: 'x', uid: 'x' },
          {
            kind: 'ApplicationSet',
            name: 'shop',
            uid: 'set',
            controller: true,
          },
        ],
      },
    });
    expect(meta).toMatchObject({
      labels: { 'previews/merge-request': '7' },
      createdAt: '2026-03-01T10:00:00Z',
      deletionRequestedAt: '2026-03-02T10:00:00Z',
      finalizers: ['resources-finalizer.argocd.argoproj.io/background'],
      generation: 3,
      owner: { kind: 'ApplicationSet', name: 'shop', uid: 'set' },
    });
    expect(Object.keys(meta.annotations)).toEqual([
      'previews/project-id',
      'argocd.argoproj.io/tracking-id',
      'example.com/link',
    ]);
  });

  it.each<[string, object, Partial<ApplicationFact>]>([
    [
      'one source',
      {
        source: {
          repoURL: 'https://g.example.com/a/b.git',
          path: 'deploy',
          targetRevision: FIRST,
          helm: { parameters: [] },
        },
      },
      {
        multiSource: false,
        sources: [
          {
            repoUrl: 'https://g.example.com/a/b.git',
            path: 'deploy',
            targetRevision: FIRST,
            raw: {
              repoURL: 'https://g.example.com/a/b.git',
              path: 'deploy',
              targetRevision: FIRST,
              helm: { parameters: [] },
            },
          },
        ],
      },
    ],
    [
      'several sources, which win over one',
      {
        source: { repoURL: 'old' },
        sources: [
          { repoURL: 'a', chart: 'c' },
          { repoURL: 'b', ref: 'values' },
        ],
      },
      {
        multiSource: true,
        sources: [
          { repoUrl: 'a', chart: 'c', raw: { repoURL: 'a', chart: 'c' } },
          { repoUrl: 'b', raw: { repoURL: 'b', ref: 'values' } },
        ],
      },
    ],
    [
      'an empty list of sources, which does not',
      { source: { repoURL: 'one' }, sources: [] },
      {
        multiSource: false,
        sources: [{ repoUrl: 'one', raw: { repoURL: 'one' } }],
      },
    ],
    [
      'a destination by name',
      { destination: { name: 'in-cluster', namespace: 'preview-7' } },
      { destination: { name: 'in-cluster', namespace: 'preview-7' } },
    ],
    [
      'a destination by server, as written',
      {
        destination: {
          server: 'https://Kubernetes.default.svc/',
          namespace: 'preview-7',
        },
      },
      {
        destination: {
          server: 'https://Kubernetes.default.svc/',
          namespace: 'preview-7',
        },
      },
    ],
    [
      'what it says of itself',
      {
        info: [
          { name: 'url', value: 'javascript:alert(1)' },
          { name: 'x' },
          null,
        ],
      },
      { info: [{ name: 'url', value: 'javascript:alert(1)' }] },
    ],
  ])('reads %s', (_, spec, expected) => {
    expect(parse({ spec })).toMatchObject(expected);
  });

  it.each([
    ['one revision', { revision: FIRST }, [FIRST]],
    ['several, in order', { revisions: [FIRST, SECOND] }, [FIRST, SECOND]],
    [
      'several, which win',
      { revision: FIRST, revisions: [SECOND, FIRST] },
      [SECOND, FIRST],
    ],
    [
      'one that is not resolved among others',
      { revisions: ['', SECOND] },
      ['', SECOND],
    ],
    ['none resolved', { revisions: ['', ''] }, []],
    ['an empty one', { revision: '' }, []],
    ['nothing', {}, []],
  ])('reads the synced revisions: %s', (_, sync, revisions) => {
    expect(parse({ status: { sync } }).sync.revisions).toEqual(revisions);
  });

  it.each([
    ['Synced', 'Synced'],
    ['OutOfSync', 'OutOfSync'],
    ['Unknown', 'Unknown'],
    ['synced', 'Unknown'],
    ['Better', 'Unknown'],
    [7, 'Unknown'],
  ])('takes the sync status %p for %s', (status, expected) => {
    expect(parse({ status: { sync: { status } } }).sync.status).toBe(expected);
  });

  it.each([
    ['Healthy', 'Healthy'],
    ['Progressing', 'Progressing'],
    ['Degraded', 'Degraded'],
    ['Suspended', 'Suspended'],
    ['Missing', 'Missing'],
    ['Unknown', 'Unknown'],
    ['Excellent', 'Unknown'],
    [undefined, 'Unknown'],
  ])('takes the health %p for %s', (status, expected) => {
    expect(parse({ status: { health: { status } } }).health.status).toBe(
      expected,
    );
  });

  it.each([
    ['was asked for and has not begun', { sync: {} }, undefined, true],
    ['was asked for again', { sync: {} }, { phase: 'Succeeded' }, true],
    ['runs', { sync: {} }, { phase: 'Running' }, false],
    ['is being stopped', { sync: {} }, { phase: 'Terminating' }, false],
    ['was not asked for', undefined, { phase: 'Failed' }, false],
    ['was asked for in a way that is none', 'sync', undefined, false],
  ])('knows whether a sync %s', (_, operation, operationState, expected) => {
    expect(
      parse({ operation, status: { operationState } }).operationRequested,
    ).toBe(expected);
  });

  it('keeps of an operation what failed, and hooks', () => {
    const { operation } = parse({
      status: {
        operationState: {
          phase: 'Failed',
          message: 'one or more objects failed to apply',
          startedAt: '2026-03-01T10:00:00Z',
          finishedAt: '2026-03-01T10:01:00Z',
          syncResult: {
            revision: FIRST,
            resources: [
              {
                kind: 'Service',
                name: 'web',
                status: 'Synced',
                hookPhase: 'Running',
              },
              {
                kind: 'Deployment',
                namespace: 'preview-7',
                name: 'web',
                status: 'SyncFailed',
                message: 'no',
                hookPhase: 'Failed',
              },
              {
                kind: 'Job',
                name: 'migrate',
                hookType: 'PreSync',
                hookPhase: 'Succeeded',
              },
            ],
          },
        },
      },
    });
    expect(operation).toEqual({
      phase: 'Failed',
      message: 'one or more objects failed to apply',
      startedAt: '2026-03-01T10:00:00Z',
      finishedAt: '2026-03-01T10:01:00Z',
      revisions: [FIRST],
      resources: [
        {
          kind: 'Deployment',
          namespace: 'preview-7',
          name: 'web',
          status: 'SyncFailed',
          message: 'no',
          hookPhase: 'Failed',
        },
        {
          kind: 'Job',
          name: 'migrate',
          hookType: 'PreSync',
          hookPhase: 'Succeeded',
        },
      ],
    });
  });

  it.each(['Running', 'Terminating', 'Failed', 'Error', 'Succeeded'])(
    'knows the phase %s',
    phase => {
      expect(
        parse({ status: { operationState: { phase } } }).operation?.phase,
      ).toBe(phase);
    },
  );

  it('knows no other phase', () => {
    expect(
      parse({ status: { operationState: { phase: 'Sleeping' } } }).operation
        ?.phase,
    ).toBe('Unknown');
  });

  it.each<[string, object[], ApplicationFact['deployed']]>([
    ['nothing', [], undefined],
    [
      'one',
      [{ id: 0, revision: FIRST, deployedAt: '2026-03-01T10:00:00Z' }],
      { revisions: [FIRST], at: '2026-03-01T10:00:00Z' },
    ],
    [
      'the first of the newest run',
      [
        { id: 1, revision: SECOND, deployedAt: '2026-03-01T10:00:00Z' },
        { id: 2, revision: FIRST, deployedAt: '2026-03-01T11:00:00Z' },
        { id: 3, revision: FIRST, deployedAt: '2026-03-01T12:00:00Z' },
      ],
      { revisions: [FIRST], at: '2026-03-01T11:00:00Z' },
    ],
    [
      'one that came back',
      [
        { id: 1, revision: FIRST, deployedAt: '2026-03-01T10:00:00Z' },
        { id: 2, revision: SECOND, deployedAt: '2026-03-01T11:00:00Z' },
        { id: 3, revision: FIRST, deployedAt: '2026-03-01T12:00:00Z' },
      ],
      { revisions: [FIRST], at: '2026-03-01T12:00:00Z' },
    ],
    [
      'entries in no order',
      [
        { id: 9, revision: SECOND, deployedAt: '2026-03-01T12:00:00Z' },
        { id: 2, revision: FIRST, deployedAt: '2026-03-01T10:00:00Z' },
      ],
      { revisions: [SECOND], at: '2026-03-01T12:00:00Z' },
    ],
    [
      'several sources',
      [
        {
          id: 1,
          revisions: [FIRST, SECOND],
          deployedAt: '2026-03-01T12:00:00Z',
        },
      ],
      { revisions: [FIRST, SECOND], at: '2026-03-01T12:00:00Z' },
    ],
    ['no revision', [{ id: 1, deployedAt: '2026-03-01T12:00:00Z' }], undefined],
    [
      'no time',
      [{ id: 1, revision: FIRST, deployedAt: 'yesterday' }],
      { revisions: [FIRST] },
    ],
  ])(
    'tells since when the deployed revision is there: %s',
    (_, history, expected) => {
      expect(parse({ status: { history } }).deployed).toEqual(expected);
    },
  );

  it('reads resources, whose health may be absent', () => {
    expect(
      parse({
        status: {
          resources: [
            {
              group: 'apps',
              kind: 'Deployment',
              namespace: 'a',
              name: 'web',
              status: 'OutOfSync',
              health: { status: 'Missing' },
            },
            {
              kind: 'Service',
              name: 'web',
              status: 'Synced',
              requiresPruning: true,
              hook: true,
            },
          ],
        },
      }).resources,
    ).toEqual([
      {
        group: 'apps',
        kind: 'Deployment',
        namespace: 'a',
        name: 'web',
        status: 'OutOfSync',
        health: 'Missing',
        requiresPruning: false,
        hook: false,
      },
      {
        group: '',
        kind: 'Service',
        name: 'web',
        status: 'Synced',
        requiresPruning: true,
        hook: true,
      },
    ]);
  });

  it('keeps of very many resources those that are not in order', () => {
    const resources = Array.from({ length: 3000 }, (_, index) => ({
      kind: 'ConfigMap',
      name: `c-${index}`,
      status: index === 2999 ? 'OutOfSync' : 'Synced',
    }));
    const kept = parse({ status: { resources } }).resources;
    expect(kept).toHaveLength(500);
    expect(kept[0]).toMatchObject({ name: 'c-2999', status: 'OutOfSync' });
  });

  it('keeps of very many resources those that tell where a preview is', () => {
    const many = Array.from({ length: 3000 }, (_, index) => ({
      kind: 'ConfigMap',
      name: `c-${index}`,
      status: 'OutOfSync',
    }));
    const locating = [
      { kind: 'Namespace', name: 'edge', status: 'Synced' },
      {
        group: 'gateway.networking.k8s.io',
        kind: 'HTTPRoute',
        namespace: 'edge',
        name: 'shop',
        status: 'Synced',
      },
    ];
    const kept = parse({
      status: { resources: [...many, ...locating] },
    }).resources;
    expect(kept).toHaveLength(500);
    expect(kept.slice(0, 2)).toMatchObject(locating);
  });

  it('takes every condition that is there for active', () => {
    expect(
      parse({
        status: {
          conditions: [
            {
              type: 'ComparisonError',
              message: 'x'.repeat(5000),
              lastTransitionTime: '2026-03-01T10:00:00Z',
            },
            { message: 'no type' },
            { type: 'SyncError' },
          ],
        },
      }).conditions,
    ).toEqual([
      {
        type: 'ComparisonError',
        message: 'x'.repeat(2000),
        lastTransitionAt: '2026-03-01T10:00:00Z',
      },
      { type: 'SyncError', message: '' },
    ]);
  });

  it('carries URLs and images as they are, and leaves out what is too long to be whole', () => {
    const { images, externalUrls } = parse({
      status: {
        summary: {
          images: ['registry.example.com/a/b:1', 7, `r/${'x'.repeat(3000)}`],
          externalURLs: ['https://A.example.com/?q=<b>', 'javascript:alert(1)'],
        },
      },
    });
    expect(images).toEqual(['registry.example.com/a/b:1']);
    expect(externalUrls).toEqual([
      'https://A.example.com/?q=<b>',
      'javascript:alert(1)',
    ]);
  });

  it('bounds what it keeps of a source', () => {
    const [source] = parse({
      spec: {
        source: { repoURL: 'a', helm: { values: 'v'.repeat(2_000_000) } },
      },
    }).sources;
    expect(source.repoUrl).toBe('a');
    expect(JSON.stringify(source.raw).length).toBeLessThan(110_000);
  });
});
