// Risk: the audit log was tampered with, and the tool that should tell says that all is well.
import { type Core, openAccount, openCore, sealAuditLog, verifyAuditLog } from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import { createTestDatabase, type TestDatabase } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
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

/** A data folder that cannot be made: a database that is named needs none. */
const FINHOOK_DATA_DIR = '/dev/null/data';

/** Runs the tool on a database; its exit code and what it printed. */
async function verifyOn(url: string, options: string[]): Promise<{ code: number | null; output: string }> {
  const local = runLocal('audit-verify.ts', { FINHOOK_DATA_DIR, DATABASE_URL: url }, options);
  return { code: await local.exited, output: local.output() };
}

const verify = (...options: string[]) => verifyOn(database.url, options);

test('S27: a database that is not up to date is not judged, and left as it is', { timeout: 60_000 }, async () => {
  const empty = await createTestDatabase(inject('pgUrl'));
  const tables = "SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'";
  const client = await openCore({ databaseUrl: empty.url, secretsKey, allowInsecureWebhooks: true });
  const before = await client.database.query(tables);
  expect(await verifyOn(empty.url, [])).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^\s*\d+ migrations of this version have not run/),
  });
  expect(await client.database.query(tables)).toEqual(before);
  await client.database.close();
  await empty.drop();
});

test('a user without the privileges is told which, and is not asked to migrate', { timeout: 60_000 }, async () => {
  const user = `auditor_${Date.now()}`;
  await core.database.owner.query(`CREATE ROLE ${user} LOGIN PASSWORD 'auditor'`);
  const url = new URL(database.url);
  [url.username, url.password] = [user, 'auditor'];
  const { code, output } = await verifyOn(url.href, []);
  expect([code, output]).toEqual([1, expect.stringMatching(/lacks a privilege: permission denied to set role/)]);
  expect(output).not.toContain('migrations');
  await core.database.owner.query(`GRANT finhook_system, finhook_tenant TO ${user}`);
  expect((await verifyOn(url.href, [])).output).toMatch(/sealed/i);
  await core.database.owner.query(`DROP ROLE ${user}`);
});

test('S27: a seal beyond the last is rejected, because nothing would be compared', { timeout: 60_000 }, async () => {
  expect(await verify('--from-seal', '99999')).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no seal 99999, the last is '),
  });
});

test('S27: the tool tells an intact log from a damaged one, in words and by its exit code', {
  timeout: 60_000,
}, async () => {
  await expect
    .poll(() => sealAuditLog(core).then(() => verifyAuditLog(core)), { timeout: 20_000 })
    .toMatchObject({ rows: 2, unsealed: 0 });
  const intact = await verify();
  expect(intact).toMatchObject({ code: 0, output: expect.stringContaining('Intact: 2 rows under ') });
  const [, head = ''] = /The last seal is (\S+)/.exec(intact.output) ?? [];

  const [future, other] = await Promise.all([
    verify('--head', `999:${'0'.repeat(64)}`),
    verify('--head', `1:${'0'.repeat(64)}`),
  ]);
  for (const report of [future, other]) {
    expect(report).toMatchObject({ code: 1, output: expect.stringContaining('the head is void') });
  }

  const [row] = await core.database.query<{ id: string }>(
    'SELECT id FROM audit_log ORDER BY account_id, position LIMIT 1',
  );
  await core.database.owner.query('UPDATE audit_log SET ip = $2 WHERE id = $1', [row?.id, '203.0.113.9']);
  const [damaged, misused] = await Promise.all([verify('--head', head), verify('--head', 'x')]);
  expect(damaged).toMatchObject({ code: 1, output: expect.stringContaining(`${row?.id} (seal 1) was altered`) });
  expect(misused).toMatchObject({ code: 1, output: expect.stringContaining('Usage: audit:verify') });
});

test('account:create on a database that is named needs no data folder', { timeout: 60_000 }, async () => {
  const env = { FINHOOK_DATA_DIR, DATABASE_URL: database.url, SECRETS_KEY: secretsKey };
  const created = runLocal('account-create.ts', env);
  expect(await created.exited, created.output()).toBe(0);
});
