// Risk: a warning names neither row nor account, or returns after its answer.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { getDataQuality } from './data-quality.ts';
import { getSettings, updateSettings } from './settings.ts';

const clock = createTestClock('2026-11-25T15:00:00Z');
const fixture = useFixture(clock);
const { context } = fixture;
let company_id: string;
let count = 0;
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Questions Inc', timezone: 'UTC' })).id;
});

const months = ['05', '06', '07', '08', '09', '10', '11'];
interface Row {
  /** `MM-DD` of 2026. */
  on: string;
  amount: number;
  account?: string | undefined;
  category?: string;
}
const post = async (rows: readonly Row[]) =>
  (
    await ingestTransactions(context, {
      company_id,
      transactions: rows.map(({ on, amount, account, ...labels }) => ({
        ...labels,
        external_id: `t${++count}`,
        posted_at: `2026-${on}T12:00:00Z`,
        amount_cents: amount * 100,
        currency: 'USD',
        ...(account === undefined ? {} : { connection_id: account }),
      })),
    })
  ).transactions;
const monthly = (row: Omit<Row, 'on'>, day = '10', of = months): Row[] =>
  of.map((month) => ({ ...row, on: `${month}-${day}` }));
const balance = (connection_id: string, as_of: string, cents: number) =>
  upsertCashBalance(context, { company_id, as_of, balance_cents: cents, currency: 'USD', connection_id });
/** The warnings without their texts. */
const warnings = async () =>
  (await getDataQuality(context, { company_id })).warnings.map((warning) => {
    const { message: _, ...rest } = warning;
    return rest;
  });

test.each(['operating', undefined])('a large inflow names its row and its account (%s)', async (account) => {
  await post(monthly({ amount: -100, account }));
  const [row] = await post([{ on: '10-12', amount: 90_000, account }]);
  expect(await warnings()).toEqual([{ code: 'large_inflow', transaction_id: row?.id, connection_id: account ?? null }]);
});

test('an account that fell silent is named, unless its rows do not count', async () => {
  await post([
    ...monthly({ amount: -100, account: 'operating' }),
    ...monthly({ amount: -50, account: 'payroll' }, '12', months.slice(0, 4)),
  ]);
  expect(await warnings()).toEqual([{ code: 'silent_connection', connection_id: 'payroll' }]);
  await updateSettings(context, {
    company_id,
    accounts: [{ connection_id: 'payroll', account_type: 'investment' }],
  });
  expect(await warnings()).toEqual([]);
});

test('a deposit account that receives the bills of a card is asked for its type, until somebody sets one', async () => {
  await post([
    ...monthly({ amount: -40, account: 'operating', category: 'credit_card_payment' }),
    ...monthly({ amount: 40, account: 'visa', category: 'Credit Card Payment' }, '11'),
    ...monthly({ amount: -40, account: 'visa' }, '05'),
  ]);
  expect(await warnings()).toEqual([{ code: 'account_type_unclear', connection_id: 'visa' }]);
  for (const account_type of ['credit_card', 'depository'] as const) {
    await updateSettings(context, { company_id, accounts: [{ connection_id: 'visa', account_type }] });
    expect(await warnings()).toEqual([]);
  }
});

test('a balance that moves against its rows asks for the type of its account', async () => {
  await post([{ on: '10-01', amount: -1, account: 'visa' }, ...monthly({ amount: -500, account: 'visa' })]);
  await balance('visa', '2026-10-20', 1_000_00);
  await balance('visa', '2026-11-20', 1_500_00);
  expect(await warnings()).toEqual([{ code: 'account_type_unclear', connection_id: 'visa' }]);
  await updateSettings(context, { company_id, accounts: [{ connection_id: 'visa', account_type: 'credit_card' }] });
  expect(await warnings()).toEqual([]);
});

test('accounts that look alike are named, until somebody calls them different', async () => {
  for (const account of ['b', 'a', undefined])
    for (const day of ['03', '13', '23']) await post(monthly({ amount: -10 - Number(day), account }, day));
  const repeated = async () => (await warnings()).map(({ connection_id }) => connection_id);
  expect(await warnings()).toEqual(
    ['a', 'b'].map((connection_id) => ({ code: 'suspected_duplicate_connection', connection_id })),
  );
  await updateSettings(context, { company_id, distinct_connections: [['none', 'a']] });
  expect(await repeated()).toEqual(['b']);
  const stored = await updateSettings(context, {
    company_id,
    distinct_connections: [
      ['b', 'none'],
      ['none', 'b'],
      ['a', 'b'],
      ['none', 'a'],
    ],
  });
  expect(stored.distinct_connections).toEqual([
    ['none', 'b'],
    ['a', 'b'],
    ['none', 'a'],
  ]);
  expect(await repeated()).toEqual([]);
  expect(await getDataQuality(context, { company_id })).toMatchObject({ counted_twice: null });
  await updateSettings(context, { company_id, distinct_connections: null });
  expect((await getSettings(context, { company_id })).distinct_connections).toEqual([]);
  expect(await repeated()).toEqual(['a', 'b']);
});
