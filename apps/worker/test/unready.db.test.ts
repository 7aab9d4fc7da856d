// Risk: a worker runs on an unsuitable database, or on another one than intended, without a log line.
import { serviceVersion } from '@finhook/runtime';
import { createTestDatabase } from '@finhook/testing';
import { expect, inject, test } from 'vitest';
import { openOwnFixture, secretsKey } from './worker-fixture.ts';
import { startWorkerProcess } from './worker-process.ts';

test('a worker on a database without migrations says so in one sentence and exits with 1', async () => {
  const database = await createTestDatabase(inject('pgUrl'));
  const settings = { DATABASE_URL: database.url, QUEUE_URL: database.url, SECRETS_KEY: secretsKey };
  const started = startWorkerProcess(settings);
  expect(await started.exited()).toBe(1);
  expect(started.output()).toMatch(/The database is not migrated: \d+ of \d+ migrations have not run\. Start the api/);
  expect(started.output()).not.toMatch(/\bat .*\.ts:\d+|"stack"/);
  await database.drop();
});

test('a worker that starts logs its version, cell, database without the login, and newest migration', async () => {
  const fixture = await openOwnFixture(inject('pgUrl'));
  const { databaseUrl: url } = fixture;
  const started = startWorkerProcess({ DATABASE_URL: url, QUEUE_URL: url, SECRETS_KEY: secretsKey, CELL: 'eu' });
  const line = () =>
    started
      .output()
      .split('\n')
      .find((text) => text.includes('worker started'));
  await expect.poll(line, { timeout: 20_000 }).toBeDefined();
  const { host, pathname } = new URL(url);
  expect(JSON.parse(line() ?? '')).toMatchObject({
    version: serviceVersion(),
    cell: 'eu',
    database: host + pathname,
    migration: expect.stringMatching(/^\d{4}-/),
  });
  await started.stop();
  await fixture.close();
});
