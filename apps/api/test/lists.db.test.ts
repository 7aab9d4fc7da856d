// Risk: a list leaves out, repeats or mixes up rows, and a sync that trusts it loses money.

import { type Operation, operations } from '@finhook/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Input } from './api-client.ts';
import { useApi } from './api-fixture.ts';
import { idsOf, type Page, readPage } from './read-pages.ts';
import { seedTenant } from './seed-tenant.ts';

const { bank, cash, events } = operations;
const fixture = useApi();
let company_id: string;

/** The tests of core cover all lists; here are a list by time, the same by amount, one by day, and the feed. */
const COUNT = 7;
const lists: { operation: Operation; input: () => Input; total: number; followable?: true }[] = [
  { operation: bank.transactions.list, input: () => ({ company_id }), total: COUNT },
  { operation: bank.transactions.list, input: () => ({ company_id, sort: 'amount_cents' }), total: COUNT },
  { operation: cash.balances.list, input: () => ({ company_id }), total: COUNT },
  { operation: events.list, input: () => ({ type: 'bank.balance.updated' }), total: COUNT, followable: true },
];

beforeAll(async () => {
  const { client } = fixture;
  company_id = fixture.companyId;
  for (let i = 0; i < COUNT; i++) {
    const day = `2026-01-${String(10 + Math.floor(i / 2))}`;
    const transaction = { external_id: `t${i}`, posted_at: `${day}T00:00:00Z`, amount_cents: i };
    await client.rest(bank.transactions.ingest, { company_id, ...transaction });
    const balance = { as_of: day, balance_cents: i, currency: 'USD', connection_id: `c${i % 2}` };
    await client.rest(cash.balances.upsert, { company_id, ...balance });
  }
  // Rows of another account.
  await seedTenant(await fixture.openTenant('Neighbour'));
});

const page = (operation: Operation, input: Input): Promise<Page> => readPage(fixture.client, operation, input);

test('a cursor of one list is invalid at another', async () => {
  for (const [i, given] of lists.entries()) {
    const { next_cursor } = await page(given.operation, { ...given.input(), limit: 1 });
    for (const other of [given, lists[(i + 1) % lists.length] ?? given]) {
      for (const side of ['after', 'before']) {
        const input = { ...other.input(), [side]: next_cursor };
        const { status, problem } = await fixture.client.rest(other.operation, input);
        const expected = other === given ? [200, undefined] : [400, 'invalid_cursor'];
        expect([status, problem.code], `${given.operation.id} at ${other.operation.id}`).toEqual(expected);
      }
    }
  }
});

describe.each(lists)('$operation.id', ({ operation, input, total, followable }) => {
  test('only the feed is ordered by time by default, and rows are counted on request', async () => {
    const whole = await page(operation, { ...input(), order: 'asc' });
    expect([idsOf(whole).length, whole.has_more, whole.total_count]).toEqual([total, false, undefined]);
    const counted = await page(operation, { ...input(), limit: 2, include: 'total_count' });
    expect(counted.total_count).toBe(total);
    const byDefault = idsOf(await page(operation, input()));
    expect(byDefault).toEqual(followable ? idsOf(whole) : idsOf(whole).reverse());
  });

  test('after=next_cursor is the next page and before=prev_cursor the previous one, and both end with null', async () => {
    for (const order of ['asc', 'desc']) {
      const all = idsOf(await page(operation, { ...input(), order }));
      for (const limit of [1, 2, 3, total]) {
        const at = (from: number): string[] => all.slice(from, from + limit);
        const isLast = (from: number): boolean => from + limit >= total;
        let shown = await page(operation, { ...input(), order, limit });
        let from = 0;
        for (; !isLast(from); from += limit) {
          expect([idsOf(shown), shown.has_more, shown.prev_cursor === null]).toEqual([at(from), true, from === 0]);
          shown = await page(operation, { ...input(), order, limit, after: shown.next_cursor });
        }
        expect([idsOf(shown), shown.has_more]).toEqual([at(from), false]);
        while (from > 0) {
          shown = await page(operation, { ...input(), order, limit, before: shown.prev_cursor });
          from -= limit;
          expect([idsOf(shown), shown.has_more]).toEqual([at(from), from > 0]);
          const next = await page(operation, { ...input(), order, limit, after: shown.next_cursor });
          expect(idsOf(next)).toEqual(at(from + limit));
        }
        expect(shown.prev_cursor).toBeNull();
      }
    }
  });

  test('the end of a list has no cursor, the end of the feed has one for later rows', async () => {
    const end = await page(operation, { ...input(), order: 'asc', limit: 200 });
    if (!followable) return expect(end.next_cursor).toBeNull();
    expect(end.next_cursor).toEqual(expect.any(String));
    const nothing = await page(operation, { ...input(), order: 'asc', after: end.next_cursor });
    const { next_cursor } = end;
    expect(nothing).toEqual({ object: 'list', data: [], has_more: false, next_cursor, prev_cursor: null });
  });

  test('a cursor of another list is 400 invalid_cursor; an invalid limit is 422', async () => {
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const foreign = [['a', 'b', 'c', 'd'], [1, 2], ['\0', '\0'], {}].map(encode);
    for (const cursor of ['x', '%%%', '', 'é', ...foreign]) {
      for (const side of ['after', 'before']) {
        const response = await fixture.client.rest(operation, { ...input(), [side]: cursor });
        expect([cursor, response.status, response.problem.code]).toEqual([cursor, 400, 'invalid_cursor']);
      }
    }
    const { next_cursor } = await page(operation, { ...input(), limit: 1 });
    const both = await fixture.client.rest(operation, { ...input(), after: next_cursor, before: next_cursor });
    expect([both.status, both.problem.code]).toEqual([400, 'invalid_cursor']);
    for (const limit of ['0', '201', '-1', '1.5', 'abc', '']) {
      const response = await fixture.client.rest(operation, { ...input(), limit });
      expect([limit, response.status, response.problem.errors?.[0]?.pointer]).toEqual([limit, 422, '/limit']);
    }
    expect((await fixture.client.rest(operation, { ...input(), order: 'up' })).status).toBe(422);
    expect((await fixture.client.rest(operation, { ...input(), include: 'everything' })).status).toBe(422);
  });
});

test('a query parameter is converted to the type of its field', async () => {
  const countOf = async (operation: Operation, filter: Input): Promise<number> =>
    (await page(operation, { company_id, ...filter })).data.length;
  expect(await countOf(bank.transactions.list, { min_amount_cents: 2, max_amount_cents: 4 })).toBe(3);
  expect(await countOf(bank.transactions.list, { posted_from: '2026-01-12T01:00:00+01:00' })).toBe(3);
  expect(await countOf(bank.transactions.list, { q: '%' })).toBe(0);
  expect(await countOf(cash.balances.list, { latest: true, currency: 'usd' })).toBe(2);
  const { client } = fixture;
  for (const bad of [{ type: 'no.such' }, { created_from: '2026-01-01' }, { company_id: '\0' }])
    expect((await client.rest(events.list, bad)).status).toBe(422);
  expect((await client.rest(operations.deliveries.list, { endpoint_id: 'we_unknown' })).problem.code).toBe('not_found');
});
