import type { operations } from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import { recordChange } from '../../../outbox/record-change.ts';
import { transaction } from '../../../outbox/transaction.ts';
import type { Verb } from '../../../verbs/verb.ts';
import {
  type ConnectionRow,
  connectionColumns,
  connectionStates,
  lockConnectionInAnyState,
  toConnection,
} from './connection.ts';

const end = statement(
  'disconnect_connection',
  `UPDATE bank_connection AS k
   SET status = 'disconnected', secret = NULL, disconnected_at = $2, disconnected_by = $3, updated_at = $2
   WHERE k.id = $1 RETURNING ${connectionColumns('$2')}`,
);

/** A running sync ends at its next chunk. Works for dissolved companies too, so that their token can be wiped. */
export const disconnectConnection: Verb<typeof operations.bank.connections.disconnect> = (context, input) =>
  transaction(context, { records: 'audit and event', lock: input.connection_id }, async (tx) => {
    const before = await lockConnectionInAnyState(tx, context, input.connection_id);
    if (!connectionStates.moves(before.status, 'disconnected')) return toConnection(before);
    const now = context.clock.now().toISOString();
    const [row] = await tx.query<ConnectionRow>(end, [before.id, now, JSON.stringify(context.actor)]);
    if (!row) throw new Error('The connection was not changed.');
    const record = toConnection(row);
    const after = { ...record, ...(input.reason == null ? {} : { reason: input.reason }) };
    recordChange(tx, context, {
      action: 'bank.connections.disconnect',
      before: toConnection(before),
      after,
      event: { type: 'bank.connection.disconnected', data: { ...after, rows_retained: true } },
    });
    return record;
  });
