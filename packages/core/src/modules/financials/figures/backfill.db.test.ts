// Risk: the first pages of a reconnected account replace its known history.
import { createTestClock } from '@finhook/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { type Provider, type ProviderPage, startProvider } from '../../../../test/start-provider.ts';
import { createConnection } from '../../bank/connections/create.ts';
import { disconnectConnection } from '../../bank/connections/disconnect.ts';
import { runSync } from '../../bank/connections/run-sync.ts';
import { setConnectionSecret } from '../../bank/connections/set-secret.ts';
import { requestSync } from '../../bank/connections/sync.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { createCompany } from '../../companies/create.ts';
import { getDataQuality } from './data-quality.ts';
import { getBurn, getMonthly, getRunway } from './get-figures.ts';
import { updateSettings } from './settings.ts';

const fixture = useFixture(createTestClock('2026-05-20T15:00:00Z'));
const { context } = fixture;
let company_id: string;
let providers: Provider[] = [];
const never = new AbortController().signal;
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Again Inc', timezone: 'America/New_York' })).id;
});
afterEach(async () => {
  await Promise.all(providers.map((provider) => provider.close()));
  providers = [];
});

const row = (month: string, amount_cents = -2_000_000) => ({
  external_id: month,
  posted_at: `${month}-10T12:00:00Z`,
  amount_cents,
  currency: 'USD',
});
const months = ['2025-12', '2026-01', '2026-02', '2026-03', '2026-04', '2026-05'];
/** A page per month, oldest first; the first page has the balance. */
const pagesOf = (amount?: number): ProviderPage[] => [
  { balances: [{ as_of: '2026-05-20', balance_cents: 12_000_000, currency: 'USD' }] },
  ...months.map((month) => ({ transactions: [row(month, amount)] })),
];

async function connect(pages: readonly ProviderPage[], replaces?: string) {
  const provider = await startProvider(pages);
  providers.push(provider);
  const config = { url: provider.url };
  const link = replaces === undefined ? {} : { replaces };
  const { id } = await createConnection(context, { company_id, provider: 'http', config, ...link });
  await setConnectionSecret(context, { connection_id: id, secret: 'token-of-the-provider' });
  return { id, provider };
}
async function reconnect(connection_id: string, pages: readonly ProviderPage[]) {
  await disconnectConnection(context, { connection_id });
  return connect(pages, connection_id);
}
async function sync(connection_id: string): Promise<void> {
  await runSync(fixture.core, (await requestSync(context, { connection_id })).id, never);
}
async function figures() {
  const { coverage_from, window, lines } = await getBurn(context, { company_id });
  const [runway] = (await getRunway(context, { company_id })).lines;
  return { coverage_from, window, lines, months: runway?.runway_months, lowConfidence: runway?.flags.low_confidence };
}
const replaced = async () => (await getBurn(context, { company_id })).replaced;

test('an account that is connected again burns as before until its backfill is complete, and then once', async () => {
  const first = await connect(pagesOf());
  await sync(first.id);
  const before = await figures();
  expect(before).toMatchObject({ months: 6, lowConfidence: false, lines: [{ net_burn_cents: 2_000_000 }] });
  const second = await reconnect(first.id, pagesOf());
  second.provider.break(3, { status: 503 });
  await sync(second.id);
  expect(await figures()).toEqual(before);
  const waiting = [{ connection_id: second.id, replaced_by: first.id, from: '2025-12-10', transactions: 2 }];
  expect(await replaced()).toEqual(waiting);
  expect(await getDataQuality(context, { company_id })).toMatchObject({ replaced: waiting });
  const [january] = (await getMonthly(context, { company_id, months: 5 })).months;
  expect(january?.flows).toMatchObject([
    { money_out_cents: 2_000_000, excluded_out_cents: 2_000_000, transactions: 2 },
  ]);
  second.provider.break(3, undefined);
  await requestSync(context, { connection_id: second.id });
  expect(await figures()).toEqual(before);
  await sync(second.id);
  expect(await figures()).toEqual(before);
  expect(await replaced()).toEqual([
    { connection_id: first.id, replaced_by: second.id, from: '2025-12-10', transactions: 6 },
  ]);
});

