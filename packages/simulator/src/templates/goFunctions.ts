import { createHash } from 'node:crypto';
import { parse, stringify } from 'yaml';
import { TemplateError } from './goTemplateParser';
import { branchSlug, normalizeName } from './slug';

type GoFunction = (...values: unknown[]) => unknown;

/** Go's notion of an empty value, which counts as false. */
export function isTrue(value: unknown): boolean {
  if (value === undefined || value === null) {
    return false;
  }
  if (Array.isArray(value)) {
    return value.length > 0;
  }
  if (typeof value === 'object') {
    return Object.keys(value).length > 0;
  }
  return Boolean(value);
}

/** A value as Go prints it. */
export function goText(value: unknown): string {
  if (value === undefined || value === null) {
    return '<no value>';
  }
  if (Array.isArray(value)) {
    return `[${value.map(goText).join(' ')}]`;
  }
  if (typeof value === 'object') {
    return `map[${Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, entry]) => `${key}:${goText(entry)}`)
      .join(' ')}]`;
  }
  return String(value);
}

const text = (value: unknown) =>
  value === undefined || value === null ? '' : goText(value);
const number = (value: unknown) => Number(text(value)) || 0;
const items = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : [];
const record = (value: unknown): Record<string, unknown> =>
  value && typeof value === 'object' ? (value as Record<string, unknown>) : {};

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') {
    return left - right;
  }
  if (typeof left !== typeof right) {
    throw new TemplateError('incompatible types for comparison');
  }
  const [first, second] = [text(left), text(right)];
  if (first === second) {
    return 0;
  }
  return first < second ? -1 : 1;
}

