import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import type { Tree } from '../gitlab/trees';
import type { KubernetesObjectInput } from '../kubernetes';
import { runClusterTool } from '../tools/clusterTools';
import type { Activity } from './activity';

const CACHE_SIZE = 500;
const CONCURRENCY = 2;
const KUBERNETES_VERSION = '1.35.2';
/** What the charts of previews ask for; Argo CD passes all that the cluster has. */
const API_VERSIONS = [
  'apps/v1',
  'batch/v1',
  'policy/v1',
  'networking.k8s.io/v1',
  'gateway.networking.k8s.io/v1',
  'cert-manager.io/v1',
  'external-secrets.io/v1',
];
const KUSTOMIZATIONS = ['kustomization.yaml', 'kustomization.yml'];

/** The part of an Application's source that says how a repository is rendered. */
export interface RepositorySource {
  repoURL?: string;
  path?: string;
  helm?: {
    releaseName?: string;
    valueFiles?: string[];
    values?: string;
    valuesObject?: unknown;
    parameters?: { name: string; value: string; forceString?: boolean }[];
    ignoreMissingValueFiles?: boolean;
    skipCrds?: boolean;
  };
  kustomize?: {
    namePrefix?: string;
    nameSuffix?: string;
    namespace?: string;
    images?: string[];
    commonLabels?: Record<string, string>;
    labelWithoutSelector?: boolean;
    commonAnnotations?: Record<string, string>;
    patches?: unknown[];
    components?: string[];
  };
  directory?: { recurse?: boolean; include?: string; exclude?: string };
}

/** What is to be rendered. */
export interface RenderRequest {
  source: RepositorySource;
  /** Full SHA; with the repository it stands for the files. */
  sha: string;
  files: Tree;
  applicationName: string;
  namespace: string;
}

/** What rendering came to. */
export type Rendering =
  | { manifests: KubernetesObjectInput[] }
  | { problem: string };

export type SourceType = 'Helm' | 'Kustomize' | 'Directory';

function folderOf(source: RepositorySource): string {
  return (source.path ?? '').replace(/^\.?\/+|\/+$/g, '').replace(/^\.$/, '');
}

/**
 * How Argo CD takes a folder of a repository; undefined where it holds neither a chart nor an
 * overlay and the source does not say that it is a plain directory.
 */
export function sourceTypeOfFiles(
  source: RepositorySource,
  files: Tree,
): SourceType | undefined {
  const at = (name: string) =>
    files.has([folderOf(source), name].filter(Boolean).join('/'));
  if (at('Chart.yaml')) {
    return 'Helm';
  }
  if (KUSTOMIZATIONS.some(at)) {
    return 'Kustomize';
  }
  return source.directory ? 'Directory' : undefined;
}

function objectsOf(text: string): KubernetesObjectInput[] {
  return parseAllDocuments(text)
    .map(document => {
      if (document.errors.length > 0) {
        throw new Error(document.errors[0].message);
      }
      return document.toJS() as KubernetesObjectInput | null;
    })
    .flatMap(object => {
      if (!object || typeof object !== 'object' || !object.kind) {
        return [];
      }
      return object.kind === 'List'
        ? (object as { items?: KubernetesObjectInput[] }).items ?? []
        : [object];
    });
}

/** `[name=]new[:tag][@digest]`, as Argo CD takes from `kustomize edit set image`. */
function imageOverride(text: string): Record<string, string> {
  const equals = text.indexOf('=');
  const [name, image] =
    equals < 0
      ? [undefined, text]
      : [text.slice(0, equals), text.slice(equals + 1)];
  const [reference, digest] = image.split('@');
  const colon = reference.lastIndexOf(':');
  const hasTag = colon > reference.lastIndexOf('/');
  const newName = hasTag ? reference.slice(0, colon) : reference;
  return {
    name: name ?? newName,
    ...(name !== undefined && { newName }),
    ...(hasTag && { newTag: reference.slice(colon + 1) }),
    ...(digest !== undefined && { digest }),
  };
}

