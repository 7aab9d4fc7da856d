// Risk: money that is neither spending nor income, such as a funding round, makes runway longer.
import { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { figuresOf } from '../../../../test/recompute-runway.ts';
import { recomputeStored } from '../../../../test/recompute-stored.ts';
import { createRowMapper, type TestRow } from '../../../../test/test-rows.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { getDataQuality } from './data-quality.ts';
import { getBurn, getMonthly, getRunway } from './get-figures.ts';
import { getSettings, updateSettings } from './settings.ts';

const clock = createTestClock('2026-11-25T15:00:00Z');
const fixture = useFixture(clock);
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Classes Inc', timezone: 'UTC' })).id;
});

const months = ['2026-08', '2026-09', '2026-10'];
const since = (first: string, last = '2026-10') =>
  ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10']
    .map((m) => `2026-${m}`)
    .filter((m) => m >= first && m <= last);
/** The same row in each month, from before the window on, so that its months are complete. */
const monthly = (row: Omit<TestRow, 'day'>, of = since('2026-07'), day = '10'): TestRow[] =>
  of.map((month) => ({ ...row, day: `${month}-${day}` }));

const toTransactions = createRowMapper();
async function post(rows: readonly TestRow[], cash: number) {
  await ingestTransactions(context, { company_id, transactions: toTransactions(rows) });
  await upsertCashBalance(context, {
    company_id,
    as_of: '2026-11-25',
    balance_cents: cash * 100,
    currency: 'USD',
    connection_id: 'bank',
  });
  const { headline, lines } = await getRunway(context, { company_id });
  expect(lines.map(figuresOf)).toEqual(await recomputeStored(context, company_id));
  return {
    burn: (headline?.net_burn_cents ?? Number.NaN) / 100,
    gross: (headline?.gross_burn_cents ?? Number.NaN) / 100,
    months: headline?.runway_months,
    status: headline?.status,
    reasons: headline?.confidence_reasons.map(({ code }) => code),
  };
}
const flowOf = async (month: string) =>
  (await getMonthly(context, { company_id, months: 6 })).months.find((one) => one.month === month)?.flows[0];
const spend = (amount: number, from = '2026-07') => monthly({ amount: -amount }, since(from));

test('a payment of a card that is not connected is spending', async () => {
  const rows = [...monthly({ amount: -15_000, category: 'credit_card_payment' }), ...spend(5_000)];
  expect(await post(rows, 120_000)).toMatchObject({ burn: 20_000, months: 6, reasons: [] });
});

test('a payment of a connected card is a transfer: the purchases are the spending', async () => {
  const rows = [
    ...monthly({ amount: -15_000, category: 'Credit Card Payment' }),
    ...monthly({ amount: 15_000, category: 'LOAN_PAYMENTS_CREDIT_CARD_PAYMENT', account: 'card' }),
    ...monthly({ amount: -15_000, account: 'card' }, undefined, '20'),
    ...spend(5_000),
  ];
  expect(await post(rows, 120_000)).toMatchObject({ burn: 20_000, gross: 20_000, months: 6, reasons: [] });
  await updateSettings(context, { company_id, excluded_connections: ['card'] });
  expect(await post([], 120_000)).toMatchObject({ burn: 20_000, months: 6 });
});

test('an account that receives no payment of a card for more than 45 days and shows no row is not present', async () => {
  const rows = [
    ...monthly({ amount: -15_000, category: 'credit_card_payment' }),
    ...monthly({ amount: 15_000, category: 'credit_card_payment', account: 'card' }, since('2026-01', '2026-07')),
    ...spend(5_000),
  ];
  await post(rows, 120_000);
  expect([await flowOf('2026-08'), await flowOf('2026-09')]).toMatchObject([
    { money_out_cents: 5_000_00 },
    { money_out_cents: 20_000_00 },
  ]);
});

test('a round without a label is left out, and doubted', async () => {
  const rows = [...spend(100_000), { day: '2026-09-15', amount: 5_000_000 }];
  expect(await post(rows, 5_000_000)).toMatchObject({ burn: 100_000, months: 50, reasons: ['large_inflow'] });
  const { warnings } = await getDataQuality(context, { company_id });
  expect(warnings.map(({ code }) => code)).toEqual(['large_inflow']);
  expect(await flowOf('2026-09')).toMatchObject({ money_in_cents: 0, excluded_in_cents: 5_000_000_00 });
});

test('money in that a category calls a payment of a card, and that counts, is no large inflow', async () => {
  const rows = [...spend(100_000), { day: '2026-09-15', amount: 5_000_000, category: 'credit_card_payment' }];
  const paid = ['08', '09'].map((month) => ({ day: `2026-${month}-10`, amount: -1, category: 'credit_card_payment' }));
  expect(await post([...rows, ...paid], 5_000_000)).toMatchObject({ reasons: [] });
  expect(await flowOf('2026-09')).toMatchObject({ money_in_cents: 5_000_000_00, excluded_in_cents: 0 });
});

