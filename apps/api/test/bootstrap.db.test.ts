// Risk: replicas that start on an empty database together fight over the first account, and one of them does not come up.
import { type Core, generateKey, openCore } from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import type { TestDatabase } from '@finhook/testing';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { bootstrap } from '../src/start-api.ts';

let database: TestDatabase;
let core: Core;
beforeEach(async () => {
  database = await createMigratedDatabase(inject('pgUrl'));
  const secretsKey = Buffer.alloc(32, 3).toString('base64');
  core = await openCore({ databaseUrl: database.url, secretsKey, allowInsecureWebhooks: true });
});
afterEach(async () => {
  await core.database.close();
  await database.drop();
});

const countAccounts = () => core.database.query('SELECT count(*)::int AS accounts FROM account');

test('api processes that start together open one first account, and all of them come up', async () => {
  const key = generateKey('live');
  await Promise.all(Array.from({ length: 4 }, () => bootstrap(core, key)));
  expect(await countAccounts()).toEqual([{ accounts: 1 }]);
});

test('a key that is none is rejected with its reason', async () => {
  await expect(bootstrap(core, 'sk_live_1234')).rejects.toThrow('BOOTSTRAP_API_KEY is not a key of this service');
  expect(await countAccounts()).toEqual([{ accounts: 0 }]);
});
