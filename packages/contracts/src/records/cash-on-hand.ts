import { z } from 'zod';
import { currency, date, id, timestamp } from '../scalars.ts';
import { exactCents } from './exact-cents.ts';
import { freshnessGrade } from './freshness.ts';
import { warnings } from './list.ts';

/** Cash per currency on a day; never converted, never added across currencies. */
export const cashOnHandLine = z
  .object({
    currency,
    ...exactCents('balance'),
    streams: z.int(),
    oldest_as_of: date,
    newest_as_of: date,
    as_of_spread_days: z.int(),
    ...exactCents('stale', 'The part of the sum that comes from stale streams'),
    stale_streams: z.int(),
    freshness: freshnessGrade,
  })
  .meta({ id: 'CashOnHandLine' });
export type CashOnHandLine = z.output<typeof cashOnHandLine>;

export const cashStream = z
  .object({
    connection_id: z.string().nullable(),
    currency,
    balance_cents: z.int(),
    as_of: date,
    received_at: timestamp,
    freshness: freshnessGrade,
  })
  .meta({ id: 'CashStream' });
export type CashStream = z.output<typeof cashStream>;

/** Why a stream is left out of cash on hand. */
export const exclusionReason = z.enum(['disconnected', 'user']);
export type ExclusionReason = z.output<typeof exclusionReason>;

export const cashOnHand = z
  .object({
    object: z.literal('cash_on_hand'),
    company_id: id('co'),
    as_of: date,
    headline: z
      .object({ currency, ...exactCents('balance') })
      .nullable()
      .meta({ description: 'The first line: the base currency where there is one; null without any balance' }),
    lines: z.array(cashOnHandLine),
    streams: z.array(cashStream),
    excluded: z.array(cashStream.extend({ reason: exclusionReason })),
    warnings,
  })
  .meta({ id: 'CashOnHand' });
export type CashOnHand = z.output<typeof cashOnHand>;

/**
 * The newest balance of each stream at the end of each day: carried forward, never interpolated. The points of a stream
 * count unless the settings leave it out; a disconnected one has those from before its end.
 */
export const cashHistory = z
  .object({
    object: z.literal('cash_history'),
    company_id: id('co'),
    from: date,
    to: date,
    lines: z.array(
      z.object({
        currency,
        points: z.array(z.object({ date, ...exactCents('balance'), streams: z.int() })),
      }),
    ),
    streams: z.array(
      z.object({
        connection_id: z.string().nullable(),
        excluded: exclusionReason.nullable(),
        points: z.array(z.object({ date, as_of: date, balance_cents: z.int(), currency })),
      }),
    ),
  })
  .meta({ id: 'CashHistory' });
export type CashHistory = z.output<typeof cashHistory>;
