// Risk: settings change without an audit row or by the wrong key, or a figure and its event differ.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { readAudits } from '../../../../test/read-audits.ts';
import { figuresOf, recomputeRunway } from '../../../../test/recompute-runway.ts';
import { rulesOf } from '../../../../test/rules-of.ts';
import { createConnection } from '../../bank/connections/create.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { getCashOnHand } from '../../cash/cash-on-hand.ts';
import { getCashHistory } from '../../cash/history.ts';
import { createCompany } from '../../companies/create.ts';
import { getCompany } from '../../companies/read.ts';
import { getEvent } from '../../events/read.ts';
import { refreshRollup } from '../rollup/refresh-rollup.ts';
import { getDataQuality } from './data-quality.ts';
import { getBurn, getFreshness, getRunway } from './get-figures.ts';
import { getSettings, updateSettings } from './settings.ts';

const clock = createTestClock('2026-05-20T15:00:00Z');
const fixture = useFixture(clock);
const { context } = fixture;
let company: string;
beforeEach(async () => {
  clock.set('2026-05-20T15:00:00Z');
  company = (await createCompany(context, { name: 'Settings Inc' })).id;
});

const audits = () =>
  readAudits(context, { company_id: company, action: 'financials.settings.update' }, 'before', 'after');
const balance = (balance_cents: number, connection_id?: string, as_of = '2026-05-20') =>
  upsertCashBalance(context, {
    company_id: company,
    as_of,
    balance_cents,
    currency: 'USD',
    ...(connection_id === undefined ? {} : { connection_id }),
  });

test('without settings the service’s own lists hold; null goes back to them', async () => {
  const own = await getSettings(context, { company_id: company });
  expect(own).toMatchObject({
    excluded_categories: expect.arrayContaining(['internal_transfer', 'credit_card_payment']),
    excluded_connections: [],
    exclude_suspected_transfers: true,
    created_at: null,
  });
  const changed = await updateSettings(context, {
    company_id: company,
    excluded_categories: ['Own  Cards', 'own cards'],
  });
  expect(changed.excluded_categories).toEqual(['own_cards']);
  expect(changed.excluded_inflow_categories).toEqual(own.excluded_inflow_categories);
  const back = await updateSettings(context, { company_id: company, excluded_categories: null });
  expect(back.excluded_categories).toEqual(own.excluded_categories);
  expect(await getSettings(context, { company_id: company })).toEqual(back);
});

test('a change has one audit row; a repeat changes nothing and leaves none', async () => {
  const input = { company_id: company, excluded_connections: ['b', 'a', 'b'], exclude_suspected_transfers: false };
  const first = await updateSettings(context, input);
  clock.advance(60_000);
  expect(await updateSettings(context, input)).toEqual(first);
  expect(await updateSettings(context, { company_id: company })).toEqual(first);
  expect(first.excluded_connections).toEqual(['a', 'b']);
  expect(await audits()).toMatchObject([
    { before: { excluded_connections: [] }, after: { excluded_connections: ['a', 'b'] } },
  ]);
});

test('two changes at once keep both', async () => {
  await Promise.all([
    updateSettings(context, { company_id: company, excluded_connections: ['a'] }),
    updateSettings(context, { company_id: company, exclude_suspected_transfers: false }),
    updateSettings(context, { company_id: company, excluded_categories: ['x'] }),
  ]);
  expect(await getSettings(context, { company_id: company })).toMatchObject({
    excluded_connections: ['a'],
    exclude_suspected_transfers: false,
    excluded_categories: ['x'],
  });
  expect(await audits()).toHaveLength(3);
});

test('a connection that is left out counts in no cash figure, and the event of a post says the same', async () => {
  await balance(100, 'a');
  await balance(30, 'b');
  await balance(7);
  await updateSettings(context, { company_id: company, excluded_connections: ['b', 'none'] });
  const onHand = await getCashOnHand(context, { company_id: company });
  expect(onHand).toMatchObject({ headline: { balance_cents: 100 }, lines: [{ streams: 1 }], warnings: [] });
  expect(onHand.excluded.map(({ connection_id, reason }) => [connection_id, reason])).toEqual([
    [null, 'user'],
    ['b', 'user'],
  ]);
  for (const [cents, id] of [
    [31, 'b'],
    [8, undefined],
    [101, 'a'],
  ] as const) {
    const { event_id } = await balance(cents, id);
    const reported = (await getEvent(context, { event_id })).data['cash_on_hand'];
    const { headline } = await getCashOnHand(context, { company_id: company });
    expect(reported).toEqual([headline]);
  }
});

test('history carries the newest balance forward and begins with a series’s first', async () => {
  await balance(10, 'a', '2026-05-15');
  await balance(12, 'a', '2026-05-18');
  await balance(5, 'b', '2026-05-17');
  await balance(6, 'b', '2026-05-21');
  const { from, to, lines, streams } = await getCashHistory(context, { company_id: company, days: 5 });
  expect([from, to]).toEqual(['2026-05-16', '2026-05-20']);
  expect(lines[0]?.points.map((point) => [point.date, point.balance_cents, point.streams])).toEqual([
    ['2026-05-16', 10, 1],
    ['2026-05-17', 15, 2],
    ['2026-05-18', 17, 2],
    ['2026-05-19', 17, 2],
    ['2026-05-20', 18, 2],
  ]);
  expect(streams.map(({ connection_id, points }) => [connection_id, points.length])).toEqual([
    ['a', 5],
    ['b', 4],
  ]);
  const { headline } = await getCashOnHand(context, { company_id: company });
  expect(headline?.balance_cents).toBe(18);
});

