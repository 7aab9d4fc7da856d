// Risk: a bulk change hits other rows than the caller saw, or some of them, or its event leads to other sums.
import type { BankTransactionInput } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { useRawClient, waitForBlocked } from '../../../../test/raw-client.ts';
import { readFeed } from '../../../../test/read-all.ts';
import { readAudits } from '../../../../test/read-audits.ts';
import { changesBetween, readTables } from '../../../../test/table-state.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { updateTransaction } from '../../bank/transactions/update.ts';
import { createCompany } from '../../companies/create.ts';
import { updateSettings } from '../figures/settings.ts';
import { bulkUpdateTransactions } from './bulk.ts';
import { listTransactions } from './list.ts';

type Change = Omit<Parameters<typeof bulkUpdateTransactions>[1], 'company_id'>;
type Row = Partial<BankTransactionInput>;

const clock = createTestClock('2026-11-25T15:00:00.000Z');
const fixture = useFixture(clock);
const raw = useRawClient(fixture);
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  clock.set('2026-11-25T15:00:00.000Z');
  company_id = (await createCompany(context, { name: 'Bulk Inc', timezone: 'UTC', base_currency: 'USD' })).id;
});

const post = (count: number, row: Row = {}, prefix = 't') =>
  ingestTransactions(context, {
    company_id,
    transactions: Array.from({ length: count }, (_, i) => ({
      external_id: `${prefix}${i}`,
      posted_at: '2026-10-10T12:00:00Z',
      amount_cents: -1_00,
      description: 'Transfer to the broker',
      ...row,
    })),
  });
const change = (given: Change) => bulkUpdateTransactions(context, { company_id, ...given });
const all = async () => (await listTransactions(context, { company_id, limit: 200, order: 'asc' })).data;
const updates = async () =>
  (await readFeed(context, 'bank.transaction.updated')).filter((event) => event.company_id === company_id);
const audits = () =>
  readAudits(context, { company_id, action: 'bank.transactions.bulk' }, 'resource_id', 'before', 'after');
const classes = async () => (await all()).map(({ flow_class }) => flow_class);

test('rows that were added since the caller counted them stop the change, and the response says how many there are', async () => {
  await post(121);
  const before = await readTables(raw);
  const expected = { code: 'count_changed', status: 409, extra: { count: 121 } };
  const given = { filter: { q: 'broker' }, set: { flow_class: 'transfer' as const } };
  await expect(change({ ...given, expected_count: 120 })).rejects.toMatchObject(expected);
  await expect(change({ ...given, expected_count: 122 })).rejects.toMatchObject(expected);
  expect(changesBetween(before, await readTables(raw))).toEqual({});
  expect(await change({ ...given, expected_count: 121 })).toEqual({
    object: 'transaction_bulk_update',
    company_id,
    count: 121,
    updated: 121,
    unchanged: 0,
  });
  expect(new Set(await classes())).toEqual(new Set(['transfer']));
});

