import {
  askedLabels,
  ApplicationSetFact,
  MergeRequestFact,
  ProjectFact,
  PullRequestGenerator,
} from '../model';
import { ProjectPattern } from './ProjectPattern';
import {
  missingLabels,
  refusedBy,
  Selection,
  unmetRequirement,
} from './selection';
import {
  argoSlug,
  flattenParameters,
  formerArgoSlug,
  renderFastTemplate,
  renderGoTemplate,
} from './templates';

/** A GitLab pull request generator of a set, with one parameter set of its matrix siblings. */
export interface GeneratorUse {
  cluster: string;
  set: ApplicationSetFact;
  generator: PullRequestGenerator;
  /** Parameters of the siblings; undefined when only a running Argo CD knows them. */
  sibling: Record<string, unknown> | undefined;
  /** Host of the configured GitLab instance that `api` selects. */
  host: string;
  project:
    | { kind: 'id'; id: number }
    | { kind: 'path'; path: string }
    | { kind: 'pattern'; pattern: ProjectPattern };
}

/** Longest path of a project that any GitLab has, and some more. */
const LONGEST_PROJECT_PATH = 2000;

/** Longest name of any Kubernetes object. */
const LONGEST_NAME = 253;

/** `cluster:namespace/name` of a set. */
export function setReference(cluster: string, set: ApplicationSetFact): string {
  return `${cluster}:${set.meta.namespace}/${set.meta.name}`;
}

/** `namespace/name` of a set, as sentences name it. */
export function setName(set: ApplicationSetFact): string {
  return `${set.meta.namespace}/${set.meta.name}`;
}

/** Whether a set takes the Applications that it made to other commits. */
export function updatesApplications({
  applicationsSync: policy,
}: ApplicationSetFact): boolean {
  return policy !== 'create-only' && policy !== 'create-delete';
}

/** Whether a set deletes the Applications that it does not generate any more. */
export function deletesApplications({
  applicationsSync: policy,
}: ApplicationSetFact): boolean {
  return policy !== 'create-only' && policy !== 'create-update';
}

/**
 * Host, with the port if it is not the scheme's own, of a GitLab API base as an
 * ApplicationSet writes it. Case and trailing slashes mean nothing. It only
 * selects a configured host; no URL is built from it.
 */
