import { z } from 'zod';
import { currency, date, id, timestamp } from '../scalars.ts';
import { replacedStream } from './burn.ts';
import { exactCents } from './exact-cents.ts';
import { freshnessGrade } from './freshness.ts';
import { warnings } from './list.ts';
import { checkedSnapshot } from './snapshot-check.ts';

/** Balances of one stream against its transactions in between. */
export const reconciliation = z
  .object({
    connection_id: z.string().nullable(),
    currency,
    from: date.meta({ description: 'Day of the earlier balance; transactions after it count' }),
    to: date,
    opening_cents: z.int(),
    closing_cents: z.int(),
    ...exactCents('posted', 'Sum of the transactions in between'),
    ...exactCents('unexplained', '(closing − opening) − posted'),
    ...exactCents('threshold'),
    status: z.enum(['pass', 'warn']),
  })
  .meta({ id: 'Reconciliation' });
export type Reconciliation = z.output<typeof reconciliation>;

/** A transaction that was sent again with another content and skipped. */
export const changedDuplicate = z
  .object({
    transaction_id: id('txn'),
    external_id: z.string(),
    connection_id: z.string().nullable(),
    differs: z.array(z.string()),
    times: z.int(),
    first_seen_at: timestamp,
    last_seen_at: timestamp,
  })
  .meta({ id: 'ChangedDuplicate' });

/** Two rows that look like one transfer between the company's own accounts. */
export const suspectedTransfer = z
  .object({
    currency,
    amount_cents: z.int().meta({ description: 'Positive' }),
    out_transaction_id: id('txn'),
    out_connection_id: z.string().nullable(),
    out_posted_at: timestamp,
    in_transaction_id: id('txn'),
    in_connection_id: z.string().nullable(),
    in_posted_at: timestamp,
  })
  .meta({ id: 'SuspectedTransfer' });
export type SuspectedTransfer = z.output<typeof suspectedTransfer>;

export const dataQuality = z
  .object({
    object: z.literal('data_quality'),
    company_id: id('co'),
    as_of: date,
    issues: z.int().meta({ description: 'Failed checks, stale streams, unexplained streams and changed duplicates' }),
    snapshots: z.array(checkedSnapshot),
    freshness: z.object({ grade: freshnessGrade, stale_streams: z.int(), late_streams: z.int() }),
    reconciliation: z.array(reconciliation),
    changed_duplicates: z.object({ count: z.int(), latest: z.array(changedDuplicate) }),
    suspected_transfers: z.object({
      excluded: z.boolean().meta({ description: 'Whether the settings leave them out of burn' }),
      from: date.meta({ description: 'First day that was looked at' }),
      count: z.int(),
      truncated: z.boolean(),
      latest: z.array(suspectedTransfer),
    }),
    replaced: z.array(replacedStream),
    warnings,
  })
  .meta({ id: 'DataQuality' });
export type DataQuality = z.output<typeof dataQuality>;
