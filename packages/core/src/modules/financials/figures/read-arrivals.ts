import type { FinancialSnapshot, Freshness, FreshnessGrade } from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import type { Context } from '../../../verbs/context.ts';
import { gradeFreshness, worstGrade } from '../../freshness/grade-freshness.ts';
import { hasDaysSql } from '../rollup/rollup-sql.ts';
import type { BurnView } from './classify-rows.ts';

const CHANGED_DUPLICATE_DAYS = 30;

export const recentChangedSql = `FROM changed_duplicate WHERE company_id = $1 AND account_id = $2
  AND last_seen_at > $3::timestamptz - interval '${CHANGED_DUPLICATE_DAYS} days'`;

const readRows = statement(
  'read_arrivals',
  `SELECT
     (SELECT coalesce(json_agg(json_build_object('connection_id', connection_id, 'at', received_at)), '[]')
      FROM transaction_receipt r WHERE company_id = $1 AND account_id = $2
        AND ${hasDaysSql('r.connection_id')}) AS receipts,
     (SELECT coalesce(json_agg(json_build_object('connection_id', id, 'at', transactions_at,
        'synced_at', CASE WHEN last_sync_status = 'succeeded' THEN last_synced_at END)), '[]')
      FROM bank_connection WHERE company_id = $1 AND account_id = $2 AND status <> 'disconnected') AS registered,
     (SELECT coalesce(json_agg(s), '[]') FROM (
        SELECT statement_type, max(updated_at) AS at FROM financial_snapshot
        WHERE company_id = $1 AND account_id = $2 GROUP BY 1) s) AS statements,
     (SELECT count(*)::int ${recentChangedSql}) AS changed_duplicates`,
);

interface Arrival {
  connection_id: string;
  at: string | null;
  synced_at?: string | null;
}

interface Row {
  receipts: Arrival[];
  registered: Arrival[];
  statements: { statement_type: FinancialSnapshot['statement_type']; at: string }[];
  changed_duplicates: number;
}

export interface Arrivals {
  freshness: Freshness;
  changedDuplicates: number;
}

const statementTypes = ['income', 'balance', 'cashflow'] as const;

/** A successful sync counts as an arrival of transactions, even without any. */
export async function readArrivals(
  context: Context,
  { cash, rules, arrivals }: Pick<BurnView, 'cash' | 'rules' | 'arrivals'>,
): Promise<Arrivals> {
  const excluded = rules.excludedConnections;
  const values = [cash.companyId, context.accountId, new Date(cash.now).toISOString()];
  const [row] = await context.database.query<Row>(readRows, values);
  const { receipts, registered, statements, changed_duplicates }: Row = row ?? {
    receipts: [],
    registered: [],
    statements: [],
    changed_duplicates: 0,
  };
  const balances = new Map(
    cash.series
      .filter(({ reason }) => reason !== 'user' && reason !== 'disconnected')
      .map((balance) => [balance.connection_id, balance]),
  );
  const known = new Map(registered.map((arrival) => [arrival.connection_id, arrival]));
  const recent = new Map(arrivals.map(({ connection_id, received_at }) => [connection_id, received_at]));
  const received = new Map(
    [...arrivals.map(({ connection_id }) => ({ connection_id, at: null })), ...receipts, ...registered].map(
      (arrival) => [arrival.connection_id, newest(arrival, recent.get(arrival.connection_id))],
    ),
  );
  const ids = [...new Set([...balances.keys(), ...received.keys()])].filter((id) => !excluded.includes(id)).sort();
  const grade = (kind: 'balance' | 'transactions' | 'statements', last: number | undefined, asOf?: string) =>
    gradeFreshness({ kind, last, asOf }, cash.now, cash.zone);
  const series = ids.map((id) => {
    const balance = balances.get(id);
    return {
      connection_id: id || null,
      registered: known.has(id),
      balance: grade('balance', balance && Date.parse(balance.updated_at), balance?.as_of),
      transactions: grade('transactions', received.get(id)),
    };
  });
  const posted = new Map(statements.map(({ statement_type, at }) => [statement_type, Date.parse(at)]));
  const graded = statementTypes.map((statement_type) => ({
    statement_type,
    ...grade('statements', posted.get(statement_type)),
  }));
  const grades = [...series.flatMap((one) => [one.balance, one.transactions]), ...graded];
  return {
    changedDuplicates: changed_duplicates,
    freshness: {
      object: 'freshness',
      company_id: cash.companyId,
      as_of: new Date(cash.now).toISOString(),
      grade: worstGrade(grades.map((entry) => entry.grade)),
      streams: series,
      statements: graded,
    },
  };
}

function newest({ at, synced_at }: Arrival, recent: string | undefined): number | undefined {
  const times = [at, synced_at, recent].filter((time) => time != null).map((time) => Date.parse(time));
  return times.length === 0 ? undefined : Math.max(...times);
}

export function countGraded({ streams }: Freshness, grade: FreshnessGrade): number {
  return streams.filter((one) => worstGrade([one.balance.grade, one.transactions.grade]) === grade).length;
}
