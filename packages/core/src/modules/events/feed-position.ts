import { databaseErrorCode } from '../../db/database-error.ts';
import { type Queryable, statement } from '../../db/queryable.ts';
import { feedHorizon } from '../../kernel/feed-horizon.ts';
import { byId, decodeCursor, encodeCursor, type SortColumn } from '../../kernel/keyset.ts';

/**
 * Places in the feed that are no event's. A horizon is a transaction id below which everything is settled: events below
 * it can all be read, and events that come later are all at it or above.
 */
export interface FeedPosition {
  accountId: string;
  /** The horizon up to which the account was looked at. */
  since: string;
}

export interface FeedNews {
  horizon: string;
  /** Accounts that have events between their `since` and the horizon. */
  accountIds: string[];
}

/** The order of the feed: by transaction, and within one by event. */
export const feedOrder: readonly SortColumn<{ id: string; feed_xid: string }>[] = [
  { sql: 'feed_xid', cast: 'xid8', read: (row) => row.feed_xid },
  byId('evt'),
];

const XID = /^\d{1,20}$/;
const EVENT_ID = /^\w{0,64}$/;

const currentHorizon = statement('feed_horizon', `SELECT ${feedHorizon}::text AS horizon`);

// LIMIT keeps the planner from joining: each account costs one probe of the feed's index, however large the table is.
const news = statement(
  'feed_news',
  `SELECT ${feedHorizon}::text AS horizon, ARRAY(
     SELECT w.account_id FROM unnest($1::text[], $2::xid8[]) AS w (account_id, since)
     CROSS JOIN LATERAL (
       SELECT FROM event e
       WHERE e.account_id = w.account_id AND e.feed_xid >= w.since AND e.feed_xid < ${feedHorizon} AND NOT e.test
       LIMIT 1
     ) found
   ) AS "accountIds"`,
);

const isPast = statement(
  'feed_cursor_is_past',
  'SELECT $1::xid8 <= pg_snapshot_xmax(pg_current_snapshot()) AS "isPast"',
);

/** The horizon now: a reader that begins at it is told of everything that is not settled yet. */
export async function readHorizon(database: Queryable): Promise<string> {
  const [row] = await database.query<{ horizon: string }>(currentHorizon);
  return row?.horizon ?? '0';
}

/** The cursor of the feed that stands after everything below a horizon and before everything else. */
export function cursorAt(xid: string): string {
  return encodeCursor([xid, 'evt_']);
}

/** The cursor of a reader who has read everything below a horizon: never behind where it stood. */
export function cursorFrom(cursor: string, xid: string): string {
  const [stood = '0'] = decodeCursor(cursor, feedOrder);
  return BigInt(stood) < BigInt(xid) ? cursorAt(xid) : cursor;
}

/** Which of many accounts have events that can be read now and could not be at their position. One statement. */
export async function findFeedNews(database: Queryable, positions: readonly FeedPosition[]): Promise<FeedNews> {
  const [row] = await database.query<FeedNews>(news, [
    positions.map(({ accountId }) => accountId),
    positions.map(({ since }) => since),
  ]);
  return row ?? { horizon: '0', accountIds: [] };
}

/**
 * Whether a reader of the feed can go on from this cursor. Not from one that is malformed, and not from one that this
 * server has yet to reach: it was made by another server, before its data moved here.
 */
export async function isFeedCursor(database: Queryable, cursor: string): Promise<boolean> {
  const [xid = '', id = ''] = partsOf(cursor);
  if (!XID.test(xid) || !EVENT_ID.test(id)) return false;
  try {
    const [row] = await database.query<{ isPast: boolean }>(isPast, [xid]);
    return row?.isPast === true;
  } catch (error) {
    // More than a transaction id can be.
    if (databaseErrorCode(error)?.startsWith('22')) return false;
    throw error;
  }
}

function partsOf(cursor: string): string[] {
  try {
    return decodeCursor(cursor, feedOrder);
  } catch {
    return [];
  }
}
