import type { Core } from '../../kernel/context.ts';
import { statement } from '../../kernel/queryable.ts';

const wipe = statement(
  'end_secret_overlaps',
  `UPDATE webhook_endpoint SET previous_secret = NULL, previous_secret_until = NULL
   WHERE previous_secret_until <= $1::timestamptz RETURNING id`,
);

/** Wipes secrets whose overlap is over; they stopped signing at that moment by themselves. Returns how many. */
export async function endSecretOverlaps(core: Core): Promise<number> {
  return (await core.database.query(wipe, [core.clock.now().toISOString()])).length;
}
