import { createHash } from 'node:crypto';
import { RE2JS } from 're2js';
import { parse as parseYaml, stringify as stringifyYaml } from 'yaml';
import { compileExpression } from '../expressions';
import { TemplateError } from './lexer';
import { normalizeName, slugifyName } from './slug';

/** Characters; beyond this it is no name and no value of an Application. */
export const MAX_OUTPUT = 200_000;

type TemplateFunction = (...parameters: any[]) => unknown;

/** Go's idea of truth: zero, empty and nil are false. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value) || typeof value === 'string') {
    return value.length > 0;
  }
  if (value && typeof value === 'object') {
    return Object.keys(value).length > 0;
  }
  return Boolean(value);
}

/** How text/template prints a value. */
export function printValue(value: unknown): string {
  if (value === undefined || value === null) {
    return '<no value>';
  }
  if (Array.isArray(value)) {
    return `[${value.map(printValue).join(' ')}]`;
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `map[${entries
      .map(([key, item]) => `${key}:${printValue(item)}`)
      .join(' ')}]`;
  }
  return String(value);
}

function text(value: unknown): string {
  return value === undefined || value === null ? '' : printValue(value);
}

function length(value: unknown): number {
  if (typeof value === 'string') {
    return Buffer.byteLength(value);
  }
  return Array.isArray(value)
    ? value.length
    : Object.keys((value as object) ?? {}).length;
}

function index(value: unknown, ...keys: unknown[]): unknown {
  return keys.reduce<unknown>((current, key) => {
    if (Array.isArray(current)) {
      if (typeof key !== 'number' || key < 0 || key >= current.length) {
        throw new TemplateError(`index out of range: ${printValue(key)}`);
      }
      return current[key];
    }
    if (current && typeof current === 'object') {
      return Object.hasOwn(current, text(key))
        ? (current as Record<string, unknown>)[text(key)]
        : undefined;
    }
    if (typeof current === 'string' && typeof key === 'number') {
      return current.charCodeAt(key);
    }
    throw new TemplateError('cannot index this value');
  }, value);
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') {
    return a - b;
  }
  if (typeof a !== typeof b) {
    throw new TemplateError('incompatible types for comparison');
  }
  const [left, right] = [text(a), text(b)];
  if (left === right) {
    return 0;
  }
  return left < right ? -1 : 1;
}

function format(pattern: string, ...values: unknown[]): string {
  let next = 0;
  return pattern.replace(
    /%([-+ 0]*)(\d*)(?:\.(\d+))?([a-zA-Z%])/g,
    (_, flags, width, precision, verb) => {
      if (verb === '%') {
        return '%';
      }
      const value = values[next];
      next += 1;
      let printed: string;
      switch (verb) {
        case 's':
        case 'v':
          printed = precision
            ? printValue(value).slice(0, Number(precision))
            : printValue(value);
          break;
        case 'd':
          printed = String(Math.trunc(Number(value)));
          break;
        case 'q':
          printed = JSON.stringify(text(value));
          break;
        case 'f':
          printed = Number(value).toFixed(precision ? Number(precision) : 6);
          break;
        case 'x':
          printed =
            typeof value === 'number'
              ? value.toString(16)
              : Buffer.from(text(value)).toString('hex');
          break;
        case 't':
          printed = String(Boolean(value));
          break;
        default:
          throw new TemplateError(`printf verb %${verb} is not supported`);
      }
      const size = Math.min(Number(width || 0), 1000);
      if (flags.includes('-')) {
        return printed.padEnd(size);
      }
      return printed.padStart(size, flags.includes('0') ? '0' : ' ');
    },
  );
}

function integer(value: unknown): number {
  const number = typeof value === 'number' ? value : parseInt(text(value), 10);
  return Number.isFinite(number) ? Math.trunc(number) : 0;
}

function truncate(size: number, value: unknown): string {
  const characters = text(value);
  return size < 0 ? characters.slice(size) : characters.slice(0, size);
}

function expression(pattern: unknown): RE2JS {
  return compileExpression(text(pattern));
}

function digest(algorithm: string): TemplateFunction {
  return value => createHash(algorithm).update(text(value)).digest('hex');
}

