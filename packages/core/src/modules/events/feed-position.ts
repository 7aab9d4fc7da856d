import { databaseErrorCode } from '../../db/database-error.ts';
import { type Queryable, statement, systemStatement } from '../../db/queryable.ts';
import { decodeCursor, encodeCursor, type SortColumn } from '../../lists/keyset.ts';
import { currentPosition } from '../../outbox/sequence-sql.ts';

/** How far the feed of an account was read. */
export interface FeedPosition {
  accountId: string;
  position: string;
}

/** The order of the feed: events of an account have positions without gaps, in the order of their commits. */
export const feedOrder: readonly SortColumn<{ position: string }>[] = [
  { sql: 'position', cast: 'bigint', read: (row) => row.position },
];

const POSITION = /^\d{1,18}$/;

const newest = statement('feed_position', `SELECT ${currentPosition('$1')}::text AS position`);

const news = systemStatement(
  'feed_news',
  `SELECT s.account_id AS "accountId", s.position::text AS position
   FROM unnest($1::text[], $2::bigint[]) AS w (account_id, position)
   JOIN account_sequence s ON s.account_id = w.account_id AND s.position > w.position`,
);

/** The position of the account's newest event: whatever is emitted from now on comes after it. */
export async function readPosition(database: Queryable, accountId: string): Promise<string> {
  const [row] = await database.query<{ position: string }>(newest, [accountId]);
  return row?.position ?? '0';
}

/** The cursor of the feed after the event at a position. */
export function cursorAt(position: string): string {
  return encodeCursor([position]);
}

/** The cursor of a reader who has read everything up to a position: never behind where it stood. */
export function cursorFrom(cursor: string, position: string): string {
  const [stood = '0'] = decodeCursor(cursor, feedOrder);
  return BigInt(stood) < BigInt(position) ? cursorAt(position) : cursor;
}

/** The newest positions of those accounts that have later events than their position. One statement. */
export async function findFeedNews(database: Queryable, read: readonly FeedPosition[]): Promise<FeedPosition[]> {
  return database.query<FeedPosition>(news, [
    read.map(({ accountId }) => accountId),
    read.map(({ position }) => position),
  ]);
}

/** Whether a reader can go on from this cursor: not from one ahead of the feed, whose data was restored to an earlier state. */
export async function isFeedCursor(database: Queryable, accountId: string, cursor: string): Promise<boolean> {
  const [position = ''] = partsOf(cursor, feedOrder);
  return POSITION.test(position) && BigInt(position) <= BigInt(await readPosition(database, accountId));
}

/** A cursor of version 0.2.0: the id of a transaction, and that of an event or its prefix alone. */
const orderOfBefore = [{}, { prefix: 'evt_' }];
const TRANSACTION = /^\d{1,20}$/;
const EVENT_ID = /^\w{0,64}$/;

// The position before the first of the events of before that come after the cursor, which may name a place between two
// events or an event that is no longer stored; after all of them, that of the last. Without any, all have expired, and
// the reader goes on with the first that is left.
const translate = statement(
  'translate_feed_cursor',
  `SELECT named::text AS named, coalesce(named,
     (SELECT position - 1 FROM event WHERE account_id = $1 AND (feed_xid, id) > ($2::xid8, $3) ORDER BY feed_xid, id LIMIT 1),
     (SELECT position FROM event WHERE account_id = $1 AND feed_xid IS NOT NULL ORDER BY feed_xid DESC, id DESC LIMIT 1),
     (SELECT position - 1 FROM event WHERE account_id = $1 ORDER BY position LIMIT 1),
     ${currentPosition('$1')})::text AS position
   FROM (SELECT (SELECT position FROM event WHERE id = $3 AND account_id = $1) AS named) found`,
);

/** Translates cursors of version 0.2.0 and returns others as they are. `reads`: the events that its reader goes on with. */
export async function currentCursor(
  database: Queryable,
  accountId: string,
  cursor: string,
  reads: 'later' | 'earlier' = 'later',
): Promise<string> {
  const [xid = '', id = ''] = partsOf(cursor, orderOfBefore);
  if (!TRANSACTION.test(xid) || !EVENT_ID.test(id)) return cursor;
  try {
    const [row] = await database.query<{ named: string | null; position: string }>(translate, [accountId, xid, id]);
    if (row === undefined) return cursor;
    // A place between two events is after the first and before the second.
    const isBetween = reads === 'earlier' && row.named === null;
    return cursorAt(isBetween ? String(BigInt(row.position) + 1n) : row.position);
  } catch (error) {
    // More than a transaction id can be.
    if (databaseErrorCode(error)?.startsWith('22')) return cursor;
    throw error;
  }
}

function partsOf(cursor: string, order: readonly { prefix?: string }[]): string[] {
  try {
    return decodeCursor(cursor, order);
  } catch {
    return [];
  }
}
