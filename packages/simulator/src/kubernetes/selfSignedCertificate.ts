import {
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A certificate that is its own authority, with its key, both in PEM. */
export interface SelfSignedCertificate {
  certificate: string;
  privateKey: string;
}

const DAY_MILLISECONDS = 86_400_000;
const LIFETIME_DAYS = 825;

function encode(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), length(content.length), content]);
}

function length(bytes: number): Buffer {
  if (bytes < 0x80) {
    return Buffer.from([bytes]);
  }
  return bytes < 0x100
    ? Buffer.from([0x81, bytes])
    : Buffer.from([0x82, bytes >> 8, bytes & 0xff]);
}

const sequence = (...items: Buffer[]) => encode(0x30, ...items);
const set = (...items: Buffer[]) => encode(0x31, ...items);
const integer = (bytes: Buffer) => encode(0x02, bytes);
const bitString = (bytes: Buffer) => encode(0x03, Buffer.from([0]), bytes);
const utf8String = (text: string) => encode(0x0c, Buffer.from(text));
const explicit = (number: number, item: Buffer) => encode(0xa0 | number, item);
const extension = (identifier: string, value: Buffer) =>
  sequence(objectIdentifier(identifier), encode(0x04, value));

function alternativeName(host: string): Buffer {
  return isIPv4(host)
    ? encode(0x87, Buffer.from(host.split('.').map(Number)))
    : encode(0x82, Buffer.from(host));
}

function utcTime(time: Date): Buffer {
  const text = time.toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return encode(0x17, Buffer.from(`${text}Z`));
}

function objectIdentifier(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) {
      groups.unshift((left & 0x7f) | 0x80);
    }
    bytes.push(...groups);
  }
  return encode(0x06, Buffer.from(bytes));
}

/**
 * Makes a server certificate for local use. Clients such as `kubectl` send a
 * token only over TLS, and Node.js has no call that makes a certificate, so
 * this encodes one (RFC 5280) for a fresh P-256 key.
 *
 * @param options - `hosts` are DNS names and IPv4 addresses
 */
export function createSelfSignedCertificate(options: {
  hosts: string[];
  now: Date;
}): SelfSignedCertificate {
  const { hosts, now } = options;
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
  });
  const algorithm = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
  const name = sequence(
    set(sequence(objectIdentifier('2.5.4.3'), utf8String('simulator'))),
  );
  const serial = randomBytes(16);
  // A leading bit of 0 keeps the integer positive, one of 1 keeps it minimal.
  serial[0] = (serial[0] & 0x7f) | 0x40;
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serial),
    algorithm,
    name,
    sequence(
      utcTime(new Date(now.getTime() - DAY_MILLISECONDS)),
      utcTime(new Date(now.getTime() + LIFETIME_DAYS * DAY_MILLISECONDS)),
    ),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(
      3,
      sequence(
        // basicConstraints: an authority
        extension('2.5.29.19', sequence(encode(0x01, Buffer.from([0xff])))),
        // extKeyUsage: server authentication
        extension('2.5.29.37', sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))),
        // subjectAltName
        extension('2.5.29.17', sequence(...hosts.map(alternativeName))),
      ),
    ),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = new X509Certificate(
    sequence(body, algorithm, bitString(signature)),
  );
  return {
    certificate: certificate.toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
