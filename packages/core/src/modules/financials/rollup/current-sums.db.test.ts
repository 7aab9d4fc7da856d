// Risk: while rows change faster than their sums are updated, a figure has a row twice, or not at all.
import { operations } from '@finhook/contracts';
import { createTestClock, createTestRandom } from '@finhook/testing';
import { expect, test } from 'vitest';
import { changeRows, type RowChange } from '../../../../test/change-rows.ts';
import { useFixture } from '../../../../test/core-fixture.ts';
import { runOperation } from '../../../../test/operation-stage.ts';
import { fillRandomCompany } from '../../../../test/random-company.ts';
import type { Context } from '../../../verbs/context.ts';
import { DomainError } from '../../../verbs/domain-error.ts';
import { getBurn, getFreshness, getMonthly, getRunway } from '../figures/get-figures.ts';

const clock = createTestClock('2026-11-25T15:00:00Z');
const fixture = useFixture(clock);
const READS = 4;

/** A context whose first reads each follow a change, so that the stored sums are never current. */
function outrun(context: Context, change: () => Promise<void>): { context: Context; reads: () => number } {
  let reads = 0;
  const database = new Proxy(context.database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]) => {
        if (name === 'query' && /read_(current_)?monthly_flows/.test(String(given[0])) && reads++ < READS)
          await change();
        return Reflect.apply(value, target, given);
      };
    },
  });
  return { context: { ...context, database }, reads: () => reads };
}

const figures = {
  monthly: (context: Context, company_id: string) => getMonthly(context, { company_id, months: 13 }),
  burn: (context: Context, company_id: string) => getBurn(context, { company_id, months: 12 }),
  runway: (context: Context, company_id: string) => getRunway(context, { company_id, months: 12 }),
  freshness: (context: Context, company_id: string) => getFreshness(context, { company_id }),
  breakdown: (context: Context, company_id: string) =>
    runOperation(context, operations.financials.breakdown, { company_id, from: '2026-01' }),
};

test.each([1, 2, 3])('figures read while rows change match the rows after the last change (seed %i)', async (seed) => {
  const { context } = await fixture.otherAccount();
  const { company_id } = await fillRandomCompany(context, clock, seed);
  const random = createTestRandom(seed);
  const changes: (() => RowChange)[] = [
    () => ({
      flow_class: (['counted', 'transfer', 'excluded', 'financing', null] as const)[random.integer(5)] ?? null,
    }),
    () => ({ voided: random.integer(3) > 0 }),
    () => ({ amount_cents: random.integer(90_000) - 60_000 }),
    () => ({
      posted_at: new Date(Date.parse('2026-12-05T00:00:00Z') - random.integer(400) * 86_400_000).toISOString(),
    }),
    () => ({ category: ['rent', 'internal_transfer', null][random.integer(3)] ?? null }),
  ];
  const change = async () => {
    const set = changes[random.integer(changes.length)]?.() ?? {};
    for (const _ of Array.from({ length: 20 }))
      await changeRows(context, company_id, [`t${1 + random.integer(150)}`], set).catch((error: unknown) => {
        // The account accepts no classes, or no rows.
        if (!(error instanceof DomainError)) throw error;
      });
  };
  for (const [name, read] of Object.entries(figures)) {
    const fast = outrun(context, change);
    const result = await read(fast.context, company_id);
    expect(fast.reads()).toBeGreaterThanOrEqual(READS);
    expect([name, result]).toEqual([name, await read(context, company_id)]);
  }
});
