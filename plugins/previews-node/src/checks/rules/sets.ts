import { AnyCheck, check, Found } from '../check';
import { PreviewGenerator, PreviewSet } from '../previewSets';
import { CheckedObject, SetUp } from '../SetUp';
import { listAt, objectAt, Path, textAt, textsAt, valueAt } from '../values';

/** Argo CD's own default is half an hour; a reviewer waits for minutes. */
const LONG_REQUEUE_SECONDS = 300;

const CASCADE = /^resources-finalizer\.argocd\.argoproj\.io(?:\/\w+)?$/;
const JOIN_LABELS = ['previews/project-id', 'previews/merge-request'];
const SYNC_OPTIONS: Path = ['syncPolicy', 'syncOptions'];

function ofGenerators<P>(
  { previewSets }: SetUp,
  find: (generator: PreviewGenerator) => { at: Path; params: P } | undefined,
) {
  return previewSets.flatMap(({ on, generators }) =>
    generators.flatMap(generator => {
      const found = find(generator);
      return found
        ? [{ on, ...found, at: [...generator.path, ...found.at] }]
        : [];
    }),
  );
}

/** What Applications of previews are made of: the templates of sets, and loose ones. */
function applicationsOf(setUp: SetUp): {
  on: CheckedObject;
  /** Where metadata and spec of the Application are. */
  path: Path;
  patch: string;
}[] {
  return [
    ...setUp.previewSets
      // An excerpt says nothing of what it leaves out.
      .filter(({ name }) => name !== '')
      .map(({ on, patch }) => ({ on, path: ['spec', 'template'], patch })),
    ...setUp.loosePreviews.map(on => ({ on, path: [], patch: '' })),
  ];
}

function withSyncPolicy(
  setUp: SetUp,
  isOff: (policy: {
    automated: Record<string, unknown> | undefined;
  }) => boolean,
  key?: string,
) {
  return applicationsOf(setUp).flatMap(({ on, path, patch }) => {
    const policy = objectAt(on.object, ...path, 'spec', 'syncPolicy');
    const isThere =
      typeof policy.automated === 'object' && policy.automated !== null;
    const automated = isThere ? objectAt(policy, 'automated') : undefined;
    return isOff({ automated }) && !patch.includes(key ?? 'automated')
      ? [
          {
            on,
            at: [
              ...path,
              'spec',
              'syncPolicy',
              'automated',
              ...(key === undefined ? [] : [key]),
            ],
            params: {},
          },
        ]
      : [];
  });
}

function finalizersOf(set: PreviewSet): string[] {
  return textsAt(set.template, 'metadata', 'finalizers');
}

function loseTheirObjects(setUp: SetUp): Found<'FinalizerMissing'>[] {
  return [
    ...setUp.previewSets
      .filter(
        set =>
          finalizersOf(set).length > 0 &&
          !finalizersOf(set).some(finalizer => CASCADE.test(finalizer)) &&
          !set.patch.includes('resources-finalizer'),
      )
      .map(({ on }) => ({
        on,
        at: ['spec', 'template', 'metadata', 'finalizers'],
        params: {},
      })),
    ...setUp.loosePreviews
      .filter(
        ({ object }) =>
          !textsAt(object, 'metadata', 'finalizers').some(finalizer =>
            CASCADE.test(finalizer),
          ),
      )
      .map(on => ({ on, at: ['metadata', 'finalizers'], params: {} })),
  ];
}

