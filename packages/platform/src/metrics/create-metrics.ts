import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { serviceVersion } from '../service-version.ts';

/** One value for each label name; '' where a label says nothing. */
type Labels<L extends string> = Readonly<Record<L, string>>;

interface MetricHead<L extends string> {
  /** `finhook_` and what is measured, in base units; a counter ends with `_total`. */
  readonly name: string;
  /** One sentence for people who read the scrape. */
  readonly help: string;
  readonly labels: readonly L[];
}

interface CounterMetric<L extends string> {
  add(labels: Labels<L>, by?: number): void;
}

interface HistogramMetric<L extends string> {
  observe(labels: Labels<L>, value: number): void;
}

export interface GaugeReading<L extends string> {
  readonly labels: Labels<L>;
  readonly value: number;
}

interface GaugeMetric<L extends string> {
  /** Replaces every value that the gauge had: what is not among the readings is missing from the next scrape. */
  replace(readings: readonly GaugeReading<L>[]): void;
}

/** The metrics of one process, in a registry of their own. */
export interface Metrics {
  counter<L extends string>(head: MetricHead<L>): CounterMetric<L>;
  /** `buckets`: upper bounds, rising, in the metric's unit. */
  histogram<L extends string>(head: MetricHead<L>, buckets: readonly number[]): HistogramMetric<L>;
  /** Missing from the scrape until it has a value. With `read`, its values are read at each scrape; it must be cheap. */
  gauge<L extends string>(head: MetricHead<L>, read?: () => readonly GaugeReading<L>[]): GaugeMetric<L>;
  /** All of them in Prometheus' text format 0.0.4. */
  render(): Promise<string>;
  readonly contentType: string;
}

/**
 * Metrics for Prometheus, with those of the process itself: CPU, memory, event-loop lag, garbage collection. Make one
 * per process, and none where nobody scrapes: the parts that count take `Metrics | undefined`.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Sums of other gauges, named like counters.
  for (const sum of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${sum}_total`);
  const registers = [registry];
  new Gauge({
    name: 'finhook_build_info',
    help: 'The version of finhook and of Node; always 1.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: serviceVersion(), node: process.version }, 1);
  return {
    counter: ({ name, help, labels }) => {
      const counter = new Counter({ name, help, labelNames: [...labels], registers });
      return { add: (values, by = 1) => counter.inc(values, by) };
    },
    histogram: ({ name, help, labels }, buckets) => {
      const histogram = new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers });
      return { observe: (values, value) => histogram.observe(values, value) };
    },
    gauge: ({ name, help, labels }, read) => {
      const replace = (readings: readonly GaugeReading<(typeof labels)[number]>[]) => {
        gauge.reset();
        // A gauge without labels is reset to 0, which is a reading like any other.
        if (labels.length === 0) gauge.remove();
        for (const reading of readings) gauge.set(reading.labels, reading.value);
      };
      const collect = read === undefined ? {} : { collect: () => replace(read()) };
      const gauge = new Gauge({ name, help, labelNames: [...labels], registers, ...collect });
      replace([]);
      return { replace };
    },
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** What every process of the service counts, given to the domain when it is put together. */
interface ServiceMetrics {
  /** Events that were committed. */
  readonly events: (count: number) => void;
  /** Shows how the connections to the database are used. */
  readonly watchPool: (usage: () => PoolUsage) => void;
}

type PoolUsage = Readonly<Record<'busy' | 'idle' | 'waiting', number>>;

export function createServiceMetrics(metrics: Metrics): ServiceMetrics {
  const accepted = metrics.counter({
    name: 'finhook_events_accepted_total',
    help: 'Events that this process committed.',
    labels: [],
  });
  accepted.add({}, 0);
  return {
    events: (count) => accepted.add({}, count),
    watchPool: (usage) => {
      metrics.gauge(
        {
          name: 'finhook_database_connections',
          help: 'Connections to PostgreSQL that are busy and idle, and callers that wait for one.',
          labels: ['state'],
        },
        () => Object.entries<number>(usage()).map(([state, value]) => ({ labels: { state }, value })),
      );
    },
  };
}
