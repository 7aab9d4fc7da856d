import { normalizeCurrency, type operations, type Warning } from '@finhook/contracts';
import type { Queryable } from '../../../db/queryable.ts';
import { connectionDisconnected, isRegistered, unknownConnection } from '../../../ids/connection-id.ts';
import type { HandOffs } from '../../../outbox/hand-off.ts';
import { addDays, futureWarning } from '../../../time/calendar.ts';
import { toTimestamp } from '../../../time/clock.ts';
import type { Context } from '../../../verbs/context.ts';
import { companyDissolved, companyNotFound, rejectFields } from '../../../verbs/domain-error.ts';
import type { InputOf, OutputOf } from '../../../verbs/verb.ts';
import { currencyChanged } from '../series-currency.ts';
import { type StoredBalance, storeBalances } from './store-balances.ts';

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
  const call = { now: clock.now().toISOString(), mayActivate: db !== database };
  const distinct = new Map<string, BalancePost>();
  // A post does not read the row of an earlier one, so there is one of each key.
  for (const post of posts) if (!distinct.has(keyOf(post))) distinct.set(keyOf(post), post);
  const rows = [...distinct.values()].map((post, i) => toRow(post, i + 1));
  const values = [JSON.stringify(rows), accountId, call.now, call.mayActivate, handOffs.startLease()];
  const stored = await db.query<StoredBalance>(storeBalances, values);
  const events = stored.flatMap(({ event_id: id, body, traceparent }) =>
    body === null ? [] : [{ id, type: 'bank.balance.updated', body, traceparent: traceparent ?? undefined }],
  );
  handOffs.add(stored[0]?.deliveries ?? [], events);
  const results = new Map([...distinct.values()].map((post, i) => [post, toResult(post, stored[i], call)]));
  return posts.map((post) => results.get(post) ?? { kind: 'conflict' });
}

function keyOf({ input }: BalancePost): string {
  return `${input.as_of}|${input.company_id}|${input.connection_id ?? ''}`;
}

/** The sent fields of the type `store_balances`. */
function toRow({ context, input }: BalancePost, n: number): object {
  const { newId, actor, request, database } = context;
  const { ingest } = context.access;
  return {
    n,
    id: newId('bal'),
    company_id: input.company_id,
    connection_id: input.connection_id ?? '',
    as_of: input.as_of,
    // Adding zero turns −0 into 0.
    balance_cents: input.balance_cents + 0,
    currency: normalizeCurrency(input.currency) ?? input.currency,
    source: input.source ?? 'api',
    account_type: input.account_type,
    event_id: newId('evt'),
    audit_id: newId('aud'),
    actor,
    request_id: request.id,
    ip: request.ip,
    traceparent: database.traceparent,
    ingest_key: ingest?.originId,
    lists_connections: ingest?.connectionIds !== undefined,
  };
}

function toResult(
  { context, input }: BalancePost,
  stored: StoredBalance | undefined,
  { now, mayActivate }: { now: string; mayActivate: boolean },
): PostResult {
  if (stored === undefined) throw new Error('A balance has no result.');
  try {
    assertAccepted(stored, input.connection_id);
  } catch (error) {
    return { kind: 'rejected', error };
  }
  const activates = stored.connection_status === 'pending';
  if ((activates && !mayActivate) || !stored.is_owned) return { kind: 'first' };
  if (stored.body === null) return { kind: 'conflict' };
  const { id, as_of, currency, source, account_type, result, previous_balance_cents: previous, event_id } = stored;
  const warnings = [
    as_of > addDays(stored.today, 1) ? futureWarning('/as_of', as_of) : undefined,
    currencyWarning(currency, stored.connection_currency),
    stored.series_currency === null || stored.series_currency === currency
      ? undefined
      : currencyChanged('/currency', currency, stored.series_currency),
    typeWarning(account_type, stored.set_account_type),
  ].filter((warning) => warning !== undefined);
  const output = {
    id,
    object: 'cash_balance' as const,
    account_id: context.accountId,
    company_id: input.company_id,
    as_of,
    balance_cents: Number(stored.balance_cents),
    currency,
    source,
    connection_id: input.connection_id ?? null,
    account_type,
    created_at: toTimestamp(stored.created_at),
    updated_at: now,
    result,
    ...(previous === null ? {} : { previous_balance_cents: Number(previous) }),
    event_id,
    warnings,
  };
  return { kind: 'stored', output, activates };
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
