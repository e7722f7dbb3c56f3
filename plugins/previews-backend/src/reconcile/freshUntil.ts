import { KindReading, ProjectReading, World } from '../model';
import { DecisionSettings } from './settings';
import { addSeconds, hasElapsed } from './time';

/**
 * ISO: until when every reading that is fresh now stays so, unless it is read
 * anew; undefined when none is fresh.
 */
export function freshUntil(options: {
  world: World;
  settings: DecisionSettings;
  now: string;
}): string | undefined {
  const { world, settings, now } = options;
  let oldest: Record<'gitlab' | 'cluster', string | undefined> = {
    gitlab: undefined,
    cluster: undefined,
  };
  const take = (
    source: keyof typeof oldest,
    { completeAt }: Pick<KindReading<unknown>, 'completeAt'>,
  ) => {
    const before = oldest[source];
    if (
      completeAt !== undefined &&
      (before === undefined || completeAt < before) &&
      !hasElapsed(completeAt, now, staleAfter(source, settings))
    ) {
      oldest = { ...oldest, [source]: completeAt };
    }
  };
  for (const { projects } of world.gitlab) {
    for (const project of projects.values()) {
      take('gitlab', project);
    }
  }
  for (const { kinds } of world.clusters) {
    for (const kind of Object.values(kinds)) {
      take('cluster', kind);
    }
  }
  const ends = (['gitlab', 'cluster'] as const).flatMap(source => {
    const completeAt = oldest[source];
    return completeAt === undefined
      ? []
      : [addSeconds(completeAt, staleAfter(source, settings))];
  });
  for (const { completeAt, staleAfterSeconds } of [
    ...(world.further ?? []),
    ...(world.dns ?? []),
  ]) {
    if (completeAt && !hasElapsed(completeAt, now, staleAfterSeconds)) {
      ends.push(addSeconds(completeAt, staleAfterSeconds));
    }
  }
  return ends.sort()[0];
}

/** Whether nothing but the age of a reading differs, and neither is stale. */
export function isAsFresh(
  before: KindReading<unknown> | ProjectReading,
  after: KindReading<unknown> | ProjectReading,
): boolean {
  return (
    before.completeAt !== undefined &&
    after.completeAt !== undefined &&
    after.completeAt >= before.completeAt &&
    before.state === after.state &&
    before.error?.since === after.error?.since &&
    before.error?.reason === after.error?.reason
  );
}

function staleAfter(
  source: 'gitlab' | 'cluster',
  settings: DecisionSettings,
): number {
  return source === 'gitlab'
    ? settings.gitlabStaleAfterSeconds
    : settings.clusterStaleAfterSeconds;
}
