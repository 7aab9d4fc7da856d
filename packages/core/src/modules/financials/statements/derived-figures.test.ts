// Risk: a margin or growth rate is computed from figures that don't belong together.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveFigures } from './derived-figures.ts';
import type { StatementContent } from './statement-values.ts';

const income = (
  totals: Record<string, number>,
  [period_start, period_end] = ['2026-10-01', '2026-10-31'],
  more: Partial<StatementContent> = {},
): StatementContent => ({
  statement_type: 'income',
  period_start,
  period_end,
  currency: 'USD',
  totals,
  line_items: [],
  ...more,
});
const line = (key: string, amount_cents: number) => ({ key, label: key, amount_cents, is_total: false, indent: 0 });

test.each<[string, StatementContent, number | null]>([
  ['a part of revenue', income({ revenue: 100_000, gross_profit: 72_500 }), 72.5],
  ['no revenue', income({ revenue: 0, gross_profit: 72_500 }), null],
  ['negative revenue', income({ revenue: -1, gross_profit: 1 }), null],
  ['no gross profit', income({ revenue: 100, cogs: 40 }), null],
  ['a loss', income({ revenue: 200, gross_profit: -50 }), -25],
  ['a half that goes down to the even tenth', income({ revenue: 2_000, gross_profit: 1_001 }), 50],
  ['a half that goes up to the even tenth', income({ revenue: 2_000, gross_profit: 1_003 }), 50.2],
  ['line items', income({}, undefined, { line_items: [line('revenue', 400), line('gross_profit', 100)] }), 25],
  ['a percentage beyond every number', income({ revenue: 1, gross_profit: 1e308 }), null],
  ['a balance sheet', income({ revenue: 2, gross_profit: 1 }, undefined, { statement_type: 'balance' }), null],
])('gross margin: %s', (_, content, expected) => {
  expect(deriveFigures(content, null)?.gross_margin_percent ?? null).toBe(expected);
});

const october = income({ revenue: 90 });
test.each<[string, StatementContent, StatementContent | null, number | null]>([
  ['the month before', october, income({ revenue: 80 }, ['2026-09-01', '2026-09-30']), 12.5],
  ['a month is missing between', october, income({ revenue: 80 }, ['2026-08-01', '2026-08-31']), null],
  ['nothing before', october, null, null],
  [
    'March after February, which is shorter',
    income({ revenue: 66 }, ['2026-03-01', '2026-03-31']),
    income({ revenue: 99 }, ['2026-02-01', '2026-02-28']),
    -33.3,
  ],
  [
    'the quarter before',
    income({ revenue: 300 }, ['2026-04-01', '2026-06-30']),
    income({ revenue: 150 }, ['2026-01-01', '2026-03-31']),
    100,
  ],
  ['a quarter before a month', october, income({ revenue: 80 }, ['2026-07-01', '2026-09-30']), null],
  [
    'weeks',
    income({ revenue: 11 }, ['2026-10-12', '2026-10-18']),
    income({ revenue: 10 }, ['2026-10-05', '2026-10-11']),
    10,
  ],
  [
    'ten days before a week',
    income({ revenue: 11 }, ['2026-10-12', '2026-10-18']),
    income({ revenue: 10 }, ['2026-10-02', '2026-10-11']),
    null,
  ],
  [
    'a month of 30 days and 30 days that are none',
    income({ revenue: 11 }, ['2026-09-01', '2026-09-30']),
    income({ revenue: 10 }, ['2026-08-02', '2026-08-31']),
    null,
  ],
  ['another currency', october, income({ revenue: 80 }, ['2026-09-01', '2026-09-30'], { currency: 'EUR' }), null],
  ['no revenue before', october, income({ revenue: 0 }, ['2026-09-01', '2026-09-30']), null],
  ['unknown revenue before', october, income({}, ['2026-09-01', '2026-09-30']), null],
  ['unknown revenue', income({}), income({ revenue: 80 }, ['2026-09-01', '2026-09-30']), null],
])('change of revenue: %s', (_, content, previous, expected) => {
  expect(deriveFigures(content, previous)?.revenue_change_percent).toBe(expected);
});

test('a percentage is the nearest tenth, however large the amounts are', () => {
  const cents = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(cents, fc.maxSafeInteger(), (revenue, gross_profit) => {
      const percent = deriveFigures(income({ revenue, gross_profit }), null)?.gross_margin_percent ?? Number.NaN;
      const tenths = BigInt(Math.round(percent * 10));
      const twiceOff = 2n * (tenths * BigInt(revenue) - 1_000n * BigInt(gross_profit));
      if (Math.abs(percent) < 1e14) expect(twiceOff < 0n ? -twiceOff : twiceOff).toBeLessThanOrEqual(BigInt(revenue));
    }),
  );
});
