// Risk: a correction is lost, reported wrongly, or reported although nothing changed.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { readFeed } from '../../../../test/read-all.ts';
import { readAudits } from '../../../../test/read-audits.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { getDataQuality } from '../../financials/figures/data-quality.ts';
import { updateSettings } from '../../financials/figures/settings.ts';
import { listTransactions } from '../../financials/transactions/list.ts';
import { ingestTransactions } from './ingest.ts';
import { getTransaction } from './transaction.ts';
import { updateTransaction } from './update.ts';

type Correction = Omit<Parameters<typeof updateTransaction>[1], 'company_id' | 'transaction_id'>;

const POSTED = '2026-11-25T15:00:00.000Z';
const clock = createTestClock(POSTED);
const fixture = useFixture(clock);
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  clock.set(POSTED);
  company_id = (await createCompany(context, { name: 'Rows Inc', timezone: 'UTC', base_currency: 'USD' })).id;
});

async function post(connection_id?: string, external_id = 't1'): Promise<string> {
  const row = { external_id, posted_at: '2026-10-10T12:00:00Z', amount_cents: -500_00, connection_id };
  const { transactions } = await ingestTransactions(context, { company_id, ...row });
  return transactions[0]?.id ?? '';
}
const correct = (transaction_id: string, correction: Correction) =>
  updateTransaction(context, { company_id, transaction_id, ...correction });
const read = (transaction_id: string) => getTransaction(context, { company_id, transaction_id });
const updates = async () =>
  (await readFeed(context, 'bank.transaction.updated')).filter((e) => e.company_id === company_id);
const audits = () =>
  readAudits(context, { company_id, action: 'bank.transactions.update' }, 'resource_id', 'before', 'after');

test('a class is stored, reported with the previous one, and in the audit log with its reason', async () => {
  const id = await post('bank');
  const before = await read(id);
  clock.advance(60_000);
  const after = await correct(id, { flow_class: 'financing', reason: 'Loan of the founder' });
  const updated_at = '2026-11-25T15:01:00.000Z';
  expect(after).toEqual({ ...before, flow_class: 'financing', updated_at });
  expect(await read(id)).toEqual(after);
  const { object: _object, account_id: _account, company_id: _company, ...row } = after;
  expect((await updates()).map(({ data }) => data)).toEqual([
    {
      object: 'transaction_update',
      company_id,
      cause: 'edited',
      count: 1,
      transactions: [{ ...row, changed: ['flow_class'], previous: { flow_class: null } }],
    },
  ]);
  expect(await audits()).toEqual([{ resource_id: id, before, after: { ...after, reason: 'Loan of the founder' } }]);
});

test('omitted fields stay, and null removes the class', async () => {
  const id = await post();
  await correct(id, { flow_class: 'transfer' });
  clock.advance(60_000);
  const voided = await correct(id, { voided: true });
  expect(voided).toMatchObject({ flow_class: 'transfer', voided_at: '2026-11-25T15:01:00.000Z' });
  clock.advance(60_000);
  expect(await correct(id, { flow_class: null })).toMatchObject({ flow_class: null, voided_at: voided.voided_at });
  expect(await correct(id, { voided: false })).toMatchObject({ flow_class: null, voided_at: null });
  expect((await updates()).map(({ data }) => Object(data['transactions'])[0].previous)).toEqual([
    { flow_class: null },
    { voided_at: null },
    { flow_class: 'transfer' },
    { voided_at: voided.voided_at },
  ]);
});

test.each<[string, Correction, Correction]>([
  ['nothing', {}, {}],
  ['a reason alone', {}, { reason: 'Why not' }],
  ['the class that it has', { flow_class: 'counted' }, { flow_class: 'counted' }],
  ['no class for a row without one', {}, { flow_class: null }],
  ['a void of a voided row', { voided: true }, { voided: true }],
  ['a restore of a row that is not voided', {}, { voided: false }],
])('%s is no change: no event, no audit row, and the same row', async (_, first, again) => {
  const id = await post();
  const before = await correct(id, first);
  const told = [(await updates()).length, (await audits()).length];
  clock.advance(60_000);
  expect(await correct(id, again)).toEqual(before);
  expect([(await updates()).length, (await audits()).length]).toEqual(told);
});

