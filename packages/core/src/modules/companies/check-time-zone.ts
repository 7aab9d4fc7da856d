import { statement } from '../../db/queryable.ts';
import type { Context } from '../../kernel/context.ts';
import { rejectFields } from '../../kernel/domain-error.ts';

const isKnown = statement(
  'is_known_time_zone',
  'SELECT EXISTS (SELECT FROM pg_timezone_names WHERE lower(name) = lower($1)) AS known',
);

/**
 * Rejects a time zone that PostgreSQL doesn't know, though Node does: PostgreSQL computes days and months, and every
 * figure of the company would fail.
 */
export async function checkTimeZone(context: Context, timeZone: string | undefined | null): Promise<void> {
  if (timeZone === undefined || timeZone === null || timeZone === 'UTC') return;
  const [row] = await context.database.query<{ known: boolean }>(isKnown, [timeZone]);
  if (row?.known) return;
  const message = 'is a time zone that the database does not know; use its current name, like America/Los_Angeles';
  rejectFields([{ pointer: '/timezone', code: 'invalid_timezone', message }]);
}
