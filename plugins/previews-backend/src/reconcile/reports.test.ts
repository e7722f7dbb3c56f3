import { Story } from '../testing/Story';
import {
  at,
  DEPLOYED,
  HEAD,
  HOST,
  Json,
  MERGE_REQUEST,
  NULL,
  OLD,
  ownedBy,
  pipeline,
  podStatus,
  podTemplate,
  pullRequestGenerator,
  REGISTRY,
  rollingOut,
  setError,
  WorldBuilder,
} from '../testing/world';

const { open, live } = WorldBuilder;
const HOUR = 3600;
const DAY = 86_400;

const other = (iid: number) => ({ ...MERGE_REQUEST, iid });
const inCart = { ...MERGE_REQUEST, projectId: 43 };

/** The preview's pods wait for an image. */
const waitingForImage = (message: string) => (world: WorldBuilder) =>
  world
    .deployment(rollingOut)
    .replicaSet({ status: { readyReplicas: 0 } })
    .pod(
      podStatus({
        state: { waiting: { reason: 'ImagePullBackOff', message } },
      }),
    );

describe('an outage of GitLab', () => {
  const two = () =>
    live()
      .mergeRequest({ iid: 8, sha: OLD })
      .application({ metadata: { name: 'preview-mr-8' } });
  const away = () =>
    two().projectReading({
      state: 'failing',
      status: 502,
      completeAt: at(-HOUR),
      error: {
        reason: 'ServerError',
        message: 'GitLab answers 502',
        since: at(-HOUR),
      },
    });

  it('takes no preview away: each keeps its MR and tells the time of the last good reading', () => {
    const story = new Story().pass(two(), at(-HOUR));
    const before = [7, 8].map(iid => story.preview(other(iid)).mergeRequest);
    story.pass(away()).pass(away(), at(12 * HOUR));
    for (const [index, iid] of [7, 8].entries()) {
      const preview = story.preview(other(iid));
      expect(preview.mergeRequest).toEqual(before[index]);
      expect(preview.stale).toEqual([`gitlab:${HOST}`]);
      expect(preview.phase).not.toMatch(
        /Orphaned|Gone|TearingDown|NotSelected/,
      );
      expect(story.condition('MergeRequestOpen', other(iid))).toMatchObject({
        status: 'Unknown',
        params: { since: at(-HOUR) },
        lastKnown: { status: 'True' },
      });
    }
  });

  it('is no end either where the whole host is forgotten after a restart', () => {
    const story = new Story()
      .pass(two(), at(-HOUR))
      .pass(two().forgetProjects(), at(5 * HOUR));
    expect(story.preview().phase).toBe('Live');
  });
});

describe('a project that answers 404', () => {
  it('is not readable, which says nothing of its merge requests', () => {
    const lost = () =>
      live().projectReading({
        state: 'failing',
        status: 404,
        completeAt: at(0),
      });
    const story = new Story()
      .pass(live(), at(-HOUR))
      .pass(lost())
      .pass(lost(), at(3 * DAY));
    expect(story.preview()).toMatchObject({
      phase: 'Live',
      mergeRequest: { state: 'opened' },
    });
    expect(story.condition('MergeRequestOpen')).toMatchObject({
      reason: 'ProjectNotReadable',
      params: { project: 'group/shop', status: 404 },
    });
    expect(story.memory().unwantedSince).toBeUndefined();
  });
});

describe('a draft', () => {
  it.each([
    ['by its flag', { draft: true }, true],
    [
      'by the flag of an older GitLab',
      { draft: null, work_in_progress: true },
      true,
    ],
    ['not by its title', { title: 'Draft: x', draft: false }, false],
    ['by its flag, whatever its title', { title: 'x', draft: true }, true],
  ])('is told %s', (_, patch, draft) => {
    const story = new Story().pass(live().mergeRequest(patch));
    expect(story.preview().mergeRequest.draft).toBe(draft);
    expect(story.preview().phase).toBe('Live');
  });
});

