import { databaseErrorCode } from '../../db/database-error.ts';
import { type Queryable, statement, systemStatement } from '../../db/queryable.ts';
import { decodeCursor, encodeCursor, type SortColumn } from '../../lists/keyset.ts';
import { currentPosition } from '../../outbox/sequence-sql.ts';

export interface FeedPosition {
  accountId: string;
  position: string;
}

/** Events of an account have positions without gaps, in the order of their commits. */
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

export async function readPosition(database: Queryable, accountId: string): Promise<string> {
  const [row] = await database.query<{ position: string }>(newest, [accountId]);
  return row?.position ?? '0';
}

export function cursorAt(position: string): string {
  return encodeCursor([position]);
}

/** Moves a cursor forward to a position, never backward. */
export function cursorFrom(cursor: string, position: string): string {
  const [stood = '0'] = decodeCursor(cursor, feedOrder);
  return BigInt(stood) < BigInt(position) ? cursorAt(position) : cursor;
}

export async function findFeedNews(database: Queryable, read: readonly FeedPosition[]): Promise<FeedPosition[]> {
  return database.query<FeedPosition>(news, [
    read.map(({ accountId }) => accountId),
    read.map(({ position }) => position),
  ]);
}

/** False for a cursor ahead of the feed, which was restored to an earlier state. */
export async function isFeedCursor(database: Queryable, accountId: string, cursor: string): Promise<boolean> {
  const [position = ''] = partsOf(cursor, feedOrder);
  return POSITION.test(position) && BigInt(position) <= BigInt(await readPosition(database, accountId));
}

/** A cursor of version 0.2.0: the id of a transaction, and the id of an event or its prefix. */
const previousOrder = [{}, { pattern: /^evt_/ }];
const TRANSACTION = /^\d{1,20}$/;
const EVENT_ID = /^\w{0,64}$/;

// The position of the named event, else before the next one of 0.2.0, else of the last one, else before the first event.
const translate = statement(
  'translate_feed_cursor',
  `SELECT named::text AS named, coalesce(named,
     (SELECT position - 1 FROM event WHERE account_id = $1 AND (feed_xid, id) > ($2::xid8, $3) ORDER BY feed_xid, id LIMIT 1),
     (SELECT position FROM event WHERE account_id = $1 AND feed_xid IS NOT NULL ORDER BY feed_xid DESC, id DESC LIMIT 1),
     (SELECT position - 1 FROM event WHERE account_id = $1 ORDER BY position LIMIT 1),
     ${currentPosition('$1')})::text AS position
   FROM (SELECT (SELECT position FROM event WHERE id = $3 AND account_id = $1) AS named) found`,
);

/** Translates cursors of version 0.2.0; returns others unchanged. `reads` is the direction of the reader. */
export async function currentCursor(
  database: Queryable,
  accountId: string,
  cursor: string,
  reads: 'later' | 'earlier' = 'later',
): Promise<string> {
  const [xid = '', id = ''] = partsOf(cursor, previousOrder);
  if (!TRANSACTION.test(xid) || !EVENT_ID.test(id)) return cursor;
  try {
    const [row] = await database.query<{ named: string | null; position: string }>(translate, [accountId, xid, id]);
    if (row === undefined) return cursor;
    // A cursor between two events is after the first and before the second.
    const isBetween = reads === 'earlier' && row.named === null;
    return cursorAt(isBetween ? String(BigInt(row.position) + 1n) : row.position);
  } catch (error) {
    // The number exceeds the range of transaction ids.
    if (databaseErrorCode(error)?.startsWith('22')) return cursor;
    throw error;
  }
}

function partsOf(cursor: string, order: readonly { pattern?: RegExp }[]): string[] {
  try {
    return decodeCursor(cursor, order);
  } catch {
    return [];
  }
}
