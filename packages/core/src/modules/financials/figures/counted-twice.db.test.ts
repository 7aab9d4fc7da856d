// Risk: an account in two feeds doubles cash and burn without a warning, or two accounts are reported as one.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { createConnection } from '../../bank/connections/create.ts';
import { disconnectConnection } from '../../bank/connections/disconnect.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { refreshRollup } from '../rollup/refresh-rollup.ts';
import { getDataQuality } from './data-quality.ts';
import { updateSettings } from './settings.ts';
import { getSummary } from './summary.ts';

const NOW = '2026-05-20T15:00:00Z';
const clock = createTestClock(NOW);
const fixture = useFixture(clock);
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  clock.set(NOW);
  company_id = (await createCompany(context, { name: 'Twice Inc', timezone: 'UTC', base_currency: 'USD' })).id;
});

const DAY = 86_400_000;
const daysAgo = (days: number): string => new Date(clock.now().getTime() - days * DAY).toISOString();
/** A year of payments every six days, with own ids; `change` makes some differ. */
const postYear = (connection_id: string, change = (amount: number, _index: number): number => amount) =>
  ingestTransactions(context, {
    company_id,
    transactions: Array.from({ length: 60 }, (_, i) => ({
      external_id: `${connection_id}-${i}`,
      posted_at: daysAgo(360 - i * 6),
      amount_cents: change(i % 5 === 0 ? 500_000 : -20_000 - i, i),
      currency: 'USD',
      connection_id,
    })),
  });
const postBalance = (connection_id: string, balance_cents: number) =>
  upsertCashBalance(context, { company_id, as_of: '2026-05-20', balance_cents, currency: 'USD', connection_id });
const summary = () => getSummary(context, { company_id });
const suspected = async () => (await summary()).counted_twice?.connections.map(({ connection_id }) => connection_id);

test('item_A and item_B with the same year of rows: counted twice, with both figures, until one is excluded', async () => {
  for (const item of ['item_A', 'item_B']) {
    await postYear(item);
    await postBalance(item, 12_000_000);
  }
  const before = await summary();
  const gross = before.burn.lines[0]?.gross_burn_cents ?? 0;
  expect(before.counted_twice).toEqual({
    connections: [{ connection_id: 'item_B', repeats: 'item_A', transactions: 60, repeated_transactions: 60 }],
    figures: [
      {
        currency: 'USD',
        cash_cents: 24_000_000,
        cash_once_cents: 12_000_000,
        gross_burn_cents: gross,
        gross_burn_once_cents: gross / 2,
      },
    ],
  });
  expect(before.data_quality).toMatchObject({ duplicate_connections: 1 });
  expect(before.data_quality.issues).toBeGreaterThanOrEqual(1);
  const quality = await getDataQuality(context, { company_id });
  expect(quality).toMatchObject({ counted_twice: before.counted_twice, issues: before.data_quality.issues });
  const [warning] = quality.warnings;
  expect(warning).toMatchObject({ code: 'suspected_duplicate_connection' });
  expect(warning?.message).toContain(
    '60 of the 60 transactions on the days that the account item_B and the account item_A both have',
  );
  expect(warning?.message).toContain('USD cash is $240,000.00, counted once $120,000.00');

  await refreshRollup(context, { companyId: company_id, timezone: 'UTC' });
  expect((await summary()).counted_twice).toEqual(before.counted_twice);

  await updateSettings(context, { company_id, excluded_connections: ['item_B'] });
  const after = await summary();
  expect(after.counted_twice).toBeNull();
  expect(after.data_quality).toMatchObject({ duplicate_connections: 0 });
  expect(after.cash.lines[0]?.balance_cents).toBe(12_000_000);
  expect(after.burn.lines[0]?.gross_burn_cents).toBe(gross / 2);
});

