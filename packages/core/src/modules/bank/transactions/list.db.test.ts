// Risk: a reader who pages while rows arrive misses or repeats some, or a search text acts as a pattern.
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { readAll } from '../../../../test/read-all.ts';
import { createCompany } from '../../companies/create.ts';
import { ingestTransactions } from './ingest.ts';
import { getTransaction, listTransactions } from './read.ts';

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
const idsOf = (page: { data: { external_id: string }[] }) => page.data.map(({ external_id }) => external_id);

test.each(['asc', 'desc'] as const)(
  'C40: every row that was there at the start is returned once while others arrive (%s)',
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

test('C40: a page before a cursor is the page that stands before it', async () => {
  await post(
    Array.from({ length: 10 }, (_, i) => `p${i}`),
    (i) => day(i + 1),
  );
  const first = await list({ limit: 3 });
  const second = await list({ limit: 3, after: first.next_cursor ?? '' });
  expect([idsOf(first), idsOf(second)]).toEqual([
    ['p0', 'p1', 'p2'],
    ['p3', 'p4', 'p5'],
  ]);
  const back = await list({ limit: 2, before: second.next_cursor ?? '' });
  expect(idsOf(back)).toEqual(['p3', 'p4']);
  expect([first.has_more, (await list({ limit: 10 })).has_more]).toEqual([true, false]);
  expect((await list({ limit: 10 })).next_cursor).toBeNull();
  expect((await list({ limit: 3, include: 'total_count' })).total_count).toBe(10);
});

test.each(['x', Buffer.from('["not a time","id"]').toString('base64url')])(
  'a cursor that was made up is rejected: %s',
  async (after) => {
    await expect(list({ after })).rejects.toMatchObject({ code: 'invalid_cursor' });
  },
);

test('S33: wildcards, backslashes and quotes in q are plain characters', async () => {
  const texts = ['100% off', '100 off', 'a_b', 'axb', 'c\\d', 'cd', "it's", 'plain'];
  await ingestTransactions(context, {
    company_id: company,
    transactions: texts.map((description, i) => ({
      external_id: `q${i}`,
      posted_at: day(1),
      amount_cents: 1,
      description,
    })),
  });
  const found = async (q: string) => (await list({ q })).data.map(({ description }) => description);
  expect(await found('100%')).toEqual(['100% off']);
  expect(await found('%')).toEqual(['100% off']);
  expect(await found('a_b')).toEqual(['a_b']);
  expect(await found('\\')).toEqual(['c\\d']);
  expect(await found("'")).toEqual(["it's"]);
  expect(await found('PLAIN')).toEqual(['plain']);
  expect(await found('.*')).toEqual([]);
});

test('filters select by each of their fields, and none stands for no connection', async () => {
  await ingestTransactions(context, {
    company_id: company,
    transactions: [
      {
        external_id: 'in',
        posted_at: day(1),
        amount_cents: 500,
        connection_id: 'A',
        counterparty: 'Shop',
        currency: 'USD',
      },
      { external_id: 'out', posted_at: day(2), amount_cents: -500, category: 'rent', source: 'csv', currency: 'EUR' },
      { external_id: 'zero', posted_at: day(3), amount_cents: 0, currency: 'USD' },
    ],
  });
  const found = async (more: Partial<ListInput>) => idsOf(await list(more));
  expect(await found({ connection_id: 'A' })).toEqual(['in']);
  expect(await found({ connection_id: 'none' })).toEqual(['out', 'zero']);
  expect(await found({ direction: 'in' })).toEqual(['in']);
  expect(await found({ direction: 'out' })).toEqual(['out']);
  expect(await found({ currency: 'usd' })).toEqual(['in', 'zero']);
  expect(await found({ category: 'rent', source: 'csv' })).toEqual(['out']);
  expect(await found({ counterparty: 'Shop' })).toEqual(['in']);
  expect(await found({ external_id: 'zero' })).toEqual(['zero']);
  expect(await found({ min_amount_cents: 0 })).toEqual(['in', 'zero']);
  expect(await found({ max_amount_cents: 0 })).toEqual(['out', 'zero']);
  expect(await found({ posted_from: day(2), posted_to: day(3) })).toEqual(['out']);
  expect(await found({ created_to: day(1) })).toEqual([]);
});

test('a transaction is read as it was answered when it was posted', async () => {
  const answer = await post(['read'], () => '2026-02-01T00:00:00.5+01:00');
  const [posted] = answer.transactions;
  const read = await getTransaction(context, { company_id: company, transaction_id: posted?.id ?? '' });
  expect(read).toEqual({ ...posted, object: 'bank_transaction', account_id: context.accountId, company_id: company });
});
