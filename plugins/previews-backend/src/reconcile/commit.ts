import { parse as parseYaml } from 'yaml';
import { Commit } from '@previews/backstage-plugin-previews-common';
import {
  ApplicationFact,
  ApplicationSetFact,
  MergeRequestFact,
  PodFact,
  ProjectFact,
} from '../model';
import { GeneratorUse, parametersFor, renderParameter } from './generator';
import { sizeOf } from './templates';

/** Shorter than this, a prefix names no commit. */
const MIN_PREFIX = 7;

/**
 * Whether an abbreviated SHA names the commit: a prefix of the full one, of at
 * least 7 characters.
 */
export function namesCommit(
  abbreviated: string | undefined,
  full: string | undefined,
): boolean {
  return (
    abbreviated !== undefined &&
    full !== undefined &&
    abbreviated.length >= MIN_PREFIX &&
    full.toLowerCase().startsWith(abbreviated.toLowerCase())
  );
}

/** The repository and tag of an image reference; the digest is left out. */
export function splitImage(image: string): {
  repository: string;
  tag?: string;
} {
  const [withoutDigest] = image.split('@');
  const match = /^(.+?):([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})$/.exec(
    withoutDigest,
  );
  return match && !match[2].includes('/')
    ? { repository: match[1], tag: match[2] }
    : { repository: withoutDigest };
}

/** Where a set's template puts a commit, and what stands around it there. */
export interface CommitExpression {
  kind: 'tag' | 'revision';
  parameter: 'head_sha' | 'head_short_sha' | 'head_short_sha_7';
  prefix: string;
  suffix: string;
  /** Position of the source in `spec.sources`, or 0. */
  source: number;
  /** Where in the source the value stands: keys, or list entries by their name. */
  path: (string | number)[];
  /** The rest of the path lies inside YAML text, such as `helm.values`. */
  inText?: (string | number)[];
}

// Two renderings tell a commit's place from a literal that looks like one.
const PROBE = 'c0ffee0123456789abcdef0123456789abcdef01';
const LENGTHS = {
  head_sha: 40,
  head_short_sha: 8,
  head_short_sha_7: 7,
} as const;

const PROBE_MERGE_REQUEST: MergeRequestFact = {
  key: { host: '', projectId: 1, iid: 1 },
  title: 'title',
  author: { username: 'author' },
  sourceBranch: 'branch',
  targetBranch: 'main',
  fork: false,
  draft: false,
  labels: ['label'],
  state: 'opened',
  headSha: PROBE,
  createdAt: '',
  updatedAt: '',
};

const expressionsOfSet = new WeakMap<ApplicationSetFact, CommitExpression[]>();

/**
 * The places where a set's template (with its patch) puts the head commit: found
 * by rendering it with a commit that occurs nowhere else and looking where it
 * went. Covers Helm parameters, `valuesObject`, `values` text, Kustomize images
 * and target revisions alike.
 */
export function commitExpressions(use: GeneratorUse): CommitExpression[] {
  let known = expressionsOfSet.get(use.set);
  if (!known) {
    known = findExpressions(use);
    expressionsOfSet.set(use.set, known);
  }
  return known;
}

function findExpressions(use: GeneratorUse): CommitExpression[] {
  const parameters = parametersFor(use, PROBE_MERGE_REQUEST);
  const rendered = renderTree(use.set, use.set.template, parameters) as {
    spec?: Record<string, unknown>;
  };
  const found = expressionsIn(rendered?.spec);
  if (use.set.templatePatch) {
    found.push(
      ...expressionsIn(
        renderPatch(use.set, use.set.templatePatch, parameters)?.spec,
      ),
    );
  }
  return found;
}

function renderTree(
  set: ApplicationSetFact,
  node: unknown,
  parameters: Record<string, unknown>,
): unknown {
  if (typeof node === 'string') {
    return renderParameter(set, node, parameters) ?? node;
  }
  if (Array.isArray(node)) {
    return node.map(item => renderTree(set, item, parameters));
  }
  if (node && typeof node === 'object') {
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [
        key,
        renderTree(set, value, parameters),
      ]),
    );
  }
  return node;
}

function renderPatch(
  set: ApplicationSetFact,
  patch: string,
  parameters: Record<string, unknown>,
): { spec?: Record<string, unknown> } | undefined {
  const rendered = renderParameter(set, patch, parameters);
  return rendered === undefined
    ? undefined
    : (parseText(rendered) as { spec?: Record<string, unknown> } | undefined);
}

function parseText(text: string): unknown {
  try {
    const value = parseYaml(text, { maxAliasCount: 10, logLevel: 'silent' });
    // The count of aliases leaves out those that stand inside of their anchor.
    return Number.isFinite(sizeOf(value)) ? value : undefined;
  } catch {
    // Text that is no YAML carries no value that could be looked up.
    return undefined;
  }
}

