// Risk: a scheduled task fails or is never scheduled, and what it should end goes on for ever.
import { createAgent, createWire, openAccount, openCore, requestApproval, systemContext } from '@finhook/core';
import { createTestClock, createTestDatabase, ensureTemplate } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runMaintenance, scheduleMaintenance } from '../src/jobs/run-maintenance.ts';

const options = { secretsKey: Buffer.alloc(32, 7).toString('base64'), allowInsecureWebhooks: true };
const clock = createTestClock(new Date());
const HOUR = 3_600_000;

let core: Awaited<ReturnType<typeof openCore>>;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  await ensureTemplate(inject('pgUrl'), 'finhook_migrated', async (databaseUrl) => {
    const migrating = await openCore({ databaseUrl, ...options });
    await migrating.database.migrate();
    await migrating.database.close();
  });
  database = await createTestDatabase(inject('pgUrl'), { template: 'finhook_migrated' });
  core = await openCore({ databaseUrl: database.url, ...options, clock });
});
afterAll(async () => {
  await core.database.close();
  await database.drop();
});

test('every scheduled task runs, and what nobody decided in time is stored as expired', async () => {
  const { accountId, companyId } = await openAccount(core, { name: 'Acme', mode: 'test', companyName: 'Acme Inc' });
  const context = systemContext(core, accountId, 'test');
  const beneficiary = { name: 'B', account_last4: '0001' };
  const { id } = await createWire(context, { company_id: companyId, amount_cents: 1e7, currency: 'USD', beneficiary });
  const agent = await createAgent(context, { name: 'A', provider: 'x', company_id: companyId });
  const expires_at = new Date(clock.now().getTime() + HOUR).toISOString();
  await requestApproval(context, { agent_id: agent.id, company_id: companyId, title: 'May I?', expires_at });
  clock.advance(73 * HOUR);
  const tasks: string[] = [];
  scheduleMaintenance({ schedule: (_job, _everyMs, key) => void tasks.push(key) });
  for (const task of tasks) await runMaintenance(core, task);
  const rows = await core.database.query('SELECT status FROM bank_approval WHERE id = $1', [id]);
  expect(rows).toEqual([{ status: 'expired' }]);
  expect(await core.database.query('SELECT status FROM agent_approval')).toEqual([{ status: 'expired' }]);
});

test('a task that nobody knows is refused', async () => {
  await expect(runMaintenance(core, 'no-such-task')).rejects.toThrow('no-such-task');
});
