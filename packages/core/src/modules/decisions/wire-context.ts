import { type AgentFlag, agentFlag, type BankApproval, type operations, type WireContext } from '@finhook/contracts';
import { type Queryable, statement } from '../../db/queryable.ts';
import { exactCentsOf, rational, roundHalfEven } from '../../input/exact-arithmetic.ts';
import { likePattern } from '../../lists/keyset.ts';
import { toNullableTimestamp, toTimestamp } from '../../time/clock.ts';
import type { Context } from '../../verbs/context.ts';
import { type RowOf, record } from '../../verbs/record.ts';
import type { Verb } from '../../verbs/verb.ts';
import { comparedSql } from '../bank/transactions/rule-sql.ts';
import { getBankApproval } from '../bank/wires/approval.ts';
import { readCash } from '../cash/cash-on-hand.ts';
import { isCashType } from '../cash/series-sql.ts';
import { agentRequests, deadlineSql, toWaiting, type WaitingRow, waitsSql } from './inbox.ts';

const MAX_TRANSACTIONS = 50_000;
const MAX_WIRES = 5_000;
/** Pending requests and open flags of a company that are searched. */
const MAX_SEARCHED = 1_000;
const MAX_FOUND = 20;
const MAX_ACCOUNTS = 10;

/** Reads stored rows only, each kind up to a limit. */
export const getWireContext: Verb<typeof operations.bank.approvals.context> = async (context, input) => {
  const wire = await getBankApproval(context, input);
  const db = context.database;
  const [payments, accounts, found, cash] = await Promise.all([
    readPayments(db, wire),
    readAccounts(db, wire),
    readRequests(context, wire),
    readPayingAccount(context, wire),
  ]);
  const { account_last4 } = wire.beneficiary;
  const isNamed = (one: WireContext['account']): boolean => one.account_last4 === account_last4;
  return {
    object: 'wire_context',
    approval_id: wire.id,
    company_id: wire.company_id,
    payments,
    account: accounts.find(isNamed) ?? { account_last4, approved_wires: 0, last_approved_at: null },
    other_accounts: accounts.filter((one) => !isNamed(one)).slice(0, MAX_ACCOUNTS),
    agent_requests: found,
    critical_flags: await readFlags(db, wire, found),
    paying_account: cash,
  };
};

interface PaymentsRow {
  read: number;
  first: string | null;
  count: number;
  low: string | null;
  high: string | null;
  last: string | null;
}

// No index finds a name as it is compared: row-level security prevents one on an expression. Each spelling is compared once.
const payments = statement(
  'read_payments_to_beneficiary',
  `WITH recent AS MATERIALIZED (
     SELECT posted_at, amount_cents, currency, counterparty, voided_at FROM bank_transaction
     WHERE account_id = $1 AND company_id = $2 AND posted_at < $3::timestamptz
     ORDER BY posted_at DESC, id DESC LIMIT ${MAX_TRANSACTIONS}
   ),
   spelling AS MATERIALIZED (
     SELECT s.counterparty FROM (SELECT DISTINCT counterparty FROM recent WHERE counterparty IS NOT NULL OFFSET 0) s
     WHERE ${comparedSql('s.counterparty')} = ${comparedSql('$4::text')}
   )
   SELECT (SELECT count(*)::int FROM recent) AS read, (SELECT min(posted_at) FROM recent) AS first,
     count(*)::int AS count, max(posted_at) AS last,
     percentile_disc(0.5) WITHIN GROUP (ORDER BY -amount_cents)::text AS low,
     percentile_disc(0.5) WITHIN GROUP (ORDER BY -amount_cents DESC)::text AS high
   FROM recent
   WHERE amount_cents < 0 AND voided_at IS NULL AND currency = $5 AND counterparty IN (SELECT counterparty FROM spelling)`,
);

async function readPayments(db: Queryable, wire: BankApproval): Promise<WireContext['payments']> {
  const values = [wire.account_id, wire.company_id, wire.created_at, wire.beneficiary.name, wire.currency];
  const [row] = await db.query<PaymentsRow>(payments, values);
  if (row === undefined) throw new Error('The payments could not be read.');
  // Of an even number, the two in the middle.
  const twice = row.low === null || row.high === null ? undefined : BigInt(row.low) + BigInt(row.high);
  return {
    count: row.count,
    ...exactCentsOf('median', twice && roundHalfEven(rational(twice, 2n))),
    amount_to_median:
      twice === undefined ? null : Number(roundHalfEven(rational(20n * BigInt(wire.amount_cents), twice))) / 10,
    last_paid_at: toNullableTimestamp(row.last),
    read_from: row.read < MAX_TRANSACTIONS ? null : toNullableTimestamp(row.first),
  };
}

