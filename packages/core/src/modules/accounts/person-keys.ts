import type { Context } from '../../kernel/context.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';

const readKeys = statement(
  'read_person_keys',
  'SELECT id FROM api_key WHERE account_id = $1 AND coalesce(person_id, id) = $2',
);

/** The keys that count as the caller's person, the key of the request among them. */
export async function personKeys(db: Queryable, context: Context): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(readKeys, [context.accountId, context.personId]);
  return new Set([context.keyId, ...rows.map(({ id }) => id)]);
}
