// Risk: a stop cuts off requests in flight, or waits forever for a client that reads nothing.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { operations } from '@finhook/contracts';
import { createLogger } from '@finhook/runtime';
import { expect, test } from 'vitest';
import { createApi } from '../src/create-api.ts';
import { countRows, useApi } from './api-fixture.ts';
import { startApiProcess } from './api-process.ts';

const fixture = useApi();

async function listen(closeGraceMs: number, inFlight = 0) {
  const app = await createApi({
    core: fixture.elsewhere,
    logger: createLogger({ name: 'api', level: 'silent' }),
    pingQueue: async () => undefined,
    rateLimits: { requests: 0, accountRequests: 0, inFlight, queueMs: 60_000, failedAuth: 0 },
    bodyLimit: 2 * 1024 * 1024,
    closeGraceMs,
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, url };
}

test('requests that wait in the database and for a slot when the service closes are finished, and their connections end', async () => {
  const { app, url } = await listen(10_000, 1);
  const { companyId, apiKey, elsewhere } = fixture;
  const body = JSON.stringify({ ...operations.cash.balances.upsert.example, as_of: '2026-01-01' });
  const [locked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = elsewhere.database.transaction(async (tx) => {
    await tx.query('LOCK TABLE cash_balance IN ACCESS EXCLUSIVE MODE');
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const response = fetch(`${url}/api/v1/companies/${companyId}/cash/balances`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body,
  });
  const waiting = 'NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())';
  await expect.poll(() => countRows(fixture, 'pg_locks', waiting), { timeout: 10_000 }).toBeGreaterThan(0);
  // One is in flight, four wait for its slot, and the last one is rejected.
  const rejected = Promise.withResolvers<void>();
  const queued = [1, 2, 3, 4, 5].map(async () => {
    const { status, headers } = await fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${apiKey}` } });
    if (status === 429) rejected.resolve();
    return [status, headers.get('connection')];
  });
  await rejected.promise;
  const closing = app.close();
  await expect.poll(() => fetch(`${url}/healthz`).catch(() => 'refused'), { timeout: 10_000 }).toBe('refused');
  held.resolve();
  await holding;
  const { status, headers } = await response;
  expect([status, headers.get('connection')]).toEqual([201, 'close']);
  const finished = (await Promise.all(queued)).filter(([code]) => code !== 429);
  expect(finished).toEqual([1, 2, 3, 4].map(() => [200, 'close']));
  await closing;
});

test('a request that never ends delays the stop by the grace period at most', async () => {
  const { app, url } = await listen(300);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined).resume();
  const head = ['POST /api/v1/companies HTTP/1.1', 'host: x', `authorization: Bearer ${fixture.apiKey}`];
  socket.write([...head, 'content-type: application/json', 'content-length: 9', '', '{'].join('\r\n'));
  await expect
    .poll(() => new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count))))
    .toBe(1);
  // The time limit for receiving is longer than this test.
  await app.close();
  await closed;
});

test('a collector of traces that accepts and never responds does not keep a stopped process alive', async () => {
  const asked = Promise.withResolvers<void>();
  const collector = createServer((socket) => socket.on('error', () => undefined).on('data', () => asked.resolve()));
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  // It listens at an address.
  const { port } = collector.address() as AddressInfo;
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  const api = await startApiProcess(fixture.databaseUrl, env);
  const response = await fetch(`${api.url}/api/v1/me`, { headers: { authorization: `Bearer ${fixture.apiKey}` } });
  await response.arrayBuffer();
  await asked.promise;
  // A killed process has another code.
  expect(await api.stop()).toBe(0);
  collector.close();
});
