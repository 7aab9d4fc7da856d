import { reachesSql, reachOf } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';

const find = statement(
  'find_event',
  `SELECT company_id, test FROM event
   WHERE id = $1 AND account_id = $2 AND ${reachesSql('$3')}`,
);

/** What is known of an event without its body. */
interface FoundEvent {
  company_id: string | null;
  /** Whether it is a test send. */
  test: boolean;
}

/** The event, if the caller reaches it; test sends, too. Throws `not_found`. */
export async function findEvent(db: Queryable, context: Context, eventId: string): Promise<FoundEvent> {
  const values = [eventId, context.accountId, reachOf(context)];
  const [event] = await db.query<FoundEvent>(find, values);
  if (!event) throw notFound('event');
  return event;
}
