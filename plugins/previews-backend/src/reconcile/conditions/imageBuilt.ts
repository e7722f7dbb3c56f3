import { Condition } from '@previews/backstage-plugin-previews-common';
import { MergeRequestReading, PipelineFact, ranFor } from '../../model';
import { namesCommit, splitImage } from '../commit';
import { projectUnknown } from '../readability';
import { Verdict, verdict } from '../verdict';
import { PolicyContext } from './context';

const TYPE = 'ImageBuilt';

/** Pipelines that may still push the tag, in GitLab's words. */
const RUNNING = new Set([
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'scheduled',
]);

/**
 * Whether the image of the head commit exists: a pod pulled it, or the registry
 * has the tag; else what the pipeline of the head says. Applies only where the
 * set asks for the head by a tag.
 */
export function imageBuilt(context: PolicyContext): Verdict | undefined {
  const { observed, now, settings, wanted } = context;
  const { mergeRequest, project, key } = observed;
  const tag = expectedTag(context);
  if (!wanted || !expectsTag(context)) {
    return undefined;
  }
  if (mergeRequest && !mergeRequest.fact.headSha) {
    return verdict(TYPE, 'Unknown', 'HeadUnknown', {
      branch: mergeRequest.fact.sourceBranch,
    });
  }
  if (tag && isPulled(context, tag)) {
    return verdict(TYPE, 'True', 'ImagePulled', { tag });
  }
  const reading =
    mergeRequest?.tag?.tag === tag ? mergeRequest?.tag : undefined;
  if (reading?.state === 'found') {
    return verdict(TYPE, 'True', 'TagInRegistry', { tag: reading.tag });
  }
  const unknown = projectUnknown(TYPE, project, {
    host: key.host,
    now,
    settings,
  });
  if (unknown) {
    return unknown;
  }
  if (!mergeRequest || !tag) {
    return verdict(TYPE, 'Unknown', 'NotReadYet', {
      source: `gitlab:${key.host}`,
    });
  }
  return byPipeline(mergeRequest, tag, key.host);
}

/**
 * A pod that goes, or has its container started again, takes nothing back: what it
 * pulled was there.
 */
export function afterPull(
  found: Verdict,
  former: Pick<Condition, 'reason' | 'params'> | undefined,
): Verdict {
  return found.reason === 'TagInRegistry' &&
    former?.reason === 'ImagePulled' &&
    former.params.tag === found.params.tag
    ? verdict(TYPE, 'True', 'ImagePulled', { tag: String(found.params.tag) })
    : found;
}

function byPipeline(
  mergeRequest: MergeRequestReading,
  tag: string,
  host: string,
): Verdict {
  const reading = mergeRequest.tag?.tag === tag ? mergeRequest.tag : undefined;
  if (reading?.state === 'missing' && reading.near.length > 0) {
    return verdict(TYPE, 'False', 'TagLengthDiffers', {
      tag,
      near: reading.near,
    });
  }
  const pipeline = pipelineOfHead(mergeRequest);
  if (pipeline && RUNNING.has(pipeline.status)) {
    const startedAt = pipeline.startedAt ?? pipeline.createdAt;
    return verdict(TYPE, 'False', 'PipelineRunning', {
      tag,
      pipeline: pipeline.id,
      startedAt,
    });
  }
  switch (pipeline?.status) {
    case 'failed':
      return verdict(TYPE, 'False', 'PipelineFailed', {
        tag,
        pipeline: pipeline.id,
      });
    case 'canceled':
    case 'canceling':
      return verdict(TYPE, 'False', 'PipelineCanceled', {
        tag,
        pipeline: pipeline.id,
      });
    case 'skipped':
      return verdict(TYPE, 'False', 'PipelineSkipped', {
        tag,
        pipeline: pipeline.id,
      });
    case 'manual':
      return verdict(TYPE, 'False', 'PipelineManual', {
        tag,
        pipeline: pipeline.id,
      });
    default:
  }
  if (!pipeline && !mergeRequest.pipelines) {
    return verdict(TYPE, 'Unknown', 'NotReadYet', { source: `gitlab:${host}` });
  }
  const untold = !pipeline && untoldPipeline(mergeRequest);
  if (untold) {
    return verdict(TYPE, 'Unknown', 'PipelineNotTold', {
      tag,
      pipeline: untold.id,
    });
  }
  if (!pipeline) {
    return verdict(TYPE, 'False', 'NoPipeline', {
      tag,
      sha: mergeRequest.fact.headSha ?? '',
    });
  }
  // Looked for before the pipeline ended it was rightly not there yet.
  if (reading?.state === 'missing' && reading.afterPipeline === pipeline.id) {
    return verdict(TYPE, 'False', 'TagMissing', { tag, pipeline: pipeline.id });
  }
  return reading?.state === 'unreadable'
    ? verdict(TYPE, 'Unknown', 'RegistryNotRead', {
        tag,
        status: reading.status,
      })
    : verdict(TYPE, 'Unknown', 'NotReadYet', { source: `gitlab:${host}` });
}

/** The newest pipeline of a merged result, where it is not told whether it is one of the head. */
function untoldPipeline({
  pipelines,
}: MergeRequestReading): PipelineFact | undefined {
  const newest = pipelines?.items.find(({ ofMergedResult }) => ofMergedResult);
  return newest?.parents ? undefined : newest;
}

/** The newest pipeline that ran for the head, or for it merged; one of an older commit says nothing. */
export function pipelineOfHead({
  fact,
  pipelines,
}: MergeRequestReading): PipelineFact | undefined {
  return pipelines?.items.find(
    pipeline => fact.headSha !== undefined && ranFor(pipeline, fact.headSha),
  );
}

/** Before an Application exists, a set of the project says whether a tag is expected. */
function expectsTag({ observed }: PolicyContext): boolean {
  return (
    observed.current.applications.some(({ commit }) => commit.by === 'tag') ||
    expectedTagOfSets(observed) !== undefined
  );
}

/** The tag that the first Application, or else the first set, expects for the head. */
export function expectedTag({ observed }: PolicyContext): string | undefined {
  const expected = observed.current.applications
    .map(({ commit }) => commit.expectedTag)
    .find(tag => tag !== undefined);
  return expected ?? expectedTagOfSets(observed)?.tag;
}

function expectedTagOfSets(
  observed: PolicyContext['observed'],
): { tag?: string } | undefined {
  return observed.expectedTags[0];
}

function isPulled({ observed }: PolicyContext, tag: string): boolean {
  const head = observed.mergeRequest?.fact.headSha;
  return observed.applications.some(({ workloads }) =>
    workloads.some(({ pods }) =>
      pods.some(pod =>
        pod.containers.some(container => {
          const own = splitImage(container.image).tag;
          const pulled =
            container.imageId !== undefined && container.imageId !== '';
          return (
            pulled &&
            own !== undefined &&
            (own === tag || namesCommit(own, head))
          );
        }),
      ),
    ),
  );
}
