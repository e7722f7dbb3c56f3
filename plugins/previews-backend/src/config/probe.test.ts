import { ConfigReader } from '@backstage/config';
import { JsonObject } from '@backstage/types';
import { createMockDirectory } from '@backstage/backend-test-utils';
import { TestAuthority } from '../sources/testing/TestAuthority';
import { readPreviewsConfig } from '.';

const domains = ['preview.example.com'];

function read(probe: JsonObject) {
  return readPreviewsConfig(
    new ConfigReader({ previews: { probe } }, 'app-config.yaml'),
  ).probe;
}

describe('previews.probe', () => {
  const directory = createMockDirectory();

  it('is off unless it is enabled', () => {
    expect(readPreviewsConfig(new ConfigReader({})).probe).toBeUndefined();
    expect(read({ domains })).toBeUndefined();
    expect(read({ enabled: false, domains })).toBeUndefined();
  });

  it('has defaults for all but the domains', () => {
    expect(read({ enabled: true, domains: ['Preview.Example.com'] })).toEqual({
      domains,
      allowedNetworks: [],
      port: 443,
      everyMilliseconds: 300_000,
      timeoutMilliseconds: 10_000,
      concurrency: 4,
      caCertificates: [],
    });
  });

  it('takes everything else', () => {
    const authorities = [new TestAuthority('One'), new TestAuthority('Two')];
    directory.setContent({
      'ca.crt': `# ours\n${authorities
        .map(({ certificate }) => certificate)
        .join('\n')}`,
    });
    expect(
      read({
        enabled: true,
        domains,
        allowedNetworks: ['10.0.0.0/8', 'fd00::/8'],
        port: 8443,
        every: '1m',
        timeout: { seconds: 3 },
        concurrency: 1,
        caFile: directory.resolve('ca.crt'),
      }),
    ).toEqual({
      domains,
      allowedNetworks: [
        { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
        { address: 'fd00::', prefix: 8, family: 'ipv6' },
      ],
      port: 8443,
      everyMilliseconds: 60_000,
      timeoutMilliseconds: 3_000,
      concurrency: 1,
      caCertificates: authorities.map(({ certificate }) => certificate),
    });
  });

  it.each<[string, JsonObject]>([
    ['previews.probe.domains', { enabled: true }],
    ['previews.probe.domains', { enabled: true, domains: [] }],
    ['previews.probe.domains[1]', { domains: ['example.com', '*.a.com'] }],
    ['previews.probe.domains[0]', { domains: ['https://example.com'] }],
    ['previews.probe.allowedNetworks[0]', { allowedNetworks: ['10.0.0.1'] }],
    ['previews.probe.allowedNetworks[0]', { allowedNetworks: ['10.0.0.0/33'] }],
    ['previews.probe.allowedNetworks[0]', { allowedNetworks: ['fd00::/129'] }],
    ['previews.probe.allowedNetworks[0]', { allowedNetworks: ['fe80::%1/64'] }],
    ['previews.probe.allowedNetworks[0]', { allowedNetworks: ['a.com/8'] }],
    [
      'previews.probe.allowedNetworks[0]',
      { allowedNetworks: ['10.0.0.0/8/8'] },
    ],
    ['previews.probe.port', { port: 0 }],
    ['previews.probe.port', { port: 65_536 }],
    ['previews.probe.concurrency', { concurrency: 51 }],
    ['previews.probe.concurrency', { concurrency: 1.5 }],
    ['previews.probe.every', { every: 'often' }],
    ['previews.probe.timeout', { timeout: '0s' }],
    ['previews.probe.caFile', { caFile: '/nowhere/ca.crt' }],
    ['previews.probe.follow', { follow: true }],
  ])('names %s where it is malformed: %j', (key, probe) => {
    expect(() => read(probe)).toThrow(key);
  });

  it('refuses a file without certificates', () => {
    directory.setContent({
      'empty.crt': 'nothing',
      'broken.crt':
        '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    });
    for (const name of ['empty.crt', 'broken.crt']) {
      expect(() => read({ caFile: directory.resolve(name) })).toThrow(
        'previews.probe.caFile',
      );
    }
  });
});
