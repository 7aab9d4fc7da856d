import { takePositions } from '../src/outbox/sequence-sql.ts';

/** Stores an event without deliveries: its id, account, type, time and body. */
export const insertEvent = `
  WITH ${takePositions('SELECT $2::text, 1, 0')}
  INSERT INTO event (id, account_id, type, created_at, body, position)
  SELECT $1, $2, $3, $4::timestamptz, $5, sq.position FROM sq`;
