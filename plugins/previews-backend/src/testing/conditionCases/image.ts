import {
  at,
  HEAD,
  OLD,
  pipeline,
  podStatus,
  podTemplate,
  WorldBuilder,
} from '../world';
import { ConditionCase } from './types';

const TAG = HEAD.slice(0, 8);

/** An open MR with pipelines of these states, the newest first. */
const built = (...states: string[]) =>
  WorldBuilder.open().mergeRequest(
    {},
    {
      pipelines: states.map((status, index) =>
        pipeline({ id: 900 - index, status }),
      ),
    },
  );

export const imageBuilt: ConditionCase[] = [
  {
    title: 'an image that a pod pulled is built',
    world: () => WorldBuilder.live(),
    expected: 'True ImagePulled',
    params: { tag: TAG },
  },
  {
    title: 'a pod that waits for the pull is no evidence',
    world: () =>
      WorldBuilder.live()
        .mergeRequest({}, { pipelines: [pipeline({ status: 'running' })] })
        .pod(podStatus({ state: { waiting: { reason: 'ImagePullBackOff' } } })),
    expected: 'False PipelineRunning',
  },
  {
    title: 'a tag in the registry is built, whatever the pipeline says',
    world: () =>
      WorldBuilder.open().mergeRequest(
        {},
        {
          pipelines: [pipeline({ status: 'failed' })],
          tag: { state: 'found', tag: TAG, readAt: at(0) },
        },
      ),
    expected: 'True TagInRegistry',
  },
  ...[
    'created',
    'waiting_for_resource',
    'preparing',
    'waiting_for_callback',
    'pending',
    'running',
    'scheduled',
  ].map(status => ({
    title: `a pipeline that is ${status} may still push the tag`,
    world: () => built(status),
    expected: 'False PipelineRunning',
    params: { tag: TAG, pipeline: 900, startedAt: at(-3490) },
  })),
  {
    title: 'a pipeline that waits for a person is told so',
    world: () => built('manual'),
    expected: 'False PipelineManual',
    params: { pipeline: 900 },
  },
  {
    title: 'a failed pipeline blocks',
    world: () => built('failed'),
    expected: 'False PipelineFailed',
  },
  {
    title: 'a canceled pipeline blocks',
    world: () => built('canceled'),
    expected: 'False PipelineCanceled',
  },
  {
    title: 'a pipeline that is being canceled counts as canceled',
    world: () => built('canceling'),
    expected: 'False PipelineCanceled',
  },
  {
    title: 'a skipped pipeline blocks',
    world: () => built('skipped'),
    expected: 'False PipelineSkipped',
  },
  {
    title: 'the newest pipeline of the head counts, not the failed one before',
    world: () => built('running', 'failed'),
    expected: 'False PipelineRunning',
  },
  {
    title: 'the pipeline of an older commit says nothing about the head',
    world: () =>
      WorldBuilder.open().mergeRequest(
        {},
        { pipelines: [pipeline({ sha: OLD })] },
      ),
    expected: 'False NoPipeline',
    params: { tag: TAG, sha: HEAD },
  },
  {
    title:
      'a pipeline of a merged result is not missing while its commit is not told',
    world: () =>
      WorldBuilder.open().mergeRequest(
        {},
        {
          pipelines: [
            pipeline({
              sha: 'f'.repeat(40),
              ref: 'refs/merge-requests/7/merge',
              source: 'merge_request_event',
            }),
          ],
        },
      ),
    expected: 'Unknown PipelineNotTold',
    params: { pipeline: 900 },
  },
  {
    title: 'pipelines that were not read yet are not missing',
    world: () => WorldBuilder.open().mergeRequest({}, {}),
    expected: 'Unknown NotReadYet',
  },
  {
    title: 'a tag that is not there after a successful pipeline is missing',
    world: () =>
      WorldBuilder.open().mergeRequest(
        {},
        {
          pipelines: [pipeline()],
          tag: {
            state: 'missing',
            tag: TAG,
            near: [],
            afterPipeline: 900,
            readAt: at(0),
          },
        },
      ),
    expected: 'False TagMissing',
    params: { tag: TAG, pipeline: 900 },
  },
  {
    title: 'a tag that was looked for before the pipeline ended is not missing',
    world: () =>
      WorldBuilder.open().mergeRequest(
        {},
        {
          pipelines: [pipeline()],
          tag: { state: 'missing', tag: TAG, near: [], readAt: at(0) },
        },
      ),
    expected: 'Unknown NotReadYet',
  },
  {
    title: 'a tag that was looked for after another pipeline is not missing',
    world: () =>
      WorldBuilder.open().mergeRequest(
        {},
        {
          pipelines: [pipeline({ id: 901 }), pipeline()],
          tag: {
            state: 'missing',
            tag: TAG,
            near: [],
            afterPipeline: 900,
            readAt: at(0),
          },
        },
      ),
    expected: 'Unknown NotReadYet',
  },
  {
    title: 'a tag of the same commit with another length is named',
    world: () =>
      WorldBuilder.open().mergeRequest(
        {},
        {
          pipelines: [pipeline()],
          tag: {
            state: 'missing',
            tag: TAG,
            near: [HEAD.slice(0, 7)],
            readAt: at(0),
          },
        },
      ),
    expected: 'False TagLengthDiffers',
    params: { tag: TAG, near: [HEAD.slice(0, 7)] },
  },
  {
    title: 'a reading of another tag says nothing about this one',
    world: () =>
      WorldBuilder.open().mergeRequest(
        {},
        {
          pipelines: [pipeline()],
          tag: {
            state: 'missing',
            tag: OLD.slice(0, 8),
            near: [],
            readAt: at(0),
          },
        },
      ),
    expected: 'Unknown NotReadYet',
  },
  {
    title: 'a registry that may not be read leaves it unknown',
    world: () =>
      WorldBuilder.open().mergeRequest(
        {},
        {
          pipelines: [pipeline()],
          tag: { state: 'unreadable', tag: TAG, status: 403, readAt: at(0) },
        },
      ),
    expected: 'Unknown RegistryNotRead',
    params: { tag: TAG, status: 403 },
  },
  {
    title: 'without a head nobody knows which image to look for',
    world: () => WorldBuilder.open().mergeRequest({ sha: null }),
    expected: 'Unknown HeadUnknown',
    params: { branch: 'feature/basket' },
  },
  {
    title: 'it does not apply where the set asks for no tag',
    world: () =>
      WorldBuilder.open().applicationSet({
        spec: {
          template: {
            spec: { source: { helm: null, targetRevision: '{{.head_sha}}' } },
          },
        },
      }),
    expected: undefined,
  },
  {
    title: 'it does not apply to an MR that nobody selects',
    world: () => WorldBuilder.open().mergeRequest({ labels: [] }),
    expected: undefined,
  },
  {
    title: 'a stale GitLab leaves an unfinished build unknown',
    world: () =>
      built('running').projectReading({
        state: 'failing',
        completeAt: at(-3600),
      }),
    expected: 'Unknown SourceUnavailable',
  },
  {
    title: 'a project that is not readable leaves an unfinished build unknown',
    world: () =>
      built('running').projectReading({ state: 'failing', status: 404 }),
    before: () => built('running'),
    expected: 'Unknown ProjectNotReadable',
  },
  {
    title: 'a stale GitLab does not take away the image that a pod pulled',
    world: () =>
      WorldBuilder.live().projectReading({
        state: 'failing',
        completeAt: at(-3600),
      }),
    expected: 'True ImagePulled',
  },
  {
    title: 'a set that does not select the MR does not say what to build',
    world: () =>
      WorldBuilder.open()
        .without('applicationSets')
        .applicationSet({
          metadata: { name: 'a-first' },
          spec: {
            generators: [
              {
                pullRequest: {
                  gitlab: {
                    api: 'https://gitlab.example.com',
                    project: '42',
                    labels: ['never'],
                  },
                },
              },
            ],
          },
        })
        .applicationSet({
          metadata: { name: 'b-second' },
          spec: { template: { spec: { source: { helm: null } } } },
        }),
    expected: undefined,
  },
  {
    title: 'an image with the whole SHA as its tag is the head’s',
    world: () =>
      WorldBuilder.live().pod({
        spec: podTemplate(HEAD).spec,
        status: {
          containerStatuses: [
            {
              name: 'shop',
              ready: true,
              image: `registry.example.com/group/shop:${HEAD}`,
              imageID: 'sha256:1',
            },
          ],
        },
      }),
    expected: 'True ImagePulled',
  },
];
