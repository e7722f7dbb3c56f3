import {
  Finding,
  findingDefinitions,
  FindingEvidence,
  findingMessage,
  FindingParams,
  FindingSubject,
  FindingType,
  Preview,
  ReasonParams,
} from '@previews/backstage-plugin-previews-common';
import { createHash } from 'node:crypto';
import {
  ApplicationFact,
  MergeRequestKey,
  previewIdOf,
  ReadingReference,
  StoredFinding,
} from '../../model';
import { WorldIndex } from '../worldIndex';

/** Enough to begin with; an alarm may be about thousands. */
const MAX_EVIDENCE = 100;

/** What a check found in one pass, without its history. */
export interface Found extends Omit<StoredFinding, 'finding'> {
  finding: Omit<Finding, 'since' | 'resolvedAt'>;
  /**
   * False while it cannot be told whether it still is: an earlier finding then
   * stays as it is, and none begins.
   */
  certain: boolean;
}

/** What a check says of a finding; the rest follows from the type. */
export interface FindingOptions<T extends FindingType> {
  type: T;
  subject: FindingSubject;
  /** What the id is made of, where the subject's name may change; default is the subject. */
  identity?: string;
  params: FindingParams[T];
  cause?: Finding['cause'];
  previewIds?: readonly string[];
  evidence?: readonly FindingEvidence[];
  restsOn?: readonly ReadingReference[];
  applicationSets?: readonly string[];
  certain?: boolean;
}

/** Makes a finding. Its id comes from the type and what it is about alone. */
export function found<T extends FindingType>(
  options: FindingOptions<T>,
): Found {
  const { type, subject, params, cause, certain = true } = options;
  const facts: ReasonParams = Object.fromEntries(
    Object.entries<string | number | undefined>(params).flatMap(
      ([name, value]) => (value === undefined ? [] : [[name, value]]),
    ),
  );
  return {
    finding: {
      id: idOf(type, options.identity ?? identityOf(subject)),
      type,
      severity: findingDefinitions[type].severity,
      subject,
      params: facts,
      message: findingMessage(type, params),
      ...(cause && { cause }),
      previewIds: [...new Set(options.previewIds)].sort(),
      evidence: (options.evidence ?? []).slice(0, MAX_EVIDENCE),
    },
    restsOn: [...(options.restsOn ?? [])],
    applicationSets: [...new Set(options.applicationSets)].sort(),
    certain,
  };
}

function identityOf(subject: FindingSubject): string {
  const { kind, host = '', cluster = '', namespace = '', name } = subject;
  return JSON.stringify([kind, host, cluster, namespace, name]);
}

function idOf(type: FindingType, identity: string): string {
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 16);
  const words = type.replace(
    /[A-Z]/g,
    (letter, offset: number) =>
      `${offset > 0 ? '-' : ''}${letter.toLowerCase()}`,
  );
  return `${words}-${hash}`;
}

/** An MR as a subject or evidence, by the path that its project has now. */
export function mergeRequestOf(
  key: MergeRequestKey,
  index: WorldIndex,
): FindingEvidence & FindingSubject {
  const project = index.project(key.host, key.projectId)?.fact.path;
  return {
    kind: 'MergeRequest',
    host: key.host,
    name: `${project ?? key.projectId}!${key.iid}`,
    previewId: previewIdOf(key),
  };
}

/** The MR of a preview as a subject. */
export function mergeRequestOfPreview({
  mergeRequest: { host, project, iid },
}: Preview): FindingSubject {
  return { kind: 'MergeRequest', host, name: `${project}!${iid}` };
}

export function applicationEvidence(
  cluster: string,
  { meta }: ApplicationFact,
  previewId?: string,
): FindingEvidence {
  return {
    kind: 'Application',
    cluster,
    namespace: meta.namespace ?? '',
    name: meta.name,
    ...(meta.createdAt && { since: meta.createdAt }),
    ...(previewId !== undefined && { previewId }),
  };
}

/** The condition of a preview that tells why, with its own sentence. */
export function causeOf(
  preview: Preview,
  type: string,
): Finding['cause'] | undefined {
  const condition = preview.conditions.find(one => one.type === type);
  if (!condition) {
    return undefined;
  }
  const { reason, params, message } = condition;
  return { type, reason, params, message };
}