/** Does to a kustomization what Argo CD does by `kustomize edit`. */
function edited(
  text: string,
  options: NonNullable<RepositorySource['kustomize']>,
): string {
  const kustomization = (parse(text) ?? {}) as Record<string, any>;
  const images = [...(kustomization.images ?? [])] as Record<string, string>[];
  for (const override of (options.images ?? []).map(imageOverride)) {
    const position = images.findIndex(({ name }) => name === override.name);
    images.splice(
      position < 0 ? images.length : position,
      position < 0 ? 0 : 1,
      override,
    );
  }
  return stringify({
    ...kustomization,
    ...(images.length > 0 && { images }),
    ...(options.namespace && { namespace: options.namespace }),
    ...(options.namePrefix && { namePrefix: options.namePrefix }),
    ...(options.nameSuffix && { nameSuffix: options.nameSuffix }),
    ...(options.commonAnnotations && {
      commonAnnotations: {
        ...kustomization.commonAnnotations,
        ...options.commonAnnotations,
      },
    }),
    ...(options.commonLabels && {
      labels: [
        ...(kustomization.labels ?? []),
        {
          pairs: options.commonLabels,
          includeSelectors: !options.labelWithoutSelector,
          includeTemplates: !options.labelWithoutSelector,
        },
      ],
    }),
    ...(options.patches && {
      patches: [...(kustomization.patches ?? []), ...options.patches],
    }),
    ...(options.components && {
      components: [...(kustomization.components ?? []), ...options.components],
    }),
  });
}

async function writeFiles(root: string, files: Tree): Promise<void> {
  for (const [path, content] of files) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

async function renderHelm(
  root: string,
  request: RenderRequest,
): Promise<Rendering> {
  const { source, applicationName, namespace, files } = request;
  const folder = folderOf(source);
  const helm = source.helm ?? {};
  const args = [
    'template',
    helm.releaseName ?? applicationName,
    join(root, folder),
    '--namespace',
    namespace,
    '--kube-version',
    KUBERNETES_VERSION,
    ...(helm.skipCrds ? [] : ['--include-crds']),
    ...API_VERSIONS.flatMap(version => ['--api-versions', version]),
  ];
  for (const { name, value, forceString } of helm.parameters ?? []) {
    args.push(forceString ? '--set-string' : '--set', `${name}=${value}`);
  }
  for (const name of helm.valueFiles ?? []) {
    const path = join(folder, name);
    if (files.has(path) || !helm.ignoreMissingValueFiles) {
      args.push('--values', join(root, path));
    }
  }
  const values =
    helm.valuesObject === undefined
      ? helm.values
      : stringify(helm.valuesObject);
  if (values) {
    const file = join(root, '.values-of-the-application.yaml');
    await writeFile(file, values);
    args.push('--values', file);
  }
  const result = await runClusterTool('helm', args);
  if (result.code !== 0) {
    const said = result.stderr.trim().split(root).join('.');
    return {
      problem: `Manifest generation error (cached): failed to execute helm template command: failed to get command args to log: \`helm template . --name-template ${applicationName} --namespace ${namespace} <api versions removed> --include-crds\` failed exit status ${result.code}: ${said}`,
    };
  }
  return { manifests: objectsOf(result.stdout) };
}

async function renderKustomize(
  root: string,
  request: RenderRequest,
): Promise<Rendering> {
  const { source, files } = request;
  const folder = folderOf(source);
  if (source.kustomize) {
    const path = KUSTOMIZATIONS.map(name => join(folder, name)).find(name =>
      files.has(name),
    ) as string;
    await writeFile(
      join(root, path),
      edited(files.get(path) as string, source.kustomize),
    );
  }
  const result = await runClusterTool('kubectl', [
    'kustomize',
    join(root, folder),
  ]);
  return result.code === 0
    ? { manifests: objectsOf(result.stdout) }
    : {
        problem: `Manifest generation error (cached): \`kustomize build <path to cached source>/${folder}\` failed exit status ${
          result.code
        }: ${result.stderr.trim().split(root).join('<path to cached source>')}`,
      };
}

/** `*.yaml` and `{a,b}` as Argo CD's include and exclude have them. */
function matches(pattern: string, path: string): boolean {
  const expression = pattern
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.')
    .replace(
      /\{([^}]*)\}/g,
      (_, names: string) => `(${names.split(',').join('|')})`,
    );
  return new RegExp(`^${expression}$`).test(path);
}

