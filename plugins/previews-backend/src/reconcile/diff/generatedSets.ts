import {
  GeneratedMember,
  GeneratedSet,
  MergeRequestKey,
  previewIdOf,
} from '../../model';
import { Decision } from '../decide';
import { GeneratorUse, setReference, usesProject } from '../generator';
import { Joined, Unjoined } from '../join';
import { hasElapsed } from '../time';
import { keyString, WorldIndex } from '../worldIndex';
import { Found, found } from './found';
import { Readings } from './Readings';
import {
  ElsewhereOf,
  IsOpenSince,
  OtherApplication,
  watchGeneratedSet,
} from './watchGeneratedSet';

/**
 * How long GitLab has to refuse a project that no set lists before it is taken for
 * granted that nobody will ever tell whether its MRs are open.
 */
const REFUSED_SECONDS = 24 * 60 * 60;

/** What a pass makes of the sets that are watched. */
export interface WatchedSets {
  /** By reference: all that are remembered from now on. */
  sets: ReadonlyMap<string, GeneratedSet>;
  alarms: readonly Found[];
}

/**
 * Follows every set with a GitLab generator. Of a cluster that is not read
 * completely what was remembered stays as it is, and so does an alarm.
 */
export function watchGeneratedSets(options: {
  index: WorldIndex;
  readings: Readings;
  joined: ReadonlyMap<string, readonly Joined[]>;
  unjoined: readonly Unjoined[];
  decisions: ReadonlyMap<string, Decision>;
  remembered: ReadonlyMap<string, GeneratedSet>;
  now: string;
}): WatchedSets {
  const { index, readings, remembered, now } = options;
  const present = membersOf(options);
  const isOpenSince = isOpenSinceIn(options);
  const sets = new Map<string, GeneratedSet>();
  for (const [reference, before] of remembered) {
    if (!readings.isSetGone(reference)) {
      sets.set(reference, before);
    }
  }
  const clusters = new Map<string, boolean>();
  for (const { cluster, set } of index.uses) {
    const isRead =
      clusters.get(cluster) ??
      readings.areKnown([
        { kind: 'objects', cluster, objects: 'applicationSets' },
        { kind: 'objects', cluster, objects: 'applications' },
      ]);
    clusters.set(cluster, isRead);
    const reference = setReference(cluster, set);
    if (isRead) {
      sets.set(
        reference,
        watchGeneratedSet({
          reference,
          before: remembered.get(reference),
          present: present.get(reference) ?? [],
          elsewhereOf: elsewhereOf(reference, options),
          requeueAfterSeconds: set.requeueAfterSeconds,
          isOpenSince,
          now,
        }),
      );
    }
  }
  return {
    sets,
    alarms: [...sets.values()].flatMap(set => alarmOf(set) ?? []),
  };
}

/**
 * MRs whose Applications went: whether they are open decides whether an alarm is
 * raised and when it ends, also where no set lists their project any more and
 * nothing of their previews is left.
 */
export function awaitedMergeRequests(
  sets: Iterable<GeneratedSet>,
): MergeRequestKey[] {
  const awaited = new Map<string, MergeRequestKey>();
  for (const { losses } of sets) {
    for (const { key } of losses.flatMap(({ members }) => members)) {
      if (key) {
        awaited.set(keyString(key), key);
      }
    }
  }
  return [...awaited.values()];
}

/** Applications that nobody is deleting, by the reference of their set. */
function membersOf({
  joined,
  unjoined,
}: {
  joined: ReadonlyMap<string, readonly Joined[]>;
  unjoined: readonly Unjoined[];
}): Map<string, GeneratedMember[]> {
  const members = new Map<string, GeneratedMember[]>();
  const add = (
    { cluster, fact: { meta }, set }: Joined | Unjoined,
    key?: MergeRequestKey,
  ) => {
    if (!set || meta.deletionRequestedAt !== undefined) {
      return;
    }
    const reference = setReference(cluster, set);
    const member = {
      namespace: meta.namespace ?? '',
      name: meta.name,
      ...(key && { key }),
      ...(meta.createdAt && { createdAt: meta.createdAt }),
    };
    const known = members.get(reference);
    if (known) {
      known.push(member);
    } else {
      members.set(reference, [member]);
    }
  };
  for (const applications of joined.values()) {
    applications.forEach(application => add(application, application.key));
  }
  unjoined.forEach(application => add(application));
  return members;
}

