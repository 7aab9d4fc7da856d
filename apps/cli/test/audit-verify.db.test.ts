// Risk: the audit log was tampered with, and the tool does not detect it.
import { type Core, openAccount, openCore, sealAuditLog, verifyAuditLog } from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import { createTestDatabase, type TestDatabase } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { accountCreate } from '../src/account-create.ts';
import { auditVerify } from '../src/audit-verify.ts';
import { runLocal } from './local-process.ts';

let database: TestDatabase;
let core: Core;
const secretsKey = Buffer.alloc(32, 7).toString('base64');
beforeAll(async () => {
  database = await createMigratedDatabase(inject('pgUrl'));
  core = await openCore({ databaseUrl: database.url, secretsKey, allowInsecureWebhooks: true });
  await openAccount(core, { name: 'Acme', mode: 'test', companyName: 'Acme Inc' });
});
afterAll(async () => {
  await core.database.close();
  await database.drop();
});

/** Can't be created: with DATABASE_URL, none is needed. */
const FINHOOK_DATA_DIR = '/dev/null/data';

const verifyOn = (url: string, args: readonly string[] = []) =>
  auditVerify(args, { FINHOOK_DATA_DIR, DATABASE_URL: url });

const verify = (...options: string[]) => verifyOn(database.url, options);

test('a database that is not up to date is not judged, and left as it is', async () => {
  const empty = await createTestDatabase(inject('pgUrl'));
  const tables = "SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'";
  const client = await openCore({ databaseUrl: empty.url, secretsKey, allowInsecureWebhooks: true });
  const before = await client.database.query(tables);
  await expect(verifyOn(empty.url)).rejects.toThrow(/^\d+ migrations of this version have not run/);
  expect(await client.database.query(tables)).toEqual(before);
  await client.database.close();
  await empty.drop();
});

test('a user without privileges gets their names, and no advice to migrate', async () => {
  const user = `auditor_${Date.now()}`;
  await core.database.owner.query(`CREATE ROLE ${user} LOGIN PASSWORD 'auditor'`);
  const url = new URL(database.url);
  [url.username, url.password] = [user, 'auditor'];
  const attempt = verifyOn(url.href);
  await expect(attempt).rejects.toThrow('lacks a privilege: permission denied to set role');
  await expect(attempt).rejects.not.toThrow('migrations');
  await core.database.owner.query(`GRANT finhook_system, finhook_tenant TO ${user}`);
  expect((await verifyOn(url.href)).text).toMatch(/sealed/i);
  await core.database.owner.query(`DROP ROLE ${user}`);
});

test('a seal beyond the last is rejected, because nothing would be compared', async () => {
  await expect(verify('--from-seal', '99999')).rejects.toThrow('There is no seal 99999, the last is ');
});

test('the tool detects a damaged log', async () => {
  await expect
    .poll(() => sealAuditLog(core).then(() => verifyAuditLog(core)), { timeout: 20_000 })
    .toMatchObject({ rows: 2, unsealed: 0 });
  const intact = await verify();
  expect(intact).toMatchObject({ isIntact: true, text: expect.stringContaining('Intact: 2 rows under ') });
  const [, head = ''] = /The last seal is (\S+)/.exec(intact.text) ?? [];

  const [future, other] = await Promise.all([
    verify('--head', `999:${'0'.repeat(64)}`),
    verify('--head', `1:${'0'.repeat(64)}`),
  ]);
  for (const report of [future, other]) {
    expect(report).toMatchObject({ isIntact: false, text: expect.stringContaining('the head is void') });
  }

  const [row] = await core.database.query<{ id: string }>(
    'SELECT id FROM audit_log ORDER BY account_id, position LIMIT 1',
  );
  await core.database.owner.query('UPDATE audit_log SET ip = $2 WHERE id = $1', [row?.id, '203.0.113.9']);
  const damage = expect.stringContaining(`${row?.id} (seal 1) was altered`);
  expect(await verify('--head', head)).toEqual({ isIntact: false, text: damage });
  await expect(verify('--head', 'x')).rejects.toThrow('Usage: audit:verify');
  // Like an operator.
  const run = runLocal('audit-verify.ts', { FINHOOK_DATA_DIR, DATABASE_URL: database.url });
  expect([await run.exited, run.output()]).toEqual([1, damage]);
});

test('account:create on a database that is named needs no data folder', async () => {
  const created = accountCreate([], { FINHOOK_DATA_DIR, DATABASE_URL: database.url, SECRETS_KEY: secretsKey });
  expect(await created).toMatchObject({ account_id: expect.any(String) });
});
