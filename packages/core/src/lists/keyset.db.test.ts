// Risk: a page reads all following rows, because a table that just grew has no statistics.
import { beforeAll, expect, test } from 'vitest';
import { useFixture } from '../../test/core-fixture.ts';
import { createCompany } from '../modules/companies/create.ts';
import { listCompanies } from '../modules/companies/read.ts';
import { listTransactions } from '../modules/financials/transactions/list.ts';

const ROWS = 20_000;
const LIMIT = 50;
const CONNECTIONS = 16;

const fixture = useFixture();
beforeAll(async () => {
  const { owner } = fixture.core.database;
  // Autovacuum would collect statistics at some moment of the test.
  await owner.query('ALTER TABLE bank_transaction SET (autovacuum_enabled = off)');
  await owner.query(
    `INSERT INTO bank_transaction (id, account_id, company_id, connection_id, external_id, posted_at, amount_cents,
       currency, currency_inferred, description, source, created_at)
     SELECT 'txn_' || lpad(i::text, 26, '0'), $1, $2, '', i::text, '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 minute',
       i, 'USD', false, '', 'api', now()
     FROM generate_series(1, $3::int) AS i`,
    [fixture.context.accountId, fixture.companyId, ROWS],
  );
});

/** Rows of the table fetched so far, by any plan. */
async function fetched(): Promise<number> {
  const { database } = fixture.core;
  // Connections report their counters at the end of the next statement.
  await Promise.all(Array.from({ length: CONNECTIONS }, () => database.query('SELECT pg_stat_force_next_flush()')));
  const [row] = await database.query<{ n: number }>(
    `SELECT (coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0))::int AS n FROM pg_stat_user_tables
     WHERE relname = 'bank_transaction'`,
  );
  return row?.n ?? 0;
}

test.each(['asc', 'desc'] as const)('a page %s of a table without statistics fetches its own rows', async (order) => {
  const { context, companyId } = fixture;
  const input = { company_id: companyId, limit: LIMIT, order };
  const first = await listTransactions(context, input);
  const before = await fetched();
  const second = await listTransactions(context, {
    ...input,
    ...(first.next_cursor ? { after: first.next_cursor } : {}),
  });
  expect(second.data).toHaveLength(LIMIT);
  expect((await fetched()) - before).toBeLessThan(3 * LIMIT);
});

test.each(['asc', 'desc'] as const)('pages %s contain every row once, forwards and backwards', async (order) => {
  const { context } = await fixture.otherAccount();
  for (let i = 0; i < 6; i++) await createCompany(context, { name: `Company ${i}` });
  const all = (await listCompanies(context, { limit: 100, order })).data.map(({ id }) => id);
  const read = async (cursor: object) => {
    const { data, has_more, next_cursor, prev_cursor } = await listCompanies(context, { limit: 3, order, ...cursor });
    return { ids: data.map(({ id }) => id), has_more, next: next_cursor ?? '', previous: prev_cursor ?? '' };
  };
  const rest = all.length % 3 || 3;
  const pages = [await read({})];
  while (pages.at(-1)?.has_more) pages.push(await read({ after: pages.at(-1)?.next }));
  expect(pages.flatMap(({ ids }) => ids)).toEqual(all);
  expect(pages.map(({ ids }) => ids.length)).toEqual([...pages.slice(1).map(() => 3), rest]);
  const back = [await read({ before: pages.at(-1)?.previous })];
  while (back[0]?.has_more) back.unshift(await read({ before: back[0].previous }));
  expect(back.flatMap(({ ids }) => ids)).toEqual(all.slice(0, -rest));
});
