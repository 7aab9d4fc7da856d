import type { operations } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { Filters, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';

type GetOp = typeof operations.events.get;
type ListOp = typeof operations.events.list;
type Envelope = OutputOf<GetOp>;

interface EventRow {
  id: string;
  feed_xid: string;
  body: string;
}

// `emit` checked the data before it stored the bytes.
function toEnvelope(row: EventRow): Envelope {
  return JSON.parse(row.body) as Envelope;
}

/** Reads one event as it was sent. */
export async function getEvent(context: Context, input: InputOf<GetOp>): Promise<Envelope> {
  const [row] = await context.database.query<EventRow>(
    'SELECT id, feed_xid, body FROM event WHERE id = $1 AND account_id = $2',
    [input.event_id, context.accountId],
  );
  if (!row) throw notFound('event');
  return toEnvelope(row);
}

/**
 * The account's feed. Its order is (transaction id, event id), and events of transactions that might still be followed
 * by an earlier one are held back until it is settled: a reader that pages by cursor misses nothing and needs no lock.
 */
export async function listEvents(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  const filters = new Filters();
  filters.when(context.accountId, 'account_id = ?');
  filters.add('NOT test');
  filters.add('feed_xid < pg_snapshot_xmin(pg_current_snapshot())');
  filters.when(input.type, 'type = ?');
  filters.when(input.company_id, 'company_id = ?');
  filters.whenInstant(input.created_from, 'created_at >= ?');
  filters.whenInstant(input.created_to, 'created_at < ?');
  return readPage<EventRow, Envelope>({
    query: context.database.query,
    select: 'id, feed_xid, body',
    from: 'event',
    filters,
    sort: [
      { sql: 'feed_xid', cast: 'xid8', read: (row) => row.feed_xid },
      { sql: 'id', cast: 'text', read: (row) => row.id },
    ],
    page: input,
    toItem: toEnvelope,
    followable: true,
  });
}
