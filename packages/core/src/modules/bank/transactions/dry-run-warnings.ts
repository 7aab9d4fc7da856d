import { type BankTransactionRow, formatMoney, type Warning } from '@finhook/contracts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { accountName } from '../../../ids/connection-id.ts';
import { toTimestamp } from '../../../time/clock.ts';
import type { Context } from '../../../verbs/context.ts';
import type { LockedCompany } from '../../companies/lock-company.ts';
import type { PlannedRow } from './plan-ingest.ts';

/** Fewer rows of one sign prove nothing. */
const MIN_ROWS = 50;
/** Least rows between two balances for a comparison with their difference. */
const MIN_MOVEMENT_ROWS = 10;
const MIN_OVERLAP_ROWS = 10;
const OVERLAP_PERCENT = 80;
const QUIET_DAYS = 45;
const ADVICE =
  'Money out is negative and money in is positive: if the source has it the other way, negate every amount.';

/** A stored row of the same amount and currency, at most a day away. */
interface Twin {
  position: number;
  id: string;
  connection_id: string;
  external_id: string;
  text: string;
}

// The outer window is for the index: row-level security allows it for comparisons of timestamps only.
const readTwins = statement(
  'read_transaction_twins',
  `SELECT n.position, b.id, b.connection_id, b.external_id, concat_ws(' ', b.description, b.counterparty) AS text
   FROM json_to_recordset($2) AS n (position int, currency text, amount_cents bigint, posted_at timestamptz, description text)
   CROSS JOIN LATERAL (
     SELECT t.* FROM bank_transaction t
     WHERE t.company_id = $1 AND t.posted_at > n.posted_at - interval '2 days' AND t.posted_at < n.posted_at + interval '2 days'
       AND t.amount_cents = n.amount_cents AND t.currency = n.currency AND t.voided_at IS NULL
       AND abs((t.posted_at AT TIME ZONE $3)::date - (n.posted_at AT TIME ZONE $3)::date) <= 1
     ORDER BY t.description <> n.description, abs(extract(epoch FROM t.posted_at - n.posted_at)), t.id LIMIT 50
   ) b`,
);

interface Series {
  connection_id: string;
  known: boolean;
  /** Its newest row of the last 45 days. */
  newest: string | null;
  replaces: string | null;
}

const readSeries = statement(
  'read_series_of_twins',
  `SELECT s.connection_id,
     EXISTS (SELECT FROM bank_transaction t WHERE t.company_id = $1 AND t.connection_id = s.connection_id) AS known,
     (SELECT max(t.posted_at) FROM bank_transaction t WHERE t.company_id = $1 AND t.connection_id = s.connection_id
        AND t.voided_at IS NULL AND t.posted_at > $3::timestamptz - interval '${QUIET_DAYS} days') AS newest,
     (SELECT k.replaces FROM bank_connection k WHERE k.company_id = $1 AND k.id = s.connection_id) AS replaces
   FROM unnest($2::text[]) AS s (connection_id)`,
);

export interface Twins {
  stored: readonly Twin[];
  series: ReadonlyMap<string, Series>;
}

/** Runs before the rows are stored. An ingest key gets none: it must not learn of other connections' rows. */
export async function findTwins(
  db: Queryable,
  { access, clock }: Context,
  company: LockedCompany,
  rows: readonly PlannedRow[],
): Promise<Twins> {
  if (access.ingest) return { stored: [], series: new Map() };
  const sent = rows.map(({ row }, position) => ({ position, ...row }));
  const stored = await db.query<Twin>(readTwins, [company.id, JSON.stringify(sent), company.timezone]);
  const names = new Set([...stored.map((twin) => twin.connection_id), ...rows.map(connectionOf)]);
  const series = await db.query<Series>(readSeries, [company.id, [...names], clock.now().toISOString()]);
  return { stored, series: new Map(series.map((one) => [one.connection_id, one])) };
}

const connectionOf = ({ row }: PlannedRow): string => row.connection_id ?? '';