function expressionsIn(
  spec: Record<string, unknown> | undefined,
): CommitExpression[] {
  const sources = Array.isArray(spec?.sources) ? spec.sources : [spec?.source];
  return sources.flatMap((source, position) => {
    const found: CommitExpression[] = [];
    walk(source, [], (path, text) => {
      const parts = probeIn(text);
      if (!parts) {
        return;
      }
      const place = { source: position, path };
      if (path.length === 1 && path[0] === 'targetRevision') {
        found.push({ kind: 'revision', ...parts, ...place });
        return;
      }
      if (!text.includes('\n') && !isTextField(path)) {
        found.push({ kind: 'tag', ...parts, ...place });
        return;
      }
      walk(parseText(text), [], (inText, inner) => {
        const innerParts = probeIn(inner);
        if (innerParts) {
          found.push({ kind: 'tag', ...innerParts, ...place, inText });
        }
      });
    });
    return found;
  });
}

function isTextField(path: (string | number)[]): boolean {
  return path[path.length - 1] === 'values';
}

function probeIn(
  text: string,
): Pick<CommitExpression, 'parameter' | 'prefix' | 'suffix'> | undefined {
  const match = new RegExp(
    `^([^]*?)(${PROBE.slice(0, 7)}[0-9a-f]*)([^]*)$`,
  ).exec(text);
  if (!match || !PROBE.startsWith(match[2])) {
    return undefined;
  }
  const parameter = (Object.keys(LENGTHS) as (keyof typeof LENGTHS)[]).find(
    name => LENGTHS[name] === match[2].length,
  );
  return parameter && { parameter, prefix: match[1], suffix: match[3] };
}

/** Visits every string of a tree; list entries with a `name` are addressed by it. */
function walk(
  node: unknown,
  path: (string | number)[],
  visit: (path: (string | number)[], text: string) => void,
  depth = 0,
) {
  if (depth > 20) {
    return;
  }
  if (typeof node === 'string') {
    visit(path, node);
  } else if (Array.isArray(node)) {
    node.forEach((item, position) => {
      const name =
        item && typeof item === 'object'
          ? (item as { name?: unknown }).name
          : undefined;
      walk(
        item,
        [...path, typeof name === 'string' ? `name=${name}` : position],
        visit,
        depth + 1,
      );
    });
  } else if (node && typeof node === 'object') {
    Object.entries(node).forEach(([key, value]) =>
      walk(value, [...path, key], visit, depth + 1),
    );
  }
}

function lookUp(node: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((current, key) => {
    if (Array.isArray(current)) {
      return typeof key === 'string' && key.startsWith('name=')
        ? current.find(
            item => (item as { name?: unknown })?.name === key.slice(5),
          )
        : current[Number(key)];
    }
    if (current && typeof current === 'object' && Object.hasOwn(current, key)) {
      return (current as Record<string, unknown>)[key];
    }
    return undefined;
  }, node);
}

function valueAt(
  application: ApplicationFact,
  expression: CommitExpression,
): string | undefined {
  const raw = application.sources[expression.source]?.raw;
  let value = lookUp(raw, expression.path);
  if (expression.inText && typeof value === 'string') {
    value = lookUp(parseText(value), expression.inText);
  }
  if (typeof value === 'number') {
    return String(value);
  }
  return typeof value === 'string' ? value : undefined;
}

function withoutAffixes(
  value: string,
  { prefix, suffix }: CommitExpression,
): string {
  const inner = value.startsWith(prefix) ? value.slice(prefix.length) : value;
  return suffix && inner.endsWith(suffix)
    ? inner.slice(0, -suffix.length)
    : inner;
}

/** A commit's three faces for one Application, and how they were found. */
export interface ApplicationCommit {
  by: Commit['by'];
  expected?: string;
  wantedByArgo?: string;
  running?: string;
  /** Argo CD asks for the head. */
  wantsHead: boolean;
  /** A ready pod runs the head. */
  runsHead: boolean;
  /** A ready pod runs another commit. */
  runsOther: boolean;
  /** Tag that the registry has to hold for the head. */
  expectedTag?: string;
  /** The images that the expression feeds: repository, where it can be told. */
  repository?: string;
}

/**
 * What the set expects for the head, what the Application asks for, and what
 * its ready pods run.
 */
