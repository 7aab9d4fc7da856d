// Risk: two services in a process share metrics, the scrape has outdated values, or the port serves anything else.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMetrics, type Metrics, type MetricsServer, serveMetrics, serviceVersion } from './metrics.ts';

let metrics: Metrics;
let server: MetricsServer;

beforeAll(async () => {
  metrics = createMetrics();
  server = await serveMetrics(metrics, { port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

test('serves GET /metrics and GET /healthz, and nothing else', async () => {
  const found = await fetch(server.url);
  expect([found.status, found.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  expect(await found.text()).toContain('process_cpu_seconds_total');
  expect((await fetch(`${server.url}?name[]=x`)).status).toBe(200);
  const health = await fetch(server.url.replace('/metrics', '/healthz'));
  expect(await health.json()).toEqual({ status: 'ok', version: serviceVersion() });
  expect((await fetch(server.url, { method: 'POST' })).status).toBe(405);
  expect((await fetch(server.url.replace('/metrics', '/'))).status).toBe(404);
});

test('the version and the runtime of the process are a gauge', async () => {
  const labels = `version="${serviceVersion()}",node="${process.version}"`;
  expect(await metrics.render()).toContain(`finhook_build_info{${labels}} 1`);
});

test('what is named like a counter is one', async () => {
  const types = [...(await metrics.render()).matchAll(/^# TYPE (\w+_total) (\w+)$/gm)].map(([, , type]) => type);
  expect(types.length).toBeGreaterThan(2);
  expect(new Set(types)).toEqual(new Set(['counter']));
});

test('a gauge keeps no value that it was not given again', async () => {
  const gauge = metrics.gauge({ name: 'finhook_test', help: 'A test.', labels: ['id'] });
  gauge.replace([
    { labels: { id: 'a' }, value: 1 },
    { labels: { id: 'b' }, value: 2 },
  ]);
  gauge.replace([{ labels: { id: 'b' }, value: 3 }]);
  const lines = (await metrics.render()).split('\n').filter((line) => line.startsWith('finhook_test'));
  expect(lines).toEqual(['finhook_test{id="b"} 3']);
});

test('a gauge without labels is missing, and not 0, while it has no value', async () => {
  const gauge = metrics.gauge({ name: 'finhook_plain_test', help: 'A test.', labels: [] });
  const samples = async () =>
    (await metrics.render()).split('\n').filter((line) => line.startsWith('finhook_plain_test'));
  expect(await samples()).toEqual([]);
  gauge.replace([{ labels: {}, value: 0 }]);
  expect(await samples()).toEqual(['finhook_plain_test 0']);
  gauge.replace([]);
  expect(await samples()).toEqual([]);
  expect(await metrics.render()).toContain('# HELP finhook_plain_test A test.');
});

test('a named cell is a label of every metric', async () => {
  const text = await createMetrics('eu').render();
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(samples.length).toBeGreaterThan(20);
  for (const sample of samples) expect(sample).toContain('cell="eu"');
});

test('every set of metrics has a registry of its own', async () => {
  const other = createMetrics();
  other.counter({ name: 'finhook_test', help: 'Of another process.', labels: [] }).add({}, 7);
  expect(await other.render()).toContain('finhook_test 7');
  expect(await metrics.render()).not.toContain('Of another process.');
});
