import { type Queryable, statement } from '../../../db/queryable.ts';
import { addDays } from '../../../time/calendar.ts';
import type { Context } from '../../../verbs/context.ts';
import { decidedCategorySql, decidedClassSql, flowRulesCte } from '../../bank/transactions/rule-sql.ts';
import { nameParameters } from '../named-parameters.ts';
import { tailCte, tailGroupsCte } from '../rollup/rollup-sql.ts';
import { normalizedCategorySql } from './figure-rules.ts';
import { type KeyedRow, type StoredRow, toKeyedRow } from './leave-out.ts';
import { monthsEarlier } from './months.ts';
import { countsSql, type RowSource, replacedOf, uncountedOf } from './row-source.ts';
import { countFirst } from './sorted.ts';

interface CardPayment extends KeyedRow {
  day: string;
  /** The class that a person or a rule gave it; '' for none. */
  flowClass: string;
}

const PRESENT_DAYS = 45;
const HISTORY_MONTHS = 12;

type ActiveDays = ReadonlyMap<string, readonly string[]>;

/**
 * Transfers to a card that was present on their day, because its purchases count instead. An account without a type is a
 * card if it received more payments in the year before than it made; present with a row in the 45 days before.
 */
function paymentsToCards(
  payments: readonly CardPayment[],
  active: ActiveDays,
  endedOn: ReadonlyMap<string, string>,
  cards: readonly string[],
): CardPayment[] {
  const byAccount = Map.groupBy(payments, ({ connectionId }) => connectionId);
  const accounts = [...new Set([...byAccount.keys(), ...cards])].map((account) => ({
    account,
    isTyped: cards.includes(account),
    received: createBalanceCounter(byAccount.get(account) ?? []),
    active: (active.get(account) ?? []).toSorted(),
    until: endedOn.get(account) ?? '~',
  }));
  const isCardOn = (day: string) => {
    const [year, absent] = [monthsEarlier(day, HISTORY_MONTHS), addDays(day, -PRESENT_DAYS - 1)];
    return accounts.filter(
      (one) =>
        day < one.until &&
        (one.isTyped || one.received(day) > one.received(year)) &&
        countUpTo(one.active, day) > countUpTo(one.active, absent),
    );
  };
  const cardsOn = new Map([...new Set(payments.map(({ day }) => day))].map((day) => [day, isCardOn(day)]));
  return payments.filter(({ connectionId, amount, day }) =>
    cardsOn.get(day)?.some(({ account }) => account !== connectionId || amount > 0n),
  );
}

/** Payments received minus payments made, up to and including a day. */
function createBalanceCounter(payments: readonly CardPayment[]): (day: string) => number {
  const sorted = payments.toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const days = sorted.map(({ day }) => day);
  const counts = [0];
  for (const { amount } of sorted) counts.push((counts.at(-1) ?? 0) + (amount > 0n ? 1 : -1));
  return (day) => counts[countUpTo(days, day)] ?? 0;
}

function countUpTo(days: readonly string[], day: string): number {
  return countFirst(days, (one) => one <= day);
}

const { p, valuesOf } = nameParameters(
  'company',
  'account',
  'since',
  'until',
  'zone',
  'categories',
  'without',
  'replaced',
  'flowRules',
);

const mayBePayment = (category: string): string => `(normalize(${category}, NFKC) ILIKE '%credit%card%payment%')`;
const rowsOf = `
  SELECT id, connection_id, posted_at, amount_cents, currency, category, own_category, counterparty, description, flow_class
  FROM bank_transaction t
  WHERE company_id = ${p.company} AND account_id = ${p.account} AND posted_at >= ${p.since}::timestamptz AND posted_at < ${p.until}::timestamptz
    AND amount_cents <> 0 AND voided_at IS NULL AND ${countsSql(p)}`;

// Each branch has the condition and the order of an index, which an early plan would miss otherwise: on these labels as
// posted, and on changed rows, of which some have a label by a person. Only a rule that sets such a label has all rows read.
const readPayments = statement(
  'read_card_payments',
  `WITH ${flowRulesCte(`${p.flowRules}::jsonb`)}, maybe AS (
     (${rowsOf} AND ${mayBePayment('category')} ORDER BY posted_at, id)
     UNION ALL
     (${rowsOf} AND updated_at IS NOT NULL AND ${mayBePayment('own_category')} AND ${mayBePayment('category')} IS NOT TRUE
     ORDER BY updated_at)
     UNION ALL
     (${rowsOf} AND own_category IS NULL AND ${mayBePayment('category')} IS NOT TRUE
       AND (SELECT count(*) > 0 FROM flow_rule WHERE ${mayBePayment('category')})
     ORDER BY posted_at, id)
   ), payment AS MATERIALIZED (
     SELECT id, connection_id, posted_at, amount_cents, currency, ${decidedCategorySql('t')} AS category,
            ${decidedClassSql('t')} AS flow_class
     FROM maybe t
   )
   SELECT id, connection_id, (posted_at AT TIME ZONE ${p.zone})::date AS day, posted_at, amount_cents, currency, category, flow_class
   FROM payment
   WHERE ${mayBePayment('category')} AND ${normalizedCategorySql('category')} = ANY (${p.categories}::text[])
   ORDER BY posted_at, id`,
);