/** Stored rows in `named` are other payments, and each stored row has at most one twin. */
export function duplicateWarnings(
  { stored, series }: Twins,
  rows: readonly PlannedRow[],
  inserted: readonly PlannedRow[],
  named: ReadonlySet<string | null>,
  rowPointer: (index: number) => string,
): Warning[] {
  const isNew = new Set(inserted);
  const twins = Map.groupBy(
    stored.filter(({ id }) => !named.has(id)),
    ({ position }) => position,
  );
  const candidates = rows.flatMap((planned, position) =>
    isNew.has(planned) ? [{ planned, twins: twins.get(position) ?? [] }] : [],
  );
  const repeated = repeatedSeries(candidates, series);
  const single = candidates.filter(({ planned }) => !repeated.has(connectionOf(planned)));
  const newest = Math.max(...inserted.map(({ row }) => Date.parse(row.posted_at)));
  const pairs = pairTwins(single, ({ row }, twin) => {
    const end = series.get(twin.connection_id)?.newest;
    const sameSeries = twin.connection_id === (row.connection_id ?? '');
    const quiet = end != null && Date.parse(toTimestamp(end)) < newest - 86_400_000;
    return (sameSeries || quiet) && isSimilar(`${row.description} ${row.counterparty ?? ''}`, twin.text);
  });
  const alone = pairs.map(({ planned, twin }) => ({
    code: 'suspected_duplicate',
    transaction_id: twin.id,
    connection_id: twin.connection_id || null,
    pointer: rowPointer(planned.index),
    message: `${planned.reference ?? 'The row'} has the amount, day and text of ${twin.external_id} (${twin.id}), which is a row of the ${accountName(twin.connection_id)}. It is stored all the same.`,
  }));
  return [...repeated.values(), ...alone];
}

interface Candidate {
  planned: PlannedRow;
  twins: readonly Twin[];
}

