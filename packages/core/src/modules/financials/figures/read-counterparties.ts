import type { Context } from '../../../verbs/context.ts';
import { comparedSql } from '../../bank/transactions/rule-sql.ts';
import type { ClassifiedRows } from './classify-rows.ts';
import type { KeySums } from './compute-breakdown.ts';
import { addMonths } from './months.ts';
import { countsInFiguresSql, groupedRows, rowClassJoin } from './row-class-sql.ts';

interface Row {
  key: string;
  month: string;
  amount: string;
  transactions: number;
  name: string;
  newest: string;
}

interface CounterpartyQuery {
  direction: 'in' | 'out';
  currency: string;
  connectionId: string | undefined;
  months: readonly string[];
}

const DAY = 86_400_000;

/** Sums the rows by counterparty. The name is the newest spelling, or of several the first in alphabetical order. */
export async function readCounterparties(
  context: Context,
  classes: ClassifiedRows,
  { direction, currency, connectionId, months }: CounterpartyQuery,
): Promise<KeySums[]> {
  const { companyId } = classes.cash;
  const values: unknown[] = [companyId, context.accountId, currency, months, ...boundsOf(months)];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const rowsOfMonths = `t.company_id = $1 AND t.account_id = $2 AND t.currency = $3
    AND t.posted_at >= $5::timestamptz AND t.posted_at < $6::timestamptz
    ${connectionId === undefined ? '' : `AND t.connection_id = ${bind(connectionId)}`}`;
  const source = `${groupedRows(classes, bind, rowsOfMonths)} ${rowClassJoin(classes, bind)}`;
  const [amount, isOfSide] =
    direction === 'in'
      ? ['greatest(t.amount_cents, 0)', 't.amount_cents > 0']
      : ['-least(t.amount_cents, 0)', 't.amount_cents < 0'];
  // Grouped by spelling first, because normalizing each row's text is slow.
  const rows = await context.database.query<Row>(
    `SELECT ${comparedSql('s.name')} AS key, s.month, sum(s.amount)::text AS amount, sum(s.transactions)::int AS transactions,
            (array_agg(s.name ORDER BY s.newest DESC, s.name COLLATE "C"))[1] AS name, max(s.newest) AS newest
     FROM (
       SELECT t.month, btrim(coalesce(t.counterparty, '')) AS name, sum(${amount}) AS amount,
              coalesce(sum(t.rows) FILTER (WHERE ${isOfSide}), 0) AS transactions, max(t.posted_at) AS newest
       FROM ${source}
       WHERE ${countsInFiguresSql}
       GROUP BY 1, 2 OFFSET 0
     ) s WHERE s.month = ANY ($4::text[]) GROUP BY 1, 2`,
    values,
  );
  return [...Map.groupBy(rows, ({ key }) => key)].map(([key, sums]) => ({
    key: key === '' ? null : key,
    name: key === '' ? null : nameOf(sums),
    amounts: new Map(sums.map((one) => [one.month, BigInt(one.amount)])),
    transactions: new Map(sums.map((one) => [one.month, one.transactions])),
  }));
}

/** A day wider on either side: the database assigns rows to the months of the time zone. */
function boundsOf(months: readonly string[]): string[] {
  const [first = '', last = ''] = [months[0], months.at(-1)];
  const [start, end] = [Date.parse(`${first}-01`), Date.parse(`${addMonths(last, 1)}-01`)];
  return [start - DAY, end + DAY].map((instant) => new Date(instant).toISOString());
}

function nameOf(sums: readonly Row[]): string | null {
  const [newest] = sums.toSorted((a, b) => Date.parse(b.newest) - Date.parse(a.newest) || (a.name < b.name ? -1 : 1));
  return newest?.name ?? null;
}
