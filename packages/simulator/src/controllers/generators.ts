import type { Cluster, KubernetesObject } from '../kubernetes';
import { branchSlug } from '../templates/slug';
import { renderObject, type TemplateDialect } from '../templates/renderObject';
import { normalizeName } from '../templates/slug';

/** Parameters of one Application to be. */
export type Parameters = Record<string, unknown>;

/** What generators need. */
export interface GeneratorContext {
  cluster: Cluster;
  applicationSet: KubernetesObject;
  dialect: TemplateDialect;
}

type Generator = Record<string, any>;

interface Filter {
  branchMatch?: string;
  targetBranchMatch?: string;
  titleMatch?: string;
}

interface ListedMergeRequest {
  iid: number;
  title: string;
  sha: string | null;
  source_branch: string;
  target_branch: string;
  labels: string[];
  author: { username: string };
}

const SHORT = 8;
const SHORTER = 7;

/** Parameters of one generator; throws when its source cannot be read. */
export async function generate(
  generator: Generator,
  context: GeneratorContext,
  outer: Parameters = {},
): Promise<Parameters[]> {
  if (generator.list) {
    return generateList(generator.list, context, outer);
  }
  if (generator.pullRequest) {
    return generatePullRequests(
      renderObject(generator.pullRequest, outer, context.dialect),
      context,
    );
  }
  if (generator.clusters) {
    return generateClusters(generator.clusters, context);
  }
  if (generator.matrix) {
    return generateMatrix(generator.matrix, context, outer);
  }
  if (generator.merge) {
    return generateMerge(generator.merge, context, outer);
  }
  throw new Error(
    `generator ${
      Object.keys(generator).join(', ') || '(empty)'
    } is not supported`,
  );
}

function generateList(
  list: { elements?: Parameters[] },
  { dialect }: GeneratorContext,
  outer: Parameters,
): Parameters[] {
  return (list.elements ?? []).map(element =>
    renderObject(element, outer, dialect),
  );
}

async function generatePullRequests(
  generator: Generator,
  context: GeneratorContext,
): Promise<Parameters[]> {
  const { gitlab } = generator;
  if (!gitlab) {
    throw new Error('no SCM provider implementation configured');
  }
  const mergeRequests = await listMergeRequests(gitlab, context);
  return mergeRequests
    .filter(mergeRequest => matches(generator.filters, mergeRequest))
    .map(mergeRequest => {
      const sha = mergeRequest.sha ?? '';
      const values = generator.values as Record<string, string> | undefined;
      const parameters: Parameters = {
        number: String(mergeRequest.iid),
        title: mergeRequest.title,
        branch: mergeRequest.source_branch,
        branch_slug: branchSlug(mergeRequest.source_branch),
        target_branch: mergeRequest.target_branch,
        target_branch_slug: branchSlug(mergeRequest.target_branch),
        head_sha: sha,
        head_short_sha: sha.slice(0, SHORT),
        head_short_sha_7: sha.slice(0, SHORTER),
        author: mergeRequest.author.username,
        ...(context.dialect.goTemplate && { labels: mergeRequest.labels }),
      };
      return values
        ? {
            ...parameters,
            values: renderObject(values, parameters, context.dialect),
          }
        : parameters;
    });
}

/** Filters are OR, the conditions of one filter AND; expressions are not anchored. */
function matches(
  filters: Filter[] | undefined,
  mergeRequest: ListedMergeRequest,
): boolean {
  if (!filters?.length) {
    return true;
  }
  const meets = (pattern: string | undefined, text: string) =>
    pattern === undefined || new RegExp(pattern).test(text);
  return filters.some(
    filter =>
      meets(filter.branchMatch, mergeRequest.source_branch) &&
      meets(filter.targetBranchMatch, mergeRequest.target_branch) &&
      meets(filter.titleMatch, mergeRequest.title),
  );
}

async function listMergeRequests(
  gitlab: Generator,
  { cluster, applicationSet }: GeneratorContext,
): Promise<ListedMergeRequest[]> {
  const token = readToken(
    cluster,
    applicationSet.metadata.namespace as string,
    gitlab.tokenRef,
  );
  const base = String(gitlab.api ?? 'https://gitlab.com').replace(/\/+$/, '');
  const path = `/projects/${encodeURIComponent(
    String(gitlab.project),
  )}/merge_requests`;
  const query = new URLSearchParams({ per_page: '100' });
  if (gitlab.labels?.length > 0) {
    query.set('labels', gitlab.labels.join(','));
  }
  if (gitlab.pullRequestState) {
    query.set('state', gitlab.pullRequestState);
  }
  const all: ListedMergeRequest[] = [];
  let page = '1';
  while (page) {
    query.set('page', page);
    const url = `${base}/api/v4${path}?${query}`;
    const response = await request(url, token);
    if (response.status === 404 && gitlab.continueOnRepoNotFoundError) {
      return [];
    }
    if (!response.ok) {
      throw new Error(
        `error listing repos: error listing merge requests for project '${gitlab.project}': GET ${url}: ${response.status}`,
      );
    }
    all.push(...((await response.json()) as ListedMergeRequest[]));
    page = response.headers.get('x-next-page') ?? '';
  }
  return all;
}

