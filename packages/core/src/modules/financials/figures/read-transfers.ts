import { statement } from '../../../db/queryable.ts';
import { dueUntil } from '../../../kernel/calendar.ts';
import type { Context } from '../../../kernel/context.ts';
import type { RowSource } from './burn-view.ts';
import type { MonthFlow } from './compute-burn.ts';
import { type FigureRules, normalizeCategory } from './figure-rules.ts';
import type { MonthWindow } from './months.ts';
import { pairedWithin, pairTransfers, TRANSFER_MARGIN, type TransferPair, type TransferRow } from './pair-transfers.ts';

/** In a month with more rows, one below a part of the month's money out is no side: it moves no figure. */
const MANY_ROWS = 1_000;
const LEAST_PART = 1_000n;

/** Categories of rows that may be one side of a transfer, if nothing else has classified them. */
const maybeTransfer = /transfer|sweep|payout|deposit|withdrawal|savings|card_payment/;

const columns = 'id, connection_id, posted_at, amount_cents, currency, category';

// The rows of months with few are read by time, and the large ones of the others by amount. Only rows with an opposite one in
// another account leave the database; found by a window instead of a join, whose plan would compare them in pairs if it was
// made while the table was small. Payments to an excluded account have left the company's accounts, so its rows are not sides.
const readSides = statement(
  'read_transfer_sides',
  `SELECT ${columns} FROM (
     SELECT t.*, bool_or(amount_cents < 0) OVER same AND bool_or(amount_cents > 0) OVER same
              AND min(connection_id) OVER same <> max(connection_id) OVER same AS may_pair
     FROM (
       SELECT r.* FROM unnest($3::timestamptz[], $4::timestamptz[]) AS s (since, until) CROSS JOIN LATERAL (
         SELECT ${columns} FROM bank_transaction
         WHERE company_id = $1 AND account_id = $2 AND posted_at >= s.since AND posted_at < s.until ORDER BY posted_at
       ) r
       UNION ALL
       SELECT r.* FROM unnest($5::timestamptz[], $6::timestamptz[], $7::text[], $8::bigint[]) AS l (since, until, currency, cents)
       CROSS JOIN LATERAL (
         SELECT ${columns} FROM bank_transaction
         WHERE company_id = $1 AND account_id = $2 AND currency = l.currency AND amount_cents >= l.cents
           AND posted_at >= l.since AND posted_at < l.until
         UNION ALL
         SELECT ${columns} FROM bank_transaction
         WHERE company_id = $1 AND account_id = $2 AND currency = l.currency AND amount_cents <= -l.cents
           AND posted_at >= l.since AND posted_at < l.until
       ) r
     ) t
     WHERE amount_cents <> 0 AND t.connection_id <> ALL ($9::text[])
       AND NOT EXISTS (SELECT FROM unnest($10::text[], $11::date[]) AS r (id, day)
                       WHERE r.id = t.connection_id AND r.day <= (t.posted_at AT TIME ZONE $12)::date)
     WINDOW same AS (PARTITION BY t.currency, abs(t.amount_cents))
   ) w WHERE may_pair`,
);

interface Row {
  id: string;
  connection_id: string;
  posted_at: string;
  amount_cents: string;
  currency: string;
  category: string | null;
}

/** The sums of the months that rows are looked for in; the first month only has the neighbours of the second one's rows. */
interface Months {
  windows: readonly MonthWindow[];
  flows: readonly MonthFlow[];
}

/**
 * The rows that may be one side of a transfer between the company's own accounts, from the second month on and shortly before
 * it. `cards` are the payments of cards that are transfers; the other ones are counted.
 */
export async function readTransferSides(
  context: Context,
  { cash, rules, replaced }: RowSource,
  { windows, flows }: Months,
  cards: ReadonlySet<string>,
): Promise<TransferRow[]> {
  const spans = spansOf(windows, dueUntil(cash.zone, cash.today)).map((span) => {
    const own = flows.filter(({ month }) => month === span.month);
    return { ...span, large: own.some(({ transactions }) => transactions > MANY_ROWS) ? own : [] };
  });
  const few = spans.filter(({ large }) => large.length === 0);
  const many = spans.flatMap(({ large, ...span }) => large.map((flow) => ({ ...span, flow })));
  const rows = await context.database.query<Row>(readSides, [
    cash.companyId,
    context.accountId,
    few.map(({ since }) => since),
    few.map(({ until }) => until),
    many.map(({ since }) => since),
    many.map(({ until }) => until),
    many.map(({ flow }) => flow.currency),
    many.map(({ flow }) => leastOf(flow).toString()),
    rules.excludedConnections,
    replaced.map(({ connection_id }) => connection_id),
    replaced.map((one) => one.from),
    cash.zone.name,
  ]);
  return rows.map(toTransferRow).filter((row) => mayPair(row, rules, cards));
}

interface Span {
  month: string;
  since: string;
  until: string;
}

/** When the rows of each month were posted that are due: of the first one, those that may be a side of the second one's. */
function spansOf(windows: readonly MonthWindow[], due: number): Span[] {
  const first = Date.parse(windows[1]?.from ?? '') - TRANSFER_MARGIN;
  return windows.map(({ month, from, to }) => {
    const [since, until] = [Math.max(Date.parse(from), first), Math.min(Date.parse(to), due)];
    return { month, since: new Date(since).toISOString(), until: new Date(until).toISOString() };
  });
}

function leastOf({ moneyOut, transactions }: MonthFlow): bigint {
  const part = transactions > MANY_ROWS ? (moneyOut + LEAST_PART - 1n) / LEAST_PART : 1n;
  return part > 0n ? part : 1n;
}

/** Whether nothing but a pair classifies the row, or a category that calls it a transfer already. */
function mayPair({ id, amount, category }: TransferRow, rules: FigureRules, cards: ReadonlySet<string>): boolean {
  const normalized = normalizeCategory(category);
  if (rules.cardCategories.includes(normalized)) return cards.has(id);
  if (amount > 0n && rules.financingCategories.includes(normalized)) return false;
  return normalized === '' || maybeTransfer.test(normalized);
}

/** The sides of pairs in each month but the first. */
export function pairedIn(sides: readonly TransferRow[], windows: readonly MonthWindow[]): TransferRow[] {
  return windows.slice(1).flatMap(({ from, to }) => pairedWithin(sides, Date.parse(from), Date.parse(to)));
}

/** The pairs with a side since a moment. */
export function pairsSince(sides: readonly TransferRow[], since: number): TransferPair[] {
  const near = sides.filter(({ postedAt }) => postedAt >= since - TRANSFER_MARGIN);
  return pairTransfers(near).filter((pair) => Math.max(pair.out.postedAt, pair.in.postedAt) >= since);
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
