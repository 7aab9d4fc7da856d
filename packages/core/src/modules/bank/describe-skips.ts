import type { BankTransactionRow, SkippedTransaction, Warning } from '@finhook/contracts';
import { isRegistered } from '../../kernel/connection-id.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';
import type { LockedCompany } from '../companies/index.ts';
import { type IngestPlan, type PlannedRow, rowKey } from './plan-ingest.ts';
import { type TransactionRow, toTransaction } from './transaction-record.ts';

// The inner LIMIT makes it one index probe a key, also in a plan that was made while the table was empty. Rows that are
// all known are an arrival too: without a registered connection it is kept here, at most once a minute and stream.
const findExisting = statement(
  'find_existing_transactions',
  `WITH receipts AS (
     INSERT INTO transaction_receipt AS r (company_id, account_id, connection_id, received_at)
     SELECT $1, $4, k.id, $6::timestamptz FROM unnest($5::text[]) AS k (id)
     WHERE NOT EXISTS (
       SELECT FROM transaction_receipt t WHERE t.company_id = $1 AND t.connection_id = k.id
         AND t.received_at > $6::timestamptz - interval '1 minute'
     )
     ON CONFLICT (company_id, connection_id) DO UPDATE SET received_at = greatest(r.received_at, excluded.received_at)
   )
   SELECT t.* FROM unnest($2::text[], $3::text[]) AS k (connection_id, external_id)
   CROSS JOIN LATERAL (
     SELECT * FROM bank_transaction b
     WHERE b.company_id = $1 AND b.connection_id = k.connection_id AND b.external_id = k.external_id LIMIT 1
   ) t`,
);

/** Names every row of the request that was not inserted, with the row that stands in its place and what differs. */
export async function describeSkips(
  db: Queryable,
  company: LockedCompany,
  plan: IngestPlan,
  inserted: readonly PlannedRow[],
  now: Date,
): Promise<SkippedTransaction[]> {
  const stored = new Map<string, BankTransactionRow>(inserted.map(({ row }) => [rowKey(row), row]));
  const known = plan.rows.filter(({ row }) => !stored.has(rowKey(row)));
  if (known.length > 0) {
    const streams = new Set(known.filter(({ row }) => !isRegistered(row.connection_id)).map(streamOf));
    const rows = await db.query<TransactionRow>(findExisting, [
      company.id,
      known.map(streamOf),
      known.map(({ row }) => row.external_id),
      company.account_id,
      [...streams].sort(),
      now.toISOString(),
    ]);
    for (const row of rows)
      stored.set(rowKey({ ...row, connection_id: row.connection_id || null }), toTransaction(row));
  }
  const skips = [
    ...known.map((planned) => describe(planned.index, planned, planned, 'duplicate' as const, stored)),
    ...plan.duplicates.map(({ index, first, again }) =>
      describe(index, first, again, 'duplicate_in_request' as const, stored),
    ),
  ];
  return skips.sort((a, b) => a.index - b.index);
}

function streamOf({ row }: PlannedRow): string {
  return row.connection_id ?? '';
}

function describe(
  index: number,
  key: PlannedRow,
  sent: PlannedRow,
  reason: SkippedTransaction['reason'],
  stored: ReadonlyMap<string, BankTransactionRow>,
): SkippedTransaction {
  const existing = stored.get(rowKey(key.row));
  return {
    index,
    external_id: key.row.external_id,
    connection_id: key.row.connection_id,
    reason,
    existing_id: existing?.id ?? null,
    differs: existing ? differences(sent, existing) : [],
  };
}

const compared = ['posted_at', 'amount_cents', 'description', 'category', 'counterparty'] as const;

function differences(sent: PlannedRow, existing: BankTransactionRow): string[] {
  const fields: string[] = compared.filter((field) => sent.row[field] !== existing[field]);
  if (sent.explicit.currency && sent.row.currency !== existing.currency) fields.push('currency');
  if (sent.explicit.source && sent.row.source !== existing.source) fields.push('source');
  return fields;
}

/** One warning for each skipped row whose content is not what is stored. */
export function differenceWarnings(
  skipped: readonly SkippedTransaction[],
  rowPointer: (index: number) => string,
): Warning[] {
  return skipped
    .filter(({ differs }) => differs.length > 0)
    .map(({ index, external_id, differs }) => ({
      code: 'duplicate_with_different_content',
      pointer: rowPointer(index),
      message: `${external_id} is already stored with another ${differs.join(', ')}; stored rows are not changed.`,
    }));
}