test('events have at most 500 rows, each once with its change, and audit rows keep the previous values', async () => {
  for (const part of ['a', 'b', 'c']) await post(400, {}, part);
  const [voided] = await all();
  await updateTransaction(context, { company_id, transaction_id: voided?.id ?? '', voided: true });
  const earlier = (await updates()).length;
  clock.advance(60_000);
  const filter = { q: 'BROKER', direction: 'out' as const, category: null };
  const set = { flow_class: 'excluded' as const, voided: true };
  const given = { filter, set, expected_count: 1200, reason: 'Twice' };
  expect(await change(given)).toMatchObject({ count: 1200, updated: 1200, unchanged: 0 });

  const events = (await updates()).slice(earlier);
  expect(events.map(({ data }) => [data['cause'], data['count']])).toEqual([
    ['edited', 500],
    ['edited', 500],
    ['edited', 200],
  ]);
  const rows = events.flatMap(({ data }) => Array.from<Record<string, unknown>>(Object(data['transactions'])));
  expect(new Set(rows.map((row) => row['id'])).size).toBe(1200);
  for (const row of rows) {
    const isVoided = row['id'] === voided?.id;
    expect(row).toMatchObject({
      flow_class: 'excluded',
      voided_at: isVoided ? '2026-11-25T15:00:00.000Z' : '2026-11-25T15:01:00.000Z',
      updated_at: '2026-11-25T15:01:00.000Z',
      changed: isVoided ? ['flow_class'] : ['flow_class', 'voided_at'],
    });
    expect(row['previous']).toEqual(isVoided ? { flow_class: null } : { flow_class: null, voided_at: null });
  }
  const stored = new Map((await all()).map((row) => [row.id, row]));
  for (const { changed: _, previous: _previous, ...row } of rows.map((one) => Object(one)))
    if (stored.has(row.id)) expect(stored.get(row.id)).toMatchObject(row);
  const request = { filter: { q: 'BROKER', direction: 'out' }, set, count: 1200, updated: 1200, reason: 'Twice' };
  const ids = (part: number, isVoided: boolean) =>
    rows
      .slice(part * 500, part * 500 + 500)
      .flatMap((row) => ((row['id'] === voided?.id) === isVoided ? [row['id']] : []));
  const kept = (await audits()).map(({ resource_id, before, after }) => {
    const { replaced, ...rest } = Object(after);
    expect([resource_id, before, rest]).toEqual([company_id, null, request]);
    return Array.from<{ previous: object; ids: string[] }>(replaced);
  });
  const expected = [0, 1, 2].map((part) =>
    [
      { previous: { flow_class: null, voided_at: null }, ids: ids(part, false).toSorted() },
      { previous: { flow_class: null }, ids: ids(part, true) },
    ].filter((group) => group.ids.length > 0),
  );
  const sorted = kept.map((groups) =>
    groups
      .map(({ previous, ids: found }) => ({ previous, ids: found.toSorted() }))
      .toSorted((one, other) => other.ids.length - one.ids.length),
  );
  expect(sorted).toHaveLength(3);
  expect(sorted).toEqual(expect.arrayContaining(expected));
});

test('rows that are so already stay as they are, and a request that changes none leaves no trace', async () => {
  const { transactions } = await post(3);
  await updateTransaction(context, { company_id, transaction_id: transactions[0]?.id ?? '', flow_class: 'transfer' });
  const earlier = (await updates()).length;
  clock.advance(60_000);
  const given = { filter: { q: 'broker' }, set: { flow_class: 'transfer' as const }, expected_count: 3 };
  expect(await change(given)).toMatchObject({ count: 3, updated: 2, unchanged: 1 });
  expect((await all()).map(({ updated_at }) => updated_at)).toContain('2026-11-25T15:00:00.001Z');
  expect(await change(given)).toMatchObject({ count: 3, updated: 0, unchanged: 3 });
  expect([(await updates()).length, (await audits()).length]).toEqual([earlier + 1, 1]);
  expect(await change({ ...given, set: { flow_class: null } })).toMatchObject({ updated: 3 });
  expect(await classes()).toEqual([null, null, null]);
});

test('only rows that the filter selects change, and none of another company', async () => {
  await post(2, { category: 'loan' }, 'in');
  await post(2, { category: 'rent' }, 'out');
  const other = (await createCompany(context, { name: 'Other Inc' })).id;
  const row = { external_id: 'x', posted_at: '2026-10-10T12:00:00Z', amount_cents: 1, category: 'loan' };
  await ingestTransactions(context, { company_id: other, ...row });
  await change({ filter: { category: 'loan' }, set: { voided: true }, expected_count: 2 });
  expect((await all()).filter(({ voided_at }) => voided_at !== null).map(({ category }) => category)).toEqual([
    'loan',
    'loan',
  ]);
  const [untouched] = (await listTransactions(context, { company_id: other, limit: 1, order: 'asc' })).data;
  expect(untouched?.voided_at).toBeNull();
});

test('a class for rows of which some belong to accounts that do not count is rejected as a whole, and all these are named', async () => {
  await post(2, { connection_id: 'plain' }, 'plain');
  await post(3, { connection_id: 'loan' }, 'loan');
  await post(1, { connection_id: 'escrow' }, 'escrow');
  await post(1, {}, 'none');
  const types = [
    { connection_id: 'loan', account_type: 'loan' },
    { connection_id: 'escrow', account_type: 'restricted' },
    { connection_id: 'none', account_type: 'investment' },
  ] as const;
  await updateSettings(context, { company_id, accounts: [...types] });
  const given = { filter: { q: 'broker' }, expected_count: 7 };
  await expect(change({ ...given, set: { flow_class: 'counted' } })).rejects.toMatchObject({
    code: 'account_not_counted',
    message: expect.stringContaining('and 2 more are'),
    extra: { connection_ids: ['none', 'escrow', 'loan'], count: 5 },
  });
  expect(new Set(await classes())).toEqual(new Set([null]));
  const one = { filter: { connection_id: 'plain' }, set: { flow_class: 'counted' as const }, expected_count: 2 };
  expect(await change(one)).toMatchObject({ updated: 2 });
  expect(await change({ ...given, set: { voided: true, flow_class: null } })).toMatchObject({ updated: 7 });
});

