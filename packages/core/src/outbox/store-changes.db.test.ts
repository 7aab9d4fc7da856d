// Risk: an audit row names another record than its event, or the sequence of an account has a gap or blocks others.
import { events } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { useFixture } from '../../test/core-fixture.ts';
import { openRawClient, waitForBlocked } from '../../test/raw-client.ts';
import { readAudits } from '../../test/read-audits.ts';
import { listActivity } from '../modules/activity/list.ts';
import { createCompany } from '../modules/companies/create.ts';
import { getCompany } from '../modules/companies/read.ts';
import type { Context } from '../verbs/context.ts';
import { audit } from './audit.ts';
import { emit } from './emit.ts';
import { recordChange } from './record-change.ts';
import { transaction, type UnitOfWork } from './transaction.ts';

const fixture = useFixture();

const numbered = (rows: readonly { position: string }[]) => rows.map(({ position }) => Number(position));
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

async function expectNoGaps({ accountId }: Context): Promise<void> {
  const { query } = fixture.core.database;
  const [counter] = await query<{ position: string; audit_position: string }>(
    'SELECT position, audit_position FROM account_sequence WHERE account_id = $1',
    [accountId],
  );
  const read = (table: string) =>
    query<{ position: string }>(`SELECT position FROM ${table} WHERE account_id = $1 ORDER BY position`, [accountId]);
  expect(numbered(await read('event'))).toEqual(upTo(Number(counter?.position)));
  expect(numbered(await read('audit_log'))).toEqual(upTo(Number(counter?.audit_position)));
}

test('concurrent transactions of an account leave no gap, whichever of them fail', async () => {
  const { context } = await fixture.otherAccount();
  const one = (i: number) =>
    transaction(context, { records: 'audit and event' }, async (tx) => {
      audit(tx, context, { action: 'x', resourceId: `${i}` });
      if (i % 3 === 0) audit(tx, context, { action: 'y', resourceId: `${i}` });
      if (i % 5 === 0) throw new Error('not stored');
    });
  const companies = Array.from({ length: 20 }, (_, i) => createCompany(context, { name: `c${i}` }));
  await Promise.allSettled([...companies, ...Array.from({ length: 20 }, (_, i) => one(i))]);
  await expectNoGaps(context);
});

test('a waiting transaction continues from the position committed meanwhile', async () => {
  const { context } = await fixture.otherAccount();
  const raw = await openRawClient(fixture.database.url);
  await raw.query('BEGIN');
  await raw.query('SELECT FROM account_sequence WHERE account_id = $1 FOR UPDATE', [context.accountId]);
  const waiting = Array.from({ length: 5 }, (_, i) => createCompany(context, { name: `c${i}` }));
  await waitForBlocked(raw, 5);
  await raw.query('COMMIT');
  await Promise.all([...waiting, raw.end()]);
  await expectNoGaps(context);
});

test('transactions of the same accounts in opposite orders do not block each other', async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, async () => (await fixture.otherAccount()).context));
  const write = (tx: UnitOfWork, contexts: readonly Context[]) => {
    for (const context of contexts) audit(tx, context, { action: 'x', resourceId: 'x' });
  };
  let runs = 0;
  const inOrder = (contexts: readonly Context[]) =>
    transaction(fixture.core, { records: 'audit and event' }, async (tx) => {
      runs += 1;
      write(tx, contexts);
    });
  const both = Array.from({ length: 30 }, () => [inOrder(accounts), inOrder(accounts.toReversed())]);
  await Promise.all(both.flat());
  // None was retried after a deadlock.
  expect(runs).toBe(60);
  for (const context of accounts) await expectNoGaps(context);
});

test('an audit row lists the events of its transaction, or the events that it names', async () => {
  const { context, companyId: company_id } = await fixture.otherAccount();
  const data = await getCompany(context, { company_id });
  const ids = await transaction(context, { records: 'audit and event' }, async (tx) => {
    audit(tx, context, { action: 'all', resourceId: 'x' });
    const emitted = upTo(3).map(() => emit(tx, context, { type: 'company.created', companyId: company_id, data }));
    audit(tx, context, { action: 'own', resourceId: 'x' }, emitted.slice(1, 2));
    return emitted;
  });
  const { data: listed } = await listActivity(context, { limit: 10, order: 'asc', resource_id: 'x' });
  expect(listed.map((row) => [row.action, row.events.map(({ id }) => id)])).toEqual([
    ['all', ids],
    ['own', ids.slice(1, 2)],
  ]);
});

const rows = (resource: string) =>
  readAudits(fixture.context, { resource_id: resource }, 'company_id', 'resource_id', 'action', 'before', 'after');

test('the event of a change has the change’s company', async () => {
  const { context, companyId: company_id } = fixture;
  const after = { id: 'sr_1', company_id };
  const data = events['filing.due'].sample;
  await transaction(context, { records: 'audit and event' }, async (tx) =>
    recordChange(tx, context, { action: 'filings.create', after, event: { type: 'filing.due', data } }),
  );
  const stored = await fixture.core.database.query('SELECT company_id FROM event WHERE type = $1', ['filing.due']);
  expect(stored).toEqual([{ company_id }]);
});

test('a change takes id and company from its record unless they are given', async () => {
  const { context, companyId: company_id } = fixture;
  await transaction(context, { records: 'audit and event' }, async (tx) => {
    const before = { id: 'case_1', company_id, title: 'a' };
    recordChange(tx, context, { action: 'cases.update', before, after: { ...before, title: 'b' } });
    recordChange(tx, context, { action: 'cases.end', before });
    const after = { company_id: null };
    recordChange(tx, context, { action: 'agents.attach', resourceId: 'agent_1', companyId: company_id, after });
    const replay = { id: 'rpl_1', company_id };
    recordChange(tx, context, { action: 'replays.pause', companyId: null, after: replay });
  });
  const before = { id: 'case_1', company_id, title: 'a' };
  expect(await rows('case_1')).toEqual([
    { company_id, resource_id: 'case_1', action: 'cases.update', before, after: { ...before, title: 'b' } },
    { company_id, resource_id: 'case_1', action: 'cases.end', before, after: null },
  ]);
  expect(await rows('agent_1')).toMatchObject([{ company_id, action: 'agents.attach', before: null }]);
  expect(await rows('rpl_1')).toMatchObject([{ company_id: null, action: 'replays.pause' }]);
});
