import { ConfigReader } from '@backstage/config';
import { readWebhookSecrets } from './secrets';

function read(gitlab: object[] | undefined) {
  return readWebhookSecrets(
    new ConfigReader(gitlab ? { previews: { gitlab } as never } : {}),
  );
}

describe('readWebhookSecrets', () => {
  it('takes tokens and signing keys of all hosts', () => {
    const key = Buffer.from('some key');
    expect(
      read([
        { host: 'a.example.com', webhookSecrets: ['one', 'two'] },
        { host: 'b.example.com' },
        {
          host: 'c.example.com',
          webhookSecrets: [`whsec_${key.toString('base64')}`],
        },
      ]),
    ).toEqual({ tokens: ['one', 'two'], signingKeys: [key] });
  });

  it.each<[string, object[] | undefined, string]>([
    ['no host', undefined, 'previews.gitlab[].webhookSecrets'],
    [
      'no secret',
      [{ host: 'a.example.com' }],
      'previews.gitlab[].webhookSecrets',
    ],
    [
      'an empty list',
      [{ host: 'a.example.com', webhookSecrets: [] }],
      'previews.gitlab[].webhookSecrets',
    ],
    [
      'a blank secret',
      [{ host: 'a.example.com', webhookSecrets: ['one', ' '] }],
      'previews.gitlab[0].webhookSecrets[1]',
    ],
    [
      'a signing key that is no base64',
      [{ host: 'a.example.com', webhookSecrets: ['whsec_!!!'] }],
      'previews.gitlab[0].webhookSecrets[0]',
    ],
    [
      'a signing key without a key',
      [{ host: 'a.example.com', webhookSecrets: ['whsec_'] }],
      'previews.gitlab[0].webhookSecrets[0]',
    ],
  ])('names the key for %s', (_name, gitlab, key) => {
    expect(() => read(gitlab)).toThrow(`'${key}'`);
  });

  it('does not repeat a secret in its error', () => {
    expect(() =>
      read([{ host: 'a.example.com', webhookSecrets: ['whsec_s3cret!'] }]),
    ).toThrow(expect.not.objectContaining({ message: /s3cret/ }));
  });
});