test('rows of an account that does not count, which have the class already, are no change and stop no other', async () => {
  const { transactions } = await post(1, { connection_id: 'loan' }, 'loan');
  await post(2, {}, 'plain');
  const transaction_id = transactions[0]?.id ?? '';
  await updateTransaction(context, { company_id, transaction_id, flow_class: 'transfer' });
  await updateSettings(context, { company_id, accounts: [{ connection_id: 'loan', account_type: 'loan' }] });
  const given = { filter: { q: 'broker' }, set: { flow_class: 'transfer' as const }, expected_count: 3 };
  expect(await change(given)).toMatchObject({ updated: 2, unchanged: 1 });
  const same = await updateTransaction(context, { company_id, transaction_id, flow_class: 'transfer' });
  expect(same).toMatchObject({ flow_class: 'transfer' });
  expect(await change({ ...given, set: { flow_class: 'transfer', voided: true } })).toMatchObject({ updated: 3 });
});

test('two concurrent requests for the same rows each report the values that they replaced', async () => {
  await post(40);
  const filter = { q: 'broker' };
  await Promise.all(
    (['transfer', 'excluded', 'financing'] as const).map((flow_class) =>
      change({ filter, set: { flow_class }, expected_count: 40 }),
    ),
  );
  const last = new Map<unknown, unknown>();
  for (const { data } of await updates())
    for (const row of Array.from<Record<string, unknown>>(Object(data['transactions']))) {
      expect(Object(row['previous']).flow_class).toBe(last.get(row['id']) ?? null);
      last.set(row['id'], row['flow_class']);
    }
  for (const { id, flow_class } of await all()) expect(flow_class).toBe(last.get(id));
});

test('a row that leaves the selection while another one comes in: the rows that are selected then change', async () => {
  await post(2);
  await post(1, { description: 'Rent' }, 'rent');
  const description = 'Transfer to the broker';
  await raw.query('BEGIN');
  await raw.query("UPDATE bank_transaction SET description = 'Fee' WHERE company_id = $1 AND external_id = 't1'", [
    company_id,
  ]);
  await raw.query("UPDATE bank_transaction SET description = $2 WHERE company_id = $1 AND external_id = 'rent0'", [
    company_id,
    description,
  ]);
  const waiting = change({ filter: { q: 'broker' }, set: { flow_class: 'transfer' }, expected_count: 2 });
  await waitForBlocked(raw, 1);
  await raw.query('COMMIT');
  expect(await waiting).toMatchObject({ count: 2, updated: 2 });
  const changed = (await all()).filter(({ flow_class }) => flow_class === 'transfer');
  expect(changed.map(({ external_id }) => external_id).toSorted()).toEqual(['rent0', 't0']);
});

test('rows are selected by what they are in the figures of a month too', async () => {
  await post(2, { category: 'internal_transfer' }, 'moved');
  await post(3, { category: 'rent' }, 'paid');
  const filter = { month: '2026-10', counted_as: 'transfer' as const };
  const given = { filter, set: { flow_class: 'counted' as const } };
  await expect(change({ ...given, expected_count: 5 })).rejects.toMatchObject({ extra: { count: 2 } });
  await change({ ...given, expected_count: 2 });
  expect((await all()).filter(({ flow_class }) => flow_class === 'counted')).toMatchObject([
    { category: 'internal_transfer' },
    { category: 'internal_transfer' },
  ]);
  await expect(change({ ...given, filter: { counted_as: 'transfer' }, expected_count: 2 })).rejects.toMatchObject({
    code: 'validation_failed',
    fields: [{ pointer: '/filter/month', code: 'required' }],
  });
});
