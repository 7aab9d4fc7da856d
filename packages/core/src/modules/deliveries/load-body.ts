import { statement } from '../../db/queryable.ts';
import type { Core } from '../../kernel/context.ts';

export interface BodyRequest {
  eventId: string;
  accountId: string;
}

const load = statement('load_body', 'SELECT body FROM event WHERE id = $1 AND account_id = $2 LIMIT 1');

/** The exact bytes of a claimed delivery whose claim omitted them. Throws when the event does not exist. */
export async function loadBody(core: Core, { eventId, accountId }: BodyRequest): Promise<Buffer> {
  const [row] = await core.database.query<{ body: string }>(load, [eventId, accountId]);
  if (row === undefined) throw new Error(`The event ${eventId}, which is to be delivered, is not stored.`);
  return Buffer.from(row.body);
}