async function request(
  url: string,
  token: string | undefined,
): Promise<Response> {
  try {
    return await fetch(url, {
      headers: token ? { 'private-token': token } : {},
    });
  } catch (error) {
    throw new Error(
      `error listing repos: error listing merge requests: Get "${url}": connection refused`,
      { cause: error },
    );
  }
}

function readToken(
  cluster: Cluster,
  namespace: string,
  reference: { secretName: string; key: string } | undefined,
): string | undefined {
  if (!reference) {
    return undefined;
  }
  const secret = cluster.get({
    kind: 'Secret',
    namespace,
    name: reference.secretName,
  });
  const value = secret?.data?.[reference.key] as string | undefined;
  if (value === undefined) {
    throw new Error(
      `error fetching Secret token: error fetching secret ${namespace}/${reference.secretName}: Secret "${reference.secretName}" not found`,
    );
  }
  return Buffer.from(value, 'base64').toString('utf8');
}

function generateClusters(
  generator: {
    selector?: { matchLabels?: Record<string, string> };
    values?: Record<string, string>;
  },
  { cluster, applicationSet, dialect }: GeneratorContext,
): Parameters[] {
  const decode = (value: unknown) =>
    Buffer.from(String(value ?? ''), 'base64').toString('utf8');
  const matchLabels = generator.selector?.matchLabels;
  const found = cluster
    .list({
      kind: 'Secret',
      namespace: applicationSet.metadata.namespace,
      labelSelector: {
        'argocd.argoproj.io/secret-type': 'cluster',
        ...matchLabels,
      },
    })
    .map(secret => ({
      name: decode(secret.data?.name),
      server: decode(secret.data?.server),
      metadata: {
        labels: secret.metadata.labels ?? {},
        annotations: secret.metadata.annotations ?? {},
      },
    }));
  const all = matchLabels
    ? found
    : [
        {
          name: 'in-cluster',
          server: 'https://kubernetes.default.svc',
          metadata: { labels: {}, annotations: {} },
        },
        ...found,
      ];
  return all.map(entry => {
    const parameters: Parameters = {
      ...entry,
      nameNormalized: normalizeName(entry.name),
    };
    return generator.values
      ? {
          ...parameters,
          values: renderObject(generator.values, parameters, dialect),
        }
      : parameters;
  });
}

async function generateMatrix(
  matrix: { generators?: Generator[] },
  context: GeneratorContext,
  outer: Parameters,
): Promise<Parameters[]> {
  const [first, second] = matrix.generators ?? [];
  if (!first || !second || matrix.generators?.length !== 2) {
    throw new Error(
      'found more or less than two generators, Matrix support only two',
    );
  }
  const combined: Parameters[] = [];
  for (const left of await generate(first, context, outer)) {
    const inner = await generate(second, context, { ...outer, ...left });
    combined.push(...inner.map(right => combine(left, right)));
  }
  return combined;
}

function combine(left: Parameters, right: Parameters): Parameters {
  const both = { ...left, ...right };
  return left.values && right.values
    ? { ...both, values: { ...left.values, ...right.values } }
    : both;
}

async function generateMerge(
  merge: { generators?: Generator[]; mergeKeys?: string[] },
  context: GeneratorContext,
  outer: Parameters,
): Promise<Parameters[]> {
  const generators = merge.generators ?? [];
  if (generators.length < 2) {
    throw new Error(
      'found less than two generators, Merge requires two or more',
    );
  }
  const keyOf = (parameters: Parameters) =>
    JSON.stringify((merge.mergeKeys ?? []).map(key => parameters[key]));
  const [base, ...overlays] = generators;
  const merged = new Map(
    (await generate(base, context, outer)).map(parameters => [
      keyOf(parameters),
      parameters,
    ]),
  );
  for (const overlay of overlays) {
    for (const parameters of await generate(overlay, context, outer)) {
      const known = merged.get(keyOf(parameters));
      if (known) {
        merged.set(keyOf(parameters), combine(known, parameters));
      }
    }
  }
  return [...merged.values()];
}

/** All generators below, also those inside a matrix or merge. */
export function allGenerators(generators: Generator[]): Generator[] {
  return generators.flatMap(generator => [
    generator,
    ...allGenerators(
      generator.matrix?.generators ?? generator.merge?.generators ?? [],
    ),
  ]);
}
