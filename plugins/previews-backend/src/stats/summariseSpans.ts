import {
  DurationStatistics,
  PreviewStatistics,
  ServiceStatistics,
  StageStatistics,
  VolumeStatistics,
} from '@previews/backstage-plugin-previews-common';
import { Span } from '../model';

const MOST_SERVICES = 200;
const DAY_MILLISECONDS = 86_400_000;
const WEEK_MILLISECONDS = 7 * DAY_MILLISECONDS;
/** The first Monday of 1970. */
const FIRST_MONDAY = 4 * DAY_MILLISECONDS;

/** Statistics of all spans together, and of those of each project. */
export function summariseSpans(spans: readonly Span[]): {
  overall: PreviewStatistics;
  services: ServiceStatistics[];
  totalServices: number;
} {
  const byProject = new Map<string, Span[]>();
  for (const span of spans) {
    const key = `${span.host}/${span.projectId}`;
    const ofProject = byProject.get(key) ?? [];
    ofProject.push(span);
    byProject.set(key, ofProject);
  }
  const services = [...byProject.values()]
    .map(serviceOf)
    .sort(
      (a, b) =>
        b.created.total - a.created.total || (a.project < b.project ? -1 : 1),
    );
  return {
    overall: statisticsOf(spans),
    services: services.slice(0, MOST_SERVICES),
    totalServices: services.length,
  };
}

function serviceOf(spans: readonly Span[]): ServiceStatistics {
  // A project may have been renamed between two of them.
  const { host, projectId, project } = spans.reduce((a, b) =>
    Date.parse(b.endedAt) > Date.parse(a.endedAt) ? b : a,
  );
  return { host, projectId, project, ...statisticsOf(spans) };
}

function statisticsOf(spans: readonly Span[]): PreviewStatistics {
  const of = (kind: Span['kind']) => spans.filter(span => span.kind === kind);
  const reviews = of('review');
  return {
    spinUp: durationsOf(of('spinUp')),
    teardown: durationsOf(of('teardown')),
    created: volumeOf(of('created')),
    ...(reviews.length > 0 && { reviewLeadTime: durationsOf(reviews) }),
  };
}

function durationsOf(spans: readonly Span[]): DurationStatistics {
  const precise = spans.filter(({ imprecise }) => !imprecise);
  const seconds = precise.map(
    ({ startedAt, endedAt }) =>
      (Date.parse(endedAt) - Date.parse(startedAt)) / 1000,
  );
  return {
    count: spans.length,
    imprecise: spans.length - precise.length,
    ...(seconds.length > 0 && {
      p50Seconds: percentile(seconds, 0.5),
      p95Seconds: percentile(seconds, 0.95),
    }),
    stages: stagesOf(precise),
  };
}

function stagesOf(spans: readonly Span[]): StageStatistics[] {
  const names = new Set(spans.flatMap(({ stages }) => Object.keys(stages)));
  const all = [...names].map(stage => {
    const seconds = spans.map(({ stages }) => stages[stage] ?? 0);
    return { stage, seconds, total: sum(seconds) };
  });
  const whole = sum(all.map(({ total }) => total));
  return all
    .sort((a, b) => b.total - a.total || (a.stage < b.stage ? -1 : 1))
    .map(({ stage, seconds, total }) => ({
      stage,
      p50Seconds: percentile(seconds, 0.5),
      p95Seconds: percentile(seconds, 0.95),
      share: whole === 0 ? 0 : Math.round((total / whole) * 1000) / 1000,
    }));
}

function volumeOf(spans: readonly Span[]): VolumeStatistics {
  const counts = new Map<number, number>();
  for (const { endedAt } of spans) {
    const week = Math.floor(
      (Date.parse(endedAt) - FIRST_MONDAY) / WEEK_MILLISECONDS,
    );
    counts.set(week, (counts.get(week) ?? 0) + 1);
  }
  const known = [...counts.keys()].sort((a, b) => a - b);
  const weeks: VolumeStatistics['weeks'] = [];
  for (let week = known[0]; week <= known[known.length - 1]; week += 1) {
    weeks.push({
      weekStart: new Date(FIRST_MONDAY + week * WEEK_MILLISECONDS)
        .toISOString()
        .slice(0, 10),
      count: counts.get(week) ?? 0,
    });
  }
  return { total: spans.length, weeks };
}

/** Nearest rank: a value that was there. */
function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
