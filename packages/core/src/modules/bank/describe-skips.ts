import type { BankTransactionRow, SkippedTransaction, Warning } from '@finhook/contracts';
import { type Queryable, statement } from '../../kernel/queryable.ts';
import { type IngestPlan, type PlannedRow, rowKey } from './plan-ingest.ts';
import { type TransactionRow, toTransaction } from './transaction-record.ts';

// The inner LIMIT makes it one index probe a key, also in a plan that was made while the table was empty.
const findExisting = statement(
  'find_existing_transactions',
  `SELECT t.* FROM unnest($2::text[], $3::text[]) AS k (connection_id, external_id)
   CROSS JOIN LATERAL (
     SELECT * FROM bank_transaction b
     WHERE b.company_id = $1 AND b.connection_id = k.connection_id AND b.external_id = k.external_id LIMIT 1
   ) t`,
);

/** Names every row of the request that was not inserted, with the row that stands in its place and what differs. */
export async function describeSkips(
  db: Queryable,
  companyId: string,
  plan: IngestPlan,
  inserted: readonly PlannedRow[],
): Promise<SkippedTransaction[]> {
  const stored = new Map<string, BankTransactionRow>(inserted.map(({ row }) => [rowKey(row), row]));
  const known = plan.rows.filter(({ row }) => !stored.has(rowKey(row)));
  if (known.length > 0) {
    const rows = await db.query<TransactionRow>(findExisting, [
      companyId,
      known.map(({ row }) => row.connection_id ?? ''),
      known.map(({ row }) => row.external_id),
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
