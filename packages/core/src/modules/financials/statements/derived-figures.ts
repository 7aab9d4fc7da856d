import type { FinancialSnapshot } from '@finhook/contracts';
import { rational, roundHalfEven } from '../../../input/exact-arithmetic.ts';
import { addDays, daysBetween } from '../../../time/calendar.ts';
import { wholeMonths } from '../figures/months.ts';
import { readValues, type StatementContent } from './statement-values.ts';

type Period = Pick<StatementContent, 'period_start' | 'period_end'>;

export type PreviousIncome = Pick<StatementContent, 'currency' | 'totals' | 'line_items'> & Period;

/** SQL: the income statement whose period ends the day before `row` (an income statement) begins; null without one. */
export function previousIncomeSql(row: { company: string; type: string; start: string }): string {
  return `(SELECT json_build_object(
      'period_start', p.period_start, 'period_end', p.period_end, 'currency', p.currency, 'totals', p.totals,
      'line_items', (SELECT coalesce(json_agg(l), '[]') FROM json_array_elements(p.line_items) l
        WHERE l ->> 'key' = 'revenue'))
    FROM financial_snapshot p
    WHERE p.company_id = ${row.company} AND p.statement_type = 'income' AND ${row.type} = 'income'
      AND p.period_end = ${row.start} - 1)`;
}

export function deriveFigures(
  content: StatementContent,
  previous: PreviousIncome | null,
): FinancialSnapshot['derived'] {
  if (content.statement_type !== 'income') return null;
  const values = readValues(content);
  const revenue = values.of('revenue');
  const before = previous !== null && precedes(previous, content) ? readValues(previous).of('revenue') : undefined;
  return {
    gross_margin_percent: percentOf(values.of('gross_profit'), revenue),
    revenue_change_percent: percentOf(
      revenue === undefined || before === undefined ? undefined : revenue - before,
      before,
    ),
  };
}

/** One decimal, half to even; null if either is unknown or `whole` is not positive. */
function percentOf(part: bigint | undefined, whole: bigint | undefined): number | null {
  if (part === undefined || whole === undefined || whole <= 0n) return null;
  const percent = Number(roundHalfEven(rational(1000n * part, whole))) / 10;
  return Number.isFinite(percent) ? percent : null;
}

function precedes(previous: PreviousIncome, content: StatementContent): boolean {
  return (
    previous.currency === content.currency &&
    addDays(previous.period_end, 1) === content.period_start &&
    lengthOf(previous) === lengthOf(content)
  );
}

function lengthOf({ period_start, period_end }: Period): string {
  const months = wholeMonths(period_start, period_end);
  return months === undefined ? `${daysBetween(period_start, period_end) + 1} days` : `${months} months`;
}
