import type { Context } from '../src/kernel/context.ts';
import { takePositions } from '../src/kernel/sequence-sql.ts';

/** Columns of a stored row that may change. */
export interface RowChange {
  posted_at?: string;
  amount_cents?: number;
  category?: string | null;
  counterparty?: string | null;
  currency?: string;
  flow_class?: 'counted' | 'financing' | 'transfer' | 'excluded' | null;
  voided_at?: string | null;
}

const insertUpdate = `
  WITH ${takePositions('SELECT $2::text, 1, 0')}
  INSERT INTO event (id, account_id, company_id, type, created_at, body, position)
  SELECT $1, $2, $3, 'bank.transaction.updated', $4::timestamptz, $5, sq.position FROM sq`;

/** Changes stored rows by their external ids, and emits what a request that does so emits. */
export async function changeRows(
  context: Context,
  company_id: string,
  externalIds: readonly string[],
  change: RowChange,
): Promise<void> {
  const now = context.clock.now().toISOString();
  await context.database.transaction(async (tx) => {
    const read = () =>
      tx.query<{ row: Record<string, unknown> }>(
        'SELECT to_jsonb(t) AS row FROM bank_transaction t WHERE company_id = $1 AND external_id = ANY ($2) ORDER BY id',
        [company_id, externalIds],
      );
    const before = await read();
    const names = Object.keys(change);
    await tx.query(
      `UPDATE bank_transaction SET updated_at = $3, ${names.map((name, i) => `${name} = $${i + 4}`).join(', ')}
       WHERE company_id = $1 AND external_id = ANY ($2)`,
      [company_id, externalIds, now, ...Object.values(change)],
    );
    const after = await read();
    const transactions = after.map(({ row }, i) => {
      const changed = names.filter((name) => row[name] !== before[i]?.row[name]);
      const previous = Object.fromEntries(changed.map((name) => [name, before[i]?.row[name]]));
      return { ...row, changed, previous };
    });
    const data = { object: 'transaction_update', company_id, cause: 'edited', count: after.length, transactions };
    const body = JSON.stringify({ type: 'bank.transaction.updated', data });
    await tx.query(insertUpdate, [context.newId('evt'), context.accountId, company_id, now, body]);
  });
}
