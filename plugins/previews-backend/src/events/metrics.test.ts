import { metricsServiceMock } from '@backstage/backend-test-utils/alpha';
import {
  DomainBudget,
  findingTypes,
  SourceState,
} from '@previews/backstage-plugin-previews-common';
import { Span } from '../model';
import { storedPreview } from '../testing/__testUtils__/storedPreviews';
import { metricDefinitions } from './metricDefinitions';
import { MetricsReader, PreviewMetrics } from './metrics';

const START = Date.parse('2026-11-29T12:00:00.000Z');

function at(seconds: number): string {
  return new Date(START + seconds * 1000).toISOString();
}

const cluster: SourceState = {
  id: 'cluster:main',
  kind: 'cluster',
  name: 'main',
  status: 'fresh',
  lastCompleteAt: at(-5),
  errors: [],
  notes: [],
};

interface Measured {
  value: number;
  attributes?: object;
}

function span(options: Partial<Span>): Span {
  return {
    previewId: storedPreview({ iid: 7 }).preview.id,
    host: 'gitlab.example.com',
    projectId: 101,
    project: 'shop/web',
    kind: 'spinUp',
    startedAt: at(-90),
    endedAt: at(0),
    imprecise: false,
    stages: {},
    ...options,
  };
}

function create(reader: Partial<MetricsReader> = {}) {
  const recorded = new Map<string, Measured[]>();
  const options = new Map<string, object>();
  const callbacks = new Map<string, (result: any) => Promise<void> | void>();
  let seconds = 0;
  const instrument = (name: string, given: object) => {
    options.set(name, given);
    const take = (value: number, attributes?: object) => {
      recorded.set(name, [
        ...(recorded.get(name) ?? []),
        { value, ...(attributes && { attributes }) },
      ]);
    };
    return { add: take, record: take };
  };
  const metrics = PreviewMetrics.create({
    metrics: metricsServiceMock.mock({
      createCounter: instrument as never,
      createHistogram: instrument as never,
      createObservableGauge: ((name: string, given: object) => {
        options.set(name, given);
        return {
          addCallback: (callback: () => void) => callbacks.set(name, callback),
          removeCallback: () => {},
        };
      }) as never,
    }),
    reader: {
      countByPhase: async () => ({}),
      countFindings: async () => ({}),
      countChecks: async () => ({ error: 0, warning: 0, info: 0 }),
      sources: async () => ({ items: [] }),
      certificateBudgets: async () => [],
      ...reader,
    },
    clock: () => new Date(START + seconds * 1000),
  });
  return {
    metrics,
    options,
    recorded: (name: string) => recorded.get(name) ?? [],
    collect: async (name: string) => {
      const measured: Measured[] = [];
      await callbacks.get(name)!({
        observe: (value: number, attributes?: object) =>
          measured.push({ value, ...(attributes && { attributes }) }),
      });
      return measured;
    },
    wait: (more: number) => {
      seconds += more;
    },
  };
}

