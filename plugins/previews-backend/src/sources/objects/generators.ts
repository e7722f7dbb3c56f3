import { parse as parseYaml } from 'yaml';
import {
  askedLabels,
  meets,
  PullRequestGenerator,
  Requirement,
} from '../../model';
import {
  asObject,
  boundedCopy,
  compact,
  JsonObject,
  MAXIMUM_ITEMS,
  objectAt,
  objectsOf,
  textMapOf,
  textsOf,
  wholeTextOf,
  wordOf,
} from './values';

/** Seconds that Argo CD waits where a pull request generator says nothing. */
export const DEFAULT_REQUEUE_SECONDS = 1800;

/** Argo CD's own defaults where a generator polls. */
const REQUEUE_DEFAULTS: Record<string, number> = {
  git: 180,
  clusterDecisionResource: 180,
  scmProvider: DEFAULT_REQUEUE_SECONDS,
  pullRequest: DEFAULT_REQUEUE_SECONDS,
  plugin: DEFAULT_REQUEUE_SECONDS,
};

/** Argo CD allows two levels; a hostile set may have more. */
const MAXIMUM_DEPTH = 8;

/** More combinations than this are not laid out. */
const MAXIMUM_SIBLINGS = 1000;

/** Most parameters of all combinations of a generator together. */
const MAXIMUM_PARAMETERS = 50_000;

type ParameterSets = JsonObject[] | 'dynamic';

function requeueSecondsOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
    ? value
    : undefined;
}

function product(left: ParameterSets, right: ParameterSets): ParameterSets {
  if (
    left === 'dynamic' ||
    right === 'dynamic' ||
    left.length * right.length > MAXIMUM_SIBLINGS
  ) {
    return 'dynamic';
  }
  const parameters =
    countParameters(left) * right.length + countParameters(right) * left.length;
  return parameters > MAXIMUM_PARAMETERS
    ? 'dynamic'
    : left.flatMap(first => right.map(second => ({ ...first, ...second })));
}

function countParameters(sets: readonly JsonObject[]): number {
  return sets.reduce((sum, set) => sum + Object.keys(set).length, 0);
}

/** What a generator's `selector` asks of the parameters that it gives. */
function requirementsOf({ selector }: JsonObject): Requirement[] {
  const labels = textMapOf(objectAt(selector, 'matchLabels'));
  return [
    ...Object.entries(labels).map(
      ([key, value]): Requirement => ({ key, operator: 'In', values: [value] }),
    ),
    ...objectsOf(objectAt(selector).matchExpressions).flatMap(
      ({ key: name, operator: word, values }): Requirement[] => {
        const key = wholeTextOf(name);
        const operator = wordOf(
          word,
          ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const,
          undefined,
        );
        return key && operator
          ? [{ key, operator, values: textsOf(values) }]
          : [];
      },
    ),
  ];
}

function listElements(list: JsonObject): ParameterSets {
  let elements: unknown = list.elements;
  const text = list.elementsYaml;
  if (typeof text === 'string' && text !== '') {
    if (text.includes('{{') || text.length > 100_000) {
      return 'dynamic';
    }
    try {
      elements = parseYaml(text, { maxAliasCount: 10 });
    } catch {
      // Argo CD cannot read it either, and says so in the set's conditions.
      return 'dynamic';
    }
  }
  return objectsOf(elements, MAXIMUM_SIBLINGS).map(element =>
    boundedCopy(element, { characters: 20_000 }),
  );
}

/** Parameters that a generator gives, as far as they are written in the set. */
function parameterSets(generator: JsonObject, depth: number): ParameterSets {
  const list = asObject(generator.list);
  if (list) {
    const elements = listElements(list);
    const requirements = requirementsOf(generator);
    return elements === 'dynamic'
      ? elements
      : elements.filter(element =>
          requirements.every(requirement => meets(element, requirement)),
        );
  }
  const matrix = asObject(generator.matrix);
  if (matrix && depth < MAXIMUM_DEPTH) {
    return objectsOf(matrix.generators).reduce<ParameterSets>(
      (sets, child) => product(sets, parameterSets(child, depth + 1)),
      [{}],
    );
  }
  return 'dynamic';
}

