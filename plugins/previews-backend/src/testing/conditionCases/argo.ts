import {
  at,
  HEAD,
  Json,
  NULL,
  OLD,
  ownedBy,
  pullRequestGenerator,
  setError,
  WorldBuilder,
} from '../world';
import { ConditionCase } from './types';

const { open, live } = WorldBuilder;

/** A set with an Application for each environment. */
const matrix = (
  environments: Json = { list: { elements: [{ env: 'a' }, { env: 'b' }] } },
) =>
  open().applicationSet({
    spec: {
      generators: [
        { matrix: { generators: [environments, pullRequestGenerator()] } },
      ],
      template: { metadata: { name: 'preview-mr-{{.number}}-{{.env}}' } },
    },
  });

/** The set was deleted and made anew under another name; its Application is there still. */
const renamedSet = () =>
  live()
    .without('applicationSets')
    .applicationSet({ metadata: { name: 'shop-renamed' } });

export const applicationGenerated: ConditionCase[] = [
  {
    title: 'an Application of the selecting set is generated',
    world: live,
    expected: 'True Generated',
    params: { applications: ['preview-mr-7'] },
  },
  {
    title: 'before the set has looked again the next look is told',
    world: open,
    expected: 'False NotPolledYet',
    params: {
      applicationSet: 'argocd/shop-previews',
      requeueAfterSeconds: 60,
    },
  },
  {
    title: 'a set that reports a generator error is the cause',
    world: () =>
      open().applicationSet(setError('ApplicationGenerationFromParamsError')),
    expected: 'False GeneratorError',
    params: {
      applicationSet: 'argocd/shop-previews',
      error: 'no such project',
    },
  },
  {
    title: 'a template that cannot be rendered is the generator’s error',
    world: () => open().applicationSet(setError('RenderTemplateParamsError')),
    expected: 'False GeneratorError',
  },
  {
    title: 'a set whose Application is rejected says why',
    world: () => open().applicationSet(setError('ApplicationValidationError')),
    expected: 'False ValidationError',
    params: { error: 'no such project' },
  },
  ...['CreateApplicationError', 'UpdateApplicationError'].map(
    (reason): ConditionCase => ({
      title: `a set whose Application Kubernetes rejects says why (${reason})`,
      world: () =>
        open().applicationSet(setError(reason, 'metadata.name: Invalid value')),
      expected: 'False ValidationError',
      params: { error: 'metadata.name: Invalid value' },
    }),
  ),
  {
    title: 'a set that cannot delete another Application generates this one',
    world: () => open().applicationSet(setError('DeleteApplicationError')),
    expected: 'False NotPolledYet',
  },
  {
    title: 'ErrorOccurred with status False is no error',
    world: open,
    expected: 'False NotPolledYet',
  },
  {
    title:
      'an existing Application of an erring set is generated, and told as frozen',
    world: () =>
      live().applicationSet(setError('ApplicationGenerationFromParamsError')),
    expected: 'True FrozenByGenerator',
    params: { error: 'no such project' },
  },
  ...[
    'ApplicationValidationError',
    'CreateApplicationError',
    'UpdateApplicationError',
    'DeleteApplicationError',
  ].map(
    (reason): ConditionCase => ({
      title: `what is wrong with another Application says nothing of this one (${reason})`,
      world: () => live().applicationSet(setError(reason)),
      expected: 'True Generated',
    }),
  ),
  {
    title: 'an Application of the same name for another MR is a collision',
    world: () =>
      open()
        .project({ id: 43, path_with_namespace: 'group/cart' })
        .applicationSet({
          metadata: { name: 'cart-previews' },
          spec: {
            generators: [
              {
                pullRequest: {
                  gitlab: {
                    api: 'https://gitlab.example.com',
                    project: 'group/cart',
                  },
                },
              },
            ],
          },
        })
        .mergeRequest({ project_id: 43 })
        .application({
          metadata: { ownerReferences: [ownedBy('cart-previews')] },
        }),
    expected: 'False NameCollision',
    params: { name: 'preview-mr-7', other: 'group/cart!7' },
  },
  {
    title:
      'an Application of the same name that somebody made by hand is a collision',
    world: () => open().application({ metadata: { ownerReferences: null } }),
    expected: 'False NameCollision',
    params: { name: 'preview-mr-7', other: 'another owner' },
  },
  {
    title: 'the same name in another namespace of Argo CD is none',
    world: () =>
      open().application({
        metadata: { namespace: 'team-argocd', ownerReferences: null },
      }),
    expected: 'False NotPolledYet',
  },
  {
    title: 'an Application that is being deleted while it is wanted is told',
    world: () =>
      live().application({ metadata: { deletionTimestamp: at(-60) } }),
    expected: 'False Deleting',
    params: { application: 'preview-mr-7', since: at(-60) },
  },
  {
    title:
      'an Application that goes with its former set is waited for, since it frees its name',
    before: live,
    world: () =>
      renamedSet().application({
        metadata: { deletionTimestamp: at(-60) },
      }),
    expected: 'False Deleting',
    params: { application: 'preview-mr-7', since: at(-60) },
  },
  {
    title: 'one that is about to go with its former set is no other owner’s',
    before: live,
    world: renamedSet,
    expected: 'False NotPolledYet',
    params: { applicationSet: 'argocd/shop-renamed' },
  },
  {
    title: 'one that its former set left is taken over by the next',
    before: live,
    world: () =>
      renamedSet().application({ metadata: { ownerReferences: NULL } }),
    expected: 'False NotPolledYet',
    params: { applicationSet: 'argocd/shop-renamed' },
  },
  {
    title: 'a matrix owes an Application for each element of its list',
    world: () => matrix().application({ metadata: { name: 'preview-mr-7-a' } }),
    expected: 'False NotPolledYet',
    params: { applicationSet: 'argocd/shop-previews' },
  },
  {
    title: 'one that a matrix owes and Argo CD rejects is told with the error',
    world: () =>
      matrix()
        .applicationSet(setError('ApplicationValidationError'))
        .application({ metadata: { name: 'preview-mr-7-a' } }),
    expected: 'False ValidationError',
    params: { error: 'no such project' },
  },
  {
    title: 'a matrix with all of its Applications owes none',
    world: () =>
      matrix()
        .application({ metadata: { name: 'preview-mr-7-a' } })
        .application({ metadata: { name: 'preview-mr-7-b' } }),
    expected: 'True Generated',
    params: { applications: ['preview-mr-7-a', 'preview-mr-7-b'] },
  },
  {
    title: 'a matrix with as many as it owes owes none, whatever their names',
    world: () =>
      matrix()
        .application({ metadata: { name: 'preview-mr-7-a' } })
        .application({
          metadata: {
            name: 'otherwise',
            labels: {
              'previews/project-id': '42',
              'previews/merge-request': '7',
            },
          },
        }),
    expected: 'True Generated',
  },
  {
    title: 'a matrix over what only Argo CD knows owes one at least',
    world: () =>
      matrix({ clusters: {} }).application({
        metadata: { name: 'preview-mr-7-a' },
      }),
    expected: 'True Generated',
  },
  {
    title: 'one that goes with its former set is no loss beside the next',
    before: live,
    world: () =>
      renamedSet()
        .application({ metadata: { deletionTimestamp: at(-60) } })
        .application({
          metadata: {
            name: 'renamed-mr-7',
            ownerReferences: [ownedBy('shop-renamed')],
          },
        })
        .applicationSet({
          metadata: { name: 'shop-renamed' },
          spec: { template: { metadata: { name: 'renamed-mr-{{.number}}' } } },
        }),
    expected: 'True Generated',
  },
  {
    title: 'each selecting set owes an Application',
    world: () => live().applicationSet({ metadata: { name: 'shop-load' } }),
    expected: 'False NameCollision',
  },
  {
    title: 'a second set that has not looked yet is waited for',
    world: () =>
      live().applicationSet({
        metadata: { name: 'shop-load' },
        spec: { template: { metadata: { name: 'load-{{.number}}' } } },
      }),
    expected: 'False NotPolledYet',
    params: { applicationSet: 'argocd/shop-load' },
  },
  {
    title: 'Applications that may not be listed leave it unknown',
    world: () => open().kindReading('applications', { state: 'forbidden' }),
    expected: 'Unknown KindForbidden',
    params: { kind: 'applications' },
  },
  {
    title: 'Applications that were not read yet leave it unknown',
    world: () => open().kindReading('applications', { state: 'pending' }),
    expected: 'Unknown NotReadYet',
  },
  {
    title: 'Applications whose reading is too old leave it unknown',
    world: () =>
      live().kindReading('applications', {
        state: 'failing',
        completeAt: at(-3600),
      }),
    expected: 'Unknown SourceUnavailable',
    params: { source: 'cluster:main', since: at(-3600) },
  },
  {
    title: 'it does not apply to an MR that nobody selects',
    world: () => open().mergeRequest({ labels: [] }),
    expected: undefined,
  },
];

