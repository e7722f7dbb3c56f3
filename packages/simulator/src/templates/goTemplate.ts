import { goFunctions, goText, isTrue } from './goFunctions';
import {
  parseGoTemplate,
  TemplateError,
  type Expression,
  type TemplateNode,
} from './goTemplateParser';

export { TemplateError } from './goTemplateParser';

/** Options of a Go template. */
export interface GoTemplateOptions {
  /** `missingkey=error` and its likes; Argo CD's `goTemplateOptions`. */
  goTemplateOptions?: string[];
}

class Evaluator {
  private readonly missingIsError: boolean;
  private scopes: Map<string, unknown>[];
  private dot: unknown;

  constructor(options: { root: unknown; missingIsError: boolean }) {
    this.dot = options.root;
    this.missingIsError = options.missingIsError;
    this.scopes = [new Map([['$', options.root]])];
  }

  render(nodes: TemplateNode[]): string {
    return nodes.map(node => this.renderNode(node)).join('');
  }

  private renderNode(node: TemplateNode): string {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'output':
        return this.located(node.source, () =>
          goText(this.evaluate(node.pipeline)),
        );
      case 'assign':
        this.assign(node.name, node.declare, this.evaluate(node.pipeline));
        return '';
      case 'range':
        return this.renderRange(node);
      default: {
        const value = this.evaluate(node.pipeline);
        return this.scoped(() => {
          if (node.variable) {
            this.assign(node.variable, true, value);
          }
          if (!isTrue(value)) {
            return this.render(node.otherwise);
          }
          return node.kind === 'with'
            ? this.withDot(value, () => this.render(node.body))
            : this.render(node.body);
        });
      }
    }
  }

  private renderRange(node: TemplateNode & { kind: 'range' }): string {
    const value = this.evaluate(node.pipeline);
    let entries: [unknown, unknown][] = [];
    if (Array.isArray(value)) {
      entries = value.map((item, position) => [position, item]);
    } else if (typeof value === 'number') {
      entries = Array.from({ length: value }, (_, position) => [
        position,
        position,
      ]);
    } else if (value && typeof value === 'object') {
      entries = Object.entries(value).sort(([left], [right]) =>
        left < right ? -1 : 1,
      );
    } else if (value !== undefined && value !== null) {
      throw new TemplateError(`range can't iterate over ${goText(value)}`);
    }
    if (entries.length === 0) {
      return this.render(node.otherwise);
    }
    return entries
      .map(([key, item]) =>
        this.scoped(() => {
          if (node.key) {
            this.assign(node.key, true, key);
          }
          if (node.value) {
            this.assign(node.value, true, item);
          }
          return this.withDot(item, () => this.render(node.body));
        }),
      )
      .join('');
  }

  private evaluate(expression: Expression): unknown {
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'variable':
        return this.variable(expression.name);
      case 'field':
        return this.field(
          expression.on ? this.evaluate(expression.on) : this.dot,
          expression.path,
        );
      case 'function':
        return this.call(expression.name, []);
      default: {
        let value: unknown;
        expression.commands.forEach((command, position) => {
          value = this.command(command, position > 0 ? [value] : []);
        });
        return value;
      }
    }
  }

  private command(operands: Expression[], piped: unknown[]): unknown {
    const [head, ...rest] = operands;
    if (head.kind === 'function') {
      if (head.name === 'and' || head.name === 'or') {
        return this.shortCircuit(head.name, rest, piped);
      }
      return this.call(head.name, [
        ...rest.map(operand => this.evaluate(operand)),
        ...piped,
      ]);
    }
    if (rest.length > 0 || piped.length > 0) {
      throw new TemplateError("can't give argument to non-function");
    }
    return this.evaluate(head);
  }

  private shortCircuit(
    name: 'and' | 'or',
    operands: Expression[],
    piped: unknown[],
  ): unknown {
    let value: unknown;
    for (const operand of operands) {
      value = this.evaluate(operand);
      if (isTrue(value) === (name === 'or')) {
        return value;
      }
    }
    return piped.length > 0 ? piped[0] : value;
  }

  private call(name: string, values: unknown[]): unknown {
    const implementation = Object.hasOwn(goFunctions, name)
      ? goFunctions[name]
      : undefined;
    if (!implementation) {
      throw new TemplateError(
        `template: base:1: function ${JSON.stringify(name)} not defined`,
      );
    }
    return implementation(...values);
  }

  private field(value: unknown, path: string[]): unknown {
    return path.reduce((current: unknown, key, position) => {
      if (
        current === undefined ||
        current === null ||
        typeof current !== 'object'
      ) {
        if (current === undefined && !this.missingIsError) {
          return undefined;
        }
        throw new TemplateError(
          `at <.${path
            .slice(0, position + 1)
            .join('.')}>: can't evaluate field ${key}`,
        );
      }
      if (!Object.hasOwn(current, key)) {
        if (this.missingIsError) {
          throw new TemplateError(
            `at <.${path
              .slice(0, position + 1)
              .join('.')}>: map has no entry for key ${JSON.stringify(key)}`,
          );
        }
        return undefined;
      }
      return (current as Record<string, unknown>)[key];
    }, value);
  }

  private variable(name: string): unknown {
    for (let depth = this.scopes.length - 1; depth >= 0; depth -= 1) {
      if (this.scopes[depth].has(name)) {
        return this.scopes[depth].get(name);
      }
    }
    throw new TemplateError(
      `template: base:1: undefined variable ${JSON.stringify(name)}`,
    );
  }

  private assign(name: string, declare: boolean, value: unknown): void {
    const scope = declare
      ? this.scopes.at(-1)
      : this.scopes.findLast(candidate => candidate.has(name));
    if (!scope) {
      throw new TemplateError(
        `template: base:1: undefined variable ${JSON.stringify(name)}`,
      );
    }
    scope.set(name, value);
  }

  private scoped(render: () => string): string {
    this.scopes.push(new Map());
    try {
      return render();
    } finally {
      this.scopes.pop();
    }
  }

  private withDot(value: unknown, render: () => string): string {
    const previous = this.dot;
    this.dot = value;
    try {
      return render();
    } finally {
      this.dot = previous;
    }
  }

  private located(source: string, action: () => string): string {
    try {
      return action();
    } catch (error) {
      if (
        error instanceof TemplateError &&
        !error.message.startsWith('template:')
      ) {
        throw new TemplateError(
          `template: :1: executing "" ${
            error.message.startsWith('at <')
              ? error.message
              : `at <${source}>: ${error.message}`
          }`,
        );
      }
      throw error;
    }
  }
}

/**
 * Renders a Go template with sprig's common functions, as an ApplicationSet with `goTemplate: true`.
 * Throws a {@link TemplateError} with the message of Argo CD.
 */
export function renderGoTemplate(
  template: string,
  parameters: Record<string, unknown>,
  options: GoTemplateOptions = {},
): string {
  if (!template.includes('{{')) {
    return template;
  }
  try {
    const evaluator = new Evaluator({
      root: parameters,
      missingIsError:
        options.goTemplateOptions?.includes('missingkey=error') ?? false,
    });
    return evaluator.render(parseGoTemplate(template));
  } catch (error) {
    if (error instanceof TemplateError) {
      const verb = error.message.startsWith('template: base:')
        ? 'parse'
        : 'execute';
      throw new TemplateError(
        `failed to ${verb} go template ${template}: ${error.message}`,
      );
    }
    throw error;
  }
}
