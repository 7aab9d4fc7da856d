// Risk: a deadlock becomes a 5xx, or a worker is woken for changes that were rolled back.
import { expect, test } from 'vitest';
import { useFixture } from '../../test/core-fixture.ts';
import { openRawClient, waitForBlocked } from '../../test/raw-client.ts';
import { WriteConflict } from '../db/database-error.ts';
import { systemStatement } from '../db/queryable.ts';
import { createCompany } from '../modules/companies/create.ts';
import { createEndpoint } from '../modules/webhooks/create.ts';
import { emit } from './emit.ts';
import { recordChange } from './record-change.ts';
import { transaction } from './transaction.ts';

const fixture = useFixture();

test('a transaction that lost a conflict is retried from the start', async () => {
  let runs = 0;
  const result = await transaction(fixture.core, { records: 'audit and event' }, async (tx) => {
    await tx.query(
      'INSERT INTO due (delivery_id, account_id, event_id, endpoint_id, position, due_at) VALUES ($1, $2, $2, $2, 1, now())',
      ['dlv_x', 'x'],
    );
    runs += 1;
    if (runs < 4) throw new WriteConflict();
    return runs;
  });
  expect(result).toBe(4);
  expect(await fixture.core.database.query('SELECT delivery_id FROM due')).toEqual([{ delivery_id: 'dlv_x' }]);
  await fixture.core.database.query('DELETE FROM due');
});

test('a deadlock is retried and both sides succeed', async () => {
  const ids = await Promise.all(['A', 'B'].map(async (name) => (await createCompany(fixture.context, { name })).id));
  const touched: string[] = [];
  const opposite = (order: readonly string[]) =>
    transaction(fixture.context, { records: 'audit and event' }, async (tx) => {
      for (const id of order) {
        await tx.query('UPDATE company SET legal_name = $2 WHERE id = $1', [id, order.join()]);
        if (touched.push(id) < 2) await expect.poll(() => touched.length, { interval: 2 }).toBeGreaterThan(1);
      }
    });
  await Promise.all([opposite(ids), opposite(ids.toReversed())]);
  // Four updates, and the retries of the side that was rolled back.
  expect(touched.length).toBeGreaterThan(4);
});

test('a failed transaction leaves no event and no delivery, and wakes nobody', async () => {
  await createEndpoint(fixture.context, { url: 'http://127.0.0.1:4010/hook' });
  fixture.woken.length = 0;
  const events = await fixture.core.database.query('SELECT id FROM event');
  const failing = transaction(fixture.context, { records: 'audit and event' }, async (tx) => {
    emit(tx, fixture.context, { type: 'api_key.created', data: sampleKey() });
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await fixture.core.database.query('SELECT id FROM event')).toEqual(events);
  expect(await fixture.core.database.query('SELECT delivery_id FROM due')).toEqual([]);
  expect(fixture.woken).toEqual([]);
});

test('an event in a transaction that records none is an error, and nothing of it is stored', async () => {
  const { context, core } = fixture;
  const event = { type: 'api_key.created', data: sampleKey() } as const;
  const change = { action: 'apiKeys.create', after: { id: 'key_x' }, event };
  const stored = () => core.database.query('SELECT id FROM audit_log UNION ALL SELECT id FROM event');
  const before = await stored();
  const beyond = transaction(context, { records: 'audit' }, async (tx) => recordChange(tx, context, change));
  await expect(beyond).rejects.toThrow('beyond its records: audit');
  expect(await stored()).toEqual(before);
  expect(() => recordChange({ pending: { audits: [] } }, context, change)).toThrow('records no events');
});

test('endpoints are woken only after the commit', async () => {
  const endpoint = await createEndpoint(fixture.context, { url: 'http://127.0.0.1:4011/hook' });
  fixture.woken.length = 0;
  await transaction(fixture.context, { records: 'audit and event' }, async (tx) => {
    emit(tx, fixture.context, { type: 'api_key.created', data: sampleKey() });
    expect(fixture.woken).toEqual([]);
  });
  expect(fixture.woken).toContain(endpoint.id);
});

test('two transactions that name the same lock run one after the other, others do not wait', async () => {
  const raw = await openRawClient(fixture.database.url);
  await raw.query("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('mine', 0))");
  const order: string[] = [];
  const waiting = transaction(
    fixture.context,
    { records: 'audit and event', lock: 'mine' },
    async () => void order.push('mine'),
  );
  await waitForBlocked(raw);
  await transaction(
    fixture.context,
    { records: 'audit and event', lock: 'other' },
    async () => void order.push('other'),
  );
  expect(order).toEqual(['other']);
  await raw.query('COMMIT');
  await waiting;
  expect(order).toEqual(['other', 'mine']);
  await raw.end();
});

function sampleKey() {
  return {
    id: 'key_x',
    object: 'api_key' as const,
    account_id: fixture.context.accountId,
    name: 'x',
    scope: 'read' as const,
    prefix: '',
    last4: '',
    status: 'active' as const,
    company_ids: null,
    connection_ids: null,
    sources: null,
    permissions: null,
    ip_allowlist: null,
    agent_id: null,
    unused: false,
    expires_at: null,
    last_used_at: null,
    last_used_ip: null,
    created_by: fixture.context.actor,
    person_id: 'key_x',
    revoked_at: null,
    revoked_by: null,
    rotated_to: null,
    created_at: '',
    updated_at: '',
  };
}

test('a column that a migration adds while a process runs breaks none of its statements', async () => {
  const { context, core } = fixture;
  const account = context.database;
  await core.database.owner.query(`CREATE TABLE rolling (id int);
    INSERT INTO rolling VALUES (1); GRANT SELECT ON rolling TO finhook_tenant, finhook_system`);
  const read = systemStatement('read_rolling', 'SELECT * FROM rolling WHERE id = $1');
  const ways = [
    () => core.database.query(read, [1]),
    () => account.query(read, [1]),
    () => transaction(context, { records: 'audit and event' }, (tx) => tx.query(read, [1])),
  ];
  const everywhere = () => Promise.all(Array.from({ length: 8 }, () => ways.map((way) => way())).flat());
  await everywhere();
  await core.database.owner.query('ALTER TABLE rolling ADD COLUMN added text');
  for (const rows of await everywhere()) expect(rows).toEqual([{ id: 1, added: null }]);
});
