import { Span } from '../model';
import { summariseSpans } from './summariseSpans';

function span(options: {
  kind?: Span['kind'];
  seconds?: number;
  endedAt?: string;
  project?: string;
  projectId?: number;
  imprecise?: boolean;
  stages?: Record<string, number>;
}): Span {
  const { seconds = 0, endedAt = '2026-11-25T12:00:00.000Z' } = options;
  return {
    previewId: 'aaaaaaaa-101-7',
    host: 'gitlab.example.com',
    projectId: options.projectId ?? 101,
    project: options.project ?? 'shop/web',
    kind: options.kind ?? 'spinUp',
    startedAt: new Date(Date.parse(endedAt) - seconds * 1000).toISOString(),
    endedAt,
    imprecise: options.imprecise ?? false,
    stages: options.stages ?? {},
  };
}

describe('summariseSpans', () => {
  it('has zeros and no percentiles where there is nothing', () => {
    const nothing = { count: 0, imprecise: 0, stages: [] };
    expect(summariseSpans([])).toEqual({
      overall: {
        spinUp: nothing,
        teardown: nothing,
        created: { total: 0, weeks: [] },
      },
      services: [],
      totalServices: 0,
    });
  });

  it('gives percentiles that were there', () => {
    const spans = Array.from({ length: 20 }, (_, index) =>
      span({ seconds: (index + 1) * 10 }),
    );
    expect(summariseSpans(spans).overall.spinUp).toMatchObject({
      count: 20,
      p50Seconds: 100,
      p95Seconds: 190,
    });
  });

  it('counts the imprecise ones and leaves their lengths out', () => {
    const spans = [
      span({ seconds: 60 }),
      span({ seconds: 9000, imprecise: true, stages: { Failed: 9000 } }),
    ];
    expect(summariseSpans(spans).overall.spinUp).toEqual({
      count: 2,
      imprecise: 1,
      p50Seconds: 60,
      p95Seconds: 60,
      stages: [],
    });
  });

  it('tells which part each stage took, the largest first', () => {
    const spans = [
      span({ seconds: 100, stages: { Building: 75, Deploying: 25 } }),
      span({ seconds: 100, stages: { Building: 100 } }),
    ];
    expect(summariseSpans(spans).overall.spinUp.stages).toEqual([
      { stage: 'Building', p50Seconds: 75, p95Seconds: 100, share: 0.875 },
      { stage: 'Deploying', p50Seconds: 0, p95Seconds: 25, share: 0.125 },
    ]);
  });

  it('keeps the kinds apart', () => {
    const { overall } = summariseSpans([
      span({ kind: 'teardown', seconds: 30 }),
      span({ kind: 'review', seconds: 3600 }),
    ]);
    expect(overall.spinUp.count).toBe(0);
    expect(overall.teardown).toMatchObject({ count: 1, p50Seconds: 30 });
    expect(overall.reviewLeadTime).toMatchObject({ p50Seconds: 3600 });
  });

  it('counts what was created by weeks from Monday to Sunday in UTC, without a hole', () => {
    const created = [
      '2026-11-08T23:59:59.000Z',
      '2026-11-23T00:00:00.000Z',
      '2026-11-29T23:59:59.000Z',
    ].map(endedAt => span({ kind: 'created', endedAt }));
    expect(summariseSpans(created).overall.created).toEqual({
      total: 3,
      weeks: [
        { weekStart: '2026-11-02', count: 1 },
        { weekStart: '2026-11-09', count: 0 },
        { weekStart: '2026-11-16', count: 0 },
        { weekStart: '2026-11-23', count: 2 },
      ],
    });
  });

  it('gives each project its own, by its last name, the busiest first', () => {
    const { services, totalServices } = summariseSpans([
      span({ kind: 'created', project: 'shop/api', projectId: 2 }),
      span({
        kind: 'created',
        project: 'shop/old-name',
        endedAt: '2026-11-24T12:00:00.000Z',
      }),
      span({ kind: 'created', project: 'shop/web' }),
      span({ seconds: 40, project: 'shop/web' }),
    ]);
    expect(totalServices).toBe(2);
    expect(services).toMatchObject([
      {
        project: 'shop/web',
        created: { total: 2 },
        spinUp: { p50Seconds: 40 },
      },
      { project: 'shop/api', created: { total: 1 }, spinUp: { count: 0 } },
    ]);
  });

  it('names no more than 200 projects, and says how many there are', () => {
    const spans = Array.from({ length: 230 }, (_, index) =>
      span({ kind: 'created', projectId: index, project: `shop/${index}` }),
    );
    const { services, totalServices } = summariseSpans(spans);
    expect(services).toHaveLength(200);
    expect(totalServices).toBe(230);
  });
});
