import { ApprovalsFact } from '../model';
import { Story } from '../testing/Story';
import { at, WorldBuilder } from '../testing/world';

function open(approvals?: ApprovalsFact): WorldBuilder {
  return WorldBuilder.open().mergeRequest({}, approvals && { approvals });
}

const APPROVED_AT = at(-600);
const approved: ApprovalsFact = { approved: true, firstAt: APPROVED_AT };

describe('the approval of a merge request', () => {
  it('is shown with its time, and told in the timeline with a sentence of its own', () => {
    const story = new Story().pass(open()).pass(open(approved), at(60));
    expect(story.preview().mergeRequest.approvedAt).toBe(APPROVED_AT);
    expect(story.decision().change.transitions).toEqual([
      {
        previewId: story.preview().id,
        at: at(60),
        kind: 'approval',
        to: 'approved',
        reason: 'Approved',
        params: { at: APPROVED_AT },
        message: expect.stringMatching(/approved for the first time/),
      },
    ]);
    expect(story.pass(open(approved), at(120)).changes()).toEqual([]);
  });

  it('goes when none stands any more, and the timeline tells', () => {
    const story = new Story()
      .pass(open())
      .pass(open(approved), at(60))
      .pass(open({ approved: false }), at(120));
    expect(story.preview().mergeRequest.approvedAt).toBeUndefined();
    expect(story.changes()).toEqual(['approval ->none']);
  });

  it('stays as it was known while approvals are not read', () => {
    const story = new Story()
      .pass(open())
      .pass(open(approved), at(60))
      .pass(open(), at(120));
    expect(story.preview().mergeRequest.approvedAt).toBe(APPROVED_AT);
    expect(story.changes()).toEqual([]);
  });

  it('has no time where GitLab tells of none', () => {
    const story = new Story()
      .pass(open())
      .pass(open({ approved: true }), at(60));
    expect(story.preview().mergeRequest).not.toHaveProperty('approvedAt');
    expect(story.changes()).toEqual([]);
  });

  it('keeps its time when another approval comes whose time is not told', () => {
    const story = new Story()
      .pass(open())
      .pass(open(approved), at(60))
      .pass(open({ approved: true }), at(120));
    expect(story.preview().mergeRequest.approvedAt).toBe(APPROVED_AT);
  });

  it('is decided though nothing else has changed', () => {
    const story = new Story().pass(open(), at(60));
    expect(story.pass(open(approved), at(61)).decision().unchanged).toBe(false);
  });
});
