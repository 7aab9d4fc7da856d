import { type Queryable, statement } from '../../../db/queryable.ts';
import { connectionDisconnected, isRegistered, unknownConnection } from '../../../kernel/connection-id.ts';
import { rejectFields } from '../../../kernel/domain-error.ts';

const lock = statement(
  'lock_wire_connection',
  'SELECT status FROM bank_connection WHERE id = $1 AND company_id = $2 FOR KEY SHARE',
);

/**
 * Locks the wire's registered connection against a disconnect until the transaction ends. Any other text is the
 * provider's own label, stored unchanged (decision D35).
 */
export async function lockWireConnection(
  db: Queryable,
  companyId: string,
  connectionId: string | null | undefined,
): Promise<void> {
  if (!isRegistered(connectionId)) return;
  const [row] = await db.query<{ status: string }>(lock, [connectionId, companyId]);
  rejectFields([row ? undefined : unknownConnection('/connection_id')]);
  if (row?.status === 'disconnected') throw connectionDisconnected(connectionId);
}
