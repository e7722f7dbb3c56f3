import {
  at,
  CLUSTER,
  generatedBy,
  NOW,
  pullRequestGenerator,
  WorldBuilder,
} from '../world';
import { ConditionCase } from './types';

const { open, live } = WorldBuilder;

export const mergeRequestOpen: ConditionCase[] = [
  {
    title: 'an opened MR is open',
    world: open,
    expected: 'True Opened',
  },
  {
    title: 'a locked MR, which is being merged, counts as open',
    world: () => open().mergeRequest({ state: 'locked' }),
    expected: 'True Locked',
  },
  {
    title: 'an open MR whose source branch is gone is open, with a warning',
    world: () => open().mergeRequest({ sha: null }),
    expected: 'True SourceBranchDeleted',
    params: { branch: 'feature/basket' },
  },
  {
    title:
      'an open MR that nobody has worked on tells until when its preview is kept',
    world: () =>
      live().mergeRequest({}, { pipelines: [] }).entity({ timeToLive: 7200 }),
    expected: 'True IdleNearEnd',
    params: { idleSince: at(-3600), expiresAt: at(3600) },
  },
  {
    title: 'an open MR tells that the time to live of its preview is over',
    world: () =>
      live().mergeRequest({}, { pipelines: [] }).entity({ timeToLive: 3600 }),
    expected: 'True IdlePastEnd',
    params: { idleSince: at(-3600), expiresAt: NOW },
  },
  {
    title: 'a merged MR names the time of the merge',
    world: () => open().mergeRequest({ state: 'merged', merged_at: at(-60) }),
    expected: 'False Merged',
    params: { at: at(-60) },
  },
  {
    title: 'a closed MR names the time of the closing',
    world: () => open().mergeRequest({ state: 'closed', closed_at: at(-60) }),
    expected: 'False Closed',
    params: { at: at(-60) },
  },
  {
    title: 'an MR whose own GET answers 404 in a readable project is deleted',
    world: () => open().mergeRequest({}, { deletedAt: at(-60) }),
    expected: 'False Deleted',
  },
  {
    title: 'a merge stays known while GitLab is away',
    world: () =>
      open()
        .mergeRequest({ state: 'merged', merged_at: at(-60) })
        .projectReading({ state: 'failing', completeAt: at(-3600) }),
    expected: 'False Merged',
  },
  {
    title: 'a closed MR is unknown while GitLab is away: it may be reopened',
    world: () =>
      open()
        .mergeRequest({ state: 'closed' })
        .projectReading({ state: 'failing', completeAt: at(-3600) }),
    expected: 'Unknown SourceUnavailable',
    params: { source: 'gitlab:gitlab.example.com', since: at(-3600) },
  },
  {
    title: 'a reading that failed a moment ago still stands',
    world: () =>
      open().projectReading({ state: 'failing', completeAt: at(-100) }),
    expected: 'True Opened',
  },
  {
    title: 'a project that was never read and does not answer tells since when',
    world: () =>
      open().projectReading({
        state: 'pending',
        error: { reason: 'Unreachable', message: 'No answer', since: at(-30) },
      }),
    expected: 'Unknown SourceUnavailable',
    params: { since: at(-30) },
  },
  {
    title: 'a project that is being read for the first time is not read yet',
    world: () => open().projectReading({ state: 'pending' }),
    expected: 'Unknown NotReadYet',
  },
  ...[401, 403, 404].map(status => ({
    title: `a project that answers ${status} is not readable, which is no word on its MRs`,
    world: () => open().projectReading({ state: 'failing', status }),
    expected: 'Unknown ProjectNotReadable',
    params: { project: 'group/shop', status },
  })),
  {
    title: 'a project that is forbidden from the start is not readable',
    world: () => open().projectReading({ state: 'forbidden' }),
    expected: 'Unknown ProjectNotReadable',
    params: { project: 'group/shop', status: 403 },
  },
  {
    title: 'a server error of GitLab is not taken for lost access',
    world: () =>
      open().projectReading({
        state: 'failing',
        status: 502,
        completeAt: at(-300),
      }),
    expected: 'Unknown SourceUnavailable',
  },
];

const otherCluster = () => open().cluster({ cluster: 'other' });