export function applicationCommit(options: {
  application: ApplicationFact;
  expressions: readonly CommitExpression[];
  /** Full SHA of the MR's head. */
  head: string | undefined;
  /** Source branch of the MR. */
  branch: string | undefined;
  project: ProjectFact | undefined;
  /** `unreadable` where the cluster does not let pods be read: then Argo CD's word counts. */
  pods: readonly PodFact[] | 'unreadable';
}): ApplicationCommit {
  const { application, expressions, project } = options;
  const expression = tagExpression(expressions);
  const repository = project?.registryPath;
  const pods = options.pods === 'unreadable' ? [] : options.pods;
  if (!expression && !hasProjectImage(application, pods, repository)) {
    return byRevision(options);
  }
  const commit = byTag({ ...options, expression, repository, pods });
  const telling =
    options.pods !== 'unreadable' &&
    (commit.running !== undefined ||
      pods.length === 0 ||
      !pods.every(isServing));
  return telling ? commit : byWordOfArgo(commit, options);
}

/**
 * The expression that feeds an image, where a set puts the commit elsewhere too. A
 * set that asks for the commit as a revision deploys by that: what else it writes
 * the commit into, such as a label, is no image's tag.
 */
export function tagExpression(
  expressions: readonly CommitExpression[],
): CommitExpression | undefined {
  const tags = expressions.filter(({ kind }) => kind === 'tag');
  const feedsImage = ({ path, inText = [], prefix }: CommitExpression) =>
    prefix.endsWith(':') || /image|tag/i.test([...path, ...inText].join('.'));
  const asksForRevision = expressions.some(({ kind }) => kind === 'revision');
  return tags.find(feedsImage) ?? (asksForRevision ? undefined : tags[0]);
}

/**
 * Where pods cannot be read, or their images tell no commit: what Argo CD wants
 * runs once it calls the Application Synced and Healthy, unless the images that
 * it lists tell otherwise.
 */
function byWordOfArgo(
  commit: ApplicationCommit,
  {
    application,
    head,
  }: { application: ApplicationFact; head: string | undefined },
): ApplicationCommit {
  const { wantedByArgo, repository } = commit;
  const listed = application.images.filter(
    image =>
      repository !== undefined &&
      isUnder(image, repository) &&
      looksLikeCommit(image),
  );
  const runs =
    wantedByArgo !== undefined &&
    application.sync.status === 'Synced' &&
    application.health.status === 'Healthy' &&
    (listed.length === 0 ||
      listed.some(image => splitImage(image).tag === wantedByArgo));
  return runs
    ? {
        ...commit,
        running: wantedByArgo,
        runsHead: commit.wantsHead,
        runsOther: head !== undefined && !commit.wantsHead,
      }
    : commit;
}

function hasProjectImage(
  application: ApplicationFact,
  pods: readonly PodFact[],
  repository: string | undefined,
): boolean {
  const images = [
    ...application.images,
    ...pods.flatMap(pod => pod.containers.map(({ image }) => image)),
  ];
  return (
    repository !== undefined &&
    images.some(image => isUnder(image, repository) && looksLikeCommit(image))
  );
}

function isUnder(image: string, repository: string): boolean {
  const own = splitImage(image).repository.toLowerCase();
  return (
    own === repository.toLowerCase() ||
    own.startsWith(`${repository.toLowerCase()}/`)
  );
}

function looksLikeCommit(image: string): boolean {
  return /^[0-9a-f]{7,40}$/i.test(splitImage(image).tag ?? '');
}

function byTag(options: {
  application: ApplicationFact;
  expression: CommitExpression | undefined;
  head: string | undefined;
  repository: string | undefined;
  pods: readonly PodFact[];
}): ApplicationCommit {
  const { application, expression, head, repository, pods } = options;
  const length = expression ? LENGTHS[expression.parameter] : 8;
  const shortHead = head?.slice(0, length);
  // A prefix such as `registry.example.com/shop:` is the image's repository.
  const tagAffixes = expression && affixesOfTag(expression);
  const expected =
    shortHead && expression
      ? `${tagAffixes!.prefix}${shortHead}${tagAffixes!.suffix}`
      : shortHead;
  const asked = expression && valueAt(application, expression);
  const projectImages = repository
    ? application.images.filter(image => isUnder(image, repository))
    : [];
  const wanted =
    asked !== undefined
      ? withoutAffixes(asked, expression!)
      : projectImages
          .map(image => splitImage(image).tag)
          .find(tag => tag !== undefined);
  const strip = (tag: string) =>
    tagAffixes ? stripAffixes(tag, tagAffixes) : tag;
  const candidates = pods
    .filter(isServing)
    .flatMap(pod => runningTags(pod, { repository, wanted: asked, strip }));
  const runsHead = candidates.some(tag => namesCommit(tag, head));
  const other = candidates.find(
    tag => head !== undefined && !namesCommit(tag, head),
  );
  return {
    by: 'tag',
    expected,
    wantedByArgo: wanted,
    running: runsHead
      ? candidates.find(tag => namesCommit(tag, head))
      : candidates[0],
    wantsHead: namesCommit(wanted, head),
    runsHead,
    runsOther: other !== undefined,
    expectedTag: expected,
    repository,
  };
}

