// Risk: stored sums contain rows that do not exist, or miss rows whose events are deleted.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { createConnection } from '../../bank/connections/create.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { createCompany } from '../../companies/create.ts';
import { testEndpoint } from '../../events/test-endpoint.ts';
import { createEndpoint } from '../../webhooks/create.ts';
import { getBurn, getMonthly } from '../figures/get-figures.ts';
import { refreshRollup } from './refresh-rollup.ts';

const NOW = '2026-05-20T15:00:00Z';
const clock = createTestClock(NOW);
const fixture = useFixture(clock);
const { context } = fixture;
let company_id: string;
const DAY = 86_400_000;
beforeEach(async () => {
  clock.set(NOW);
  company_id = (await createCompany(context, { name: 'Sums Inc', timezone: 'UTC' })).id;
});

const post = (connection_id: string, days: readonly string[]) =>
  ingestTransactions(context, {
    company_id,
    transactions: days.map((day) => ({
      external_id: day,
      posted_at: `${day}T12:00:00Z`,
      amount_cents: -100,
      currency: 'USD',
      connection_id,
    })),
  });
const steady = ['2026-01-15', '2026-02-10', '2026-03-10', '2026-04-10'];
const refresh = () => refreshRollup(context, { companyId: company_id, timezone: 'UTC' });
const monthly = () => getMonthly(context, { company_id, months: 6 });
const burn = () => getBurn(context, { company_id });
const coverageFrom = async () => (await burn()).coverage_from;
const connect = async (history_from: string | null) => {
  const { id } = await createConnection(context, { company_id, provider: 'ledger' });
  await context.database.query('UPDATE bank_connection SET history_from = $2 WHERE id = $1', [id, history_from]);
  return id;
};

test('a test send of transactions is in no figure, before and after the sums are brought up to date', async () => {
  await post('a', steady);
  const before = [await monthly(), await burn()];
  const url = 'http://127.0.0.1:9/hook';
  const { id } = await createEndpoint(context, { url, company_id, events: ['bank.transaction.posted'] });
  await testEndpoint(context, { endpoint_id: id });
  expect([await monthly(), await burn()]).toEqual(before);
  await refresh();
  expect([await monthly(), await burn()]).toEqual(before);
});

test('months are covered since all connections have history, or since the first row if one has none', async () => {
  for (const history of ['2025-10-15', '2025-11-10']) await post(await connect(history), steady);
  expect(await coverageFrom()).toBe('2025-12');
  const silent = await connect(null);
  expect(await coverageFrom()).toBe('2025-12');
  await post(silent, steady);
  expect(await coverageFrom()).toBe('2026-02');
});

test('rows under a label, whose history is unknown, make coverage begin after the first row', async () => {
  await post(await connect('2025-11-10'), steady);
  expect(await coverageFrom()).toBe('2025-12');
  await post('label', ['2026-03-03']);
  for (const _ of ['before', 'after']) {
    expect(await coverageFrom()).toBe('2026-02');
    await refresh();
  }
});

test('sums that were unread for a month are rebuilt from the rows, because their events may be deleted', async () => {
  await post('a', steady);
  await burn();
  await post('a', ['2026-04-11']);
  const events = `DELETE FROM event WHERE company_id = $1 AND type = 'bank.transaction.posted'`;
  await fixture.core.database.owner.query(events, [company_id]);
  clock.advance(31 * DAY);
  const counted = async () => (await monthly()).months.flatMap(({ flows }) => flows.map((flow) => flow.transactions));
  expect(await counted()).toEqual([1, 1, 1, 2]);
  expect(await counted()).toEqual([1, 1, 1, 2]);
});
