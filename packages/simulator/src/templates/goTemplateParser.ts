/** Syntax of Go's text/template, as far as ApplicationSets use it. */

/** A value or a call inside an action. */
export type Expression =
  | { kind: 'literal'; value: unknown }
  /** `.a.b` on the dot, on a variable or on a parenthesised pipeline. */
  | { kind: 'field'; on: Expression | undefined; path: string[] }
  | { kind: 'variable'; name: string }
  | { kind: 'function'; name: string }
  | { kind: 'pipeline'; commands: Expression[][] };

/** A piece of a template. */
export type TemplateNode =
  | { kind: 'text'; text: string }
  | { kind: 'output'; pipeline: Expression; source: string }
  | {
      kind: 'assign';
      name: string;
      declare: boolean;
      pipeline: Expression;
    }
  | {
      kind: 'if' | 'with';
      pipeline: Expression;
      variable?: string;
      body: TemplateNode[];
      otherwise: TemplateNode[];
    }
  | {
      kind: 'range';
      pipeline: Expression;
      key?: string;
      value?: string;
      body: TemplateNode[];
      otherwise: TemplateNode[];
    };

/** A template that cannot be read or rendered; the message is worded as Go's. */
export class TemplateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TemplateError';
  }
}

type Token =
  | { kind: 'string'; value: string }
  | { kind: 'number'; value: number }
  | { kind: 'word'; value: string }
  | { kind: 'field'; value: string }
  | { kind: 'dot' }
  | { kind: 'variable'; value: string }
  | { kind: 'symbol'; value: string };

interface Action {
  text: string;
  /** Text before the action, trimmed as its markers ask. */
  before: string;
}

function splitActions(template: string): { actions: Action[]; rest: string } {
  const actions: Action[] = [];
  let position = 0;
  let trimNext = false;
  const take = (end: number) => {
    let text = template.slice(position, end);
    if (trimNext) {
      text = text.replace(/^\s+/, '');
    }
    return text;
  };
  for (;;) {
    const open = template.indexOf('{{', position);
    if (open < 0) {
      return { actions, rest: take(template.length) };
    }
    let before = take(open);
    let start = open + 2;
    if (/^-\s/.test(template.slice(start, start + 2))) {
      before = before.replace(/\s+$/, '');
      start += 1;
    }
    const close = findClose(template, start);
    let text = template.slice(start, close);
    trimNext = /\s-$/.test(text);
    if (trimNext) {
      text = text.slice(0, -1);
    }
    actions.push({ text: text.trim(), before });
    position = close + 2;
  }
}

function findClose(template: string, start: number): number {
  const comment = /^\s*\/\*[\s\S]*?\*\//.exec(template.slice(start));
  let index = start + (comment?.[0].length ?? 0);
  while (index < template.length) {
    const character = template[index];
    if (character === '"' || character === '`' || character === "'") {
      index += 1;
      while (index < template.length && template[index] !== character) {
        index += character !== '`' && template[index] === '\\' ? 2 : 1;
      }
    } else if (template.startsWith('}}', index)) {
      return index;
    }
    index += 1;
  }
  throw new TemplateError('template: base:1: unclosed action');
}

const TOKEN =
  /\s+|"(?:\\.|[^"\\])*"|`[^`]*`|'(?:\\.|[^'\\])+'|-?\d+(?:\.\d+)?|\$\w*|\.[\p{L}_][\p{L}\p{N}_]*|\.|[\p{L}_][\p{L}\p{N}_]*|:=|[=|(),]/uy;

function tokenize(text: string): { token: Token; spaceBefore: boolean }[] {
  const tokens: { token: Token; spaceBefore: boolean }[] = [];
  let spaceBefore = true;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) {
      throw new TemplateError(
        `template: base:1: unexpected ${JSON.stringify(text[at])} in command`,
      );
    }
    const value = match[0];
    if (/^\s/.test(value)) {
      spaceBefore = true;
      continue;
    }
    tokens.push({ token: toToken(value), spaceBefore });
    spaceBefore = false;
  }
  return tokens;
}

