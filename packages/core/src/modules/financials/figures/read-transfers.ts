import { statement } from '../../../db/queryable.ts';
import { dueUntil } from '../../../time/calendar.ts';
import type { Context } from '../../../verbs/context.ts';
import { decidedClassSql, flowRulesCte } from '../rollup/flow-class-sql.ts';
import type { MonthFlow } from './compute-burn.ts';
import { type FigureRules, normalizeCategory } from './figure-rules.ts';
import { openMonths } from './leave-out.ts';
import type { MonthWindow } from './months.ts';
import { pairBetween, TRANSFER_DAYS, TRANSFER_MARGIN, type TransferPair, type TransferRow } from './pair-transfers.ts';
import { countsSql, type RowSource, replacedOf } from './row-source.ts';

/** In a month with more rows, one below a part of the money in or out, whichever is more, is no side: it would change little. */
const MANY_ROWS = 1_000;
const LEAST_PART = 1_000n;
/** No row has a larger one. */
const MAX_AMOUNT = BigInt(Number.MAX_SAFE_INTEGER);

/** Categories of rows that may be one side of a transfer, if nothing else has classified them. */
const maybeTransfer = /transfer|sweep|payout|deposit|withdrawal|savings|card_payment/;

const columns =
  'id, connection_id, posted_at, amount_cents, currency, category, counterparty, description, flow_class, voided_at';
// Payments to an excluded account have left the company's accounts, and those to a loan are spending: their rows are no sides.
const isSide = `t.voided_at IS NULL AND ${countsSql({ without: '$9', replaced: '$10', zone: '$11' })}`;

// Money in with money out of the same amount near it, then all money out of those amounts. In a month with few rows money in is
// reached by time, in others by amount, as money out always is. LIMIT, ORDER BY and OFFSET keep it so: a join might compare all
// rows, or those of one amount in pairs. So does the upper bound, since the general plan expects fewer rows between two bounds.
// What rows are compared with is computed first, because row-level security allows indexes only for leakproof conditions.
const readSides = statement(
  'read_transfer_sides',
  `WITH ${flowRulesCte('$14::jsonb')}, income AS MATERIALIZED (
     SELECT t.*, -t.amount_cents AS opposite, t.posted_at - interval '${24 * TRANSFER_DAYS} hours' AS since,
            t.posted_at + interval '${24 * TRANSFER_DAYS} hours' AS until
     FROM (
       SELECT r.* FROM unnest($12::timestamptz[], $13::timestamptz[]) AS s (since, until) CROSS JOIN LATERAL (
         SELECT ${columns} FROM bank_transaction
         WHERE company_id = $1 AND account_id = $2 AND posted_at >= s.since AND posted_at < s.until ORDER BY posted_at
       ) r
       UNION ALL
       SELECT r.* FROM unnest($3::text[], $4::bigint[], $5::timestamptz[], $6::timestamptz[]) AS l (currency, cents, since, until)
       CROSS JOIN LATERAL (
         SELECT ${columns} FROM bank_transaction
         WHERE company_id = $1 AND account_id = $2 AND currency = l.currency AND amount_cents <> 0
           AND amount_cents BETWEEN l.cents AND l.cents + ${MAX_AMOUNT}
           AND posted_at >= l.since AND posted_at < l.until ORDER BY amount_cents
       ) r
     ) t WHERE t.amount_cents > 0 AND ${isSide}
   ),
   found AS MATERIALIZED (
     SELECT i.* FROM income i CROSS JOIN LATERAL (
       SELECT FROM bank_transaction o
       WHERE o.company_id = $1 AND o.account_id = $2 AND o.currency = i.currency AND o.amount_cents = i.opposite AND o.amount_cents <> 0
         AND o.posted_at >= i.since AND o.posted_at <= i.until AND o.connection_id <> i.connection_id
         AND o.voided_at IS NULL
       LIMIT 1
     ) other
   )
   SELECT id, connection_id, posted_at, amount_cents, currency, category, ${decidedClassSql('side')} AS flow_class
   FROM (
     SELECT ${columns} FROM found
     UNION ALL
     SELECT t.* FROM (SELECT DISTINCT currency, opposite FROM found) a CROSS JOIN LATERAL (
       SELECT ${columns} FROM bank_transaction
       WHERE company_id = $1 AND account_id = $2 AND currency = a.currency AND amount_cents = a.opposite AND amount_cents <> 0
         AND posted_at >= $7::timestamptz AND posted_at < $8::timestamptz OFFSET 0
     ) t WHERE ${isSide}
   ) side`,
);

