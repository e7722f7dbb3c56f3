/* eslint-disable no-script-url -- hostile addresses are what is tested here */
import { Story } from '../testing/Story';
import { Json, WorldBuilder } from '../testing/world';

function urlsOf(world: WorldBuilder, allowedDomains: string[] = []) {
  return new Story({ settings: { allowedDomains } })
    .pass(world)
    .preview()
    .urls.map(({ url, clickable }) => `${clickable ? 'open' : 'show'} ${url}`);
}

const { live } = WorldBuilder;
const hosts = (...hostnames: string[]) =>
  live().httpRoute({ spec: { hostnames } });
const external = (...externalURLs: string[]) =>
  live()
    .without('httpRoutes')
    .application({ status: { summary: { externalURLs } } });

const httpListener: Json = {
  spec: {
    listeners: [
      {
        name: 'http',
        port: 80,
        protocol: 'HTTP',
        hostname: '*.preview.example.com',
      },
    ],
  },
};
const label = (length: number) => `${'a'.repeat(length)}.preview.example.com`;

describe('the addresses of a preview', () => {
  it.each<[string, () => string[], string[]]>([
    [
      'the host of its route may be opened',
      () => urlsOf(live()),
      ['open https://mr-7.preview.example.com'],
    ],
    [
      'each host of a route is an address',
      () => urlsOf(hosts('a.preview.example.com', 'b.preview.example.com')),
      [
        'open https://a.preview.example.com',
        'open https://b.preview.example.com',
      ],
    ],
    [
      'hosts are in lower case, once',
      () => urlsOf(hosts('A.preview.example.com', 'a.preview.example.com')),
      ['open https://a.preview.example.com'],
    ],
    [
      'a route whose listeners all speak HTTP is no HTTPS address',
      () => urlsOf(live().gateway(httpListener)),
      ['open http://mr-7.preview.example.com'],
    ],
    [
      'a wildcard is no address',
      () => urlsOf(hosts('*.preview.example.com')),
      [],
    ],
    [
      'a label of 63 characters may be opened',
      () => urlsOf(hosts(label(63))),
      [`open https://${label(63)}`],
    ],
    [
      'a label of 64 characters is shown and not opened',
      () => urlsOf(hosts(label(64))),
      [`show https://${label(64)}`],
    ],
    [
      'a host beyond 253 characters is shown and not opened',
      () =>
        urlsOf(hosts(`${'a.'.repeat(130)}example.com`)).map(text =>
          text.slice(0, 4),
        ),
      ['show'],
    ],
    [
      'an empty label is shown and not opened',
      () => urlsOf(hosts('a..example.com')),
      ['show https://a..example.com'],
    ],
    [
      'what is no host name is dropped',
      () =>
        urlsOf(
          hosts(
            'a b',
            'javascript:alert(1)',
            '<b>',
            'evil.example.com/x',
            'ä.example.com',
            'a@b.example.com',
            '-a.example.com',
          ),
        ),
      [],
    ],
    [
      'an Ingress with TLS is an HTTPS address',
      () => urlsOf(live().without('httpRoutes').ingress()),
      ['open https://mr-7.preview.example.com'],
    ],
    [
      'an Ingress without TLS is an HTTP address',
      () =>
        urlsOf(
          live()
            .without('httpRoutes')
            .ingress({ spec: { tls: null } }),
        ),
      ['open http://mr-7.preview.example.com'],
    ],
    [
      'TLS for a wildcard covers a host of an Ingress one label below',
      () =>
        urlsOf(
          live()
            .without('httpRoutes')
            .ingress({
              spec: {
                rules: [
                  { host: 'MR-7.preview.example.com' },
                  { host: 'two.deep.preview.example.com' },
                ],
                tls: [
                  { hosts: ['*.preview.example.com'], secretName: 'wildcard' },
                ],
              },
            }),
        ),
      [
        'open https://mr-7.preview.example.com',
        'open http://two.deep.preview.example.com',
      ],
    ],
    [
      'a label of 67 characters below an allowed domain is shown and not opened',
      () => urlsOf(external(`https://${label(67)}/`), ['example.com']),
      [`show https://${label(67)}/`],
    ],
    [
      'TLS without hosts covers all of an Ingress',
      () =>
        urlsOf(
          live()
            .without('httpRoutes')
            .ingress({ spec: { tls: [{ secretName: 'x' }] } }),
        ),
      ['open https://mr-7.preview.example.com'],
    ],
    [
      'TLS of another host does not cover it',
      () =>
        urlsOf(
          live()
            .without('httpRoutes')
            .ingress({ spec: { tls: [{ hosts: ['x.example.com'] }] } }),
        ),
      ['open http://mr-7.preview.example.com'],
    ],
    [
      'an address that Argo CD names is shown and not opened',
      () => urlsOf(external('https://shop.example.com/')),
      ['show https://shop.example.com/'],
    ],
    [
      'an address below an allowed domain may be opened',
      () => urlsOf(external('https://shop.example.com/'), ['example.com']),
      ['open https://shop.example.com/'],
    ],
    [
      'an allowed domain may be written as a wildcard',
      () => urlsOf(external('https://shop.example.com/'), ['*.example.com']),
      ['open https://shop.example.com/'],
    ],
    [
      'a domain that only ends alike is not allowed',
      () => urlsOf(external('https://badexample.com/'), ['example.com']),
      ['show https://badexample.com/'],
    ],
    [
      'an empty allowed domain allows nothing',
      () => urlsOf(external('https://shop.example.com/'), ['']),
      ['show https://shop.example.com/'],
    ],
    [
      'a path on its own host may be opened',
      () =>
        urlsOf(
          live().application({
            status: {
              summary: {
                externalURLs: ['https://mr-7.preview.example.com/admin'],
              },
            },
          }),
        ),
      [
        'open https://mr-7.preview.example.com',
        'open https://mr-7.preview.example.com/admin',
      ],
    ],
    [
      'the same address with a slash is told once',
      () =>
        urlsOf(
          live().application({
            status: {
              summary: { externalURLs: ['https://mr-7.preview.example.com/'] },
            },
          }),
        ),
      ['open https://mr-7.preview.example.com'],
    ],
    [
      'anything but HTTP is dropped',
      () =>
        urlsOf(
          external(
            'javascript:alert(1)',
            'data:text/html,x',
            'ftp://a.example.com',
            'vbscript:x',
            'file:///etc/passwd',
          ),
          ['example.com'],
        ),
      [],
    ],
    [
      'credentials in an address drop it',
      () =>
        urlsOf(
          external(
            'https://shop.example.com@evil.org/',
            'https://user:word@shop.example.com/',
          ),
          ['example.com'],
        ),
      [],
    ],
    [
      'what is no address is dropped',
      () =>
        urlsOf(external('shop', '//shop.example.com', 'https://', 'https:// ')),
      [],
    ],
    [
      'more than 20 addresses are cut',
      () => [
        String(
          urlsOf(
            hosts(
              ...Array.from(
                { length: 30 },
                (_, index) => `h${index}.example.com`,
              ),
            ),
          ).length,
        ),
      ],
      ['20'],
    ],
    [
      'a preview without a route has none',
      () => urlsOf(live().without('httpRoutes')),
      [],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toEqual(expected);
  });
});

describe('the links of a preview', () => {
  it.each([
    ['https://gitlab.example.com/group/shop/-/merge_requests/7', true],
    ['https://evil.example.com/group/shop/-/merge_requests/7', false],
    ['javascript:alert(1)', false],
    ['https://user@gitlab.example.com/x', false],
  ])('lead to %s: %s', (webUrl, kept) => {
    const { mergeRequest } = new Story()
      .pass(live().mergeRequest({ web_url: webUrl }))
      .preview();
    expect(mergeRequest.webUrl).toBe(
      kept
        ? webUrl
        : 'https://gitlab.example.com/group/shop/-/merge_requests/7',
    );
  });

  it('stay below the subpath of the configured GitLab', () => {
    const host = 'gitlab.example.com';
    const world = live()
      .gitlab({ host, webUrl: 'https://example.com/gitlab' })
      .mergeRequest({ web_url: 'https://example.com/gitlabs/x' });
    expect(new Story().pass(world).preview().mergeRequest.webUrl).toBe(
      'https://example.com/gitlab/group/shop/-/merge_requests/7',
    );
  });

  it('lead into the Argo CD that is configured for the cluster', () => {
    const story = new Story({
      settings: {
        argocdUrls: { '': 'https://argo.example.com/', blue: 'https://x' },
      },
    }).pass(live());
    expect(story.preview().applications[0].webUrl).toBe(
      'https://argo.example.com/applications/argocd/preview-mr-7',
    );
  });
});
