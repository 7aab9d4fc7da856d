import { type CashBalance, normalizeCurrency, type operations, type Warning } from '@finhook/contracts';
import type { Queryable } from '../../../db/queryable.ts';
import { addDays, futureWarning } from '../../../kernel/calendar.ts';
import { toTimestamp } from '../../../kernel/clock.ts';
import { connectionDisconnected, isRegistered, unknownConnection } from '../../../kernel/connection-id.ts';
import type { Context } from '../../../kernel/context.ts';
import { companyDissolved, companyNotFound, rejectFields } from '../../../kernel/domain-error.ts';
import { prepareEvent } from '../../../kernel/emit.ts';
import { exactCentsOf } from '../../../kernel/exact-arithmetic.ts';
import type { HandOffs } from '../../../kernel/hand-off.ts';
import type { InputOf, OutputOf } from '../../../kernel/verb.ts';
import { type SeriesBalance, sumCash } from '../cash-on-hand.ts';
import { type CurrentState, readCurrentStates } from './read-current-states.ts';
import { type BalanceWrite, storeBalances } from './store-balances.ts';

type Op = typeof operations.cash.balances.upsert;

export interface BalancePost {
  context: Context;
  input: InputOf<Op>;
}

/**
 * The result of a post: stored, rejected, or not stored because it needs a transaction (`activates`: the connection
 * waits for its first row) or because the rows that it read have changed (`conflict`).
 */
export type PostResult =
  | { kind: 'stored'; output: OutputOf<Op>; activates: boolean }
  | { kind: 'rejected'; error: unknown }
  | { kind: 'activates' }
  | { kind: 'conflict' };

interface Prepared {
  write: BalanceWrite;
  output: OutputOf<Op>;
  activates: boolean;
}

/** Stores the posts of one account with two statements, a read and a write; each post has its own result. */
export async function postBalances(
  db: Queryable,
  handOffs: HandOffs,
  posts: readonly BalancePost[],
): Promise<PostResult[]> {
  const [first] = posts;
  if (first === undefined) return [];
  const { accountId, clock, database } = first.context;
  const keys = posts.map(({ input }) => ({ ...input, connection_id: input.connection_id ?? '' }));
  const states = await readCurrentStates(db, accountId, keys, clock.now());
  const cash = new Map<string, SeriesBalance[]>();
  const taken = new Set<string>();
  const prepared = posts.map((post, i): Prepared | Exclude<PostResult, { kind: 'stored' }> => {
    const current = states[i];
    if (current === undefined) throw new Error('A balance was not looked up.');
    const key = `${post.input.as_of}|${post.input.company_id}|${post.input.connection_id ?? ''}`;
    // It did not read the row that an earlier post writes.
    if (taken.has(key)) return { kind: 'conflict' };
    taken.add(key);
    try {
      return prepare(post, current, { cash, inTransaction: db !== database });
    } catch (error) {
      return { kind: 'rejected', error };
    }
  });
  const writes = prepared.flatMap((one) => ('write' in one ? [one.write] : []));
  const ids = writes.length === 0 ? new Set<string>() : await storeBalances(db, handOffs, first.context, writes);
  return prepared.map((one): PostResult => {
    if (!('write' in one)) return one;
    if (!ids.has(one.write.record.id)) return { kind: 'conflict' };
    return { kind: 'stored', output: one.output, activates: one.activates };
  });
}

function prepare(
  { context, input }: BalancePost,
  current: CurrentState,
  { cash, inTransaction }: { cash: Map<string, SeriesBalance[]>; inTransaction: boolean },
): Prepared | { kind: 'activates' } {
  const now = context.clock.now();
  if (current.status === null) throw companyNotFound();
  if (current.status === 'dissolved') throw companyDissolved();
  checkConnection(current, input.connection_id);
  const activates = current.connection_status === 'pending';
  // Two records change, so a transaction is needed.
  if (activates && !inTransaction) return { kind: 'activates' };

  const record = toRecord(context, input, current, now);
  const result = compare(current, record);
  const previous = previousOf(current, record);
  const series = seriesAfter(current, record, cash.get(record.company_id) ?? current.series);
  cash.set(record.company_id, series);
  const event = prepareEvent(context, {
    type: 'bank.balance.updated',
    companyId: input.company_id,
    data: { ...record, result, ...previous, cash_on_hand: cashOf(series, current.base_currency) },
  });
  const warnings = [
    input.as_of > addDays(current.today, 1) ? futureWarning('/as_of', input.as_of) : undefined,
    currencyWarning(record.currency, current.connection_currency),
  ].filter((warning) => warning !== undefined);
  return {
    write: { context, record, event, result, version: current.version ?? 0 },
    output: { ...record, result, ...previous, event_id: event.id, warnings },
    activates,
  };
}

function checkConnection({ connection_status }: CurrentState, connectionId: string | null | undefined): void {
  if (!isRegistered(connectionId)) return;
  if (connection_status === null) rejectFields([unknownConnection('/connection_id')]);
  if (connection_status === 'disconnected') throw connectionDisconnected(connectionId);
}

/** The balance stored before; undefined for another currency, whose amounts cannot be compared. */
function previousOf({ balance_cents, currency }: CurrentState, record: CashBalance) {
  if (balance_cents === null || currency !== record.currency) return {};
  return { previous_balance_cents: Number(balance_cents) };
}

/** Warns when the registered connection was created with another currency: one of the two is probably a mistake. */
function currencyWarning(currency: string, connectionCurrency: string | null): Warning | undefined {
  if (connectionCurrency === null || currency === connectionCurrency) return undefined;
  return {
    code: 'connection_currency_differs',
    pointer: '/currency',
    message: `The connection's currency is ${connectionCurrency}: the balance is stored in ${currency}, as it was sent.`,
  };
}

function toRecord(context: Context, input: InputOf<Op>, current: CurrentState, now: Date): CashBalance {
  return {
    id: current.id ?? context.newId('bal'),
    object: 'cash_balance',
    account_id: context.accountId,
    company_id: input.company_id,
    as_of: input.as_of,
    // Adding zero turns −0 into 0.
    balance_cents: input.balance_cents + 0,
    currency: normalizeCurrency(input.currency) ?? input.currency,
    source: input.source ?? 'api',
    connection_id: input.connection_id ?? null,
    created_at: current.created_at === null ? now.toISOString() : toTimestamp(current.created_at),
    updated_at: now.toISOString(),
  };
}

function compare(current: CurrentState, record: CashBalance): 'created' | 'updated' | 'unchanged' {
  if (current.id === null) return 'created';
  const same =
    Number(current.balance_cents) === record.balance_cents &&
    current.currency === record.currency &&
    current.source === record.source;
  return same ? 'unchanged' : 'updated';
}

function seriesAfter(current: CurrentState, record: CashBalance, series: readonly SeriesBalance[]): SeriesBalance[] {
  const connectionId = record.connection_id ?? '';
  const newest = series.find((one) => one.connection_id === connectionId);
  const others = series.filter((one) => one !== newest);
  const tomorrow = addDays(current.today, 1);
  const supersedes = !current.is_excluded && record.as_of <= tomorrow && (!newest || record.as_of >= newest.as_of);
  const mine = supersedes ? { ...record, connection_id: connectionId } : newest;
  return mine ? [...others, mine] : others;
}

function cashOf(series: readonly SeriesBalance[], baseCurrency: string) {
  return sumCash(series, baseCurrency).map(({ currency, balance }) => ({
    currency,
    ...exactCentsOf('balance', balance),
  }));
}
