import { ConfigReader } from '@backstage/config';
import { JsonObject } from '@backstage/types';
import { readPreviewsConfig } from '.';

const read = (previews: JsonObject, others: JsonObject = {}) =>
  readPreviewsConfig(new ConfigReader({ previews, ...others }));

describe('previews.acme', () => {
  it('takes the limits that an authority has granted, and who is notified', () => {
    expect(
      read({
        acme: {
          certificatesPerDomain: 100,
          certificatesPerNameSet: 7,
          domains: [{ domain: 'Example.com', certificates: 300 }],
          unlimitedServers: ['acme.example.net'],
          notify: ['group:platform', 'user:default/dev1'],
        },
      }).acme,
    ).toEqual({
      certificatesPerDomain: 100,
      certificatesPerNameSet: 7,
      domains: [{ domain: 'example.com', certificates: 300 }],
      unlimitedServers: ['acme.example.net'],
      notify: ['group:default/platform', 'user:default/dev1'],
    });
  });

  it.each<[string, JsonObject, string]>([
    ['an unknown key', { limit: 3 }, 'previews.acme.limit'],
    [
      'no certificates',
      { certificatesPerDomain: 0 },
      'previews.acme.certificatesPerDomain',
    ],
    [
      'half a certificate',
      { certificatesPerNameSet: 2.5 },
      'previews.acme.certificatesPerNameSet',
    ],
    [
      'a domain that is a URL',
      { domains: [{ domain: 'https://example.com', certificates: 5 }] },
      'previews.acme.domains[0].domain',
    ],
    [
      'a domain without a number',
      { domains: [{ domain: 'example.com' }] },
      'previews.acme.domains[0].certificates',
    ],
    [
      'a server that is a URL',
      { unlimitedServers: ['https://acme.example.net/directory'] },
      'previews.acme.unlimitedServers[0]',
    ],
    [
      'a ref without a kind',
      { notify: ['platform'] },
      'previews.acme.notify[0]',
    ],
  ])('names the key of %s', (_, acme, key) => {
    expect(() => read({ acme })).toThrow(
      expect.objectContaining({
        name: 'InputError',
        message: expect.stringContaining(key),
      }),
    );
  });
});

describe('previews.checks.tokens', () => {
  const gitlab = [{ host: 'gitlab.example.com', token: 'of-the-portal' }];
  const tokensOf = (...tokens: JsonObject[]) =>
    read({ gitlab, checks: { tokens } }).checks.tokens;

  it('are tokens of configured hosts, with or without the token itself', () => {
    expect(
      tokensOf(
        { name: 'generator', host: 'GitLab.example.com', token: 'secret' },
        { name: 'runner', host: 'gitlab.example.com' },
      ),
    ).toEqual([
      { name: 'generator', host: 'gitlab.example.com', token: 'secret' },
      { name: 'runner', host: 'gitlab.example.com' },
    ]);
  });

  const named = { name: 'a', host: 'gitlab.example.com' };

  it.each<[string, JsonObject[], string]>([
    ['an unknown key', [{ ...named, scope: 'api' }], 'checks.tokens[0].scope'],
    ['no name', [{ host: 'gitlab.example.com' }], 'name'],
    [
      'a host that nobody configured',
      [{ ...named, host: 'elsewhere.example.com' }],
      'checks.tokens[0].host',
    ],
    ['a name that is there twice', [named, named], 'checks.tokens[1].name'],
  ])('stop the start with %s', (_, tokens, key) => {
    let thrown: unknown;
    try {
      tokensOf(...tokens.map(token => ({ ...token, token: 'top-secret' })));
    } catch (error) {
      thrown = error;
    }
    expect(String(thrown) + String((thrown as Error).cause)).toContain(key);
    expect(String(thrown)).not.toContain('top-secret');
  });
});
