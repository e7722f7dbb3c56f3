import { parse } from 'yaml';
import type { Project } from '../gitlab/model';
import type { Tree as Files } from '../gitlab/trees';

/**
 * Where the certificate of a preview's host comes from: a Certificate of its own, the platform's
 * wildcard, a listener of its service's Gateway, the annotation of its Ingress, or nowhere.
 */
export type CertificateMode =
  | 'perMergeRequest'
  | 'wildcard'
  | 'gatewayListener'
  | 'ingressShim'
  | 'none';

const CERTIFICATE_MODES: string[] = [
  'perMergeRequest',
  'wildcard',
  'gatewayListener',
  'ingressShim',
  'none',
];

/** What the preview chart can be told. */
export interface ChartValues {
  /** Name of the workload, its service and route. */
  name: string;
  image: { repository: string; tag: string };
  host: string;
  replicas: number;
  workload: 'Deployment' | 'StatefulSet';
  route: 'httproute' | 'ingress' | 'none';
  gateway: { name: string; namespace: string };
  certificate: CertificateMode;
  issuer: string;
  /** Secret that an Ingress names where the platform's wildcard serves it. */
  wildcardSecret: string;
  /** Whether the chart renders the namespace itself. */
  namespace: boolean;
  /** Labels of the pods, which change with what they hold. */
  podLabels: Record<string, string>;
}

type Tree = Record<string, unknown>;

/** A source of an Application, as far as it says something about values. */
export interface ValueSource {
  path?: string;
  helm?: {
    releaseName?: string;
    values?: string;
    valuesObject?: Tree;
    valueFiles?: string[];
    parameters?: { name: string; value: string }[];
  };
  kustomize?: {
    images?: string[];
    namePrefix?: string;
    nameSuffix?: string;
    commonLabels?: Record<string, string>;
    patches?: { target?: { kind?: string }; patch?: string }[];
  };
}

function isTree(value: unknown): value is Tree {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function merge(base: Tree, over: Tree): Tree {
  const result: Tree = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const known = result[key];
    result[key] = isTree(known) && isTree(value) ? merge(known, value) : value;
  }
  return result;
}

function setPath(tree: Tree, path: string, value: string): Tree {
  const [escaped, ...rest] = path.split(/(?<!\\)\./);
  const head = escaped.replaceAll('\\.', '.');
  const known = tree[head];
  return {
    ...tree,
    [head]:
      rest.length > 0
        ? setPath(isTree(known) ? known : {}, rest.join('.'), value)
        : value,
  };
}

/** Files and values repeat from one comparison to the next; parsing them is most of its cost. */
const parsedTrees = new Map<string, Tree>();
const PARSED_LIMIT = 1000;

function parseTree(text: string | undefined): Tree {
  if (!text) {
    return {};
  }
  const known = parsedTrees.get(text);
  if (known) {
    return known;
  }
  const parsed: unknown = parse(text);
  const result = isTree(parsed) ? parsed : {};
  if (parsedTrees.size >= PARSED_LIMIT) {
    parsedTrees.clear();
  }
  parsedTrees.set(text, result);
  return result;
}

const text = (value: unknown, fallback: string) =>
  value === undefined || value === null ? fallback : String(value);
const flag = (value: unknown, fallback: boolean) =>
  value === undefined ? fallback : String(value) === 'true';
const tree = (value: unknown): Tree => (isTree(value) ? value : {});

/**
 * The values that a source gives the chart: the repository's `values.yaml`, then value files, then
 * values (the object wins over the text), then parameters, as Argo CD orders them.
 */
export function chartValues(options: {
  source: ValueSource;
  /** The project that the source's repository is, if GitLab knows it. */
  project: Project | undefined;
  /** Its files at the revision of the source. */
  files: Files | undefined;
  applicationName: string;
}): ChartValues {
  const { source, project, files, applicationName } = options;
  const file = (name: string) =>
    parseTree(files?.get([source.path, name].filter(Boolean).join('/')));
  const helm = source.helm ?? {};
  let values = [
    file('values.yaml'),
    ...(helm.valueFiles ?? []).filter(name => !name.startsWith('$')).map(file),
    helm.valuesObject ?? parseTree(helm.values),
  ].reduce(merge, {});
  for (const parameter of helm.parameters ?? []) {
    values = setPath(values, parameter.name, parameter.value);
  }
  const image = tree(values.image);
  const gateway = tree(values.gateway);
  const result: ChartValues = {
    name: text(
      values.name,
      helm.releaseName ?? project?.path ?? applicationName,
    ),
    image: {
      repository: text(image.repository, 'registry.example.com/example'),
      tag: text(image.tag, 'latest'),
    },
    host: text(values.host, ''),
    replicas: Number(values.replicas ?? 1),
    workload: values.workload === 'StatefulSet' ? 'StatefulSet' : 'Deployment',
    route: ['ingress', 'none'].includes(String(values.route))
      ? (values.route as 'ingress' | 'none')
      : 'httproute',
    gateway: {
      name: text(gateway.name, 'shared'),
      namespace: text(gateway.namespace, 'gateways'),
    },
    certificate: certificateMode(values),
    issuer: text(values.issuer, 'letsencrypt'),
    wildcardSecret: text(values.wildcardSecret, 'preview-wildcard'),
    namespace: flag(values.namespace, true),
    podLabels: Object.fromEntries(
      Object.entries(tree(values.podLabels)).map(([key, value]) => [
        key,
        String(value),
      ]),
    ),
  };
  return source.kustomize ? kustomize(result, source.kustomize) : result;
}

/** A mode by its name; `true` is what suits the route, `false` none. */
function certificateMode(values: Tree): CertificateMode {
  const given = text(values.certificate, 'true');
  if (CERTIFICATE_MODES.includes(given)) {
    return given as CertificateMode;
  }
  if (given !== 'true') {
    return 'none';
  }
  return values.route === 'ingress' ? 'ingressShim' : 'perMergeRequest';
}

function kustomize(
  values: ChartValues,
  overlay: NonNullable<ValueSource['kustomize']>,
): ChartValues {
  const result = {
    ...values,
    name: `${overlay.namePrefix ?? ''}${values.name}${
      overlay.nameSuffix ?? ''
    }`,
    podLabels: { ...values.podLabels, ...overlay.commonLabels },
  };
  for (const entry of overlay.images ?? []) {
    // `name=new:tag` or `name:tag`.
    const [name, renamed] = entry.includes('=')
      ? entry.split('=')
      : [undefined, entry];
    const colon = renamed.lastIndexOf(':');
    const repository = colon > 0 ? renamed.slice(0, colon) : renamed;
    if ((name ?? repository) === values.image.repository) {
      result.image = {
        repository,
        tag: colon > 0 ? renamed.slice(colon + 1) : values.image.tag,
      };
    }
  }
  for (const { patch } of overlay.patches ?? []) {
    const operations: unknown = patch ? parse(patch) : [];
    for (const operation of Array.isArray(operations) ? operations : []) {
      if (/^\/spec\/(hostnames\/0|rules\/0\/host)$/.test(operation.path)) {
        result.host = String(operation.value);
      }
    }
  }
  return result;
}
