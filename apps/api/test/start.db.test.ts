// Risk: replicas that start together on an empty database conflict, or a failed first start shows a stack instead of
// instructions.
import { randomBytes } from 'node:crypto';
import { type Core, generateKey, openCore } from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import { createTestDatabase, type TestDatabase, withClient } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { bootstrap } from '../src/start-api.ts';
import { runApiToItsEnd } from './api-process.ts';

let database: TestDatabase;
let core: Core;
beforeAll(async () => {
  database = await createMigratedDatabase(inject('pgUrl'));
  const secretsKey = Buffer.alloc(32, 3).toString('base64');
  core = await openCore({ databaseUrl: database.url, secretsKey, allowInsecureWebhooks: true });
});
afterAll(async () => {
  await core.database.close();
  await database.drop();
});

const countAccounts = () => core.database.query('SELECT count(*)::int AS accounts FROM account');

test('an invalid key is rejected with its reason', async () => {
  await expect(bootstrap(core, 'sk_live_1234')).rejects.toThrow('BOOTSTRAP_API_KEY is not a key of this service');
  expect(await countAccounts()).toEqual([{ accounts: 0 }]);
});

test('api processes that start together create one first account, and all start', async () => {
  const key = generateKey('live');
  await Promise.all(Array.from({ length: 4 }, () => bootstrap(core, key)));
  expect(await countAccounts()).toEqual([{ accounts: 1 }]);
});

test('an api whose database user may not use the two roles logs the statement that grants them, without a stack', async () => {
  const adminUrl = inject('pgUrl');
  const [user, password] = [`app_${randomBytes(6).toString('hex')}`, randomBytes(12).toString('hex')];
  const empty = await createTestDatabase(adminUrl);
  await withClient(adminUrl, async (admin) => {
    await admin.query(`CREATE ROLE ${user} LOGIN PASSWORD '${password}'`);
    await admin.query(`ALTER DATABASE ${empty.name} OWNER TO ${user}`);
  });
  const own = Object.assign(new URL(empty.url), { username: user, password });
  const { code, lines } = await runApiToItsEnd(own.href);
  expect(code).toBe(1);
  const grant = expect.stringContaining(`GRANT finhook_tenant, finhook_system TO ${user};`);
  expect(lines.at(-2)).toMatchObject({ level: 'error', msg: grant });
  expect(JSON.stringify(lines)).not.toMatch(/"stack"|"err"/);
  await empty.drop();
  await withClient(adminUrl, (admin) => admin.query(`DROP ROLE ${user}`));
});
