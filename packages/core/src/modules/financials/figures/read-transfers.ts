import { statement } from '../../../db/queryable.ts';
import { dueUntil } from '../../../kernel/calendar.ts';
import type { Context } from '../../../kernel/context.ts';
import type { BurnView } from './burn-view.ts';
import type { MonthWindow } from './months.ts';
import { pairedWithin, pairTransfers, TRANSFER_MARGIN, type TransferRow } from './pair-transfers.ts';

/** Limit of rows from which the latest pairs are computed; above it, the response is marked as truncated. */
const MAX_CANDIDATES = 20_000;

// Groups by amount, because comparing rows in pairs is quadratic; and by a window instead of a join, whose plan would
// do just that if it was made while the table was small. The order makes the planner use the index by time. Payments to
// an excluded account have left the company's accounts, so its rows are not sides.
const candidates = `
  SELECT id, connection_id, posted_at, amount_cents, currency, category FROM (
    SELECT id, connection_id, posted_at, amount_cents, currency, category,
           bool_or(amount_cents < 0) OVER same AND bool_or(amount_cents > 0) OVER same
             AND min(connection_id) OVER same <> max(connection_id) OVER same AS may_pair
    FROM (
      SELECT * FROM bank_transaction
      WHERE company_id = $1 AND account_id = $2 AND amount_cents <> 0
        AND posted_at >= $3::timestamptz AND posted_at < $4::timestamptz
      ORDER BY posted_at
    ) t
    WHERE connection_id <> ALL ($8::text[])
      AND NOT EXISTS (SELECT FROM unnest($5::text[], $6::date[]) AS r (id, day)
                        WHERE r.id = t.connection_id AND r.day <= (t.posted_at AT TIME ZONE $7)::date)
    WINDOW same AS (PARTITION BY currency, abs(amount_cents))
  ) w WHERE may_pair`;
const readAll = statement('read_transfer_candidates', candidates);
const readLatest = statement(
  'read_latest_transfer_candidates',
  `${candidates} ORDER BY posted_at DESC, id DESC LIMIT ${MAX_CANDIDATES + 1}`,
);

interface Row {
  id: string;
  connection_id: string;
  posted_at: string;
  amount_cents: string;
  currency: string;
  category: string | null;
}

export interface Transfers {
  pairs: { out: TransferRow; in: TransferRow }[];
  truncated: boolean;
}

type Source = Pick<BurnView, 'cash' | 'rules' | 'replaced'>;

/** The latest pairs of rows since a moment that look like transfers between the company's own series. */
export async function readTransfers(context: Context, source: Source, since: number): Promise<Transfers> {
  const values = valuesOf(context, source, since - TRANSFER_MARGIN, dueUntil(source.cash.zone, source.cash.today));
  const rows = await context.database.query<Row>(readLatest, values);
  const pairs = pairTransfers(rows.slice(0, MAX_CANDIDATES).map(toTransferRow));
  return {
    pairs: pairs.filter((pair) => Math.max(pair.out.postedAt, pair.in.postedAt) >= since),
    truncated: rows.length > MAX_CANDIDATES,
  };
}

/**
 * All due rows of a month that are one side of such a pair. Reads one month at a time: figures are exact, so nothing is
 * truncated, and memory holds one month.
 */
export async function readMonthTransfers(context: Context, source: Source, month: MonthWindow): Promise<TransferRow[]> {
  const [from, to] = [Date.parse(month.from), Date.parse(month.to)];
  const until = Math.min(to + TRANSFER_MARGIN, dueUntil(source.cash.zone, source.cash.today));
  const values = valuesOf(context, source, from - TRANSFER_MARGIN, until);
  const rows = await context.database.query<Row>(readAll, values);
  return pairedWithin(rows.map(toTransferRow), from, to);
}

function valuesOf(context: Context, { cash, rules, replaced }: Source, from: number, to: number): unknown[] {
  const ids = replaced.map(({ connection_id }) => connection_id);
  const days = replaced.map((one) => one.from);
  return [
    cash.companyId,
    context.accountId,
    timeOf(from),
    timeOf(to),
    ids,
    days,
    cash.zone.name,
    rules.excludedConnections,
  ];
}

function timeOf(moment: number): string {
  return new Date(moment).toISOString();
}

function toTransferRow(row: Row): TransferRow {
  return {
    id: row.id,
    connectionId: row.connection_id,
    postedAt: Date.parse(row.posted_at),
    amount: BigInt(row.amount_cents),
    currency: row.currency,
    category: row.category ?? '',
  };
}
