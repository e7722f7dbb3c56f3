import { DnsOwnership, DnsRecordFact, dnsRecordTypes } from '../../model/dns';
import {
  asObject,
  compact,
  JsonObject,
  objectsOf,
  wholeTextOf,
  wordOf,
} from './values';

/** A name has at most 255 octets; escaped, each may take four characters. */
const MAXIMUM_ESCAPED_NAME = 4 * 255;
const MAXIMUM_NAME = 255;
const MAXIMUM_VALUE = 4000;

/**
 * A name as people write it: lower case, without the dot at the end. Route 53
 * escapes everything but letters, digits, `-`, `_` and dots by its octal code, so
 * that `*` is `\052`.
 */
export function unescapedName(text: string): string {
  return text
    .replace(/\\([0-3][0-7]{2})/g, (_, octal: string) =>
      String.fromCharCode(parseInt(octal, 8)),
    )
    .replace(/\.$/, '')
    .toLowerCase();
}

/**
 * The text of a TXT value: its quoted character strings, joined. Undefined for
 * what is not quoted to its end.
 */
export function textOfTxtValue(value: string): string | undefined {
  const strings = [...value.matchAll(/"((?:[^"\\]|\\.)*)"\s*/gs)];
  const length = strings.reduce((sum, [whole]) => sum + whole.length, 0);
  if (strings.length === 0 || length !== value.length) {
    return undefined;
  }
  return strings
    .map(([, text]) =>
      text
        .replace(/\\([0-3][0-7]{2})/g, (_, octal: string) =>
          String.fromCharCode(parseInt(octal, 8)),
        )
        .replace(/\\(.)/gs, '$1'),
    )
    .join('');
}

/**
 * What a TXT record of external-dns says. One that is encrypted says nothing that
 * could be read here.
 */
export function parseOwnership(text: string): DnsOwnership | undefined {
  const labels = new Map<string, string>();
  for (const part of text.split(',')) {
    const [key, ...value] = part.split('=');
    labels.set(key.trim(), value.join('=').trim());
  }
  if (labels.get('heritage') !== 'external-dns') {
    return undefined;
  }
  const label = (name: string) =>
    wholeTextOf(labels.get(`external-dns/${name}`), MAXIMUM_NAME);
  const owner = label('owner');
  return owner === undefined
    ? undefined
    : compact({ owner, resource: label('resource') });
}

function ownershipOf(object: JsonObject): DnsOwnership | undefined {
  for (const record of objectsOf(object.ResourceRecords)) {
    const value = wholeTextOf(record.Value, MAXIMUM_VALUE);
    const text = value === undefined ? undefined : textOfTxtValue(value);
    const ownership = text === undefined ? undefined : parseOwnership(text);
    if (ownership) {
      return ownership;
    }
  }
  return undefined;
}

/**
 * A record set as Route 53 lists it; undefined for a type that nothing is
 * concluded from. Aliases have neither TTL nor values, and are records all the
 * same.
 */
export function parseDnsRecord(value: unknown): DnsRecordFact | undefined {
  const object = asObject(value);
  const escaped = wholeTextOf(object?.Name, MAXIMUM_ESCAPED_NAME);
  const type = wordOf(object?.Type, dnsRecordTypes, undefined);
  if (!object || escaped === undefined || type === undefined) {
    return undefined;
  }
  const name = unescapedName(escaped);
  if (name === '' || name.length > MAXIMUM_NAME) {
    return undefined;
  }
  return compact({
    name,
    type,
    ownership: type === 'TXT' ? ownershipOf(object) : undefined,
  });
}
