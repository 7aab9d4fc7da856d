import type { EnvironmentDatabase } from './environment.ts';
import { sampleBody } from './sample-body.ts';
import type { SeededAccount } from './seed-account.ts';

const place = 'evt_00000000000000000000000000';

// The same rows as `emit`. Ids contain the current time, on which partitions and keyset order depend.
const insertDue = `
WITH clock AS (SELECT substr($5, 5, 10) AS t),
n AS (
  SELECT i, endpoint_id, clock.t || substr(md5($3 || ':' || i), 1, 16) AS tail
  FROM clock, unnest($4::text[]) WITH ORDINALITY AS e (endpoint_id, position),
       generate_series(position::int, $2::int, cardinality($4::text[])) AS i
),
sq AS (
  UPDATE account_sequence SET position = position + $2::int WHERE account_id = $1 RETURNING position - $2::int AS before
),
ev AS (
  INSERT INTO event (id, account_id, company_id, type, created_at, position, body)
  SELECT 'evt_' || tail, $1, $6, 'bank.balance.updated', now(), sq.before + i, replace($7, $8, 'evt_' || tail)
  FROM n, sq ORDER BY i
),
dl AS (
  INSERT INTO delivery (id, account_id, company_id, event_id, event_type, endpoint_id, created_at, updated_at)
  SELECT 'dlv_' || tail, $1, $6, 'evt_' || tail, 'bank.balance.updated', endpoint_id, now(), now() FROM n ORDER BY i
)
INSERT INTO due (delivery_id, account_id, event_id, endpoint_id, position, due_at, next_attempt_at)
SELECT 'dlv_' || tail, $1, 'evt_' || tail, endpoint_id, sq.before + i, now(), now() FROM n, sq ORDER BY i`;

/** Stores `count` events with one due delivery each, to the endpoints in turn. */
export async function seedDeliveries(
  database: EnvironmentDatabase,
  account: SeededAccount,
  endpointIds: readonly string[],
  count: number,
): Promise<void> {
  const [companyId = ''] = account.companyIds;
  const [now = ''] = endpointIds;
  await database.query(insertDue, [
    account.accountId,
    count,
    endpointIds.join(','),
    endpointIds,
    // The first ten characters of an id are its time.
    now.replace('we_', 'evt_'),
    companyId,
    sampleBody(place, account.accountId, companyId),
    place,
  ]);
}

/** Updates the statistics and takes a checkpoint before the measurement. */
export async function settle(database: EnvironmentDatabase): Promise<void> {
  await database.query('VACUUM ANALYZE');
  await database.query('CHECKPOINT');
}
