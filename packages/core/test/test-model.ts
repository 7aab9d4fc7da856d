import { createTestClock, createTestRandom, type TestRandom } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ingestTransactions } from '../src/modules/bank/transactions/ingest.ts';
import { listCashBalances } from '../src/modules/cash/balances/read.ts';
import { upsertCashBalance } from '../src/modules/cash/balances/upsert.ts';
import { getCashOnHand } from '../src/modules/cash/cash-on-hand.ts';
import { createCompany } from '../src/modules/companies/create.ts';
import { listCompanies } from '../src/modules/companies/read.ts';
import { listSnapshots } from '../src/modules/financials/statements/read.ts';
import { upsertSnapshot } from '../src/modules/financials/statements/upsert.ts';
import { listTransactions } from '../src/modules/financials/transactions/list.ts';
import type { Context } from '../src/verbs/context.ts';
import {
  addTransactions,
  type CompanyModel,
  cashOf,
  newCompanyModel,
  putBalance,
  putSnapshot,
} from './company-model.ts';
import { type CoreFixture, openFixture } from './core-fixture.ts';
import { readAll, readFeed } from './read-all.ts';

const LANES = 4;
const TODAY = '2026-01-15';
/** Cash accepts balances up to tomorrow: it has begun in some time zone. */
const TOMORROW = '2026-01-16';
const connections = [null, 'A', 'a', 'B'];
const currencies = ['USD', 'EUR', 'JPY'];
const types = ['income', 'balance', 'cashflow'] as const;

/** One client, the only writer of its companies. */
interface Lane {
  context: Context;
  random: TestRandom;
  companies: Map<string, CompanyModel>;
}

