import type { operations } from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import { connectionDisconnected } from '../../../ids/connection-id.ts';
import { recordChange } from '../../../outbox/record-change.ts';
import { transaction } from '../../../outbox/transaction.ts';
import { checkDay, dayLimits } from '../../../time/calendar.ts';
import { DomainError, rejectWithFields } from '../../../verbs/domain-error.ts';
import type { Verb } from '../../../verbs/verb.ts';
import { type ConnectionRow, lockConnection } from './connection.ts';
import { providers } from './providers/index.ts';
import { noStats, reachedTheEnd, type SyncRow, toSyncRun } from './sync-run.ts';

/** Overlap with the last complete pull, because banks post late. */
const OVERLAP_DAYS = 7;

const readRunning = statement(
  'read_running_sync',
  `SELECT * FROM sync_run WHERE connection_id = $1 AND status = 'running'`,
);

const insert = statement(
  'insert_sync_run',
  `INSERT INTO sync_run (id, account_id, company_id, connection_id, provider, trigger, status, pull_from, pull_until,
     stats, started_at, created_at, updated_at)
   SELECT $1, $2, $3, $4, $5, 'manual', 'running',
     least($9::date, coalesce(
       (SELECT s.pull_until - ${OVERLAP_DAYS} FROM sync_run s WHERE s.connection_id = $4 AND ${reachedTheEnd('s')}
        ORDER BY s.id DESC LIMIT 1),
       ($6::date - interval '12 months')::date
     )), $6::date, $7, $8, $8, $8
   RETURNING *`,
);

const beginBackfill = statement(
  'begin_backfill',
  `UPDATE bank_connection SET backfill_status = 'running', updated_at = $2 WHERE id = $1 AND backfill_status = 'none'`,
);

/**
 * Returns the running run, if any. A new one begins a week before the end of the last complete run, twelve months ago,
 * or earlier at `from`.
 */
export const requestSync: Verb<typeof operations.bank.connections.sync> = async (context, input) => {
  const { from } = input;
  const error = from == null ? undefined : checkDay('/from', from, dayLimits(context.clock.now(), 0));
  if (error) rejectWithFields([error]);
  const run = await transaction(context, { records: 'audit' }, async (tx) => {
    const connection = await lockConnection(tx, context, input.connection_id);
    rejectUnlessPulled(connection);
    const [running] = await tx.query<SyncRow>(readRunning, [connection.id]);
    if (running) return toSyncRun(running);
    const now = context.clock.now().toISOString();
    const [row] = await tx.query<SyncRow>(insert, [
      context.newId('syn'),
      context.accountId,
      connection.company_id,
      connection.id,
      connection.provider,
      now.slice(0, 10),
      JSON.stringify(noStats),
      now,
      from,
    ]);
    if (!row) throw new Error('The sync run was not stored.');
    await tx.query(beginBackfill, [connection.id, now]);
    const record = toSyncRun(row);
    recordChange(tx, context, {
      action: 'bank.connections.sync',
      after: { ...record, pull_from: row.pull_from, pull_until: row.pull_until },
    });
    return record;
  });
  context.jobs.startSync(run.id);
  return run;
};

function rejectUnlessPulled(connection: ConnectionRow): void {
  if (connection.status === 'disconnected') throw connectionDisconnected(connection.id);
  if (!providers.has(connection.provider)) {
    throw new DomainError('sync_not_available', {
      detail: `The provider ${connection.provider} pushes its data and cannot be synced. Post its balances and transactions with connection_id ${connection.id}.`,
      extra: { reason: 'provider_pushes' },
    });
  }
  if (connection.secret === null) {
    throw new DomainError('sync_not_available', {
      detail: `The connection has no token. Store one with PUT /bank/connections/${connection.id}/secret, then sync.`,
      extra: { reason: 'secret_missing' },
    });
  }
}
