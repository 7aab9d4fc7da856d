import type { operations } from '@finhook/contracts';
import { assertCompanyAccess } from '../../../access/access.ts';
import { claimSeries, narrowingErrors } from '../../../access/ingest-key.ts';
import { isDatabaseUnavailable, isTransactionConflict, WriteConflict } from '../../../db/database-error.ts';
import { statement } from '../../../db/queryable.ts';
import { isRegistered } from '../../../ids/connection-id.ts';
import { HandOffs } from '../../../outbox/hand-off.ts';
import { sharesLock, transaction } from '../../../outbox/transaction.ts';
import { checkDay, dayLimits } from '../../../time/calendar.ts';
import type { BatchKind } from '../../../verbs/batching.ts';
import { rejectFields } from '../../../verbs/domain-error.ts';
import type { Verb } from '../../../verbs/verb.ts';
import { type BalancePost, type PostResult, postBalances } from './post-balances.ts';

/** Attempts without a lock before one is taken: conflicts on one day and connection are rare. */
const OPTIMISTIC_TRIES = 3;

const activate = statement(
  'activate_connection',
  `UPDATE bank_connection SET status = 'active', updated_at = $2 WHERE id = $1 AND status = 'pending' AND ${sharesLock('id')}`,
);

/**
 * Concurrent posts of one account share their statement: a backfill sends balances one by one and many at once,
 * and a post's cost is mostly the statement, not the row.
 */
const balanceBatch: BatchKind<BalancePost, PostResult> = { run: runTogether, maxWeight: 16, inFlight: 2 };

/**
 * Stores a balance, or updates that of the same day and connection, and emits `bank.balance.updated`, even when the
 * value is unchanged. Usually one statement without a lock, which reads and writes everything. The first balance of a
 * registered connection also activates it, and the first of an ingest key claims the connection.
 */
export const upsertCashBalance: Verb<typeof operations.cash.balances.upsert> = async (context, input) => {
  const now = context.clock.now();
  rejectFields([
    checkDay('/as_of', input.as_of, dayLimits(now)),
    ...narrowingErrors(context, { connection_id: input.connection_id ?? null, source: input.source ?? 'api' }),
  ]);
  assertCompanyAccess(context, input.company_id);
  if (!context.idempotency && !input.dry_run) {
    for (let attempt = 0; attempt < OPTIMISTIC_TRIES; attempt++) {
      const result = await context.coalesce(balanceBatch, context.accountId, { context, input });
      if (result.kind === 'stored') return result.output;
      if (result.kind === 'rejected') throw result.error;
      if (result.kind === 'first') break;
    }
  }
  const lock = `cash_balance|${input.company_id}|${input.connection_id ?? ''}|${input.as_of}`;
  return transaction(context, { records: 'audit and event', lock, dryRun: input.dry_run }, async (tx) => {
    // First: a row that others may hold is not waited for with the account's sequence locked.
    if (isRegistered(input.connection_id)) await tx.query(activate, [input.connection_id, now.toISOString()]);
    const post = () => postBalances(tx, tx.handOffs, [{ context, input }]);
    let [result] = await post();
    if (result?.kind === 'first') {
      await claimSeries(tx, context, input.company_id, [input.connection_id ?? '']);
      [result] = await post();
    }
    if (result?.kind === 'rejected') throw result.error;
    if (result?.kind !== 'stored') throw new WriteConflict();
    tx.emitted.count += 1;
    return input.dry_run ? { ...result.output, dry_run: true } : result.output;
  });
};

async function runTogether(posts: readonly BalancePost[]): Promise<readonly PostResult[]> {
  const [first] = posts;
  if (first === undefined) return [];
  try {
    const handOffs = new HandOffs(first.context);
    const results = await postBalances(first.context.database, handOffs, posts);
    handOffs.send();
    first.context.onEvents?.(results.filter(({ kind }) => kind === 'stored').length);
    return results;
  } catch (error) {
    const alone = posts.length === 1 && !isTransactionConflict(error);
    if (alone || isDatabaseUnavailable(error)) throw error;
    // The error may belong to one post, so each is retried alone.
    return posts.map(() => ({ kind: 'conflict' }));
  }
}
