import { splitTemplate, TemplateError, Token, tokenize } from './lexer';

export type Operand =
  | { kind: 'literal'; value: unknown }
  | { kind: 'dot' }
  | { kind: 'field'; path: string[] }
  | { kind: 'variable'; name: string; path: string[] }
  | { kind: 'call'; name: string }
  | { kind: 'group'; pipeline: Pipeline; path: string[] };

/** Each command is a function with its arguments, or a single operand. */
export interface Pipeline {
  declares: string[];
  assigns: boolean;
  commands: Operand[][];
}

export type TemplateNode =
  | { kind: 'text'; text: string }
  | { kind: 'print'; pipeline: Pipeline }
  | {
      kind: 'if' | 'with' | 'range';
      pipeline: Pipeline;
      body: TemplateNode[];
      otherwise: TemplateNode[];
    };

class BlockParser {
  readonly #pieces;
  #index = 0;

  constructor(template: string) {
    this.#pieces = splitTemplate(template);
  }

  parse(): TemplateNode[] {
    const { nodes, end } = this.#block();
    if (end !== undefined) {
      throw new TemplateError(`unexpected {{${end}}}`);
    }
    return nodes;
  }

  #block(): { nodes: TemplateNode[]; end: string | undefined } {
    const nodes: TemplateNode[] = [];
    while (this.#index < this.#pieces.length) {
      const piece = this.#pieces[this.#index];
      this.#index += 1;
      if (piece.kind === 'text') {
        nodes.push(piece);
        continue;
      }
      const [, keyword, rest] =
        /^(if|with|range|else|end|define|template|block|break|continue)\b\s*([^]*)$/.exec(
          piece.source,
        ) ?? ['', '', ''];
      if (keyword === 'end' || keyword === 'else') {
        return {
          nodes,
          end: keyword === 'end' ? 'end' : `else ${rest}`.trim(),
        };
      }
      if (keyword === 'if' || keyword === 'with' || keyword === 'range') {
        nodes.push(this.#control(keyword, rest));
      } else if (keyword) {
        throw new TemplateError(`{{${keyword}}} is not supported`);
      } else {
        nodes.push({ kind: 'print', pipeline: parsePipeline(piece.source) });
      }
    }
    return { nodes, end: undefined };
  }

  #control(kind: 'if' | 'with' | 'range', source: string): TemplateNode {
    const pipeline = parsePipeline(source);
    const { nodes: body, end } = this.#block();
    let otherwise: TemplateNode[] = [];
    if (end === undefined) {
      throw new TemplateError(`{{${kind}}} without {{end}}`);
    }
    if (end !== 'end') {
      const chained = /^else\s+(if|with)\b\s*([^]*)$/.exec(end);
      if (chained) {
        otherwise = [this.#control(chained[1] as 'if' | 'with', chained[2])];
      } else {
        const rest = this.#block();
        if (rest.end !== 'end') {
          throw new TemplateError(`{{${kind}}} without {{end}}`);
        }
        otherwise = rest.nodes;
      }
    }
    return { kind, pipeline, body, otherwise };
  }
}

type SpacedToken = Token & { spaced: boolean };

function parsePipeline(source: string): Pipeline {
  const tokens = tokenize(source);
  const { declares, assigns, rest } = declaration(tokens);
  const cursor = { index: 0 };
  const commands = parseCommands(rest, cursor);
  if (cursor.index !== rest.length) {
    throw new TemplateError('unexpected ")"');
  }
  return { declares, assigns, commands };
}

function declaration(tokens: SpacedToken[]): {
  declares: string[];
  assigns: boolean;
  rest: SpacedToken[];
} {
  const at = tokens.findIndex(
    token =>
      token.kind === 'symbol' && (token.value === ':=' || token.value === '='),
  );
  if (at < 0) {
    return { declares: [], assigns: false, rest: tokens };
  }
  const names = tokens
    .slice(0, at)
    .flatMap(token => (token.kind === 'variable' ? [token.value] : []));
  return {
    declares: names,
    assigns: (tokens[at] as { value: string }).value === '=',
    rest: tokens.slice(at + 1),
  };
}

function parseCommands(
  tokens: SpacedToken[],
  cursor: { index: number },
): Operand[][] {
  const commands: Operand[][] = [[]];
  while (cursor.index < tokens.length) {
    const token = tokens[cursor.index];
    if (token.kind === 'symbol' && token.value === ')') {
      break;
    }
    cursor.index += 1;
    if (token.kind === 'symbol' && token.value === '|') {
      commands.push([]);
      continue;
    }
    commands[commands.length - 1].push(parseOperand(token, tokens, cursor));
  }
  if (commands.some(command => command.length === 0)) {
    throw new TemplateError('missing value in an action');
  }
  return commands;
}

function parseOperand(
  token: SpacedToken,
  tokens: SpacedToken[],
  cursor: { index: number },
): Operand {
  const path = () => {
    const names: string[] = [];
    for (;;) {
      const next = tokens[cursor.index];
      if (next?.kind !== 'field' || next.spaced) {
        return names;
      }
      names.push(next.value);
      cursor.index += 1;
    }
  };
  switch (token.kind) {
    case 'dot':
      return { kind: 'dot' };
    case 'string':
    case 'number':
      return { kind: 'literal', value: token.value };
    case 'field':
      return { kind: 'field', path: [token.value, ...path()] };
    case 'variable':
      return { kind: 'variable', name: token.value, path: path() };
    case 'identifier':
      if (token.value === 'true' || token.value === 'false') {
        return { kind: 'literal', value: token.value === 'true' };
      }
      return token.value === 'nil'
        ? { kind: 'literal', value: undefined }
        : { kind: 'call', name: token.value };
    default: {
      if (token.value !== '(') {
        throw new TemplateError(`unexpected ${token.value}`);
      }
      const commands = parseCommands(tokens, cursor);
      const close = tokens[cursor.index];
      if (close?.kind !== 'symbol' || close.value !== ')') {
        throw new TemplateError('unclosed "("');
      }
      cursor.index += 1;
      return {
        kind: 'group',
        pipeline: { declares: [], assigns: false, commands },
        path: path(),
      };
    }
  }
}

/** Parses a Go template. `define`, `template` and `block` are not taken: ApplicationSets cannot name templates. */
export function parseTemplate(template: string): TemplateNode[] {
  const parser = new BlockParser(template);
  return parser.parse();
}
