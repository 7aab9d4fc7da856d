// Risk: an unhealthy endpoint is not shown to the operator, a number is wrong, or reading it scans a table.
import { beforeAll, expect, inject, test } from 'vitest';
import { attemptOf, claimAll, emitMany } from '../../../test/attempt-of.ts';
import { openFixture, useFixture } from '../../../test/core-fixture.ts';
import { createApiKey } from '../accounts/api-keys/create.ts';
import { readEndpointFacts } from '../operators/read-endpoint-facts.ts';
import { listProcesses } from '../processes/service-processes.ts';
import { createEndpoint } from '../webhooks/create.ts';
import { countRecentOutcomes, readDueWork } from './count-deliveries.ts';
import { readBacklog } from './read-backlog.ts';
import { readUnhealthyEndpoints } from './read-unhealthy-endpoints.ts';
import { recordAttempts } from './record-attempts.ts';

const fixture = useFixture();
const ids: Record<string, string> = {};
const MINUTES = 5 * 60 * 1000;

const set = (name: string, columns: string) =>
  fixture.core.database.query(`UPDATE webhook_endpoint SET ${columns} WHERE id = $1`, [ids[name]]);

beforeAll(async () => {
  for (const name of ['well', 'failing', 'breaker', 'resting', 'paused', 'disabled', 'late', 'ordered']) {
    const url = `http://127.0.0.1:9/${name}?token=hunter2`;
    ids[name] = (await createEndpoint(fixture.context, { url, ordered: name === 'ordered' })).id;
  }
  await emitMany(fixture.context, 4);
});

const findUnhealthy = (top: number) => readUnhealthyEndpoints(fixture.core, { top, waitingLimit: 1_000 });

test('due and held deliveries are counted, and no further than asked', async () => {
  const { core } = fixture;
  expect(await readDueWork(core, 100)).toMatchObject({ due: 32, held: 0 });
  expect(await readDueWork(core, 10)).toMatchObject({ limit: 10, due: 10, held: 0 });
  await set('paused', "status = 'paused'");
  expect(await readDueWork(core, 100)).toMatchObject({ due: 28, held: 4 });
});

test('outcomes are counted by the time of the attempt, however long ago the delivery was created', async () => {
  const { core } = fixture;
  const claims = await claimAll(core, ids['well'] ?? '');
  const later = new Date(Date.now() + 60 * 60 * 1000);
  const recent = (limit = 100) => countRecentOutcomes({ ...core, clock: { now: () => later } }, MINUTES, limit);
  const ends = [{ kind: 'succeeded' }, { kind: 'failed' }, { kind: 'retry', delayMs: 60_000 }] as const;
  await recordAttempts(
    core,
    ends.flatMap((end, index) => (claims[index] ? [attemptOf(claims[index], end, later)] : [])),
  );
  expect(await recent()).toMatchObject({ succeeded: 1, failed: 1, retried: 1, truncated: false });
  expect(await recent(2)).toMatchObject({ truncated: true, since: later });
  const [, , , early] = claims;
  if (early === undefined) throw new Error('Four deliveries are due.');
  await recordAttempts(core, [attemptOf(early, { kind: 'failed' }, new Date(later.getTime() - MINUTES - 1))]);
  expect(await recent()).toMatchObject({ failed: 1 });
  // A lost lease: the worker that holds it now records the outcome.
  await recordAttempts(core, [attemptOf({ ...early, attempt: 2 }, { kind: 'failed' }, later)]);
  expect(await recent()).toMatchObject({ failed: 1 });
});

test('every kind of trouble is named, with its endpoint, its account, and of the URL the host alone', async () => {
  const { core, context } = fixture;
  await set('failing', 'consecutive_failures = 5, first_failed_at = now()');
  await set('breaker', "breaker = 'open', breaker_since = now()");
  await set('resting', "hold_until = now() + interval '1 minute'");
  await set('disabled', "status = 'disabled', disabled_reason = 'gone'");
  await set('well', 'consecutive_failures = 4, first_failed_at = now()');
  await core.database.query("UPDATE due SET due_at = now() - interval '2 minutes' WHERE endpoint_id = $1", [
    ids['late'],
  ]);
  await core.database.query(
    `WITH head AS (
       UPDATE due SET attempt_count = 1, due_at = now() + interval '1 minute'
       WHERE delivery_id = (SELECT min(delivery_id) FROM due WHERE endpoint_id = $1) RETURNING *
     )
     INSERT INTO endpoint_flow (endpoint_id, account_id, head_id) SELECT endpoint_id, account_id, delivery_id FROM head`,
    [ids['ordered']],
  );

  const trouble = await findUnhealthy(50);
  const found = new Map(trouble.map((one) => [one.endpointId, one]));
  const reasons = ([name, id]: [string, string]) => [name, found.get(id)?.reasons.map(({ reason }) => reason) ?? []];
  expect(Object.fromEntries(Object.entries(ids).map(reasons))).toEqual({
    well: [],
    failing: ['failing'],
    breaker: ['breaker_open'],
    resting: ['resting'],
    paused: ['paused'],
    disabled: ['disabled'],
    late: ['backlog'],
    ordered: ['blocked'],
  });
  expect(found.get(ids['late'] ?? '')).toMatchObject({
    accountId: context.accountId,
    host: '127.0.0.1:9',
    status: 'active',
    waiting: 4,
  });
  expect(found.get(ids['late'] ?? '')?.oldestDueAgeSeconds).toBeGreaterThan(119);
  expect(JSON.stringify(trouble)).not.toContain('hunter2');
  // Active endpoints first: the latest, and the one with most failures.
  expect(trouble.slice(0, 2).map(({ endpointId }) => endpointId)).toEqual([ids['late'], ids['failing']]);
  expect(trouble.at(-1)?.endpointId).toBe(ids['paused']);
  expect((await findUnhealthy(2)).map(({ endpointId }) => endpointId)).toEqual([ids['late'], ids['failing']]);
  expect((await readDueWork(core, 100)).oldestDueAgeSeconds).toBeGreaterThan(119);
});