export function hostOfApi(api: string | undefined): string | undefined {
  if (!api) {
    return 'gitlab.com';
  }
  try {
    const url = new URL(api.includes('://') ? api : `https://${api}`);
    return url.host.toLowerCase() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a set lists MRs of a GitLab host, configured or not. One that Argo CD renders
 * the address of may mean any.
 */
export function listsHost(set: ApplicationSetFact, host: string): boolean {
  return set.generators.some(({ forge, api }) => {
    const named = forge === 'gitlab' ? hostOfApi(api) : '';
    return named === undefined || named === host;
  });
}

/** All uses of GitLab pull request generators in a set on configured hosts. */
export function usesOf(
  cluster: string,
  set: ApplicationSetFact,
  isConfigured: (host: string) => boolean,
): GeneratorUse[] {
  return set.generators.flatMap(generator => {
    const host =
      generator.forge === 'gitlab' ? hostOfApi(generator.api) : undefined;
    if (host === undefined || !isConfigured(host)) {
      return [];
    }
    const siblings =
      generator.siblings === 'dynamic' ? [undefined] : generator.siblings;
    return siblings.flatMap(sibling => {
      const project = projectOf(set, generator, sibling);
      return project
        ? [
            {
              cluster,
              set,
              generator: renderedFor(set, generator, sibling),
              sibling,
              host,
              project,
            },
          ]
        : [];
    });
  });
}

/**
 * Argo CD renders all of a generator with the parameters of the one before it in a
 * matrix. What only a running Argo CD knows is left as it is written.
 */
function renderedFor(
  set: ApplicationSetFact,
  generator: PullRequestGenerator,
  sibling: Record<string, unknown> | undefined,
): PullRequestGenerator {
  const { labels, filters, state } = generator;
  const texts = [state, ...labels, ...filters.flatMap(Object.values)];
  if (!sibling || !texts.some(text => text?.includes('{{'))) {
    return generator;
  }
  const render = (text: string) => renderParameter(set, text, sibling) ?? text;
  return {
    ...generator,
    labels: labels.flatMap(label => askedLabels(render(label))),
    filters: filters.map(filter =>
      Object.fromEntries(
        Object.entries(filter).map(([name, text]) => [name, render(text)]),
      ),
    ),
    ...(state !== undefined && { state: render(state) }),
  };
}

function projectOf(
  set: ApplicationSetFact,
  generator: PullRequestGenerator,
  sibling: Record<string, unknown> | undefined,
): GeneratorUse['project'] | undefined {
  let name = generator.project.trim();
  if (name.includes('{{')) {
    const rendered = sibling && renderParameter(set, name, sibling);
    if (rendered === undefined) {
      return { kind: 'pattern', pattern: ProjectPattern.fromTemplate(name) };
    }
    name = rendered.trim();
  }
  if (name.length > LONGEST_PROJECT_PATH) {
    return undefined;
  }
  name = name.replace(/^\/+|\/+$/g, '');
  if (!name) {
    return undefined;
  }
  return /^\d+$/.test(name)
    ? { kind: 'id', id: Number(name) }
    : { kind: 'path', path: name };
}

export function usesProject(use: GeneratorUse, project: ProjectFact): boolean {
  switch (use.project.kind) {
    case 'id':
      return use.project.id === project.id;
    case 'path':
      return pathsOf(project).includes(use.project.path.toLowerCase());
    default:
      return use.project.pattern.test(project.path);
  }
}

/** All paths that lead to a project, in lower case, its own first. */
export function pathsOf({
  path,
  formerPaths = [],
}: Pick<ProjectFact, 'path' | 'formerPaths'>): string[] {
  return [path.toLowerCase(), ...formerPaths];
}

/**
 * Whether a generator would list this MR now: its state, labels (all of them)
 * and filters (every expression of one filter, any of the filters).
 */
export function selects(
  use: GeneratorUse,
  mergeRequest: MergeRequestFact,
): Selection {
  const applicationSet = setName(use.set);
  const { state, labels, filters, selector } = use.generator;
  const current =
    mergeRequest.state === 'locked' ? 'opened' : mergeRequest.state;
  const isStateKnown = state !== undefined && !state.includes('{{');
  if (isStateKnown && !['', 'all', current].includes(state)) {
    return {
      selected: false,
      reason: 'StateExcluded',
      params: { applicationSet, state: mergeRequest.state },
    };
  }
  const missing = missingLabels(labels, mergeRequest);
  if (missing.length > 0) {
    return {
      selected: false,
      reason: 'LabelMissing',
      params: { applicationSet, labels: missing },
    };
  }
  const unmet =
    selector &&
    unmetRequirement(selector, {
      areSiblingsKnown: use.sibling !== undefined,
      parameters: () => parametersFor(use, mergeRequest),
    });
  if (unmet) {
    return {
      selected: false,
      reason: 'SelectorExcluded',
      params: { applicationSet, requirement: unmet },
    };
  }
  let refusal: Selection | undefined;
  for (const filter of filters) {
    const refused = refusedBy(filter, mergeRequest, applicationSet);
    if (!refused) {
      return { selected: true };
    }
    refusal ??= refused;
  }
  return refusal ?? { selected: true };
}

export type SlugRule = 'current' | 'former';

/** The generator's parameters for an MR, those of its matrix siblings included. */
export function parametersFor(
  use: GeneratorUse,
  mergeRequest: MergeRequestFact,
  slugRule: SlugRule = 'current',
): Record<string, unknown> {
  const slug = slugRule === 'current' ? argoSlug : formerArgoSlug;
  const sha = mergeRequest.headSha ?? '';
  const parameters: Record<string, unknown> = {
    ...use.sibling,
    number: String(mergeRequest.key.iid),
    title: mergeRequest.title,
    branch: mergeRequest.sourceBranch,
    branch_slug: slug(mergeRequest.sourceBranch),
    target_branch: mergeRequest.targetBranch,
    target_branch_slug: slug(mergeRequest.targetBranch),
    head_sha: sha,
    head_short_sha: sha.slice(0, 8),
    head_short_sha_7: sha.slice(0, 7),
    author: mergeRequest.author.username,
    ...(use.set.goTemplate && { labels: mergeRequest.labels }),
  };
  return withValues(use, parameters);
}

function withValues(
  use: GeneratorUse,
  parameters: Record<string, unknown>,
): Record<string, unknown> {
  const values: Record<string, string> = {};
  for (const [name, template] of Object.entries(use.generator.values)) {
    values[name] = renderParameter(use.set, template, parameters) ?? template;
  }
  return Object.keys(values).length > 0
    ? { ...parameters, values }
    : parameters;
}

/** Renders one template of a set; undefined when it cannot be rendered here. */
export function renderParameter(
  set: ApplicationSetFact,
  template: string,
  parameters: Record<string, unknown>,
): string | undefined {
  if (!template.includes('{{')) {
    return template;
  }
  try {
    if (set.goTemplate) {
      const missingKeyIsError = set.goTemplateOptions.some(option =>
        /^missingkey=error$/.test(option.trim()),
      );
      return renderGoTemplate(template, parameters, { missingKeyIsError });
    }
    return renderFastTemplate(template, flattenParameters(parameters));
  } catch {
    // A template that is invalid or uses an unknown function has no rendering;
    // the callers fall back to other evidence.
    return undefined;
  }
}

/** The name template of a set's Applications. */
export function nameTemplate(set: ApplicationSetFact): string | undefined {
  const metadata = set.template.metadata as { name?: unknown } | undefined;
  return typeof metadata?.name === 'string' ? metadata.name : undefined;
}

/** Names that a use gives an MR's Application under both slug rules. */
export function namesFor(
  use: GeneratorUse,
  mergeRequest: MergeRequestFact,
): string[] {
  const template = nameTemplate(use.set);
  if (template === undefined) {
    return [];
  }
  const names = (['current', 'former'] as const).map(rule =>
    renderParameter(use.set, template, parametersFor(use, mergeRequest, rule)),
  );
  return [
    ...new Set(
      names.filter(
        (name): name is string =>
          name !== undefined &&
          name.length <= LONGEST_NAME &&
          !name.includes('{{'),
      ),
    ),
  ];
}

const iidPatterns = new WeakMap<GeneratorUse, { pattern?: RegExp }>();

/**
 * A pattern that reads the iid back from a name, where the name is made of
 * literals, constants of the matrix and the number alone.
 */
export function iidPattern(use: GeneratorUse): RegExp | undefined {
  let known = iidPatterns.get(use);
  if (!known) {
    const parts = numberedParts(use, nameTemplate(use.set));
    const [prefix, suffix] = [parts?.prefix, parts?.suffix].map(part =>
      part?.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    );
    known = {
      ...(parts && {
        pattern: new RegExp(`^${prefix}([1-9]\\d{0,9})${suffix}$`),
      }),
    };
    iidPatterns.set(use, known);
  }
  return known.pattern;
}

/** What stands around the number in a text that a template gives. */
export interface NumberedParts {
  prefix: string;
  suffix: string;
}

/**
 * What stands around the number, where a template is made of literals, constants
 * of the matrix and one number alone.
 */
export function numberedParts(
  use: GeneratorUse,
  template: string | undefined,
): NumberedParts | undefined {
  if (template === undefined || !template.includes('{{')) {
    return undefined;
  }
  const render = (number: string) => renderNumbered(use, template, number);
  const first = render('31415926');
  const second = render('27182818');
  if (
    !first ||
    !second ||
    first === second ||
    first.split('31415926').length !== 2 ||
    second !== first.replace('31415926', '27182818')
  ) {
    return undefined;
  }
  const [prefix, suffix] = first.split('31415926');
  return { prefix, suffix };
}

/** A template of the set for any MR of that number; undefined where more than the number is needed. */
export function renderNumbered(
  use: GeneratorUse,
  template: string,
  number: string,
): string | undefined {
  const strict = { ...use.set, goTemplateOptions: ['missingkey=error'] };
  const text = renderParameter(strict, template, { ...use.sibling, number });
  return text?.includes('{{') || text?.includes('<no value>')
    ? undefined
    : text;
}
