// Risk: the rows of a loan, an escrow account or a broker count as spending, or those of a card don't.
import { createTestClock, createTestRandom } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { figuresOf } from '../../../../test/recompute-runway.ts';
import { recomputeStored } from '../../../../test/recompute-stored.ts';
import { createRowMapper, type TestRow } from '../../../../test/test-rows.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { getCashOnHand } from '../../cash/cash-on-hand.ts';
import { createCompany } from '../../companies/create.ts';
import { refreshRollup } from '../rollup/refresh-rollup.ts';
import { getBurn, getMonthly, getRunway } from './get-figures.ts';
import { updateSettings } from './settings.ts';

type AccountType = NonNullable<Parameters<typeof upsertCashBalance>[1]['account_type']>;

const clock = createTestClock('2026-11-25T15:00:00Z');
const fixture = useFixture(clock);
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Types Inc', timezone: 'UTC', base_currency: 'USD' })).id;
});

const monthly = (row: Omit<TestRow, 'day'>, day = '10', from = 7, to = 10): TestRow[] =>
  Array.from({ length: to - from + 1 }, (_, i) => ({
    ...row,
    day: `2026-${String(from + i).padStart(2, '0')}-${day}`,
  }));
const label = 'credit_card_payment';

const toTransactions = createRowMapper();
const store = (rows: readonly TestRow[]) =>
  ingestTransactions(context, { company_id, transactions: toTransactions(rows) });
const setTypes = (types: Record<string, AccountType>) =>
  updateSettings(context, {
    company_id,
    accounts: Object.entries(types).map(([connection_id, account_type]) => ({ connection_id, account_type })),
  });
const hold = async (balances: Record<string, number>) => {
  for (const [connection_id, amount] of Object.entries(balances)) {
    const balance = { as_of: '2026-11-25', balance_cents: amount * 100, currency: 'USD', connection_id };
    await upsertCashBalance(context, { company_id, ...balance });
  }
};

/** The figures before and after the sums are stored, compared with those of the rows alone. */
async function figures() {
  const recomputed = await recomputeStored(context, company_id);
  expect((await getRunway(context, { company_id })).lines.map(figuresOf)).toEqual(recomputed);
  await refreshRollup(context, { companyId: company_id, timezone: 'UTC' });
  const { headline, lines } = await getRunway(context, { company_id });
  expect(lines.map(figuresOf)).toEqual(recomputed);
  const cash = await getCashOnHand(context, { company_id });
  return {
    cash: (cash.headline?.balance_cents ?? Number.NaN) / 100,
    investments: (cash.lines[0]?.investment_cents ?? Number.NaN) / 100,
    excluded: cash.excluded.map(({ reason, balance_cents, owed_cents }) => [
      reason,
      (owed_cents ?? balance_cents) / 100,
    ]),
    gross: (headline?.gross_burn_cents ?? Number.NaN) / 100,
    burn: (headline?.net_burn_cents ?? Number.NaN) / 100,
    months: headline?.runway_months,
    window: headline?.window.length,
    reasons: headline?.confidence_reasons.map(({ code }) => code),
  };
}
const outOf = async () =>
  (await getMonthly(context, { company_id, months: 4 })).months.map(
    ({ flows }) => (flows[0]?.money_out_cents ?? 0) / 100,
  );

const withCard = (payment: { category?: string } = {}): TestRow[] => [
  ...monthly({ amount: -5_000 }),
  ...monthly({ amount: -15_000, account: 'card' }, '12'),
  ...monthly({ amount: -15_000, ...payment }, '20'),
  ...monthly({ amount: 15_000, account: 'card', ...payment }, '21'),
];

test.each([
  ['positive', 30_000, {}],
  ['negative', -30_000, {}],
  ['positive, with labels on both sides of its payments', 30_000, { category: label }],
])('a card’s purchases are burn, its payments and its balance are not: %s', async (_, owed, payment) => {
  await store(withCard(payment));
  await setTypes({ card: 'credit_card' });
  await hold({ bank: 120_000, card: owed });
  expect(await figures()).toMatchObject({
    cash: 120_000,
    excluded: [['credit_card', 30_000]],
    gross: 20_000,
    burn: 20_000,
    months: 6,
    reasons: [],
  });
});

test('a payment into escrow is a transfer, and the escrow is no cash', async () => {
  await store([
    ...monthly({ amount: -50_000 }),
    { day: '2026-09-02', amount: -300_000 },
    { day: '2026-09-03', amount: 300_000, account: 'escrow', category: 'Closing costs' },
  ]);
  await setTypes({ escrow: 'restricted' });
  await hold({ bank: 900_000, escrow: 300_000 });
  expect(await figures()).toMatchObject({
    cash: 900_000,
    excluded: [['restricted', 300_000]],
    burn: 50_000,
    months: 18,
    reasons: [],
  });
});

test('money at a broker is cash, and what the broker does with it is not burn', async () => {
  await store([
    ...monthly({ amount: -100_000 }),
    { day: '2026-06-30', amount: 1, account: 'broker' },
    { day: '2026-09-02', amount: -5_000_000 },
    { day: '2026-09-03', amount: 5_000_000, account: 'broker' },
    { day: '2026-09-04', amount: -4_900_000, account: 'broker', category: 'buy T-bill' },
  ]);
  await setTypes({ broker: 'investment' });
  await hold({ bank: 500_000, broker: 5_000_000 });
  expect(await figures()).toMatchObject({
    cash: 5_500_000,
    investments: 5_000_000,
    gross: 100_000,
    burn: 100_000,
    months: 55,
    reasons: [],
  });
});

