/** A piece of a Go template: text as it is, or the inside of an action. */
export type TemplatePiece =
  | { kind: 'text'; text: string }
  | { kind: 'action'; source: string };

/** A token of an action. */
export type Token =
  | { kind: 'identifier'; value: string }
  | { kind: 'field'; value: string }
  | { kind: 'variable'; value: string }
  | { kind: 'string'; value: string }
  | { kind: 'number'; value: number }
  | { kind: 'dot' }
  | { kind: 'symbol'; value: '(' | ')' | '|' | ':=' | '=' | ',' };

/** The template is not valid, or uses what this evaluator does not know. */
export class TemplateError extends Error {
  override name = 'TemplateError';
}

/**
 * Splits a template at its `{{ }}` actions. `{{-` and `-}}` trim the white space
 * of the neighbouring text, as text/template defines it.
 */
export function splitTemplate(template: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let position = 0;
  let trimNext = false;
  const pushText = (text: string) => {
    const trimmed = trimNext ? text.replace(/^[ \t\r\n]+/, '') : text;
    trimNext = false;
    if (trimmed) {
      pieces.push({ kind: 'text', text: trimmed });
    }
  };
  while (position < template.length) {
    const open = template.indexOf('{{', position);
    if (open < 0) {
      break;
    }
    let text = template.slice(position, open);
    let start = open + 2;
    if (
      template[start] === '-' &&
      /[ \t\r\n]/.test(template[start + 1] ?? '')
    ) {
      text = withoutSpaceAtEnd(text);
      start += 1;
    }
    pushText(text);
    const end = endOfAction(template, start);
    let source = template.slice(start, end);
    if (/[ \t\r\n]-$/.test(source)) {
      source = source.slice(0, -1);
      trimNext = true;
    }
    source = source.trim();
    if (!source.startsWith('/*')) {
      pieces.push({ kind: 'action', source });
    }
    position = end + 2;
  }
  pushText(template.slice(position));
  return pieces;
}

/** By hand: a regular expression begins anew at every blank of a long gap. */
function withoutSpaceAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t\r\n'.includes(text[end - 1])) {
    end -= 1;
  }
  return text.slice(0, end);
}

/** The index of the `}}` that ends an action; quotes and comments may contain one. */
function endOfAction(template: string, start: number): number {
  let index = start;
  if (template.slice(start).trimStart().startsWith('/*')) {
    const close = template.indexOf('*/', start);
    index = close < 0 ? template.length : close + 2;
  }
  while (index < template.length) {
    const character = template[index];
    if (character === '}' && template[index + 1] === '}') {
      return index;
    }
    if (character === '"' || character === '`' || character === "'") {
      index = endOfQuote(template, index, character);
    } else {
      index += 1;
    }
  }
  throw new TemplateError('unclosed action');
}

function endOfQuote(text: string, start: number, quote: string): number {
  let index = start + 1;
  while (index < text.length && text[index] !== quote) {
    index += quote !== '`' && text[index] === '\\' ? 2 : 1;
  }
  if (index >= text.length) {
    throw new TemplateError('unterminated string');
  }
  return index + 1;
}

const PATTERNS: [RegExp, (match: string) => Token | undefined][] = [
  [/^[ \t\r\n]+/, () => undefined],
  [/^\$[A-Za-z0-9_]*/, value => ({ kind: 'variable', value })],
  [
    /^\.[A-Za-z_][A-Za-z0-9_]*/,
    value => ({ kind: 'field', value: value.slice(1) }),
  ],
  [
    /^[-+]?(0x[0-9a-fA-F]+|\d+(\.\d+)?)/,
    value => ({ kind: 'number', value: Number(value) }),
  ],
  [/^\./, () => ({ kind: 'dot' })],
  [/^[A-Za-z_][A-Za-z0-9_]*/, value => ({ kind: 'identifier', value })],
  [/^(:=|[()|=,])/, value => ({ kind: 'symbol', value } as Token)],
];

/** Tokens of an action, each with whether white space stands before it. */
export function tokenize(source: string): (Token & { spaced: boolean })[] {
  const tokens: (Token & { spaced: boolean })[] = [];
  let rest = source;
  let spaced = true;
  while (rest) {
    const quote = rest[0];
    if (quote === '"' || quote === '`' || quote === "'") {
      const end = endOfQuote(rest, 0, quote);
      const literal = rest.slice(0, end);
      tokens.push({ kind: 'string', value: unquote(literal), spaced });
      rest = rest.slice(end);
      spaced = false;
      continue;
    }
    let matched = false;
    for (const [pattern, make] of PATTERNS) {
      const match = pattern.exec(rest);
      if (match) {
        const token = make(match[0]);
        if (token) {
          tokens.push({ ...token, spaced });
        }
        spaced = token === undefined;
        rest = rest.slice(match[0].length);
        matched = true;
        break;
      }
    }
    if (!matched) {
      throw new TemplateError(
        `unexpected ${JSON.stringify(rest[0])} in an action`,
      );
    }
  }
  return tokens;
}

function unquote(literal: string): string {
  if (literal[0] === '`') {
    return literal.slice(1, -1);
  }
  const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r' };
  return literal
    .slice(1, -1)
    .replace(
      /\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|\\(.)/g,
      (_, long, short, single) =>
        single !== undefined
          ? escapes[single] ?? single
          : String.fromCharCode(parseInt(long ?? short, 16)),
    );
}
