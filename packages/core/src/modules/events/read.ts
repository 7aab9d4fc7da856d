import type { operations } from '@finhook/contracts';
import {
  accessibleCompanies,
  companyAccessSql,
  filterByCompanyAccess,
  filterReadable,
  readableEventSql,
  readerOf,
} from '../../access/access.ts';
import { type Queryable, statement } from '../../db/queryable.ts';
import { Filters, type Page, readPage } from '../../lists/keyset.ts';
import { acceptsSql } from '../../outbox/emit.ts';
import { notAboutItself, subscribes } from '../../outbox/subscription-sql.ts';
import { toTimestamp } from '../../time/clock.ts';
import type { Context } from '../../verbs/context.ts';
import { DomainError, notFound } from '../../verbs/domain-error.ts';
import type { InputOf, OutputOf, Verb } from '../../verbs/verb.ts';
import { deliverySummary } from '../deliveries/delivery-record.ts';
import { currentCursor, feedOrder, isFeedCursor } from './feed-position.ts';

type GetOp = typeof operations.events.get;
type Envelope = OutputOf<GetOp>;

interface EventRow {
  id: string;
  position: string;
  body: string;
  deliveries?: NonNullable<Envelope['deliveries']>;
  filtered_endpoint_ids?: NonNullable<Envelope['filtered_endpoint_ids']>;
}

const columns = 'id, position, body';
const withDeliveries = `${columns}, ${deliverySummary('event.id')} AS deliveries`;

// Filters are not versioned: the current filter explains nothing for endpoints that are newer than the event or received it.
const filteredEndpoints = `ARRAY(
  SELECT e.id FROM webhook_endpoint e
  WHERE NOT event.test AND e.account_id = event.account_id AND e.deleted_at IS NULL AND e.created_at <= event.created_at
    AND ${companyAccessSql('$3', 'e.company_id')} AND ${subscribes('event', 'e')} AND ${notAboutItself('event', 'e')}
    AND NOT ${acceptsSql('event.body')}
    AND NOT EXISTS (SELECT FROM delivery d WHERE d.event_id = event.id AND d.endpoint_id = e.id)
  ORDER BY e.id) AS filtered_endpoint_ids`;

// `emit` checked the data before it stored the bytes.
function parseEnvelope(body: string): Envelope {
  return JSON.parse(body) as Envelope;
}

function toEnvelope({ body, deliveries, filtered_endpoint_ids }: EventRow): Envelope {
  return {
    ...parseEnvelope(body),
    ...(deliveries && { deliveries }),
    ...(filtered_endpoint_ids && { filtered_endpoint_ids }),
  };
}

/** Internal events are hidden from scope `read`, events about other agents from scope `agent`. */
export async function getEvent(context: Context, input: InputOf<GetOp>): Promise<Envelope> {
  const [row] = await context.database.query<EventRow>(
    `SELECT ${input.include === undefined ? columns : `${withDeliveries}, ${filteredEndpoints}`} FROM event
     WHERE id = $1 AND account_id = $2 AND ${companyAccessSql('$3')} AND ${readableEventSql(4)}`,
    [input.event_id, context.accountId, accessibleCompanies(context), ...readerOf(context)],
  );
  if (!row) throw notFound('event');
  return toEnvelope(row);
}

const find = statement(
  'find_event',
  `SELECT company_id, test FROM event
   WHERE id = $1 AND account_id = $2 AND ${companyAccessSql('$3')}`,
);

interface FoundEvent {
  company_id: string | null;
  test: boolean;
}

/** Includes test events. Throws `not_found` without access. */
export async function findEvent(db: Queryable, context: Context, eventId: string): Promise<FoundEvent> {
  const [event] = await db.query<FoundEvent>(find, [eventId, context.accountId, accessibleCompanies(context)]);
  if (!event) throw notFound('event');
  return event;
}

function feedFilters(context: Context): Filters {
  const filters = new Filters();
  filters.where(context.accountId, 'account_id = ?');
  filters.add('NOT test');
  filterByCompanyAccess(filters, context, 'company_id');
  filterReadable(filters, context);
  return filters;
}

/** Throws `invalid_cursor` for a cursor ahead of the feed, whose reader would miss the next events silently. */
export const listEvents: Verb<typeof operations.events.list> = async (context, input) => {
  const translated = async (side: 'after' | 'before') => {
    const cursor = input[side];
    const reads = (side === 'after') === (input.order === 'asc') ? 'later' : 'earlier';
    return cursor && { [side]: await currentCursor(context.database, context.accountId, cursor, reads) };
  };
  const { after, before } = { ...input, ...(await translated('after')), ...(await translated('before')) };
  const filters = feedFilters(context);
  filters.whereEqual(input, ['type', 'company_id']);
  filters.whereIdTimes('evt', input);
  const page = await readPage<EventRow, Envelope>({
    query: context.database.query,
    select: input.include === 'deliveries_summary' ? withDeliveries : columns,
    from: 'event',
    filters,
    sort: feedOrder,
    bytes: 'octet_length(body)',
    page: { ...input, after, before, include: input.include === 'total_count' ? input.include : undefined },
    toItem: toEnvelope,
    followable: true,
  });
  if (
    page.data.length === 0 &&
    after !== undefined &&
    !(await isFeedCursor(context.database, context.accountId, after))
  ) {
    throw new DomainError('invalid_cursor', {
      detail:
        'The cursor is ahead of the feed, because the data was restored to an earlier state. Read from the beginning, or ' +
        'from a day with created_from. Events that you have already read keep their ids.',
    });
  }
  return page;
};

export type EventHead = Pick<Envelope, 'id' | 'type' | 'company_id' | 'created_at'>;

interface HeadRow {
  id: string;
  position: string;
  type: string;
  company_id: string | null;
  created_at: string;
}

export async function listEventHeads(
  context: Context,
  page: { after: string; limit: number },
): Promise<Page<EventHead>> {
  return readPage<HeadRow, EventHead>({
    query: context.database.query,
    select: 'id, position, type, company_id, created_at',
    from: 'event',
    filters: feedFilters(context),
    sort: feedOrder,
    page: { ...page, order: 'asc' },
    toItem: ({ id, type, company_id, created_at }) => ({
      id,
      type,
      ...(company_id === null ? {} : { company_id }),
      created_at: toTimestamp(created_at),
    }),
    followable: true,
  });
}
