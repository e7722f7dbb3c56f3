import { MergeRequestReading } from '../../model';
import { areApprovalsDue, firstApprovalAt } from './approvals';

const UPDATED = '2026-03-01T12:00:00.000Z';
const at = (minutes: number) =>
  new Date(Date.parse(UPDATED) + minutes * 60_000).toISOString();

function reading(
  approvals?: { forUpdate: string; readAt: string },
  fields: Partial<MergeRequestReading> = {},
): MergeRequestReading {
  return {
    fact: { updatedAt: UPDATED } as MergeRequestReading['fact'],
    readAt: UPDATED,
    ...(approvals && {
      approvals: { ...approvals, fact: { approved: false } },
    }),
    ...fields,
  };
}

describe('areApprovalsDue', () => {
  it.each<[string, MergeRequestReading, number, boolean]>([
    ['were never read', reading(), 60, true],
    [
      'were read before the last update',
      reading({ forUpdate: at(-30), readAt: at(-20) }),
      60,
      true,
    ],
    [
      'were read when the update had settled',
      reading({ forUpdate: UPDATED, readAt: at(2) }),
      60,
      false,
    ],
    [
      'were read just after the update, while it settles',
      reading({ forUpdate: UPDATED, readAt: at(0.5) }),
      1.5,
      false,
    ],
    [
      'were read just after the update, which has settled now',
      reading({ forUpdate: UPDATED, readAt: at(0.5) }),
      2,
      true,
    ],
    [
      'are of an MR that was deleted',
      reading(undefined, { deletedAt: UPDATED }),
      60,
      false,
    ],
  ])('knows whether approvals that %s are due', (_, given, minutes, due) => {
    expect(areApprovalsDue(given, new Date(at(minutes)))).toBe(due);
  });
});

describe('firstApprovalAt', () => {
  it('is the earliest of those that stand', () => {
    expect(
      firstApprovalAt(
        [
          { username: 'dev2', approvedAt: at(9) },
          { username: 'reviewer1', approvedAt: at(5) },
        ],
        [],
      ),
    ).toBe(at(5));
  });

  it('is found in the notes, where the approvals have no times', () => {
    expect(
      firstApprovalAt(
        [{ username: 'reviewer1' }, { username: 'dev2', approvedAt: at(9) }],
        [
          { username: 'reviewer1', action: 'approved', at: at(7) },
          { username: 'reviewer1', action: 'unapproved', at: at(6) },
          { username: 'reviewer1', action: 'approved', at: at(5) },
        ],
      ),
    ).toBe(at(7));
  });

  it.each([
    ['nobody approved', [], []],
    ['no note tells', [{ username: 'reviewer1' }], []],
    [
      'it is known of some only',
      [{ username: 'reviewer1' }, { username: 'dev2', approvedAt: at(9) }],
      [],
    ],
    [
      'the newest note tells that it was taken back',
      [{ username: 'reviewer1' }],
      [{ username: 'reviewer1', action: 'unapproved' as const, at: at(6) }],
    ],
  ])('is unknown when %s', (_, approvals, notes) => {
    expect(firstApprovalAt(approvals, notes)).toBeUndefined();
  });
});