test('a connection that replaces the other is no second one', async () => {
  const connect = async (replaces?: string) =>
    (await createConnection(context, { company_id, provider: 'ledger', ...(replaces && { replaces }) })).id;
  const old = await connect();
  await postYear(old);
  await disconnectConnection(context, { connection_id: old });
  await postYear(await connect(old));
  expect(await suspected()).toBeUndefined();
  const stranger = await connect();
  await postYear(stranger);
  expect(await suspected()).toEqual([stranger]);
});

test('80 % of the rows are enough, less is another account; a shorter feed repeats a longer one', async () => {
  await postYear('long');
  const differ = (nth: number) => (amount: number, i: number) => (i % nth === 0 ? amount - 77_000 : amount);
  await postYear('other', differ(4));
  expect(await suspected()).toBeUndefined();
  await postYear('a-feed', differ(9));
  await ingestTransactions(context, {
    company_id,
    transactions: [
      { external_id: 'x', posted_at: daysAgo(3), amount_cents: -1, currency: 'USD', connection_id: 'long' },
    ],
  });
  expect(await suspected()).toEqual(['a-feed']);
});

/** A row on each day, from `from` days ago to `to` days ago; the amounts depend on the day only. */
async function postDaily(connection_id: string, from: number, to: number): Promise<void> {
  await ingestTransactions(context, {
    company_id,
    transactions: Array.from({ length: from - to + 1 }, (_, i) => ({
      external_id: `${connection_id}-${from - i}`,
      posted_at: daysAgo(from - i),
      amount_cents: -10_000 - (Math.floor(Date.parse(daysAgo(from - i)) / DAY) % 7),
      currency: 'USD',
      connection_id,
    })),
  });
}

test.each([10, 30, 200])(
  'an account that moved to a new id %i days ago repeats it, by the days that both have; the silent one is left out',
  async (since) => {
    clock.set('2026-11-25T15:00:00Z');
    await postDaily('A', since + 364, since);
    await postDaily('B', since + 89, 0);
    for (const [connection_id, balance_cents, day] of [
      ['A', 10_000_000, since],
      ['B', 9_500_000, 0],
    ] as const) {
      const as_of = daysAgo(day).slice(0, 10);
      await upsertCashBalance(context, { company_id, as_of, balance_cents, currency: 'USD', connection_id });
    }
    expect((await summary()).counted_twice).toMatchObject({
      connections: [{ connection_id: 'A', repeats: 'B', transactions: 90, repeated_transactions: 90 }],
      figures: [{ cash_cents: 19_500_000, cash_once_cents: 9_500_000 }],
    });
    const [warning] = (await getDataQuality(context, { company_id })).warnings;
    expect(warning?.message).toContain(
      '90 of the 90 transactions on the days that the account A and the account B both have',
    );
  },
);

test('accounts with the same monthly fee are not one account', async () => {
  for (const account of ['checking', 'savings']) await postYear(account, () => -1_500);
  expect(await suspected()).toBeUndefined();
});

test('a balance stays if only the repeating connection has one', async () => {
  await postYear('item_A');
  await postYear('item_B');
  await postBalance('item_B', 100);
  expect((await summary()).counted_twice?.figures).toMatchObject([{ cash_cents: 100, cash_once_cents: 100 }]);
});

test('all of many connections are compared: 40 pairs, and 70 copies of one', async () => {
  const pairs = Array.from({ length: 40 }, (_, n) => String(n).padStart(2, '0'));
  for (const n of pairs) {
    for (const side of ['a', 'b']) await postYear(`pair_${n}_${side}`, (amount, i) => amount + Number(n) * 1_000 + i);
  }
  expect(await suspected()).toEqual(pairs.map((n) => `pair_${n}_b`));
  const other = (await createCompany(context, { name: 'Copies Inc', timezone: 'UTC', base_currency: 'USD' })).id;
  company_id = other;
  const copies = Array.from({ length: 70 }, (_, n) => `copy_${String(n).padStart(2, '0')}`);
  for (const copy of copies) await postYear(copy);
  expect(await suspected()).toEqual(copies.slice(1));
}, 120_000);
