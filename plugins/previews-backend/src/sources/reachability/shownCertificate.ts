import { ShownCertificate } from '@previews/backstage-plugin-previews-common';
import {
  checkServerIdentity,
  DetailedPeerCertificate,
  PeerCertificate,
  TLSSocket,
} from 'node:tls';

const MAXIMUM_NAMES = 20;
const MAXIMUM_CHAIN = 8;
const MAXIMUM_TEXT = 253;

/** The certificate of a connection; undefined where none was shown. */
export function shownCertificate(
  socket: TLSSocket,
  host: string,
): ShownCertificate | undefined {
  const certificate = socket.getPeerCertificate(true);
  const notBefore = isoTime(certificate.valid_from);
  const notAfter = isoTime(certificate.valid_to);
  if (notBefore === undefined || notAfter === undefined) {
    return undefined;
  }
  const chain = issuersOf(certificate);
  const error = socket.authorized ? undefined : codeIn(socket);
  return {
    names: namesOf(certificate),
    ...(chain[0] !== undefined && { issuer: chain[0] }),
    chain,
    notBefore,
    notAfter,
    namesHost: checkServerIdentity(host, certificate) === undefined,
    // Whose names do not fit is judged apart from who signed it.
    trusted: socket.authorized || error === 'ERR_TLS_CERT_ALTNAME_INVALID',
    ...(error !== undefined &&
      error !== 'ERR_TLS_CERT_ALTNAME_INVALID' && { error }),
  };
}

/** A code alone: what else an error says may quote what the host sent. */
function codeIn({ authorizationError }: TLSSocket): string {
  const error: unknown = authorizationError;
  const code =
    typeof error === 'object' && error !== null && 'code' in error
      ? error.code
      : error;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)
    ? code
    : 'UNTRUSTED';
}

function isoTime(text: string | undefined): string | undefined {
  const milliseconds = Date.parse(text ?? '');
  return Number.isNaN(milliseconds)
    ? undefined
    : new Date(milliseconds).toISOString();
}

/** DNS names of the subject alternative names; other kinds are of no use for a host. */
function namesOf({ subjectaltname = '' }: PeerCertificate): string[] {
  const names = subjectaltname
    .split(', ')
    .filter(name => name.startsWith('DNS:'))
    .map(name => clipped(name.slice('DNS:'.length).toLowerCase()));
  return [...new Set(names)].slice(0, MAXIMUM_NAMES);
}

/** Issuers from the certificate's own up; those that were not sent are unknown. */
function issuersOf(certificate: DetailedPeerCertificate): string[] {
  const issuers: string[] = [];
  let current: DetailedPeerCertificate | undefined = certificate;
  while (current && issuers.length < MAXIMUM_CHAIN) {
    const name = nameOf(current.issuer);
    if (name !== undefined) {
      issuers.push(name);
    }
    // A root is its own issuer.
    const next: DetailedPeerCertificate | undefined = current.issuerCertificate;
    current = next === current ? undefined : next;
  }
  return issuers.filter((name, index) => name !== issuers[index - 1]);
}

function nameOf(
  issuer: Partial<Record<'CN' | 'O', string | string[]>> | undefined,
): string | undefined {
  const name = issuer?.CN ?? issuer?.O;
  const text = Array.isArray(name) ? name[0] : name;
  return text === undefined || text === '' ? undefined : clipped(text);
}

function clipped(text: string): string {
  return text.slice(0, MAXIMUM_TEXT);
}