describe('a tag of 7 characters where 8 are asked for', () => {
  const world = () =>
    waitingForImage('manifest unknown')(live()).mergeRequest(
      {},
      {
        pipelines: [pipeline()],
        tag: {
          state: 'missing',
          tag: HEAD.slice(0, 8),
          near: [HEAD.slice(0, 7)],
          readAt: at(0),
        },
      },
    );

  it('is told as the cause, naming both', () => {
    const story = new Story().pass(world());
    expect(story.preview()).toMatchObject({
      phase: 'Failed',
      reason: {
        reason: 'TagLengthDiffers',
        params: { tag: HEAD.slice(0, 8), near: [HEAD.slice(0, 7)] },
      },
    });
  });

  it('is the same commit: Argo CD wants the head', () => {
    const story = new Story().pass(world());
    expect(story.verdict('Synced')).toBe('True Synced');
    expect(story.preview().commit).toMatchObject({
      head: HEAD,
      wantedByArgo: HEAD.slice(0, 8),
    });
  });

  it('is the head where such a pod serves, but not with 6', () => {
    const running = (length: number) =>
      live().pod({
        spec: {
          containers: [
            { name: 'shop', image: `${REGISTRY}:${HEAD.slice(0, length)}` },
          ],
        },
      });
    expect(new Story().pass(running(7)).preview().phase).toBe('Live');
    const six = new Story().pass(
      running(6).application({ status: { health: { status: 'Progressing' } } }),
    );
    expect(six.preview().phase).not.toBe('Live');
  });
});

describe('a pipeline of an older commit', () => {
  it('is not the head’s: there is none yet', () => {
    const story = new Story().pass(
      open().mergeRequest(
        {},
        { pipelines: [pipeline({ sha: OLD, status: 'success' })] },
      ),
    );
    expect(story.preview()).toMatchObject({
      phase: 'Waiting',
      reason: { reason: 'NoPipeline', params: { sha: HEAD } },
    });
    expect(story.preview().mergeRequest.pipeline).toBeUndefined();
  });

  it('does not make the commit that it built the expected one', () => {
    const story = new Story().pass(
      live()
        .mergeRequest({}, { pipelines: [pipeline({ sha: OLD })] })
        .application({
          spec: {
            source: {
              helm: {
                parameters: [{ name: 'image.tag', value: OLD.slice(0, 8) }],
              },
            },
          },
        })
        .deployment({ spec: { template: podTemplate(OLD) } })
        .replicaSet({ spec: { template: podTemplate(OLD) } })
        .pod({ spec: podTemplate(OLD).spec }),
    );
    expect(story.preview()).toMatchObject({
      phase: 'Updating',
      commit: {
        head: HEAD,
        expected: HEAD.slice(0, 8),
        running: OLD.slice(0, 8),
      },
    });
  });
});

describe('an MR from a fork', () => {
  const fork = () =>
    live()
      .mergeRequest({ source_project_id: 99 })
      .application({
        status: {
          sync: { status: 'Unknown', revision: null },
          conditions: [
            {
              type: 'ComparisonError',
              message: `unable to resolve ${HEAD} to a commit SHA`,
            },
          ],
        },
      })
      .without(['deployments', 'replicaSets', 'pods']);

  it('is a row of the target project, marked as a fork', () => {
    expect(new Story().pass(fork()).preview().mergeRequest).toMatchObject({
      project: 'group/shop',
      projectId: 42,
      fork: true,
    });
  });

  it('fails since its commit is not in the repository that Argo CD reads', () => {
    expect(new Story().pass(fork()).preview()).toMatchObject({
      phase: 'Failed',
      reason: {
        reason: 'CommitNotInProject',
        params: { sha: HEAD, project: 'group/shop' },
      },
    });
  });

  it('is a fork also after the fork was deleted', () => {
    const story = new Story().pass(
      fork().mergeRequest({ source_project_id: NULL }),
    );
    expect(story.preview().mergeRequest.fork).toBe(true);
    expect(story.verdict('Synced')).toBe('False CommitNotInProject');
  });
});

