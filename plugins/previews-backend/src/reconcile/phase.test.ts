import {
  Condition,
  ConditionType,
  Phase,
} from '@previews/backstage-plugin-previews-common';
import {
  EffectiveConditions,
  effectiveConditions,
  explainingCondition,
  PhaseFacts,
  phaseOf,
} from './phase';

/** `True Opened MergeRequestOpen` and so on, one a condition. */
function conditionsOf(...texts: string[]): Condition[] {
  return texts.map(text => {
    const [type, status, reason, known] = text.split(' ');
    const [knownStatus, knownReason] = known?.split(':') ?? [];
    return {
      type: type as ConditionType,
      status: status as Condition['status'],
      reason,
      params: {},
      message: '',
      since: '',
      observedAt: '',
      ...(known && {
        lastKnown: {
          status: knownStatus as 'True' | 'False',
          reason: knownReason,
          params: {},
        },
      }),
    };
  });
}

function effective(...texts: string[]): EffectiveConditions {
  return effectiveConditions(conditionsOf(...texts));
}

const NOTHING: PhaseFacts = {
  servesHead: false,
  servesOlder: false,
  wasLiveOnHead: false,
  served: false,
  existed: false,
  orphaned: false,
};

const OPEN = 'MergeRequestOpen True Opened';
const WANTED = 'Selected True Selected';
const UNWANTED = 'Selected False LabelMissing';
const BUILT = 'ImageBuilt True ImagePulled';
const GENERATED = 'ApplicationGenerated True Generated';
const SYNCED = 'Synced True Synced';
const AVAILABLE = 'Available True Available';
const STARTING = 'Available False Progressing';
const CRASHING = 'Available False CrashLoop';
const CERTIFIED = 'CertificateReady True Ready';
const ROUTED = 'RouteAccepted True Accepted';
const LIVE = [
  OPEN,
  WANTED,
  BUILT,
  GENERATED,
  SYNCED,
  AVAILABLE,
  CERTIFIED,
  ROUTED,
];