test('a voided row stays in lists and keeps its ID: sent again, it is not stored', async () => {
  const id = await post('bank');
  await correct(id, { voided: true });
  expect((await listTransactions(context, { company_id, limit: 10, order: 'asc' })).data).toMatchObject([
    { id, voided_at: POSTED },
  ]);
  const again = { external_id: 't1', posted_at: '2026-10-10T12:00:00Z', amount_cents: -500_00, connection_id: 'bank' };
  expect(await ingestTransactions(context, { company_id, ...again })).toMatchObject({ inserted: 0, skipped: 1 });
});

test('updated_since finds changed rows by their change, others by their creation', async () => {
  const first = await post('bank', 't1');
  const second = await post('bank', 't2');
  clock.advance(60_000);
  await correct(first, { flow_class: 'counted' });
  const since = async (updated_since: string) =>
    (await listTransactions(context, { company_id, limit: 10, order: 'asc', updated_since })).data.map(({ id }) => id);
  expect((await since(POSTED)).toSorted()).toEqual([first, second].toSorted());
  expect(await since('2026-11-25T15:00:30Z')).toEqual([first]);
  expect(await since('2026-11-25T15:01:00.001Z')).toEqual([]);
});

test('each change of a row has a later time than the one before, also within a millisecond or if the clock runs back', async () => {
  const id = await post('bank');
  const times = [POSTED];
  for (const correction of [{ flow_class: 'counted' }, { voided: true }, { voided: false }] as const) {
    times.push((await correct(id, correction)).updated_at);
  }
  clock.set('2026-11-25T14:00:00.000Z');
  times.push((await correct(id, { flow_class: null })).updated_at);
  expect(new Set(times).size).toBe(times.length);
  expect(times).toEqual(times.toSorted());
});

test.each(['investment', 'restricted', 'loan'] as const)(
  'a class for a row of an account of the type %s is rejected, whoever set the type; a void is not',
  async (account_type) => {
    const [named, chosen, plain] = [await post('named'), await post('chosen'), await post()];
    const balance = { as_of: '2026-11-25', balance_cents: 1, currency: 'USD', connection_id: 'named', account_type };
    await upsertCashBalance(context, { company_id, ...balance });
    await updateSettings(context, { company_id, accounts: [{ connection_id: 'chosen', account_type }] });
    for (const [id, connection] of [
      [named, 'named'],
      [chosen, 'chosen'],
    ] as const) {
      const message = expect.stringContaining(`The account ${connection} is`);
      const rejected = { code: 'account_not_counted', status: 409, message };
      await expect(correct(id, { flow_class: 'counted' })).rejects.toMatchObject(rejected);
      expect(await read(id)).toMatchObject({ flow_class: null });
      expect(await correct(id, { flow_class: null, voided: true })).toMatchObject({ voided_at: POSTED });
    }
    expect(await correct(plain, { flow_class: 'counted' })).toMatchObject({ flow_class: 'counted' });
    await updateSettings(context, { company_id, accounts: [{ connection_id: 'named', account_type: 'credit_card' }] });
    expect(await correct(named, { flow_class: 'counted' })).toMatchObject({ flow_class: 'counted' });
  },
);

test('a row of another company is not found', async () => {
  const id = await post();
  const other = (await createCompany(context, { name: 'Other Inc' })).id;
  const rejected = { code: 'not_found' };
  await expect(
    updateTransaction(context, { company_id: other, transaction_id: id, voided: true }),
  ).rejects.toMatchObject(rejected);
  expect(await read(id)).toMatchObject({ voided_at: null });
});

test('a row that was sent again with different content is no longer reported once it is voided', async () => {
  const id = await post('bank');
  const changed = { external_id: 't1', posted_at: '2026-10-10T12:00:00Z', amount_cents: -1, connection_id: 'bank' };
  await ingestTransactions(context, { company_id, ...changed });
  const found = async () => (await getDataQuality(context, { company_id })).changed_duplicates.count;
  expect(await found()).toBe(1);
  await correct(id, { flow_class: 'counted' });
  expect(await found()).toBe(1);
  await correct(id, { voided: true });
  expect(await found()).toBe(0);
});