/** Applications that nobody is deleting and that a set does not have, by their MR. */
function elsewhereOf(
  reference: string,
  {
    joined,
    remembered,
  }: {
    joined: ReadonlyMap<string, readonly Joined[]>;
    remembered: ReadonlyMap<string, GeneratedSet>;
  },
): ElsewhereOf {
  const otherOf = ({
    cluster,
    fact: { meta },
    set,
  }: Joined): OtherApplication[] => {
    const owner = set && setReference(cluster, set);
    if (owner === reference || meta.deletionRequestedAt !== undefined) {
      return [];
    }
    const { namespace = '', name, createdAt } = meta;
    const before = owner === undefined ? undefined : remembered.get(owner);
    return [
      {
        reference: `${cluster}:${namespace}/${name}`,
        isNew: !before?.members.some(
          member => member.namespace === namespace && member.name === name,
        ),
        ...(set && { set }),
        ...(createdAt && { createdAt }),
      },
    ];
  };
  return key => (joined.get(keyString(key)) ?? []).flatMap(otherOf);
}

function isOpenSinceIn(options: {
  index: WorldIndex;
  readings: Readings;
  decisions: ReadonlyMap<string, Decision>;
  now: string;
}): IsOpenSince {
  const { index, readings, decisions, now } = options;
  return (key, after) => {
    const { host, projectId, iid } = key;
    const project = index.project(host, projectId);
    const isRead =
      project?.completeAt !== undefined &&
      Date.parse(project.completeAt) > Date.parse(after) &&
      readings.isKnown({
        kind: 'project',
        host,
        projectId,
        path: project.fact.path,
      });
    if (!isRead) {
      return isOutOfReach(key, { index, after, now }) ? false : undefined;
    }
    const reading = project.mergeRequests.get(iid);
    if (reading) {
      const { state } = reading.fact;
      return !reading.deletedAt && (state === 'opened' || state === 'locked');
    }
    // One that is followed and not in the list waits for its own answer; of one
    // that is not followed any more the preview has ended.
    const state = decisions.get(keyString(key))?.change.stored.preview
      .mergeRequest.state;
    return state === 'opened' || state === 'locked' ? undefined : false;
  };
}

/**
 * Whether nobody will ever tell of an MR: no set lists its project any more, and
 * GitLab has said for a day that there is none, or none to be read. While a set lists
 * it, lost access may be what took the Applications, and can come back.
 */
function isOutOfReach(
  { host, projectId }: MergeRequestKey,
  { index, after, now }: { index: WorldIndex; after: string; now: string },
): boolean {
  const gitlab = index.gitlab.get(host);
  if (!gitlab) {
    // The host is not configured any more, so that no set is of it either.
    return hasElapsed(after, now, REFUSED_SECONDS);
  }
  const project = gitlab.projects.get(projectId);
  const refused =
    project ??
    gitlab.unreadable.find(({ reference }) => reference === String(projectId));
  const error = refused?.error;
  return (
    (error?.reason === 'NotFound' || error?.reason === 'Forbidden') &&
    hasElapsed(error.since, now, REFUSED_SECONDS) &&
    !index.uses.some(
      use =>
        use.host === host &&
        (project
          ? usesProject(use, project.fact)
          : mayUse(use, { projectId, index })),
    )
  );
}

/** A project that was never read may be any that a set names otherwise than by its id. */
function mayUse(
  use: GeneratorUse,
  { projectId, index }: { projectId: number; index: WorldIndex },
): boolean {
  return use.project.kind === 'path'
    ? index.projectsOf(use).length === 0
    : use.project.kind === 'pattern' || use.project.id === projectId;
}

function alarmOf({
  reference,
  members,
  losses,
  alarm,
}: GeneratedSet): Found | undefined {
  if (!alarm) {
    return undefined;
  }
  const [cluster, path] = splitOnce(reference, ':');
  const [namespace, name] = splitOnce(path, '/');
  const lost = losses.flatMap(({ at, members: gone }) =>
    gone.map(member => ({ ...member, at })),
  );
  return found({
    type: 'GeneratedSetShrank',
    subject: { kind: 'ApplicationSet', cluster, namespace, name },
    params: { applicationSet: path, ...alarm },
    previewIds: [...lost, ...members].flatMap(({ key }) =>
      key ? [previewIdOf(key)] : [],
    ),
    evidence: lost.map(
      ({ namespace: inNamespace, name: application, key, at }) => ({
        kind: 'Application',
        cluster,
        namespace: inNamespace,
        name: application,
        since: at,
        ...(key && { previewId: previewIdOf(key) }),
      }),
    ),
    restsOn: [
      { kind: 'objects', cluster, objects: 'applicationSets' },
      { kind: 'objects', cluster, objects: 'applications' },
    ],
    applicationSets: [reference],
  });
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + separator.length)];
}
