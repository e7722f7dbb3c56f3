// The parsers are no public part of the package, and are what is held to here.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import { parseAnyObject } from '@previews/backstage-plugin-previews-backend/src/sources/objects';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';

/**
 * Objects that other projects recorded, each file through the real parsers. The
 * folder stays where it is; another one of the same shape works as well.
 */
const folder = resolve(
  process.env.PREVIEWS_CASES ?? join(__dirname, '../../../shared/cases'),
);
const data = join(folder, 'data');
const context = { cluster: 'recorded', host: 'gitlab.example.com' };

/** What the `kind` of an object of Kubernetes may be taken for. */
const KINDS: Record<string, string> = {
  Application: 'applications',
  ApplicationSet: 'applicationSets',
  Namespace: 'namespaces',
  Deployment: 'deployments',
  StatefulSet: 'statefulSets',
  ReplicaSet: 'replicaSets',
  Pod: 'pods',
  Certificate: 'certificates',
  CertificateRequest: 'certificateRequests',
  Order: 'orders',
  Challenge: 'challenges',
  Issuer: 'issuers',
  ClusterIssuer: 'clusterIssuers',
  Event: 'acmeEvents',
  HTTPRoute: 'httpRoutes',
  Gateway: 'gateways',
  ListenerSet: 'listenerSets',
  Ingress: 'ingresses',
};

/** What the objects of a folder may be taken for, where they say no kind. */
const UNMARKED: Record<string, readonly string[]> = {
  'argocd-app': ['applications'],
  dns: ['dnsRecord'],
  'gitlab-mr': ['mergeRequest'],
  'gitlab-ci': ['pipeline', 'project', 'registryTag', 'registryRepository'],
};

interface Item {
  object: unknown;
  folder: string;
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .flatMap(entry => {
      const path = join(directory, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    })
    .filter(path => /\.(ya?ml|json)$/.test(path))
    .sort();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a document: those of a list, and the body of an answer. */
function unwrap(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap(unwrap);
  }
  if (isObject(value)) {
    if (typeof value.status === 'number' && isObject(value.headers)) {
      return unwrap(value.body ?? value.bodyText);
    }
    if (Array.isArray(value.ResourceRecordSets)) {
      return unwrap(value.ResourceRecordSets);
    }
    const isList =
      Array.isArray(value.items) &&
      (value.kind === undefined || /List$/.test(String(value.kind)));
    if (isList) {
      return (value.items as unknown[]).flatMap(unwrap);
    }
  }
  return [value];
}

function itemsOf(path: string): Item[] {
  const text = readFileSync(path, 'utf8');
  const documents: unknown[] = path.endsWith('.json')
    ? [JSON.parse(text)]
    : parseAllDocuments(text)
        .map(document => document.toJS() as unknown)
        .filter(document => document !== null);
  return documents.flatMap(unwrap).map(object => ({
    object,
    folder: relative(data, path).split(/[\\/]/)[0],
  }));
}

/** Whether a fact can be stored and sent without losing anything. */
function isPlainData(fact: unknown): boolean {
  return (
    isObject(fact) && isDeepStrictEqual(JSON.parse(JSON.stringify(fact)), fact)
  );
}

/** An identity of a cloud account, which nobody who sees a preview has to know. */
function namesAccount(fact: unknown): boolean {
  return /arn:aws|assumed-role|\b\d{12}\b/.test(JSON.stringify(fact));
}

/** What an object may be taken for; nothing for what is not read yet. */
function allowed({ object, folder: of }: Item): readonly string[] {
  if (!isObject(object)) {
    return [];
  }
  if ('kind' in object || 'apiVersion' in object) {
    const kind = KINDS[String(object.kind)];
    return kind ? [kind] : [];
  }
  return UNMARKED[of] ?? [];
}

describe('recorded cases', () => {
  if (!existsSync(data)) {
    it('are not there: PREVIEWS_CASES names no folder with data', () => {
      process.stdout.write(
        `No recorded cases in ${folder}: nothing to check.\n`,
      );
      expect(process.env.PREVIEWS_CASES).toBeUndefined();
    });
    return;
  }

  const files = filesBelow(data);
  const verdicts: string[] = [];

  afterAll(() => {
    process.stdout.write(`${verdicts.join('\n')}\n`);
  });

  it('are there', () => {
    expect(files.length).toBeGreaterThan(0);
  });

  it.each(files.map(path => [relative(data, path), path]))(
    '%s is understood or left alone',
    (name, path) => {
      const verdict = new Map<string, number>();
      const items = itemsOf(path);
      const mistaken: unknown[] = [];
      for (const item of items) {
        const parsed = parseAnyObject(item.object, context);
        const kind = parsed === 'not read yet' ? parsed : parsed.kind;
        verdict.set(kind, (verdict.get(kind) ?? 0) + 1);
        const isRight =
          parsed === 'not read yet' ||
          (allowed(item).includes(parsed.kind) &&
            isPlainData(parsed.fact) &&
            !(item.folder === 'cert-manager' && namesAccount(parsed.fact)));
        if (!isRight) {
          mistaken.push({ kind, object: item.object });
        }
      }
      const told = [...verdict]
        .map(([kind, count]) => (count > 1 ? `${count} × ${kind}` : kind))
        .join(', ');
      verdicts.push(`${name}: ${told || 'empty'}`);
      expect(mistaken).toEqual([]);
      expect(items.length).toBeGreaterThan(0);
    },
  );
});
