// Risk: a reader who pages while rows arrive misses or repeats some, or in an order by amount; or a cursor of another order
// is read as a value of this one.
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { readAll } from '../../../../test/read-all.ts';
import { createCompany } from '../../companies/create.ts';
import { listTransactions } from '../../financials/transactions/list.ts';
import { ingestTransactions } from './ingest.ts';
import { getTransaction } from './transaction.ts';

type ListInput = Parameters<typeof listTransactions>[1];

const fixture = useFixture();
const { context } = fixture;
let company: string;
beforeEach(async () => {
  company = (await createCompany(context, { name: 'List Inc' })).id;
});

const day = (n: number) => `2026-02-${String(n).padStart(2, '0')}T12:00:00Z`;
const post = (ids: readonly string[], at: (i: number) => string) =>
  ingestTransactions(context, {
    company_id: company,
    transactions: ids.map((external_id, i) => ({ external_id, posted_at: at(i), amount_cents: i + 1 })),
  });
const list = (more: Partial<ListInput> = {}) =>
  listTransactions(context, { company_id: company, limit: 200, order: 'asc', ...more });

test.each(['asc', 'desc'] as const)(
  'every row that was there at the start is returned once while others arrive (%s)',
  async (order) => {
    const start = Array.from({ length: 90 }, (_, i) => `s${i}`);
    // Many rows share a time, so that the id decides between them.
    await post(start, (i) => day(5 + (i % 7)));
    let round = 0;
    const seen = await readAll(async (after) => {
      const page = await list({ limit: 7, order, ...(after === undefined ? {} : { after }) });
      round += 1;
      await post([`n${round}a`, `n${round}b`, `n${round}c`], (i) => day([1, 8, 28][i] ?? 8));
      return page;
    });
    const names = seen.map(({ external_id }) => external_id);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.startsWith('s')).toSorted()).toEqual(start.toSorted());
  },
);

test('a transaction is returned as in the response that stored it', async () => {
  const answer = await post(['read'], () => '2026-02-01T00:00:00.5+01:00');
  const [posted] = answer.transactions;
  const read = await getTransaction(context, { company_id: company, transaction_id: posted?.id ?? '' });
  expect(read).toEqual({ ...posted, object: 'bank_transaction', account_id: context.accountId, company_id: company });
});

const LIMIT = Number.MAX_SAFE_INTEGER;
// Few amounts, so that the id decides between rows; 2026 01 01 is a day, too.
const amounts = fc.constantFrom(-LIMIT, -20_260_101, -1, 0, 1, 9, 10, 20_260_101, LIMIT);

test('pages by amount have each row once, sorted by signed amount and id, in both directions', async () => {
  const given = fc.array(fc.record({ amount_cents: amounts, currency: fc.constantFrom('USD', 'JPY') }), {
    minLength: 1,
    maxLength: 40,
  });
  const orders = fc.record({
    order: fc.constantFrom('asc' as const, 'desc' as const),
    limit: fc.integer({ min: 1, max: 12 }),
    currency: fc.constantFrom(undefined, 'USD', 'JPY'),
  });
  await fc.assert(
    fc.asyncProperty(given, orders, async (rows, { order, limit, currency }) => {
      company = (await createCompany(context, { name: 'Sorted Inc' })).id;
      const transactions = rows.map((row, i) => ({ ...row, external_id: `r${i}`, posted_at: day(1 + ((i * 5) % 9)) }));
      const stored = (await ingestTransactions(context, { company_id: company, transactions })).transactions;
      const expected = stored
        .filter((row) => currency === undefined || row.currency === currency)
        .toSorted((a, b) => a.amount_cents - b.amount_cents || (a.id < b.id ? -1 : 1))
        .map(({ id }) => id);
      if (order === 'desc') expected.reverse();
      const read = (cursor: object) => list({ sort: 'amount_cents', order, limit, currency, ...cursor });
      const pages = [await read({})];
      for (let last = pages[0]; last?.next_cursor != null; ) {
        last = await read({ after: last.next_cursor });
        pages.push(last);
      }
      expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(expected);
      const before = pages.at(-1)?.prev_cursor;
      if (before == null) return;
      const start = expected.length - (pages.at(-1)?.data.length ?? 0);
      const back = (await read({ before })).data.map(({ id }) => id);
      expect(back).toEqual(expected.slice(Math.max(0, start - limit), start));
    }),
    { numRuns: 25 },
  );
});

test('a cursor of one order is refused for the other, even if its amount could be a day', async () => {
  await post(['a', 'b'], () => day(1));
  await ingestTransactions(context, {
    company_id: company,
    transactions: [{ external_id: 'c', posted_at: day(2), amount_cents: 20_260_101 }],
  });
  const byTime = await list({ limit: 1 });
  const byAmount = await list({ limit: 1, sort: 'amount_cents', order: 'desc' });
  for (const at of ['after', 'before'])
    for (const [{ next_cursor: cursor }, sort] of [
      [byTime, 'amount_cents'],
      [byAmount, 'posted_at'],
      [byAmount, undefined],
    ] as const) {
      expect(cursor).not.toBeNull();
      const page = list({ [at]: cursor, sort });
      await expect(page).rejects.toMatchObject({ code: 'invalid_cursor' });
    }
});
