import { World } from '../model';
import { Story } from '../testing/Story';
import { HEAD, OLD, pipeline, WorldBuilder } from '../testing/world';

const MERGED = 'f'.repeat(40);
const TARGET = 'e'.repeat(40);

/** The newest pipeline is one of a merged result, made of the target and of a commit. */
function world(status: string, of: string | undefined): World {
  const built = WorldBuilder.open()
    .mergeRequest(
      {},
      {
        pipelines: [
          pipeline({
            id: 901,
            status,
            sha: MERGED,
            ref: 'refs/merge-requests/7/merge',
            source: 'merge_request_event',
          }),
        ],
      },
    )
    .build();
  const { pipelines } = built.gitlab[0].projects.get(42)!.mergeRequests.get(7)!;
  pipelines!.items = pipelines!.items.map(item => ({
    ...item,
    ...(of && { parents: [TARGET, of] }),
  }));
  return built;
}

describe('a pipeline of a merged result', () => {
  it.each([
    ['running', 'False PipelineRunning', 'Building'],
    ['failed', 'False PipelineFailed', 'Failed'],
    ['manual', 'False PipelineManual', 'Failed'],
  ])('of the head that is %s is told as %s', (status, verdict, phase) => {
    const story = new Story().pass(world(status, HEAD));
    expect(story.verdict('ImageBuilt')).toBe(verdict);
    expect(story.preview().phase).toBe(phase);
    expect(story.preview().mergeRequest.pipeline).toMatchObject({ id: 901 });
  });

  it('whose commit is not told is not called none', () => {
    const story = new Story().pass(world('running', undefined));
    expect(story.condition('ImageBuilt')).toMatchObject({
      status: 'Unknown',
      reason: 'PipelineNotTold',
      params: { pipeline: 901 },
    });
  });

  it('of an older head says nothing about this one', () => {
    const story = new Story().pass(world('failed', OLD));
    expect(story.verdict('ImageBuilt')).toBe('False NoPipeline');
    expect(story.preview().mergeRequest.pipeline).toBeUndefined();
  });
});
