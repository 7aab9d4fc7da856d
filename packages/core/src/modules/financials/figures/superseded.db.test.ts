// Risk: a reconnected account counts twice, so that burn doubles, or not at all.
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
import { getDataQuality } from './data-quality.ts';
import { getBurn, getMonthly, getRunway } from './get-figures.ts';
import { getSettings, updateSettings } from './settings.ts';
import { getSummary } from './summary.ts';

const clock = createTestClock('2026-05-20T15:00:00Z');
const fixture = useFixture(clock);
const { context } = fixture;
let company_id: string;
const TIMEZONE = 'America/New_York';
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Again Inc', timezone: TIMEZONE })).id;
});

interface Row {
  external_id: string;
  posted_at: string;
  amount_cents: number;
  category?: string;
}

const connect = async (replaces?: string, provider = 'ledger') =>
  (await createConnection(context, { company_id, provider, ...(replaces === undefined ? {} : { replaces }) })).id;
/** Disconnects a connection and connects its account again. */
async function reconnect(connection_id: string, provider?: string): Promise<string> {
  await disconnectConnection(context, { connection_id });
  return connect(connection_id, provider);
}
const ingest = (connection_id: string, rows: readonly Row[]) =>
  ingestTransactions(context, {
    company_id,
    transactions: rows.map((row) => ({ ...row, connection_id, currency: 'USD' })),
  });
const row = (posted_at: string, amount_cents: number): Row => ({
  external_id: `${posted_at}${amount_cents}`,
  posted_at,
  amount_cents,
});
const steady = ['2026-01-15', '2026-02-10', '2026-03-10', '2026-04-10'].map((day) =>
  row(`${day}T12:00:00Z`, -2_000_000),
);
const balance = (connection_id: string, balance_cents: number) =>
  upsertCashBalance(context, { company_id, as_of: '2026-05-20', balance_cents, currency: 'USD', connection_id });
const runway = async () => (await getRunway(context, { company_id })).lines[0];
const burn = () => getBurn(context, { company_id });
const outOf = async (month: string) =>
  (await getMonthly(context, { company_id, months: 6 })).months.find((item) => item.month === month)?.flows[0];

test('an account that is connected again and sends its history again burns once', async () => {
  const first = await connect();
  await ingest(first, steady);
  const second = await reconnect(first);
  await balance(second, 12_000_000);
  expect(await runway()).toMatchObject({ runway_months: 6 });
  expect((await burn()).replaced).toEqual([]);
  await ingest(second, steady);
  expect(await runway()).toMatchObject({ runway_months: 6, net_burn_cents: 2_000_000, gross_burn_cents: 2_000_000 });
  const replaced = [{ connection_id: first, replaced_by: second, from: '2026-01-15', transactions: 4 }];
  expect(await burn()).toMatchObject({ replaced, lines: [{ net_burn_cents: 2_000_000 }] });
  expect(await getDataQuality(context, { company_id })).toMatchObject({ replaced });
  expect((await getSummary(context, { company_id })).burn).toMatchObject({ replaced });
  expect(await outOf('2026-03')).toMatchObject({ money_out_cents: 2_000_000, excluded_out_cents: 2_000_000 });
});

test('rows of a replaced connection count before the local day of its successor’s first row', async () => {
  const first = await connect();
  const rows = ['2026-03-09T12:00:00Z', '2026-03-11T03:59:59Z', '2026-03-11T04:00:00Z', '2026-04-02T12:00:00Z'];
  await ingest(
    first,
    rows.map((at, i) => row(at, -(10 ** i))),
  );
  const second = await reconnect(first);
  await ingest(second, [row('2026-03-11T20:00:00Z', -50_000)]);
  for (const _ of ['before', 'after']) {
    expect(await outOf('2026-03')).toMatchObject({ money_out_cents: 50_011, excluded_out_cents: 100, transactions: 4 });
    expect(await outOf('2026-04')).toMatchObject({ money_out_cents: 0, excluded_out_cents: 1_000 });
    await refreshRollup(context, { companyId: company_id, timezone: TIMEZONE });
  }
});

