// Risk: runway computed from the exported files differs from the dashboard.

import { type Operation, operations } from '@finhook/contracts';
import {
  type ExportedBalance,
  type ExportedTransaction,
  figuresOf,
  recomputeRunway,
  rulesOf,
} from '@finhook/core/test';
import { createTestRandom } from '@finhook/testing';
import { expect, test } from 'vitest';
import { type Input } from './api-client.ts';
import { useApi } from './api-fixture.ts';
import { parseCsv, valueOf } from './parse-csv.ts';

const DAY = 86_400_000;
const streams = ['operating', 'payroll', undefined];
const categories = ['rent', 'Internal transfer', 'equity_financing', '=sales', undefined];
const numbers = new Set(['amount_cents', 'balance_cents']);

const fixture = useApi();

/** Posts a history of `months` with rows on every few hours, in three streams and two currencies. */
async function postHistory(company_id: string, seed: number): Promise<void> {
  const { client } = fixture;
  const random = createTestRandom(seed);
  const below = (limit: number): number => random.integer(limit);
  const pick = <T>(values: readonly T[]): T | undefined => values[below(values.length)];
  const transactions = Array.from({ length: 450 }, (_, i): Input => {
    const connection_id = pick(streams);
    return {
      external_id: `t${i}`,
      posted_at: new Date(Date.now() - below(200 * 24) * (DAY / 24)).toISOString(),
      amount_cents: below(5) === 0 ? below(40_000) : -below(90_000),
      currency: connection_id === 'payroll' ? 'JPY' : 'USD',
      connection_id,
      category: pick(categories),
    };
  });
  await client.rest(operations.bank.transactions.ingest, { company_id, transactions });
  for (const connection_id of streams) {
    for (let days = 0; days < 3; days++) {
      await client.rest(operations.cash.balances.upsert, {
        company_id,
        as_of: new Date(Date.now() - (days + below(3)) * DAY).toISOString().slice(0, 10),
        balance_cents: below(90_000_000),
        currency: connection_id === 'payroll' ? 'JPY' : 'USD',
        connection_id,
      });
    }
  }
}

/** All records of a list, from its CSV. */
async function readCsv(operation: Operation, company_id: string): Promise<Record<string, unknown>[]> {
  const { text } = await fixture.client.rest(operation, { company_id, format: 'csv' });
  const [header = [], ...rows] = parseCsv(text);
  return rows.map((row) =>
    Object.fromEntries(
      row.map((cell, i) => {
        const name = header[i]?.text ?? '';
        return [name, valueOf(cell, numbers.has(name) ? 'json' : 'text')];
      }),
    ),
  );
}

// The header named these columns.
function asBalances(records: unknown[]): ExportedBalance[] {
  return records as ExportedBalance[];
}
function asTransactions(records: unknown[]): ExportedTransaction[] {
  return records as ExportedTransaction[];
}

test.each([1, 2, 3])('runway recomputed from the exported CSV is the api’s runway (seed %i)', async (seed) => {
  const { client } = fixture;
  const timezone = seed % 2 === 0 ? 'Asia/Tokyo' : 'America/New_York';
  const company_id = (await client.rest(operations.companies.create, { name: 'Runway', timezone })).body.id;
  await postHistory(company_id, seed);
  await client.rest(operations.financials.settings.update, {
    company_id,
    excluded_connections: seed === 3 ? ['none'] : [],
    exclude_suspected_transfers: seed === 2,
  });
  const settings = (await client.rest(operations.financials.settings.get, { company_id })).body;
  const { lines } = (await client.rest(operations.financials.runway, { company_id })).body;
  const recomputed = recomputeRunway({
    balances: asBalances(await readCsv(operations.cash.balances.list, company_id)),
    transactions: asTransactions(await readCsv(operations.bank.transactions.list, company_id)),
    timezone,
    baseCurrency: 'USD',
    now: new Date(),
    rules: rulesOf(settings),
    disconnected: [],
  });
  expect(lines.map(figuresOf)).toEqual(recomputed);
  expect(lines.map(({ status }) => status)).toContain('ok');
});