function renderDirectory({ source, files }: RenderRequest): Rendering {
  const folder = folderOf(source);
  const prefix = folder === '' ? '' : `${folder}/`;
  const { recurse, include, exclude } = source.directory ?? {};
  const manifests: KubernetesObjectInput[] = [];
  for (const [path, content] of [...files].sort(([left], [right]) =>
    left < right ? -1 : 1,
  )) {
    const below = path.slice(prefix.length);
    const isTaken =
      path.startsWith(prefix) &&
      /\.(ya?ml|json)$/.test(path) &&
      (recurse || !below.includes('/')) &&
      (!include || matches(include, below)) &&
      (!exclude || !matches(exclude, below));
    if (isTaken) {
      try {
        manifests.push(...objectsOf(content));
      } catch (error) {
        return {
          problem: `Failed to unmarshal "${path.split('/').pop()}": ${
            error instanceof Error ? error.message : String(error)
          }`,
        };
      }
    }
  }
  return { manifests };
}

/**
 * Renders folders of repositories with the tools that Argo CD has: Helm, Kustomize, or as they are.
 * Rendering takes its time, so a first answer is `undefined` and the asker is told when there is one.
 */
export class RepositoryRenderer {
  private readonly activity: Activity;
  private readonly rendered = new Map<string, Rendering>();
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly queue: (() => Promise<void>)[] = [];
  private running = 0;

  constructor(activity: Activity) {
    this.activity = activity;
  }

  /** What was rendered, or undefined, and then `onReady` is called once when it is. */
  render(request: RenderRequest, onReady: () => void): Rendering | undefined {
    const { source, sha, applicationName, namespace } = request;
    const key = JSON.stringify([source, sha, applicationName, namespace]);
    const known = this.rendered.get(key);
    if (known) {
      this.rendered.delete(key);
      this.rendered.set(key, known);
      return known;
    }
    const waiting = this.waiting.get(key);
    if (waiting) {
      waiting.add(onReady);
      return undefined;
    }
    this.waiting.set(key, new Set([onReady]));
    const done = this.activity.begin();
    this.queue.push(async () => {
      const rendering = await renderFiles(request);
      this.rendered.set(key, rendering);
      if (this.rendered.size > CACHE_SIZE) {
        this.rendered.delete(this.rendered.keys().next().value as string);
      }
      const asked = this.waiting.get(key);
      this.waiting.delete(key);
      asked?.forEach(tell => tell());
      done();
    });
    this.work();
    return undefined;
  }

  private work(): void {
    while (this.running < CONCURRENCY && this.queue.length > 0) {
      this.running++;
      const task = this.queue.shift() as () => Promise<void>;
      void task().finally(() => {
        this.running--;
        this.work();
      });
    }
  }
}

async function renderFiles(request: RenderRequest): Promise<Rendering> {
  const type = sourceTypeOfFiles(request.source, request.files);
  if (type === 'Directory') {
    return renderDirectory(request);
  }
  const root = await mkdtemp(join(tmpdir(), 'previews-render-'));
  try {
    await writeFiles(root, request.files);
    return await (type === 'Helm'
      ? renderHelm(root, request)
      : renderKustomize(root, request));
  } catch (error) {
    return {
      problem: `Manifest generation error (cached): ${
        error instanceof Error ? error.message : String(error)
      }`,
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
