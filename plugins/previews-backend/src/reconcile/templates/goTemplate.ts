import { sizeOfExpression } from '../expressions';
import { isTrue, MAX_OUTPUT, printValue, templateFunctions } from './functions';
import { TemplateError } from './lexer';
import { Operand, parseTemplate, Pipeline, TemplateNode } from './parser';
import { sizeOf } from './sizeOf';

/** Steps beyond this are no template anyone wrote for a name. */
const MAX_STEPS = 20_000;

/**
 * Characters that all functions together may take in and give back. Steps alone
 * do not bound the time: each may work on as much as an output can have.
 */
const MAX_WORK = 100_000;

/** Matching takes the length of the expression times that of the text. */
const MATCHES_PER_UNIT_OF_WORK = 100;

/** Compiling an expression, and reading YAML, are this much slower than other work. */
const SLOWNESS = 5;

const parsed = new Map<string, TemplateNode[] | TemplateError>();
const MAX_PARSED = 500;

/** Functions multiply text; what is too long between two of them is too long at the end. */
function boundedSizeOf(value: unknown): number {
  const size = sizeOf(value);
  if (size > MAX_OUTPUT) {
    throw new TemplateError('the output is too long');
  }
  return size;
}

function workOf(name: string, values: readonly unknown[]): number {
  const sizes = values.map(boundedSizeOf);
  const work = sizes.reduce((sum, size) => sum + size, 0);
  if (name.startsWith('regex')) {
    const [pattern = 0, subject = 0] = sizes;
    const compiling = sizeOfExpression(printValue(values[0]));
    return (
      work +
      compiling * SLOWNESS +
      (pattern * subject) / MATCHES_PER_UNIT_OF_WORK
    );
  }
  return /yaml/i.test(name) ? work * SLOWNESS : work;
}

class Evaluation {
  readonly #root: Record<string, unknown>;
  readonly #missingKeyIsError: boolean;
  /** The innermost block's variables come first. */
  #scopes: Map<string, unknown>[];
  #output = '';
  #steps = 0;
  #work = 0;

  constructor(root: Record<string, unknown>, missingKeyIsError: boolean) {
    this.#root = root;
    this.#missingKeyIsError = missingKeyIsError;
    this.#scopes = [new Map([['$', root]])];
  }

  render(nodes: TemplateNode[]): string {
    this.#nodes(nodes, this.#root);
    return this.#output;
  }

