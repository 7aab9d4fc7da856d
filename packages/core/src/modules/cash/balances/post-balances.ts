import { type EventData, normalizeCurrency, type operations, type Warning } from '@finhook/contracts';
import type { Queryable } from '../../../db/queryable.ts';
import { connectionDisconnected, isRegistered, unknownConnection } from '../../../ids/connection-id.ts';
import type { HandOffs } from '../../../outbox/hand-off.ts';
import { addDays, futureWarning } from '../../../time/calendar.ts';
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
  const mayActivate = db !== database;
  // A post does not read the row of an earlier one, so there is one of each key. All batches have one order, so that they
  // cannot deadlock.
  const byKey = new Map(posts.toReversed().map((post) => [keyOf(post), post]));
  const sorted = [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, post]) => post);
  const rows = sorted.map((post, i) => toRow(post, i + 1));
  const values = [JSON.stringify(rows), accountId, clock.now().toISOString(), mayActivate, handOffs.startLease()];
  const stored = await db.query<StoredBalance>(storeBalances, values);
  const events = stored.flatMap(({ event_id: id, body }, i) => {
    const traceparent = sorted[i]?.context.database.traceparent;
    return body === null ? [] : [{ id, type: 'bank.balance.updated', body, traceparent }];
  });
  handOffs.add(stored[0]?.deliveries ?? [], events);
  const results = new Map(sorted.map((post, i) => [post, toResult(post, stored[i], mayActivate)]));
  return posts.map((post) => results.get(post) ?? { kind: 'conflict' });
}

function keyOf({ input }: BalancePost): string {
  return JSON.stringify([input.company_id, input.connection_id ?? '', input.as_of]);
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

function toResult({ input }: BalancePost, stored: StoredBalance | undefined, mayActivate: boolean): PostResult {
  if (stored === undefined) throw new Error('A balance has no result.');
  try {
    assertAccepted(stored, input.connection_id);
  } catch (error) {
    return { kind: 'rejected', error };
  }
  const activates = stored.connection_status === 'pending';
  if ((activates && !mayActivate) || !stored.is_owned) return { kind: 'first' };
  if (stored.body === null) return { kind: 'conflict' };
  const { cash_on_hand: _, ...balance } = eventOf(stored.body).data;
  const { as_of, currency, account_type } = balance;
  const warnings = [
    as_of > addDays(stored.today, 1) ? futureWarning('/as_of', as_of) : undefined,
    currencyWarning(currency, stored.connection_currency),
    stored.series_currency === null || stored.series_currency === currency
      ? undefined
      : currencyChanged('/currency', currency, stored.series_currency),
    typeWarning(account_type, stored.set_account_type),
  ].filter((warning) => warning !== undefined);
  return { kind: 'stored', output: { ...balance, event_id: stored.event_id, warnings }, activates };
}

// Written by the function.
function eventOf(body: string) {
  return JSON.parse(body) as { data: EventData<'bank.balance.updated'> };
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