test('late endpoints come first, then those with most failures, then those held by Retry-After; accounts that moved are omitted', async () => {
  const own = await openFixture(inject('pgUrl'));
  const { core, context } = own;
  const endpointIds: string[] = [];
  for (let n = 0; n < 8; n++) endpointIds.push((await createEndpoint(context, { url: `http://127.0.0.1:9/${n}` })).id);
  const [failing = '', late = '', ...resting] = endpointIds;
  await createApiKey(context, { name: 'k', scope: 'read' });
  const age = (of: string[], dueAt: string) =>
    core.database.query(`UPDATE due SET due_at = ${dueAt} WHERE endpoint_id = ANY ($1::text[])`, [of]);
  const setAll = (of: string[], columns: string) =>
    core.database.query(`UPDATE webhook_endpoint SET ${columns} WHERE id = ANY ($1::text[])`, [of]);
  await age([failing], "now() + interval '1 hour'");
  await setAll([failing], 'consecutive_failures = 2800');
  await age([late], "now() - interval '1 minute'");
  await age(resting, "now() - interval '1 hour'");
  await setAll(resting, "consecutive_failures = 4, hold_until = now() + interval '1 hour'");
  const found = await readUnhealthyEndpoints(core, { top: 4, waitingLimit: 10 });
  expect(found.map(({ endpointId }) => endpointId)).toEqual([late, failing, ...resting.toSorted().slice(0, 2)]);
  await core.database.query("INSERT INTO account_move (account_id, state, cell) VALUES ($1, 'moved', 'us')", [
    context.accountId,
  ]);
  expect(await readUnhealthyEndpoints(core, { top: 4, waitingLimit: 10 })).toEqual([]);
  expect(await readBacklog(core)).toMatchObject({ scheduled: 0, held: 0 });
  await own.close();
});

test('what the console reads it reads by an index, from the first row on', async () => {
  const { database } = fixture.core;
  const scans = async () => {
    await Promise.all(Array.from({ length: 16 }, () => database.query('SELECT pg_stat_force_next_flush()')));
    return database.query<{ table: string; whole: number }>(
      `SELECT relname AS table, seq_scan::int AS whole FROM pg_stat_user_tables
       WHERE relname IN ('due', 'webhook_endpoint', 'endpoint_flow', 'service_process') OR relname ~ '^(delivery|attempt)_20'
       ORDER BY relname`,
    );
  };
  const before = await scans();
  for (let run = 0; run < 8; run++) {
    await readDueWork(fixture.core, 100);
    await readEndpointFacts(fixture.core, await findUnhealthy(50), 200);
    await countRecentOutcomes(fixture.core, MINUTES, 100);
    await listProcesses(fixture.core);
  }
  expect(await scans()).toEqual(before);
});

test('of an endpoint, what is undelivered is counted: what waits or failed, and not what arrived', async () => {
  const own = await openFixture(inject('pgUrl'));
  const { id } = await createEndpoint(own.context, { url: 'http://127.0.0.1:9/undelivered' });
  await emitMany(own.context, 5);
  await own.core.database.query(
    `UPDATE delivery SET status = CASE WHEN place <= 2 THEN 'failed' WHEN place = 3 THEN 'succeeded' ELSE status END
     FROM (SELECT id AS ranked, row_number() OVER (ORDER BY id) AS place FROM delivery WHERE endpoint_id = $1) r
     WHERE delivery.id = r.ranked`,
    [id],
  );
  const facts = await readEndpointFacts(own.core, [{ endpointId: id, accountId: own.context.accountId }], 200);
  expect(facts.get(id)).toMatchObject({ undelivered: 4, countedNewest: null });
  await own.close();
});
