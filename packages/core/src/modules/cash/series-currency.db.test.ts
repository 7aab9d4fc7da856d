// Risk: the money of two accounts is stored under one connection without a warning.
import type { Warning } from '@finhook/contracts';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { ingestTransactions } from '../bank/transactions/ingest.ts';
import { createCompany } from '../companies/create.ts';
import { upsertCashBalance } from './balances/upsert.ts';

const fixture = useFixture();
const { context } = fixture;
let company: string;
beforeEach(async () => {
  company = (await createCompany(context, { name: 'Currencies Inc', base_currency: 'USD' })).id;
});

const balance = (currency: string, as_of = '2026-03-01', more: { connection_id?: string; dry_run?: boolean } = {}) =>
  upsertCashBalance(context, { company_id: company, as_of, balance_cents: 1, currency, connection_id: 'A', ...more });
let ids = 0;
const row = (currency: string | null, posted_at = '2026-03-01T12:00:00Z', connection_id: string | null = 'A') => {
  ids += 1;
  return { external_id: `r${ids}`, posted_at, amount_cents: ids, currency, connection_id };
};
const rows = (transactions: ReturnType<typeof row>[], more: { dry_run?: boolean } = {}) =>
  ingestTransactions(context, { company_id: company, transactions, ...more });
const daysAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const seen = ({ warnings = [] }: { warnings?: readonly Warning[] | undefined }) =>
  warnings.filter(({ code }) => code === 'currency_changed').map((one) => [one.pointer, one.stored_currency]);

test('a balance in another currency than the newest one of its connection has a warning with the stored one', async () => {
  expect(seen(await balance('EUR'))).toEqual([]);
  expect(seen(await balance('USD', '2026-03-01', { dry_run: true }))).toEqual([['/currency', 'EUR']]);
  expect(seen(await balance('USD', '2026-02-01'))).toEqual([['/currency', 'EUR']]);
  expect(seen(await balance('USD'))).toEqual([['/currency', 'EUR']]);
  expect(seen(await balance('USD'))).toEqual([]);
  expect(seen(await balance('EUR', '2026-03-01', { connection_id: 'B' }))).toEqual([]);
});

test('rows in another currency have one warning per connection and currency, at the first of them', async () => {
  await balance('EUR');
  await balance('JPY', '2026-03-01', { connection_id: 'B' });
  const sent = [
    row('EUR'),
    row('USD'),
    row('USD'),
    row('GBP'),
    row('JPY', undefined, 'B'),
    row('EUR', undefined, 'B'),
    row(null),
  ];
  const expected = [
    ['/transactions/1/currency', 'EUR'],
    ['/transactions/3/currency', 'EUR'],
    ['/transactions/5/currency', 'JPY'],
  ];
  expect(seen(await rows(sent, { dry_run: true }))).toEqual(expected);
  expect(seen(await rows(sent))).toEqual(expected);
  // They are known by their IDs and not stored.
  expect(seen(await rows(sent))).toEqual([]);
});

test('without a balance the newest row determines the currency', async () => {
  await rows([row('EUR'), row('GBP', '2026-02-01T12:00:00Z')]);
  expect(seen(await rows([row('GBP', '2026-04-01T12:00:00Z')]))).toEqual([['/transactions/0/currency', 'EUR']]);
  expect(seen(await rows([row('EUR')]))).toEqual([['/transactions/0/currency', 'GBP']]);
  expect(seen(await balance('EUR', '2026-01-01', { dry_run: true }))).toEqual([['/currency', 'GBP']]);
  expect(seen(await balance('EUR', '2026-01-01'))).toEqual([['/currency', 'GBP']]);
  expect(seen(await rows([row('EUR')]))).toEqual([]);
});

test('rows and balances after tomorrow do not count', async () => {
  await rows([row('EUR'), row('GBP', daysAhead(5))]);
  await balance('GBP', daysAhead(5).slice(0, 10));
  expect(seen(await rows([row('EUR')]))).toEqual([]);
  expect(seen(await balance('GBP'))).toEqual([['/currency', 'EUR']]);
});

test('rows known by their content get the warning too, and rows without a connection are a series', async () => {
  const euro = row('EUR', undefined, null);
  await rows([euro, row('USD', '2026-03-05T12:00:00Z', null)]);
  const known = await ingestTransactions(context, { company_id: company, match: 'content', ...euro, dry_run: true });
  expect([known.skipped, seen(known)]).toEqual([1, [['/currency', 'USD']]]);
});
