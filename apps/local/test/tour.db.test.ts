// Risk: what is published for strangers does not suffice to cause and understand every event.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@finhook/client';
import { createLogger } from '@finhook/platform';
import { createTestDatabase } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readLocalEnv } from '../src/env.ts';
import { type RunningLocal, startLocal } from '../src/start-local.ts';
import { runTour } from '../src/tour/run-tour.ts';
import { runLocal, temporaryFolder } from './local-process.ts';

const folder = temporaryFolder();
let local: RunningLocal;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase(inject('pgUrl'));
  drop = () => database.drop();
  const env = readLocalEnv({ PORT: '0', FINHOOK_DATA_DIR: folder.path, DATABASE_URL: database.url });
  local = await startLocal(env, createLogger({ name: 'test', level: 'silent' }), (lines) => {
    throw new Error(lines);
  });
});
afterAll(async () => {
  await local.close();
  await drop();
  folder.remove();
});

test('a program that knows the OpenAPI document and the event types causes, receives and validates all 37', {
  timeout: 120_000,
}, async () => {
  const told: string[] = [];
  const made = runLocal('account-key.ts', { FINHOOK_DATA_DIR: folder.path }, ['--name', 'Reviewer']);
  expect(await made.exited).toBe(0);
  const reviewerKey = String(JSON.parse(made.output()).api_key);
  const sights = await runTour({ ...local.info, reviewerKey }, ({ type }) => told.push(type));
  expect(sights.filter(({ latencyMs, faults }) => latencyMs === undefined || faults.length > 0)).toEqual([]);
  const client = createClient({ url: local.info.api_url, apiKey: local.info.api_key });
  const { data } = await client.eventTypes.list.query();
  expect(told).toEqual(data.filter(({ operational }) => !operational).map(({ type }) => type));
  expect(told).toHaveLength(37);
  // Its endpoints are gone again, and the company of the account was left alone.
  expect((await client.webhookEndpoints.list.query()).data).toEqual([]);
  const { status } = await client.companies.get.query({ company_id: local.info.company_id });
  expect(status).toBe('active');
});

test.each([
  ['demo.ts', 'Webhook endpoint'],
  ['tour.ts', 'received after'],
])(
  '%s takes its endpoints away from the service when it is stopped before its end',
  {
    timeout: 120_000,
  },
  async (program, text) => {
    const client = createClient({ url: local.info.api_url, apiKey: local.info.api_key });
    const run = runLocal(program, { FINHOOK_DATA_DIR: folder.path });
    await run.printed(text);
    expect((await client.webhookEndpoints.list.query()).data).not.toEqual([]);
    run.child.kill('SIGINT');
    expect(await run.exited).toBe(1);
    expect((await client.webhookEndpoints.list.query()).data).toEqual([]);
  },
);

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
