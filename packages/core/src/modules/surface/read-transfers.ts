import type { Context } from '../../kernel/context.ts';
import { statement } from '../../kernel/queryable.ts';
import { pairTransfers, TRANSFER_DAYS, type TransferSide } from './pair-transfers.ts';

/** Rows that are looked at in one go; beyond, the answer says that it is cut. */
const MAX_CANDIDATES = 20_000;

// Grouped by amount, because comparing rows pair by pair costs the square of them.
const readCandidates = statement(
  'read_transfer_candidates',
  `WITH w AS MATERIALIZED (
     SELECT id, connection_id, posted_at, amount_cents, currency, category FROM bank_transaction
     WHERE company_id = $1 AND account_id = $2 AND amount_cents <> 0
       AND posted_at >= $3::timestamptz - interval '${TRANSFER_DAYS} days'
       AND posted_at < $4::timestamptz + interval '${TRANSFER_DAYS} days'
   ),
   k AS MATERIALIZED (
     SELECT currency, abs(amount_cents) AS size FROM w GROUP BY 1, 2
     HAVING bool_or(amount_cents < 0) AND bool_or(amount_cents > 0) AND min(connection_id) <> max(connection_id)
   )
   SELECT w.* FROM w JOIN k ON k.currency = w.currency AND k.size = abs(w.amount_cents)
   ORDER BY w.posted_at DESC, w.id DESC LIMIT ${MAX_CANDIDATES + 1}`,
);

interface Row {
  id: string;
  connection_id: string;
  posted_at: string;
  amount_cents: string;
  currency: string;
  category: string | null;
}

export interface TransferRow extends TransferSide {
  category: string;
}

export interface Transfers {
  /** In order of time. */
  pairs: { out: TransferRow; in: TransferRow }[];
  /** Whether only the newest candidates were looked at. */
  truncated: boolean;
}

/** Pairs of rows between two moments that look like transfers between the company's own streams. */
export async function readTransfers(context: Context, companyId: string, from: Date, to: Date): Promise<Transfers> {
  const values = [companyId, context.accountId, from.toISOString(), to.toISOString()];
  const rows = await context.database.query<Row>(readCandidates, values);
  const candidates = rows.slice(0, MAX_CANDIDATES).map((row) => ({
    id: row.id,
    connectionId: row.connection_id,
    postedAt: Date.parse(row.posted_at),
    amount: BigInt(row.amount_cents),
    currency: row.currency,
    category: row.category ?? '',
  }));
  return { pairs: pairTransfers(candidates), truncated: rows.length > MAX_CANDIDATES };
}
