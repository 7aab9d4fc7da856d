// Risk: the first start on a database that lacks something ends with a stack instead of what an operator has to do.
import { randomBytes } from 'node:crypto';
import { createTestDatabase, withClient } from '@finhook/testing';
import { expect, inject, test } from 'vitest';
import { runApiToItsEnd } from './api-process.ts';

test('an api whose database user may not use the two roles logs the statement that grants them, without a stack', async () => {
  const adminUrl = inject('pgUrl');
  const [user, password] = [`app_${randomBytes(6).toString('hex')}`, randomBytes(12).toString('hex')];
  const database = await createTestDatabase(adminUrl);
  await withClient(adminUrl, async (admin) => {
    await admin.query(`CREATE ROLE ${user} LOGIN PASSWORD '${password}'`);
    await admin.query(`ALTER DATABASE ${database.name} OWNER TO ${user}`);
  });
  const own = Object.assign(new URL(database.url), { username: user, password });
  const { code, lines } = await runApiToItsEnd(own.href);
  expect(code).toBe(1);
  const grant = expect.stringContaining(`GRANT finhook_tenant, finhook_system TO ${user};`);
  expect(lines.at(-2)).toMatchObject({ level: 'error', msg: grant });
  expect(JSON.stringify(lines)).not.toMatch(/"stack"|"err"/);
  await database.drop();
  await withClient(adminUrl, (admin) => admin.query(`DROP ROLE ${user}`));
});