test.each([
  ['2026-03-01', ['2026-03', '2026-04']],
  [null, ['2026-04']],
])('an unfinished backfill says nothing of how far back the history goes (from %s)', async (historyFrom, window) => {
  const first = await connect([{ ...pagesOf()[0], transactions: [row('2026-03'), row('2026-04')] }]);
  await sync(first.id);
  await context.database.query('UPDATE bank_connection SET history_from = $2 WHERE id = $1', [first.id, historyFrom]);
  const before = await figures();
  expect(before).toMatchObject({ window });
  const second = await reconnect(first.id, pagesOf());
  second.provider.break(3, { status: 503 });
  await sync(second.id);
  expect(await figures()).toEqual(before);
});

test.each([
  [undefined, { coverage_from: '2026-04', window: ['2026-04'], lowConfidence: true }, 2_000_000],
  [
    '2025-11-02',
    { coverage_from: '2025-12', window: ['2026-02', '2026-03', '2026-04'], lowConfidence: false },
    1_333_333,
  ],
])(
  'months that a provider may no longer keep are not months without spending (it says %s)',
  async (from, known, net) => {
    const says = from === undefined ? {} : { history_from: from };
    const { id } = await connect([{ ...pagesOf()[0], ...says }, { transactions: [row('2026-03'), row('2026-04')] }]);
    await sync(id);
    expect(await figures()).toMatchObject({ ...known, lines: [{ net_burn_cents: net }] });
  },
);

test('an account that is connected again keeps its months, however few of them the provider gives again', async () => {
  const first = await connect(pagesOf());
  await sync(first.id);
  const { coverage_from, window, lines } = await figures();
  expect(window).toHaveLength(3);
  const second = await reconnect(first.id, pagesOf().slice(-1));
  await sync(second.id);
  expect(await figures()).toMatchObject({ coverage_from, window, lines });
});

test('a backfill that came to its end replaces although rows of it were rejected', async () => {
  const first = await connect(pagesOf());
  await sync(first.id);
  const unreadable = { transactions: [{ ...row('2026-05'), external_id: 'unreadable', amount_cents: 1.5 }] };
  const second = await reconnect(first.id, [...pagesOf(-1_000_000), unreadable]);
  await sync(second.id);
  expect(await figures()).toMatchObject({ months: 12, lines: [{ net_burn_cents: 1_000_000 }] });
  expect(await replaced()).toMatchObject([{ connection_id: first.id, replaced_by: second.id }]);
});

test('one whose backfill broke off stays left out when it is replaced in turn', async () => {
  const first = await connect(pagesOf());
  await sync(first.id);
  const before = await figures();
  const second = await reconnect(first.id, pagesOf(-7));
  second.provider.break(3, { status: 503 });
  await sync(second.id);
  const third = await reconnect(second.id, pagesOf(-1_000_000).slice(3));
  third.provider.break(1, { status: 503 });
  await sync(third.id);
  expect({ ...(await figures()), months: undefined }).toEqual({ ...before, months: undefined });
  third.provider.break(1, undefined);
  await sync(third.id);
  expect(await figures()).toMatchObject({ lines: [{ net_burn_cents: 1_000_000 }] });
  expect(await replaced()).toEqual([
    { connection_id: first.id, replaced_by: third.id, from: '2026-02-10', transactions: 4 },
    { connection_id: second.id, replaced_by: first.id, from: '2025-12-10', transactions: 2 },
  ]);
});

test('a row of an unfinished backfill is no side of a transfer', async () => {
  const first = await connect(pagesOf());
  await sync(first.id);
  const second = await reconnect(first.id, pagesOf(2_000_000));
  second.provider.break(6, { status: 503 });
  await sync(second.id);
  await updateSettings(context, { company_id, exclude_suspected_transfers: true });
  expect(await figures()).toMatchObject({ lines: [{ net_burn_cents: 2_000_000 }] });
  await ingestTransactions(context, { company_id, ...row('2026-04', 2_000_000), connection_id: 'savings' });
  const { suspected_transfers } = await getDataQuality(context, { company_id });
  expect(suspected_transfers).toMatchObject({ count: 1, latest: [{ out_connection_id: first.id }] });
});
