import { generateKeyPairSync, KeyObject, randomBytes, sign } from 'node:crypto';

/** A certificate with its key, and the chain that a server sends, all in PEM. */
export interface TestCertificate {
  cert: string;
  key: string;
}

interface Identity {
  name: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

const DAY_MILLISECONDS = 86_400_000;

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  let size: Buffer;
  if (content.length < 0x80) {
    size = Buffer.from([content.length]);
  } else {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(content.length);
    const digits = bytes.subarray(bytes.findIndex(byte => byte !== 0));
    size = Buffer.concat([Buffer.from([0x80 | digits.length]), digits]);
  }
  return Buffer.concat([Buffer.from([tag]), size, content]);
}

const sequence = (...items: Buffer[]) => der(0x30, ...items);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);
const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'));

function time(date: Date): Buffer {
  const text = date.toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return der(0x18, Buffer.from(`${text}Z`));
}

function commonName(name: string): Buffer {
  return sequence(
    der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))),
  );
}

function extension(identifier: string, value: Buffer): Buffer {
  return sequence(oid(identifier), der(0x04, value));
}

function createIdentity(name: string): Identity {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { name, ...keys };
}

/** A certificate as RFC 5280 lays it out; Node.js has no call that makes one. */
function certify(options: {
  subject: Identity;
  issuer: Identity;
  /** DNS names; undefined for an authority. */
  hosts?: readonly string[];
  notBefore: Date;
  notAfter: Date;
}): string {
  const { subject, issuer, hosts, notBefore, notAfter } = options;
  const serial = randomBytes(16);
  // Positive, and not longer than it has to be.
  serial[0] = (serial[0] & 0x7f) | 0x40;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ECDSA_SHA256,
    commonName(issuer.name),
    sequence(time(notBefore), time(notAfter)),
    commonName(subject.name),
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        hosts
          ? extension(
              '551d11',
              sequence(...hosts.map(host => der(0x82, Buffer.from(host)))),
            )
          : extension('551d13', sequence(der(0x01, Buffer.from([0xff])))),
      ),
    ),
  );
  const signed = sequence(
    body,
    ECDSA_SHA256,
    bits(sign('sha256', body, issuer.privateKey)),
  );
  const lines = signed
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** A certificate authority of a test, which nobody else trusts. */
export class TestAuthority {
  /** Of the authority itself, in PEM. */
  readonly certificate: string;
  readonly #identity: Identity;

  constructor(name = 'Test Authority') {
    this.#identity = createIdentity(name);
    this.certificate = certify({
      subject: this.#identity,
      issuer: this.#identity,
      notBefore: inDays(-10),
      notAfter: inDays(3650),
    });
  }

  /** A certificate for hosts, in force from yesterday until in 90 days unless told. */
  issue(
    hosts: readonly string[],
    options: { notBefore?: Date; notAfter?: Date } = {},
  ): TestCertificate {
    const { notBefore = inDays(-1), notAfter = inDays(90) } = options;
    const subject = createIdentity(hosts[0] ?? 'nobody');
    const leaf = certify({
      subject,
      issuer: this.#identity,
      hosts,
      notBefore,
      notAfter,
    });
    return {
      cert: `${leaf}${this.certificate}`,
      key: pemOf(subject.privateKey),
    };
  }

  /** A certificate that is signed by nobody but itself. */
  static selfSigned(hosts: readonly string[]): TestCertificate {
    const subject = createIdentity(hosts[0]);
    return {
      cert: certify({
        subject,
        issuer: subject,
        hosts,
        notBefore: inDays(-1),
        notAfter: inDays(90),
      }),
      key: pemOf(subject.privateKey),
    };
  }
}

export function inDays(days: number): Date {
  return new Date(Date.now() + days * DAY_MILLISECONDS);
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
