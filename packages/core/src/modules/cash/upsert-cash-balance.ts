import { type CashBalance, normalizeCurrency, type operations, type Warning } from '@finhook/contracts';
import { assertReach } from '../../kernel/access.ts';
import { addDays, toTimestamp } from '../../kernel/clock.ts';
import { connectionDisconnected, isRegistered, unknownConnection } from '../../kernel/connection-id.ts';
import type { Context } from '../../kernel/context.ts';
import { WriteConflict } from '../../kernel/database-error.ts';
import { checkDay, dayLimits, futureWarning } from '../../kernel/dates.ts';
import { companyDissolved, companyNotFound, invalidFields } from '../../kernel/domain-error.ts';
import { prepareEvent } from '../../kernel/emit.ts';
import { exactCentsOf } from '../../kernel/exact-cents.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { type StreamBalance, sumCash } from './cash-on-hand.ts';
import { streamCtes } from './read-streams.ts';
import { storeBalance } from './store-balance.ts';

type Op = typeof operations.cash.balances.upsert;

interface Stored {
  output: OutputOf<Op>;
  endpointIds: string[];
  /** Whether the connection was waiting for its first row. */
  activates: boolean;
}

/** What is known before the write: the company, the row of the same key, the newest balance of each stream. */
interface Situation {
  status: string;
  base_currency: string;
  today: string;
  id: string | null;
  balance_cents: string | null;
  currency: string | null;
  source: string | null;
  version: number | null;
  created_at: string | null;
  /** Null when the row names no registered connection, or one that is none of this company's. */
  connection_status: string | null;
  streams: StreamBalance[];
  /** Whether the settings leave this row's stream out of cash. */
  is_excluded: boolean;
}

/** Tries without a lock before one is taken: conflicts on one day and connection are rare. */
const OPTIMISTIC_TRIES = 3;

// The whole key is given as parameters: a plan that was made while the table was empty must not scan it later.
const readSituation = statement(
  'read_balance_situation',
  `WITH RECURSIVE ${streamCtes}
   SELECT c.status, c.base_currency, c.today, b.id, b.balance_cents, b.currency, b.source, b.version, b.created_at,
          CASE WHEN starts_with($4, 'conn_')
            THEN (SELECT k.status FROM bank_connection k WHERE k.id = $4 AND k.company_id = $1) END AS connection_status,
          (SELECT coalesce(json_agg(latest), '[]') FROM latest) AS streams,
          coalesce($4 = ANY (c.excluded), false) AS is_excluded
   FROM c LEFT JOIN cash_balance b ON b.company_id = $1 AND b.connection_id = $4 AND b.as_of = $5`,
);

const activate = statement(
  'activate_connection',
  `UPDATE bank_connection SET status = 'active', updated_at = $2 WHERE id = $1 AND status = 'pending'`,
);

/**
 * Stores a balance, or updates the one of the same day and connection, and emits `bank.balance.updated` with it, also
 * when the value is unchanged. Two statements without a lock in the common case; the second writes everything.
 * The first balance of a registered connection makes that active as well.
 */
export async function upsertCashBalance(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const now = context.clock.now();
  invalidFields([checkDay('/as_of', input.as_of, dayLimits(now))]);
  assertReach(context, input.company_id);
  if (!context.idempotency) {
    for (let attempt = 0; attempt < OPTIMISTIC_TRIES; attempt++) {
      const stored = await tryStore(context.database, context, input);
      if (!stored) continue;
      context.wake(stored.endpointIds);
      return stored.output;
    }
  }
  const lock = `cash_balance|${input.company_id}|${input.connection_id ?? ''}|${input.as_of}`;
  // no audit here: storeBalance writes the row, in the statement that stores the balance
  return transaction(context, { lock }, async (tx) => {
    const stored = await tryStore(tx, context, input);
    if (!stored) throw new WriteConflict();
    if (stored.activates) await tx.query(activate, [input.connection_id, now.toISOString()]);
    for (const endpointId of stored.endpointIds) tx.woken.add(endpointId);
    return stored.output;
  });
}

/** Reads the situation and writes on condition that it still holds; undefined when another post came between. */
async function tryStore(db: Queryable, context: Context, input: InputOf<Op>): Promise<Stored | undefined> {
  const connectionId = input.connection_id ?? '';
  const now = context.clock.now();
  const [situation] = await db.query<Situation>(readSituation, [
    input.company_id,
    context.accountId,
    now.toISOString(),
    connectionId,
    input.as_of,
  ]);
  if (!situation) throw companyNotFound();
  if (situation.status === 'dissolved') throw companyDissolved();
  checkConnection(situation, input.connection_id);
  const activates = situation.connection_status === 'pending';
  // Two records change: that takes a transaction.
  if (activates && db === context.database) return undefined;

  const record = toRecord(context, input, situation, now);
  const result = compare(situation, record);
  const previous = situation.balance_cents === null ? {} : { previous_balance_cents: Number(situation.balance_cents) };
  const event = prepareEvent(context, {
    type: 'bank.balance.updated',
    accountId: context.accountId,
    companyId: input.company_id,
    data: { ...record, result, ...previous, cash_on_hand: cashAfter(situation, record, connectionId) },
  });
  const stored = await storeBalance(db, context, { record, event, result, version: situation.version ?? 0 });
  if (!stored) return undefined;
  const warning = futureWarning('/as_of', input.as_of, dayLimits(now));
  const warnings: Warning[] = warning ? [warning] : [];
  const output = { ...record, result, ...previous, event_id: event.id, warnings };
  return { output, endpointIds: stored.endpointIds, activates };
}

function checkConnection({ connection_status }: Situation, connectionId: string | null | undefined): void {
  if (!isRegistered(connectionId)) return;
  if (connection_status === null) invalidFields([unknownConnection('/connection_id')]);
  if (connection_status === 'disconnected') throw connectionDisconnected(connectionId);
}

function toRecord(context: Context, input: InputOf<Op>, situation: Situation, now: Date): CashBalance {
  return {
    id: situation.id ?? context.newId('bal'),
    object: 'cash_balance',
    account_id: context.accountId,
    company_id: input.company_id,
    as_of: input.as_of,
    // Adding zero turns −0 into 0.
    balance_cents: input.balance_cents + 0,
    currency: normalizeCurrency(input.currency) ?? input.currency,
    source: input.source ?? 'api',
    connection_id: input.connection_id ?? null,
    created_at: situation.created_at === null ? now.toISOString() : toTimestamp(situation.created_at),
    updated_at: now.toISOString(),
  };
}

function compare(situation: Situation, record: CashBalance): 'created' | 'updated' | 'unchanged' {
  if (situation.id === null) return 'created';
  const same =
    Number(situation.balance_cents) === record.balance_cents &&
    situation.currency === record.currency &&
    situation.source === record.source;
  return same ? 'unchanged' : 'updated';
}

/** Cash on hand as it is once `record` is stored. */
function cashAfter(situation: Situation, record: CashBalance, connectionId: string) {
  const current = situation.streams.find((stream) => stream.connection_id === connectionId);
  const others = situation.streams.filter((stream) => stream !== current);
  const tomorrow = addDays(situation.today, 1);
  const supersedes = !situation.is_excluded && record.as_of <= tomorrow && (!current || record.as_of >= current.as_of);
  const mine = supersedes ? { ...record, connection_id: connectionId } : current;
  return sumCash(mine ? [...others, mine] : others, situation.base_currency).map(({ currency, balance }) => ({
    currency,
    ...exactCentsOf('balance', balance),
  }));
}
