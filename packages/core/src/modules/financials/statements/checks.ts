import { type CheckedSnapshot, checkedSnapshot, type operations } from '@finhook/contracts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { dateInZone } from '../../../time/calendar.ts';
import type { Context } from '../../../verbs/context.ts';
import { record } from '../../../verbs/record.ts';
import type { Verb } from '../../../verbs/verb.ts';
import { accountTypeSql, disconnectedCtes } from '../../cash/series-sql.ts';
import { findCompany } from '../../companies/read.ts';
import { type PreviousIncome, previousIncomeSql } from './derived-figures.ts';
import { getSnapshot } from './read.ts';
import { type RelatedFigures, runChecks } from './run-checks.ts';
import type { StatementContent } from './statement-values.ts';

interface StatementRef {
  type: string;
  start: string;
  end: string;
  currency: string;
}

const content = (alias: string): string =>
  ['statement_type', 'period_start', 'period_end', 'currency', 'totals', 'line_items']
    .map((column) => `'${column}', ${alias}.${column}`)
    .join(', ');

const newestUntil = ({ end }: StatementRef, condition: string): string =>
  `SELECT b.connection_id, b.balance_cents, b.currency FROM cash_balance b
   WHERE b.company_id = $1 ${condition} AND b.as_of <= ${end}
   ORDER BY b.connection_id DESC, b.as_of DESC LIMIT 1`;

/** SQL: the columns of a `RelatedRow`, without balances of excluded or disconnected connections. */
function relatedColumns(ref: StatementRef): string {
  return `
    (SELECT coalesce(json_agg(json_build_object(${content('o')})), '[]') FROM financial_snapshot o
     WHERE o.company_id = $1 AND o.period_end = ${ref.end} AND o.statement_type <> ${ref.type}) AS same_end,
    (SELECT json_build_object(${content('p')}) FROM financial_snapshot p
     WHERE p.company_id = $1 AND p.statement_type = 'cashflow' AND p.period_end < ${ref.start}
       AND ${ref.type} = 'cashflow'
     ORDER BY p.period_end DESC LIMIT 1) AS previous_cashflow,
    CASE WHEN ${ref.type} = 'balance' THEN (
      WITH RECURSIVE ${disconnectedCtes}, w AS (
        (${newestUntil(ref, '')})
        UNION ALL
        SELECT l.* FROM w CROSS JOIN LATERAL (${newestUntil(ref, 'AND b.connection_id < w.connection_id')}) l
      )
      SELECT json_build_object(
        'deposits', coalesce(sum(balance_cents) FILTER (WHERE account_type = 'depository'), 0)::text,
        'investments', coalesce(sum(balance_cents) FILTER (WHERE account_type = 'investment'), 0)::text)
      FROM (
        SELECT w.balance_cents, ${accountTypeSql('$1', 'w.connection_id', 'x.accounts')} AS account_type
        FROM w LEFT JOIN ended e USING (connection_id) LEFT JOIN surface_settings x ON x.company_id = $1
        WHERE w.currency = ${ref.currency} AND (w.connection_id = ANY (x.excluded_connections)) IS NOT TRUE
          AND (e.connection_id IS NULL OR ${ref.end} < e.day)
      ) typed
      WHERE account_type IN ('depository', 'investment') HAVING count(*) > 0
    ) END AS bank_cash`;
}

interface RelatedRow {
  same_end: StatementContent[];
  previous_cashflow: StatementContent | null;
  bank_cash: { deposits: string; investments: string } | null;
}

function toRelated(row: RelatedRow): RelatedFigures {
  return {
    sameEnd: row.same_end,
    previousCashflow: row.previous_cashflow ?? undefined,
    bankCash: row.bank_cash
      ? { deposits: BigInt(row.bank_cash.deposits), investments: BigInt(row.bank_cash.investments) }
      : undefined,
  };
}

const posted: StatementRef = { type: '$3::text', start: '$4::date', end: '$5::date', currency: '$6::text' };

const readOne = statement(
  'read_related_figures',
  `SELECT ${relatedColumns(posted)}, ${previousIncomeSql({ company: '$1', ...posted })} AS previous_income`,
);

export interface Related extends RelatedFigures {
  previousIncome: PreviousIncome | null;
}

export async function readRelated(
  db: Queryable,
  accountId: string,
  { company_id, statement_type, period_start, period_end, currency }: StatementContent & { company_id: string },
): Promise<Related> {
  const values = [company_id, accountId, statement_type, period_start, period_end, currency];
  const [row] = await db.query<RelatedRow & { previous_income: PreviousIncome | null }>(readOne, values);
  const related = toRelated(row ?? { same_end: [], previous_cashflow: null, bank_cash: null });
  return { ...related, previousIncome: row?.previous_income ?? null };
}

const readNewest = statement(
  'read_newest_statements',
  `SELECT s.id, s.revision, s.statement_type, s.period_start, s.period_end, s.currency, s.totals, s.line_items,
     ${relatedColumns({
       type: 's.statement_type',
       start: 's.period_start',
       end: 's.period_end',
       currency: 's.currency',
     })}
   FROM unnest(ARRAY['balance', 'cashflow', 'income']) AS t (statement_type)
   CROSS JOIN LATERAL (
     SELECT * FROM financial_snapshot f
     WHERE f.company_id = $1 AND f.statement_type = t.statement_type AND f.account_id = $2
       AND f.period_start <= $3::date
     ORDER BY f.period_end <= $3::date DESC, f.period_end DESC LIMIT 1
   ) s`,
);

interface NewestStatement extends StatementContent, RelatedRow {
  id: string;
  revision: number;
}

/** The newest statement of each type whose period ended by `today`, else one that has begun, with its related figures. */
function readNewestStatements(context: Context, companyId: string, today: string): Promise<NewestStatement[]> {
  return context.database.query<NewestStatement>(readNewest, [companyId, context.accountId, today]);
}

export const checkSnapshot: Verb<typeof operations.financials.snapshots.checks> = async (context, input) => {
  const company = await findCompany(context, input.company_id);
  const snapshot = await getSnapshot(context, input);
  const related = await readRelated(context.database, context.accountId, snapshot);
  const today = dateInZone(context.clock.now(), company.timezone);
  return { object: 'checked_snapshot', ...toChecked(snapshot, related, today) };
};

export async function checkNewest(context: Context, companyId: string, today: string): Promise<CheckedSnapshot[]> {
  const statements = await readNewestStatements(context, companyId, today);
  return statements.map((snapshot) => toChecked(snapshot, toRelated(snapshot), today));
}

function toChecked(
  snapshot: StatementContent & Pick<CheckedSnapshot, 'period_start' | 'period_end' | 'revision'> & { id: string },
  related: RelatedFigures,
  today: string,
): CheckedSnapshot {
  const checks = runChecks(snapshot, related, today);
  return record(checkedSnapshot, snapshot, { snapshot_id: snapshot.id, checks });
}
