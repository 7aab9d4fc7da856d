// Risk: a start that was killed between the account and its file makes every later start fail.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Core, generateKey, openCore } from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import type { TestDatabase } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openDataFolder } from '../src/data-folder.ts';
import { firstAccount } from '../src/first-account.ts';
import { temporaryFolder } from './local-process.ts';

let database: TestDatabase;
let core: Core;
const root = temporaryFolder();
beforeAll(async () => {
  database = await createMigratedDatabase(inject('pgUrl'));
  const secretsKey = Buffer.alloc(32, 5).toString('base64');
  core = await openCore({ databaseUrl: database.url, secretsKey, allowInsecureWebhooks: true });
});
afterAll(async () => {
  await core.database.close();
  await database.drop();
  root.remove();
});

test('a start after one that ended before it was remembered adopts the account of BOOTSTRAP_API_KEY', async () => {
  const folder = openDataFolder(root.path);
  const key = generateKey('test');
  const opened = await firstAccount(core, folder, key);
  rmSync(join(root.path, 'credentials.json'));
  expect(await firstAccount(core, folder, key)).toEqual(opened);
  expect(folder.readCredentials()).toEqual(opened);

  rmSync(join(root.path, 'credentials.json'));
  await core.database.owner.query('DELETE FROM company WHERE id = $1', [opened.company_id]);
  const completed = await firstAccount(core, folder, key);
  expect(completed).toEqual({ ...opened, company_id: expect.stringMatching(/^co_/) });
  expect(completed.company_id).not.toBe(opened.company_id);
});
