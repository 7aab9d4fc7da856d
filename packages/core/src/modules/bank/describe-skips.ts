import type { SkippedTransaction, Warning } from '@finhook/contracts';
import { columnArrays, columnNames, unnestSql } from '../../kernel/array-columns.ts';
import { isRegistered } from '../../kernel/connection-id.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';
import type { LockedCompany } from '../companies/index.ts';
import type { IngestPlan, PlannedRow } from './plan-ingest.ts';
import { contentColumns, type RowContent } from './row-content.ts';

const whereItDiffers = (field: string): string =>
  `CASE WHEN b.${field} IS DISTINCT FROM k.${field} THEN '${field}' END`;
/** What the request left out is not compared. */
const whereSentItDiffers = (field: string): string => `CASE WHEN b.${field} <> k.${field} THEN '${field}' END`;
const differences = [
  ...['posted_at', 'amount_cents', 'description', 'category', 'counterparty'].map(whereItDiffers),
  ...['currency', 'source'].map(whereSentItDiffers),
];

// The inner LIMIT makes it one index probe a key, also in a plan that was made while the table was empty. Rows that are
// all known are an arrival too: without a registered connection it is kept here, at most once a minute and stream.
const compare = statement(
  'compare_transactions',
  `WITH receipts AS (
     INSERT INTO transaction_receipt AS r (company_id, account_id, connection_id, received_at)
     SELECT $1, $2, k.id, $4::timestamptz FROM unnest($3::text[]) AS k (id)
     WHERE NOT EXISTS (
       SELECT FROM transaction_receipt t WHERE t.company_id = $1 AND t.connection_id = k.id
         AND t.received_at > $4::timestamptz - interval '1 minute'
     )
     ON CONFLICT (company_id, connection_id) DO UPDATE SET received_at = greatest(r.received_at, excluded.received_at)
   )
   SELECT k.place::int, b.id, nullif(concat_ws(',', ${differences.join(', ')}), '') AS differs
   FROM ${unnestSql(contentColumns, 5)} WITH ORDINALITY AS k (${columnNames(contentColumns)}, place)
   CROSS JOIN LATERAL (
     SELECT * FROM bank_transaction t
     WHERE t.company_id = $1 AND t.connection_id = k.connection_id AND t.external_id = k.external_id LIMIT 1
   ) b`,
);

/** A row of the request that was not inserted. */
interface Skip {
  index: number;
  reason: SkippedTransaction['reason'];
  /** What was sent; of a key that the request repeats, the repetition. */
  sent: PlannedRow;
}

/** Names every row of the request that was not inserted, with the row that stands in its place and what differs. */
export async function describeSkips(
  db: Queryable,
  company: LockedCompany,
  plan: IngestPlan,
  insertedIds: ReadonlySet<string>,
  now: Date,
): Promise<SkippedTransaction[]> {
  const known = plan.rows.filter(({ row }) => !insertedIds.has(row.id));
  const skips: Skip[] = [
    ...known.map((sent) => ({ index: sent.index, reason: 'duplicate' as const, sent })),
    ...plan.duplicates.map(({ index, again }) => ({ index, reason: 'duplicate_in_request' as const, sent: again })),
  ];
  if (skips.length === 0) return [];
  const streams = new Set(
    known.filter(({ row }) => !isRegistered(row.connection_id)).map(({ row }) => row.connection_id ?? ''),
  );
  const stored = await db.query<{ place: number; id: string; differs: string | null }>(compare, [
    company.id,
    company.account_id,
    [...streams].sort(),
    now.toISOString(),
    ...columnArrays(
      contentColumns,
      skips.map(({ sent }) => contentOf(sent)),
    ),
  ]);
  const byPlace = new Map(stored.map((row) => [row.place, row]));
  return skips
    .map(({ index, reason, sent: { row } }, i) => {
      const existing = byPlace.get(i + 1);
      return {
        index,
        external_id: row.external_id,
        connection_id: row.connection_id,
        reason,
        existing_id: existing?.id ?? null,
        differs: existing?.differs?.split(',') ?? [],
      };
    })
    .sort((a, b) => a.index - b.index);
}

function contentOf({ row, explicit }: PlannedRow): RowContent {
  return {
    ...row,
    currency: explicit.currency ? row.currency : null,
    source: explicit.source ? row.source : null,
  };
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
