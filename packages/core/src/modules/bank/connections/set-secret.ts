import { MIN_SECRET_FOR_LAST4, type operations } from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import { connectionDisconnected } from '../../../ids/connection-id.ts';
import { recordChange } from '../../../outbox/record-change.ts';
import { transaction } from '../../../outbox/transaction.ts';
import type { Context } from '../../../verbs/context.ts';
import type { Verb } from '../../../verbs/verb.ts';
import {
  type ConnectionRow,
  connectionColumns,
  connectionStates,
  lockConnection,
  toConnection,
  tokenAad,
} from './connection.ts';

const store = statement(
  'store_connection_secret',
  `UPDATE bank_connection AS k
   SET secret = $2, secret_last4 = $3, secret_configured_at = $4, status = 'active', error = NULL, updated_at = $4
   WHERE k.id = $1 RETURNING ${connectionColumns('$4')}`,
);

/** Activates the connection. An unchanged token changes nothing, unless the connection is in error. */
export const setConnectionSecret: Verb<typeof operations.bank.connections.setSecret> = (context, input) =>
  transaction(context, { records: 'audit and event', lock: input.connection_id }, async (tx) => {
    const before = await lockConnection(tx, context, input.connection_id);
    if (before.status === 'disconnected') throw connectionDisconnected(before.id);
    const moves = connectionStates.moves(before.status, 'active');
    const isKnown = isStored(context, before, input.secret);
    if (!moves && isKnown) return toConnection(before);
    const [row] = await tx.query<ConnectionRow>(store, [
      before.id,
      context.secrets.encrypt(input.secret, tokenAad(before.id)),
      input.secret.length < MIN_SECRET_FOR_LAST4 ? null : input.secret.slice(-4),
      context.clock.now().toISOString(),
    ]);
    if (!row) throw new Error('The secret was not stored.');
    const after = toConnection(row);
    recordChange(tx, context, {
      action: 'bank.connections.setSecret',
      before: toConnection(before),
      after,
      event: {
        type: 'bank.connection.secret_configured',
        data: { ...after, rotated: before.secret !== null && !isKnown },
      },
    });
    return after;
  });

/** Also false when the stored token cannot be decrypted any more, so that it is replaced. */
function isStored(context: Context, { id, secret }: ConnectionRow, candidate: string): boolean {
  if (secret === null) return false;
  try {
    return context.secrets.decrypt(secret, tokenAad(id)) === candidate;
  } catch {
    return false;
  }
}
