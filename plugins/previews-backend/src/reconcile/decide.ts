import {
  Commit,
  Condition,
  conditionTypes,
  ConditionType,
  eventOf,
  findReason,
  FurtherCondition,
  MergeRequest,
  Phase,
  Preview,
  PreviewTtl,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import {
  ApplicationSetFact,
  FurtherPolicy,
  KindName,
  Memory,
  PreviewChange,
  previewIdOf,
  StoredPreview,
} from '../model';
import {
  afterPull,
  evaluateConditions,
  errorOfSet,
  hasUndeletedLeftovers,
  mergeRequestOpen,
  PolicyContext,
  selected,
  settledTimes,
  Verdicts,
} from './conditions';
import { activityAtOf } from './activity';
import { diagnose } from './certificates';
import { carryOverSummaries, isUnread } from './carryOver';
import { ApplicationCommit, namesCommit } from './commit';
import {
  decideFurther,
  explainingFurther,
  furtherEffects,
  FurtherOutcome,
  furtherStale,
  furtherTransitions,
  sentenceOfFurther,
  subjectOf,
} from './further';
import { hostsToRemember } from './dns';
import { Observed, ObservedNamespace } from './gather';
import { probeSummaries } from './probes';
import { setReference } from './generator';
import { unreadHome } from './homes';
import { isLost } from './lostClusters';
import {
  effectiveConditions,
  explainingCondition,
  firstBlocked,
  PhaseFacts,
  phaseOf,
} from './phase';
import { kindUnknown, projectUnknown } from './readability';
import { isSame } from './sameness';
import { englishSentence } from './sentence';
import { DecisionSettings } from './settings';
import {
  applicationSummary,
  certificateSummaries,
  mergeRequestSummary,
  namespaceSummaries,
  routeSummaries,
  workloadSummaries,
} from './summaries';
import { addSeconds, hasElapsed, secondsBetween } from './time';
import { SaidByEntities, ttlOf, ttlTimes, withTtl } from './ttl';
import { unwantedSinceOf } from './unwantedSince';
import { previewUrls } from './urls';
import { Verdict, worst } from './verdict';

/** How soon it is looked at again whether an alarm has ended. */
const HELD_LOOK_SECONDS = 60;

/** Conditions that apply while the preview is wanted, and those that apply once it is not. */
const CARRIED: Record<'wanted' | 'unwanted', ReadonlySet<ConditionType>> = {
  wanted: new Set([
    'ImageBuilt',
    'ApplicationGenerated',
    'Synced',
    'Available',
    'CertificateReady',
    'RouteAccepted',
    'Reachable',
  ]),
  unwanted: new Set(['CleanedUp']),
};

export interface Decision {
  change: PreviewChange;
  /** Nothing but read times differs from what is stored: nothing needs writing. */
  unchanged: boolean;
  /** ISO: when time alone may change the outcome; undefined when only facts can. */
  lookAgainAt?: string;
}

/**
 * Decides one preview: a pure function of what was observed, what is stored and
 * the time. Undefined when nothing was ever known of it.
 */
export function decide(options: {
  observed: Observed;
  previous: StoredPreview | undefined;
  entityRefs: readonly string[];
  /** What those entities say of how long it is kept; absent while that is not known. */
  timesToLive?: SaidByEntities;
  settings: DecisionSettings;
  /** How long this service's steps usually take: seconds by condition type. */
  usual?: Partial<Record<string, number>>;
  /** Sets that lost many Applications at once, as `cluster:namespace/name`: nothing of them becomes an orphan. */
  frozenSets?: ReadonlySet<string>;
  /** Conditions that modules added. */
  further?: readonly FurtherPolicy[];
  now: string;
}): Decision | undefined {
  const { observed, previous, settings, now } = options;
  const mergeRequest = mergeRequestOf(observed, previous);
  if (!mergeRequest) {
    return undefined;
  }
  const memoryBefore = memoryOf(observed, previous);
  const basis = {
    observed,
    now,
    settings,
    wanted: false,
    existed: memoryBefore.existed,
  };
  const open = mergeRequestOpen(basis);
  const selection = selected(basis);
  const wanted = isWanted(selection, previous);
  const existed = memoryBefore.existed || observed.applications.length > 0;
  const unwantedSince = unwantedSinceOf({
    ...options,
    selection,
    wanted,
    mergeRequest,
  });
  const context: PolicyContext = {
    ...basis,
    wanted,
    existed,
    unwantedSince,
    onlyDnsSince: memoryBefore.onlyDnsSince,
  };
  const ttl = ttlOf({
    ...options,
    mergeRequest,
    open,
    wanted,
    said: options.timesToLive,
  });
  const verdicts: Verdicts = {
    ...withUnread(evaluateConditions(context), context, previous),
    MergeRequestOpen: withTtl(open, ttl, now),
    Selected: selection,
  };

  const conditions = conditionsFrom(verdicts, {
    previous,
    observed,
    usual: options.usual ?? {},
    now,
  });
  const commit = commitOf(observed, previous, mergeRequest);
  const facts = phaseFacts({
    context,
    conditions,
    commit,
    previous,
    memoryBefore,
    mergeRequest,
    frozenSets: options.frozenSets,
  });
  const further = furtherOf({
    options,
    context,
    mergeRequest,
    conditions,
    commit,
  });
  const phase = phaseOf(effectiveConditions(conditions), {
    ...facts,
    ...furtherEffects(further.conditions),
  });
  const memory = memoryAfter({
    memoryBefore,
    observed,
    facts,
    phase,
    unwantedSince,
    selection,
    mergeRequest,
    conditions,
    ttl,
    now,
  });
  const preview = carryOverSummaries(
    assemble({
      options,
      mergeRequest,
      conditions,
      furtherConditions: further.conditions,
      commit,
      phase,
      ttl,
    }),
    previous,
    observed,
  );
  const transitions = transitionsBetween(previous?.preview, preview, {
    previous,
    memory,
    now,
  });
  const activityAt = activityAtOf({
    mergeRequest,
    before: previous?.preview,
    after: preview,
    transitions,
    now,
  });
  const stored: StoredPreview = {
    key: observed.key,
    preview: { ...preview, activityAt },
    memory,
  };
  return {
    change: { stored, ...(previous && { before: previous }), transitions },
    unchanged:
      previous !== undefined &&
      transitions.length === 0 &&
      isSame(previous, stored),
    lookAgainAt: nextLook({
      stored,
      context,
      conditions,
      isHeld: isFrozen(observed, options),
      further: further.lookAgainAt,
    }),
  };
}

/**
 * Conditions that applied before and whose objects are in a cluster, or a
 * project, that has not been read since: they are unknown, not absent. Where a
 * part of the preview is read, the worst of that and of what is unknown holds.
 */
function withUnread(
  evaluated: Verdicts,
  context: PolicyContext,
  previous: StoredPreview | undefined,
): Verdicts {
  if (!previous) {
    return evaluated;
  }
  const { observed, now, settings, wanted } = context;
  const options = { now, settings };
  const unreadKind = (type: ConditionType, kind: KindName) => {
    const home = unreadHome(observed, kind);
    return home && kindUnknown(type, home, kind, options);
  };
  const verdicts: Verdicts = { ...evaluated };
  for (const { type } of previous.preview.conditions) {
    if (!CARRIED[wanted ? 'wanted' : 'unwanted'].has(type)) {
      continue;
    }
    const found = evaluated[type];
    if (type === 'ImageBuilt') {
      verdicts[type] =
        found ??
        unreadKind(type, 'applicationSets') ??
        unreadKind(type, 'applications') ??
        unreadMergeRequest(type, context);
      continue;
    }
    if (type === 'Reachable') {
      verdicts[type] = found ?? unreadHosts(evaluated, context);
      continue;
    }
    const unread = unreadKind(type, 'applications');
    if (unread) {
      verdicts[type] = worst(type, found ? [found, unread] : [unread]);
    }
  }
  return verdicts;
}

/**
 * The hosts that were visited before are not known while routes are not read.
 * Undefined where nothing is visited, or where there is nothing to visit now.
 */
function unreadHosts(
  evaluated: Verdicts,
  { observed, now, settings }: PolicyContext,
): Verdict | undefined {
  const { index, namespaces } = observed;
  const isDown = [evaluated.Available, evaluated.RouteAccepted].some(
    verdict => verdict?.status === 'False',
  );
  if (!index.world.reachability || isDown) {
    return undefined;
  }
  const home = unreadHome(observed, 'applications');
  const unread = [
    ...(home ? [{ cluster: home, kind: 'applications' as const }] : []),
    ...namespaces.flatMap(({ cluster }) =>
      (['httpRoutes', 'ingresses'] as const)
        .filter(
          kind =>
            isUnread(index, cluster.cluster, [kind]) ||
            isLost(observed, cluster.cluster),
        )
        .map(kind => ({ cluster, kind })),
    ),
  ][0];
  return (
    unread &&
    kindUnknown('Reachable', unread.cluster, unread.kind, { now, settings })
  );
}

function unreadMergeRequest(
  type: ConditionType,
  { observed, now, settings }: PolicyContext,
): Verdict | undefined {
  const { mergeRequest, project, key } = observed;
  const options = { host: key.host, now, settings };
  return mergeRequest ? undefined : projectUnknown(type, project, options);
}

export function emptyMemory(): Memory {
  return {
    joined: [],
    namespaces: [],
    existed: false,
    served: false,
    selectedBy: [],
  };
}

/**
 * What is remembered. Where all Applications are others than any before, as when the
 * label came back while the former ones went, it is another environment, which has
 * served nothing: that it is not up yet is no trouble.
 */
function memoryOf(
  observed: Observed,
  previous: StoredPreview | undefined,
): Memory {
  const { applications } = observed.current;
  const memory = previous?.memory ?? emptyMemory();
  const known = new Set(memory.joined.map(({ uid }) => uid));
  const isOther =
    known.size > 0 &&
    applications.length > 0 &&
    applications.every(({ fact }) => !known.has(fact.meta.uid)) &&
    unreadHome(observed, 'applications') === undefined;
  return isOther ? { ...memory, served: false, servedSha: undefined } : memory;
}

/** The MR as read now, else as stored; a project that was renamed keeps its key. */
function mergeRequestOf(
  observed: Observed,
  previous: StoredPreview | undefined,
): MergeRequest | undefined {
  const { project, mergeRequest, deletedAt, key, index } = observed;
  const webUrl = index.gitlab.get(key.host)?.webUrl;
  if (project && mergeRequest && webUrl !== undefined) {
    return mergeRequestSummary(project, mergeRequest, {
      webUrl,
      previous: previous?.preview.mergeRequest,
    });
  }
  const known = previous?.preview.mergeRequest;
  return known && deletedAt ? { ...known, state: 'deleted' } : known;
}

/** While selection is unknown, the last known answer stands. */
function isWanted(
  selection: Verdict,
  previous: StoredPreview | undefined,
): boolean {
  if (selection.status !== 'Unknown') {
    return selection.status === 'True';
  }
  const former = previous?.preview.conditions.find(
    ({ type }) => type === 'Selected',
  );
  const known =
    former?.status === 'Unknown' ? former.lastKnown?.status : former?.status;
  return known !== 'False';
}

function conditionsFrom(
  verdicts: Verdicts,
  options: {
    previous: StoredPreview | undefined;
    observed: Observed;
    usual: Partial<Record<string, number>>;
    now: string;
  },
): Condition[] {
  const { previous, observed, usual, now } = options;
  return conditionTypes.flatMap(type => {
    const plain = verdicts[type];
    if (!plain) {
      return [];
    }
    const former = previous?.preview.conditions.find(
      condition => condition.type === type,
    );
    const found = withUsual(type, afterPull(plain, knownOf(former)), usual);
    if (found.status === 'Unknown' && isOfOlderHead(type, previous, observed)) {
      return [conditionFrom(type, found, undefined, now)];
    }
    return [conditionFrom(type, found, former, now)];
  });
}

/** Adds how long it usually takes where the reason's sentence tells of it. */
function withUsual(
  type: ConditionType,
  found: Verdict,
  usual: Partial<Record<string, number>>,
): Verdict {
  const seconds = usual[type];
  return seconds !== undefined &&
    findReason(type, found.reason)?.params.usualSeconds
    ? { ...found, params: { ...found.params, usualSeconds: seconds } }
    : found;
}

/** What was known of the image of an older head says nothing about this one's. */
function isOfOlderHead(
  type: ConditionType,
  previous: StoredPreview | undefined,
  { mergeRequest }: Observed,
): boolean {
  return (
    type === 'ImageBuilt' &&
    mergeRequest !== undefined &&
    previous?.preview.mergeRequest.headSha !== mergeRequest.fact.headSha
  );
}

/**
 * A verdict as a condition. Becoming unknown is an event of the source: `since`
 * and `lastKnown` keep what was known, and coming back to it is no change.
 */
function conditionFrom(
  type: ConditionType,
  found: Verdict,
  former: Condition | undefined,
  now: string,
): Condition {
  const known = knownOf(former);
  const base = {
    type,
    status: found.status,
    reason: found.reason,
    params: found.params,
    message: englishSentence(type, found.reason, found.params),
    observedAt: now,
  };
  if (found.status === 'Unknown') {
    return {
      ...base,
      since: former?.since ?? now,
      observedAt: former?.observedAt ?? now,
      ...(known && { lastKnown: known }),
    };
  }
  const same = known?.status === found.status && known.reason === found.reason;
  return { ...base, since: same ? former!.since : now };
}

function knownOf(condition: Condition | undefined): Condition['lastKnown'] {
  if (!condition) {
    return undefined;
  }
  const { status, reason, params } = condition;
  return status === 'Unknown'
    ? condition.lastKnown
    : { status, reason, params };
}

function commitOf(
  observed: Observed,
  previous: StoredPreview | undefined,
  mergeRequest: MergeRequest,
): Commit {
  const commits = observed.current.applications.map(({ commit }) => commit);
  const head = mergeRequest.headSha;
  const unread =
    observed.mergeRequest === undefined ||
    unreadHome(observed, 'applications') !== undefined;
  if (previous && commits.length === 0 && unread) {
    return { ...previous.preview.commit, ...(head && { head }) };
  }
  const tag = observed.mergeRequest?.tag;
  const pushed = tag?.state === 'found' ? { pushed: tag.tag } : {};
  // With several Applications the one that is furthest behind speaks for all.
  const shown =
    commits.find(({ by, runsHead }) => by !== 'none' && !runsHead) ??
    commits.find(({ by }) => by !== 'none') ??
    commits[0];
  if (!shown) {
    const expected = observed.expectedTags.find(
      entry => entry.tag !== undefined,
    )?.tag;
    const by =
      observed.expectedTags.length > 0
        ? 'tag'
        : previous?.preview.commit.by ?? 'none';
    return {
      ...(head && { head }),
      ...(expected && { expected }),
      ...pushed,
      by,
    };
  }
  return {
    ...(head && { head }),
    ...(shown.expected && { expected: shown.expected }),
    ...(shown.wantedByArgo && { wantedByArgo: shown.wantedByArgo }),
    ...(shown.running && { running: shown.running }),
    ...pushed,
    by: shown.by,
  };
}

function phaseFacts(options: {
  context: PolicyContext;
  conditions: readonly Condition[];
  commit: Commit;
  previous: StoredPreview | undefined;
  memoryBefore: Memory;
  mergeRequest: MergeRequest;
  frozenSets: ReadonlySet<string> | undefined;
}): PhaseFacts {
  const { context, conditions, commit, previous, mergeRequest } = options;
  const { memoryBefore } = options;
  const { applications } = context.observed.current;
  const head = mergeRequest.headSha;
  const available = conditions.find(({ type }) => type === 'Available');
  const serving =
    available?.status === 'True' ||
    (available?.status === 'Unknown' && available.lastKnown?.status === 'True');
  // While the clusters are unread, what was running is what runs.
  const running: Pick<ApplicationCommit, 'by' | 'runsHead' | 'runsOther'>[] =
    applications.length > 0
      ? applications.map(application => application.commit)
      : [
          {
            by: commit.running === undefined ? 'none' : commit.by,
            runsHead: namesCommit(commit.running, head),
            runsOther: !namesCommit(commit.running, head),
          },
        ];
  // Without a head nothing can be compared with it.
  const told = head ? running.filter(({ by }) => by !== 'none') : [];
  // A ready pod serves by itself; a revision only says what Argo CD applied.
  const isServed = ({ by }: (typeof running)[number]) =>
    by === 'tag' || serving;
  const servesHead =
    told.length > 0
      ? told.every(one => one.runsHead && isServed(one))
      : serving;
  const servesOlder = told.some(one => one.runsOther && isServed(one));
  return {
    servesHead,
    servesOlder,
    wasLiveOnHead: namesCommit(memoryBefore.servedSha, head),
    served: memoryBefore.served || servesOlder,
    existed: context.existed,
    orphaned: isOrphaned(context, {
      conditions,
      previous,
      frozenSets: options.frozenSets,
    }),
  };
}

/**
 * Past the grace period something is left that nobody deletes, by complete
 * evidence, while no owning set reports an error: an erring set deletes nothing
 * either.
 */
function isOrphaned(
  context: PolicyContext,
  options: {
    conditions: readonly Condition[];
    previous: StoredPreview | undefined;
    frozenSets: ReadonlySet<string> | undefined;
  },
): boolean {
  const { observed, unwantedSince, now, settings, wanted } = context;
  const { conditions, previous, frozenSets } = options;
  const known = (type: ConditionType) =>
    conditions.find(condition => condition.type === type)?.status !== 'Unknown';
  if (wanted || unwantedSince === undefined) {
    return false;
  }
  if (
    isFrozen(observed, { previous, frozenSets }) ||
    !known('Selected') ||
    !known('CleanedUp')
  ) {
    // Nothing new is concluded; what was concluded stands.
    return previous?.preview.phase === 'Orphaned';
  }
  return (
    hasElapsed(unwantedSince, now, graceSeconds(observed, settings)) &&
    hasUndeletedLeftovers(context) &&
    !ownersOf(observed).some(set => errorOfSet(set) !== undefined)
  );
}

/** Whether a set that owns what is there, or that selected the MR last, is frozen. */
function isFrozen(
  { applications }: Observed,
  options: {
    previous: StoredPreview | undefined;
    frozenSets?: ReadonlySet<string>;
  },
): boolean {
  const { previous, frozenSets } = options;
  if (frozenSets === undefined || frozenSets.size === 0) {
    return false;
  }
  return (
    applications.some(
      ({ cluster, set }) =>
        set !== undefined && frozenSets.has(setReference(cluster, set)),
    ) ||
    (previous?.memory.selectedBy ?? []).some(reference =>
      frozenSets.has(reference),
    )
  );
}

/** Sets that list the project, and those that own what is there. */
function ownersOf(observed: Observed): ApplicationSetFact[] {
  return [
    ...observed.uses.map(({ set }) => set),
    ...observed.applications.flatMap(({ set }) => set ?? []),
  ];
}

/** How long what nobody wants may stay: its sets look twice before it counts as left behind. */
function graceSeconds(observed: Observed, settings: DecisionSettings): number {
  const requeues = ownersOf(observed).map(
    ({ requeueAfterSeconds }) => requeueAfterSeconds,
  );
  return Math.max(2 * Math.max(0, ...requeues), settings.minimumGraceSeconds);
}

function memoryAfter(options: {
  memoryBefore: Memory;
  observed: Observed;
  facts: PhaseFacts;
  phase: Phase;
  unwantedSince: string | undefined;
  selection: Verdict;
  mergeRequest: MergeRequest;
  conditions: readonly Condition[];
  ttl: PreviewTtl | undefined;
  now: string;
}): Memory {
  const {
    memoryBefore,
    observed,
    facts,
    phase,
    unwantedSince,
    selection,
    mergeRequest,
  } = options;
  const joined = observed.applications.map(({ cluster, fact }) => ({
    cluster,
    uid: fact.meta.uid,
    ...(fact.meta.owner && { ownerUid: fact.meta.owner.uid }),
    namespace: fact.meta.namespace ?? '',
    name: fact.meta.name,
  }));
  const namespaces = observed.namespaces.map(rememberedNamespace);
  const base = {
    joined: [...joined, ...vanished(memoryBefore, joined, observed.index)],
    existed: facts.existed,
    ...(unwantedSince !== undefined && { unwantedSince }),
    ...memoryOfEnd(memoryBefore, options.ttl),
    ...memoryOfLoss(options),
    selectedBy: selectedBy(observed, selection, memoryBefore),
  };
  if (phase === 'Gone') {
    // What comes back after this is another environment and has served nothing.
    return { ...base, namespaces: [], served: false };
  }
  const servedSha =
    phase === 'Live' && mergeRequest.headSha
      ? mergeRequest.headSha
      : memoryBefore.servedSha;
  return {
    ...base,
    namespaces,
    ...memoryOfDns(options),
    served: facts.served || phase === 'Live',
    ...(servedSha !== undefined && { servedSha }),
  };
}

/** What is seen in a cluster that is read has not ended, whatever else nobody reads. */
function memoryOfLoss({
  memoryBefore: { lostSince },
  observed,
  now,
}: {
  memoryBefore: Memory;
  observed: Observed;
  now: string;
}): Pick<Memory, 'lostSince'> {
  const { homes, index } = observed;
  const { lost } = homes;
  const isAnyLost = lost.applications.size + lost.namespaces.size > 0;
  if (!isAnyLost || isAnythingSeen(observed)) {
    return {};
  }
  const isAnyUnread = (clusters: ReadonlySet<string>, kind: KindName) =>
    [...clusters].some(cluster => isUnread(index, cluster, [kind]));
  const since =
    isAnyUnread(homes.applications, 'applications') ||
    isAnyUnread(homes.namespaces, 'namespaces')
      ? lostSince
      : lostSince ?? now;
  return since === undefined ? {} : { lostSince: since };
}

function isAnythingSeen({ applications, namespaces, index }: Observed) {
  return (
    applications.length > 0 ||
    namespaces.some(
      ({ cluster, own, fact, ...contents }) =>
        index.clusters.has(cluster.cluster) &&
        (own
          ? fact !== undefined
          : [
              contents.certificates,
              contents.httpRoutes,
              contents.ingresses,
              contents.workloads,
            ].some(objects => objects.length > 0)),
    )
  );
}

function rememberedNamespace({
  cluster,
  name,
  own,
  beside,
  shared,
}: ObservedNamespace): Memory['namespaces'][number] {
  return {
    cluster: cluster.cluster,
    name,
    ...(beside && { beside: own ? 'own' : 'shared' }),
    ...(shared && { shared }),
  };
}

/** Which end of its time to live its owners were warned of: of each once, whatever comes between. */
function memoryOfEnd(
  { warnedOfEnd }: Memory,
  ttl: PreviewTtl | undefined,
): Pick<Memory, 'warnedOfEnd'> {
  const end = ttl?.near ? ttl.expiresAt : warnedOfEnd;
  return end === undefined ? {} : { warnedOfEnd: end };
}

/** What is remembered to find records of DNS by, where zones are read. */
function memoryOfDns(options: {
  memoryBefore: Memory;
  observed: Observed;
  conditions: readonly Condition[];
  now: string;
}): Pick<Memory, 'hosts' | 'onlyDnsSince'> {
  const { memoryBefore, observed, conditions, now } = options;
  if ((observed.index.world.dns ?? []).length === 0) {
    return {};
  }
  const hosts = hostsToRemember(observed.namespaces, memoryBefore.hosts ?? []);
  const cleanedUp = conditions.find(({ type }) => type === 'CleanedUp');
  const waitsForDns =
    cleanedUp !== undefined &&
    (/^DnsRecord/.test(cleanedUp.reason) ||
      /^dns:/.test(String(cleanedUp.params.source)));
  let since: string | undefined;
  if (waitsForDns) {
    since = memoryBefore.onlyDnsSince ?? now;
  } else if (cleanedUp?.status === 'Unknown') {
    since = memoryBefore.onlyDnsSince;
  }
  return {
    ...(hosts.length > 0 && { hosts }),
    ...(since !== undefined && { onlyDnsSince: since }),
  };
}

/** Longest list of Applications that are remembered after they vanished. */
const MAX_VANISHED = 20;

/** Applications that were there, so that one created anew is told from a new one. */
function vanished(
  memoryBefore: Memory,
  joined: Memory['joined'],
  index: Observed['index'],
): Memory['joined'] {
  const isThere = (former: Memory['joined'][number]) =>
    joined.some(
      ({ cluster, namespace, name, uid }) =>
        // Of a cluster that has another name since.
        former.uid === uid ||
        (former.cluster === cluster &&
          former.namespace === namespace &&
          former.name === name),
    );
  // One that is there and not joined any more is another MR's.
  const isOthers = ({ cluster, namespace, name }: Memory['joined'][number]) =>
    index.applicationNamed(cluster, namespace, name) !== undefined;
  return memoryBefore.joined
    .filter(former => !isThere(former) && !isOthers(former))
    .slice(0, MAX_VANISHED);
}

/** Sets that select it now; those of clusters that are not read are kept. */
function selectedBy(
  { selecting, mergeRequest, index }: Observed,
  selection: Verdict,
  memoryBefore: Memory,
): string[] {
  if (selection.status !== 'True' || !mergeRequest) {
    return memoryBefore.selectedBy;
  }
  const now = selecting.map(use => setReference(use.cluster, use.set));
  const kept = memoryBefore.selectedBy.filter(reference =>
    isUnread(index, reference.split(':')[0], ['applicationSets']),
  );
  return [...new Set([...now, ...kept])].sort();
}

function assemble(input: {
  options: Parameters<typeof decide>[0];
  mergeRequest: MergeRequest;
  conditions: Condition[];
  furtherConditions: FurtherCondition[];
  commit: Commit;
  phase: Phase;
  ttl: PreviewTtl | undefined;
}): Omit<Preview, 'activityAt'> {
  const { options, mergeRequest, conditions, commit, phase, ttl } = input;
  const { furtherConditions } = input;
  const { observed, previous, settings, usual = {}, now } = options;
  const before = previous?.preview;
  const shown = shownSentence(phase, conditions, furtherConditions);
  const probes = probeSummaries(observed, {
    conditions,
    previous: before?.probes,
  });
  const liveAt = before?.liveAt ?? (phase === 'Live' ? now : undefined);
  const goneAt = phase === 'Gone' ? before?.goneAt ?? now : undefined;
  return {
    id: before?.id ?? previewIdOf(observed.key),
    entityRefs: [...options.entityRefs].sort(),
    mergeRequest,
    phase,
    phaseSince: before?.phase === phase ? before.phaseSince : now,
    stale: [
      ...new Set([
        ...staleSources(conditions, mergeRequest.host),
        ...furtherStale(furtherConditions),
      ]),
    ],
    ...(shown && { reason: shown.reason, message: shown.message }),
    conditions,
    ...(furtherConditions.length > 0 && { furtherConditions }),
    urls: phase === 'Gone' ? [] : previewUrls(observed, settings),
    commit,
    applications: observed.applications.map(application =>
      applicationSummary(application, settings),
    ),
    namespaces: namespaceSummaries(observed),
    certificates: certificateSummaries(observed, { now, settings }),
    routes: routeSummaries(observed, { now, settings }),
    ...(probes.length > 0 && { probes }),
    workloads: workloadSummaries(observed),
    createdAt: before?.createdAt ?? now,
    ...(Object.keys(usual).length > 0 && { usual }),
    ...(liveAt && { liveAt }),
    ...(goneAt && { goneAt }),
    ...(ttl && { ttl }),
  };
}

/**
 * Conditions of modules, of a preview that some set wants: what they are asked
 * about is on its way to `Live` or there.
 */
function furtherOf(input: {
  options: Parameters<typeof decide>[0];
  context: PolicyContext;
  mergeRequest: MergeRequest;
  conditions: Condition[];
  commit: Commit;
}): FurtherOutcome {
  const { options, context, mergeRequest, conditions, commit } = input;
  const { observed, previous, settings, further = [], now } = options;
  if (further.length === 0 || !context.wanted) {
    return { conditions: [], lookAgainAt: [] };
  }
  return decideFurther({
    policies: further,
    readings: observed.index.world.further ?? [],
    subject: subjectOf({
      id: previous?.preview.id ?? previewIdOf(observed.key),
      mergeRequest,
      conditions,
      commit,
      urls: previewUrls(observed, settings),
      applications: observed.applications.map(application =>
        applicationSummary(application, settings),
      ),
      namespaces: namespaceSummaries(observed),
    }),
    previous: previous?.preview.furtherConditions ?? [],
    now,
  });
}

/** The sentence of the condition that explains the phase best. */
function shownSentence(
  phase: Phase,
  conditions: readonly Condition[],
  furtherConditions: readonly FurtherCondition[],
): { reason: NonNullable<Preview['reason']>; message: string } | undefined {
  const own = explainingCondition(phase, conditions);
  const further = explainingFurther(phase, furtherConditions);
  if (!further) {
    return own && sentenceOf(own);
  }
  const effective = effectiveConditions(conditions);
  const isDecisive =
    further.weight === 'blocked'
      ? firstBlocked(effective) === undefined
      : own === undefined ||
        (further.weight === 'waiting' &&
          effective[own.type]?.status !== 'False');
  return isDecisive
    ? sentenceOfFurther(further.condition)
    : own && sentenceOf(own);
}

/** What the row says: while a source is down, what was last known; the stale bar tells of the source. */
function sentenceOf(condition: Condition): {
  reason: NonNullable<Preview['reason']>;
  message: string;
} {
  const { type, lastKnown } = condition;
  const { reason, params } = lastKnown ?? condition;
  return {
    reason: { type, reason, params },
    message: englishSentence(type, reason, params),
  };
}

function staleSources(
  conditions: readonly Condition[],
  host: string,
): string[] {
  const sources = conditions.flatMap(({ type, status, reason, params }) => {
    // A pipeline or tag that is looked up for the first time is news, not stale.
    const isLookUp = type === 'ImageBuilt' && reason === 'NotReadYet';
    if (status !== 'Unknown' || isLookUp) {
      return [];
    }
    if (typeof params.source === 'string') {
      return [params.source];
    }
    if (reason === 'ProjectNotReadable') {
      return [`gitlab:${host}`];
    }
    return reason === 'KindForbidden' ? [`cluster:${params.cluster}`] : [];
  });
  return [...new Set(sources)].sort();
}

function transitionsBetween(
  before: Preview | undefined,
  after: Omit<Preview, 'activityAt'>,
  options: { previous: StoredPreview | undefined; memory: Memory; now: string },
): Omit<Transition, 'id'>[] {
  const { now, previous, memory } = options;
  const base = { previewId: after.id, at: now };
  const transitions: Omit<Transition, 'id'>[] = [];
  const head = after.mergeRequest.headSha;
  if (before && head && before.mergeRequest.headSha !== head) {
    transitions.push({
      ...base,
      kind: 'head',
      ...(before.mergeRequest.headSha && { from: before.mergeRequest.headSha }),
      to: head,
      ...eventOf('HeadChanged', { commit: head }),
    });
  }
  for (const condition of after.conditions) {
    const former = before?.conditions.find(
      ({ type }) => type === condition.type,
    );
    const known = knownOf(former);
    if (
      condition.status === 'Unknown' ||
      (known?.status === condition.status && known.reason === condition.reason)
    ) {
      continue;
    }
    const { type, status, reason, params, message } = condition;
    const lasted = former && secondsBetween(former.since, now);
    transitions.push({
      ...base,
      kind: 'condition',
      type,
      ...(known && { from: known.status }),
      to: status,
      reason,
      params,
      message,
      ...(lasted !== undefined && { lastedSeconds: Math.round(lasted) }),
    });
  }
  for (const changed of furtherTransitions(
    before?.furtherConditions ?? [],
    after.furtherConditions ?? [],
  )) {
    transitions.push({ ...base, ...changed });
  }
  const [former, approvedAt] = [
    before?.mergeRequest.approvedAt,
    after.mergeRequest.approvedAt,
  ];
  if (before && (former === undefined) !== (approvedAt === undefined)) {
    transitions.push({
      ...base,
      kind: 'approval',
      ...(approvedAt === undefined
        ? { to: 'none', ...eventOf('ApprovalsGone', {}) }
        : { to: 'approved', ...eventOf('Approved', { at: approvedAt }) }),
    });
  }
  for (const recreated of recreatedApplications(previous?.memory, memory)) {
    transitions.push({
      ...base,
      kind: 'application',
      to: recreated,
      ...eventOf('ApplicationRecreated', { application: recreated }),
    });
  }
  if (before?.phase !== after.phase) {
    const lasted = before && secondsBetween(before.phaseSince, now);
    transitions.push({
      ...base,
      kind: 'phase',
      ...(before && { from: before.phase }),
      to: after.phase,
      ...(after.reason && after.message !== undefined
        ? {
            reason: after.reason.reason,
            params: after.reason.params,
            message: after.message,
            ...(after.reason.sentences && {
              sentences: after.reason.sentences,
            }),
          }
        : eventOf('PhaseReached', { phase: after.phase })),
      ...(lasted !== undefined && { lastedSeconds: Math.round(lasted) }),
    });
  }
  return transitions;
}

/** Names of the Applications that have another uid than before. */
function recreatedApplications(
  before: Memory | undefined,
  after: Memory,
): string[] {
  return after.joined
    .filter(({ cluster, namespace, name, uid }) =>
      before?.joined.some(
        former =>
          former.cluster === cluster &&
          former.namespace === namespace &&
          former.name === name &&
          former.uid !== uid,
      ),
    )
    .map(({ name }) => name);
}

/** The next time at which time alone may change what was decided. */
function nextLook(options: {
  stored: StoredPreview;
  context: PolicyContext;
  conditions: readonly Condition[];
  /** What is concluded of orphans waits for an alarm to end. */
  isHeld: boolean;
  /** ISO: when conditions of modules want to be looked at. */
  further: readonly string[];
}): string | undefined {
  const { stored, context, isHeld, further } = options;
  const { now, settings, observed } = context;
  const times: string[] = [
    ...further,
    ...ttlTimes(stored.preview.ttl, settings),
  ];
  if (stored.memory.unwantedSince && stored.preview.phase !== 'Gone') {
    times.push(
      addSeconds(stored.memory.unwantedSince, graceSeconds(observed, settings)),
    );
    if (isHeld) {
      times.push(addSeconds(now, HELD_LOOK_SECONDS));
    }
  }
  for (const { deletionRequestedAt } of stored.preview.applications) {
    if (deletionRequestedAt) {
      times.push(
        addSeconds(deletionRequestedAt, settings.deletionStuckAfterSeconds),
      );
    }
  }
  for (const { terminatingSince } of stored.preview.namespaces) {
    if (terminatingSince) {
      times.push(
        addSeconds(terminatingSince, settings.deletionStuckAfterSeconds),
      );
    }
  }
  for (const { pods } of observed.applications.flatMap(
    ({ workloads }) => workloads,
  )) {
    times.push(...pods.flatMap(settledTimes));
  }
  for (const certificate of observed.tls.certificates) {
    times.push(...diagnose(certificate, { now, settings }).changesAt);
  }
  const future = times.filter(time => Date.parse(time) > Date.parse(now));
  return future.sort((a, b) => Date.parse(a) - Date.parse(b))[0];
}