const row = { external_id: 'x', posted_at: '2026-05-19T12:00:00Z', amount_cents: -5 };

test('freshness: rows that are all known count as an arrival', async () => {
  await ingestTransactions(context, { company_id: company, transactions: [{ ...row, connection_id: 'a' }] });
  clock.advance(3_600_000);
  const gradeOf = async () => (await getFreshness(context, { company_id: company })).streams[0]?.transactions;
  expect(await gradeOf()).toMatchObject({ grade: 'late', missed_intervals: 4 });
  await ingestTransactions(context, { company_id: company, transactions: [{ ...row, connection_id: 'a' }] });
  expect(await gradeOf()).toMatchObject({ grade: 'fresh', last_received_at: '2026-05-20T16:00:00.000Z' });
});

test('a skipped row with another content is remembered once, with how often and what differs', async () => {
  await ingestTransactions(context, { company_id: company, ...row });
  for (const amount_cents of [-6, -5, -7])
    await ingestTransactions(context, { company_id: company, ...row, amount_cents });
  const { changed_duplicates, issues } = await getDataQuality(context, { company_id: company });
  expect(changed_duplicates).toMatchObject({
    count: 1,
    latest: [{ external_id: 'x', connection_id: null, differs: ['amount_cents'], times: 2 }],
  });
  expect(issues).toBe(1);
});

test('a skipped row with another content is counted and listed for thirty days', async () => {
  await ingestTransactions(context, { company_id: company, ...row });
  await ingestTransactions(context, { company_id: company, ...row, amount_cents: -6 });
  const seen = async () => {
    const { count, latest } = (await getDataQuality(context, { company_id: company })).changed_duplicates;
    return [count, latest.length];
  };
  clock.advance(29 * 86_400_000);
  expect(await seen()).toEqual([1, 1]);
  clock.advance(2 * 86_400_000);
  expect(await seen()).toEqual([0, 0]);
});

test('suspected transfers have both sides', async () => {
  const transactions = [
    { ...row, external_id: 'o', amount_cents: -500, connection_id: 'a' },
    { ...row, external_id: 'i', amount_cents: 500, connection_id: 'b' },
  ];
  await ingestTransactions(context, { company_id: company, transactions });
  const { suspected_transfers } = await getDataQuality(context, { company_id: company });
  expect(suspected_transfers).toMatchObject({
    excluded: true,
    count: 1,
    truncated: false,
    latest: [{ amount_cents: 500, out_connection_id: 'a', in_connection_id: 'b' }],
  });
});

test('an account that is left out does not say how far back the history of the others goes', async () => {
  const spend = (posted_at: string, connection_id: string) => ({
    external_id: posted_at,
    posted_at,
    amount_cents: -3_000_000,
    currency: 'USD',
    connection_id,
  });
  const personal = [spend('2024-01-05T12:00:00Z', 'personal')];
  const operating = ['2026-03-20', '2026-04-20', '2026-05-02'].map((day) => spend(`${day}T12:00:00Z`, 'operating'));
  const { timezone } = await getCompany(context, { company_id: company });
  const settings = await updateSettings(context, { company_id: company, excluded_connections: ['personal'] });
  const recomputed = (transactions: typeof personal) =>
    recomputeRunway({
      balances: [{ connection_id: 'operating', as_of: '2026-05-20', balance_cents: 12_000_000, currency: 'USD' }],
      transactions: transactions.map((item) => ({ ...item, id: item.external_id, category: null })),
      timezone,
      baseCurrency: 'USD',
      now: clock.now(),
      rules: rulesOf(settings),
      disconnected: [],
    });
  const lines = async () => (await getRunway(context, { company_id: company })).lines.map(figuresOf);
  await balance(12_000_000, 'operating');
  await ingestTransactions(context, { company_id: company, transactions: personal });
  expect(await lines()).toMatchObject([{ status: 'no_transactions' }]);
  expect(await lines()).toEqual(recomputed(personal));
  await ingestTransactions(context, { company_id: company, transactions: operating });
  expect(await getBurn(context, { company_id: company })).toMatchObject({
    coverage_from: '2026-04',
    lines: [{ net_burn_cents: 3_000_000 }],
  });
  expect(await lines()).toEqual(recomputed([...personal, ...operating]));
});

test('a history that a connection promises is not doubted for an account that is left out', async () => {
  const connect = async () => (await createConnection(context, { company_id: company, provider: 'ledger' })).id;
  const [known, unknown] = [await connect(), await connect()];
  for (const connection_id of [known, unknown, 'personal']) {
    const transaction = { external_id: '1', posted_at: '2026-04-20T12:00:00Z', amount_cents: -1, connection_id };
    await ingestTransactions(context, { company_id: company, transactions: [transaction] });
  }
  await context.database.query("UPDATE bank_connection SET history_from = '2026-01-01' WHERE id = $1", [known]);
  const coverage = async (...excluded_connections: string[]) => {
    await updateSettings(context, { company_id: company, excluded_connections });
    return (await getBurn(context, { company_id: company })).coverage_from;
  };
  expect(await coverage(unknown)).toBe('2026-05');
  expect(await coverage('personal')).toBe('2026-05');
  for (const _ of ['before', 'after']) {
    expect(await coverage(unknown, 'personal')).toBe('2026-01');
    const { timezone } = await getCompany(context, { company_id: company });
    await refreshRollup(context, { companyId: company, timezone });
  }
});
