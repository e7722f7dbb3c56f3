import { judgeToken } from './TokenCheck';

const now = new Date('2026-03-01T12:00:00.000Z');
const token = { scopes: ['read_api'], active: true };

describe('judgeToken', () => {
  it.each<
    [string, Parameters<typeof judgeToken>[0], string[], string | undefined]
  >([
    ['can only read', token, [], undefined],
    [
      'can read the registry too',
      { ...token, scopes: ['read_api', 'read_registry'] },
      [],
      undefined,
    ],
    ['can write', { ...token, scopes: ['api'] }, ['TokenCanWrite'], undefined],
    [
      'can write repositories',
      { ...token, scopes: ['read_api', 'write_repository'] },
      ['TokenCanWrite'],
      undefined,
    ],
    [
      'ends in a week',
      { ...token, expiresOn: '2026-03-08' },
      ['TokenExpiresSoon'],
      undefined,
    ],
    ['ends in a year', { ...token, expiresOn: '2027-03-01' }, [], undefined],
    ['ended', { ...token, expiresOn: '2026-03-01' }, [], 'TokenExpired'],
    ['was revoked', { ...token, active: false }, [], 'TokenRevoked'],
    ['cannot read', { ...token, scopes: ['read_user'] }, [], 'ScopeMissing'],
    ['can do nothing', { ...token, scopes: [] }, [], 'ScopeMissing'],
  ])('judges a token that %s', (_, fact, notes, reason) => {
    const verdict = judgeToken(fact, { host: 'gitlab.example.com', now });
    expect(verdict.notes.map(({ reason: note }) => note)).toEqual(notes);
    expect(verdict.error?.reason).toBe(reason);
  });
});
