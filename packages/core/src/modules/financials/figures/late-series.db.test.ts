// Risk: an account that was linked late makes earlier burn too low, and runway too long.
import { createTestClock, createTestRandom } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { figuresOf, recomputeRunway } from '../../../../test/recompute-runway.ts';
import { rulesOf } from '../../../../test/rules-of.ts';
import { createConnection } from '../../bank/connections/create.ts';
import { disconnectConnection } from '../../bank/connections/disconnect.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { refreshRollup } from '../rollup/refresh-rollup.ts';
import { getMonthly, getRunway } from './get-figures.ts';
import { getSettings, updateSettings } from './settings.ts';

const fixture = useFixture(createTestClock('2026-11-25T15:00:00Z'));
const { context } = fixture;
let company_id: string;
const timezone = 'America/New_York';
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Late Inc', timezone, base_currency: 'USD' })).id;
  await upsertCashBalance(context, { company_id, as_of: '2026-11-25', balance_cents: 60_000_000, currency: 'USD' });
});

/** Amounts are whole units. */
const pay = (connection_id: string, days: readonly string[], amount: number, more: { currency?: string } = {}) =>
  ingestTransactions(context, {
    company_id,
    transactions: days.map((day) => ({
      external_id: `${day} ${amount}`,
      posted_at: `${day}T12:00:00Z`,
      amount_cents: -amount * 100,
      currency: 'USD',
      connection_id,
      ...more,
    })),
  });
const YEAR = Array.from({ length: 12 }, (_, i) => `${new Date(Date.UTC(2025, 10 + i, 10)).toISOString().slice(0, 10)}`);
const window = async () => (await getRunway(context, { company_id })).headline?.window;
const connect = async (replaces?: string) =>
  (await createConnection(context, { company_id, provider: 'ledger', ...(replaces && { replaces }) })).id;
const promise = (id: string, history_from: string) =>
  context.database.query('UPDATE bank_connection SET history_from = $2 WHERE id = $1', [id, history_from]);

test('the months before the main account was known are not in the mean', async () => {
  await pay('petty', YEAR, 1_000);
  await pay('main', ['2026-09-01', '2026-10-01', '2026-11-02'], 200_000);
  for (const _ of ['before', 'after']) {
    expect((await getRunway(context, { company_id })).headline).toMatchObject({
      window: ['2026-10'],
      net_burn_cents: 20_100_000,
      runway_months: 2.9,
      confidence_reasons: [{ code: 'few_months' }],
    });
    await refreshRollup(context, { companyId: company_id, timezone });
  }
  const { months } = await getMonthly(context, { company_id, months: 4 });
  expect(months.map(({ covered }) => covered)).toEqual([true, true, true, true]);
});

test('the month of the first row is not known whole, even from its first day', async () => {
  await pay('old', YEAR, 1_000);
  await pay('new', ['2026-08-01', '2026-09-01', '2026-10-01'], 1_000);
  expect(await window()).toEqual(['2026-09', '2026-10']);
});

test('an account of little spending drops no month, however late it was opened', async () => {
  await pay('main', YEAR, 100_000);
  await pay('card', ['2026-09-01', '2026-10-01', '2026-11-02'], 2_000);
  expect((await getRunway(context, { company_id })).headline).toMatchObject({
    window: ['2026-08', '2026-09', '2026-10'],
    net_burn_cents: 10_133_333,
    runway_months: 5.9,
  });
});

test('a tenth of the money out makes a main account; without any month left there is no figure from transactions', async () => {
  await pay('old', YEAR, 900);
  await pay('new', ['2026-10-01'], 299);
  expect(await window()).toHaveLength(3);
  await pay('new', ['2026-10-02'], 1);
  const { headline } = await getRunway(context, { company_id });
  expect(headline).toMatchObject({ status: 'insufficient_history', basis: null, net_burn_cents: null, window: [] });
});

test('an account that replaces another has its history', async () => {
  const first = await connect();
  await pay(first, YEAR, 1_000);
  await disconnectConnection(context, { connection_id: first });
  await pay(await connect(first), ['2026-10-20'], 1_000);
  expect(await window()).toHaveLength(3);
});

test.each([
  ['2026-07-31', ['2026-08', '2026-09', '2026-10']],
  ['2026-08-01', ['2026-08', '2026-09', '2026-10']],
  ['2026-08-02', ['2026-09', '2026-10']],
])('a history known from %s on counts, though the first row is later', async (historyFrom, expected) => {
  await pay('old', YEAR, 1_000);
  const id = await connect();
  await pay(id, ['2026-10-20'], 1_000);
  expect(await window()).toEqual([]);
  await promise(id, historyFrom);
  expect(await window()).toEqual(expected);
});

