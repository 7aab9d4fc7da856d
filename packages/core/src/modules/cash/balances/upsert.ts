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

/** Attempts before a lock is taken: conflicts on one day and connection are rare. */
const OPTIMISTIC_TRIES = 3;

const activate = statement(
  'activate_connection',
  `UPDATE bank_connection SET status = 'active', updated_at = $2 WHERE id = $1 AND status = 'pending' AND ${sharesLock('id')}`,
);

// Concurrent posts of an account share a statement, because a post costs mostly the statement, not the row.
const balanceBatch: BatchKind<BalancePost, PostResult> = { run: runBatch, maxWeight: 16, inFlight: 2 };

/**
 * Emits `bank.balance.updated` even if the value is unchanged. Usually one statement without a lock. The first balance
 * of a registered connection activates it, and the first of an ingest key claims the connection.
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
  // oxlint-disable-next-line finhook/transaction-records -- the statement of postBalances stores both with the balance
  return transaction(context, { records: 'audit and event', lock, dryRun: input.dry_run }, async (tx) => {
    // Before the account's sequence is locked, because others may hold this row.
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

async function runBatch(posts: readonly BalancePost[]): Promise<readonly PostResult[]> {
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