describe('an open MR whose source branch is gone', () => {
  const story = () => new Story().pass(live().mergeRequest({ sha: null }));

  it('stays a row, without a head and with the reason', () => {
    const preview = story().preview();
    expect(preview.mergeRequest.headSha).toBeUndefined();
    expect(preview).toMatchObject({
      phase: 'Live',
      reason: { reason: 'SourceBranchDeleted' },
    });
  });

  it('compares nothing with a head that there is not', () => {
    const { commit } = story().preview();
    expect(commit).not.toHaveProperty('head');
    expect(commit).not.toHaveProperty('expected');
    expect(commit.running).toBe(HEAD.slice(0, 8));
    expect(story().verdict('Synced')).toBe('True Synced');
    expect(story().verdict('ImageBuilt')).toBe('Unknown HeadUnknown');
    expect(JSON.stringify(story().preview())).not.toContain('null');
  });

  it('takes nothing from the other MRs of its project', () => {
    const both = new Story().pass(
      live().mergeRequest({ sha: null }).mergeRequest({ iid: 8, sha: OLD }),
    );
    expect(both.preview(other(8))).toMatchObject({
      phase: 'Waiting',
      mergeRequest: { headSha: OLD },
    });
  });
});

describe('two projects whose sets give the same name', () => {
  const world = () =>
    live()
      .project({ id: 43, path_with_namespace: 'group/cart' })
      .mergeRequest({ project_id: 43, created_at: at(-DAY) })
      .applicationSet({
        metadata: { name: 'cart-previews' },
        spec: { generators: [pullRequestGenerator({ project: '43' })] },
      });

  it('give the Application to the MR of the owning set', () => {
    const story = new Story().pass(world());
    expect(story.preview().applications).toHaveLength(1);
    expect(story.preview(inCart).applications).toEqual([]);
  });

  it('tell the other MR whose name it would have', () => {
    expect(new Story().pass(world()).preview(inCart)).toMatchObject({
      phase: 'Failed',
      reason: {
        reason: 'NameCollision',
        params: { name: 'preview-mr-7', other: 'group/shop!7' },
      },
    });
  });

  it('do not offer the namespace as left behind while the other MR is open', () => {
    const merged = () =>
      world()
        .mergeRequest({ state: 'merged', merged_at: at(0) })
        .without([
          'applications',
          'deployments',
          'replicaSets',
          'pods',
          'certificates',
          'httpRoutes',
        ]);
    const story = new Story()
      .pass(world(), at(-HOUR))
      .pass(merged())
      .pass(merged(), at(3 * DAY));
    expect(story.preview().phase).toBe('Gone');
    expect(story.preview(inCart).phase).not.toMatch(/Orphaned|Gone/);
  });
});

describe('the condition ErrorOccurred of a set', () => {
  it('is no error with the status False', () => {
    const story = new Story().pass(
      live().applicationSet(
        setError('ApplicationSetUpToDate', 'All is well', 'False'),
      ),
    );
    expect(story.preview().phase).toBe('Live');
    expect(story.preview().reason).toBeUndefined();
  });

  it('is told on every MR of the set with the status True', () => {
    const message = 'error generating params: 502';
    const story = new Story().pass(
      live()
        .mergeRequest({ iid: 8, sha: OLD })
        .applicationSet(
          setError('ApplicationGenerationFromParamsError', message),
        ),
    );
    expect(story.preview()).toMatchObject({
      phase: 'Live',
      reason: { reason: 'FrozenByGenerator', params: { error: message } },
    });
    expect(story.preview(other(8))).toMatchObject({
      phase: 'Failed',
      reason: { reason: 'GeneratorError', params: { error: message } },
    });
  });
});