const sync = (status: object) => () => live().application({ status });

export const synced: ConditionCase[] = [
  {
    title: 'what Argo CD calls Synced is synced, with its revision',
    world: live,
    expected: 'True Synced',
    params: { revision: 'd00d1e0123456789abcdef0123456789abcdef01' },
  },
  {
    title: 'OutOfSync names the resources',
    world: sync({
      sync: { status: 'OutOfSync' },
      resources: [
        { kind: 'Deployment', name: 'shop', status: 'OutOfSync' },
        { kind: 'Service', name: 'shop', status: 'Synced' },
      ],
    }),
    expected: 'False OutOfSync',
    params: { application: 'preview-mr-7', resources: ['Deployment shop'] },
  },
  {
    title: 'an operation that runs is waited for',
    world: sync({ operationState: { phase: 'Running', startedAt: at(-20) } }),
    expected: 'False SyncRunning',
    params: { startedAt: at(-20) },
  },
  {
    title: 'an operation that was asked for and has not begun is waited for',
    world: () => live().application({ operation: { sync: {} } }),
    expected: 'False SyncRunning',
  },
  {
    title: 'an operation that is being stopped is not over',
    world: sync({ operationState: { phase: 'Terminating' } }),
    expected: 'False SyncRunning',
  },
  {
    title: 'an Application that Argo CD has not looked at was never synced',
    world: () => live().application({ status: null }),
    expected: 'False NeverSynced',
  },
  {
    title: 'a failed operation names its resources',
    world: sync({
      operationState: {
        phase: 'Failed',
        message: 'one or more objects failed to apply',
        syncResult: {
          resources: [
            {
              kind: 'Deployment',
              name: 'shop',
              status: 'SyncFailed',
              message: 'denied',
            },
          ],
        },
      },
    }),
    expected: 'False SyncFailed',
    params: {
      error: 'one or more objects failed to apply',
      resources: ['Deployment shop'],
    },
  },
  {
    title: 'an operation that ended in an error failed',
    world: sync({ operationState: { phase: 'Error', message: 'boom' } }),
    expected: 'False SyncFailed',
    params: { error: 'boom' },
  },
  {
    title: 'the failure of another revision than the one in sync is history',
    world: sync({
      operationState: {
        phase: 'Failed',
        message: 'boom',
        syncResult: { revision: '0'.repeat(40) },
      },
    }),
    expected: 'True Synced',
  },
  {
    title: 'a SyncError condition is a failure though the operation is older',
    world: sync({
      conditions: [{ type: 'SyncError', message: 'will not retry' }],
    }),
    expected: 'False SyncFailed',
  },
  {
    title: 'a hook that failed is named while the operation still runs',
    world: sync({
      operationState: {
        phase: 'Running',
        syncResult: {
          resources: [
            {
              kind: 'Job',
              name: 'migrate',
              hookType: 'PostSync',
              hookPhase: 'Failed',
              message: 'backoff limit reached',
            },
          ],
        },
      },
    }),
    expected: 'False HookFailed',
    params: { hook: 'PostSync Job migrate', error: 'backoff limit reached' },
  },
  {
    title: 'a comparison that fails is told before an old success',
    world: sync({
      conditions: [{ type: 'ComparisonError', message: 'chart not found' }],
    }),
    expected: 'False ComparisonError',
    params: { error: 'chart not found' },
  },
  {
    title:
      'the commit of a fork that the project does not have is told as such',
    world: () =>
      live()
        .mergeRequest({ source_project_id: 99 })
        .application({
          status: {
            conditions: [
              {
                type: 'ComparisonError',
                message: `rpc error: unable to resolve '${HEAD}' to a commit SHA`,
              },
            ],
          },
        }),
    expected: 'False CommitNotInProject',
    params: { sha: HEAD, project: 'group/shop' },
  },
  {
    title: 'the same message without a fork is a comparison error',
    world: sync({
      conditions: [
        {
          type: 'ComparisonError',
          message: `unable to resolve '${HEAD}' to a commit SHA`,
        },
      ],
    }),
    expected: 'False ComparisonError',
  },
  {
    title: 'an invalid spec is told before everything else',
    world: sync({
      conditions: [
        { type: 'ComparisonError', message: 'later' },
        { type: 'InvalidSpecError', message: 'no such project' },
      ],
    }),
    expected: 'False InvalidSpec',
    params: { error: 'no such project' },
  },
  {
    title: 'a warning of Argo CD’s is no error',
    world: sync({
      conditions: [{ type: 'OrphanedResourceWarning', message: '2 orphans' }],
    }),
    expected: 'True Synced',
  },
  {
    title: 'Synced to an older commit than the set expects is not synced',
    world: () =>
      live().application({
        spec: {
          source: {
            helm: {
              parameters: [{ name: 'image.tag', value: OLD.slice(0, 8) }],
            },
          },
        },
      }),
    expected: 'False OldCommit',
    params: { wanted: OLD.slice(0, 8), expected: HEAD.slice(0, 8) },
  },
  ...[
    ['create-only', 'OldCommitKept'],
    ['create-delete', 'OldCommitKept'],
    ['create-update', 'OldCommit'],
    ['sync', 'OldCommit'],
  ].map(
    ([applicationsSync, reason]): ConditionCase => ({
      title: `an older commit of a set with ${applicationsSync} is ${reason}`,
      world: () =>
        live()
          .applicationSet({ spec: { syncPolicy: { applicationsSync } } })
          .application({
            spec: {
              source: {
                helm: {
                  parameters: [{ name: 'image.tag', value: OLD.slice(0, 8) }],
                },
              },
            },
          }),
      expected: `False ${reason}`,
      params: { wanted: OLD.slice(0, 8), expected: HEAD.slice(0, 8) },
    }),
  ),
  ...[
    ['ApplicationGenerationFromParamsError', 'no such project', true],
    ['UpdateApplicationError', 'cannot update preview-mr-7', true],
    ['UpdateApplicationError', 'cannot update preview-mr-77', false],
    ['DeleteApplicationError', 'cannot delete preview-mr-7', false],
  ].map(
    ([reason, error, isKept]): ConditionCase => ({
      title: `an older commit is told with the error that keeps its set from updating it: ${reason}, ${error}`,
      world: () =>
        live()
          .applicationSet(setError(String(reason), String(error)))
          .application({
            spec: {
              source: {
                helm: {
                  parameters: [{ name: 'image.tag', value: OLD.slice(0, 8) }],
                },
              },
            },
          }),
      expected: 'False OldCommit',
      message: isKept
        ? `The Application preview-mr-7 still asks for ${OLD.slice(
            0,
            8,
          )} instead of ${HEAD.slice(
            0,
            8,
          )}; its ApplicationSet does not update it while it reports an error, which its owner has to correct if it lasts: ${error}.`
        : `The Application preview-mr-7 still asks for ${OLD.slice(
            0,
            8,
          )} instead of ${HEAD.slice(
            0,
            8,
          )}; its ApplicationSet updates it when it next looks at GitLab.`,
    }),
  ),
  {
    title: 'a failure is told before an older commit: it may be its cause',
    world: () =>
      live().application({
        spec: {
          source: {
            helm: {
              parameters: [{ name: 'image.tag', value: OLD.slice(0, 8) }],
            },
          },
        },
        status: { operationState: { phase: 'Failed', message: 'boom' } },
      }),
    expected: 'False SyncFailed',
  },
  {
    title: 'the worst of several Applications is told, naming which',
    world: () =>
      live().application({
        metadata: { name: 'preview-mr-7-db' },
        spec: { destination: { namespace: 'preview-mr-7' } },
        status: { sync: { status: 'OutOfSync' } },
      }),
    // The second has no name of the set's and is joined by its image.
    expected: 'False OutOfSync',
    params: { application: 'preview-mr-7-db' },
  },
  {
    title: 'a stale cluster leaves it unknown',
    world: () =>
      live().kindReading('applications', {
        state: 'failing',
        completeAt: at(-3600),
      }),
    expected: 'Unknown SourceUnavailable',
  },
  {
    title: 'it does not apply before there is an Application',
    world: open,
    expected: undefined,
  },
];
