import {
  MetricsService,
  MetricsServiceCounter,
  MetricsServiceHistogram,
} from '@backstage/backend-plugin-api/alpha';
import {
  CheckSeverity,
  checkSeverities,
  DomainBudget,
  findingDefinitions,
  FindingType,
  findingTypes,
  Phase,
  SourceState,
} from '@previews/backstage-plugin-previews-common';
import { agedStates, confirmedAt } from '../api';
import { Span } from '../model';
import {
  CallAttributes,
  CertificateAttributes,
  CheckAttributes,
  FindingAttributes,
  metricDefinitions,
  PassAttributes,
  PhaseAttributes,
  SourceAttributes,
  SpanAttributes,
} from './metricDefinitions';

/** A writer that is at work ends a pass at least every ten seconds. */
const WRITES_WITHIN_MILLISECONDS = 60_000;

/** Where what is measured at a collection is read. */
export interface MetricsReader {
  countByPhase(): Promise<Partial<Record<Phase, number>>>;
  /** Results of readiness checks. */
  countChecks(): Promise<Record<CheckSeverity, number>>;
  /** Findings that are not over. */
  countFindings(): Promise<Partial<Record<FindingType, number>>>;
  sources(): Promise<{
    items: SourceState[];
    readAt?: string;
    reconciledAt?: string;
  }>;
  /** What is left of the limits of certificate authorities. */
  certificateBudgets(): Promise<DomainBudget[]>;
}

/**
 * Measures for OpenTelemetry. What is in the database every replica tells alike,
 * so that the death of the writer shows on the others: aggregate gauges by their
 * maximum. What happens the writer alone tells.
 */
export class PreviewMetrics {
  static create(options: {
    metrics: MetricsService;
    reader: MetricsReader;
    /** Default: the machine's clock. */
    clock?: () => Date;
  }): PreviewMetrics {
    return new PreviewMetrics(options);
  }

  readonly #reader: MetricsReader;
  readonly #clock: () => Date;
  readonly #reconcileDuration: MetricsServiceHistogram<PassAttributes>;
  readonly #spans: MetricsServiceCounter<SpanAttributes>;
  readonly #upstreamCalls: MetricsServiceCounter<CallAttributes>;
  readonly #spinUpDuration: MetricsServiceHistogram;
  readonly #teardownDuration: MetricsServiceHistogram;
  #lastPassAt?: number;
  #lastDoneAt?: number;

