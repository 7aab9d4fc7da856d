// Risk: the demo shows less than there is, or leaves behind what nobody asked for.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@finhook/client';
import { createTestDatabase } from '@finhook/testing';
import { expect, inject, test } from 'vitest';
import { runLocal, temporaryFolder } from './local-process.ts';
import { useLocalService } from './use-local.ts';

const service = useLocalService(() => createTestDatabase(inject('pgUrl')));

test('the demo takes its endpoints away from the service when it is stopped before its end', {
  timeout: 120_000,
}, async () => {
  const client = createClient({ baseUrl: service.local.info.api_url, apiKey: service.local.info.api_key });
  const run = runLocal('demo.ts', { FINHOOK_DATA_DIR: service.folder });
  await run.printed('Webhook endpoint');
  expect((await client.webhookEndpoints.list()).data).not.toEqual([]);
  run.child.kill('SIGINT');
  expect(await run.exited).toBe(1);
  expect((await client.webhookEndpoints.list()).data).toEqual([]);
});

test('after the demo every event type of the catalogue is in the feed; its data and its endpoints stay', {
  timeout: 120_000,
}, async () => {
  const client = createClient({ baseUrl: service.local.info.api_url, apiKey: service.local.info.api_key });
  const run = runLocal('demo.ts', { FINHOOK_DATA_DIR: service.folder });
  expect(await run.exited, run.output()).toBe(0);
  const { data } = await client.eventTypes.list();
  const catalogue = data.filter(({ operational }) => !operational).map(({ type }) => type);
  expect(run.output()).toContain(`${catalogue.length} of ${catalogue.length} event types`);
  const headers = { authorization: `Bearer ${service.local.info.api_key}` };
  const inFeed = async (type: string) => {
    const response = await fetch(`${service.local.info.api_url}/api/v1/events?limit=1&type=${type}`, { headers });
    const page: { data: { type: string }[] } = JSON.parse(await response.text());
    return page.data.map((event) => event.type);
  };
  // The feed holds back the newest events while a transaction is open anywhere on the server.
  await expect.poll(async () => (await Promise.all(catalogue.map(inFeed))).flat()).toEqual(catalogue);

  const [company] = (await client.companies.list({ limit: 1 })).data;
  const page = { company_id: company?.id ?? '', limit: 1, include: 'total_count' as const };
  expect((await client.cash.balances.list(page)).total_count).toBeGreaterThan(400);
  const summary = await client.financials.summary({ company_id: page.company_id });
  expect(summary).toMatchObject({ freshness: { grade: 'fresh' }, checks: { failed: 0 } });
  const endpoints = (await client.webhookEndpoints.list()).data;
  expect(endpoints.map(({ company_id, status }) => ({ company_id, status }))).toEqual([
    { company_id: company?.id, status: 'paused' },
    { company_id: company?.id, status: 'paused' },
  ]);
  // The company of the account was left alone.
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
  await run.printed('Company ');
  run.child.kill('SIGTERM');
  expect(await run.exited).toBe(1);
  expect(readdirSync(own.path)).toEqual(['none']);
  own.remove();
});
