// Risk: a runway has no flag although its rows have stopped arriving.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { createConnection } from '../../bank/connections/create.ts';
import { disconnectConnection } from '../../bank/connections/disconnect.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { getDataQuality } from './data-quality.ts';
import { getRunway } from './get-figures.ts';
import { updateSettings } from './settings.ts';
import { getSummary } from './summary.ts';

const THEN = '2026-03-20T15:00:00Z';
const clock = createTestClock(THEN);
const fixture = useFixture(clock);
const { context } = fixture;
let company_id: string;
const NOW = '2026-05-20T15:00:00Z';
beforeEach(async () => {
  clock.set(THEN);
  company_id = (await createCompany(context, { name: 'Flags Inc', timezone: 'America/New_York' })).id;
});

const post = (connection_id: string, days: readonly string[], currency = 'USD') =>
  ingestTransactions(context, {
    company_id,
    transactions: days.map((day) => ({
      external_id: day,
      posted_at: `${day}T12:00:00Z`,
      amount_cents: -100,
      currency,
      connection_id,
    })),
  });
const balance = (connection_id: string, currency = 'USD') =>
  upsertCashBalance(context, { company_id, as_of: '2026-05-20', balance_cents: 1_200, currency, connection_id });
const flagsOf = async (currency = 'USD') =>
  (await getRunway(context, { company_id })).lines.find((line) => line.currency === currency)?.flags;

const early = ['2026-01-15', '2026-02-10', '2026-03-10'];
const late = ['2026-04-10', '2026-05-19'];

test('a runway is stale when the transactions of a series that counts are, though its balance is fresh', async () => {
  await post('a', early);
  clock.set(NOW);
  await post('b', [...early, ...late], 'EUR');
  await balance('a');
  await balance('b', 'EUR');
  expect(await flagsOf()).toMatchObject({ stale: true, low_confidence: true });
  expect(await flagsOf('EUR')).toMatchObject({ stale: false, low_confidence: false });
  const { headline } = (await getSummary(context, { company_id })).runway;
  expect(headline?.flags).toMatchObject({ mixed_currency: true });
  await updateSettings(context, { company_id, excluded_connections: ['a'] });
  expect(await flagsOf('EUR')).toMatchObject({ stale: false, low_confidence: false });
});

test('transactions that stopped make the currency stale in which they were, also without a balance of theirs', async () => {
  await post('a', early);
  clock.set(NOW);
  await balance('cash');
  expect(await flagsOf()).toMatchObject({ stale: true });
});

test('a job that sends the same rows again is fresh, and the month that they leave empty of low confidence', async () => {
  await post('a', early);
  clock.set(NOW);
  await post('a', early);
  await balance('a');
  expect(await flagsOf()).toMatchObject({ stale: false, low_confidence: true });
  await post('a', late);
  expect(await flagsOf()).toMatchObject({ stale: false, low_confidence: false });
});

test('what the transactions of one currency do not explain is no flag of another', async () => {
  clock.set(NOW);
  for (const [connection_id, currency, spent] of [
    ['a', 'USD', 0],
    ['b', 'EUR', 1_000_000],
  ] as const) {
    const closing = { company_id, as_of: '2026-05-18', balance_cents: 1_300, currency, connection_id };
    await upsertCashBalance(context, { ...closing, as_of: '2026-04-10', balance_cents: 1_300 + spent });
    await upsertCashBalance(context, closing);
    await post(connection_id, late, currency);
    await balance(connection_id, currency);
  }
  expect(await flagsOf()).toMatchObject({ unexplained: false });
  expect(await flagsOf('EUR')).toMatchObject({ unexplained: true });
});

test('a connection that another one took over from is neither stale nor silent', async () => {
  const first = (await createConnection(context, { company_id, provider: 'ledger' })).id;
  await post(first, early);
  await disconnectConnection(context, { connection_id: first });
  clock.set(NOW);
  const second = (await createConnection(context, { company_id, provider: 'ledger', replaces: first })).id;
  await post(second, late);
  await balance(second);
  expect(await flagsOf()).toMatchObject({ stale: false, low_confidence: false });
});

