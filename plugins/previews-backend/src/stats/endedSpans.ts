import { Transition } from '@previews/backstage-plugin-previews-common';
import { ObservationGap, Span, SpanKind, StoredPreview } from '../model';
import { clusterScope, EVERYTHING, projectScope } from './ObservationGaps';

/** Before the portal saw what had begun. */
const NOTICING = 'Noticing';

/** Phases of which a teardown is made. */
const TEARDOWN_PHASES: ReadonlySet<string> = new Set([
  'TearingDown',
  'Orphaned',
]);
/** Phases that are no part of spinning up; what they last is not seen yet. */
const NOT_SPIN_UP_PHASES: ReadonlySet<string> = new Set([
  'TearingDown',
  'Orphaned',
  'NotSelected',
  'Gone',
]);

/** A transition, as statistics read it. */
export type TimelineEvent = Pick<
  Transition,
  'kind' | 'type' | 'from' | 'to' | 'at'
>;

/** One environment of an MR; when it is gone and comes back, there is another. */
interface Episode {
  created: boolean;
  served: boolean;
  reopenedAt?: string;
  selected: boolean;
  selectedAt?: string;
  /** The first that was ever known is that it is selected: since when is not seen. */
  selectedAtSight: boolean;
  unwantedAt?: string;
  /** Whether the time of becoming unwanted was seen. */
  unwantedSeen: boolean;
}

function newEpisode(): Episode {
  return {
    created: false,
    served: false,
    selected: false,
    selectedAtSight: false,
    unwantedSeen: false,
  };
}

export interface EndedSpansOptions {
  /** The preview after its newest transition. */
  stored: StoredPreview;
  /** All its transitions, the oldest first. */
  timeline: readonly TimelineEvent[];
  /** How many of them are old: only spans that end with a later one are given. */
  known: number;
  /** The MR had its first approval before these transitions. */
  approvedBefore: boolean;
  /** All gaps of the time that the timeline covers. */
  gaps: readonly ObservationGap[];
  /**
   * An MR that is first seen later than this after it was opened was not observed
   * from its beginning.
   */
  noticedWithinSeconds: number;
}

/**
 * The spans that end with the newest transitions of a preview: a pure function of
 * its timeline, so that a restart in their midst changes nothing. Their limits are
 * GitLab's and Argo CD's own times where there are such, else those at which it
 * was seen.
 */
export function endedSpans(options: EndedSpansOptions): Span[] {
  const { timeline, known, stored } = options;
  const { mergeRequest } = stored.preview;
  const spans: Span[] = [];
  let episode = newEpisode();
  timeline.forEach((event, index) => {
    const isNew = index >= known;
    if (event.kind === 'condition') {
      if (event.type === 'MergeRequestOpen') {
        takeOpen(episode, event);
      } else if (event.type === 'Selected') {
        takeSelected(episode, event);
      } else if (
        event.type === 'ApplicationGenerated' &&
        event.to === 'True' &&
        !episode.created
      ) {
        episode.created = true;
        if (isNew) {
          const at = creationOf(stored, event.at);
          spans.push(span('created', { options, from: at, to: at }));
        }
      }
    } else if (event.kind === 'phase' && event.to === 'Live') {
      if (!episode.served && isNew) {
        spans.push(spinUp(episode, event, options));
      }
      episode.served = true;
    } else if (event.kind === 'phase' && event.to === 'Gone') {
      if (episode.unwantedAt !== undefined && isNew) {
        const from = unwantedTime(episode.unwantedAt, options);
        spans.push({
          ...span('teardown', { options, from, to: event.at }),
          ...(!episode.unwantedSeen && { imprecise: true }),
        });
      }
      episode = newEpisode();
    }
  });
  const { approvedAt, createdAt } = mergeRequest;
  if (approvedAt !== undefined && !options.approvedBefore) {
    spans.push(span('review', { options, from: createdAt, to: approvedAt }));
  }
  return spans;
}

function takeOpen(episode: Episode, { from, to, at }: TimelineEvent) {
  if (to === 'True' && from === 'False' && !episode.served) {
    episode.reopenedAt = at;
    if (!episode.selected) {
      episode.selectedAt = undefined;
    }
  }
}

function takeSelected(episode: Episode, { from, to, at }: TimelineEvent) {
  if (to === 'True') {
    episode.selected = true;
    episode.selectedAtSight ||=
      from === undefined && episode.selectedAt === undefined;
    episode.selectedAt ??= at;
    episode.unwantedAt = undefined;
    return;
  }
  if (episode.unwantedAt === undefined) {
    episode.unwantedAt = at;
    episode.unwantedSeen = from !== undefined;
  }
  episode.selected = false;
  if (!episode.served) {
    // What is not wanted is not being spun up.
    episode.selectedAt = undefined;
    episode.selectedAtSight = false;
  }
}