describe('PreviewMetrics', () => {
  it('makes every metric that is defined, with its buckets', () => {
    const { options } = create();
    expect(Object.fromEntries(options)).toEqual(
      Object.fromEntries(
        Object.values(metricDefinitions).map(({ name, options: given }) => [
          name,
          given,
        ]),
      ),
    );
  });

  it('counts previews by phase', async () => {
    const { collect } = create({
      countByPhase: async () => ({ Live: 3, Failed: 1 }),
    });
    expect(await collect('previews.count')).toEqual([
      { value: 3, attributes: { phase: 'Live' } },
      { value: 1, attributes: { phase: 'Failed' } },
    ]);
  });

  it('counts findings of every type, also where there is none', async () => {
    const { collect } = create({
      countFindings: async () => ({ GeneratedSetShrank: 1, Unjoined: 3 }),
    });
    const measured = await collect('previews.findings');
    expect(measured).toHaveLength(findingTypes.length);
    expect(measured).toEqual(
      expect.arrayContaining([
        {
          value: 1,
          attributes: { type: 'GeneratedSetShrank', severity: 'critical' },
        },
        { value: 3, attributes: { type: 'Unjoined', severity: 'info' } },
        {
          value: 0,
          attributes: { type: 'NameCollision', severity: 'warning' },
        },
      ]),
    );
  });

  it('counts results of readiness checks of every severity', async () => {
    const { collect } = create({
      countChecks: async () => ({ error: 2, warning: 0, info: 1 }),
    });
    expect(await collect('previews.checks')).toEqual([
      { value: 2, attributes: { severity: 'error' } },
      { value: 0, attributes: { severity: 'warning' } },
      { value: 1, attributes: { severity: 'info' } },
    ]);
  });

  it('tells how many certificates are left for each domain, by the scarcest server', async () => {
    const budget = (domain: string, left: number) =>
      ({ domain, left, limit: 50 } as DomainBudget);
    const { collect } = create({
      certificateBudgets: async () => [
        budget('example.com', 7),
        budget('example.com', 31),
        budget('example.org', 50),
      ],
    });
    expect(await collect('previews.certificates.left')).toEqual([
      { value: 7, attributes: { domain: 'example.com' } },
      { value: 50, attributes: { domain: 'example.org' } },
    ]);
  });

  it('tells how old each source is, and nothing of one that was never read', async () => {
    const pending: SourceState = {
      ...cluster,
      id: 'cluster:new',
      status: 'pending',
      lastCompleteAt: undefined,
    };
    const { collect, wait } = create({
      sources: async () => ({ items: [cluster, pending], reconciledAt: at(0) }),
    });
    wait(10);
    expect(await collect('previews.source.age')).toEqual([
      { value: 15, attributes: { source: 'cluster:main', kind: 'cluster' } },
    ]);
    expect(
      (await collect('previews.source.fresh')).map(({ value }) => value),
    ).toEqual([1, 0]);
  });

  it('calls no source fresh when no writer has been there for a minute', async () => {
    const { collect, wait } = create({
      sources: async () => ({ items: [cluster], reconciledAt: at(0) }),
    });
    wait(61);
    expect(await collect('previews.source.fresh')).toMatchObject([
      { value: 0 },
    ]);
  });

  it('tells the age of the last reconcile on every replica', async () => {
    const { collect, wait } = create({
      sources: async () => ({ items: [], reconciledAt: at(0) }),
    });
    wait(300);
    expect(await collect('previews.reconcile.age')).toEqual([{ value: 300 }]);
  });

  it('tells of no reconcile before the first', async () => {
    const { collect } = create();
    expect(await collect('previews.reconcile.age')).toEqual([]);
  });

  it('lets passes that fail age on the writer, although it reports', async () => {
    let reconciledAt = at(0);
    const { metrics, collect, wait } = create({
      sources: async () => ({ items: [], reconciledAt }),
    });
    metrics.passEnded({ seconds: 0.1, outcome: 'done', over: 'everything' });
    for (let pass = 1; pass <= 10; pass += 1) {
      wait(10);
      reconciledAt = at(pass * 10);
      metrics.passEnded({
        seconds: 0.1,
        outcome: 'failed',
        over: 'everything',
      });
    }
    expect(await collect('previews.reconcile.age')).toEqual([{ value: 100 }]);
    metrics.passEnded({ seconds: 0.1, outcome: 'done', over: 'everything' });
    expect(await collect('previews.reconcile.age')).toEqual([{ value: 0 }]);
  });

  it('forgets its own passes when another replica writes', async () => {
    const { metrics, collect, wait } = create({
      sources: async () => ({ items: [], reconciledAt: at(115) }),
    });
    metrics.passEnded({ seconds: 0.1, outcome: 'done', over: 'everything' });
    wait(120);
    expect(await collect('previews.reconcile.age')).toEqual([{ value: 5 }]);
  });

  it('counts calls by source and outcome', () => {
    const { metrics, recorded } = create();
    metrics.callEnded({ source: 'cluster:main', outcome: 'ok' });
    metrics.callEnded({ source: 'cluster:main', outcome: 'Forbidden' });
    expect(recorded('previews.upstream.calls')).toEqual([
      { value: 1, attributes: { source: 'cluster:main', outcome: 'ok' } },
      {
        value: 1,
        attributes: { source: 'cluster:main', outcome: 'Forbidden' },
      },
    ]);
  });

  it('records how long passes take, by their outcome and breadth', () => {
    const { metrics, recorded } = create();
    metrics.passEnded({ seconds: 0.2, outcome: 'done', over: 'changes' });
    metrics.passEnded({ seconds: 3, outcome: 'failed', over: 'everything' });
    expect(recorded('previews.reconcile.duration')).toEqual([
      { value: 0.2, attributes: { outcome: 'done', over: 'changes' } },
      { value: 3, attributes: { outcome: 'failed', over: 'everything' } },
    ]);
  });

  it('records precise spin-ups and teardowns, and counts all', () => {
    const { metrics, recorded } = create();
    metrics.spansEnded([
      span({}),
      span({ imprecise: true, startedAt: at(-9000) }),
      span({ kind: 'teardown', startedAt: at(-30) }),
      span({ kind: 'created' }),
    ]);
    expect(recorded('previews.spin_up.duration')).toEqual([{ value: 90 }]);
    expect(recorded('previews.teardown.duration')).toEqual([{ value: 30 }]);
    expect(
      recorded('previews.spans').map(({ attributes }) => attributes),
    ).toEqual([
      { kind: 'spinUp', precise: true },
      { kind: 'spinUp', precise: false },
      { kind: 'teardown', precise: true },
      { kind: 'created', precise: true },
    ]);
  });
});
