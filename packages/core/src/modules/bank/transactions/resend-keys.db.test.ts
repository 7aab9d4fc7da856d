// Risk: a sender reads or overwrites rows of others, or overwritten values are lost.
import type { BankTransactionInput } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { useRawClient } from '../../../../test/raw-client.ts';
import { changesBetween, readTables } from '../../../../test/table-state.ts';
import type { Context } from '../../../verbs/context.ts';
import { createCompany } from '../../companies/create.ts';
import { listTransactions } from '../../financials/transactions/list.ts';
import { ingestTransactions } from './ingest.ts';

const clock = createTestClock('2026-11-25T15:00:00.000Z');
const fixture = useFixture(clock);
const raw = useRawClient(fixture);
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Keys Inc', timezone: 'UTC', base_currency: 'USD' })).id;
});

const row = (external_id: string, amount: number, source: string): BankTransactionInput => ({
  external_id,
  posted_at: '2026-10-10T12:00:00Z',
  amount_cents: amount * 100,
  connection_id: 'c1',
  source,
});
const key = (): Context => ({
  ...context,
  scope: 'ingest',
  access: { ingest: { originId: 'key_bank', sources: ['bank'] } },
});
const update = (transactions: BankTransactionInput[], more: { dry_run?: boolean; on_error?: 'skip' | 'reject' } = {}) =>
  ingestTransactions(key(), { company_id, transactions, on_duplicate: 'update', ...more });
const stored = async () =>
  (await listTransactions(context, { company_id, limit: 200, order: 'asc' })).data
    .map(({ external_id, amount_cents, source }) => [external_id, amount_cents, source])
    .toSorted();
/** Rows of two senders in a connection of the key. */
async function sendBoth(): Promise<void> {
  await ingestTransactions(key(), { company_id, transactions: [row('own', -100, 'bank')] });
  await ingestTransactions(context, { company_id, transactions: [row('other', -100, 'payroll')] });
}

test('a key limited to some sources neither changes rows of other sources nor learns their source', async () => {
  await sendBoth();
  const before = await readTables(raw);
  const sent = [row('own', -120, 'bank'), row('other', -120, 'bank')];
  const error = { pointer: '/transactions/1/source', code: 'authority_exceeded' };
  await expect(update(sent)).rejects.toMatchObject({ code: 'validation_failed', fields: [error] });
  expect(changesBetween(before, await readTables(raw))).toEqual({});
  const trial = await update(sent, { dry_run: true });
  expect(trial).toMatchObject({ updated: 1, skipped: 0, failed: 1, errors: [{ index: 1, ...error }] });
  expect(trial.updated_transactions).toMatchObject([{ external_id: 'own' }]);
});

test('with on_error=skip the rows of its own sources are updated, and the others are errors', async () => {
  await sendBoth();
  const answer = await update([row('other', -120, 'bank'), row('own', -120, 'bank')], { on_error: 'skip' });
  expect(answer).toMatchObject({ received: 2, updated: 1, skipped: 0, failed: 1, errors: [{ index: 0 }] });
  expect(await stored()).toEqual([
    ['other', -100_00, 'payroll'],
    ['own', -120_00, 'bank'],
  ]);
});

test('a key updates rows of its own connections only', async () => {
  await sendBoth();
  const other: Context = { ...context, scope: 'ingest', access: { ingest: { originId: 'key_other' } } };
  await expect(
    ingestTransactions(other, { company_id, transactions: [row('own', -130, 'bank')], on_duplicate: 'update' }),
  ).rejects.toMatchObject({ code: 'connection_owned' });
  expect(await update([row('own', -120, 'bank')])).toMatchObject({ updated: 1 });
});
