// Risk: a runway over another number of months uses three, or months before the history.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { figuresOf, recomputeRunway } from '../../../../test/recompute-runway.ts';
import { defaultRules } from '../../../../test/rules-of.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { getBurn, getMonthly, getRunway } from './get-figures.ts';

const fixture = useFixture(createTestClock('2026-11-25T15:00:00Z'));
const { context } = fixture;
let company_id: string;
const timezone = 'America/New_York';
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Months Inc', timezone, base_currency: 'USD' })).id;
});

/** Spending of the months up to October, oldest first, in whole units, after a row in the month before. */
function spending(outs: readonly number[]) {
  return [1, ...outs].map((out, i) => ({
    external_id: `${i}`,
    posted_at: new Date(Date.UTC(2026, 9 - outs.length + i, 15, 12)).toISOString(),
    amount_cents: -out * 100,
    currency: 'USD',
    connection_id: 'operating',
  }));
}

const repeat = (count: number, out: number): number[] => Array.from({ length: count }, () => out);

test.each<[string, number, number[], [number, number, number][]]>([
  [
    'spending that rose three months ago',
    900,
    [...repeat(9, 60), 90, 90, 90],
    [
      [1, 90, 10],
      [3, 90, 10],
      [6, 75, 12],
      [12, 67.5, 13.3],
    ],
  ],
  [
    'an insurance paid once a year',
    600,
    [...repeat(11, 40), 160],
    [
      [1, 160, 3.7],
      [3, 80, 7.5],
      [6, 60, 10],
      [12, 50, 12],
    ],
  ],
])('%s: burn and runway over 1, 3, 6 and 12 months', async (_, cash, outs, expected) => {
  const transactions = spending(outs);
  const balance = { as_of: '2026-11-25', balance_cents: cash * 100, currency: 'USD', connection_id: 'operating' };
  await upsertCashBalance(context, { company_id, ...balance });
  await ingestTransactions(context, { company_id, transactions });
  for (const [months, burn, runway_months] of expected) {
    const [line] = (await getBurn(context, { company_id, months })).lines;
    expect([line?.net_burn_cents, line?.months.length]).toEqual([burn * 100, months]);
    const runway = await getRunway(context, { company_id, months });
    expect(runway.headline).toMatchObject({ runway_months, confidence_reasons: [] });
    const input = { balances: [balance], timezone, baseCurrency: 'USD', now: context.clock.now(), months };
    const rows = transactions.map((row) => ({ ...row, id: row.external_id, category: null }));
    const recomputed = recomputeRunway({ ...input, transactions: rows, rules: defaultRules, disconnected: [] });
    expect(runway.lines.map(figuresOf)).toEqual(recomputed);
  }
  const { windows } = await getMonthly(context, { company_id, months: 1 });
  expect(windows).toEqual(
    expected.map(([months, burn, runway_months]) => ({ months, net_burn_cents: burn * 100, runway_months })),
  );
});

test.each<[number, number, string[]]>([
  [12, 3, []],
  [12, 2, ['2 of 3 full months are available.']],
  [2, 1, ['1 of 2 full months is available.']],
  [1, 1, []],
  [1, 0, ['There is no full month of transactions.']],
])('of %i months %i are known', async (months, known, messages) => {
  await upsertCashBalance(context, { company_id, as_of: '2026-11-25', balance_cents: 90_000, currency: 'USD' });
  await ingestTransactions(context, { company_id, transactions: spending(repeat(known, 60)) });
  const { headline } = await getRunway(context, { company_id, months });
  expect(headline?.window).toHaveLength(known);
  expect(headline?.confidence_reasons.map(({ message }) => message)).toEqual(messages);
});
