import { KindName, kindNames } from '../../model';
import { parseApplication } from './application';
import {
  parseMergeRequest,
  parsePipeline,
  parseProject,
  parseRegistryRepository,
  parseRegistryTag,
} from './gitlab';
import { kindDefinitions } from './kinds';
import { parseObjectMeta, ParseContext } from './meta';
import { parseDnsRecord } from './records';
import { asObject, JsonObject, objectAt } from './values';

/** What an object was taken for, with its fact where it could be read. */
export interface ParsedObject {
  kind:
    | KindName
    | 'mergeRequest'
    | 'pipeline'
    | 'project'
    | 'registryTag'
    | 'registryRepository'
    | 'dnsRecord';
  fact?: unknown;
}

/** Argo CD's own API answers with Applications that do not say what they are. */
function isUnmarkedApplication(object: JsonObject): boolean {
  const spec = objectAt(object, 'spec');
  return (
    parseObjectMeta(object, { cluster: '' }) !== undefined &&
    asObject(spec.destination) !== undefined &&
    (asObject(spec.source) !== undefined || Array.isArray(spec.sources))
  );
}

/**
 * Finds the parser of an object whose kind nobody says. Objects of Kubernetes
 * are told by their own `kind` and `apiVersion`, those of GitLab and of DNS by
 * their fields.
 */
export function parseAnyObject(
  value: unknown,
  context: ParseContext & { host: string },
): ParsedObject | 'not read yet' {
  const object = asObject(value);
  if (!object) {
    return 'not read yet';
  }
  if ('kind' in object || 'apiVersion' in object) {
    for (const kind of kindNames) {
      const definition = kindDefinitions[kind];
      if (object.kind === definition.kind) {
        const fact = definition.parse(object, context);
        return fact ? { kind, fact } : 'not read yet';
      }
    }
    return 'not read yet';
  }
  if (isUnmarkedApplication(object)) {
    return {
      kind: 'applications',
      fact: parseApplication(object, context),
    };
  }
  const parsers = {
    mergeRequest: () => parseMergeRequest(object, context),
    pipeline: () => parsePipeline(object),
    project: () => parseProject(object),
    registryTag: () => parseRegistryTag(object),
    registryRepository: () => parseRegistryRepository(object),
    dnsRecord: () => parseDnsRecord(object),
  } as const;
  for (const [kind, parse] of Object.entries(parsers)) {
    const fact = parse();
    if (fact) {
      return { kind: kind as keyof typeof parsers, fact };
    }
  }
  return 'not read yet';
}