function spinUp(
  episode: Episode,
  event: TimelineEvent,
  options: EndedSpansOptions,
): Span {
  const { createdAt } = options.stored.preview.mergeRequest;
  const { reopenedAt, selectedAt, selectedAtSight } = episode;
  const from = latest([
    createdAt,
    reopenedAt,
    // Selected from the beginning, as far as anyone knows.
    selectedAtSight ? undefined : selectedAt,
  ]);
  const made = span('spinUp', { options, from, to: event.at });
  const noticedLate =
    selectedAtSight &&
    secondsBetween(from, selectedAt ?? event.at) > options.noticedWithinSeconds;
  return noticedLate || selectedAt === undefined
    ? { ...made, imprecise: true }
    : made;
}

/** The Application that was created first, by Kubernetes' own time. */
function creationOf({ preview }: StoredPreview, seenAt: string): string {
  const times = preview.applications.flatMap(({ createdAt }) =>
    createdAt !== undefined && Date.parse(createdAt) <= Date.parse(seenAt)
      ? [createdAt]
      : [],
  );
  return times.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? seenAt;
}

/** GitLab's own time, where the MR ended just then. */
function unwantedTime(
  seenAt: string,
  { stored, timeline }: EndedSpansOptions,
): string {
  const { mergedAt, closedAt } = stored.preview.mergeRequest;
  const ended = mergedAt ?? closedAt;
  const endedThen = timeline.some(
    ({ kind, type, to, at }) =>
      kind === 'condition' &&
      type === 'MergeRequestOpen' &&
      to === 'False' &&
      at === seenAt,
  );
  return endedThen &&
    ended !== undefined &&
    Date.parse(ended) < Date.parse(seenAt)
    ? ended
    : seenAt;
}

function span(
  kind: SpanKind,
  between: { options: EndedSpansOptions; from: string; to: string },
): Span {
  const { options, to } = between;
  const { stored, gaps, timeline } = options;
  const { key, preview } = stored;
  // Clocks differ: nothing ends before it began.
  const from = Date.parse(between.from) > Date.parse(to) ? to : between.from;
  // Both times of the others are upstream's own.
  const isObserved = kind === 'spinUp' || kind === 'teardown';
  return {
    previewId: preview.id,
    host: key.host,
    projectId: key.projectId,
    project: preview.mergeRequest.project,
    kind,
    startedAt: new Date(from).toISOString(),
    endedAt: new Date(to).toISOString(),
    imprecise:
      isObserved &&
      gaps.some(
        gap =>
          concerns(gap, stored) &&
          Date.parse(gap.startedAt) <= Date.parse(to) &&
          Date.parse(gap.endedAt) >= Date.parse(from),
      ),
    stages: isObserved ? stagesOf(timeline, { kind, from, to }) : {},
  };
}

/** Where it is not known in which clusters it is, every cluster is meant. */
function concerns(
  { scope }: ObservationGap,
  { key, preview, memory }: StoredPreview,
): boolean {
  if (scope === EVERYTHING || scope === projectScope(key.host, key.projectId)) {
    return true;
  }
  const clusters = [
    ...preview.applications.flatMap(({ cluster, destination }) => [
      cluster,
      ...(destination.cluster === undefined ? [] : [destination.cluster]),
    ]),
    ...memory.joined.map(({ cluster }) => cluster),
    ...memory.namespaces.map(({ cluster }) => cluster),
  ];
  return clusters.length > 0
    ? clusters.some(cluster => scope === clusterScope(cluster))
    : scope.startsWith(clusterScope(''));
}

/** How long each phase lasted between the two times. */
function stagesOf(
  timeline: readonly TimelineEvent[],
  { kind, from, to }: { kind: SpanKind; from: string; to: string },
): Record<string, number> {
  const stages: Record<string, number> = {};
  const isStage = (phase: string) =>
    kind === 'teardown'
      ? TEARDOWN_PHASES.has(phase)
      : !NOT_SPIN_UP_PHASES.has(phase);
  let stage = NOTICING;
  let at = from;
  const until = (time: string) => {
    const seconds = secondsBetween(at, time);
    if (seconds > 0) {
      stages[stage] = (stages[stage] ?? 0) + seconds;
      at = time;
    }
  };
  for (const event of timeline) {
    if (event.kind === 'phase' && Date.parse(event.at) <= Date.parse(to)) {
      until(event.at);
      stage = isStage(event.to) ? event.to : NOTICING;
    }
  }
  until(to);
  return stages;
}

function latest(times: readonly (string | undefined)[]): string {
  return times
    .flatMap(time => (time === undefined ? [] : [time]))
    .reduce((a, b) => (Date.parse(b) > Date.parse(a) ? b : a));
}

function secondsBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 1000;
}