function parsePullRequest(
  generator: JsonObject,
  { siblings, selector }: { siblings: ParameterSets; selector: Requirement[] },
): PullRequestGenerator {
  const gitlab = asObject(generator.gitlab);
  const project = gitlab?.project;
  return compact({
    forge: gitlab ? 'gitlab' : 'other',
    api: wholeTextOf(gitlab?.api),
    project:
      typeof project === 'number'
        ? String(project)
        : wholeTextOf(project) ?? '',
    labels: textsOf(gitlab?.labels).flatMap(askedLabels),
    state: wholeTextOf(gitlab?.pullRequestState),
    filters: objectsOf(generator.filters).map(filter =>
      compact({
        branchMatch: wholeTextOf(filter.branchMatch),
        targetBranchMatch: wholeTextOf(filter.targetBranchMatch),
        titleMatch: wholeTextOf(filter.titleMatch),
      }),
    ),
    selector: selector.length > 0 ? selector : undefined,
    requeueAfterSeconds:
      requeueSecondsOf(generator.requeueAfterSeconds) ??
      DEFAULT_REQUEUE_SECONDS,
    continueOnRepoNotFoundError: generator.continueOnRepoNotFoundError === true,
    values: textMapOf(generator.values),
    siblings,
  } satisfies PullRequestGenerator);
}

/**
 * The pull request generators of a tree of generators. Elements of a list are
 * given as written: those that stand after the pull request generator may hold
 * templates over its parameters.
 */
export function findPullRequestGenerators(
  generators: unknown,
): PullRequestGenerator[] {
  const found: PullRequestGenerator[] = [];
  // Each generator of a matrix is laid out for every other one.
  const known = new Map<JsonObject, ParameterSets>();
  const setsOf = (generator: JsonObject, depth: number): ParameterSets => {
    let sets = known.get(generator);
    if (!sets) {
      sets = parameterSets(generator, depth);
      known.set(generator, sets);
    }
    return sets;
  };
  const visit = (
    children: JsonObject[],
    options: {
      siblings: ParameterSets;
      /** Of the generators around. */
      outer: readonly Requirement[];
      depth: number;
    },
  ) => {
    const { siblings, outer, depth } = options;
    for (const child of children) {
      const selector = [...outer, ...requirementsOf(child)];
      if (found.length >= MAXIMUM_ITEMS) {
        return;
      }
      const pullRequest = asObject(child.pullRequest);
      if (pullRequest) {
        found.push(parsePullRequest(pullRequest, { siblings, selector }));
      }
      if (depth >= MAXIMUM_DEPTH) {
        continue;
      }
      const ofMatrix = objectsOf(objectAt(child, 'matrix').generators, 20);
      ofMatrix.forEach((member, index) => {
        const others = ofMatrix
          .filter((_, other) => other !== index)
          .reduce<ParameterSets>(
            (sets, other) => product(sets, setsOf(other, depth + 1)),
            siblings,
          );
        visit([member], {
          siblings: others,
          outer: selector,
          depth: depth + 1,
        });
      });
      const ofMerge = objectsOf(objectAt(child, 'merge').generators, 20);
      visit(ofMerge, {
        // Which element is merged in depends on the MR's own parameters.
        siblings: ofMerge.length > 1 ? 'dynamic' : siblings,
        outer: selector,
        depth: depth + 1,
      });
    }
  };
  visit(objectsOf(generators), { siblings: [{}], outer: [], depth: 0 });
  return found;
}

/** The shortest requeue time of a tree of generators, in seconds. */
export function shortestRequeueSeconds(generators: unknown): number {
  let shortest = Infinity;
  const visit = (children: JsonObject[], depth: number) => {
    for (const child of children) {
      for (const [name, defaultSeconds] of Object.entries(REQUEUE_DEFAULTS)) {
        const generator = asObject(child[name]);
        if (generator) {
          shortest = Math.min(
            shortest,
            requeueSecondsOf(generator.requeueAfterSeconds) ?? defaultSeconds,
          );
        }
      }
      if (depth < MAXIMUM_DEPTH) {
        visit(objectsOf(objectAt(child, 'matrix').generators, 20), depth + 1);
        visit(objectsOf(objectAt(child, 'merge').generators, 20), depth + 1);
      }
    }
  };
  visit(objectsOf(generators), 0);
  return Number.isFinite(shortest) ? shortest : DEFAULT_REQUEUE_SECONDS;
}