test('an excluded successor replaces no account', async () => {
  const first = await connect();
  await ingest(first, steady);
  const second = await reconnect(first);
  await ingest(second, steady);
  await updateSettings(context, { company_id, excluded_connections: [second] });
  expect(await burn()).toMatchObject({ replaced: [], lines: [{ net_burn_cents: 2_000_000 }] });
});

test('a replaced row is no side of a transfer: its successor’s row is', async () => {
  const first = await connect();
  const payment = row('2026-04-10T12:00:00Z', -700);
  await ingest(first, [row('2026-01-15T12:00:00Z', -1), payment]);
  const second = await reconnect(first);
  await ingest(second, [payment]);
  await ingest(await connect(), [row('2026-04-11T12:00:00Z', 700)]);
  await updateSettings(context, { company_id, exclude_suspected_transfers: true });
  expect(await outOf('2026-04')).toMatchObject({
    money_in_cents: 0,
    money_out_cents: 0,
    excluded_in_cents: 700,
    excluded_out_cents: 1_400,
  });
  const { suspected_transfers } = await getDataQuality(context, { company_id });
  expect(suspected_transfers).toMatchObject({ count: 1, latest: [{ out_connection_id: second }] });
});

test.each([1, 2, 3, 4, 5, 6])('with reconnected accounts, runway matches that of the rows (seed %i)', async (seed) => {
  const random = createTestRandom(seed);
  const rowsFrom = (day: number): Row[] =>
    Array.from({ length: 25 }, (_, i) => ({
      ...row(new Date(Date.UTC(2026, 0, day) + random.integer((145 - day) * 86_400_000)).toISOString(), 0),
      external_id: `t${i}`,
      amount_cents: random.integer(12) === 0 ? 400 : random.integer(600) - 500,
      category: random.integer(5) === 0 ? 'transfer' : 'rent',
    }));
  const first = await connect();
  const sent = [{ id: first, replaces: '', waiting: false, rows: rowsFrom(1) }];
  await ingest(first, sent[0]?.rows ?? []);
  await balance(first, 1_000);
  for (let id = first, i = 0; i < 3; i++) {
    if (random.integer(2) === 0) await burn();
    const waiting = random.integer(3) === 0;
    const next = await reconnect(id, waiting ? 'sandbox' : 'ledger');
    const rows = random.integer(3) === 0 ? [] : rowsFrom(1 + random.integer(100));
    sent.push({ id: next, replaces: id, waiting, rows });
    await ingest(next, sent.at(-1)?.rows ?? []);
    await balance(next, 20_000);
    id = next;
  }
  const other = await connect();
  sent.push({ id: other, replaces: '', waiting: false, rows: rowsFrom(1) });
  await ingest(other, sent.at(-1)?.rows ?? []);
  await balance(other, 3_000);
  const excluded = seed % 3 === 0 ? [sent[2]?.id ?? ''] : [];
  await updateSettings(context, {
    company_id,
    excluded_connections: excluded,
    exclude_suspected_transfers: seed % 2 === 0,
  });
  const settings = await getSettings(context, { company_id });
  const recomputed = recomputeRunway({
    balances: sent.map(({ id }, i) => ({
      connection_id: id,
      as_of: '2026-05-20',
      balance_cents: [1_000, 20_000, 20_000, 20_000, 3_000][i] ?? 0,
      currency: 'USD',
    })),
    transactions: sent.flatMap(({ id, rows }) =>
      rows.map((item) => ({
        ...item,
        id: id + item.external_id,
        connection_id: id,
        currency: 'USD',
        category: item.category ?? null,
      })),
    ),
    timezone: TIMEZONE,
    baseCurrency: 'USD',
    now: clock.now(),
    rules: rulesOf(settings),
    disconnected: sent.slice(0, 3).map(({ id }) => id),
    replacing: sent.filter(({ replaces }) => replaces !== ''),
  });
  const { lines } = await getRunway(context, { company_id });
  expect(lines.map(figuresOf)).toEqual(recomputed);
  expect(lines).toMatchObject([{ cash_cents: 23_000, runway_months: expect.any(Number) }]);
});
