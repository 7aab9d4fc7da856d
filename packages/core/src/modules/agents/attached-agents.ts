import type { FieldError } from '@finhook/contracts';
import { type Queryable, statement } from '../../db/queryable.ts';
import type { Context } from '../../kernel/context.ts';

const find = statement(
  'find_attached_agents',
  `SELECT a.id, a.name FROM agent a WHERE a.id = ANY ($1::text[]) AND a.account_id = $2 AND EXISTS (
     SELECT FROM agent_binding b WHERE b.agent_id = a.id AND b.company_id = $3 AND b.status <> 'unlinked'
   )`,
);

/**
 * Returns those of `ids` that are agents attached to this company or one of its cases, paused or not, with their names.
 */
export async function attachedAgents(
  db: Queryable,
  context: Context,
  companyId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; name: string }>(find, [ids, context.accountId, companyId]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export function notAttached(pointer: string): FieldError {
  return { pointer, code: 'agent_not_found', message: 'is not an agent that is attached to this company' };
}