describe('phaseOf', () => {
  it.each<[string, Phase, string[], Partial<PhaseFacts>]>([
    [
      'nothing is left of it',
      'Gone',
      [UNWANTED, 'CleanedUp True NothingLeft'],
      { existed: true },
    ],
    [
      'nothing is left, though it was to be orphaned',
      'Gone',
      [UNWANTED, 'CleanedUp True NothingLeft'],
      { existed: true, orphaned: true },
    ],
    [
      'what is left is left behind',
      'Orphaned',
      [UNWANTED, 'CleanedUp False ApplicationLeft'],
      { existed: true, orphaned: true },
    ],
    [
      'something is left',
      'TearingDown',
      [UNWANTED, 'CleanedUp False ApplicationDeleting'],
      { existed: true },
    ],
    [
      'a deletion is stuck',
      'TearingDown',
      [UNWANTED, 'CleanedUp False FinalizerStuck'],
      { existed: true },
    ],
    [
      'what is left is not known',
      'TearingDown',
      [UNWANTED, 'CleanedUp Unknown SourceUnavailable'],
      { existed: true },
    ],
    ['it was never selected', 'NotSelected', [OPEN, UNWANTED], {}],
    [
      'a closed MR never had anything',
      'NotSelected',
      ['MergeRequestOpen False Closed', UNWANTED],
      {},
    ],
    [
      'unwanted, whatever still serves',
      'TearingDown',
      [UNWANTED, AVAILABLE, 'CleanedUp False ApplicationLeft'],
      { existed: true, servesHead: true },
    ],
    [
      'unwanted by what was last known',
      'TearingDown',
      [
        'Selected Unknown SourceUnavailable False:LabelMissing',
        'CleanedUp Unknown SourceUnavailable False:ApplicationLeft',
      ],
      { existed: true },
    ],
    [
      'nothing was ever known',
      'Unknown',
      ['MergeRequestOpen Unknown NotReadYet', 'Selected Unknown NotReadYet'],
      {},
    ],
    [
      'only the selection was never known',
      'Unknown',
      [
        OPEN,
        'Selected Unknown NotReadYet',
        'ApplicationGenerated Unknown NotReadYet',
      ],
      {},
    ],
    ['the head serves and all is well', 'Live', LIVE, { servesHead: true }],
    [
      'a route and a certificate do not apply',
      'Live',
      [OPEN, WANTED, GENERATED, SYNCED, AVAILABLE],
      { servesHead: true },
    ],
    [
      'the route is not read',
      'Live',
      [...LIVE.slice(0, 7), 'RouteAccepted Unknown KindForbidden'],
      { servesHead: true },
    ],
    [
      'the head serves though a sync failed',
      'Live',
      [OPEN, WANTED, GENERATED, 'Synced False SyncFailed', AVAILABLE],
      { servesHead: true },
    ],
    [
      'the head serves though its pipeline failed after the image',
      'Live',
      [
        OPEN,
        WANTED,
        'ImageBuilt False PipelineFailed',
        GENERATED,
        SYNCED,
        AVAILABLE,
      ],
      { servesHead: true },
    ],
    [
      'it is live by what was last known',
      'Live',
      [
        'MergeRequestOpen Unknown SourceUnavailable True:Opened',
        'Selected Unknown SourceUnavailable True:Selected',
        'Available Unknown SourceUnavailable True:Available',
      ],
      { servesHead: true },
    ],
    [
      'a closed MR that a set keeps is served',
      'Live',
      [
        'MergeRequestOpen False Closed',
        'Selected True KeptByGenerator',
        GENERATED,
        SYNCED,
        AVAILABLE,
      ],
      { servesHead: true },
    ],
    [
      'an older commit serves while the build runs',
      'Updating',
      [
        OPEN,
        WANTED,
        'ImageBuilt False PipelineRunning',
        GENERATED,
        SYNCED,
        AVAILABLE,
      ],
      { servesOlder: true, served: true },
    ],
    [
      'an older commit serves until the set looks again',
      'Updating',
      [OPEN, WANTED, BUILT, GENERATED, 'Synced False OldCommit', AVAILABLE],
      { servesOlder: true, served: true },
    ],
    [
      'an older commit serves during the rollout',
      'Updating',
      [OPEN, WANTED, BUILT, GENERATED, SYNCED, STARTING],
      { servesOlder: true, served: true },
    ],
    [
      'old and new pods serve together',
      'Updating',
      [OPEN, WANTED, BUILT, GENERATED, SYNCED, STARTING],
      { servesOlder: true, servesHead: true, served: true },
    ],
    [
      'an older commit serves and the build failed',
      'Degraded',
      [
        OPEN,
        WANTED,
        'ImageBuilt False PipelineFailed',
        GENERATED,
        SYNCED,
        AVAILABLE,
      ],
      { servesOlder: true, served: true },
    ],
    [
      'an older commit serves and the new one crashes',
      'Degraded',
      [OPEN, WANTED, BUILT, GENERATED, SYNCED, CRASHING],
      { servesOlder: true, served: true },
    ],
    [
      'it was live on this commit and crashes',
      'Degraded',
      [OPEN, WANTED, BUILT, GENERATED, SYNCED, CRASHING],
      { wasLiveOnHead: true, served: true },
    ],
    [
      'it was live on this commit and restarts',
      'Degraded',
      [OPEN, WANTED, BUILT, GENERATED, SYNCED, STARTING],
      { wasLiveOnHead: true, served: true },
    ],
    [
      'it was live on this commit and its certificate ended',
      'Degraded',
      [...LIVE.slice(0, 6), 'CertificateReady False Expired', ROUTED],
      { wasLiveOnHead: true, servesHead: true, served: true },
    ],
    [
      'it was live on this commit and sleeps',
      'Degraded',
      [OPEN, WANTED, BUILT, GENERATED, SYNCED, 'Available False Asleep'],
      { wasLiveOnHead: true, served: true },
    ],
    [
      'the build failed',
      'Failed',
      [
        OPEN,
        WANTED,
        'ImageBuilt False PipelineFailed',
        'ApplicationGenerated False NotPolledYet',
      ],
      {},
    ],
    [
      'the generator errs',
      'Failed',
      [OPEN, WANTED, BUILT, 'ApplicationGenerated False GeneratorError'],
      {},
    ],
    [
      'the sync failed',
      'Failed',
      [OPEN, WANTED, BUILT, GENERATED, 'Synced False SyncFailed', STARTING],
      {},
    ],
    [
      'the first commit crashes',
      'Failed',
      [OPEN, WANTED, BUILT, GENERATED, SYNCED, CRASHING],
      {},
    ],
    [
      'the certificate fails before it was ever live',
      'Failed',
      [...LIVE.slice(0, 6), 'CertificateReady False IssuanceFailed'],
      { servesHead: true },
    ],
    [
      'the route is refused before it was ever live',
      'Failed',
      [...LIVE.slice(0, 7), 'RouteAccepted False NotAllowedByListeners'],
      { servesHead: true },
    ],
    [
      'it fails by what was last known',
      'Failed',
      [OPEN, WANTED, 'Available Unknown SourceUnavailable False:CrashLoop'],
      { existed: true },
    ],
    [
      'the head’s pipeline runs',
      'Building',
      [OPEN, WANTED, 'ImageBuilt False PipelineRunning', GENERATED, STARTING],
      {},
    ],
    [
      'the head’s pipeline runs before there is an Application',
      'Building',
      [
        OPEN,
        WANTED,
        'ImageBuilt False PipelineRunning',
        'ApplicationGenerated False NotPolledYet',
      ],
      {},
    ],
    [
      'there is no Application yet',
      'Waiting',
      [OPEN, WANTED, BUILT, 'ApplicationGenerated False NotPolledYet'],
      {},
    ],
    [
      'there is no pipeline yet',
      'Waiting',
      [OPEN, WANTED, 'ImageBuilt False NoPipeline', GENERATED, STARTING],
      {},
    ],
    [
      'Applications were not read',
      'Waiting',
      [OPEN, WANTED, BUILT, 'ApplicationGenerated Unknown NotReadYet'],
      {},
    ],
    [
      'the workloads start',
      'Deploying',
      [OPEN, WANTED, BUILT, GENERATED, SYNCED, STARTING],
      {},
    ],
    [
      'the workloads wait for the image',
      'Deploying',
      [
        OPEN,
        WANTED,
        'ImageBuilt Unknown RegistryNotRead',
        GENERATED,
        SYNCED,
        'Available False WaitingForImage',
      ],
      {},
    ],
    [
      'the workloads are in a cluster that is not read',
      'Deploying',
      [
        OPEN,
        WANTED,
        BUILT,
        GENERATED,
        SYNCED,
        'Available Unknown ClusterNotConfigured',
      ],
      {},
    ],
    [
      'the certificate is waited for',
      'Securing',
      [...LIVE.slice(0, 6), 'CertificateReady False Issuing', ROUTED],
      { servesHead: true },
    ],
    [
      'the route is waited for',
      'Securing',
      [...LIVE.slice(0, 7), 'RouteAccepted False Pending'],
      { servesHead: true },
    ],
    [
      'the workloads come before the certificate',
      'Deploying',
      [
        OPEN,
        WANTED,
        BUILT,
        GENERATED,
        SYNCED,
        STARTING,
        'CertificateReady False Issuing',
      ],
      {},
    ],
  ])('when %s: %s', (_, phase, texts, facts) => {
    expect(phaseOf(effective(...texts), { ...NOTHING, ...facts })).toBe(phase);
  });
});