function pick<T>(random: TestRandom, items: readonly T[]): T {
  const item = items[random.integer(items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from.');
  return item;
}

async function addCompany(lane: Lane): Promise<void> {
  const { id } = await createCompany(lane.context, { name: 'Model Inc', base_currency: 'USD' });
  lane.companies.set(id, newCompanyModel());
}

async function postBalance({ context, random }: Lane, company_id: string, model: CompanyModel): Promise<void> {
  const day = new Date(Date.parse(TODAY) + (random.integer(12) - 8) * 86_400_000).toISOString().slice(0, 10);
  const balance = {
    connection_id: pick(random, connections),
    as_of: day,
    balance_cents: random.integer(5) - 2,
    currency: pick(random, currencies),
  };
  const answer = await upsertCashBalance(context, { company_id, ...balance });
  expect(answer.result).toBe(putBalance(model, balance, TOMORROW));
}

async function postTransactions({ context, random }: Lane, company_id: string, model: CompanyModel): Promise<void> {
  const rows = Array.from({ length: 1 + random.integer(8) }, () => ({
    connection_id: pick(random, connections),
    external_id: `t${random.integer(400)}`,
    posted_at: new Date(Date.UTC(2025, random.integer(12), 1 + random.integer(28))).toISOString(),
    amount_cents: random.integer(2_000) - 1_000,
  }));
  const [first] = rows;
  const single = random.integer(3) === 0 && first !== undefined;
  const answer = await ingestTransactions(
    context,
    single ? { company_id, ...first } : { company_id, transactions: rows },
  );
  const expected = addTransactions(model, single ? [first] : rows);
  expect(answer.transactions.map(({ external_id }) => external_id)).toEqual(expected);
  expect(answer.inserted + answer.skipped).toBe(answer.received);
}

async function postSnapshot({ context, random }: Lane, company_id: string, model: CompanyModel): Promise<void> {
  const snapshot = {
    statement_type: pick(random, types),
    period_end: `2025-${String(1 + random.integer(12)).padStart(2, '0')}-28`,
    totals: { revenue: random.integer(3), cash: random.integer(2) },
  };
  const answer = await upsertSnapshot(context, {
    company_id,
    currency: 'USD',
    period_start: '2025-01-01',
    ...snapshot,
  });
  expect(answer.revision).toBe(putSnapshot(model, snapshot));
}

async function step(lane: Lane): Promise<void> {
  const [company, model] = pick(lane.random, [...lane.companies]);
  const kind = lane.random.integer(200);
  if (kind === 0) await addCompany(lane);
  else if (kind < 90) await postBalance(lane, company, model);
  else if (kind < 170) await postTransactions(lane, company, model);
  else await postSnapshot(lane, company, model);
}

const byCurrency = (lines: readonly { currency: string; balance_cents: number | null }[]) =>
  Object.fromEntries(lines.map(({ currency, balance_cents }) => [currency, balance_cents]));
const byText = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();

async function check({ context }: Lane, company_id: string, model: CompanyModel): Promise<void> {
  const pages = <Item>(
    list: (
      c: Context,
      input: { company_id: string; limit: number; order: 'asc' | 'desc'; after?: string },
    ) => Promise<{ data: Item[]; next_cursor: string | null }>,
  ) =>
    readAll((after) =>
      list(context, { company_id, limit: 200, order: 'desc', ...(after === undefined ? {} : { after }) }),
    );
  const balances = (await pages(listCashBalances)).map(({ connection_id, as_of, balance_cents, currency }) => ({
    connection_id,
    as_of,
    balance_cents,
    currency,
  }));
  expect(byText(balances)).toEqual(byText([...model.balances.values()]));
  const transactions = (await pages(listTransactions)).map(
    ({ connection_id, external_id, posted_at, amount_cents }) => ({
      connection_id,
      external_id,
      posted_at,
      amount_cents,
    }),
  );
  expect(byText(transactions)).toEqual(byText([...model.transactions.values()]));
  const snapshots = (await pages(listSnapshots)).map(({ statement_type, period_end, totals, revision }) => ({
    statement_type,
    period_end,
    totals,
    revision,
  }));
  expect(byText(snapshots)).toEqual(byText([...model.snapshots.values()]));
  const { lines } = await getCashOnHand(context, { company_id });
  expect(byCurrency(lines)).toEqual(cashOf(model, TOMORROW));
}

/** Registers a test with `count` random operations that compares each list after every `checkEvery` of a lane. */
export function testModel(operations: number, checkEvery: number): void {
  let fixture: CoreFixture;
  let lanes: Lane[];
  beforeAll(async () => {
    fixture = await openFixture(inject('pgUrl'), createTestClock(`${TODAY}T12:00:00Z`));
    const other = await fixture.otherAccount();
    lanes = Array.from({ length: LANES }, (_, i) => {
      const { context, companyId } = i % 2 === 0 ? fixture : other;
      const companies = new Map(i < 2 ? [[companyId, newCompanyModel()]] : []);
      return { context, random: createTestRandom(48 + i), companies };
    });
    for (const lane of lanes.slice(2)) await addCompany(lane);
  });
  afterAll(() => fixture.close());

  test(`after ${operations} random operations every list, sum and event is what a simple model says`, {
    timeout: 120_000,
  }, async () => {
    await Promise.all(
      lanes.map(async (lane) => {
        for (let i = 1; i <= operations / LANES; i++) {
          await step(lane);
          if (i % checkEvery === 0) for (const [company, model] of lane.companies) await check(lane, company, model);
        }
      }),
    );
    for (const context of new Set(lanes.map((lane) => lane.context))) {
      const models = new Map(lanes.filter((lane) => lane.context === context).flatMap((lane) => [...lane.companies]));
      const listed = await readAll((after) =>
        listCompanies(context, { limit: 200, order: 'asc', ...(after === undefined ? {} : { after }) }),
      );
      expect(listed.map(({ id }) => id).toSorted()).toEqual([...models.keys()].toSorted());
      const feed = await readFeed(context);
      expect(feed.filter(({ type }) => type === 'company.created')).toHaveLength(models.size);
      const counts = Map.groupBy(feed, ({ company_id, type }) => `${company_id} ${type}`);
      for (const [company, { events, balanceEvents }] of models) {
        for (const [type, count] of Object.entries(events))
          expect(counts.get(`${company} ${type}`)?.length ?? 0, type).toBe(count);
        const reported = counts.get(`${company} bank.balance.updated`) ?? [];
        expect(reported.map(({ data }) => [data['result'], byCurrency(Object(data['cash_on_hand']))])).toEqual(
          balanceEvents.map(({ result, cash }) => [result, cash]),
        );
      }
    }
  });

  test('the counts in all events add up to the stored rows, and no row was reported twice', async () => {
    const { database } = fixture.core;
    const [sums] = await database.query<{ counted: number; listed: number; ids: number; stored: number }>(
      `WITH reported AS (SELECT body::jsonb -> 'data' AS data FROM event WHERE type = 'bank.transaction.posted'),
            row_ids AS (SELECT jsonb_array_elements(data -> 'transactions') ->> 'id' AS id FROM reported)
       SELECT (SELECT sum((data ->> 'count')::int)::int FROM reported) AS counted,
              (SELECT count(*)::int FROM row_ids) AS listed, (SELECT count(DISTINCT id)::int FROM row_ids) AS ids,
              (SELECT count(*)::int FROM bank_transaction JOIN row_ids USING (id)) AS stored`,
    );
    const [rows] = await database.query<{ stored: number }>('SELECT count(*)::int AS stored FROM bank_transaction');
    const modelled = lanes
      .flatMap(({ companies }) => [...companies.values()])
      .reduce((sum, { reported }) => sum + reported, 0);
    expect(modelled).toBeGreaterThan(operations / 10);
    expect(sums).toEqual({ counted: modelled, listed: modelled, ids: modelled, stored: modelled });
    expect(rows).toEqual({ stored: modelled });
  });
}