function printf(format: unknown, ...values: unknown[]): string {
  let position = 0;
  return text(format).replace(
    /%([-+0 #]*)(\d*)(?:\.(\d+))?([vsdqxXft%])/g,
    (_whole, flags: string, width: string, precision: string, verb: string) => {
      if (verb === '%') {
        return '%';
      }
      const value = values[position];
      position += 1;
      let result: string;
      switch (verb) {
        case 'd':
          result = String(Math.trunc(number(value)));
          break;
        case 'f':
          result = number(value).toFixed(precision ? Number(precision) : 6);
          break;
        case 'q':
          result = JSON.stringify(text(value));
          break;
        case 'x':
          result =
            typeof value === 'number'
              ? value.toString(16)
              : Buffer.from(text(value)).toString('hex');
          break;
        case 's':
          result = precision
            ? text(value).slice(0, Number(precision))
            : text(value);
          break;
        default:
          result = goText(value);
      }
      if (flags.includes('-')) {
        return result.padEnd(Number(width));
      }
      return result.padStart(
        Number(width),
        flags.includes('0') && verb !== 's' ? '0' : ' ',
      );
    },
  );
}

function index(value: unknown, ...keys: unknown[]): unknown {
  return keys.reduce((current: unknown, key) => {
    if (Array.isArray(current)) {
      const position = number(key);
      if (position < 0 || position >= current.length) {
        throw new TemplateError(
          `error calling index: index out of range: ${position}`,
        );
      }
      return current[position];
    }
    if (current === undefined || current === null) {
      throw new TemplateError('error calling index: index of untyped nil');
    }
    return record(current)[text(key)];
  }, value);
}

function truncate(length: unknown, value: unknown): string {
  const limit = number(length);
  return limit < 0 ? text(value).slice(limit) : text(value).slice(0, limit);
}

function slugify(...values: unknown[]): string {
  const value = values.at(-1);
  return branchSlug(text(value), {
    length: values.length > 1 ? number(values[0]) : undefined,
    // The function's own default differs from the generator's slug.
    smart: values.length > 2 ? isTrue(values[1]) : false,
  });
}

const indent = (spaces: unknown, value: unknown) =>
  text(value)
    .split('\n')
    .map(line => ' '.repeat(number(spaces)) + line)
    .join('\n');

const pattern = (expression: unknown, flags = '') =>
  new RegExp(text(expression), flags);

const replacement = (value: unknown) =>
  text(value).replace(/\$\{(\d+)\}/g, '$$$1');

/** Go's own functions, the part of sprig that name and label templates use, and Argo CD's. */
export const goFunctions: Record<string, GoFunction> = {
  eq: (value, ...others) => others.some(other => compare(value, other) === 0),
  ne: (left, right) => compare(left, right) !== 0,
  lt: (left, right) => compare(left, right) < 0,
  le: (left, right) => compare(left, right) <= 0,
  gt: (left, right) => compare(left, right) > 0,
  ge: (left, right) => compare(left, right) >= 0,
  not: value => !isTrue(value),
  len: value => {
    if (typeof value === 'string') {
      return Buffer.byteLength(value);
    }
    return Array.isArray(value)
      ? value.length
      : Object.keys(record(value)).length;
  },
  index,
  slice: (value, from, to) =>
    typeof value === 'string'
      ? value.slice(number(from), to === undefined ? undefined : number(to))
      : items(value).slice(
          number(from),
          to === undefined ? undefined : number(to),
        ),
  print: (...values) => values.map(goText).join(''),
  println: (...values) => `${values.map(goText).join(' ')}\n`,
  printf,
  urlquery: value => encodeURIComponent(text(value)),

  lower: value => text(value).toLowerCase(),
  upper: value => text(value).toUpperCase(),
  title: value =>
    text(value).replace(/\b\p{L}/gu, letter => letter.toUpperCase()),
  trim: value => text(value).trim(),
  trimAll: (characters, value) => {
    const set = new Set(text(characters));
    const letters = [...text(value)];
    while (letters.length > 0 && set.has(letters[0])) {
      letters.shift();
    }
    while (letters.length > 0 && set.has(letters[letters.length - 1])) {
      letters.pop();
    }
    return letters.join('');
  },
  trimPrefix: (prefix, value) =>
    text(value).startsWith(text(prefix))
      ? text(value).slice(text(prefix).length)
      : text(value),
  trimSuffix: (suffix, value) =>
    text(suffix) !== '' && text(value).endsWith(text(suffix))
      ? text(value).slice(0, -text(suffix).length)
      : text(value),
  trunc: truncate,
  abbrev: (length, value) =>
    text(value).length > number(length)
      ? `${text(value).slice(0, number(length) - 3)}...`
      : text(value),
  substr: (from, to, value) => text(value).slice(number(from), number(to)),
  replace: (from, to, value) => text(value).split(text(from)).join(text(to)),
  repeat: (count, value) => text(value).repeat(number(count)),
  nospace: value => text(value).replace(/\s/g, ''),
  quote: (...values) =>
    values.map(value => JSON.stringify(text(value))).join(' '),
  squote: (...values) => values.map(value => `'${text(value)}'`).join(' '),
  cat: (...values) => values.map(text).join(' '),
  contains: (part, value) => text(value).includes(text(part)),
  hasPrefix: (part, value) => text(value).startsWith(text(part)),
  hasSuffix: (part, value) => text(value).endsWith(text(part)),
  indent,
  nindent: (spaces, value) => `\n${indent(spaces, value)}`,
  join: (separator, value) => items(value).map(text).join(text(separator)),
  splitList: (separator, value) => text(value).split(text(separator)),
  split: (separator, value) =>
    Object.fromEntries(
      text(value)
        .split(text(separator))
        .map((part, position) => [`_${position}`, part]),
    ),
  regexMatch: (expression, value) => pattern(expression).test(text(value)),
  regexFind: (expression, value) =>
    pattern(expression).exec(text(value))?.[0] ?? '',
  regexReplaceAll: (expression, value, by) =>
    text(value).replace(pattern(expression, 'g'), replacement(by)),
  regexReplaceAllLiteral: (expression, value, by) =>
    text(value).replace(pattern(expression, 'g'), () => text(by)),

  default: (fallback, value) => (isTrue(value) ? value : fallback),
  empty: value => !isTrue(value),
  coalesce: (...values) => values.find(isTrue),
  ternary: (yes, no, test) => (isTrue(test) ? yes : no),
  required: (message, value) => {
    if (value === undefined || value === '') {
      throw new TemplateError(`error calling required: ${text(message)}`);
    }
    return value;
  },
  fail: message => {
    throw new TemplateError(`error calling fail: ${text(message)}`);
  },

  list: (...values) => values,
  first: value => items(value)[0],
  last: value => items(value).at(-1),
  rest: value => items(value).slice(1),
  initial: value => items(value).slice(0, -1),
  has: (wanted, value) => items(value).some(item => item === wanted),
  uniq: value => [...new Set(items(value))],
  sortAlpha: value => items(value).map(text).sort(),
  compact: value => items(value).filter(isTrue),
  dict: (...values) => {
    const result: Record<string, unknown> = {};
    for (let position = 0; position < values.length; position += 2) {
      result[text(values[position])] = values[position + 1] ?? '';
    }
    return result;
  },
  get: (value, key) => record(value)[text(key)] ?? '',
  hasKey: (value, key) => text(key) in record(value),
  keys: value => Object.keys(record(value)),
  values: value => Object.values(record(value)),
  merge: (...values) =>
    Object.assign({}, ...values.map(record).reverse()) as unknown,

  int: value => Math.trunc(number(value)),
  int64: value => Math.trunc(number(value)),
  atoi: value => Math.trunc(number(value)),
  float64: number,
  toString: text,
  toJson: value => JSON.stringify(value),
  toYaml: value => stringify(value).trimEnd(),
  fromYaml: value => parse(text(value)) as unknown,
  fromJson: value => JSON.parse(text(value)) as unknown,
  add: (...values) =>
    values.reduce<number>((sum, value) => sum + number(value), 0),
  add1: value => number(value) + 1,
  sub: (left, right) => number(left) - number(right),
  mul: (...values) =>
    values.reduce<number>((product, value) => product * number(value), 1),
  div: (left, right) => Math.trunc(number(left) / number(right)),
  mod: (left, right) => number(left) % number(right),
  max: (...values) => Math.max(...values.map(number)),
  min: (...values) => Math.min(...values.map(number)),
  b64enc: value => Buffer.from(text(value)).toString('base64'),
  b64dec: value => Buffer.from(text(value), 'base64').toString('utf8'),
  sha1sum: value => createHash('sha1').update(text(value)).digest('hex'),
  sha256sum: value => createHash('sha256').update(text(value)).digest('hex'),

  slugify,
  normalize: value => normalizeName(text(value)),
};