test('a round with a label is left out without a doubt', async () => {
  const rows = [...spend(100_000), { day: '2026-09-15', amount: 5_000_000, category: 'Series A' }];
  expect(await post(rows, 5_000_000)).toMatchObject({ burn: 100_000, months: 50, reasons: [] });
});

test('two parts of a round in consecutive months are both left out', async () => {
  const parts = [9, 10].map((month) => ({ day: `2026-${String(month).padStart(2, '0')}-15`, amount: 2_500_000 }));
  expect(await post([...spend(100_000, '2026-05'), ...parts], 5_000_000)).toMatchObject({
    burn: 100_000,
    months: 50,
    reasons: ['large_inflow'],
  });
  expect((await getDataQuality(context, { company_id })).warnings).toHaveLength(2);
});

test('in the first complete month a round is compared with the rest of that month', async () => {
  const rows = [
    { day: '2026-09-20', amount: -1 },
    { day: '2026-10-10', amount: -100_000 },
    { day: '2026-10-15', amount: 5_000_000 },
  ];
  expect(await post(rows, 5_000_000)).toMatchObject({
    burn: 100_000,
    months: 50,
    reasons: ['few_months', 'large_inflow'],
  });
});

test('a prepayment far above the usual income is left out until a person says what it is', async () => {
  const rows = [
    ...spend(150_000, '2026-05'),
    ...monthly({ amount: 50_000 }, since('2026-05')),
    { day: '2026-09-15', amount: 600_000 },
  ];
  expect(await post(rows, 1_200_000)).toMatchObject({ burn: 100_000, months: 12, reasons: ['large_inflow'] });
});

test('an unlabelled payment by a founder is left out', async () => {
  const rows = [...spend(20_000), { day: '2026-10-15', amount: 50_000 }];
  expect(await post(rows, 120_000)).toMatchObject({ burn: 20_000, months: 6, reasons: ['large_inflow'] });
});

test.each([
  ['a tax refund', 12_000, 96_000, 6.2],
  ['interest', 3_000, 99_000, 6],
])('%s is income', async (_, amount, burn, runway) => {
  expect(await post([...spend(100_000), { day: '2026-10-15', amount }], 600_000)).toMatchObject({
    burn,
    months: runway,
    reasons: [],
  });
});

test('a customer who paid in two earlier months of the year is income again', async () => {
  const paid = ['03', '06', '09'].map((month) => ({
    day: `2026-${month}-15`,
    amount: 300_000,
    counterparty: 'Acme  GmbH',
  }));
  expect(await post([...spend(100_000, '2026-01'), ...paid], 600_000)).toMatchObject({
    burn: 0,
    status: 'cash_flow_positive',
    reasons: [],
  });
  const inJune = (await getMonthly(context, { company_id, months: 6 })).months.find(({ month }) => month === '2026-06');
  expect(inJune?.flows[0]).toMatchObject({ money_in_cents: 0, excluded_in_cents: 300_000_00 });
});

test('a transfer over the end of a month is neither spending nor income of either', async () => {
  const rows = [
    ...spend(100_000),
    { day: '2026-10-31', amount: -500_000 },
    { day: '2026-11-02', amount: 500_000, account: 'savings' },
  ];
  expect(await post(rows, 1_200_000)).toMatchObject({ burn: 100_000, gross: 100_000, months: 12 });
});

test('rows whose categories name real payments are no pair', async () => {
  const rows = [
    ...spend(100_000),
    { day: '2026-09-03', amount: -10_000, category: 'payroll' },
    { day: '2026-09-05', amount: 10_000, category: 'sales', account: 'other' },
  ];
  await post(rows, 600_000);
  expect(await flowOf('2026-09')).toMatchObject({ money_in_cents: 10_000_00, money_out_cents: 110_000_00 });
});

test('a category that names real payments as often as transfers leaves nothing out by itself', async () => {
  const rows = [...monthly({ amount: -80_000, category: 'Transfer' }), ...spend(20_000)];
  expect(await post(rows, 600_000)).toMatchObject({ burn: 100_000, months: 6 });
});

test('transfers to an account that is not connected are doubted', async () => {
  const rows = [...monthly({ amount: -200_000, category: 'internal_transfer' }), ...spend(50_000)];
  expect(await post(rows, 300_000)).toMatchObject({ burn: 50_000, months: 6, reasons: ['unpaired_transfers'] });
  const others = monthly({ amount: 200_000, account: 'savings' }, undefined, '12');
  expect(await post(others, 300_000)).toMatchObject({ burn: 50_000, months: 6, reasons: [] });
});

test('a pair may lie five days apart', async () => {
  const rows = [
    { day: '2026-07-01', amount: -1 },
    ...monthly({ amount: -1 }, months),
    { day: '2026-10-30', amount: -5 },
    { day: '2026-11-03', amount: 5, account: 'savings' },
  ];
  expect(await post(rows, 100)).toMatchObject({ burn: 1, gross: 1 });
});