test('excluded money makes no account a main one: categories, pairs, excluded accounts', async () => {
  await pay('old', YEAR, 1_000);
  const sweep = { external_id: 'sweep', posted_at: '2026-10-20T12:00:00Z', currency: 'USD', connection_id: 'savings' };
  const out = { ...sweep, amount_cents: -70_000, category: 'internal_transfer' };
  await ingestTransactions(context, { company_id, transactions: [out] });
  expect(await window()).toHaveLength(3);
  const paid = { ...sweep, external_id: 'paid', amount_cents: -80_000 };
  const received = { ...paid, amount_cents: 80_000, connection_id: 'old' };
  await ingestTransactions(context, { company_id, transactions: [paid, received] });
  await updateSettings(context, { company_id, exclude_suspected_transfers: false });
  expect(await window()).toEqual([]);
  await updateSettings(context, { company_id, exclude_suspected_transfers: true });
  expect(await window()).toHaveLength(3);
  await updateSettings(context, {
    company_id,
    exclude_suspected_transfers: false,
    excluded_connections: ['savings'],
  });
  expect(await window()).toHaveLength(3);
});

test('without rates an account in another currency than the base currency drops no month', async () => {
  await pay('old', YEAR, 1_000);
  await pay('berlin', ['2026-10-20'], 500_000, { currency: 'EUR' });
  expect(await window()).toHaveLength(3);
  await pay('berlin', ['2026-10-21'], 1_000);
  expect(await window()).toEqual([]);
});

test('half past three UTC on the first of November is October in New York', async () => {
  await ingestTransactions(context, {
    company_id,
    external_id: 'x',
    posted_at: '2026-11-01T03:30:00Z',
    amount_cents: -700,
    currency: 'USD',
  });
  const { months } = await getMonthly(context, { company_id, months: 2 });
  expect(months).toMatchObject([
    { month: '2026-10', flows: [{ money_out_cents: 700 }] },
    { flows: [{ money_out_cents: 0 }] },
  ]);
});

test('with accounts that begin at any time, with or without a known history, runway matches that of the rows', async () => {
  const windows = new Set<string>();
  for (let seed = 1; seed <= 12; seed++) {
    const random = createTestRandom(seed);
    company_id = (await createCompany(context, { name: 'Any Inc', timezone, base_currency: 'USD' })).id;
    await upsertCashBalance(context, { company_id, as_of: '2026-11-25', balance_cents: 60_000_000, currency: 'USD' });
    const sent = async (connection_id: string, begin = random.integer(170)) => {
      const size = 10 ** (2 + random.integer(3));
      const rows = Array.from({ length: 20 }, (_, i) => ({
        external_id: `${i}`,
        connection_id,
        posted_at: new Date(Date.UTC(2026, 5, 1 + begin) + random.integer((177 - begin) * 86_400_000)).toISOString(),
        amount_cents: i % 4 === 0 ? 700 : -1 - random.integer(size),
        currency: random.integer(5) === 0 ? 'EUR' : 'USD',
        category: random.integer(6) === 0 ? 'internal_transfer' : 'rent',
      }));
      await ingestTransactions(context, { company_id, transactions: rows });
      return rows.map((row) => ({ ...row, id: connection_id + row.external_id }));
    };
    const first = await connect();
    const rows = await sent(first, 0);
    await disconnectConnection(context, { connection_id: first });
    const ids = [first, await connect(first), await connect(), ...(random.integer(2) === 0 ? ['label'] : [])];
    for (const id of ids.slice(1)) rows.push(...(await sent(id)));
    const historyFrom: Record<string, string> = {};
    for (const id of ids.slice(0, 3)) {
      if (random.integer(3) === 0) continue;
      historyFrom[id] = new Date(Date.UTC(2026, 5, 1 + random.integer(150))).toISOString().slice(0, 10);
      await promise(id, historyFrom[id]);
    }
    const { lines } = await getRunway(context, { company_id });
    const recomputed = recomputeRunway({
      balances: [{ connection_id: null, as_of: '2026-11-25', balance_cents: 60_000_000, currency: 'USD' }],
      transactions: rows,
      timezone,
      baseCurrency: 'USD',
      now: context.clock.now(),
      rules: rulesOf(await getSettings(context, { company_id })),
      disconnected: [first],
      replacing: [{ id: ids[1] ?? '', replaces: first }],
      historyFrom,
    });
    expect(lines.map(figuresOf), `seed ${seed}`).toEqual(recomputed);
    windows.add(lines[0]?.window.join() ?? '');
  }
  expect(windows.size).toBeGreaterThan(2);
});
