import { secretIn, withoutSecrets } from './secrets';

const TOKEN = `glpat-${'aB3-_xYz'.repeat(3)}`;

it.each([
  [`token: ${TOKEN}`, 'glpat-…'],
  [`key AKIA${'ABCDEFGH12345678'}`, 'AKIAAB…'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMII', '-----B…'],
  ['https://bot:hunter22@example.com/', '://…:…@'],
])('recognises the secret in a text and shows little of it', (text, shown) => {
  expect(secretIn(text)).toBe(shown);
  expect(withoutSecrets(text)).not.toContain('hunter22');
  expect(withoutSecrets(text)).not.toContain('xYzaB3');
});

it.each([
  'glpat-short',
  'https://bot:$TOKEN@example.com/',
  'https://bot:{{ .token }}@example.com/',
  'git@example.com:group/shop.git',
  'http://example.com:8080/a@b',
  'sha256:0123456789abcdef0123456789abcdef',
])('takes %s for no secret', text => {
  expect(secretIn(text)).toBeUndefined();
  expect(withoutSecrets(text)).toBe(text);
});