describe('Synced and Healthy of the commit before', () => {
  const before = () =>
    live()
      .application({
        spec: {
          source: {
            helm: {
              parameters: [{ name: 'image.tag', value: OLD.slice(0, 8) }],
            },
          },
        },
        status: { summary: { images: [`${REGISTRY}:${OLD.slice(0, 8)}`] } },
      })
      .deployment({ spec: { template: podTemplate(OLD) } })
      .replicaSet({ spec: { template: podTemplate(OLD) } })
      .pod({ spec: podTemplate(OLD).spec })
      .mergeRequest(
        {},
        {
          pipelines: [pipeline()],
          tag: { state: 'found', tag: HEAD.slice(0, 8), readAt: at(0) },
        },
      );

  it('is updating, not live', () => {
    const story = new Story().pass(before());
    expect(story.preview()).toMatchObject({
      phase: 'Updating',
      reason: {
        reason: 'OldCommit',
        params: { wanted: OLD.slice(0, 8), expected: HEAD.slice(0, 8) },
      },
      commit: { running: OLD.slice(0, 8) },
    });
  });

  it('is not live in the moment before the rollout begins', () => {
    const wanted = () =>
      before().application({
        spec: {
          source: {
            helm: {
              parameters: [{ name: 'image.tag', value: HEAD.slice(0, 8) }],
            },
          },
        },
      });
    const story = new Story().pass(before(), at(-10)).pass(wanted());
    expect(story.preview().phase).toBe('Updating');
  });

  it('is not live without pods to read either', () => {
    const story = new Story().pass(
      before().kindReading('pods', { state: 'forbidden' }),
    );
    expect(story.preview().phase).toBe('Updating');
  });

  it('is live only once the head itself serves', () => {
    expect(
      new Story().pass(before(), at(-10)).pass(live()).preview().phase,
    ).toBe('Live');
  });
});

describe('an Application with several sources', () => {
  const sources = (revisions: string[] | undefined) =>
    live()
      .applicationSet({
        spec: { template: { spec: { source: { helm: null } } } },
      })
      .application({
        spec: {
          source: null,
          sources: [
            {
              repoURL: 'oci://charts.example.com',
              chart: 'shop',
              targetRevision: '1.15.0',
            },
            {
              repoURL: `https://${HOST}/group/shop`,
              targetRevision: 'feature/basket',
            },
            {
              repoURL: `https://${HOST}/group/values.git`,
              ref: 'values',
              targetRevision: 'HEAD',
            },
          ],
        },
        status: {
          summary: null,
          sync: { status: 'OutOfSync', revision: null, revisions },
        },
      })
      .pod({
        spec: {
          containers: [{ name: 'shop', image: 'example.com/shop:1.15.0' }],
        },
      });

  it('tells the commit of the source whose repository is the project', () => {
    const { commit, applications } = new Story()
      .pass(sources(['1.15.0', HEAD, OLD]))
      .preview();
    expect(commit).toMatchObject({ by: 'revision', wantedByArgo: HEAD });
    expect(applications[0].sync).toBe('OutOfSync');
  });

  it.each([
    [['1.15.0', HEAD, OLD], HEAD],
    [['1.15.0', '', OLD], OLD],
    [['1.15.0', '', ''], '1.15.0'],
    [['', '', ''], undefined],
  ])(
    'is known by a commit before the version of its chart, of %j by %s',
    (revisions, revision) => {
      const world = sources(revisions).application({
        status: { sync: { status: 'Synced' } },
      });
      const story = new Story().pass(world);
      expect(story.preview().applications[0].revision).toBe(revision);
      expect(story.condition('Synced')).toMatchObject({
        status: 'True',
        params: revision === undefined ? {} : { revision },
      });
    },
  );

  it.each([[['1.15.0', '', '']], [[]], [undefined]])(
    'tells no commit where the revisions are %j',
    revisions => {
      const { commit } = new Story().pass(sources(revisions)).preview();
      expect(commit).toEqual({ head: HEAD, by: 'none' });
    },
  );
});

describe('a deletion that never ends', () => {
  const stuck = (patch: Json = {}) =>
    live()
      .mergeRequest({ state: 'closed', closed_at: at(-14 * DAY) })
      .application({
        metadata: { deletionTimestamp: at(-14 * DAY) },
        ...patch,
      });

  it('tells the sync that still runs as its cause, and since when', () => {
    const running = () =>
      stuck({ status: { operationState: { phase: 'Running' } } });
    const story = new Story().pass(live(), at(-15 * DAY)).pass(running());
    expect(story.preview()).toMatchObject({
      phase: 'TearingDown',
      reason: {
        reason: 'OperationBlocksDeletion',
        params: { since: at(-14 * DAY) },
      },
    });
  });

  it('tells the finalizers where nothing runs', () => {
    const story = new Story().pass(live(), at(-15 * DAY)).pass(stuck());
    expect(story.preview().reason).toMatchObject({
      reason: 'ApplicationDeletionStuck',
      params: { finalizers: ['resources-finalizer.argocd.argoproj.io'] },
    });
  });
});

