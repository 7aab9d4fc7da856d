import { statement } from '../../../db/queryable.ts';
import { dueUntil } from '../../../time/calendar.ts';
import type { Context } from '../../../verbs/context.ts';
import { decidedCategorySql, decidedClassSql, flowRulesCte } from '../../bank/transactions/rule-sql.ts';
import { nameParameters } from '../named-parameters.ts';
import type { MonthFlow } from './compute-burn.ts';
import { type FigureRules, normalizeCategory } from './figure-rules.ts';
import { createMonthLookup, MAX_AMOUNT, type StoredRow, toKeyedRow } from './leave-out.ts';
import type { MonthWindow } from './months.ts';
import { pairBetween, TRANSFER_DAYS, TRANSFER_MARGIN, type TransferPair, type TransferRow } from './pair-transfers.ts';
import { countsSql, type RowSource, replacedOf } from './row-source.ts';

/** A month with more rows has no sides below 1/`LEAST_PART` of its money in or out, whichever is more. */
const MANY_ROWS = 1_000;
const LEAST_PART = 1_000n;

const maybeTransfer = /transfer|sweep|payout|deposit|withdrawal|savings|card_payment/;

const columns =
  'id, connection_id, posted_at, amount_cents, currency, category, own_category, counterparty, description, flow_class, voided_at';

const { p, valuesOf } = nameParameters(
  'company',
  'account',
  'currencies',
  'leastAmounts',
  'leastSince',
  'leastUntil',
  'since',
  'until',
  'without',
  'replaced',
  'zone',
  'fewSince',
  'fewUntil',
  'flowRules',
);

// Payments to an excluded account leave the company's accounts, and those to a loan are spending: they are no sides.
const isSide = `t.voided_at IS NULL AND ${countsSql(p)}`;

// Reads money in that has money out of the same amount near it, then all money out of those amounts. In a month with few
// rows it finds money in by time, else by amount, as it always finds money out. LIMIT, ORDER BY, OFFSET and the upper bound
// (`MAX_AMOUNT`) keep the planner to that: a join might compare all rows. Compared values are computed in `income` because
// row-level security allows indexes only for leakproof conditions.
const readSides = statement(
  'read_transfer_sides',
  `WITH ${flowRulesCte(`${p.flowRules}::jsonb`)}, income AS MATERIALIZED (
     SELECT t.*, -t.amount_cents AS opposite, t.posted_at - interval '${24 * TRANSFER_DAYS} hours' AS since,
            t.posted_at + interval '${24 * TRANSFER_DAYS} hours' AS until
     FROM (
       SELECT r.* FROM unnest(${p.fewSince}::timestamptz[], ${p.fewUntil}::timestamptz[]) AS s (since, until) CROSS JOIN LATERAL (
         SELECT ${columns} FROM bank_transaction
         WHERE company_id = ${p.company} AND account_id = ${p.account} AND posted_at >= s.since AND posted_at < s.until ORDER BY posted_at
       ) r
       UNION ALL
       SELECT r.* FROM unnest(${p.currencies}::text[], ${p.leastAmounts}::bigint[], ${p.leastSince}::timestamptz[], ${p.leastUntil}::timestamptz[]) AS l (currency, cents, since, until)
       CROSS JOIN LATERAL (
         SELECT ${columns} FROM bank_transaction
         WHERE company_id = ${p.company} AND account_id = ${p.account} AND currency = l.currency AND amount_cents <> 0
           AND amount_cents BETWEEN l.cents AND l.cents + ${MAX_AMOUNT}
           AND posted_at >= l.since AND posted_at < l.until ORDER BY amount_cents
       ) r
     ) t WHERE t.amount_cents > 0 AND ${isSide}
   ),
   found AS MATERIALIZED (
     SELECT i.* FROM income i CROSS JOIN LATERAL (
       SELECT FROM bank_transaction o
       WHERE o.company_id = ${p.company} AND o.account_id = ${p.account} AND o.currency = i.currency AND o.amount_cents = i.opposite AND o.amount_cents <> 0
         AND o.posted_at >= i.since AND o.posted_at <= i.until AND o.connection_id <> i.connection_id
         AND o.voided_at IS NULL
       LIMIT 1
     ) other
   )
   SELECT id, connection_id, posted_at, amount_cents, currency, ${decidedCategorySql('side')} AS category,
          ${decidedClassSql('side')} AS flow_class
   FROM (
     SELECT ${columns} FROM found
     UNION ALL
     SELECT t.* FROM (SELECT DISTINCT currency, opposite FROM found) a CROSS JOIN LATERAL (
       SELECT ${columns} FROM bank_transaction
       WHERE company_id = ${p.company} AND account_id = ${p.account} AND currency = a.currency AND amount_cents = a.opposite AND amount_cents <> 0
         AND posted_at >= ${p.since}::timestamptz AND posted_at < ${p.until}::timestamptz OFFSET 0
     ) t WHERE ${isSide}
   ) side`,
);

interface Row extends StoredRow {
  flow_class: string;
}

/** The months to search; the first one only for the other sides of the second one's rows. */
interface Months {
  windows: readonly MonthWindow[];
  flows: readonly MonthFlow[];
}

/** `cards` are the payments of cards that are transfers; others are counted. */
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
  const values = valuesOf({
    company: cash.companyId,
    account: context.accountId,
    currencies: scales.map(({ currency }) => currency),
    leastAmounts: scales.map(({ least }) => least.toString()),
    leastSince: scales.map(({ since }) => since),
    leastUntil: scales.map(({ until }) => until),
    since: spans[0]?.since,
    until: spans.at(-1)?.until,
    without: [
      ...rules.excludedConnections,
      ...rules.uncountedConnections.filter((id) => !rules.sideConnections.includes(id)),
    ],
    replaced: replacedOf(source),
    zone: cash.zone.name,
    fewSince: few.map(({ since }) => since),
    fewUntil: few.map(({ until }) => until),
    flowRules: source.flowRules,
  });
  const rows = await context.database.query<Row>(readSides, values);
  const monthOf = createMonthLookup(windows);
  const leastIn = new Map(scales.map(({ month, currency, least }) => [`${month} ${currency}`, least]));
  const sides = rows.map((row) => ({ ...toKeyedRow(row), flowClass: row.flow_class }));
  return sides.filter((row) => {
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

/** The due part of each month; of the first one, the end that may have a side of the second month's pairs. */
function spansOf(windows: readonly MonthWindow[], due: number): Span[] {
  const first = Date.parse(windows[1]?.from ?? '') - TRANSFER_MARGIN;
  return windows.map(({ month, from, to }) => {
    const [since, until] = [Math.max(Date.parse(from), first), Math.min(Date.parse(to), due)];
    return { month, since: new Date(since).toISOString(), until: new Date(until).toISOString() };
  });
}

function leastOf({ currency, moneyIn, moneyOut }: MonthFlow): { currency: string; least: bigint } {
  const larger = moneyIn > moneyOut ? moneyIn : moneyOut;
  const part = (larger + LEAST_PART - 1n) / LEAST_PART;
  const atMost = part < MAX_AMOUNT ? part : MAX_AMOUNT;
  return { currency, least: atMost > 0n ? atMost : 1n };
}

/**
 * True if the row may be a side of a pair: always in an investment or restricted account; elsewhere if its class or category
 * allows a transfer.
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

export function pairsIn(sides: readonly TransferRow[], windows: readonly MonthWindow[]): TransferPair[] {
  const [, ...months] = windows;
  return pairBetween(
    sides,
    [...months.map(({ from }) => from), ...months.slice(-1).map(({ to }) => to)].map(Date.parse),
  );
}
