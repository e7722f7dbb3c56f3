/**
 * Which projects a generator can mean whose project is itself a template. Its
 * actions stand for one character or more. No regular expression: one with a
 * wildcard per action takes exponentially long for paths that do not fit, and
 * anyone who may write a set chooses how many there are.
 */
export class ProjectPattern {
  readonly #literals: readonly string[];

  private constructor(literals: readonly string[]) {
    this.#literals = literals;
  }

  /** @param template - With at least one `{{ }}`. */
  static fromTemplate(template: string): ProjectPattern {
    return new ProjectPattern(template.toLowerCase().split(/\{\{[^{}]*\}\}/));
  }

  /** Without regard to case, as GitLab's paths are. */
  test(path: string): boolean {
    const text = path.toLowerCase();
    const [first, ...others] = this.#literals;
    const last = others.pop();
    if (last === undefined) {
      return text === first;
    }
    if (!text.startsWith(first)) {
      return false;
    }
    // The leftmost place of each literal leaves the most to those after it.
    let position = first.length;
    for (const literal of others) {
      const found = text.indexOf(literal, position + 1);
      if (found <= position) {
        return false;
      }
      position = found + literal.length;
    }
    return text.length - last.length > position && text.endsWith(last);
  }
}
