import { BackendFeature } from '@backstage/backend-plugin-api';
import { metricsServiceMock } from '@backstage/backend-test-utils/alpha';

/** One value of a metric. */
export interface Measured {
  value: number;
  attributes: Record<string, unknown>;
}

type Observe = (result: {
  observe(value: number, attributes?: object): void;
}) => void | Promise<void>;

/** In place of an OpenTelemetry SDK: keeps what is recorded, and asks gauges when it is told to. */
export class MetricsCollector {
  readonly #recorded = new Map<string, Measured[]>();
  readonly #gauges = new Map<string, Set<Observe>>();

  /** The metrics service of a backend. */
  get feature(): BackendFeature {
    const instrument = (name: string) => {
      const take = (value: number, attributes: object = {}) => {
        this.recorded(name).push({ value, attributes: { ...attributes } });
      };
      return { add: take, record: take };
    };
    const gauge = (name: string) => {
      // Only those of the backend that was started last are asked.
      const callbacks = new Set<Observe>();
      this.#gauges.set(name, callbacks);
      return {
        addCallback: (callback: Observe) => callbacks.add(callback),
        removeCallback: (callback: Observe) => callbacks.delete(callback),
      };
    };
    return metricsServiceMock.mock({
      createCounter: instrument as never,
      createHistogram: instrument as never,
      createObservableGauge: gauge as never,
    }).factory;
  }

  /** All values of a counter or a histogram, oldest first. */
  recorded(name: string): Measured[] {
    const values = this.#recorded.get(name) ?? [];
    this.#recorded.set(name, values);
    return values;
  }

  /** The values of a gauge now. */
  async collect(name: string): Promise<Measured[]> {
    const values: Measured[] = [];
    for (const callback of this.#gauges.get(name) ?? []) {
      await callback({
        observe: (value, attributes = {}) => {
          values.push({ value, attributes: { ...attributes } });
        },
      });
    }
    return values;
  }
}
