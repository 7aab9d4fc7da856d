// Risk: a runway is believed although the rows that it stands on stopped coming.
import { createTestClock } from '@finhook/testing';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { type CoreFixture, openFixture } from '../../../test/core-fixture.ts';
import {
  type Context,
  createCompany,
  createConnection,
  disconnectConnection,
  getRunway,
  getSummary,
  ingestTransactions,
  updateSettings,
  upsertCashBalance,
} from '../../index.ts';

let fixture: CoreFixture;
let context: Context;
let company_id: string;
const THEN = '2026-03-20T15:00:00Z';
const NOW = '2026-05-20T15:00:00Z';
const clock = createTestClock(THEN);
beforeAll(async () => {
  fixture = await openFixture(inject('pgUrl'), clock);
  context = fixture.context;
});
beforeEach(async () => {
  clock.set(THEN);
  company_id = (await createCompany(context, { name: 'Flags Inc', timezone: 'America/New_York' })).id;
});
afterAll(() => fixture.close());

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

test('D41: a runway is stale when the transactions of a stream that counts are, though its balance is fresh', async () => {
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

test('money.md: a job that sends the same rows again is fresh, and the month that they leave empty of low confidence', async () => {
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
    const opening = { company_id, as_of: '2026-04-10', balance_cents: 1_300 + spent, currency, connection_id };
    await upsertCashBalance(context, opening);
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
