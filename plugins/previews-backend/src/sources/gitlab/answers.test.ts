import { pauseOf, problemOf } from './answers';

const now = new Date('2026-03-01T12:00:00.000Z');

describe('pauseOf', () => {
  it.each<[string, number, Record<string, string>, number | undefined]>([
    ['seconds', 429, { 'retry-after': '30' }, 30],
    ['zero seconds', 429, { 'retry-after': '0' }, 0],
    ['a date', 429, { 'retry-after': 'Sun, 01 Mar 2026 12:05:00 GMT' }, 300],
    [
      'a date that has passed',
      429,
      { 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' },
      0,
    ],
    ['an age', 429, { 'retry-after': '99999999' }, 3600],
    ['a time of reset', 429, { 'ratelimit-reset': '1772366520' }, 120],
    [
      'seconds, which win over a reset',
      429,
      { 'retry-after': '30', 'ratelimit-reset': '1772366520' },
      30,
    ],
    ['a reset that is none', 429, { 'ratelimit-reset': 'soon' }, 60],
    ['nothing', 429, {}, 60],
    ['seconds of maintenance', 503, { 'retry-after': '120' }, 120],
    ['nothing, with 503', 503, {}, undefined],
    [
      'that this answer was the last for now',
      200,
      { 'ratelimit-remaining': '0', 'ratelimit-reset': '1772366520' },
      120,
    ],
    [
      'that there is more',
      200,
      { 'ratelimit-remaining': '7', 'ratelimit-reset': '1772366520' },
      undefined,
    ],
    [
      'seconds, with an answer that is fine',
      200,
      { 'retry-after': '30' },
      undefined,
    ],
  ])('understands %s', (_, status, headers, seconds) => {
    const until = pauseOf({ status, headers: new Headers(headers), now });
    expect(until && (until.getTime() - now.getTime()) / 1000).toBe(seconds);
  });
});

describe('problemOf', () => {
  it.each([
    [
      401,
      { error: 'invalid_token', error_description: 'Token was revoked.' },
      'TokenRevoked',
    ],
    [
      401,
      { error: 'invalid_token', error_description: 'Token is expired.' },
      'TokenExpired',
    ],
    [401, { error: 'invalid_token', error_description: 7 }, 'TokenInvalid'],
    [401, { message: '401 Unauthorized' }, 'TokenInvalid'],
    [401, undefined, 'TokenInvalid'],
    [403, { error: 'insufficient_scope' }, 'ScopeMissing'],
    [403, { message: '403 Forbidden' }, 'Forbidden'],
    [403, 'text', 'Forbidden'],
    [404, undefined, 'NotFound'],
    [409, { message: [] }, 'UnexpectedAnswer'],
    [429, undefined, 'RateLimited'],
    [500, undefined, 'ServerError'],
    [502, undefined, 'ServerError'],
    [599, undefined, 'ServerError'],
  ])('names %d with %j %s', (status, body, reason) => {
    expect(problemOf({ status, body }).reason).toBe(reason);
  });
});