export const selected: ConditionCase[] = [
  {
    title: 'an MR that passes a generator is selected, naming the set',
    world: open,
    expected: 'True Selected',
    params: { applicationSets: ['argocd/shop-previews'] },
  },
  {
    title: 'a draft is selected, since the generator knows no drafts',
    world: () => open().mergeRequest({ draft: true }),
    expected: 'True Selected',
  },
  {
    title: 'several sets that select it are all named',
    world: () => open().applicationSet({ metadata: { name: 'shop-load' } }),
    expected: 'True Selected',
    params: { applicationSets: ['argocd/shop-previews', 'argocd/shop-load'] },
  },
  {
    title: 'a locked MR is selected by a set that asks for opened ones',
    world: () => open().mergeRequest({ state: 'locked' }),
    expected: 'True Selected',
  },
  {
    title:
      'a closed MR that a set without a state keeps generating is told as kept',
    world: () =>
      open()
        .applicationSet(generatedBy({ pullRequestState: null }))
        .mergeRequest({ state: 'closed' }),
    expected: 'True KeptByGenerator',
    params: { applicationSet: 'argocd/shop-previews', state: 'closed' },
  },
  {
    title:
      'a merged MR that a set of all states keeps generating is told as kept',
    world: () =>
      open()
        .applicationSet(generatedBy({ pullRequestState: 'all' }))
        .mergeRequest({ state: 'merged' }),
    expected: 'True KeptByGenerator',
  },
  {
    title: 'a missing label is named',
    world: () => open().mergeRequest({ labels: ['bug'] }),
    expected: 'False LabelMissing',
    params: { labels: ['preview'] },
  },
  {
    title: 'a source branch that no filter matches is told with the pattern',
    world: () =>
      open().applicationSet(
        generatedBy({}, { filters: [{ branchMatch: '^release/' }] }),
      ),
    expected: 'False BranchFiltered',
    params: { pattern: '^release/', branch: 'feature/basket' },
  },
  {
    title: 'a target branch that no filter matches is told with the pattern',
    world: () =>
      open().applicationSet(
        generatedBy({}, { filters: [{ targetBranchMatch: '^stable$' }] }),
      ),
    expected: 'False TargetFiltered',
    params: { pattern: '^stable$', branch: 'main' },
  },
  {
    title: 'a requirement of the selector that is not met is told',
    world: () =>
      open().applicationSet({
        spec: {
          generators: [
            {
              ...pullRequestGenerator(),
              selector: {
                matchExpressions: [
                  { key: 'author', operator: 'NotIn', values: ['dev1'] },
                ],
              },
            },
          ],
        },
      }),
    expected: 'False SelectorExcluded',
    params: { requirement: 'author NotIn (dev1)' },
  },
  {
    title: 'a title that no filter matches is told with the pattern',
    world: () =>
      open().applicationSet(
        generatedBy({}, { filters: [{ titleMatch: 'deploy' }] }),
      ),
    expected: 'False TitleFiltered',
    params: { pattern: 'deploy' },
  },
  {
    title: 'a closed MR is left out by a set that asks for opened ones',
    world: () => open().mergeRequest({ state: 'closed' }),
    expected: 'False StateExcluded',
    params: { state: 'closed' },
  },
  {
    title: 'a deleted MR is not selected, whatever the sets ask for',
    world: () => open().mergeRequest({}, { deletedAt: at(-60) }),
    expected: 'False MergeRequestDeleted',
  },
  {
    title: 'a project that no set lists has no ApplicationSet',
    world: () => WorldBuilder.empty().mergeRequest(),
    expected: 'False NoApplicationSet',
    params: { project: 'group/shop' },
  },
  {
    title: 'the sets of other forges are left alone',
    world: () =>
      WorldBuilder.empty()
        .mergeRequest()
        .applicationSet({
          spec: {
            generators: [
              { pullRequest: { github: { owner: 'group', repo: 'shop' } } },
            ],
          },
        }),
    expected: 'False NoApplicationSet',
  },
  {
    title: 'without any cluster nobody can tell',
    world: () => new WorldBuilder().project().mergeRequest(),
    expected: 'Unknown NotObserved',
  },
  {
    title: 'a set in one readable cluster is enough for yes',
    world: () => otherCluster().unreadCluster('other'),
    expected: 'True Selected',
  },
  {
    title: 'no is not said while a cluster is unread that might select it',
    world: () =>
      WorldBuilder.empty()
        .mergeRequest()
        .cluster({ cluster: 'other' })
        .unreadCluster('other'),
    expected: 'Unknown NotReadYet',
    params: { source: 'cluster:other' },
  },
  {
    title:
      'a cluster that is down does not hold up the no of the one it was in',
    before: () => otherCluster(),
    world: () =>
      otherCluster().unreadCluster('other').mergeRequest({ labels: [] }),
    expected: 'False LabelMissing',
  },
  {
    title: 'no is not said while the sets that selected it are unread',
    before: open,
    world: () => open().unreadCluster(),
    expected: 'Unknown NotReadYet',
    params: { source: `cluster:${CLUSTER}` },
  },
  {
    title: 'sets that may not be listed make it unknown, naming the kind',
    world: () =>
      WorldBuilder.empty()
        .mergeRequest()
        .kindReading('applicationSets', { state: 'forbidden' }),
    expected: 'Unknown KindForbidden',
    params: {
      kind: 'applicationSets',
      group: 'argoproj.io',
      cluster: CLUSTER,
    },
  },
  {
    title: 'a cluster without Argo CD has no sets, which is a plain no',
    world: () =>
      WorldBuilder.empty()
        .mergeRequest()
        .kindReading('applicationSets', { state: 'notInstalled' }),
    expected: 'False NoApplicationSet',
  },
  {
    title: 'sets whose reading is too old allow no no',
    world: () =>
      WorldBuilder.empty()
        .mergeRequest()
        .kindReading('applicationSets', {
          state: 'failing',
          completeAt: at(-3600),
        }),
    expected: 'Unknown SourceUnavailable',
  },
  {
    title: 'an unreadable project leaves it unknown, not unselected',
    world: () => open().projectReading({ state: 'failing', status: 404 }),
    expected: 'Unknown ProjectNotReadable',
  },
  {
    title: 'a project named by another case and with slashes is the same',
    world: () =>
      open().applicationSet(generatedBy({ project: '/Group/Shop/' })),
    expected: 'True Selected',
  },
  {
    title: 'a project named by its id is the same',
    world: () => open().applicationSet(generatedBy({ project: '42' })),
    expected: 'True Selected',
  },
];
