import { z } from 'zod';
import { date, id, timestamp } from '../scalars.ts';
import { statementType } from './financial-snapshot.ts';

/** How recent data is, against the cadence at which it is expected: at most two intervals, six, more, or none at all. */
export const freshnessGrade = z.enum(['fresh', 'late', 'stale', 'never']);
export type FreshnessGrade = z.output<typeof freshnessGrade>;

export const freshnessEntry = z
  .object({
    grade: freshnessGrade,
    last_received_at: timestamp.nullable(),
    missed_intervals: z.number().nullable().meta({
      description: 'Intervals of the cadence that passed since, one decimal, rounded down; null when never received',
    }),
    as_of: date.nullable().meta({ description: 'The day that the newest balance is of; null for other kinds' }),
    reason: z.string().meta({ description: 'One sentence for people' }),
  })
  .meta({ id: 'FreshnessEntry' });
export type FreshnessEntry = z.output<typeof freshnessEntry>;

export const freshness = z
  .object({
    object: z.literal('freshness'),
    company_id: id('co'),
    as_of: timestamp,
    grade: freshnessGrade.meta({ description: 'The worst of what has ever been received' }),
    streams: z.array(
      z.object({
        connection_id: z.string().nullable(),
        registered: z.boolean(),
        balance: freshnessEntry,
        transactions: freshnessEntry,
      }),
    ),
    statements: z.array(freshnessEntry.extend({ statement_type: statementType })),
  })
  .meta({ id: 'Freshness' });
export type Freshness = z.output<typeof freshness>;