test('a payment provider’s other transfers out are spending', async () => {
  const rows = [...spend(5_000), ...monthly({ amount: -15_000, category: 'TRANSFER_OUT_OTHER_TRANSFER_OUT' })];
  expect(await post(rows, 120_000)).toMatchObject({ burn: 20_000, months: 6 });
});

test('a refund to a customer and a payroll provider are spending, a sale is income', async () => {
  const rows = [
    ...monthly({ amount: -50_000, category: 'payroll' }),
    { day: '2026-10-02', amount: 1_000, category: 'sales' },
    { day: '2026-10-03', amount: -200, category: 'refund' },
  ];
  await post(rows, 100_000);
  expect(await flowOf('2026-10')).toMatchObject({ money_in_cents: 1_000_00, money_out_cents: 50_200_00 });
});

test('spellings of a label are one: compatibility forms, case, spaces and signs at its ends', async () => {
  const rows = [...spend(1_000), { day: '2026-10-02', amount: -9_000, category: ' ＩＮＴＥＲＮＡＬ  Transfers! ' }];
  await post(rows, 100_000);
  expect((await getBurn(context, { company_id })).lines[0]?.months.at(-1)).toMatchObject({
    gross_burn_cents: 1_000_00,
  });
});

test('rows that are not due yet change no sum: neither a payment of a card nor an inflow', async () => {
  const future = [
    { day: '2026-11-28', amount: -15_000, category: 'credit_card_payment' },
    { day: '2026-11-28', amount: 15_000, category: 'credit_card_payment', account: 'card' },
    { day: '2026-11-29', amount: 700_000 },
  ];
  const now = [...monthly({ amount: -100_000 }, ['2026-11']), { day: '2026-11-12', amount: 20_000 }];
  const card = monthly({ amount: 15_000, category: 'credit_card_payment', account: 'card' }, ['2026-10']);
  expect(await post([...spend(100_000), ...now, ...card, ...future], 600_000)).toMatchObject({ reasons: [] });
  expect(await flowOf('2026-11')).toMatchObject({ money_in_cents: 20_000_00, money_out_cents: 100_000_00 });
});

test('categories in other scripts name payments: rows that have one are no pair', async () => {
  const rows = [
    ...spend(100_000),
    { day: '2026-09-03', amount: -10_000, category: 'Зарплата' },
    { day: '2026-09-05', amount: 10_000, category: 'Продажи', account: 'other' },
  ];
  await post(rows, 600_000);
  expect(await flowOf('2026-09')).toMatchObject({ money_in_cents: 10_000_00, money_out_cents: 110_000_00 });
});

test('a label of a card in compatibility letters is one', async () => {
  const label = 'ＣＲＥＤＩＴ ＣＡＲＤ ＰＡＹＭＥＮＴ';
  const rows = [
    ...monthly({ amount: -15_000, category: label }),
    ...monthly({ amount: 15_000, category: label, account: 'card' }),
    ...monthly({ amount: -15_000, account: 'card' }, undefined, '20'),
    ...spend(5_000),
  ];
  expect(await post(rows, 120_000)).toMatchObject({ gross: 20_000 });
});

test('transfers are compared in one currency, and found pairs do not count as missing a side when pairs are counted', async () => {
  const rows = [
    ...spend(100_000),
    { day: '2026-10-31', amount: -500_000, category: 'internal_transfer' },
    { day: '2026-11-02', amount: 500_000, category: 'internal_transfer', account: 'savings' },
  ];
  await updateSettings(context, { company_id, exclude_suspected_transfers: false });
  expect(await post(rows, 600_000)).toMatchObject({ reasons: [] });
});

test('of very many large inflows the largest are named, and the others counted', async () => {
  const sales = Array.from({ length: 30 }, (_, i) => ({ day: '2026-10-15', amount: 50 + i }));
  await post([...spend(150), ...sales], 600);
  const { warnings } = await getDataQuality(context, { company_id });
  expect(warnings).toHaveLength(21);
  expect(warnings[0]?.message).toContain('79');
  expect(warnings.at(-1)?.message).toContain('10 more');
});

test('a list that is sent as it was read is the default, and one of another script is rejected', async () => {
  const { excluded_categories } = await getSettings(context, { company_id });
  await updateSettings(context, { company_id, excluded_categories, excluded_connections: ['x'] });
  const rows = [...monthly({ amount: -15_000, category: 'credit_card_payment' }), ...spend(5_000)];
  expect(await post(rows, 120_000)).toMatchObject({ burn: 20_000 });
  const input = { company_id, excluded_categories: ['内部振替'] };
  expect(operations.financials.settings.update.input.safeParse(input).success).toBe(false);
});

test('sums beyond the range of an amount limit no inflow', async () => {
  const most = Math.floor(Number.MAX_SAFE_INTEGER / 100) - 1;
  const many = since('2026-05').flatMap((month) =>
    Array.from({ length: 12 }, () => ({ day: `${month}-10`, amount: most })),
  );
  expect(await post([...spend(1, '2026-05'), ...many], 600)).toMatchObject({ status: 'cash_flow_positive' });
});
