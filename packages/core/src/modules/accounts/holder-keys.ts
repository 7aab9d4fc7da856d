import type { Context } from '../../kernel/context.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';

const readLine = statement(
  'read_rotated_keys',
  `WITH RECURSIVE line AS (
     SELECT id, rotated_to FROM api_key WHERE id = $1 AND account_id = $2
     UNION
     SELECT k.id, k.rotated_to
     FROM line l JOIN api_key k ON k.account_id = $2 AND (k.id = l.rotated_to OR k.rotated_to = l.id)
   )
   SELECT id FROM line`,
);

/** The keys that the caller holds or held: the request's, and those that rotations put in its place or it in theirs. */
export async function holderKeys(db: Queryable, context: Context): Promise<ReadonlySet<string>> {
  const { actor, accountId } = context;
  const rows = await db.query<{ id: string }>(readLine, [actor.id, accountId]);
  return new Set([actor.id, ...rows.map(({ id }) => id)]);
}