interface Row {
  id: string;
  connection_id: string;
  posted_at: string;
  amount_cents: string;
  currency: string;
  category: string | null;
  flow_class: string;
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
  source: RowSource,
  { windows, flows }: Months,
  cards: ReadonlySet<string>,
): Promise<TransferRow[]> {
  const { cash, rules } = source;
  const spans = spansOf(windows, dueUntil(cash.zone, cash.today));
  const ofMonth = Map.groupBy(flows, ({ month }) => month);
  const sizeOf = (month: string): number =>
    (ofMonth.get(month) ?? []).reduce((sum, { transactions }) => sum + transactions, 0);
  const few = spans.filter(({ month }) => sizeOf(month) <= MANY_ROWS);
  const scales = spans
    .filter((span) => !few.includes(span))
    .flatMap((span) => (ofMonth.get(span.month) ?? []).map((flow) => ({ ...span, ...leastOf(flow) })));
  const rows = await context.database.query<Row>(readSides, [
    cash.companyId,
    context.accountId,
    scales.map(({ currency }) => currency),
    scales.map(({ least }) => least.toString()),
    scales.map(({ since }) => since),
    scales.map(({ until }) => until),
    spans[0]?.since,
    spans.at(-1)?.until,
    [...rules.excludedConnections, ...rules.uncountedConnections.filter((id) => !rules.sideConnections.includes(id))],
    replacedOf(source),
    cash.zone.name,
    few.map(({ since }) => since),
    few.map(({ until }) => until),
    source.flowRules,
  ]);
  const monthOf = openMonths(windows);
  const leastIn = new Map(scales.map(({ month, currency, least }) => [`${month} ${currency}`, least]));
  return rows.map(toTransferRow).filter((row) => {
    const size = row.amount < 0n ? -row.amount : row.amount;
    const least = leastIn.get(`${monthOf(row.postedAt)} ${row.currency}`) ?? 0n;
    return size >= least && mayPair(row, rules, cards);
  });
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

/** The least amount of a side in a month with many rows: a part of what came in or went out, whatever is more. */
function leastOf({ currency, moneyIn, moneyOut }: MonthFlow): { currency: string; least: bigint } {
  const larger = moneyIn > moneyOut ? moneyIn : moneyOut;
  const part = (larger + LEAST_PART - 1n) / LEAST_PART;
  const atMost = part < MAX_AMOUNT ? part : MAX_AMOUNT;
  return { currency, least: atMost > 0n ? atMost : 1n };
}

/**
 * Whether nothing but a pair classifies the row, or a person, a rule or a category that calls it a transfer already, or its
 * account, which has no other rows that count.
 */
function mayPair(
  { id, connectionId, amount, category, flowClass }: TransferRow,
  rules: FigureRules,
  cards: ReadonlySet<string>,
): boolean {
  if (rules.sideConnections.includes(connectionId)) return true;
  if (flowClass !== '' && flowClass !== 'transfer') return false;
  const normalized = normalizeCategory(category);
  if (flowClass === '') {
    if (rules.cardCategories.includes(normalized)) return cards.has(id);
    if (amount > 0n && rules.financingCategories.includes(normalized)) return false;
  }
  return category.trim() === '' || maybeTransfer.test(normalized);
}

/** The pairs with a side in any month but the first. */
export function pairsIn(sides: readonly TransferRow[], windows: readonly MonthWindow[]): TransferPair[] {
  const [, ...months] = windows;
  return pairBetween(
    sides,
    [...months.map(({ from }) => from), ...months.slice(-1).map(({ to }) => to)].map(Date.parse),
  );
}

function toTransferRow(row: Row): TransferRow {
  return {
    id: row.id,
    connectionId: row.connection_id,
    postedAt: Date.parse(row.posted_at),
    amount: BigInt(row.amount_cents),
    currency: row.currency,
    category: row.category ?? '',
    flowClass: row.flow_class,
  };
}
