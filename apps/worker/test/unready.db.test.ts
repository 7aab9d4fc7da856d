// Risk: a worker runs on a database that it cannot serve, and nobody understands why nothing is delivered.
import { createTestDatabase } from '@finhook/testing';
import { expect, inject, test } from 'vitest';
import { secretsKey } from './worker-fixture.ts';
import { startWorkerProcess } from './worker-process.ts';

test('D-11: a worker on a database without migrations says so in one sentence and exits with 1', async () => {
  const database = await createTestDatabase(inject('pgUrl'));
  const settings = { DATABASE_URL: database.url, QUEUE_URL: database.url, SECRETS_KEY: secretsKey };
  const started = startWorkerProcess(settings);
  expect(await started.exited()).toBe(1);
  expect(started.output()).toMatch(/The database is not migrated: \d+ of \d+ migrations have not run\. Start the api/);
  expect(started.output()).not.toMatch(/\bat .*\.ts:\d+|"stack"/);
  await database.drop();
});
