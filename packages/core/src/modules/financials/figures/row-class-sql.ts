import type { FlowClass, FlowReason } from '@finhook/contracts';
import { dueUntil } from '../../../time/calendar.ts';
import { decidedClassSql, flowRulesCte, ruleCategorySql } from '../../bank/transactions/rule-sql.ts';
import type { ClassifiedRows } from './classify-rows.ts';
import { normalizedCategorySql } from './figure-rules.ts';
import { addMonths, monthOf } from './months.ts';
import { countsSql, replacedOf, uncountedOf } from './row-source.ts';

export type RowClasses = Pick<
  ClassifiedRows,
  'cash' | 'rules' | 'replaced' | 'flowRules' | 'pairs' | 'cardIds' | 'largeInflows'
>;

/** A row's class and the step that decided it; null for a row in no figure: it is void or not due yet. */
export type RowClass = [FlowClass, FlowReason] | null;

/** SQL: joins `c.row_class` and `c.rule_category` to a transaction `t`, by the steps of the monthly sums, so that rows add up to them. */
export function rowClassJoin(classes: RowClasses, bind: (value: unknown) => string): string {
  const { cash, rules, replaced, pairs, cardIds, largeInflows } = classes;
  const zone = bind(cash.zone.name);
  const isKnown = countsSql({ without: bind(uncountedOf(rules)), replaced: bind(replacedOf({ replaced })), zone });
  const hasCategory = (names: readonly string[]): string => `k.category = ANY (${bind(names)}::text[])`;
  const isOneOf = (ids: Iterable<string>): string => isOneOfSql('t.id', bind([...ids]));
  const paired = rules.excludeSuspectedTransfers ? idsIn(pairs) : [];
  const steps = [
    classSql(`NOT (${isKnown})`, 'excluded', 'account'),
    `WHEN k.decided <> '' THEN ARRAY[k.decided, CASE WHEN t.flow_class IS NULL THEN 'rule' ELSE 'person' END]`,
    classSql(hasCategory(rules.transferCategories), 'transfer', 'category'),
    classSql(isOneOf(cardIds), 'transfer', 'category'),
    classSql(hasCategory(rules.cardCategories), 'counted', 'category'),
    classSql(`t.amount_cents > 0 AND ${hasCategory(rules.financingCategories)}`, 'financing', 'category'),
    classSql(isOneOf(paired), 'transfer', 'pair'),
    classSql(isOneOf(largeInflows.map(({ id }) => id)), 'excluded', 'large_inflow'),
  ];
  // OFFSET keeps the planner from computing category and rules for each step.
  return `CROSS JOIN LATERAL (
    SELECT CASE WHEN t.voided_at IS NOT NULL OR t.posted_at >= ${bind(dueAt(classes))}::timestamptz THEN NULL
      ${steps.join(' ')} ELSE ARRAY['counted', 'default'] END AS row_class, k.rule_category
    FROM (
      SELECT d.*, ${normalizedCategorySql('coalesce(t.own_category, d.rule_category, t.category)')} AS category
      FROM (
        WITH ${flowRulesCte(`${bind(classes.flowRules)}::jsonb`)}
        SELECT ${ruleCategorySql('t')} AS rule_category, ${decidedClassSql('t')} AS decided OFFSET 0
      ) d OFFSET 0
    ) k
  ) c`;
}

/** SQL: whether a row of `rowClassJoin` is in money in or money out; null for a row in no figure. */
export const countsInFiguresSql = "c.row_class[1] = 'counted' OR (c.row_class[1] = 'financing' AND t.amount_cents < 0)";

/** SQL: a source `t` of `rowClassJoin` that groups rows with the same month, texts and reason; texts are normalized once. */
export function groupedRows(classes: RowClasses, bind: (value: unknown) => string, where: string): string {
  const { cash, replaced, pairs, cardIds, largeInflows } = classes;
  const zone = bind(cash.zone.name);
  const single = [...cardIds, ...idsIn(pairs), ...largeInflows.map(({ id }) => id)];
  const ended = replaced.map(({ connection_id }) => connection_id);
  return `(
    SELECT s.month, s.id, s.connection_id, s.category, s.own_category, s.counterparty, s.description,
           s.flow_class, NULL::timestamptz AS voided_at,
           max(s.posted_at) AS posted_at, sum(s.amount_cents) AS amount_cents, count(*) AS rows
    FROM (
      SELECT CASE WHEN ${isOneOfSql('t.id', bind(single))} THEN t.id END AS id, t.connection_id, t.category, t.own_category,
             t.counterparty, t.description, t.flow_class, t.posted_at, t.amount_cents, to_char(t.posted_at AT TIME ZONE ${zone}, 'YYYY-MM') AS month,
             CASE WHEN t.connection_id = ANY (${bind(ended)}::text[]) THEN (t.posted_at AT TIME ZONE ${zone})::date END AS day
      FROM bank_transaction t
      WHERE ${where} AND t.voided_at IS NULL AND t.posted_at < ${bind(dueAt(classes))}::timestamptz
    ) s
    GROUP BY s.month, s.id, s.connection_id, s.day, s.category, s.own_category, s.counterparty, s.description, s.flow_class,
             sign(s.amount_cents)
    OFFSET 0
  ) t`;
}

/** Unlike ANY, a subquery is hashed in a generic plan too. */
function isOneOfSql(id: string, ids: string): string {
  return `${id} IN (SELECT unnest(${ids}::text[]))`;
}

function idsIn(pairs: RowClasses['pairs']): string[] {
  return pairs.flatMap((pair) => [pair.out.id, pair.in.id]);
}

function classSql(condition: string, flowClass: FlowClass, reason: FlowReason): string {
  return `WHEN ${condition} THEN ARRAY['${flowClass}', '${reason}']`;
}

function dueAt({ cash: { zone, today } }: RowClasses): string {
  const nextMonth = zone.instantOf(Date.parse(`${addMonths(monthOf(today), 1)}-01`));
  return new Date(Math.min(dueUntil(zone, today), nextMonth)).toISOString();
}

export function partnersOf({ rules, pairs }: RowClasses): ReadonlyMap<string, string> {
  if (!rules.excludeSuspectedTransfers) return new Map();
  return new Map(
    pairs.flatMap((pair) => [
      [pair.out.id, pair.in.id],
      [pair.in.id, pair.out.id],
    ]),
  );
}
