import { z } from 'zod';
import { date, id, objectType, timestamp } from '../scalars.ts';
import { statementType } from './financial-snapshot.ts';

export const freshnessGrade = z.enum(['fresh', 'late', 'stale', 'never']);
export type FreshnessGrade = z.output<typeof freshnessGrade>;

const freshnessEntry = z
  .object({
    grade: freshnessGrade.describe(
      '`fresh` within two expected intervals, `late` within six, `stale` beyond, `never` if nothing was received.',
    ),
    last_received_at: timestamp.nullable().describe('When data last arrived (UTC); null if it never did.'),
    missed_intervals: z
      .number()
      .nullable()
      .describe('Expected intervals since the last arrival, one decimal, rounded down; null if nothing was received.'),
    as_of: date.nullable().describe('Calendar day of the newest balance; null for other kinds of data.'),
    reason: z.string().describe('Explanation of the grade, one sentence for people.'),
  })
  .meta({ id: 'FreshnessEntry', description: 'How recent one kind of data is, compared with its expected cadence.' });
export type FreshnessEntry = z.output<typeof freshnessEntry>;

export const freshness = z
  .object({
    object: objectType('freshness'),
    company_id: id('co'),
    as_of: timestamp.describe('When the grades were computed (UTC).'),
    grade: freshnessGrade.describe('The worst grade of the data ever received.'),
    streams: z
      .array(
        z.object({
          connection_id: z.string().nullable().describe('Connection of the data; null for rows that name none.'),
          registered: z.boolean().describe('True if the connection is a bank connection of the company.'),
          balance: freshnessEntry.describe('Freshness of its cash balances.'),
          transactions: freshnessEntry.describe('Freshness of its transactions.'),
        }),
      )
      .describe('Grades per connection.'),
    statements: z
      .array(freshnessEntry.extend({ statement_type: statementType.describe('`income`, `balance` or `cashflow`.') }))
      .describe('Grades of the financial statements.'),
  })
  .meta({ id: 'Freshness', description: 'How recent the data of a company is, per connection and kind.' });
export type Freshness = z.output<typeof freshness>;