const accounts = statement(
  'read_accounts_of_beneficiary',
  `SELECT beneficiary ->> 'account_last4' AS account_last4, count(*)::int AS approved_wires, max(decided_at) AS last_approved_at
   FROM (
     SELECT beneficiary, status, decided_at FROM bank_approval
     WHERE account_id = $1 AND company_id = $2 AND id < $3 ORDER BY id DESC LIMIT ${MAX_WIRES}
   ) w
   WHERE status = 'approved' AND ${comparedSql(`beneficiary ->> 'name'`)} = ${comparedSql('$4::text')}
   GROUP BY 1 ORDER BY 3 DESC, 1`,
);

async function readAccounts(db: Queryable, wire: BankApproval): Promise<WireContext['account'][]> {
  const values = [wire.account_id, wire.company_id, wire.id, wire.beneficiary.name];
  const rows = await db.query<WireContext['account'] & { last_approved_at: string }>(accounts, values);
  return rows.map((row) => ({ ...row, last_approved_at: toTimestamp(row.last_approved_at) }));
}

/** The patterns of a name in a text, and in JSON, which escapes some characters. */
function patternsOf({ beneficiary: { name } }: BankApproval): [text: string, json: string] {
  return [likePattern(name), likePattern(JSON.stringify(name).slice(1, -1))];
}

const requests = statement(
  'read_requests_about_beneficiary',
  `${agentRequests} WHERE id IN (
     SELECT a.id FROM (
       SELECT id, title, description, payload, expires_at FROM agent_approval
       WHERE ${waitsSql('$1', '$2', '$3')} ORDER BY ${deadlineSql}, id LIMIT ${MAX_SEARCHED}
     ) a
     WHERE concat_ws(' ', a.title, a.description) ILIKE $4 OR a.payload::text ILIKE $5
     ORDER BY ${deadlineSql}, id LIMIT ${MAX_FOUND}
   ) ORDER BY deadline, id`,
);

async function readRequests(context: Context, wire: BankApproval): Promise<WireContext['agent_requests']> {
  const now = context.clock.now().toISOString();
  const values = [wire.account_id, wire.company_id, now, ...patternsOf(wire)];
  return (await context.database.query<WaitingRow>(requests, values)).map(toWaiting);
}

const flags = statement(
  'read_flags_about_beneficiary',
  `SELECT f.* FROM (
     SELECT * FROM agent_flag
     WHERE account_id = $1 AND company_id = $2 AND status = 'open' AND severity = 'critical'
     ORDER BY id DESC LIMIT ${MAX_SEARCHED}
   ) f LEFT JOIN agent_action a ON a.id = f.action_id
   WHERE f.agent_id = ANY ($3::text[]) OR concat_ws(' ', f.title, f.body, a.title) ILIKE $4 OR a.input::text ILIKE $5
   ORDER BY f.id DESC LIMIT ${MAX_FOUND}`,
);

async function readFlags(
  db: Queryable,
  wire: BankApproval,
  found: WireContext['agent_requests'],
): Promise<AgentFlag[]> {
  const agents = [...new Set(found.map(({ agent_id }) => agent_id))];
  const values = [wire.account_id, wire.company_id, agents, ...patternsOf(wire)];
  return (await db.query<RowOf<typeof agentFlag>>(flags, values)).map((row) => record(agentFlag, row));
}

async function readPayingAccount(context: Context, wire: BankApproval): Promise<WireContext['paying_account']> {
  if (wire.connection_id === null) return null;
  const { series } = await readCash(context, wire.company_id);
  const found = series.find(
    ({ connection_id, currency, account_type }) =>
      connection_id === wire.connection_id && currency === wire.currency && isCashType(account_type),
  );
  if (found === undefined) return null;
  const { connection_id, currency, as_of, balance_cents } = found;
  const after = BigInt(balance_cents) - BigInt(wire.amount_cents);
  return { connection_id, currency, as_of, balance_cents, ...exactCentsOf('after', after) };
}
