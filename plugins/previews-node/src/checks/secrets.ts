/** Tokens and keys that are known by their shape. */
const SHAPES = [
  'gl(?:pat|dt|rt|ft|ptt|agent|cbt|imt|soat)-[\\w-]{16,}',
  '(?:AKIA|ASIA)[A-Z0-9]{16}',
  'gh[pousr]_[A-Za-z0-9]{30,}',
  'xox[abprs]-[\\w-]{10,}',
  'eyJ[\\w-]{10,}\\.eyJ[\\w-]{10,}\\.[\\w-]{5,}',
  '-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----',
];

const SECRET = new RegExp(`(?<![\\w-])(?:${SHAPES.join('|')})`);
const SECRETS = new RegExp(SECRET, 'g');

/** `https://name:password@host`, unless the password is filled in elsewhere. */
const IN_URL = /:\/\/[^\s/:@$<{]{1,100}:(?![$<{])[^\s/@]{3,200}@/;

function masked(secret: string): string {
  return `${secret.slice(0, 6)}…`;
}

/** The first token or key in a text, as little of it as tells which one it is. */
export function secretIn(text: string): string | undefined {
  const known = SECRET.exec(text);
  if (known) {
    return masked(known[0]);
  }
  return IN_URL.test(text) ? '://…:…@' : undefined;
}

/** A text without the tokens and keys in it. */
export function withoutSecrets(text: string): string {
  return text
    .replace(SECRETS, masked)
    .replace(new RegExp(IN_URL, 'g'), '://…:…@');
}
