// Risk: while PostgreSQL or the queue is down callers get wrong responses, hang, or need a restart of the service.
import { operations } from '@finhook/contracts';
import { openAccount } from '@finhook/core';
import { migrateDatabase } from '@finhook/core/test';
import { createLogger } from '@finhook/runtime';
import { createTestDatabase, type QueueBackend, queueBackends, startQueueBackend, withClient } from '@finhook/testing';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { apiEnv, startApi } from '../src/index.ts';
import { createApiClient } from './api-client.ts';
import { type ApiFixture, openApiFixture, SECRETS_KEY } from './api-fixture.ts';
import { inputFor, shapes } from './operation-walk.ts';
import { seedTenant } from './seed-tenant.ts';

const patience = { timeout: 10_000 };

describe('the database', () => {
  const opened = new AsyncDisposableStack();
  let server: QueueBackend;
  let fixture: ApiFixture;
  beforeAll(async () => {
    server = opened.adopt(await startQueueBackend('postgres'), (each) => each.close());
    const { url: databaseUrl } = await createTestDatabase(server.url);
    await migrateDatabase(databaseUrl);
    fixture = opened.adopt(await openApiFixture(server.url, { databaseUrl }), (each) => each.close());
  });
  afterAll(() => opened.disposeAsync());

  test('readiness reports that PostgreSQL takes no writes, for example on a full disk', async () => {
    const set = (statement: string) =>
      withClient(server.url, async (admin) => {
        await admin.query('SET default_transaction_read_only = off');
        await admin.query(statement);
        await admin.query('SELECT pg_reload_conf()');
      });
    const ready = async () => {
      const { status, body } = await fixture.client.send('GET', '/readyz');
      return [status, body];
    };
    const settled = [200, { status: 'ready', checks: { database: 'ok', queue: 'ok' } }];
    await expect.poll(ready).toEqual(settled);
    await set('ALTER SYSTEM SET default_transaction_read_only = on');
    await expect.poll(ready).toEqual([503, { status: 'not ready', checks: { database: 'read-only', queue: 'ok' } }]);
    await set('ALTER SYSTEM RESET default_transaction_read_only');
    await expect.poll(ready).toEqual(settled);
  });

  test('while PostgreSQL is away requests are 503 with Retry-After, and the service recovers by itself', async () => {
    const { client } = fixture;
    const seed = await seedTenant(fixture);
    const balance = { company_id: seed.company_id, as_of: '2026-01-01', balance_cents: 1, currency: 'USD' };
    let stopped = false;
    const underWay = Array.from({ length: 8 }, async (_, stream) => {
      const statuses = new Set<number>();
      for (let i = 0; !stopped; i++) {
        statuses.add(
          (
            await client.rest(operations.cash.balances.upsert, {
              ...balance,
              connection_id: `s${stream}`,
              balance_cents: i,
            })
          ).status,
        );
      }
      return statuses;
    });
    await server.stop();
    stopped = true;
    for (const statuses of await Promise.all(underWay)) {
      for (const status of statuses) expect([200, 201, 503]).toContain(status);
    }
    for (const operation of shapes) {
      const headers = { 'idempotency-key': `away-${operation.id}` };
      // The catalogue of event types needs no database while the key is cached, for half a second.
      await vi.waitFor(async () => {
        const responses = [
          await client.rest(operation, inputFor(operation, seed), { headers }),
          await client.trpc(operation, inputFor(operation, seed), { headers }),
        ];
        for (const response of responses) {
          expect([response.status, response.problem.code], response.text).toEqual([503, 'unavailable']);
          expect(response.headers['retry-after']).toBe('5');
          expect(response.problem.retryable).toBe(true);
          expect(response.text).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|SELECT|postgres|\.ts/i);
        }
      }, patience);
    }
    const ready = await client.send('GET', '/readyz');
    expect([ready.status, ready.headers['retry-after'], ready.body]).toEqual([
      503,
      '5',
      { status: 'not ready', checks: { database: 'unreachable', queue: 'ok' } },
    ]);
    expect((await client.send('GET', '/healthz')).status).toBe(200);

    await server.start();
    await vi.waitFor(
      async () =>
        expect(
          (await client.rest(operations.cash.balances.upsert, { ...balance, as_of: '2026-01-02' })).status,
        ).toBeLessThan(300),
      { timeout: 5_000 },
    );
    // Every connection of the pool works again, and no Idempotency-Key is still claimed.
    const after = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        client.rest(operations.cash.balances.upsert, { ...balance, as_of: '2026-01-03', connection_id: `a${i}` }),
      ),
    );
    expect(after.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 201));
    const headers = { 'idempotency-key': 'away-companies.create' };
    const retried = await client.rest(operations.companies.create, operations.companies.create.example, { headers });
    expect([retried.status, retried.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect((await client.send('GET', '/readyz')).status).toBe(200);
  });
});

describe.each(queueBackends())('the queue on %s', (name) => {
  test('ingest gets 2xx while the queue is down, and readiness reports it', async () => {
    const queue = await startQueueBackend(name);
    const database = await createTestDatabase(inject('pgUrl'));
    const logLines: string[] = [];
    const env = apiEnv.parse({
      PORT: '0',
      DATABASE_URL: database.url,
      QUEUE_URL: queue.url,
      SECRETS_KEY,
      ALLOW_INSECURE_WEBHOOKS: 'true',
      RATE_LIMIT_REQUESTS: '100000',
    });
    const api = await startApi(
      env,
      createLogger({ name: 'api', level: 'info', destination: { write: (line) => void logLines.push(line) } }),
    );
    try {
      const { apiKey, companyId } = await openAccount(api.core, {
        name: 'Acme',
        mode: 'test',
        companyName: 'Acme Inc',
      });
      const client = createApiClient(api.url, apiKey);
      await client.rest(operations.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' });
      const post = async (i: number): Promise<void> => {
        const response = await client.rest(operations.cash.balances.upsert, {
          company_id: companyId,
          as_of: '2026-01-01',
          balance_cents: i,
          currency: 'USD',
          connection_id: `c${i}`,
        });
        expect(response.status, response.text).toBe(201);
        expect((await client.rest(operations.events.get, { event_id: response.body.event_id })).status).toBe(200);
      };
      await post(0);
      await vi.waitFor(async () => expect((await client.send('GET', '/readyz')).status).toBe(200), { timeout: 5_000 });
      await queue.stop();
      for (let i = 1; i <= 20; i++) await post(i);
      await vi.waitFor(
        async () => {
          const ready = await client.send('GET', '/readyz');
          expect([ready.status, ready.body]).toEqual([
            503,
            { status: 'not ready', checks: { database: 'ok', queue: 'unreachable' } },
          ]);
        },
        { timeout: 10_000 },
      );
      await queue.start();
      await vi.waitFor(async () => expect((await client.send('GET', '/readyz')).status).toBe(200), {
        timeout: 20_000,
        interval: 200,
      });
      await post(21);
      client.close();
    } finally {
      await api.close();
      await queue.close();
      await database.drop();
    }
    expect(logLines.join('\n')).not.toContain(new URL(database.url).password);
  });
});