  private constructor(options: {
    metrics: MetricsService;
    reader: MetricsReader;
    clock?: () => Date;
  }) {
    const { metrics, reader, clock = () => new Date() } = options;
    this.#reader = reader;
    this.#clock = clock;
    const {
      certificatesLeft,
      checks,
      count,
      findings,
      sourceAge,
      sourceFresh,
      reconcileAge,
      reconcileDuration,
      spans,
      spinUpDuration,
      teardownDuration,
      upstreamCalls,
    } = metricDefinitions;
    this.#upstreamCalls = metrics.createCounter<CallAttributes>(
      upstreamCalls.name,
      upstreamCalls.options,
    );
    this.#reconcileDuration = metrics.createHistogram<PassAttributes>(
      reconcileDuration.name,
      reconcileDuration.options,
    );
    this.#spans = metrics.createCounter<SpanAttributes>(
      spans.name,
      spans.options,
    );
    this.#spinUpDuration = metrics.createHistogram(
      spinUpDuration.name,
      spinUpDuration.options,
    );
    this.#teardownDuration = metrics.createHistogram(
      teardownDuration.name,
      teardownDuration.options,
    );
    metrics
      .createObservableGauge<PhaseAttributes>(count.name, count.options)
      .addCallback(async result => {
        for (const [phase, previews] of Object.entries(
          await this.#reader.countByPhase(),
        )) {
          result.observe(previews, { phase: phase as Phase });
        }
      });
    metrics
      .createObservableGauge<FindingAttributes>(findings.name, findings.options)
      .addCallback(async result => {
        const counts = await this.#reader.countFindings();
        for (const type of findingTypes) {
          // Also none: an alarm that is over has to end in monitoring too.
          const { severity } = findingDefinitions[type];
          result.observe(counts[type] ?? 0, { type, severity });
        }
      });
    metrics
      .createObservableGauge<CheckAttributes>(checks.name, checks.options)
      .addCallback(async result => {
        const counts = await this.#reader.countChecks();
        for (const severity of checkSeverities) {
          result.observe(counts[severity], { severity });
        }
      });
    metrics
      .createObservableGauge<CertificateAttributes>(
        certificatesLeft.name,
        certificatesLeft.options,
      )
      .addCallback(async result => {
        const scarcest = new Map<string, number>();
        for (const {
          domain,
          left,
        } of await this.#reader.certificateBudgets()) {
          scarcest.set(domain, Math.min(left, scarcest.get(domain) ?? left));
        }
        scarcest.forEach((left, domain) => result.observe(left, { domain }));
      });
    metrics
      .createObservableGauge<SourceAttributes>(
        sourceAge.name,
        sourceAge.options,
      )
      .addCallback(async result => {
        const { items } = await this.#reader.sources();
        for (const { id, kind, lastCompleteAt } of items) {
          if (lastCompleteAt !== undefined) {
            result.observe(this.#secondsSince(lastCompleteAt), {
              source: id,
              kind,
            });
          }
        }
      });
    metrics
      .createObservableGauge<SourceAttributes>(
        sourceFresh.name,
        sourceFresh.options,
      )
      .addCallback(async result => {
        const told = await this.#reader.sources();
        const states = agedStates(told.items, {
          confirmedAt: confirmedAt(told),
          now: this.#clock(),
        });
        for (const { id, kind, status } of states) {
          result.observe(status === 'fresh' ? 1 : 0, { source: id, kind });
        }
      });
    metrics
      .createObservableGauge(reconcileAge.name, reconcileAge.options)
      .addCallback(async result => {
        const { reconciledAt } = await this.#reader.sources();
        const age = this.#reconcileAge(reconciledAt);
        if (age !== undefined) {
          result.observe(age);
        }
      });
  }

  callEnded({ source, outcome }: CallAttributes): void {
    this.#upstreamCalls.add(1, { source, outcome });
  }

  spansEnded(spans: readonly Span[]): void {
    for (const { kind, imprecise, startedAt, endedAt } of spans) {
      this.#spans.add(1, { kind, precise: !imprecise });
      const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
      if (!imprecise && kind === 'spinUp') {
        this.#spinUpDuration.record(seconds);
      } else if (!imprecise && kind === 'teardown') {
        this.#teardownDuration.record(seconds);
      }
    }
  }

  passEnded(pass: { seconds: number } & PassAttributes): void {
    const { seconds, outcome, over } = pass;
    this.#reconcileDuration.record(seconds, { outcome, over });
    const now = this.#clock().getTime();
    // A term that begins with failures is as old as its first.
    this.#lastDoneAt =
      outcome === 'done' || !this.#isWriting() ? now : this.#lastDoneAt;
    this.#lastPassAt = now;
  }

  #isWriting(): boolean {
    return (
      this.#lastPassAt !== undefined &&
      this.#clock().getTime() - this.#lastPassAt < WRITES_WITHIN_MILLISECONDS
    );
  }

  /** The writer knows of passes that fail, the database of when there was a writer. */
  #reconcileAge(reconciledAt: string | undefined): number | undefined {
    const ages = [
      ...(reconciledAt === undefined ? [] : [this.#secondsSince(reconciledAt)]),
      ...(this.#isWriting() && this.#lastDoneAt !== undefined
        ? [(this.#clock().getTime() - this.#lastDoneAt) / 1000]
        : []),
    ];
    return ages.length > 0 ? Math.max(...ages) : undefined;
  }

  #secondsSince(time: string): number {
    return Math.max(0, (this.#clock().getTime() - Date.parse(time)) / 1000);
  }
}