const WHOLE = ['2026-01-15', '2026-02-10', '2026-03-10', '2026-04-10'];
const rows = (connection_id: string, days: readonly string[], amount_cents: number, category?: string) =>
  ingestTransactions(context, {
    company_id,
    transactions: days.map((day) => ({
      external_id: `${day} ${amount_cents}`,
      posted_at: `${day}T12:00:00Z`,
      amount_cents,
      currency: 'USD',
      connection_id,
      category,
    })),
  });
const headline = async () => (await getRunway(context, { company_id })).headline;

test('an account linked without its history that spends this month makes no bare “10+ years”', async () => {
  clock.set(NOW);
  await rows('petty', WHOLE, -1_000);
  await upsertCashBalance(context, { company_id, as_of: '2026-05-20', balance_cents: 600_000, currency: 'USD' });
  expect(await headline()).toMatchObject({ text: '10+ years', capped: true, confidence_reasons: [] });
  const days = Array.from({ length: 19 }, (_, i) => `2026-05-${String(i + 1).padStart(2, '0')}`);
  await rows('main', days, -10_000);
  await rows('main', days.slice(0, 3), -10_001);
  expect(await headline()).toMatchObject({
    text: '10+ years (low confidence)',
    flags: { low_confidence: true },
    confidence_reasons: [{ code: 'spending_jump', message: expect.stringContaining('no history before this month') }],
  });
});

test('a connection that takes over from another one has its history', async () => {
  clock.set(NOW);
  const first = (await createConnection(context, { company_id, provider: 'ledger' })).id;
  await rows(first, WHOLE, -1_000);
  await disconnectConnection(context, { connection_id: first });
  const second = (await createConnection(context, { company_id, provider: 'ledger', replaces: first })).id;
  await rows(second, ['2026-05-04'], -10_000);
  await balance(second);
  expect((await headline())?.confidence_reasons).toEqual([]);
});

test('an unclassified inflow is left out and doubted until it has a category', async () => {
  clock.set(NOW);
  await rows('a', WHOLE, -100_000);
  await rows('a', ['2026-03-12'], 500_000_000, 'Investors');
  await upsertCashBalance(context, { company_id, as_of: '2026-05-20', balance_cents: 600_000, currency: 'USD' });
  const warnings = async () => (await getDataQuality(context, { company_id })).warnings.map(({ code }) => code);
  expect(await headline()).toMatchObject({
    text: '6.0 months',
    net_burn_cents: 100_000,
    confidence_reasons: [{ code: 'large_inflow' }],
  });
  expect(await warnings()).toContain('large_inflow');
  await updateSettings(context, { company_id, excluded_inflow_categories: ['Investors'] });
  expect(await headline()).toMatchObject({ text: '6.0 months', net_burn_cents: 100_000, confidence_reasons: [] });
  expect(await warnings()).not.toContain('large_inflow');
});

test('an inflow of a connection that is left out, or within five times the median month, is not large', async () => {
  clock.set(NOW);
  await rows('a', WHOLE, -100_000);
  await rows('a', WHOLE, 20_000);
  await rows('a', ['2026-03-12'], 100_000);
  await rows('b', ['2026-03-12'], 900_000);
  await balance('a');
  expect((await headline())?.confidence_reasons).toMatchObject([{ code: 'large_inflow' }]);
  await updateSettings(context, { company_id, excluded_connections: ['b'] });
  expect((await headline())?.confidence_reasons).toEqual([]);
});

test('both sides of a suspected transfer are no large inflow unless the settings count them', async () => {
  clock.set(NOW);
  await rows('a', WHOLE, -100_000);
  await rows('b', WHOLE, 20_000);
  await rows('a', ['2026-03-12'], -900_000);
  await rows('b', ['2026-03-12'], 900_000);
  await balance('a');
  expect((await headline())?.confidence_reasons).toEqual([]);
  await updateSettings(context, { company_id, exclude_suspected_transfers: false });
  expect((await headline())?.confidence_reasons).toMatchObject([{ code: 'large_inflow' }]);
});