function toToken(value: string): Token {
  if (value.startsWith('"')) {
    return { kind: 'string', value: JSON.parse(value) as string };
  }
  if (value.startsWith('`')) {
    return { kind: 'string', value: value.slice(1, -1) };
  }
  if (value.startsWith("'")) {
    return { kind: 'number', value: value.codePointAt(1) as number };
  }
  if (/^-?\d/.test(value)) {
    return { kind: 'number', value: Number(value) };
  }
  if (value.startsWith('$')) {
    return { kind: 'variable', value };
  }
  if (value === '.') {
    return { kind: 'dot' };
  }
  if (value.startsWith('.')) {
    return { kind: 'field', value: value.slice(1) };
  }
  if (/^[\p{L}_]/u.test(value)) {
    return { kind: 'word', value };
  }
  return { kind: 'symbol', value };
}

class ExpressionParser {
  private readonly tokens: { token: Token; spaceBefore: boolean }[];
  private position = 0;

  constructor(text: string) {
    this.tokens = tokenize(text);
  }

  /** `$a, $b :=` or `$a =` in front of a pipeline. */
  declaration(): { names: string[]; declare: boolean } | undefined {
    const names: string[] = [];
    let index = 0;
    while (this.tokens[index]?.token.kind === 'variable') {
      names.push((this.tokens[index].token as { value: string }).value);
      index += 1;
      if (this.isSymbol(index, ',')) {
        index += 1;
      } else {
        break;
      }
    }
    if (
      names.length === 0 ||
      !(this.isSymbol(index, ':=') || this.isSymbol(index, '='))
    ) {
      return undefined;
    }
    this.position = index + 1;
    return { names, declare: this.isSymbol(index, ':=') };
  }

  whole(): Expression {
    const pipeline = this.pipeline();
    if (this.position < this.tokens.length) {
      throw new TemplateError('template: base:1: unexpected token in command');
    }
    return pipeline;
  }

  private pipeline(): Expression {
    const commands: Expression[][] = [];
    do {
      commands.push(this.command());
    } while (this.acceptSymbol('|'));
    return { kind: 'pipeline', commands };
  }

  private command(): Expression[] {
    const operands: Expression[] = [];
    while (
      this.position < this.tokens.length &&
      !this.isSymbol(this.position, '|') &&
      !this.isSymbol(this.position, ')')
    ) {
      operands.push(this.operand());
    }
    if (operands.length === 0) {
      throw new TemplateError('template: base:1: missing value for command');
    }
    return operands;
  }

  private operand(): Expression {
    const { token } = this.tokens[this.position];
    this.position += 1;
    switch (token.kind) {
      case 'string':
      case 'number':
        return { kind: 'literal', value: token.value };
      case 'dot':
        return { kind: 'field', on: undefined, path: [] };
      case 'field':
        return {
          kind: 'field',
          on: undefined,
          path: [token.value, ...this.fields()],
        };
      case 'variable':
        return this.withFields({ kind: 'variable', name: token.value });
      case 'word':
        return wordExpression(token.value);
      default:
        if (token.value !== '(') {
          throw new TemplateError(
            `template: base:1: unexpected "${token.value}" in operand`,
          );
        }
    }
    const inner = this.pipeline();
    if (!this.acceptSymbol(')')) {
      throw new TemplateError('template: base:1: unclosed left paren');
    }
    return this.withFields(inner);
  }

  private withFields(on: Expression): Expression {
    const path = this.fields();
    return path.length > 0 ? { kind: 'field', on, path } : on;
  }

  private fields(): string[] {
    const path: string[] = [];
    for (;;) {
      const next = this.tokens[this.position];
      if (next?.token.kind !== 'field' || next.spaceBefore) {
        return path;
      }
      path.push(next.token.value);
      this.position += 1;
    }
  }

