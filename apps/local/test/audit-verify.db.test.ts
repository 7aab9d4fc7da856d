// Risk: the audit log was tampered with, and the tool that should tell says that all is well.
import { type Core, openAccount, openCore, sealAuditLog, verifyAuditLog } from '@finhook/core';
import { createTestDatabase, type TestDatabase } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runLocal, temporaryFolder } from './local-process.ts';

let database: TestDatabase;
let core: Core;
const folder = temporaryFolder();
beforeAll(async () => {
  database = await createTestDatabase(inject('pgUrl'));
  const secretsKey = Buffer.alloc(32, 7).toString('base64');
  core = await openCore({ databaseUrl: database.url, secretsKey, allowInsecureWebhooks: true });
  await core.database.migrate();
  await openAccount(core, { name: 'Acme', mode: 'test', companyName: 'Acme Inc' });
});
afterAll(async () => {
  await core.database.close();
  await database.drop();
  folder.remove();
});

/** Runs the tool on the test's database; its exit code and what it printed. */
async function verify(...options: string[]): Promise<{ code: number | null; output: string }> {
  const local = runLocal('audit-verify.ts', { FINHOOK_DATA_DIR: folder.path, DATABASE_URL: database.url }, options);
  return { code: await local.exited, output: local.output() };
}

test('S27: the tool tells an intact log from a damaged one, in words and by its exit code', {
  timeout: 60_000,
}, async () => {
  await expect
    .poll(() => sealAuditLog(core).then(() => verifyAuditLog(core)), { timeout: 20_000 })
    .toMatchObject({ rows: 2, unsealed: 0 });
  const intact = await verify();
  expect(intact).toMatchObject({ code: 0, output: expect.stringContaining('Intact: 2 rows under ') });
  const [, head = ''] = /The last seal is (\S+)/.exec(intact.output) ?? [];

  const [row] = await core.database.query<{ id: string }>('SELECT id FROM audit_log ORDER BY xid, id LIMIT 1');
  await core.database.owner.query('UPDATE audit_log SET ip = $2 WHERE id = $1', [row?.id, '203.0.113.9']);
  const damaged = await verify('--head', head);
  expect(damaged).toMatchObject({ code: 1, output: expect.stringContaining(`${row?.id} (seal 1) was altered`) });
  expect(await verify('--head', 'x')).toMatchObject({
    code: 1,
    output: expect.stringContaining('Usage: audit:verify'),
  });
});
