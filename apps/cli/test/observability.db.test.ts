// Risk: the board shows a metric that is not exported, no alert reports a lost delivery, a trace ends at the queue, or
// metrics and spans contain a secret.
import { readFileSync } from 'node:fs';
import { apiEnv, type RunningApi, startApi } from '@finhook/api';
import { type OpenedAccount, openAccount } from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import { createLogger, type Observability, openObservability } from '@finhook/runtime';
import { type Receiver, startReceiver } from '@finhook/testing';
import { createWorker } from '@finhook/worker';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { parse } from 'yaml';
import { promqlNames } from './promql-names.ts';
import { readSpans, type Span } from './read-spans.ts';
import { scrape } from './scrape.ts';

const secretsKey = Buffer.alloc(32, 9).toString('base64');
const callerTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';
const stop = new AsyncDisposableStack();
const logLines: string[] = [];
let receiver: Receiver;
let collector: Receiver;
let api: RunningApi;
let seen: Observability;
let account: OpenedAccount;
let endpointSecret: string;
let endpointId: string;

beforeAll(async () => {
  const database = await createMigratedDatabase(inject('pgUrl'));
  stop.defer(() => database.drop());
  receiver = await startReceiver();
  stop.defer(() => receiver.close());
  collector = await startReceiver();
  stop.defer(() => collector.close());
  const logger = createLogger({
    name: 'test',
    level: 'debug',
    destination: { write: (line) => void logLines.push(line) },
  });
  const env = apiEnv.parse({
    DATABASE_URL: database.url,
    DATABASE_REPLICA_URL: database.url,
    QUEUE_URL: database.url,
    SECRETS_KEY: secretsKey,
    PORT: '0',
    ALLOW_INSECURE_WEBHOOKS: 'true',
    METRICS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  api = await startApi(env, logger);
  stop.defer(() => api.close());
  seen = await openObservability({
    serviceName: 'finhook-worker',
    logger,
    metricsPort: 0,
    metricsHost: '127.0.0.1',
    otlpEndpoint: collector.url,
    sampleRatio: 1,
  });
  stop.defer(() => seen.close());
  const worker = await createWorker({
    databaseUrl: database.url,
    queueUrl: database.url,
    secretsKey,
    logger,
    allowInsecureWebhooks: true,
    sendTraceparent: true,
    sampleEveryMs: 50,
    ...seen,
  });
  stop.defer(() => worker.close());
  account = await openAccount(api.core, { name: 'Acme', mode: 'test', companyName: 'Acme Inc' });
  const endpoint = await send('POST', '/webhook-endpoints', {
    url: `${receiver.url}/hook?token=query-canary`,
    events: ['bank.balance.updated'],
  });
  endpointSecret = String(endpoint['secret']);
  endpointId = String(endpoint['id']);
});

afterAll(() => stop.disposeAsync());

async function send(method: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${api.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
  return recordOf(await response.json());
}

// Every response of the api is an object.
function recordOf(value: unknown): Record<string, unknown> {
  return value as Record<string, unknown>;
}

let days = 0;

/** Posts a balance of another day, which emits one event. Returns the event's id. */
async function post(headers: Record<string, string> = {}): Promise<string> {
  const as_of = new Date(Date.UTC(2001, 0, 1) + days++ * 86_400_000).toISOString().slice(0, 10);
  const path = `/companies/${account.companyId}/cash/balances`;
  const source = 'body-canary';
  return String(
    (await send('POST', path, { as_of, balance_cents: 1_234_567, currency: 'USD', source }, headers))['event_id'],
  );
}

async function spansWhere(condition: (span: Span) => boolean, count = 1): Promise<Span[]> {
  return vi.waitFor(
    () => {
      const found = readSpans(collector).filter(condition);
      expect(found).toHaveLength(count);
      return found;
    },
    { timeout: 8_000, interval: 20 },
  );
}

function only<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined || items.length !== 1) throw new Error(`There are ${items.length}, and not one.`);
  return item;
}

test('one trace goes from the caller through the request to the attempt and on to the receiver', async () => {
  const eventId = await post({ traceparent: `00-${callerTrace}-${callerSpan}-01` });
  const request = only(
    await spansWhere(({ service, traceId }) => service === 'finhook-api' && traceId === callerTrace),
  );
  const attempt = only(await spansWhere(({ attributes }) => attributes['finhook.event.id'] === eventId));

  expect(request).toMatchObject({
    parentSpanId: callerSpan,
    name: 'cash.balances.upsert',
    kind: 2,
    failed: false,
    attributes: { 'finhook.operation': 'cash.balances.upsert', 'http.response.status_code': 201 },
  });
  expect(attempt).toMatchObject({
    service: 'finhook-worker',
    traceId: callerTrace,
    parentSpanId: request.spanId,
    name: 'deliver bank.balance.updated',
    kind: 3,
    failed: false,
    attributes: { 'finhook.endpoint.id': endpointId, 'finhook.outcome': 'delivered', 'http.response.status_code': 200 },
  });
  const received = only(receiver.requests.filter(({ headers }) => headers['webhook-id'] === eventId));
  expect(received.headers['traceparent']).toBe(`00-${callerTrace}-${attempt.spanId}-01`);
  const lines = logLines.map((line): Record<string, unknown> => JSON.parse(line));
  expect(lines.find((line) => line['event_id'] === eventId)).toMatchObject({
    msg: 'delivered',
    trace_id: callerTrace,
    outcome: 'delivered',
    next_attempt_in_ms: null,
    body_bytes: received.body.byteLength,
    duration_ms: expect.any(Number),
    first_byte_ms: expect.any(Number),
  });
  expect(lines.find((line) => line['msg'] === 'request' && line['trace_id'] === callerTrace)).toBeDefined();
});

test('a write in a transaction carries the trace too, and a later request on the connection has its own', async () => {
  const trace = callerTrace.replace('4bf9', '4bfa');
  const eventId = await post({ traceparent: `00-${trace}-${callerSpan}-01`, 'idempotency-key': 'traced' });
  expect(only(await spansWhere(({ attributes }) => attributes['finhook.event.id'] === eventId)).traceId).toBe(trace);
  for (let n = 0; n < 20; n++) await post();
  const rows = await api.core.database.query<{ traceparent: string }>(
    'SELECT traceparent FROM event ORDER BY id DESC LIMIT 20',
  );
  expect(new Set(rows.map(({ traceparent }) => traceparent.split('-')[1])).size).toBe(20);
  expect(rows.filter(({ traceparent }) => traceparent.includes(trace))).toEqual([]);
});

test('a caller who wants no trace kept gets none, here and at the worker', async () => {
  const trace = callerTrace.replace('4bf9', '4bfb');
  const eventId = await post({ traceparent: `00-${trace}-${callerSpan}-00` });
  const later = await post();
  await spansWhere(({ attributes }) => attributes['finhook.event.id'] === later);
  expect(readSpans(collector).filter(({ traceId }) => traceId === trace)).toEqual([]);
  const received = receiver.requests.find(({ headers }) => headers['webhook-id'] === eventId);
  expect(received?.headers['traceparent']).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
});

test('a failed attempt is a failed span with its status, and the log line says when the next one is', async () => {
  receiver.script('/fails', { status: 500 });
  await send('PATCH', `/webhook-endpoints/${endpointId}`, { url: `${receiver.url}/fails?token=query-canary` });
  const eventId = await post();
  const attempt = only(
    await spansWhere(
      ({ attributes }) => attributes['finhook.event.id'] === eventId && attributes['finhook.attempt'] === 1,
    ),
  );
  expect(attempt).toMatchObject({
    failed: true,
    attributes: { 'error.type': 'http_500', 'http.response.status_code': 500, 'finhook.outcome': 'retry' },
  });
  const line = logLines.map((text): Record<string, unknown> => JSON.parse(text)).find((l) => l['event_id'] === eventId);
  expect(line).toMatchObject({ error: 'http_500', outcome: 'retry', next_attempt_in_ms: expect.any(Number) });
});

test('the scrapes count what was accepted, attempted, ended and is left, and name the unhealthy endpoint', async () => {
  const posts = days;
  await api.core.database.query('UPDATE webhook_endpoint SET consecutive_failures = 5 WHERE id = $1', [endpointId]);
  await vi.waitFor(
    async () => {
      const found = await scrape(String(seen.metricsUrl));
      expect(found.value('finhook_deliveries_ended_total', { status: 'succeeded' })).toBe(posts - 1);
      expect(found.value('finhook_deliveries_scheduled')).toBe(1);
      expect(found.value('finhook_ledger_deliveries', { state: 'accepted' })).toBe(posts);
      expect(found.value('finhook_ledger_deliveries', { state: 'terminal' })).toBe(posts - 1);
      expect(found.value('finhook_ledger_deliveries', { state: 'scheduled' })).toBe(1);
      expect(found.samples('finhook_endpoint_consecutive_failures')).toHaveLength(1);
    },
    { timeout: 8_000, interval: 50 },
  );
  const ofWorker = await scrape(String(seen.metricsUrl));
  const ofApi = await scrape(String(api.metricsUrl));
  const [stored] = await api.core.database.query<{ events: number }>('SELECT count(*)::int AS events FROM event');
  expect(ofApi.value('finhook_events_accepted_total')).toBe(stored?.events);
  const operation = { protocol: 'rest', operation: 'cash.balances.upsert', status: '201' };
  expect(ofApi.value('finhook_http_request_duration_seconds', operation)).toBe(posts);
  expect(ofApi.value('finhook_database_connections', { state: 'waiting' })).toBe(0);
  expect(ofWorker.value('finhook_delivery_attempts_total', { outcome: 'delivered', result: '2xx' })).toBe(posts - 1);
  expect(ofWorker.value('finhook_delivery_attempts_total', { outcome: 'retry', result: '5xx' })).toBe(1);
  expect(ofWorker.value('finhook_delivery_attempt_duration_seconds')).toBe(posts);
  expect(ofWorker.value('finhook_delivery_latency_seconds')).toBe(posts - 1);
  expect(ofWorker.value('finhook_deliveries_in_flight')).toBe(0);
  expect(ofWorker.value('finhook_deliveries_due')).toBe(0);
  expect(ofWorker.value('finhook_oldest_due_age_seconds')).toBe(0);
  expect(ofWorker.value('finhook_ledger_unaccounted')).toBe(0);
  expect(only(ofWorker.samples('finhook_endpoint_consecutive_failures'))).toMatchObject({
    labels: { endpoint_id: endpointId, account_id: account.accountId, status: 'active' },
    value: 5,
  });
  expect(ofWorker.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  expect(ofWorker.samples('finhook_queue_jobs', { queue_job: 'deliver', state: 'active' })).toHaveLength(1);
});

test('a delivery whose due row was deleted is reported within moments', async () => {
  const { database } = api.core;
  const rows = await database.query<Record<string, unknown>>(
    'DELETE FROM due RETURNING delivery_id, account_id, event_id, endpoint_id, position, due_at, next_attempt_at, attempt_count, step',
  );
  const lost = only(rows);
  const unaccounted = async () => (await scrape(String(seen.metricsUrl))).value('finhook_ledger_unaccounted');
  await vi.waitFor(async () => expect(await unaccounted()).toBe(1), { timeout: 8_000, interval: 50 });
  await database.query(
    `INSERT INTO due (delivery_id, account_id, event_id, endpoint_id, position, due_at, next_attempt_at, attempt_count, step)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    Object.values(lost),
  );
  await vi.waitFor(async () => expect(await unaccounted()).toBe(0), { timeout: 8_000, interval: 50 });
});

test("no label is one of those that Prometheus sets: it would be renamed, and the target's meant in its place", async () => {
  const scrapes = [await scrape(String(api.metricsUrl)), await scrape(String(seen.metricsUrl))];
  const samples = scrapes.flatMap(({ families }) => [...families.values()].flatMap((family) => family.samples));
  const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
  expect(labels).toContain('endpoint_id');
  expect(labels).not.toContain('job');
  expect(labels).not.toContain('instance');
});

async function callTool(name: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${account.apiKey}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });
  await (await fetch(`${api.url}/mcp`, { method: 'POST', headers, body })).text();
}

test('what callers make up becomes no label', async () => {
  await fetch(`${api.url}/trpc/made.up-canary`, { headers: { authorization: `Bearer ${account.apiKey}` } });
  await fetch(`${api.url}/api/v1/made-up-canary`);
  await callTool('made_up_canary');
  await callTool('me_get');
  const { text } = await scrape(String(api.metricsUrl));
  expect(text).toContain('protocol="trpc",operation="unknown"');
  expect(text).toContain('protocol="other",operation="unknown",status="404"');
  expect(text).toContain('protocol="mcp",operation="mcp",status="200"');
  expect(text).toContain('protocol="mcp",operation="me.get",status="200"');
  expect(text).not.toContain('made');
});

test('every metric of the board and the alerts is exported, and every one of ours is on one of them', async () => {
  const board: { panels: { targets?: { expr: string }[] }[] } = JSON.parse(readOps('grafana/finhook.json'));
  const alerts: { groups: { rules: { expr: string }[] }[] } = parse(readOps('prometheus/alerts.yml'));
  const expressions = [
    ...board.panels.flatMap(({ targets = [] }) => targets),
    ...alerts.groups.flatMap(({ rules }) => rules),
  ].map(({ expr }) => expr);
  expect(expressions.length).toBeGreaterThan(40);
  const scrapes = [await scrape(String(api.metricsUrl)), await scrape(String(seen.metricsUrl))];
  const families = new Map(scrapes.flatMap((found) => [...found.families]));
  const familyOf = (name: string) => {
    const base = name.replace(/_(?:bucket|count|sum)$/, '');
    return families.get(base)?.type === 'histogram' ? base : name;
  };
  // Prometheus scrapes other programs too, and those of Node have the same process metrics.
  const ofProcesses = expressions.filter((expr) => [...promqlNames(expr)].some((name) => !name.startsWith('finhook_')));
  expect(ofProcesses.length).toBeGreaterThan(3);
  expect(ofProcesses.filter((expr) => !/ and on \(job, instance\) finhook_\w+/.test(expr))).toEqual([]);
  const named = new Set(expressions.flatMap((expr) => [...promqlNames(expr)]).map(familyOf));
  expect([...named].filter((name) => !families.has(name))).toEqual([]);
  const ours = [...families.keys()].filter((name) => name.startsWith('finhook_'));
  expect(ours.length).toBeGreaterThan(15);
  expect(ours.filter((name) => !named.has(name))).toEqual([]);
});

test('every alert fires in one of its own tests', () => {
  const alerts: { groups: { rules: { alert: string }[] }[] } = parse(readOps('prometheus/alerts.yml'));
  const names = alerts.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  const files = ['alerts', 'alerts-days'].map((name): AlertTests => parse(readOps(`prometheus/${name}.test.yml`)));
  const cases = files.flatMap(({ tests }) => tests);
  const fired = cases.flatMap((one) => one.promql_expr_test.flatMap(({ exp_samples }) => exp_samples));
  const firing = fired.map(({ labels }) => /alertname="(\w+)"/.exec(labels)?.[1]);
  expect(new Set(firing)).toEqual(new Set(names));
});

test('no secret, URL or body is in the metrics, the spans or the log lines', async () => {
  const scrapes = [await scrape(String(api.metricsUrl)), await scrape(String(seen.metricsUrl))];
  const spans = collector.requests.map(({ body, headers }) => JSON.stringify(headers) + Buffer.from(body).toString());
  const everything = [...scrapes.map(({ text }) => text), ...spans, ...logLines].join('\n');
  expect(readSpans(collector).length).toBeGreaterThan(20);
  for (const canary of [account.apiKey, endpointSecret, secretsKey, 'query-canary', 'body-canary', '1234567']) {
    expect(everything).not.toContain(canary);
  }
});

/** The part of promtool's file about alerts. */
interface AlertTests {
  tests: { promql_expr_test: { exp_samples: { labels: string }[] }[] }[];
}

function readOps(path: string): string {
  return readFileSync(new URL(`../../../ops/${path}`, import.meta.url), 'utf8');
}

test('every alert leads to its section of the page that says what to do', () => {
  const { groups }: { groups: { rules: { alert: string; annotations: Record<string, string> }[] }[] } = parse(
    readOps('prometheus/alerts.yml'),
  );
  const rules = groups.flatMap((group) => group.rules);
  const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const sections = [...page.matchAll(/^### (Finhook\w+)$/gm)].map(([, name = '']) => name);
  expect(sections).toEqual(rules.map(({ alert }) => alert));
  const addresses = sections.map((name) => `docs/operations.md#${name.toLowerCase()}`);
  expect(rules.map(({ annotations }) => annotations['runbook_url'])).toEqual(addresses);
});