describe('a sync that failed', () => {
  it('is not hidden by the success of an operation before', () => {
    const story = new Story().pass(
      live().application({
        status: {
          sync: { status: 'OutOfSync' },
          operationState: {
            phase: 'Succeeded',
            message: 'successfully synced (all tasks run)',
          },
          conditions: [
            { type: 'ComparisonError', message: 'failed to load target state' },
          ],
          resources: [
            { kind: 'Deployment', name: 'shop', status: 'OutOfSync' },
            { kind: 'ConfigMap', name: 'shop', status: 'OutOfSync' },
            { kind: 'Service', name: 'shop', status: 'Synced' },
          ],
        },
      }),
    );
    expect(story.condition('Synced')).toMatchObject({
      reason: 'ComparisonError',
      params: {
        error: 'failed to load target state',
        resources: ['Deployment shop', 'ConfigMap shop'],
      },
    });
    expect(story.preview().message).not.toMatch(/successfully/);
  });

  it('names the hook that failed though the operation still runs', () => {
    const story = new Story().pass(
      live()
        .deployment(rollingOut)
        .replicaSet({ status: { readyReplicas: 0 } })
        .pod(podStatus({}))
        .application({
          status: {
            operationState: {
              phase: 'Running',
              syncResult: {
                resources: [
                  {
                    kind: 'Job',
                    name: 'seed',
                    hookType: 'PostSync',
                    hookPhase: 'Failed',
                    message: 'Job has reached the specified backoff limit',
                  },
                ],
              },
            },
          },
        })
        .mergeRequest(
          {},
          {
            pipelines: [pipeline()],
            tag: { state: 'found', tag: HEAD.slice(0, 8), readAt: at(0) },
          },
        ),
    );
    expect(story.preview()).toMatchObject({
      phase: 'Failed',
      reason: {
        reason: 'HookFailed',
        params: {
          hook: 'PostSync Job seed',
          error: 'Job has reached the specified backoff limit',
        },
      },
    });
  });
});

describe('one source of several that is down', () => {
  it('leaves the previews of the others as they are', () => {
    const refused = () =>
      live()
        .cluster({ cluster: 'blue' })
        .unreadCluster('blue')
        .kindReading(
          ['applications', 'applicationSets', 'namespaces'],
          {
            state: 'pending',
            error: {
              reason: 'Unreachable',
              message: 'connection refused',
              since: at(-HOUR),
            },
          },
          'blue',
        );
    const story = new Story().pass(refused());
    expect(story.preview()).toMatchObject({ phase: 'Live', stale: [] });
    const closed = () =>
      refused().mergeRequest({ state: 'closed', closed_at: at(0) });
    expect(story.pass(closed(), at(60)).preview().phase).toBe('TearingDown');
    const gone = closed().without(DEPLOYED);
    expect(story.pass(gone, at(120)).preview().phase).toBe('Gone');
  });

  it('makes the certificate unknown, not absent, where only that kind is forbidden', () => {
    const story = new Story().pass(
      live()
        .without('certificates')
        .kindReading('certificates', { state: 'forbidden' }),
    );
    expect(story.preview()).toMatchObject({
      phase: 'Live',
      stale: ['cluster:main'],
    });
    expect(story.condition('CertificateReady')).toMatchObject({
      status: 'Unknown',
      reason: 'KindForbidden',
      params: {
        kind: 'certificates',
        group: 'cert-manager.io',
        cluster: 'main',
      },
    });
  });
});

describe('an API group that is not installed', () => {
  const without = () =>
    live()
      .without(['httpRoutes', 'gateways', 'certificates'])
      .kindReading(['httpRoutes', 'gateways', 'certificates'], {
        state: 'notInstalled',
      })
      .ingress();

  it('is no warning; the address comes from the Ingress', () => {
    const story = new Story().pass(without());
    expect(story.preview()).toMatchObject({
      phase: 'Live',
      stale: [],
      urls: [{ url: 'https://mr-7.preview.example.com', clickable: true }],
    });
    expect(story.preview().reason).toBeUndefined();
    expect(story.condition('CertificateReady')).toBeUndefined();
  });

  it('counts as soon as it is installed', () => {
    const story = new Story().pass(without(), at(-HOUR)).pass(live());
    expect(story.verdict('CertificateReady')).toBe('True Ready');
  });
});