  #nodes(nodes: TemplateNode[], dot: unknown) {
    for (const node of nodes) {
      this.#step();
      if (node.kind === 'text') {
        this.#print(node.text);
      } else if (node.kind === 'print') {
        const value = this.#pipeline(node.pipeline, dot);
        if (node.pipeline.declares.length === 0) {
          this.#print(printValue(value));
        }
      } else {
        this.#scope(() => this.#control(node, dot));
      }
    }
  }

  #control(
    node: Extract<TemplateNode, { kind: 'if' | 'with' | 'range' }>,
    dot: unknown,
  ) {
    if (node.kind === 'range') {
      this.#range(node, dot);
      return;
    }
    const value = this.#pipeline(node.pipeline, dot);
    if (isTrue(value)) {
      this.#nodes(node.body, node.kind === 'with' ? value : dot);
    } else {
      this.#nodes(node.otherwise, dot);
    }
  }

  #range(
    node: Extract<TemplateNode, { kind: 'if' | 'with' | 'range' }>,
    dot: unknown,
  ) {
    const { declares } = node.pipeline;
    const value = this.#pipeline({ ...node.pipeline, declares: [] }, dot);
    const entries: [unknown, unknown][] = Array.isArray(value)
      ? value.map((item, position) => [position, item])
      : Object.entries((value as object) ?? {}).sort(([a], [b]) =>
          a < b ? -1 : 1,
        );
    if (entries.length === 0) {
      this.#nodes(node.otherwise, dot);
      return;
    }
    for (const [key, item] of entries) {
      this.#scope(() => {
        if (declares.length === 1) {
          this.#scopes[0].set(declares[0], item);
        } else if (declares.length === 2) {
          this.#scopes[0].set(declares[0], key);
          this.#scopes[0].set(declares[1], item);
        }
        this.#nodes(node.body, item);
      });
    }
  }

  /** Variables declared inside a block end with it; assignments to outer ones stay. */
  #scope(action: () => void) {
    this.#scopes = [new Map(), ...this.#scopes];
    action();
    this.#scopes = this.#scopes.slice(1);
  }

  #scopeOf(name: string): Map<string, unknown> {
    const scope = this.#scopes.find(variables => variables.has(name));
    if (!scope) {
      throw new TemplateError(`undefined variable ${name}`);
    }
    return scope;
  }

  #pipeline(pipeline: Pipeline, dot: unknown): unknown {
    let value: unknown;
    pipeline.commands.forEach((command, position) => {
      value = this.#command(command, dot, position === 0 ? [] : [value]);
    });
    for (const name of pipeline.declares) {
      const scope = pipeline.assigns ? this.#scopeOf(name) : this.#scopes[0];
      scope.set(name, value);
    }
    return value;
  }

  #command(command: Operand[], dot: unknown, piped: unknown[]): unknown {
    this.#step();
    const [first, ...rest] = command;
    if (first.kind === 'call') {
      const known = Object.hasOwn(templateFunctions, first.name)
        ? templateFunctions[first.name]
        : undefined;
      if (!known) {
        throw new TemplateError(`function ${first.name} is not known`);
      }
      const values = rest.map(operand => this.#operand(operand, dot));
      try {
        this.#effort(workOf(first.name, [...values, ...piped]));
        const value = known(...values, ...piped);
        this.#effort(boundedSizeOf(value));
        return value;
      } catch (error) {
        throw error instanceof TemplateError
          ? error
          : new TemplateError(`${first.name}: ${error}`);
      }
    }
    if (rest.length > 0 || piped.length > 0) {
      throw new TemplateError('only functions take arguments');
    }
    return this.#operand(first, dot);
  }

  #operand(operand: Operand, dot: unknown): unknown {
    switch (operand.kind) {
      case 'literal':
        return operand.value;
      case 'dot':
        return dot;
      case 'field':
        return this.#fields(dot, operand.path);
      case 'variable':
        return this.#fields(
          this.#scopeOf(operand.name).get(operand.name),
          operand.path,
        );
      case 'group':
        return this.#fields(
          this.#pipeline(operand.pipeline, dot),
          operand.path,
        );
      default:
        return this.#command([operand], dot, []);
    }
  }

  #fields(value: unknown, path: string[]): unknown {
    return path.reduce<unknown>((current, name) => {
      if (
        current &&
        typeof current === 'object' &&
        Object.hasOwn(current, name)
      ) {
        return (current as Record<string, unknown>)[name];
      }
      if (this.#missingKeyIsError) {
        throw new TemplateError(`map has no entry for key "${name}"`);
      }
      return undefined;
    }, value);
  }

  #step() {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) {
      throw new TemplateError('the template takes too many steps');
    }
  }

  #effort(work: number) {
    this.#work += work;
    if (this.#work > MAX_WORK) {
      throw new TemplateError('the template takes too much work');
    }
  }

  #print(text: string) {
    this.#output += text;
    if (this.#output.length > MAX_OUTPUT) {
      throw new TemplateError('the output is too long');
    }
  }
}

/**
 * Renders a Go template as ApplicationSets with `goTemplate: true` do.
 *
 * @throws TemplateError for an invalid template, a function that is not known
 * here, or a missing key where `missingkey=error` is set.
 */
export function renderGoTemplate(
  template: string,
  parameters: Record<string, unknown>,
  options: { missingKeyIsError: boolean },
): string {
  const nodes = parseOnce(template);
  const evaluation = new Evaluation(parameters, options.missingKeyIsError);
  return evaluation.render(nodes);
}

function parseOnce(template: string): TemplateNode[] {
  let known = parsed.get(template);
  if (!known) {
    try {
      known = parseTemplate(template);
    } catch (error) {
      // Also what is nested too deep for the stack: not to be tried once more.
      known =
        error instanceof TemplateError ? error : new TemplateError(`${error}`);
    }
    if (parsed.size >= MAX_PARSED) {
      parsed.clear();
    }
    parsed.set(template, known);
  }
  if (known instanceof TemplateError) {
    throw known;
  }
  return known;
}