/** The tag that an expression gives for a head. */
export function expectedTagOf(
  expression: CommitExpression,
  head: string | undefined,
): string | undefined {
  const { prefix, suffix } = affixesOfTag(expression);
  return (
    head && `${prefix}${head.slice(0, LENGTHS[expression.parameter])}${suffix}`
  );
}

/** What stands around the commit in the tag; `registry.example.com/shop:` before it is the image's repository. */
function affixesOfTag({ prefix, suffix }: CommitExpression): {
  prefix: string;
  suffix: string;
} {
  const colon = prefix.lastIndexOf(':');
  return { prefix: colon >= 0 ? prefix.slice(colon + 1) : prefix, suffix };
}

function stripAffixes(
  tag: string,
  { prefix, suffix }: { prefix: string; suffix: string },
): string {
  const inner =
    prefix && tag.startsWith(prefix) ? tag.slice(prefix.length) : tag;
  return suffix && inner.endsWith(suffix)
    ? inner.slice(0, -suffix.length)
    : inner;
}

export function isServing(pod: PodFact): boolean {
  return pod.ready && pod.meta.deletionRequestedAt === undefined;
}

/** Tags of a pod's containers that can be the MR's commit, affixes taken off. */
function runningTags(
  pod: PodFact,
  options: {
    repository: string | undefined;
    wanted: string | undefined;
    strip: (tag: string) => string;
  },
): string[] {
  const images = pod.containers
    .filter(({ init }) => !init)
    .map(({ image }) => image);
  const own = options.repository
    ? images.filter(image => isUnder(image, options.repository!))
    : [];
  return (own.length > 0 ? own : images)
    .map(image => splitImage(image).tag)
    .filter((tag): tag is string => tag !== undefined)
    .map(options.strip)
    .filter(tag => /^[0-9a-f]{7,40}$/i.test(tag));
}

function isCommit(text: string | undefined): boolean {
  return text !== undefined && /^[0-9a-f]{7,40}$/i.test(text);
}

/**
 * Whether a source follows the MR: its branch, its refs, or a commit. One that
 * follows another branch of the project says nothing about the MR's commit.
 */
function followsMergeRequest(
  targetRevision: string | undefined,
  branch: string | undefined,
): boolean {
  return (
    targetRevision !== undefined &&
    (targetRevision === branch ||
      targetRevision === `refs/heads/${branch}` ||
      targetRevision.startsWith('refs/merge-requests/') ||
      isCommit(targetRevision))
  );
}

function byRevision(options: {
  application: ApplicationFact;
  expressions: readonly CommitExpression[];
  head: string | undefined;
  branch: string | undefined;
  project: ProjectFact | undefined;
}): ApplicationCommit {
  const { application, expressions, head, branch, project } = options;
  const expression = expressions.find(({ kind }) => kind === 'revision');
  const position =
    expression?.source ??
    application.sources.findIndex(
      ({ repoUrl, targetRevision }) =>
        isRepositoryOf(repoUrl, project) &&
        followsMergeRequest(targetRevision, branch),
    );
  if (position < 0) {
    return { by: 'none', wantsHead: false, runsHead: false, runsOther: false };
  }
  const { targetRevision } = application.sources[position] ?? {};
  const resolved = application.sync.revisions[position];
  const deployed = application.deployed?.revisions[position] ?? resolved;
  // A commit that the spec asks for is newer than what was compared last.
  const wanted = [
    expression && targetRevision !== undefined
      ? withoutAffixes(targetRevision, expression)
      : targetRevision,
    resolved,
  ].find(isCommit);
  const running = [
    application.sync.status === 'Synced' ? resolved : deployed,
  ].find(isCommit);
  if (!expression && wanted === undefined) {
    return { by: 'none', wantsHead: false, runsHead: false, runsOther: false };
  }
  return {
    by: 'revision',
    expected:
      head &&
      (expression ? head.slice(0, LENGTHS[expression.parameter]) : head),
    wantedByArgo: wanted,
    running,
    wantsHead: namesCommit(wanted, head),
    runsHead: namesCommit(running, head),
    runsOther:
      running !== undefined &&
      head !== undefined &&
      !namesCommit(running, head),
  };
}

/** Whether a source's repository is the MR's project, by any of its addresses. */
export function isRepositoryOf(
  repoUrl: string | undefined,
  project: ProjectFact | undefined,
): boolean {
  if (!repoUrl || !project) {
    return false;
  }
  const plain = (url: string) =>
    url
      .replace(/^[a-z+]+:\/\//i, '')
      .replace(/^[^@/]*@/, '')
      .replace(/^([^/:]+):(?!\d+\/)/, '$1/')
      .replace(/(\.git)?\/*$/i, '')
      .toLowerCase();
  return [project.httpUrl, project.sshUrl, project.webUrl].some(
    url => url !== undefined && plain(url) === plain(repoUrl),
  );
}
