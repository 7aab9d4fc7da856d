import type { BankTransactionRow, UpdatedTransaction } from '@finhook/contracts';
import {
  type ArrayColumn,
  booleanColumn,
  columnArrays,
  columnNames,
  textColumn,
  timestamptzColumn,
  unnestSql,
} from '../../../db/binary-array.ts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { changesBetween } from '../../../outbox/record-change.ts';
import type { Clock } from '../../../time/clock.ts';
import type { LockedCompany } from '../../companies/lock-company.ts';
import { forgetChangedDuplicates } from './changed-duplicates.ts';
import { type KnownRow, sentColumns } from './compare-rows.ts';
import type { UpdatedRow } from './correct-rows.ts';
import type { PlannedRow } from './plan-ingest.ts';
import { shownRuleCategorySql } from './rule-sql.ts';
import { categoryFields, type TransactionRow, toEventRow } from './transaction.ts';

export interface UpdatedKnown {
  planned: PlannedRow;
  row: UpdatedRow;
}

// Locks in the order of the keys, so that overlapping requests can't deadlock, and reads the rows after other changes.
const lock = statement(
  'lock_known_transactions',
  `SELECT t.*, ${shownRuleCategorySql('t', '$1')} AS rule_category FROM bank_transaction t
   WHERE t.company_id = $1 AND t.id = ANY ($2::text[])
   ORDER BY t.connection_id, t.external_id FOR NO KEY UPDATE OF t`,
);

const columns: readonly ArrayColumn<BankTransactionRow>[] = [
  textColumn('id', (row) => row.id),
  ...sentColumns,
  textColumn('currency', (row) => row.currency),
  booleanColumn('currency_inferred', (row) => row.currency_inferred),
  textColumn('source', (row) => row.source),
  timestamptzColumn('updated_at', (row) => Date.parse(row.updated_at)),
];

const store = statement(
  'update_transactions',
  `UPDATE bank_transaction AS t
   SET posted_at = n.posted_at, amount_cents = n.amount_cents, description = n.description, category = n.category,
       counterparty = n.counterparty, currency = n.currency, currency_inferred = n.currency_inferred, source = n.source,
       updated_at = n.updated_at
   FROM ${unnestSql(columns, 2)} AS n (${columnNames(columns)})
   WHERE t.company_id = $1 AND t.id = n.id
   RETURNING t.id, t.category, t.own_category, ${shownRuleCategorySql('t', '$1')} AS rule_category`,
);

type CategoryRow = Pick<TransactionRow, 'id' | 'category' | 'own_category' | 'rule_category'>;

export interface UpdateOptions {
  clock: Clock;
  /** The sources of the caller's key; absent without a limit. */
  sources: readonly string[] | undefined;
}

interface Updates {
  updated: UpdatedKnown[];
  /** Rows whose stored source the caller's key may not post. */
  rejected: PlannedRow[];
}

/** Skips voided rows, and replaces the entries of `known` by what the locked rows say. */
export async function updateKnown(
  db: Queryable,
  company: LockedCompany,
  rows: readonly PlannedRow[],
  known: Map<PlannedRow, KnownRow>,
  { clock, sources }: UpdateOptions,
): Promise<Updates> {
  const differing = rows.flatMap((planned) => {
    const stored = known.get(planned);
    return stored !== undefined && !stored.voided && stored.differs.length > 0 ? [{ planned, stored }] : [];
  });
  if (differing.length === 0) return { updated: [], rejected: [] };
  const locked = await db.query<TransactionRow>(lock, [company.id, differing.map(({ stored }) => stored.id)]);
  // After the lock, so that an earlier change has an earlier time.
  const now = clock.now();
  const byId = new Map(locked.map((row) => [row.id, row]));
  const rejected: PlannedRow[] = [];
  const changing = differing.flatMap(({ planned, stored }) => {
    const row = byId.get(stored.id);
    if (row === undefined) return [];
    const before = toEventRow(row);
    const sent = withContent(before, planned);
    const differs = changesBetween(before, sent).changed.map((field) =>
      field === 'posted_category' ? 'category' : field,
    );
    known.set(planned, { id: stored.id, voided: before.voided_at !== null, differs });
    if (before.voided_at !== null || differs.length === 0) return [];
    if (sources?.includes(before.source) === false) {
      rejected.push(planned);
      return [];
    }
    return [{ planned, before, sent: { ...sent, updated_at: laterThan(before.updated_at, now) } }];
  });
  if (changing.length === 0) return { updated: [], rejected };
  const sent = changing.map((one) => one.sent);
  const stored = await db.query<CategoryRow>(store, [company.id, ...columnArrays(columns, sent)]);
  const categories = new Map(stored.map((row) => [row.id, categoryFields(row)]));
  const updated = changing.map((one): UpdatedKnown => {
    const row = { ...one.sent, ...categories.get(one.sent.id) };
    return { planned: one.planned, row: { ...row, ...changesBetween(one.before, row) } };
  });
  await forgetChangedDuplicates(
    db,
    company,
    sent.map(({ id }) => id),
  );
  return { updated, rejected };
}

/** Later than the last change, even if another process's clock is ahead. */
function laterThan(updatedAt: string, now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(updatedAt) + 1)).toISOString();
}

/** Currency and source stay unless the request names them, and `category` until it is stored. */
function withContent(stored: BankTransactionRow, { row, explicit }: PlannedRow): BankTransactionRow {
  const { posted_at, amount_cents, description, posted_category, counterparty } = row;
  const isOther = explicit.currency && row.currency !== stored.currency;
  return {
    ...stored,
    posted_at,
    amount_cents,
    description,
    posted_category,
    counterparty,
    ...(isOther ? { currency: row.currency, currency_inferred: false } : {}),
    ...(explicit.source ? { source: row.source } : {}),
  };
}

export function toUpdatedTransaction({ planned, row }: UpdatedKnown): UpdatedTransaction {
  const { id, external_id, changed, previous } = row;
  return { index: planned.index, id, external_id, changed, previous };
}