function adler32(value: unknown): string {
  let a = 1;
  let b = 0;
  for (const byte of Buffer.from(text(value))) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return String(b * 65536 + a);
}

function slugify(...parameters: unknown[]): string {
  const name = text(parameters[parameters.length - 1]);
  return slugifyName(name, {
    ...(parameters.length > 1 && { maximum: integer(parameters[0]) }),
    ...(parameters.length > 2 && { atDash: isTrue(parameters[1]) }),
  });
}

/** Told before it is made: there may be hundreds of megabytes of it. */
function joined(items: readonly string[], separator: string): string {
  if (items.length * separator.length > MAX_OUTPUT) {
    throw new TemplateError('the output is too long');
  }
  return items.join(separator);
}

function replaceAll(value: string, from: string, to: string): string {
  return joined(value.split(from), to);
}

function chunkJoin(separator: unknown, items: unknown): string {
  return Array.isArray(items)
    ? joined(items.map(text), text(separator))
    : text(items);
}

/**
 * The functions of text/template and of sprig that ApplicationSets use for names
 * and values, and Argo CD's own. What is not here makes a template unrenderable,
 * which is told apart from a wrong result.
 */
export const templateFunctions: Record<string, TemplateFunction> = {
  and: (...values) =>
    values.find(value => !isTrue(value)) ?? values[values.length - 1],
  or: (...values) => values.find(isTrue) ?? values[values.length - 1],
  not: value => !isTrue(value),
  eq: (first, ...others) => {
    const wanted = text(first);
    return others.some(other => wanted === text(other));
  },
  ne: (a, b) => text(a) !== text(b),
  lt: (a, b) => compare(a, b) < 0,
  le: (a, b) => compare(a, b) <= 0,
  gt: (a, b) => compare(a, b) > 0,
  ge: (a, b) => compare(a, b) >= 0,
  len: length,
  index,
  slice: (value, from = 0, to = undefined) => value.slice(from, to),
  print: (...values) => values.map(printValue).join(''),
  println: (...values) => `${values.map(printValue).join(' ')}\n`,
  printf: format,
  urlquery: value => encodeURIComponent(text(value)).replace(/%20/g, '+'),
  lower: value => text(value).toLowerCase(),
  upper: value => text(value).toUpperCase(),
  title: value => text(value).replace(/\b\w/g, letter => letter.toUpperCase()),
  trim: value => text(value).trim(),
  trimAll: (cut, value) => trimSet(text(value), text(cut)),
  trimPrefix: (prefix, value) =>
    text(value).startsWith(prefix)
      ? text(value).slice(prefix.length)
      : text(value),
  trimSuffix: (suffix, value) =>
    suffix && text(value).endsWith(suffix)
      ? text(value).slice(0, -suffix.length)
      : text(value),
  trunc: truncate,
  substr: (from, to, value) =>
    text(value).slice(Math.max(from, 0), to < 0 ? undefined : to),
  replace: (from, to, value) => replaceAll(text(value), text(from), text(to)),
  nospace: value => text(value).replace(/\s/g, ''),
  repeat: (count, value) =>
    text(value).repeat(Math.min(Math.max(integer(count), 0), 1000)),
  quote: (...values) =>
    values.map(value => JSON.stringify(text(value))).join(' '),
  squote: (...values) => values.map(value => `'${text(value)}'`).join(' '),
  cat: (...values) => values.map(text).join(' '),
  contains: (part, value) => text(value).includes(text(part)),
  hasPrefix: (prefix, value) => text(value).startsWith(text(prefix)),
  hasSuffix: (suffix, value) => text(value).endsWith(text(suffix)),
  regexMatch: (pattern, value) =>
    expression(pattern).matcher(text(value)).find(),
  regexFind: (pattern, value) => {
    const matcher = expression(pattern).matcher(text(value));
    return matcher.find() ? matcher.group() ?? '' : '';
  },
  regexReplaceAll: (pattern, value, replacement) =>
    expression(pattern)
      .matcher(text(value))
      .replaceAll(text(replacement).replace(/\$\{(\w+)\}/g, '$$$1')),
  regexReplaceAllLiteral: (pattern, value, replacement) =>
    expression(pattern)
      .matcher(text(value))
      .replaceAll(RE2JS.quoteReplacement(text(replacement))),
  split: (separator, value) =>
    Object.fromEntries(
      text(value)
        .split(text(separator))
        .map((item, position) => [`_${position}`, item]),
    ),
  splitList: (separator, value) => text(value).split(text(separator)),
  join: chunkJoin,
  list: (...values) => values,
  first: values => values[0],
  last: values => values[values.length - 1],
  rest: values => values.slice(1),
  initial: values => values.slice(0, -1),
  has: (item, values) => values.map(text).includes(text(item)),
  without: (values, ...omitted) => {
    const unwanted = new Set(omitted.map(text));
    return values.filter((value: unknown) => !unwanted.has(text(value)));
  },
  uniq: values => [...new Set(values)],
  sortAlpha: values => [...values].map(text).sort(),
  reverse: values => [...values].reverse(),
  dict: (...pairs) =>
    Object.fromEntries(
      Array.from({ length: Math.ceil(pairs.length / 2) }, (_, pair) => [
        text(pairs[2 * pair]),
        pairs[2 * pair + 1],
      ]),
    ),
  get: (map, key) =>
    Object.hasOwn(map ?? {}, text(key)) ? map[text(key)] : '',
  hasKey: (map, key) => Object.hasOwn(map ?? {}, text(key)),
  keys: map => Object.keys(map ?? {}),
  dig: (...parameters) => {
    const map = parameters[parameters.length - 1];
    const fallback = parameters[parameters.length - 2];
    let current = map;
    for (const key of parameters.slice(0, -2)) {
      if (
        !current ||
        typeof current !== 'object' ||
        !Object.hasOwn(current, text(key))
      ) {
        return fallback;
      }
      current = current[text(key)];
    }
    return current;
  },
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  empty: value => !isTrue(value),
  coalesce: (...values) => values.find(isTrue),
  ternary: (whenTrue, whenFalse, condition) =>
    condition ? whenTrue : whenFalse,
  toString: text,
  int: integer,
  int64: integer,
  atoi: integer,
  float64: value => Number(value),
  add: (...values) => values.reduce((sum, value) => sum + integer(value), 0),
  add1: value => integer(value) + 1,
  sub: (a, b) => integer(a) - integer(b),
  mul: (...values) =>
    values.reduce((product, value) => product * integer(value), 1),
  div: (a, b) => Math.trunc(integer(a) / integer(b)),
  mod: (a, b) => integer(a) % integer(b),
  max: (...values) => Math.max(...values.map(integer)),
  min: (...values) => Math.min(...values.map(integer)),
  sha1sum: digest('sha1'),
  sha256sum: digest('sha256'),
  adler32sum: adler32,
  b64enc: value => Buffer.from(text(value)).toString('base64'),
  b64dec: value => Buffer.from(text(value), 'base64').toString(),
  toJson: value => JSON.stringify(value),
  fromJson: value => JSON.parse(text(value)),
  toYaml: value => stringifyYaml(value).replace(/\n$/, ''),
  fromYaml: value => parseYaml(text(value)),
  fromYamlArray: value => parseYaml(text(value)),
  indent: (size, value) =>
    text(value).replace(/^/gm, ' '.repeat(Math.min(integer(size), 100))),
  nindent: (size, value) =>
    `\n${text(value).replace(/^/gm, ' '.repeat(Math.min(integer(size), 100)))}`,
  kebabcase: value =>
    text(value)
      .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
      .replace(/[\s_]+/g, '-')
      .toLowerCase(),
  snakecase: value =>
    text(value)
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replace(/[\s-]+/g, '_')
      .toLowerCase(),
  slugify,
  normalize: value => normalizeName(text(value)),
};

function trimSet(value: string, characters: string): string {
  const unwanted = new Set(characters);
  let from = 0;
  let to = value.length;
  while (from < to && unwanted.has(value[from])) {
    from += 1;
  }
  while (to > from && unwanted.has(value[to - 1])) {
    to -= 1;
  }
  return value.slice(from, to);
}
