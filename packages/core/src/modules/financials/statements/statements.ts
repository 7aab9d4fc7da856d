import type { operations } from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import { exactCentsOf } from '../../../input/exact-arithmetic.ts';
import { dateInZone } from '../../../time/calendar.ts';
import type { InputOf, OutputOf, Verb } from '../../../verbs/verb.ts';
import { findCompany } from '../../companies/read.ts';
import { addMonths, monthOf, monthsBetween } from '../figures/months.ts';
import { deriveFigures, type PreviousIncome, previousIncomeSql } from './derived-figures.ts';
import { type JoinedRow, joinRows } from './join-rows.ts';
import type { StatementContent } from './statement-values.ts';

type Op = typeof operations.financials.statements;
type Statements = OutputOf<Op>;

const CALENDAR_YEAR_END = '12-31';

/** SQL: true if the statement covers a calendar month, or is a balance sheet of its last day. */
const isMonth = `(extract(day FROM s.period_end + 1) = 1
  AND (s.statement_type = 'balance' OR s.period_start = date_trunc('month', s.period_end)::date))`;

const readNewestMonth = statement(
  'read_newest_month_statement',
  `SELECT s.period_end, s.currency FROM financial_snapshot s
   WHERE s.company_id = $1 AND s.account_id = $2 AND s.statement_type = $3 AND s.period_start <= $4::date AND ${isMonth}
   ORDER BY s.period_end < $4::date DESC, s.period_end DESC LIMIT 1`,
);

const readPeriods = statement(
  'read_statement_periods',
  `SELECT s.id, s.statement_type, s.period_start, s.period_end, s.currency, ${isMonth} AS is_month,
     CASE WHEN ${isMonth} THEN s.totals ELSE '{}' END AS totals,
     CASE WHEN ${isMonth} THEN s.line_items ELSE '[]' END AS line_items,
     ${previousIncomeSql({ company: 's.company_id', type: 's.statement_type', start: 's.period_start' })}
       AS previous_income
   FROM financial_snapshot s
   WHERE s.company_id = $1 AND s.account_id = $2 AND s.statement_type = $3 AND s.period_start <= $4::date
     AND s.period_end >= $5::date
   ORDER BY s.period_end DESC`,
);

interface PeriodRow extends StatementContent {
  id: string;
  is_month: boolean;
  previous_income: PreviousIncome | null;
}

export const getStatements: Verb<Op> = async (context, input) => {
  const company = await findCompany(context, input.company_id);
  const today = dateInZone(context.clock.now(), company.timezone);
  const series = [company.id, context.accountId, input.statement_type, today];
  const { database } = context;
  const [newest] = await database.query<Pick<PeriodRow, 'period_end' | 'currency'>>(readNewestMonth, series);
  const last = monthOf(newest?.period_end ?? today);
  const columns = monthsBetween(addMonths(last, 1 - input.months), last);
  const year =
    input.statement_type === 'income' && newest
      ? monthsBetween(fiscalYearStart(last, company.fiscal_year_end ?? CALENDAR_YEAR_END), last)
      : [];
  const [first = last] = [columns[0] ?? last, year[0] ?? last].toSorted();
  const found = await database.query<PeriodRow>(readPeriods, [...series, `${first}-01`]);
  return toStatements(input, found, { columns, year, last, currency: newest?.currency ?? null });
};

interface Range {
  columns: readonly string[];
  year: readonly string[];
  last: string;
  currency: string | null;
}

function toStatements(input: InputOf<Op>, found: readonly PeriodRow[], range: Range): Statements {
  const { columns, year, last, currency } = range;
  const shown = found
    .filter((row) => row.is_month && row.currency === currency)
    .map((row) => ({ ...row, month: monthOf(row.period_end) }))
    .filter(({ month }) => month <= last);
  const byMonth = new Map(shown.map((row) => [row.month, row]));
  const missing = year.filter((month) => !byMonth.has(month));
  const sums = missing.length === 0 ? year : [];
  return {
    object: 'statements',
    company_id: input.company_id,
    statement_type: input.statement_type,
    currency,
    months: columns.map((month) => {
      const row = byMonth.get(month);
      return { month, snapshot_id: row?.id ?? null, derived: row ? deriveFigures(row, row.previous_income) : null };
    }),
    rows: joinRows(shown).map((row) => toRow(row, columns, sums)),
    skipped: found
      .filter((row) => !row.is_month || (row.currency !== currency && monthOf(row.period_end) <= last))
      .map(({ id, period_start, period_end, currency: other }) => ({
        snapshot_id: id,
        period_start,
        period_end,
        currency: other,
      }))
      .reverse(),
    year_to_date: year[0] === undefined ? null : { from: year[0], to: last, missing },
  };
}

/** `sums` are the months of the year to date; empty if one is missing. */
function toRow(
  { amounts, ...shape }: JoinedRow,
  columns: readonly string[],
  sums: readonly string[],
): Statements['rows'][number] {
  const months = columns.flatMap((month) => {
    const amount = amounts.get(month);
    return amount === undefined ? [] : [{ month, ...exactCentsOf('amount', amount) }];
  });
  const sum = sums.reduce((total, month) => total + (amounts.get(month) ?? 0n), 0n);
  return { ...shape, months, ...exactCentsOf('year_to_date', sums.length > 0 ? sum : undefined) };
}

/** The first month of the fiscal year that contains `month`; `yearEnd` is `MM-DD`. */
function fiscalYearStart(month: string, yearEnd: string): string {
  const [endMonth = 12, endDay = 31] = yearEnd.split('-').map(Number);
  const lastDay = new Date(Date.UTC(2025, endMonth, 0)).getUTCDate();
  const first = endDay >= lastDay ? (endMonth % 12) + 1 : endMonth;
  const [year = 0, number = 1] = month.split('-').map(Number);
  return `${first > number ? year - 1 : year}-${String(first).padStart(2, '0')}`;
}
