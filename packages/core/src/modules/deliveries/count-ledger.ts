import { statement } from '../../db/queryable.ts';
import type { Core } from '../../kernel/context.ts';

/** Delivery counts: every accepted delivery is terminal or scheduled; any other is lost. */
export interface LedgerCount {
  accepted: number;
  terminal: number;
  scheduled: number;
}

export interface LedgerPage extends LedgerCount {
  next: string | undefined;
}

// One statement sees one snapshot: a delivery that ends meanwhile is in both tables as before, or in neither.
const countPage = statement(
  'count_ledger_page',
  `WITH p AS MATERIALIZED (SELECT id, status FROM delivery WHERE id > $1 ORDER BY id LIMIT $2::int)
   SELECT count(*)::int AS accepted,
     count(*) FILTER (WHERE p.status IN ('succeeded', 'failed', 'cancelled'))::int AS terminal,
     count(*) FILTER (WHERE p.status NOT IN ('succeeded', 'failed', 'cancelled')
       AND EXISTS (SELECT FROM due d WHERE d.delivery_id = p.id))::int AS scheduled,
     max(p.id) AS last
   FROM p`,
);

/** Counts the `size` deliveries after the id `after` (`''`: from the first), over all accounts. */
export async function countLedgerPage(core: Core, after: string, size: number): Promise<LedgerPage> {
  const [row] = await core.database.query<LedgerCount & { last: string | null }>(countPage, [after, size]);
  if (row === undefined) throw new Error('The ledger could not be counted.');
  const { accepted, terminal, scheduled, last } = row;
  return { accepted, terminal, scheduled, next: accepted < size || last === null ? undefined : last };
}
