import {
  GeneratedMember,
  GeneratedSet,
  MergeRequestKey,
  previewIdOf,
} from '../../model';
import { Decision } from '../decide';
import { setReference } from '../generator';
import { Joined, Unjoined } from '../join';
import { keyString, WorldIndex } from '../worldIndex';
import { Found, found } from './found';
import { Readings } from './Readings';
import {
  ElsewhereOf,
  IsOpenSince,
  OtherApplication,
  watchGeneratedSet,
} from './watchGeneratedSet';

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
}): IsOpenSince {
  const { index, readings, decisions } = options;
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
      return undefined;
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