/** Money in and out per currency, both as positive sums. */
export function flowTotalsOf(rows: readonly Pick<BankTransactionRow, 'amount_cents' | 'currency'>[]) {
  const totals = new Map<string, { currency: string; in: bigint; out: bigint }>();
  for (const { amount_cents, currency } of rows) {
    const line = totals.get(currency) ?? { currency, in: 0n, out: 0n };
    if (amount_cents > 0) line.in += BigInt(amount_cents);
    else line.out -= BigInt(amount_cents);
    totals.set(currency, line);
  }
  return [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

function pairTwins(candidates: readonly Candidate[], matches: (planned: PlannedRow, twin: Twin) => boolean) {
  const taken = new Set<string>();
  return candidates.flatMap(({ planned, twins }) => {
    const twin = twins.find((one) => !taken.has(one.id) && matches(planned, one));
    if (twin === undefined) return [];
    taken.add(twin.id);
    return [{ planned, twin }];
  });
}

function repeatedSeries(candidates: readonly Candidate[], series: Twins['series']): Map<string, Warning> {
  const warnings = new Map<string, Warning>();
  for (const [name, own] of Map.groupBy(candidates, ({ planned }) => connectionOf(planned))) {
    if (own.length < MIN_OVERLAP_ROWS || series.get(name)?.known) continue;
    const others = new Set(own.flatMap(({ twins }) => twins.map((twin) => twin.connection_id)));
    for (const other of others) {
      if (series.get(name)?.replaces === other) continue;
      const pairs = pairTwins(own, (_, twin) => twin.connection_id === other);
      if (pairs.length * 100 < own.length * OVERLAP_PERCENT) continue;
      warnings.set(name, repeatedWarning(name, other, own.length, pairs));
    }
  }
  return warnings;
}

function repeatedWarning(name: string, other: string, rows: number, pairs: { planned: PlannedRow }[]): Warning {
  const totals = flowTotalsOf(pairs.map(({ planned }) => planned.row));
  const sums = (times: bigint): string =>
    totals
      .map((line) => {
        const [moneyIn, moneyOut] = [line.in * times, line.out * times];
        return `${formatMoney(moneyIn, line.currency)} in and ${formatMoney(moneyOut, line.currency)} out`;
      })
      .join(', ');
  return {
    code: 'suspected_duplicate_connection',
    connection_id: name || null,
    message: `${pairs.length} of the ${rows} rows of the ${accountName(name)} are stored as those of the ${accountName(other)} already: is it the same account? Counted once they are ${sums(1n)}, counted twice ${sums(2n)}. Name the old connection as the one that the new one replaces, or leave the rows out.`,
  };
}

/** Half of the words of the shorter text are in the other; a row without text is similar to one without. */
function isSimilar(a: string, b: string): boolean {
  const [first, second] = [wordsOf(a), wordsOf(b)];
  const least = Math.min(first.size, second.size);
  return least === 0 ? first.size === second.size : [...first].filter((word) => second.has(word)).length * 2 >= least;
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );
}

// A day's balance includes the day's rows.
const readMovements = statement(
  'read_balance_movements',
  `SELECT s.connection_id, o.as_of AS from_day, e.as_of AS to_day, o.currency, p.rows, p.net::text AS net,
          (e.balance_cents - o.balance_cents)::text AS change
   FROM (
     SELECT connection_id, min((posted_at AT TIME ZONE $3)::date) AS first, max((posted_at AT TIME ZONE $3)::date) AS last
     FROM json_to_recordset($2) AS n (connection_id text, posted_at timestamptz) GROUP BY connection_id
   ) s
   CROSS JOIN LATERAL (
     SELECT * FROM cash_balance b WHERE b.company_id = $1 AND b.connection_id = s.connection_id AND b.as_of < s.last
     ORDER BY b.as_of >= s.first, abs(b.as_of - s.first) LIMIT 1
   ) o
   CROSS JOIN LATERAL (
     SELECT * FROM cash_balance b WHERE b.company_id = $1 AND b.connection_id = s.connection_id AND b.as_of > o.as_of
       AND b.currency = o.currency
     ORDER BY b.as_of < s.last, abs(b.as_of - s.last) LIMIT 1
   ) e
   CROSS JOIN LATERAL (
     SELECT count(*)::int AS rows, coalesce(sum(t.amount_cents), 0) AS net FROM bank_transaction t
     WHERE t.company_id = $1 AND t.connection_id = s.connection_id AND t.currency = o.currency AND t.voided_at IS NULL
       AND t.posted_at >= (o.as_of + 1)::timestamp AT TIME ZONE $3 AND t.posted_at < (e.as_of + 1)::timestamp AT TIME ZONE $3
   ) p
   ORDER BY s.connection_id`,
);

interface Movement {
  connection_id: string;
  from_day: string;
  to_day: string;
  currency: string;
  rows: number;
  net: string;
  change: string;
}

/** Runs after the rows are stored. */
export async function signWarnings(
  db: Queryable,
  company: LockedCompany,
  planned: readonly PlannedRow[],
): Promise<Warning[]> {
  const warnings: Warning[] = [];
  const amounts = planned.map(({ row }) => row.amount_cents).filter((cents) => cents !== 0);
  const incoming = amounts.filter((cents) => cents > 0).length;
  if (amounts.length >= MIN_ROWS && (incoming === 0 || incoming === amounts.length)) {
    const direction = incoming === 0 ? 'out' : 'in';
    warnings.push({
      code: 'all_same_sign',
      message: `All ${amounts.length} amounts are money ${direction}. ${ADVICE}`,
    });
  }
  const sent = planned.map(({ row }) => ({ connection_id: row.connection_id ?? '', posted_at: row.posted_at }));
  const movements = await db.query<Movement>(readMovements, [company.id, JSON.stringify(sent), company.timezone]);
  for (const { connection_id, from_day, to_day, currency, rows, net, change } of movements) {
    if (rows < MIN_MOVEMENT_ROWS || BigInt(net) * BigInt(change) >= 0n) continue;
    warnings.push({
      code: 'all_same_sign',
      message: `From ${from_day} to ${to_day} the balance of the ${accountName(connection_id)} changed by ${formatMoney(change, currency)}, but its transactions add up to ${formatMoney(net, currency)}. ${ADVICE}`,
    });
  }
  return warnings;
}
