import { z } from 'zod';
import { currency, date, exactCents, id, objectType, timestamp } from '../scalars.ts';
import { countedTwice, supersededSeries } from './burn.ts';
import { checkedSnapshot } from './financial-snapshot.ts';
import { freshnessGrade } from './freshness.ts';
import { warnings } from './list.ts';

const reconciliation = z
  .object({
    connection_id: z
      .string()
      .nullable()
      .describe('Connection of the balances and transactions; null for rows that name none.'),
    currency,
    from: date.describe('Day of the earlier balance. Transactions after it are counted.'),
    to: date.describe('Day of the later balance, at least two days ago. It is included.'),
    opening_cents: z.int().describe('The earlier balance in minor currency units.'),
    closing_cents: z.int().describe('The later balance in minor currency units.'),
    ...exactCents('posted', 'Sum of the transactions in between.'),
    ...exactCents('unexplained', 'Change of the balance less the transactions: (closing − opening) − posted.'),
    ...exactCents(
      'threshold',
      'Unexplained amount that is tolerated: the smaller of one percent of the later balance and a tenth of the sum of the absolute net of each day, at least 100.',
    ),
    hint: z
      .enum(['opposite_signs'])
      .nullable()
      .describe(
        '`opposite_signs` if the balance of a `depository` account moves against its transactions: it may be a credit card or a loan. Else null.',
      ),
    status: z.enum(['pass', 'warn']).describe('`warn` if the unexplained amount exceeds the threshold.'),
  })
  .meta({
    id: 'Reconciliation',
    description: "Comparison of a connection's balances with the transactions between them.",
  });
export type Reconciliation = z.output<typeof reconciliation>;

export const changedDuplicate = z
  .object({
    transaction_id: id('txn').describe('ID of the stored transaction (`txn_…`).'),
    external_id: z.string().describe("The provider's ID of the transaction."),
    connection_id: z.string().nullable().describe('Connection of the row; null for none.'),
    differs: z.array(z.string()).describe('Fields whose values differ from the stored ones.'),
    times: z.int().describe('How often it was sent with different content.'),
    first_seen_at: timestamp.describe('When that happened first (UTC).'),
    last_seen_at: timestamp.describe('When that happened last (UTC).'),
  })
  .meta({
    id: 'ChangedDuplicate',
    description: 'A transaction that was sent again with different content and skipped.',
  });

const suspectedTransfer = z
  .object({
    currency,
    amount_cents: z.int().describe('Amount of the transfer in minor currency units; always positive.'),
    out_transaction_id: id('txn').describe('ID of the outgoing transaction (`txn_…`).'),
    out_connection_id: z.string().nullable().describe('Connection of the outgoing transaction; null for none.'),
    out_posted_at: timestamp.describe('When the outgoing transaction posted (UTC).'),
    in_transaction_id: id('txn').describe('ID of the incoming transaction (`txn_…`).'),
    in_connection_id: z.string().nullable().describe('Connection of the incoming transaction; null for none.'),
    in_posted_at: timestamp.describe('When the incoming transaction posted (UTC).'),
  })
  .meta({
    id: 'SuspectedTransfer',
    description: 'Two transactions that look like one transfer between accounts of the company.',
  });
export type SuspectedTransfer = z.output<typeof suspectedTransfer>;

export const dataQuality = z
  .object({
    object: objectType('data_quality'),
    company_id: id('co'),
    as_of: date.describe("Today in the company's time zone."),
    issues: z
      .int()
      .describe(
        'Number of failed checks, stale and unexplained connections, changed duplicates, and connections that repeat another.',
      ),
    snapshots: z.array(checkedSnapshot).describe('Checks of the newest statement of each type.'),
    freshness: z
      .object({
        grade: freshnessGrade.describe('The worst grade of the data ever received.'),
        stale_streams: z.int().describe('Number of connections with stale data.'),
        late_streams: z.int().describe('Number of connections with late data.'),
      })
      .describe('How recent the data is.'),
    reconciliation: z
      .array(reconciliation)
      .describe('Balances compared with transactions, one entry per connection and currency.'),
    changed_duplicates: z
      .object({
        count: z.int().describe('Number of such transactions.'),
        latest: z.array(changedDuplicate).describe('The most recent of them.'),
      })
      .describe('Transactions that were sent again with different content.'),
    suspected_transfers: z
      .object({
        excluded: z.boolean().describe('True if the settings exclude them from burn.'),
        from: date.describe('First day that was examined.'),
        count: z.int().describe('Number of pairs found.'),
        truncated: z.boolean().describe('True if there were too many transactions to examine all of them.'),
        latest: z.array(suspectedTransfer).describe('The most recent pairs.'),
      })
      .describe('Pairs of transactions that look like internal transfers.'),
    replaced: z
      .array(supersededSeries)
      .describe('Connections whose rows are left out because another one replaces them.'),
    counted_twice: countedTwice
      .nullable()
      .describe('Connections whose money is probably counted twice, with both figures; null if there are none.'),
    warnings,
  })
  .meta({ id: 'DataQuality', description: "Findings about a company's data: failed checks, gaps and contradictions." });
export type DataQuality = z.output<typeof dataQuality>;