const readDays = statement(
  'read_active_days',
  `WITH ${tailCte()}, ${tailGroupsCte('$3')}
   SELECT DISTINCT connection_id, day::text FROM (
     SELECT connection_id, day FROM transaction_day
     WHERE company_id = $1 AND account_id = $2 AND connection_id = ANY ($4::text[]) AND day BETWEEN $5::date AND $6::date
     UNION ALL
     SELECT connection_id, day FROM g WHERE connection_id = ANY ($4::text[]) AND day BETWEEN $5::date AND $6::date
   ) d`,
);

interface Row extends StoredRow {
  day: string;
  flow_class: string;
}

interface CardPayments {
  transfers: CardPayment[];
  counted: CardPayment[];
  receivers: ReadonlySet<string>;
}

const none: CardPayments = { transfers: [], counted: [], receivers: new Set() };

/** Most companies have none, which a partial index shows. */
export async function readCardPayments(
  context: Context,
  source: RowSource,
  from: number,
  to: number,
): Promise<CardPayments> {
  const { cash, rules, replaced } = source;
  if (rules.cardCategories.length === 0) return none;
  const since = new Date(from);
  since.setUTCFullYear(since.getUTCFullYear() - 1);
  const values = valuesOf({
    company: cash.companyId,
    account: context.accountId,
    since: since.toISOString(),
    until: new Date(to).toISOString(),
    zone: cash.zone.name,
    categories: rules.cardCategories,
    without: uncountedOf(rules),
    replaced: replacedOf(source),
    flowRules: source.flowRules,
  });
  const rows = await context.database.query<Row>(readPayments, values);
  const payments = rows.map((row) => ({ ...toKeyedRow(row), day: row.day, flowClass: row.flow_class }));
  if (payments.length === 0) return none;
  const cards = rules.cardConnections.filter((id) => !rules.excludedConnections.includes(id));
  const receivers = payments.filter(({ amount }) => amount > 0n).map(({ connectionId }) => connectionId);
  const maybe = [...new Set([...receivers, ...cards])];
  const active =
    maybe.length === 0 ? new Map() : await readActiveDays(context.database, source, context.accountId, maybe, payments);
  const ended = new Map(replaced.map((one) => [one.connection_id, one.from]));
  const transfers = new Set(paymentsToCards(payments, active, ended, cards));
  const recent = payments.filter(({ postedAt }) => postedAt >= from);
  const open = recent.filter(({ flowClass }) => flowClass === '');
  return {
    transfers: open.filter((one) => transfers.has(one)),
    counted: [...open.filter((one) => !transfers.has(one)), ...recent.filter(isCountedByClass)],
    receivers: new Set(receivers.filter((id) => balanceOf(id, payments) > 0)),
  };
}

function balanceOf(id: string, payments: readonly CardPayment[]): number {
  const own = payments.filter(({ connectionId }) => connectionId === id);
  return own.reduce((count, { amount }) => count + (amount > 0n ? 1 : -1), 0);
}

function isCountedByClass({ flowClass, amount }: CardPayment): boolean {
  return flowClass === 'counted' || (flowClass === 'financing' && amount < 0n);
}

async function readActiveDays(
  database: Queryable,
  { cash }: RowSource,
  accountId: string,
  receivers: readonly string[],
  payments: readonly CardPayment[],
): Promise<ActiveDays> {
  const first = addDays(payments[0]?.day ?? cash.today, -PRESENT_DAYS);
  const last = payments.at(-1)?.day ?? cash.today;
  const values = [cash.companyId, accountId, cash.zone.name, receivers, first, last];
  const rows = await database.query<{ connection_id: string; day: string }>(readDays, values);
  const byAccount = Map.groupBy(rows, ({ connection_id }) => connection_id);
  return new Map([...byAccount].map(([account, found]) => [account, found.map(({ day }) => day)]));
}
