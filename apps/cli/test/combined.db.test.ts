// Risk: api and worker in one process send through the queue, or lose each other's metrics.
import { combinedEnv, type RunningCombined, startCombined } from '@finhook/combined';
import { handlers, openAccount, systemContext } from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import { createLogger } from '@finhook/runtime';
import { type FaultProxy, type Receiver, startFaultProxy, startReceiver } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { scrape } from './scrape.ts';
import { secretsKey } from './service-process.ts';

const opened = new AsyncDisposableStack();
let running: RunningCombined;
let proxy: FaultProxy;
let receiver: Receiver;

beforeAll(async () => {
  const database = opened.adopt(await createMigratedDatabase(inject('pgUrl')), (each) => each.drop());
  receiver = opened.adopt(await startReceiver(), (each) => each.close());
  proxy = opened.adopt(await startFaultProxy(database.url), (each) => each.close());
  const env = combinedEnv.parse({
    DATABASE_URL: proxy.url,
    // Nothing listens there.
    QUEUE_URL: 'redis://127.0.0.1:1',
    SECRETS_KEY: secretsKey,
    PORT: '0',
    METRICS_PORT: '0',
    ALLOW_INSECURE_WEBHOOKS: 'true',
  });
  running = await startCombined(env, createLogger({ name: 'test', level: 'silent' }));
});
afterAll(async () => {
  await running?.close();
  await opened.disposeAsync();
});

test('new deliveries are sent without a queue and without a claim, and the metrics of both parts are served', async () => {
  const { core, metricsUrl } = running.api;
  const { accountId, companyId } = await openAccount(core, { name: 'Acme', mode: 'test', companyName: 'Acme Inc' });
  const context = systemContext(core, accountId, 'test');
  const endpoint = { url: `${receiver.url}/hook`, events: ['bank.balance.updated' as const] };
  await handlers.webhookEndpoints.create(context, endpoint);
  for (let day = 10; day < 15; day++) {
    const balance = { company_id: companyId, as_of: `2020-01-${day}`, balance_cents: day, currency: 'USD' };
    await handlers.cash.balances.upsert(context, balance);
  }
  await receiver.waitFor((requests) => requests.length === 5);
  expect(receiver.requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(Array(5).fill('1'));
  await expect.poll(() => core.database.query('SELECT FROM due')).toEqual([]);
  expect(proxy.runsOf('claim_deliveries')).toBe(0);
  const scraped = await scrape(String(metricsUrl));
  expect(scraped.value('finhook_delivery_attempts_total')).toBe(5);
  expect(scraped.value('finhook_events_accepted_total')).toBeGreaterThanOrEqual(5);
  const ofBoth = ['finhook_http_request_duration_seconds', 'finhook_database_connections'];
  expect([...scraped.families.keys()]).toEqual(expect.arrayContaining(ofBoth));
});
