import { once } from 'node:events';
import { readFileSync } from 'node:fs';
// oxlint-disable-next-line finhook/imports -- it listens for scrapes and opens no outgoing socket
import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const version = String(Reflect.get(Object(manifest), 'version'));

/** All packages have the version of the release. */
export function serviceVersion(): string {
  return version;
}

/** '' for no value. */
type Labels<L extends string> = Readonly<Record<L, string>>;

interface MetricHead<L extends string> {
  /** Starts with `finhook_`, in base units; a counter ends with `_total`. */
  readonly name: string;
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
  /** Label sets without a reading are missing from the next scrape. */
  replace(readings: readonly GaugeReading<L>[]): void;
}

export interface Metrics {
  counter<L extends string>(head: MetricHead<L>): CounterMetric<L>;
  /** `buckets`: ascending upper bounds in the metric's unit. */
  histogram<L extends string>(head: MetricHead<L>, buckets: readonly number[]): HistogramMetric<L>;
  /** Missing from the scrape without a value. `read`, which must be cheap, runs at each scrape. */
  gauge<L extends string>(head: MetricHead<L>, read?: () => readonly GaugeReading<L>[]): GaugeMetric<L>;
  render(): Promise<string>;
  readonly contentType: string;
}

/** Includes the default metrics (CPU, memory, event loop, garbage collection). At most one per process. */
export function createMetrics(cell?: string): Metrics {
  const registry = new Registry();
  if (cell !== undefined) registry.setDefaultLabels({ cell });
  collectDefaultMetrics({ register: registry });
  // Gauges with names of counters.
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
        // reset() sets a gauge without labels to 0 instead of removing it.
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

export interface ServiceMetrics {
  readonly events: (count: number) => void;
  /** Adds a pool to the sum of this process. */
  readonly watchPool: (usage: () => PoolUsage) => void;
  readonly replicaReads: <R extends string>(results: readonly R[]) => (result: R) => void;
  readonly watchReplicaLag: (lagMs: () => number) => void;
}

type PoolUsage = Readonly<Record<'busy' | 'idle' | 'waiting', number>>;

export function createServiceMetrics(metrics: Metrics): ServiceMetrics {
  const accepted = metrics.counter({
    name: 'finhook_events_accepted_total',
    help: 'Events that this process committed.',
    labels: [],
  });
  accepted.add({}, 0);
  const pools: (() => PoolUsage)[] = [];
  return {
    events: (count) => accepted.add({}, count),
    replicaReads: (results) => {
      const reads = metrics.counter({
        name: 'finhook_replica_reads_total',
        help:
          'Reads of lists and figures: on the replica, or on the primary because the replica was behind the account, ' +
          'the read failed on it, or it was unavailable or lagged.',
        labels: ['result'],
      });
      for (const result of results) reads.add({ result }, 0);
      return (result) => reads.add({ result });
    },
    watchReplicaLag: (lagMs) => {
      metrics.gauge(
        {
          name: 'finhook_replica_lag_seconds',
          help: 'The age of the oldest change that the replica has not replayed; it grows while the replica is unreachable.',
          labels: [],
        },
        () => [{ labels: {}, value: lagMs() / 1000 }],
      );
    },
    watchPool: (usage) => {
      pools.push(usage);
      if (pools.length > 1) return;
      metrics.gauge(
        {
          name: 'finhook_database_connections',
          help: 'Connections to PostgreSQL that are busy and idle, and callers that wait for one.',
          labels: ['state'],
        },
        () => {
          const usages = pools.map((read) => read());
          return (['busy', 'idle', 'waiting'] as const).map((state) => ({
            labels: { state },
            value: usages.reduce((sum, pool) => sum + pool[state], 0),
          }));
        },
      );
    },
  };
}

interface ServeOptions {
  readonly port: number;
  readonly host: string;
}

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** `GET /metrics` and `GET /healthz`, without authentication: it is for the operator's network. */
export async function serveMetrics(metrics: Metrics, { port, host }: ServeOptions): Promise<MetricsServer> {
  const health = JSON.stringify({ status: 'ok', version: serviceVersion() });
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path !== '/metrics' && path !== '/healthz') response.writeHead(404).end();
    else if (request.method !== 'GET') response.writeHead(405, { allow: 'GET' }).end();
    else if (path === '/healthz') response.writeHead(200, { 'content-type': 'application/json' }).end(health);
    else {
      metrics.render().then(
        (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    }
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