describe('explainingCondition', () => {
  it.each<[string, Phase, string[], string | undefined]>([
    ['a live row needs no explanation', 'Live', LIVE, undefined],
    [
      'a live row tells its warning',
      'Live',
      [OPEN, 'Selected True KeptByGenerator', AVAILABLE],
      'KeptByGenerator',
    ],
    [
      'a live row tells a blocked step',
      'Live',
      [OPEN, WANTED, 'Synced False SyncFailed', AVAILABLE],
      'SyncFailed',
    ],
    [
      'a live row tells that its set is frozen',
      'Live',
      [OPEN, WANTED, 'ApplicationGenerated True FrozenByGenerator', AVAILABLE],
      'FrozenByGenerator',
    ],
    [
      'a live row does not tell what is not read',
      'Live',
      [OPEN, WANTED, AVAILABLE, 'RouteAccepted Unknown KindForbidden'],
      undefined,
    ],
    [
      'a blocked step comes before one that waits',
      'Failed',
      [OPEN, WANTED, 'ApplicationGenerated False NotPolledYet', CRASHING],
      'CrashLoop',
    ],
    [
      'the first blocked step is told',
      'Failed',
      [
        OPEN,
        WANTED,
        'ImageBuilt False PipelineFailed',
        'Synced False SyncFailed',
      ],
      'PipelineFailed',
    ],
    [
      'the first step that waits is told',
      'Building',
      [
        OPEN,
        WANTED,
        'ImageBuilt False PipelineRunning',
        'ApplicationGenerated False NotPolledYet',
      ],
      'PipelineRunning',
    ],
    [
      'a step comes before a warning',
      'Deploying',
      ['MergeRequestOpen True SourceBranchDeleted', WANTED, STARTING],
      'Progressing',
    ],
    [
      'what is unknown is told last',
      'Deploying',
      [OPEN, WANTED, 'Available Unknown ClusterNotConfigured'],
      'ClusterNotConfigured',
    ],
    [
      'what was last known counts',
      'Failed',
      [OPEN, WANTED, 'Available Unknown SourceUnavailable False:CrashLoop'],
      'SourceUnavailable',
    ],
    [
      'a row that is not selected tells the missing label',
      'NotSelected',
      [OPEN, UNWANTED],
      'LabelMissing',
    ],
    [
      'a closed row tells that it was closed',
      'NotSelected',
      ['MergeRequestOpen False Closed', 'Selected False StateExcluded'],
      'Closed',
    ],
    [
      'a row that is torn down tells what is left',
      'TearingDown',
      [OPEN, UNWANTED, 'CleanedUp False ApplicationDeleting'],
      'ApplicationDeleting',
    ],
    [
      'an orphaned row tells what is left',
      'Orphaned',
      [OPEN, UNWANTED, 'CleanedUp False NamespaceLeft'],
      'NamespaceLeft',
    ],
    [
      'a gone row says that nothing is left',
      'Gone',
      [
        'MergeRequestOpen False Merged',
        'Selected False StateExcluded',
        'CleanedUp True NothingLeft',
      ],
      'NothingLeft',
    ],
    [
      'an unknown row tells the source',
      'Unknown',
      ['MergeRequestOpen Unknown NotReadYet'],
      'NotReadYet',
    ],
  ])('%s', (_, phase, texts, reason) => {
    expect(explainingCondition(phase, conditionsOf(...texts))?.reason).toBe(
      reason,
    );
  });
});