test('a payment to a loan is burn, though the loan shows the other side', async () => {
  await store([
    ...monthly({ amount: -80_000 }),
    ...monthly({ amount: -20_000 }, '15'),
    ...monthly({ amount: 20_000, account: 'loan' }, '16'),
  ]);
  await setTypes({ loan: 'loan' });
  await hold({ bank: 600_000, loan: 400_000 });
  expect(await figures()).toMatchObject({
    cash: 600_000,
    excluded: [['loan', 400_000]],
    gross: 100_000,
    burn: 100_000,
    months: 6,
    reasons: [],
  });
});

test('equipment is burn', async () => {
  await store([...monthly({ amount: -40_000 }), { day: '2026-10-15', amount: -60_000, category: 'equipment' }]);
  await hold({ bank: 600_000 });
  expect(await figures()).toMatchObject({ burn: 60_000, months: 10 });
});

test('bills of a card count until it is connected, and all of them again once it is excluded', async () => {
  await store([
    ...monthly({ amount: -5_000 }, '10', 5),
    ...monthly({ amount: -15_000, category: label }, '05', 5),
    { day: '2026-10-01', amount: -7_000, account: 'card' },
    { day: '2026-10-20', amount: -8_000, account: 'card' },
    { day: '2026-10-05', amount: 15_000, account: 'card', category: label },
  ]);
  await setTypes({ card: 'credit_card' });
  await hold({ bank: 120_000 });
  expect(await figures()).toMatchObject({ burn: 20_000, months: 6, window: 3, reasons: [] });
  expect(await outOf()).toEqual([20_000, 20_000, 20_000, 0]);
  await updateSettings(context, { company_id, excluded_connections: ['card'] });
  expect(await figures()).toMatchObject({ burn: 20_000, months: 6, window: 3 });
  expect(await outOf()).toEqual([20_000, 20_000, 20_000, 0]);
});

test('a card that is connected late drops the months before it, if no bill of a card was counted in them', async () => {
  await store([
    ...monthly({ amount: -5_000 }, '10', 5),
    { day: '2026-09-01', amount: -15_000, account: 'card' },
    { day: '2026-10-01', amount: -15_000, account: 'card' },
  ]);
  await setTypes({ card: 'credit_card' });
  await hold({ bank: 120_000 });
  expect(await figures()).toMatchObject({ burn: 20_000, window: 1, reasons: ['few_months'] });
});

test('a card by its type needs no bill of its own, and is not present for longer than 45 days without a row', async () => {
  await store([
    ...monthly({ amount: -5_000 }),
    ...monthly({ amount: -15_000, category: label }, '20'),
    { day: '2026-08-06', amount: -15_000, account: 'card' },
  ]);
  await hold({ bank: 120_000 });
  await setTypes({ card: 'credit_card' });
  await figures();
  expect(await outOf()).toEqual([20_000, 5_000, 20_000, 0]);
});

test('rows of accounts that don’t count make no history', async () => {
  await store([...monthly({ amount: -100, account: 'escrow' }, '10', 1), ...monthly({ amount: -1_000 }, '10', 9)]);
  await setTypes({ escrow: 'restricted' });
  await hold({ bank: 10_000 });
  expect(await figures()).toMatchObject({ burn: 1_000, window: 1 });
  expect((await getBurn(context, { company_id })).coverage_from).toBe('2026-10');
  await setTypes({ escrow: 'restricted', bank: 'loan' });
  expect((await getRunway(context, { company_id })).lines).toEqual([]);
});

test('a large inflow of a broker is not left out of the bank’s rows', async () => {
  const inflow = { day: '2026-09-15', amount: 1_000_000 };
  await store([...monthly({ amount: -100_000 }), inflow, { ...inflow, amount: 2_000_000, account: 'broker' }]);
  await setTypes({ broker: 'investment' });
  await hold({ bank: 500_000 });
  expect(await figures()).toMatchObject({ burn: 100_000, months: 5, reasons: ['large_inflow'] });
});

test('with any types and rows, the figures match those computed from the rows', async () => {
  const types = ['depository', 'investment', 'restricted', 'credit_card', 'loan'] as const;
  const labels = [undefined, label, 'internal_transfer', 'series_a', 'payroll', 'transfer'] as const;
  const seen = new Set<string>();
  for (let seed = 1; seed <= 15; seed++) {
    const random = createTestRandom(seed);
    const pick = <T>(of: readonly [T, ...T[]]): T => of[random.integer(of.length)] ?? of[0];
    company_id = (await createCompany(context, { name: 'Any Inc', timezone: 'UTC', base_currency: 'USD' })).id;
    const accounts = ['a', 'b', 'c', 'd'] as const;
    const rows = Array.from({ length: 80 }, () => ({
      day: new Date(Date.UTC(2026, 4, 1) + random.integer(208) * 86_400_000).toISOString().slice(0, 10),
      amount: pick([-1, -1, 1]) * pick([100, 500, 20_000, 1 + random.integer(9_000)]),
      account: pick(['bank', ...accounts]),
      category: pick(labels),
    }));
    await store(rows);
    await setTypes(Object.fromEntries(accounts.map((id) => [id, pick(types)])));
    if (random.integer(3) === 0) await updateSettings(context, { company_id, excluded_connections: [pick(accounts)] });
    await hold({ bank: 500_000, a: 70_000, b: -8_000 });
    seen.add(JSON.stringify(await figures()));
  }
  expect(seen.size).toBe(15);
});
