import { type CashBalance, normalizeCurrency, type operations, type Warning } from '@finhook/contracts';
import type { Queryable } from '../../../db/queryable.ts';
import { connectionDisconnected, isRegistered, unknownConnection } from '../../../ids/connection-id.ts';
import type { HandOffs } from '../../../outbox/hand-off.ts';
import { addDays, futureWarning } from '../../../time/calendar.ts';
import type { Context } from '../../../verbs/context.ts';
import { companyDissolved, companyNotFound, rejectFields } from '../../../verbs/domain-error.ts';
import type { InputOf, OutputOf } from '../../../verbs/verb.ts';
import { currencyChanged } from '../series-currency.ts';
import { type BalanceWrite, type StoredBalance, storeBalances } from './store-balances.ts';

type Op = typeof operations.cash.balances.upsert;

export interface BalancePost {
  context: Context;
  input: InputOf<Op>;
}

/**
 * `first` needs a transaction: the connection waits for its first row, or the ingest key must claim it. `conflict`: the
 * row that it read has changed.
 */
export type PostResult =
  | { kind: 'stored'; output: OutputOf<Op>; activates: boolean }
  | { kind: 'rejected'; error: unknown }
  | { kind: 'first' }
  | { kind: 'conflict' };

/** Stores the posts of one account with one statement. */
export async function postBalances(
  db: Queryable,
  handOffs: HandOffs,
  posts: readonly BalancePost[],
): Promise<PostResult[]> {
  const [first] = posts;
  if (first === undefined) return [];
  const { accountId, clock, database } = first.context;
  const inTransaction = db !== database;
  const writes = new Map<string, BalanceWrite & BalancePost>();
  // A post does not read the row of an earlier one, so there is one of each key.
  for (const post of posts) if (!writes.has(keyOf(post))) writes.set(keyOf(post), { ...post, record: toRecord(post) });
  const distinct = [...writes.values()];
  const options = { accountId, now: clock.now(), activates: inTransaction };
  const results = await storeBalances(db, handOffs, distinct, options);
  const byPost = new Map(distinct.map((write, i) => [write.input, toResult(write, results[i], inTransaction)]));
  return posts.map(({ input }) => byPost.get(input) ?? { kind: 'conflict' });
}

function keyOf({ input }: BalancePost): string {
  return `${input.as_of}|${input.company_id}|${input.connection_id ?? ''}`;
}

function toRecord({ context, input }: BalancePost): CashBalance {
  const now = context.clock.now().toISOString();
  return {
    id: context.newId('bal'),
    object: 'cash_balance',
    account_id: context.accountId,
    company_id: input.company_id,
    as_of: input.as_of,
    // Adding zero turns −0 into 0.
    balance_cents: input.balance_cents + 0,
    currency: normalizeCurrency(input.currency) ?? input.currency,
    source: input.source ?? 'api',
    connection_id: input.connection_id ?? null,
    account_type: input.account_type ?? null,
    created_at: now,
    updated_at: now,
  };
}

function toResult(
  { input, record }: BalanceWrite & BalancePost,
  stored: StoredBalance | undefined,
  inTransaction: boolean,
): PostResult {
  if (stored === undefined) throw new Error('A balance has no result.');
  try {
    assertAccepted(stored, input.connection_id);
  } catch (error) {
    return { kind: 'rejected', error };
  }
  const activates = stored.connection_status === 'pending';
  if ((activates && !inTransaction) || !stored.is_owned) return { kind: 'first' };
  if (stored.body === null) return { kind: 'conflict' };
  const { id, created_at, result, previous_balance_cents: previous, event_id } = stored;
  const warnings = [
    input.as_of > addDays(stored.today, 1) ? futureWarning('/as_of', input.as_of) : undefined,
    currencyWarning(record.currency, stored.connection_currency),
    stored.series_currency === null || stored.series_currency === record.currency
      ? undefined
      : currencyChanged('/currency', record.currency, stored.series_currency),
    typeWarning(record.account_type, stored.set_account_type),
  ].filter((warning) => warning !== undefined);
  const before = previous === null ? {} : { previous_balance_cents: Number(previous) };
  return { kind: 'stored', output: { ...record, id, created_at, result, ...before, event_id, warnings }, activates };
}

function assertAccepted({ company_status, connection_status }: StoredBalance, connectionId?: string | null): void {
  if (company_status === null) throw companyNotFound();
  if (company_status === 'dissolved') throw companyDissolved();
  if (!isRegistered(connectionId)) return;
  if (connection_status === null) rejectFields([unknownConnection('/connection_id')]);
  if (connection_status === 'disconnected') throw connectionDisconnected(connectionId);
}

function currencyWarning(currency: string, connectionCurrency: string | null): Warning | undefined {
  if (connectionCurrency === null || currency === connectionCurrency) return undefined;
  return {
    code: 'connection_currency_differs',
    pointer: '/currency',
    message: `The connection's currency is ${connectionCurrency}: the balance is stored in ${currency}, as it was sent.`,
  };
}

function typeWarning(sent: string | null, set: string | null): Warning | undefined {
  if (sent === null || set === null || sent === set) return undefined;
  return {
    code: 'account_type_overridden',
    pointer: '/account_type',
    message: `The financial settings of the company say that the account is \`${set}\`: \`${sent}\` is stored with the balance and changes no figure.`,
  };
}
