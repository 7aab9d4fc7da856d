// Risk: a scheduled task fails or is never scheduled.
import { handlers, openAccount, openCore, systemContext } from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import { createTestClock } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runMaintenance, scheduleMaintenance } from '../src/jobs/run-maintenance.ts';

const options = { secretsKey: Buffer.alloc(32, 7).toString('base64'), allowInsecureWebhooks: true };
const clock = createTestClock(new Date());
const HOUR = 3_600_000;
const MINUTE = 60_000;

let core: Awaited<ReturnType<typeof openCore>>;
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
beforeAll(async () => {
  database = await createMigratedDatabase(inject('pgUrl'));
  core = await openCore({ databaseUrl: database.url, ...options, clock });
});
afterAll(async () => {
  await core.database.close();
  await database.drop();
});

function scheduled(): [string, number][] {
  const pairs: [string, number][] = [];
  scheduleMaintenance({ schedule: (_job, everyMs, task) => void pairs.push([task, everyMs]) });
  return pairs;
}

test('all that ends, seals or clears away by itself is scheduled, each task in its period', () => {
  expect(Object.fromEntries(scheduled())).toEqual({
    partitions: HOUR,
    retention: HOUR,
    idempotency: HOUR,
    sessions: HOUR,
    secrets: HOUR,
    processes: HOUR,
    functions: HOUR,
    'audit-seals': MINUTE,
    'deleted-endpoints': MINUTE,
    'agent-approvals': MINUTE,
    'bank-approvals': MINUTE,
    'key-overlaps': MINUTE,
    'secret-overlaps': MINUTE,
    'flow-rules': MINUTE,
    'endpoint-backlogs': MINUTE,
    'endpoint-health': 5 * MINUTE,
  });
});

test('every scheduled task runs, and undecided requests expire', async () => {
  const { accountId, companyId } = await openAccount(core, { name: 'Acme', mode: 'test', companyName: 'Acme Inc' });
  const context = systemContext(core, accountId, 'test');
  const beneficiary = { name: 'B', account_last4: '0001' };
  const { id } = await handlers.bank.wires.create(context, {
    company_id: companyId,
    amount_cents: 1e7,
    currency: 'USD',
    beneficiary,
  });
  const agent = await handlers.agents.create(context, { name: 'A', provider: 'x', company_id: companyId });
  const expires_at = new Date(clock.now().getTime() + HOUR).toISOString();
  await handlers.agentApprovals.request(context, {
    agent_id: agent.id,
    company_id: companyId,
    title: 'May I?',
    expires_at,
  });
  clock.advance(73 * HOUR);
  for (const [task] of scheduled()) await runMaintenance(core, task);
  const rows = await core.database.query('SELECT status FROM bank_approval WHERE id = $1', [id]);
  expect(rows).toEqual([{ status: 'expired' }]);
  expect(await core.database.query('SELECT status FROM agent_approval')).toEqual([{ status: 'expired' }]);
});

test('months are dropped by the days that are configured, each table by its own', async () => {
  const now = clock.now();
  const month = now.toISOString().slice(0, 7).replace('-', '_');
  const tables = () =>
    core.database.query('SELECT to_regclass($1) AS event, to_regclass($2) AS audit_log', [
      `event_${month}`,
      `audit_log_${month}`,
    ]);
  // A day after the end of the month.
  clock.set(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2)));
  await runMaintenance(core, 'retention');
  const kept = { event: `event_${month}`, audit_log: `audit_log_${month}` };
  expect(await tables()).toEqual([kept]);
  await runMaintenance(core, 'retention', { retention: { eventDays: 1, auditDays: 0, requestDays: 0 } });
  expect(await tables()).toEqual([{ ...kept, event: null }]);
});

test('an unknown task is rejected', async () => {
  await expect(runMaintenance(core, 'no-such-task')).rejects.toThrow('no-such-task');
});
