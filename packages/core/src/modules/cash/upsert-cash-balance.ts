import { type CashBalance, normalizeCurrency, type operations, type Warning } from '@finhook/contracts';
import { addDays, toTimestamp } from '../../kernel/clock.ts';
import { checkConnection } from '../../kernel/connection-id.ts';
import type { Context } from '../../kernel/context.ts';
import { WriteConflict } from '../../kernel/database.ts';
import { checkDay, dayLimits, futureWarning } from '../../kernel/dates.ts';
import { companyDissolved, companyNotFound, invalidFields } from '../../kernel/domain-error.ts';
import { prepareEvent } from '../../kernel/emit.ts';
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
  streams: StreamBalance[];
}

/** Tries without a lock before one is taken: conflicts on one day and connection are rare. */
const OPTIMISTIC_TRIES = 3;

// The whole key is given as parameters: a plan that was made while the table was empty must not scan it later.
const readSituation = statement(
  'read_balance_situation',
  `WITH RECURSIVE ${streamCtes}
   SELECT c.status, c.base_currency, c.today, b.id, b.balance_cents, b.currency, b.source, b.version, b.created_at,
          (SELECT coalesce(json_agg(latest), '[]') FROM latest) AS streams
   FROM c LEFT JOIN cash_balance b ON b.company_id = $1 AND b.connection_id = $4 AND b.as_of = $5`,
);

/**
 * Stores a balance, or updates the one of the same day and connection, and emits `bank.balance.updated` with it, also
 * when the value is unchanged. Two statements without a lock in the common case; the second writes everything.
 */
export async function upsertCashBalance(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const now = context.clock.now();
  const faults = [
    checkDay('/as_of', input.as_of, dayLimits(now)),
    checkConnection('/connection_id', input.connection_id),
  ];
  invalidFields(faults);
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
  return { output: { ...record, result, ...previous, event_id: event.id, warnings }, endpointIds: stored.endpointIds };
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
  const supersedes = record.as_of <= tomorrow && (!current || record.as_of >= current.as_of);
  const mine = supersedes ? { ...record, connection_id: connectionId } : current;
  return sumCash(mine ? [...others, mine] : others, situation.base_currency).map(
    ({ currency, balance_cents, balance_string }) => ({
      currency,
      balance_cents,
      ...(balance_string === undefined ? {} : { balance_string }),
    }),
  );
}