/** How a set finds merge requests, and what becomes of what it generates. */
export const setChecks: AnyCheck[] = [
  check('FinalizerMissing', loseTheirObjects),
  check('FinalizerImplicit', ({ previewSets }) =>
    previewSets
      .filter(
        set =>
          set.name !== '' &&
          finalizersOf(set).length === 0 &&
          !set.patch.includes('finalizers') &&
          valueAt(set.on.object, [
            'spec',
            'syncPolicy',
            'preserveResourcesOnDeletion',
          ]) !== true,
      )
      .map(({ on }) => ({
        on,
        at: ['spec', 'template', 'metadata', 'finalizers'],
        params: {},
      })),
  ),
  check('ResourcesPreserved', ({ previewSets }) => {
    const at: Path = ['spec', 'syncPolicy', 'preserveResourcesOnDeletion'];
    return previewSets
      .filter(({ on }) => valueAt(on.object, at) === true)
      .map(({ on }) => ({ on, at, params: {} }));
  }),
  check('NamespaceCreatedBySync', setUp =>
    applicationsOf(setUp).flatMap(({ on, path, patch }) => {
      const at = [...path, 'spec', ...SYNC_OPTIONS];
      const isCreated = listAt(on.object, ...at).includes(
        'CreateNamespace=true',
      );
      if (!isCreated && !patch.includes('CreateNamespace=true')) {
        return [];
      }
      return [
        isCreated
          ? { on, at, params: {} }
          : {
              on,
              at: ['spec', 'templatePatch'],
              value: 'CreateNamespace=true',
              params: {},
            },
      ];
    }),
  ),
  check('NamespaceNotRendered', setUp => {
    const told = new Set<string>();
    return setUp.objects
      .filter(
        on =>
          on.isFile &&
          on.environment?.tier === 'preview' &&
          on.namespace !== '' &&
          // Those of Argo CD are beside what is rendered.
          on.group !== 'argoproj.io' &&
          !setUp
            .with(on, 'Namespace')
            .some(({ name }) => name === on.namespace),
      )
      .filter(on => {
        const key = `${on.environment?.name} ${on.namespace}`;
        return !told.has(key) && told.add(key);
      })
      .map(on => ({
        on,
        at: ['metadata', 'namespace'],
        params: { namespace: on.namespace },
      }));
  }),
  check('StateUnset', setUp =>
    ofGenerators(setUp, ({ gitlab }) =>
      ['', 'all'].includes(textAt(gitlab, 'pullRequestState'))
        ? { at: ['gitlab', 'pullRequestState'], params: {} }
        : undefined,
    ),
  ),
  check('StateNotOpened', setUp =>
    ofGenerators(setUp, ({ gitlab }) => {
      const state = textAt(gitlab, 'pullRequestState');
      return ['', 'all', 'opened'].includes(state)
        ? undefined
        : { at: ['gitlab', 'pullRequestState'], params: { state } };
    }),
  ),
  check('ProjectByPath', setUp =>
    ofGenerators(setUp, ({ project }) =>
      project.includes('/')
        ? { at: ['gitlab', 'project'], params: { project } }
        : undefined,
    ),
  ),
  check('RequeueUnset', setUp =>
    ofGenerators(setUp, ({ pullRequest }) =>
      Number(pullRequest.requeueAfterSeconds) > 0
        ? undefined
        : { at: ['requeueAfterSeconds'], params: {} },
    ),
  ),
  check('RequeueLong', setUp =>
    ofGenerators(setUp, ({ pullRequest }) => {
      const seconds = Number(pullRequest.requeueAfterSeconds);
      return seconds > LONG_REQUEUE_SECONDS && Number.isFinite(seconds)
        ? { at: ['requeueAfterSeconds'], params: { seconds } }
        : undefined;
    }),
  ),
  check('AutomatedSyncOff', setUp =>
    withSyncPolicy(
      setUp,
      ({ automated }) => automated === undefined || automated.enabled === false,
    ),
  ),
  check('PruneOff', setUp =>
    withSyncPolicy(
      setUp,
      ({ automated }) => automated !== undefined && automated.prune !== true,
      'prune',
    ),
  ),
  check('SelfHealOff', setUp =>
    withSyncPolicy(
      setUp,
      ({ automated }) => automated !== undefined && automated.selfHeal !== true,
      'selfHeal',
    ),
  ),
  check('LostRepositoryDeletesAll', setUp =>
    ofGenerators(setUp, ({ pullRequest }) =>
      pullRequest.continueOnRepoNotFoundError === true
        ? { at: ['continueOnRepoNotFoundError'], params: {} }
        : undefined,
    ),
  ),
  check('JoinLabelsMissing', ({ previewSets }) =>
    previewSets.flatMap(set => {
      const labels = objectAt(set.template, 'metadata', 'labels');
      const missing = JOIN_LABELS.filter(
        label => !Object.hasOwn(labels, label) && !set.patch.includes(label),
      );
      return set.name !== '' && missing.length > 0
        ? [
            {
              on: set.on,
              at: ['spec', 'template', 'metadata', 'labels'],
              params: { labels: missing },
            },
          ]
        : [];
    }),
  ),
  check('WebhookNotSeen', ({ previewSets, context }) =>
    context.webhookSeen === false
      ? previewSets.map(({ on, generators }) => ({
          on,
          at: [...generators[0].path, 'gitlab', 'project'],
          params: {},
        }))
      : [],
  ),
];