describe('two GitLab instances', () => {
  const COM = 'gitlab.com';
  const both = () =>
    live()
      .project({}, COM)
      .mergeRequest({ title: 'Another one' }, undefined, COM);

  it('keep MRs of the same project id apart', () => {
    const story = new Story().pass(both());
    expect(story.preview().applications).toHaveLength(1);
    expect(story.preview({ ...MERGE_REQUEST, host: COM })).toMatchObject({
      phase: 'NotSelected',
      applications: [],
      mergeRequest: { host: COM, title: 'Another one' },
    });
    expect(story.preview().id).not.toBe(
      story.preview({ ...MERGE_REQUEST, host: COM }).id,
    );
  });

  it.each([
    `https://${HOST}`,
    `https://${HOST}/`,
    `HTTPS://${HOST.toUpperCase()}//`,
    `https://${HOST}:443`,
  ])('are selected by the host of %s alone', api => {
    const story = new Story().pass(
      both().applicationSet({
        spec: { generators: [pullRequestGenerator({ api })] },
      }),
    );
    expect(story.preview().phase).toBe('Live');
    expect(story.result!.demand.projects.get(HOST)).toEqual([
      { path: 'group/shop' },
    ]);
    expect(story.result!.demand.projects.get(COM)).toEqual([]);
  });

  it('ask only the one that an entity’s annotation names', () => {
    const story = new Story().pass(
      WorldBuilder.empty()
        .gitlab({ host: COM })
        .entity({ project: { host: HOST, id: 1415 }, explicit: true }),
    );
    expect(story.result!.demand.projects.get(HOST)).toEqual([{ id: 1415 }]);
    expect(story.result!.demand.projects.get(COM)).toEqual([]);
  });

  it('tell two sets of one instance as two sets of it', () => {
    const story = new Story().pass(
      live().applicationSet({
        metadata: { name: 'shop-load' },
        spec: {
          generators: [pullRequestGenerator({ api: `https://${HOST}` })],
        },
      }),
    );
    expect(story.condition('Selected')?.params).toEqual({
      applicationSets: ['argocd/shop-previews', 'argocd/shop-load'],
    });
  });
});

describe('closing, reopening and merging', () => {
  it('is told step by step in one row, with the Application that was made anew', () => {
    const story = new Story().pass(live(), at(-3 * HOUR));
    const { id } = story.preview();
    const closed = { state: 'closed', closed_at: at(-2 * HOUR) };
    story.pass(live().mergeRequest(closed), at(-2 * HOUR));
    expect(story.changes()).toEqual(
      expect.arrayContaining([
        'MergeRequestOpen True->False',
        'phase Live->TearingDown',
      ]),
    );
    story.pass(
      live()
        .mergeRequest({ state: 'opened' })
        .application({ metadata: { uid: 'app-second' } }),
      at(-HOUR),
    );
    expect(story.changes()).toEqual(
      expect.arrayContaining([
        'MergeRequestOpen False->True',
        'application ->preview-mr-7',
      ]),
    );
    expect(story.preview()).toMatchObject({ id, phase: 'Live' });
    story.pass(
      live()
        .mergeRequest({ state: 'locked' })
        .application({ metadata: { uid: 'app-second' } }),
      at(-60),
    );
    expect(story.verdict('MergeRequestOpen')).toBe('True Locked');
    expect(story.preview().phase).toBe('Live');
    story.pass(live().mergeRequest({ state: 'merged', merged_at: at(0) }));
    expect(story.verdict('MergeRequestOpen')).toBe('False Merged');
    expect(story.preview()).toMatchObject({ id, phase: 'TearingDown' });
    expect(story.result!.decisions.size).toBe(1);
  });
});

it('an Application of another set is nobody’s preview', () => {
  const story = new Story().pass(
    open().application({
      metadata: { ownerReferences: [ownedBy('infra')] },
      status: null,
    }),
  );
  expect(story.preview().applications).toEqual([]);
});
