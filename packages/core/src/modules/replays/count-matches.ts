import { maxCountedMatches } from '@finhook/contracts';
import { type Queryable, statement } from '../../kernel/queryable.ts';
import { type EventMatch, inRange, matchValues, wanted } from './match-events.ts';

const count = statement(
  'count_replay_matches',
  `SELECT count(*)::int AS count FROM (
     SELECT FROM event ev JOIN webhook_endpoint e ON e.id = $2
     WHERE ${inRange} AND ${wanted} LIMIT ${maxCountedMatches}
   ) m`,
);

/** How many events match now, counted up to `maxCountedMatches`. */
export async function countMatches(db: Queryable, match: EventMatch): Promise<number> {
  const [row] = await db.query<{ count: number }>(count, matchValues(match));
  return row?.count ?? 0;
}
