// Risk: a reader who pages while rows arrive misses or repeats some, or a search text is used as a pattern.
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
