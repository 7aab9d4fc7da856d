import { z } from 'zod';
import { currency, date, exactCents, id, objectType } from '../scalars.ts';
import { month } from './burn.ts';
import { derivedFigures, statementType } from './financial-snapshot.ts';

const statementMonth = z
  .object({
    month,
    snapshot_id: id('fin').nullable().describe('ID of the statement of the month; null without one.'),
    derived: derivedFigures
      .nullable()
      .describe('Figures computed from the income statement of the month; null for other statements and without one.'),
  })
  .meta({ id: 'StatementMonth', description: 'A column of a table of statements.' });

const statementRow = z
  .object({
    key: z.string().describe('Machine-readable name of the row, by which the months are joined.'),
    label: z.string().describe('Text to display, from the newest statement that gives one; empty if none does.'),
    is_total: z.boolean().describe('True for a row that totals other rows.'),
    indent: z.int().describe('Display nesting level, 0 to 10.'),
    months: z
      .array(
        z.object({
          month,
          ...exactCents('amount', 'Amount of the row in the statement of the month; costs are negative.'),
        }),
      )
      .describe('The months whose statement has the row, oldest first.'),
    ...exactCents(
      'year_to_date',
      'Sum of the row over the months of `year_to_date`; null if one of them is missing, and for other statements than income.',
    ),
  })
  .meta({ id: 'StatementRow', description: 'A row of a table of statements.' });

export const statements = z
  .object({
    object: objectType('statements'),
    company_id: id('co'),
    statement_type: statementType.describe('`income` statement, `balance` sheet or `cashflow` statement.'),
    currency: currency
      .nullable()
      .describe('Currency of all amounts: that of the newest month with a statement; null without one.'),
    months: z
      .array(statementMonth)
      .describe(
        'The columns, oldest first: calendar months up to the newest one with a statement that is over, or that has begun if none is over. For a balance sheet, the months that end on its day.',
      ),
    rows: z
      .array(statementRow)
      .describe(
        "The line items, or the `totals` of a statement without line items, joined by `key` in the order of the newest statement. Rows that it doesn't have follow the row above them in the statement that has them. Lines with the same key are added up, unless one is a total.",
      ),
    skipped: z
      .array(
        z.object({
          snapshot_id: id('fin'),
          period_start: date.describe('First day of the period.'),
          period_end: date.describe('Last day of the period.'),
          currency,
        }),
      )
      .describe(
        'Statements of these months that have no column, because their period is not a calendar month, for example the year to date, or because they are in another currency; oldest first.',
      ),
    year_to_date: z
      .object({
        from: month.describe('First month of the fiscal year, from `fiscal_year_end` of the company.'),
        to: month.describe('The newest month with a statement.'),
        missing: z
          .array(month)
          .describe('Months from `from` to `to` without a statement; no sum is given if there is one.'),
      })
      .nullable()
      .describe('The months that the sums of an income statement cover; null for other statements and without one.'),
  })
  .meta({ id: 'Statements', description: 'The statements of one type, with calendar months as columns.' });
