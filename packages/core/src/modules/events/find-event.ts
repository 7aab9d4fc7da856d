import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';

// A test send is not an event of the account: sent again, its sample would pass for real data.
const find = statement(
  'find_event',
  `SELECT company_id FROM event
   WHERE id = $1 AND account_id = $2 AND ($3::text[] IS NULL OR company_id = ANY ($3)) AND ($4 OR NOT test)`,
);

/** The event's company, if the caller reaches it; test sends only where they are asked for. Throws `not_found`. */
export async function findEvent(
  db: Queryable,
  context: Context,
  eventId: string,
  { tests = false }: { readonly tests?: boolean } = {},
): Promise<{ company_id: string | null }> {
  const [event] = await db.query<{ company_id: string | null }>(find, [
    eventId,
    context.accountId,
    context.access.companyIds ?? null,
    tests,
  ]);
  if (!event) throw notFound('event');
  return event;
}
