/**
 * What can be said of a template of an ApplicationSet without rendering it: which
 * parameters it uses, and how long it can become.
 */

/** Digits of the number of a merge request, in the busiest of projects. */
const NUMBER_DIGITS = 6;

/** Longest value of each parameter of the pull request generator. */
const LONGEST: Record<string, number> = {
  number: NUMBER_DIGITS,
  branch_slug: 50,
  target_branch_slug: 50,
  head_sha: 40,
  head_short_sha: 8,
  head_short_sha_7: 7,
};

/** What the pull request generator gives. */
export const PARAMETERS = [
  'number',
  'title',
  'branch',
  'branch_slug',
  'target_branch',
  'target_branch_slug',
  'head_sha',
  'head_short_sha',
  'head_short_sha_7',
  'author',
];

/** Those that change with every push. */
export const COMMIT_PARAMETERS = [
  'head_sha',
  'head_short_sha',
  'head_short_sha_7',
];

export interface TemplateSyntax {
  goTemplate: boolean;
  /** `values` of the generator, themselves templates. */
  values: Readonly<Record<string, string>>;
}

const ACTION = /\{\{-?([^{}]{0,500}?)-?\}\}/g;

/** The fixed text of a template, with a space for each action. */
export function fixedText(template: string): string {
  return template.replace(ACTION, ' ');
}

export function actionsOf(template: string): string[] {
  return [...template.matchAll(ACTION)].map(([, action]) => action.trim());
}

function parametersOfAction(action: string, goTemplate: boolean): string[] {
  if (!goTemplate) {
    return [action];
  }
  const code = action.replace(/"[^"]*"|`[^`]*`/g, '""');
  if (/^[A-Za-z_]\w*$/.test(code)) {
    // A function without arguments; people mean a parameter.
    return PARAMETERS.includes(code) ? [`(${code})`] : [];
  }
  return [...code.matchAll(/(?<![\w)\]."])(?:\$)?\.([A-Za-z_][\w.]*)/g)].map(
    ([, name]) => name,
  );
}

/**
 * Names of the parameters that a template uses, `values.x` for those of the
 * generator; in Go templates `(x)` for one that lacks its dot.
 */
export function parametersOf(
  template: string,
  { goTemplate }: Pick<TemplateSyntax, 'goTemplate'>,
): string[] {
  return actionsOf(template)
    .flatMap(action => parametersOfAction(action, goTemplate))
    .map(name => {
      const parts = name.split('.');
      return parts[0] === 'values' ? parts.slice(0, 2).join('.') : parts[0];
    });
}

/** Whether a Go template changes what the dot is, so that names are not the root's. */
export function movesTheDot(template: string): boolean {
  return actionsOf(template).some(action =>
    /^(?:range|with|define|block|template)\b/.test(action),
  );
}

/** The template with `values` of the generator put in, once. */
export function withValues(template: string, syntax: TemplateSyntax): string {
  return template.replace(ACTION, whole => {
    const name = /^\{\{-?\s*\.?values\.([\w-]+)\s*-?\}\}$/.exec(whole)?.[1];
    return name !== undefined && Object.hasOwn(syntax.values, name)
      ? syntax.values[name]
      : whole;
  });
}

function longestOfAction(action: string): number {
  const [first, ...pipeline] = action.split('|').map(part => part.trim());
  const name = /^\.?([\w]+)$/.exec(first)?.[1] ?? '';
  let length = Object.hasOwn(LONGEST, name) ? LONGEST[name] : 1;
  for (const step of pipeline) {
    const cut = /^trunc\s+(\d{1,4})$/.exec(step);
    if (cut) {
      length = Math.min(length, Number(cut[1]));
    } else if (!/^(?:lower|upper|quote|normalize|toString)$/.test(step)) {
      length = 1;
    }
  }
  return length;
}

/**
 * The most characters that a template is known to be able to give: what is not
 * understood counts as one.
 */
export function longestLength(
  template: string,
  syntax: TemplateSyntax,
): number {
  const whole = withValues(template, syntax);
  const fixed = whole.replace(ACTION, '').length;
  return actionsOf(whole).reduce(
    (sum, action) => sum + longestOfAction(action),
    fixed,
  );
}

const HOST =
  /(?<![A-Za-z0-9-])(?:\{\{[^{}]{0,200}\}\}|[A-Za-z0-9-])+(?:\.(?:\{\{[^{}]{0,200}\}\}|[A-Za-z0-9<>-])+){2,}/g;

/** Hosts with something to fill in, as they stand in a text. */
export function hostsIn(text: string): string[] {
  return text.includes('{{')
    ? (text.slice(0, 20_000).match(HOST) ?? []).filter(host =>
        host.includes('{{'),
      )
    : [];
}

/** The labels of a host that is a template. */
export function labelsOf(host: string): string[] {
  return host.split(/\.(?![^{}]*\}\})/);
}

/** The same text for the same template in either syntax. */
export function normalForm(template: string): string {
  return template.replace(
    ACTION,
    (_, action: string) => `{{${action.trim().replace(/^\./, '')}}}`,
  );
}

/** Matches what a template can give; undefined where that is nearly anything. */
export function matcherOf(template: string): RegExp | undefined {
  if (fixedText(template).replace(/[^a-z0-9]/gi, '').length < 3) {
    return undefined;
  }
  const parts = template
    .split(/\{\{[^{}]*\}\}/)
    .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[a-z0-9-]+')}$`);
}
