import type { Core } from '../../kernel/context.ts';

const BATCH = 10_000;

/** Deletes idempotency keys after their 24 hours, in batches; returns their number. */
export async function purgeIdempotencyKeys(core: Core): Promise<number> {
  let total = 0;
  for (;;) {
    const rows = await core.database.query(
      `DELETE FROM idempotency_key WHERE (account_id, key) IN (
         SELECT account_id, key FROM idempotency_key WHERE created_at < now() - interval '24 hours' LIMIT ${BATCH}
       ) RETURNING key`,
    );
    total += rows.length;
    if (rows.length < BATCH) return total;
  }
}
