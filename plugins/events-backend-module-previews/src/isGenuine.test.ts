import { createHmac } from 'node:crypto';
import { Headers, isGenuine } from './isGenuine';

const now = Date.parse('2026-11-02T08:00:00Z');
const key = Buffer.from('the-signing-key-of-a-test');
const body = Buffer.from('{"object_kind":"merge_request","title":"Ünïcode"}');

function signed(
  options: {
    id?: string;
    seconds?: number;
    with?: Buffer;
    over?: Buffer;
    version?: string;
  } = {},
): Headers {
  const { id = 'msg_1', seconds = now / 1000 } = options;
  const signature = createHmac('sha256', options.with ?? key)
    .update(`${id}.${seconds}.`)
    .update(options.over ?? body)
    .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `${options.version ?? 'v1'},${signature}`,
  };
}

const secrets = { tokens: ['token-old', 'token-new'], signingKeys: [key] };

describe('a webhook is genuine', () => {
  it.each<[string, Headers]>([
    ['with the first token', { 'x-gitlab-token': 'token-old' }],
    ['with the second token', { 'x-gitlab-token': 'token-new' }],
    ['with a signature of now', signed()],
    [
      'with a signature of almost 5 minutes ago',
      signed({ seconds: now / 1000 - 299 }),
    ],
    [
      'with a clock almost 5 minutes ahead',
      signed({ seconds: now / 1000 + 299 }),
    ],
    [
      'with one right signature among others',
      {
        ...signed(),
        'webhook-signature': `v1,AAAA v2,BBBB ${signed()['webhook-signature']}`,
      },
    ],
    [
      'with a right token beside a wrong signature',
      { ...signed({ with: Buffer.from('x') }), 'x-gitlab-token': 'token-new' },
    ],
  ])('%s', (_name, headers) => {
    expect(isGenuine({ headers, body, secrets, now })).toBe(true);
  });
});

describe('while one signing key takes the place of another', () => {
  const next = Buffer.from('the-signing-key-that-comes-next');
  const both = { tokens: [], signingKeys: [key, next] };

  it.each<[string, boolean, Headers]>([
    ['a signature by the old key is taken', true, signed()],
    ['a signature by the new key is taken', true, signed({ with: next })],
    [
      'signatures by both keys are taken',
      true,
      {
        ...signed(),
        'webhook-signature': [
          signed()['webhook-signature'],
          signed({ with: next })['webhook-signature'],
        ].join(' '),
      },
    ],
    [
      'a signature by a third key is refused',
      false,
      signed({ with: Buffer.from('the-signing-key-of-nobody') }),
    ],
    [
      'a signature by the new key is refused over another body',
      false,
      signed({ with: next, over: Buffer.from('{}') }),
    ],
  ])('%s', (_name, isTaken, headers) => {
    expect(isGenuine({ headers, body, secrets: both, now })).toBe(isTaken);
  });

  it.each<[string, boolean, Headers]>([
    ['the old one is refused once it is taken away', false, signed()],
    ['the new one is taken alone', true, signed({ with: next })],
  ])('%s', (_name, isTaken, headers) => {
    const after = { tokens: [], signingKeys: [next] };
    expect(isGenuine({ headers, body, secrets: after, now })).toBe(isTaken);
  });
});

describe('a webhook is refused', () => {
  const without = (name: string): Headers => {
    const headers = signed();
    delete headers[name];
    return headers;
  };

  it.each<[string, Headers]>([
    ['without anything', {}],
    ['with an empty token', { 'x-gitlab-token': '' }],
    ['with another token', { 'x-gitlab-token': 'token' }],
    ['with a token that only starts right', { 'x-gitlab-token': 'token-old-' }],
    ['with a token twice', { 'x-gitlab-token': ['token-old', 'token-old'] }],
    ['with the signing key as its token', { 'x-gitlab-token': key.toString() }],
    ['with a signature by another key', signed({ with: Buffer.from('x') })],
    ['with a signature over another body', signed({ over: Buffer.from('{}') })],
    ['with a signature of another version', signed({ version: 'v2' })],
    [
      'with a signature of over 5 minutes ago',
      signed({ seconds: now / 1000 - 301 }),
    ],
    ['with a signature of the future', signed({ seconds: now / 1000 + 301 })],
    ['with a signature for another id', { ...signed(), 'webhook-id': 'msg_2' }],
    [
      'with an older time put in',
      {
        ...signed({ seconds: now / 1000 - 900 }),
        'webhook-timestamp': String(now / 1000),
      },
    ],
    [
      'with a time that is no number',
      { ...signed(), 'webhook-timestamp': 'soon' },
    ],
    ['without an id', without('webhook-id')],
    ['without a time', without('webhook-timestamp')],
    ['without a signature', without('webhook-signature')],
  ])('%s', (_name, headers) => {
    expect(isGenuine({ headers, body, secrets, now })).toBe(false);
  });

  it('when only the other kind of secret is configured', () => {
    expect(
      isGenuine({
        headers: { 'x-gitlab-token': '' },
        body,
        secrets: { tokens: [], signingKeys: [key] },
        now,
      }),
    ).toBe(false);
    expect(
      isGenuine({
        headers: signed(),
        body,
        secrets: { tokens: ['token-old'], signingKeys: [] },
        now,
      }),
    ).toBe(false);
  });
});
