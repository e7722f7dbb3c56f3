import {
  SourceError,
  SourceNote,
  SourceState,
  SourceStatus,
} from '@previews/backstage-plugin-previews-common';
import { ProjectReading, UnreadableProject } from '../../model';

/** What the state of a GitLab source is told from. */
export interface GitLabStateInput {
  host: string;
  projects: readonly ProjectReading[];
  unreadable: readonly UnreadableProject[];
  /** Projects that were asked for and have no answer of any kind yet. */
  waiting: number;
  /** ISO: last time that GitLab was asked and nothing at all was to be read. */
  idleAt?: string;
  tokenError?: SourceError;
  notes: readonly SourceNote[];
  staleAfterMilliseconds: number;
  now: Date;
}

/** Reasons that concern one project; all others concern the whole host. */
const OF_PROJECT = ['NotFound', 'Forbidden'];

/** One error per project, but those of the whole host only once each. */
function mergeErrors(errors: readonly SourceError[]): SourceError[] {
  const merged = new Map<string, SourceError>();
  for (const error of errors) {
    const isOfProject = OF_PROJECT.includes(error.reason);
    const key = isOfProject
      ? `${error.reason} ${error.subject ?? ''}`
      : error.reason;
    const earlier = merged.get(key);
    if (!earlier) {
      merged.set(key, error);
    } else if (!isOfProject) {
      // Several projects: the host is the subject.
      const { subject: _, ...rest } =
        error.since < earlier.since ? error : earlier;
      merged.set(key, rest);
    }
  }
  return [...merged.values()].slice(0, 50);
}

/**
 * Freshness of a GitLab host. It is as fresh as the project that was read
 * completely the longest ago. Projects that the token cannot see are errors, but
 * do not make the others stale.
 */
export function gitLabState(input: GitLabStateInput): SourceState {
  const { projects, unreadable, now } = input;
  const errors = mergeErrors([
    ...(input.tokenError ? [input.tokenError] : []),
    ...projects.flatMap(({ error }) => error ?? []),
    ...unreadable.map(({ error }) => error),
  ]);
  const counted = projects.filter(
    ({ error }) => !error || !OF_PROJECT.includes(error.reason),
  );
  const completeTimes = (counted.length > 0 ? counted : projects)
    .flatMap(({ completeAt }) => completeAt ?? [])
    .sort();
  const isAnyNeverRead =
    input.waiting > 0 || counted.some(({ completeAt }) => !completeAt);
  const nothingToRead =
    projects.length === 0 && unreadable.length === 0 && input.waiting === 0;
  const lastCompleteAt = nothingToRead ? input.idleAt : completeTimes[0];

  const isHostFailing = errors.some(
    ({ reason }) => !OF_PROJECT.includes(reason),
  );
  const isNothingReadable =
    counted.length === 0 && (projects.length > 0 || unreadable.length > 0);
  let status: SourceStatus;
  if (!lastCompleteAt) {
    status = errors.length > 0 ? 'failing' : 'pending';
  } else if (
    now.getTime() - Date.parse(lastCompleteAt) >
    input.staleAfterMilliseconds
  ) {
    status = 'stale';
  } else if (isHostFailing || isNothingReadable) {
    status = 'failing';
  } else {
    status = isAnyNeverRead ? 'pending' : 'fresh';
  }
  return {
    id: `gitlab:${input.host}`,
    kind: 'gitlab',
    name: input.host,
    status,
    ...(lastCompleteAt && { lastCompleteAt }),
    errors,
    notes: [...input.notes],
  };
}
