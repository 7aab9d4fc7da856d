// Risk: the demo lacks an event, or leaves changes behind.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@finhook/client';
import { createTestDatabase } from '@finhook/testing';
import { expect, inject, test } from 'vitest';
import { runDemo } from '../src/demo/run-demo.ts';
import { runLocal, temporaryFolder } from './local-process.ts';
import { useLocalService } from './use-local.ts';

const service = useLocalService(() => createTestDatabase(inject('pgUrl')));
const connect = () => createClient({ baseUrl: service.local.info.api_url, apiKey: service.local.info.api_key });

test('the demo takes its endpoints away from the service when it does not come to its end', async () => {
  const client = connect();
  const ending = new AsyncDisposableStack();
  const progress = (line: string) => {
    if (line.startsWith('Webhook endpoint')) throw new Error('Not any further.');
  };
  const run = runDemo({ ...service.local.info, stays: true }, progress, ending);
  await expect(run).rejects.toThrow('Not any further.');
  expect((await client.webhookEndpoints.list()).data).toHaveLength(1);
  await ending.disposeAsync();
  expect((await client.webhookEndpoints.list()).data).toEqual([]);
});

test('after the demo every event type of the catalogue is in the feed; its data and its endpoints stay', {
  timeout: 120_000,
}, async () => {
  const client = connect();
  await using ending = new AsyncDisposableStack();
  const result = await runDemo({ ...service.local.info, stays: true }, () => undefined, ending);
  expect(result).toMatchObject({ received: result.events, missingTypes: [], rejected: [] });
  const { data } = await client.eventTypes.list();
  const ofDeliveries = /^(webhook_endpoint|delivery)\./;
  const catalogue = data
    .filter(({ type, operational }) => !operational || !ofDeliveries.test(type))
    .map(({ type }) => type);
  expect(result.types).toBe(catalogue.length);
  const seen = new Set<string>();
  for await (const { type } of client.events.list({ limit: 200 })) seen.add(type);
  expect([...seen]).toEqual(expect.arrayContaining(catalogue));

  const [company] = (await client.companies.list({ limit: 1 })).data;
  const page = { company_id: company?.id ?? '', limit: 1, include: 'total_count' as const };
  expect((await client.cash.balances.list(page)).total_count).toBeGreaterThan(400);
  const summary = await client.financials.summary({ company_id: page.company_id });
  expect(summary).toMatchObject({ freshness: { grade: 'fresh' }, checks: { failed: 0 } });
  // Two currencies in one total, a card with a debt, and two open alerts.
  const { cash, runway } = summary;
  expect(cash).toMatchObject({
    lines: [{ currency: 'USD' }, { currency: 'EUR' }],
    total: { currency: 'USD', freshness: 'fresh' },
    rates_missing: [],
    excluded: expect.arrayContaining([
      expect.objectContaining({ reason: 'credit_card', owed_cents: expect.any(Number) }),
    ]),
  });
  expect(runway.headline).toMatchObject({
    currency: 'USD',
    status: 'ok',
    confidence_reasons: [{ code: 'large_inflow' }, { code: 'unpaired_transfers' }],
    flags: { stale: false, unexplained: false },
  });
  expect(runway.headline?.runway_months).toBeGreaterThan(18);
  expect(runway.headline?.runway_months).toBeLessThan(36);
  expect(summary.counted_twice).toBeNull();
  const year = await client.financials.burn({ company_id: page.company_id, months: 12 });
  expect(year.window).toHaveLength(12);
  expect(year.replaced).toHaveLength(1);
  const paused = { company_id: company?.id, status: 'paused' };
  expect((await client.webhookEndpoints.list()).data).toMatchObject([paused, paused]);
  // The account's own company is unchanged.
  const { status } = await client.companies.get({ company_id: service.local.info.company_id });
  expect(status).toBe('active');
});

test('demo keeps off the stores of the environment, and takes its own away when it is stopped before its end', {
  timeout: 120_000,
}, async () => {
  const own = temporaryFolder();
  mkdirSync(own.path, { mode: 0o711 });
  const run = runLocal('demo.ts', {
    FINHOOK_DATA_DIR: join(own.path, 'none'),
    TMPDIR: own.path,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    QUEUE_URL: 'redis://127.0.0.1:1',
    SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
    BOOTSTRAP_API_KEY: 'sk_live_of_another_service',
  });
  await run.printed('Webhook endpoint');
  run.child.kill('SIGTERM');
  expect(await run.exited).toBe(1);
  expect(readdirSync(own.path)).toEqual(['none']);
  own.remove();
});