  private isSymbol(index: number, value: string): boolean {
    const token = this.tokens[index]?.token;
    return token?.kind === 'symbol' && token.value === value;
  }

  private acceptSymbol(value: string): boolean {
    if (!this.isSymbol(this.position, value)) {
      return false;
    }
    this.position += 1;
    return true;
  }
}

function wordExpression(word: string): Expression {
  switch (word) {
    case 'true':
      return { kind: 'literal', value: true };
    case 'false':
      return { kind: 'literal', value: false };
    case 'nil':
      return { kind: 'literal', value: undefined };
    default:
      return { kind: 'function', name: word };
  }
}

/** Reads the nodes of a template from its actions. */
class TemplateParser {
  private readonly actions: Action[];
  private position = 0;

  constructor(actions: Action[]) {
    this.actions = actions;
  }

  /** Nodes up to one of the terminators, and the action that ended them. */
  parseUntil(terminators: string[]): { nodes: TemplateNode[]; end: string } {
    const nodes: TemplateNode[] = [];
    while (this.position < this.actions.length) {
      const { text, before } = this.actions[this.position];
      this.position += 1;
      if (before !== '') {
        nodes.push({ kind: 'text', text: before });
      }
      const keyword = /^(if|with|range|else|end)\b/.exec(text)?.[1];
      if (keyword === 'else' || keyword === 'end') {
        if (!terminators.includes(keyword)) {
          throw new TemplateError(
            `template: base:1: unexpected {{${keyword}}}`,
          );
        }
        return { nodes, end: text };
      }
      if (keyword) {
        nodes.push(
          this.parseBlock(
            keyword as 'if' | 'with' | 'range',
            text.slice(keyword.length),
          ),
        );
      } else if (!text.startsWith('/*')) {
        nodes.push(parseAction(text));
      }
    }
    if (terminators.length > 0) {
      throw new TemplateError('template: base:1: unexpected EOF');
    }
    return { nodes, end: '' };
  }

  private parseBlock(
    kind: 'if' | 'with' | 'range',
    head: string,
  ): TemplateNode {
    const parser = new ExpressionParser(head);
    const declaration = parser.declaration();
    const pipeline = parser.whole();
    const body = this.parseUntil(['else', 'end']);
    const otherwise = body.end === 'end' ? [] : this.parseElse(body.end);
    if (kind === 'range') {
      const names = declaration?.names ?? [];
      return {
        kind,
        pipeline,
        key: names.length > 1 ? names[0] : undefined,
        value: names.at(-1),
        body: body.nodes,
        otherwise,
      };
    }
    return {
      kind,
      pipeline,
      variable: declaration?.names[0],
      body: body.nodes,
      otherwise,
    };
  }

  /** `{{ else if … }}` shares the end of the block that it is in. */
  private parseElse(action: string): TemplateNode[] {
    const chained = /^else\s+(if|with)\b(.*)$/s.exec(action);
    return chained
      ? [this.parseBlock(chained[1] as 'if' | 'with', chained[2])]
      : this.parseUntil(['end']).nodes;
  }
}

function parseAction(text: string): TemplateNode {
  const parser = new ExpressionParser(text);
  const declaration = parser.declaration();
  const pipeline = parser.whole();
  return declaration
    ? {
        kind: 'assign',
        name: declaration.names[0],
        declare: declaration.declare,
        pipeline,
      }
    : { kind: 'output', pipeline, source: text };
}

/** Reads a template; throws a {@link TemplateError} for bad syntax. */
export function parseGoTemplate(template: string): TemplateNode[] {
  const { actions, rest } = splitActions(template);
  const { nodes } = new TemplateParser(actions).parseUntil([]);
  return rest === '' ? nodes : [...nodes, { kind: 'text', text: rest }];
}
