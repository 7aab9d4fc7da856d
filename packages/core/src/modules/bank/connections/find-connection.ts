import { type Queryable, statement } from '../../../db/queryable.ts';
import { assertAccessible } from '../../../kernel/access.ts';
import type { Context } from '../../../kernel/context.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { type ConnectionRow, connectionColumns } from './connection-record.ts';

const read = statement(
  'read_connection',
  `SELECT ${connectionColumns('$3')} FROM bank_connection k WHERE k.id = $1 AND k.account_id = $2`,
);
const readLocked = statement(
  'read_connection_locked',
  `SELECT ${connectionColumns('$3')} FROM bank_connection k WHERE k.id = $1 AND k.account_id = $2 FOR UPDATE OF k`,
);

export async function findConnection(db: Queryable, context: Context, connectionId: string): Promise<ConnectionRow> {
  const [row] = await db.query<ConnectionRow>(read, [
    connectionId,
    context.accountId,
    context.clock.now().toISOString(),
  ]);
  return assertAccessible(context, row, 'bank connection');
}

/**
 * The connection, locked for a change: no row is ingested under it until the transaction ends. It must be the
 * transaction's first row lock, so that rows in flight precede the change in the feed; a verb that emits also has the
 * connection's id as its `lock`. Throws `company_dissolved`.
 */
export async function lockConnection(tx: Queryable, context: Context, connectionId: string): Promise<ConnectionRow> {
  const connection = await lockConnectionToEnd(tx, context, connectionId);
  await lockCompany(tx, context, connection.company_id);
  return connection;
}

/** The connection, locked for a disconnect, which works in any state of the company. */
export async function lockConnectionToEnd(
  tx: Queryable,
  context: Context,
  connectionId: string,
): Promise<ConnectionRow> {
  const [row] = await tx.query<ConnectionRow>(readLocked, [
    connectionId,
    context.accountId,
    context.clock.now().toISOString(),
  ]);
  return assertAccessible(context, row, 'bank connection');
}
