import { parseApprovalNote, parseApprovals } from './approvals';

const user = { id: 5, username: 'reviewer1', name: 'Reviewer One' };

describe('parseApprovals', () => {
  it.each<[string, unknown, unknown]>([
    [
      'an approval with its time',
      {
        approved: true,
        approved_by: [{ user, approved_at: '2026-03-01T10:00:00.000Z' }],
      },
      [{ username: 'reviewer1', approvedAt: '2026-03-01T10:00:00.000Z' }],
    ],
    [
      'an approval of an older version, without a time',
      { approved_by: [{ user }] },
      [{ username: 'reviewer1' }],
    ],
    [
      'nobody, though no approval is required and so it counts as approved',
      { approved: true, approvals_required: 0, approved_by: [] },
      [],
    ],
    [
      'a time that is none',
      { approved_by: [{ user, approved_at: 'yesterday' }] },
      [{ username: 'reviewer1' }],
    ],
    [
      'entries that are no approval',
      { approved_by: [null, 'reviewer1', { user: {} }, { user }] },
      [{ username: 'reviewer1' }],
    ],
  ])('reads %s', (_, json, expected) => {
    expect(parseApprovals(json)).toEqual(expected);
  });

  it.each([[undefined], [null], [[]], [{}], [{ approved: true }], ['x']])(
    'finds no approvals in %j',
    json => {
      expect(parseApprovals(json)).toBeUndefined();
    },
  );

  it('looks at a hundred of an endless list', () => {
    const approved_by = Array.from({ length: 10_000 }, () => ({ user }));
    expect(parseApprovals({ approved_by })).toHaveLength(100);
  });
});

describe('parseApprovalNote', () => {
  const note = {
    id: 1,
    system: true,
    body: 'approved this merge request',
    author: user,
    created_at: '2026-03-01T10:00:00.000Z',
  };

  it('reads who approved, or not any more, and when', () => {
    const expected = { username: 'reviewer1', at: note.created_at };
    expect(parseApprovalNote(note)).toEqual({
      ...expected,
      action: 'approved',
    });
    expect(
      parseApprovalNote({ ...note, body: 'unapproved this merge request' }),
    ).toEqual({ ...expected, action: 'unapproved' });
  });

  it.each([
    ['what a person wrote', { ...note, system: false }],
    ['another note', { ...note, body: 'changed the description' }],
    ['a name of every object', { ...note, body: 'constructor' }],
    ['a note without an author', { ...note, author: null }],
    ['a note without a time', { ...note, created_at: 7 }],
    ['nothing', undefined],
  ])('takes nothing from %s', (_, json) => {
    expect(parseApprovalNote(json)).toBeUndefined();
  });
});
