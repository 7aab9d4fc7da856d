// Risk: two workers send one attempt, a dead worker's deliveries are lost, or a late record overwrites a newer one.
import { beforeEach, expect, test } from 'vitest';
import {
  attemptOf,
  claimAll,
  claimEach,
  claimOne,
  claimThrough,
  emitMany,
  findDueIds,
  newEndpoint,
  passTime,
  readDue,
} from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { useRawClient, waitForBlocked } from '../../../test/raw-client.ts';
import type { Context } from '../../verbs/context.ts';
import { ingestTransactions } from '../bank/transactions/ingest.ts';
import { getEvent } from '../events/read.ts';
import { updateEndpoint } from '../webhooks/update.ts';
import { claimDeliveries, extendLeases } from './claim-deliveries.ts';
import { releaseClaims } from './claim-gated.ts';
import { loadBody } from './load-targets.ts';
import { getDelivery } from './read.ts';
import { readNextDueInMs } from './read-gates.ts';
import { recordAttempts } from './record-attempts.ts';

const fixture = useFixture();
const raw = useRawClient(fixture);
const { core } = fixture;
let context: Context;
let companyId: string;
let endpoint: string;
beforeEach(async () => {
  ({ context, companyId } = await fixture.otherAccount());
  endpoint = await newEndpoint(context);
});

test('concurrent claimers never hold the same row, and together hold every row', async () => {
  await emitMany(context, 60);
  const claims = (await Promise.all(Array.from({ length: 12 }, () => claimAll(core, endpoint, 7)))).flat();
  const ids = claims.map(({ deliveryId }) => deliveryId);
  expect(new Set(ids).size).toBe(ids.length);
  const rest = await claimAll(core, endpoint);
  expect(ids.length + rest.length).toBe(60);
  expect(await claimAll(core, endpoint)).toEqual([]);
});

test('a claim skips rows that another claim has locked', async () => {
  await emitMany(context, 3);
  await raw.query('BEGIN');
  const { rows } = await raw.query<{ delivery_id: string }>(
    'SELECT delivery_id FROM due WHERE endpoint_id = $1 ORDER BY due_at LIMIT 1 FOR UPDATE',
    [endpoint],
  );
  const claims = await claimAll(core, endpoint);
  expect(claims).toHaveLength(2);
  expect(claims.map(({ deliveryId }) => deliveryId)).not.toContain(rows[0]?.delivery_id);
  await raw.query('ROLLBACK');
  expect(await claimAll(core, endpoint)).toHaveLength(1);
});

test('a claim carries the stored bytes, oldest first, and counts the attempt', async () => {
  await emitMany(context, 3);
  const claims = await claimAll(core, endpoint);
  expect(claims.map(({ deliveryId }) => deliveryId)).toEqual(claims.map(({ deliveryId }) => deliveryId).toSorted());
  for (const claim of claims) {
    expect(claim).toMatchObject({
      endpointId: endpoint,
      eventType: 'api_key.created',
      attempt: 1,
      step: 0,
      trigger: 'automatic',
      scheduled: true,
    });
    expect(claim.body.toString()).toBe(JSON.stringify(await getEvent(context, { event_id: claim.eventId })));
  }
});

test('the delivery that was due first is claimed first', async () => {
  await emitMany(context, 3);
  const emitted = await claimAll(core, endpoint);
  await releaseClaims(core, emitted);
  for (const [i, { deliveryId }] of emitted.entries()) await passTime(core, deliveryId, i * 60_000);
  const claimed: string[] = [];
  for (const _ of emitted) claimed.push(...(await claimAll(core, endpoint, 1)).map(({ deliveryId }) => deliveryId));
  expect(claimed).toEqual(emitted.map(({ deliveryId }) => deliveryId).toReversed());
});

test('a claim of large bodies has only their lengths, and each body is loaded when it is sent', async () => {
  const ordered = await newEndpoint(context, { ordered: true });
  const posted = { posted_at: '2026-01-05T10:00:00Z', amount_cents: 1, description: 'é'.repeat(2_000) };
  const transactions = Array.from({ length: 40 }, (_, i) => ({ external_id: `row-${i}`, ...posted }));
  const { event_id } = await ingestTransactions(context, { company_id: companyId, transactions });
  const stored = Buffer.from(JSON.stringify(await getEvent(context, { event_id })));
  expect(stored.byteLength).toBeGreaterThan(160_000);

  const claims = await claimEach(core, [endpoint], 10);
  const claimOrdered = async () => (await claimThrough(core, ordered, 10)).claims;
  await expect.poll(claimOrdered, { timeout: 20_000 }).toMatchObject([{ body: null, bodyBytes: stored.byteLength }]);
  expect(claims).toMatchObject([{ eventId: event_id, body: null, bodyBytes: stored.byteLength }]);
  const { accountId } = context;
  expect(await loadBody(core, { eventId: event_id, accountId })).toEqual(stored);
  const other = (await fixture.otherAccount()).context.accountId;
  await expect(loadBody(core, { eventId: event_id, accountId: other })).rejects.toThrow('not stored');
});

test('one claim serves several endpoints, each up to its limit', async () => {
  const second = await newEndpoint(context);
  await emitMany(context, 4);
  const { accountId } = context;
  const found = await claimDeliveries(
    core,
    [
      { accountId, endpointId: endpoint, limit: 3 },
      { accountId, endpointId: second, limit: 1 },
      { accountId, endpointId: 'we_none', limit: 9 },
    ],
    60_000,
  );
  const endpoints = found.map(({ claims }) => claims.map(({ endpointId }) => endpointId));
  expect(endpoints).toEqual([[endpoint, endpoint, endpoint], [second], []]);
  expect(found.map(({ version }) => version !== undefined)).toEqual([true, true, false]);
});

test('a delivery whose lease has ended is claimable again, as the next attempt', async () => {
  await emitMany(context, 1);
  const dead = await claimOne(core, endpoint);
  await passTime(core, dead.deliveryId, 59_000);
  expect(await claimAll(core, endpoint)).toEqual([]);
  await passTime(core, dead.deliveryId, 1_000);
  const next = await claimOne(core, endpoint);
  expect([next.deliveryId, next.attempt, next.step]).toEqual([dead.deliveryId, 2, 0]);
  expect(next.leaseToken).not.toBe(dead.leaseToken);
});

test.each(['succeeded', 'failed', 'retry', 'restore'] as const)(
  'a record (%s) with a stale lease logs its attempt and changes nothing else',
  async (kind) => {
    await emitMany(context, 1);
    const stale = await claimOne(core, endpoint);
    await passTime(core, stale.deliveryId, 60_000);
    const current = await claimOne(core, endpoint);
    const before = await readDue(core, stale.deliveryId);
    const disposition = kind === 'retry' ? { kind, delayMs: 5_000 } : { kind };
    expect(await recordAttempts(core, [attemptOf(stale, disposition)])).toEqual(new Set());
    expect(await readDue(core, stale.deliveryId)).toEqual(before);
    const delivery = await getDelivery(context, { delivery_id: stale.deliveryId });
    expect(delivery).toMatchObject({ status: 'pending', attempt_count: 0, attempts: [{ n: 1 }] });
    expect(await recordAttempts(core, [attemptOf(current, { kind: 'succeeded' })])).toEqual(
      new Set([stale.deliveryId]),
    );
    const done = await getDelivery(context, { delivery_id: stale.deliveryId });
    expect(done).toMatchObject({
      status: 'succeeded',
      attempt_count: 2,
      last_status_code: 200,
      attempts: [{ n: 1 }, { n: 2 }],
    });
  },
);

test.each(['succeeded', 'retry'] as const)(
  'a record (%s) that meets the row in the hands of its next holder logs its attempt and changes nothing else',
  async (kind) => {
    await emitMany(context, 1);
    const claim = await claimOne(core, endpoint);
    await raw.query('BEGIN');
    await raw.query("UPDATE due SET lease_token = 'req_next' WHERE delivery_id = $1", [claim.deliveryId]);
    const before = await readDue(core, claim.deliveryId);
    const disposition = kind === 'retry' ? { kind, delayMs: 5_000 } : { kind };
    const recording = recordAttempts(core, [attemptOf(claim, disposition)]);
    await waitForBlocked(raw);
    await raw.query('COMMIT');
    expect(await recording).toEqual(new Set());
    expect(await readDue(core, claim.deliveryId)).toEqual({ ...before, lease_token: 'req_next' });
    const delivery = await getDelivery(context, { delivery_id: claim.deliveryId });
    expect(delivery).toMatchObject({ status: 'pending', attempt_count: 0, attempts: [{ n: 1 }] });
  },
);

test('the same record twice logs one attempt', async () => {
  await emitMany(context, 1);
  const record = attemptOf(await claimOne(core, endpoint), { kind: 'succeeded' });
  expect((await recordAttempts(core, [record])).size).toBe(1);
  expect((await recordAttempts(core, [record])).size).toBe(0);
  expect((await getDelivery(context, { delivery_id: record.claim.deliveryId })).attempts).toHaveLength(1);
});

test('a delay too long to be stored is clamped, and the rest of its batch is recorded', async () => {
  await emitMany(context, 2);
  const [a, b] = await claimAll(core, endpoint);
  if (!a || !b) throw new Error('Two deliveries should have been due.');
  const records = [attemptOf(a, { kind: 'retry', delayMs: 2 ** 31 }), attemptOf(b, { kind: 'succeeded' })];
  expect(await recordAttempts(core, records)).toEqual(new Set([a.deliveryId, b.deliveryId]));
  expect(await getDelivery(context, { delivery_id: b.deliveryId })).toMatchObject({ status: 'succeeded' });
  const { next_attempt_at: next } = await getDelivery(context, { delivery_id: a.deliveryId });
  expect(Date.parse(next ?? '') - Date.now()).toBeGreaterThan(24 * 86_400_000);
});

test('a batch of records ends, retries and fails each delivery by its disposition', async () => {
  await emitMany(context, 3);
  const [a, b, c] = await claimAll(core, endpoint);
  if (!a || !b || !c) throw new Error('Three deliveries should have been due.');
  const at = new Date('2026-03-01T00:00:00.123Z');
  const held = await recordAttempts(core, [
    attemptOf(a, { kind: 'succeeded' }, at),
    attemptOf(b, { kind: 'retry', delayMs: 300_000 }, at),
    attemptOf(c, { kind: 'failed' }, at),
  ]);
  expect(held).toEqual(new Set([a.deliveryId, b.deliveryId, c.deliveryId]));
  const [done, waiting, failed] = await Promise.all(
    [a, b, c].map(({ deliveryId }) => getDelivery(context, { delivery_id: deliveryId })),
  );
  expect(done).toMatchObject({ status: 'succeeded', next_attempt_at: null, last_status_code: 200, last_error: null });
  expect(done?.attempts).toMatchObject([
    {
      n: 1,
      at: at.toISOString(),
      trigger: 'automatic',
      status_code: 200,
      error: null,
      error_message: null,
      duration_ms: 12,
      response_snippet: 'ok',
    },
  ]);
  expect(failed).toMatchObject({
    status: 'failed',
    next_attempt_at: null,
    last_status_code: 500,
    last_error: 'http_500',
  });
  expect(waiting).toMatchObject({ status: 'retrying', attempt_count: 1 });
  expect(Date.parse(waiting?.next_attempt_at ?? '') - Date.parse(waiting?.updated_at ?? '')).toBe(300_000);
  expect([await readDue(core, a.deliveryId), await readDue(core, c.deliveryId)]).toEqual([undefined, undefined]);
  expect(await readDue(core, b.deliveryId)).toMatchObject({ step: 1, attempt_count: 1, lease_token: null });
  expect(await claimAll(core, endpoint)).toEqual([]);
  await passTime(core, b.deliveryId, 300_000);
  expect(await claimOne(core, endpoint)).toMatchObject({
    deliveryId: b.deliveryId,
    attempt: 2,
    step: 1,
    trigger: 'automatic',
  });
});

test('a released claim leaves no trace', async () => {
  await emitMany(context, 2);
  const claims = await claimAll(core, endpoint);
  await releaseClaims(core, claims.slice(0, 1));
  expect(await claimOne(core, endpoint)).toMatchObject({ deliveryId: claims[0]?.deliveryId, attempt: 1 });
  await releaseClaims(core, claims.slice(0, 1));
  expect(await claimAll(core, endpoint)).toEqual([]);
  await releaseClaims(core, []);
});

test.each([
  ['a release', releaseClaims],
  ['an extension', (...[, claims]: Parameters<typeof releaseClaims>) => extendLeases(core, claims, 60_000)],
] as const)('%s of leases that lost a deadlock is repeated', async (_what, run) => {
  await emitMany(context, 2);
  const claims = await claimAll(core, endpoint);
  const [first = '', last = ''] = claims.map(({ deliveryId }) => deliveryId);
  const hold = (id: string) => raw.query('SELECT FROM due WHERE delivery_id = $1 FOR UPDATE', [id]);
  await raw.query("BEGIN; SET LOCAL deadlock_timeout = '1min'");
  await hold(last);
  const running = run(core, claims);
  await waitForBlocked(raw);
  await hold(first);
  await raw.query('COMMIT');
  await expect(running).resolves.not.toThrow();
});

test.each(['paused', 'disabled'])('an endpoint that is %s yields no claims', async (status) => {
  await emitMany(context, 1);
  await core.database.query('UPDATE webhook_endpoint SET status = $2 WHERE id = $1', [endpoint, status]);
  expect(await claimAll(core, endpoint)).toEqual([]);
  await core.database.query("UPDATE webhook_endpoint SET status = 'active' WHERE id = $1", [endpoint]);
  expect(await claimAll(core, endpoint)).toHaveLength(1);
});

test('findDueEndpoints finds exactly the endpoints whose wake-up was lost', async () => {
  await core.database.query('DELETE FROM due');
  const states = ['leased', 'later', 'paused', 'deleted', 'empty', 'expired', 'forgotten'] as const;
  const ids = new Map<string, string>();
  for (const state of states) ids.set(state, await newEndpoint(context));
  const of = (state: string) => ids.get(state) ?? '';
  await emitMany(context, 1);
  await core.database.query("UPDATE due SET due_at = due_at - interval '10 seconds'");
  await core.database.query("UPDATE due SET due_at = now() + interval '1 hour' WHERE endpoint_id = $1", [of('later')]);
  const leased = await claimOne(core, of('leased'));
  const expired = await claimOne(core, of('expired'));
  await passTime(core, expired.deliveryId, 60_001);
  await updateEndpoint(context, { endpoint_id: of('paused'), status: 'paused' });
  await core.database.query('UPDATE webhook_endpoint SET deleted_at = now() WHERE id = $1', [of('deleted')]);
  await core.database.query('DELETE FROM due WHERE endpoint_id = ANY ($1)', [[of('empty'), endpoint]]);
  expect((await findDueIds(core, 1_000)).toSorted()).toEqual([of('expired'), of('forgotten')].toSorted());
  expect(await findDueIds(core, 3_600_000)).toEqual([]);
  await emitMany(context, 1);
  expect(await findDueIds(core, 1_000)).not.toContain(endpoint);
  expect(await findDueIds(core, 0)).toContain(endpoint);
  expect(leased.attempt).toBe(1);
});

test('findDueEndpoints with `alone` returns nothing while another process searches', async () => {
  await emitMany(context, 1);
  await raw.query("SELECT pg_advisory_lock(hashtextextended('find_due_endpoints', 0))");
  expect(await findDueIds(core, 0, { alone: true })).toEqual([]);
  expect(await findDueIds(core, 0)).toContain(endpoint);
  await raw.query('SELECT pg_advisory_unlock_all()');
  expect(await findDueIds(core, 0, { alone: true })).toContain(endpoint);
});

const nextDueInMs = (...ids: string[]) =>
  readNextDueInMs(
    core,
    ids.map((id) => ({ id, accountId: context.accountId, gated: false })),
    60_000,
  );

test('the next due time of an endpoint ignores leased deliveries and other endpoints', async () => {
  expect(await nextDueInMs(endpoint)).toEqual([null]);
  await emitMany(context, 2);
  expect(await nextDueInMs(endpoint, 'we_none')).toEqual([0, null]);
  const [a, b] = await claimAll(core, endpoint);
  if (!a || !b) throw new Error('Two deliveries should have been due.');
  expect(await nextDueInMs(endpoint)).toEqual([null]);
  await recordAttempts(core, [attemptOf(a, { kind: 'retry', delayMs: 60_000 })]);
  const [inMs] = await nextDueInMs(endpoint);
  expect(inMs).toBeGreaterThan(30_000);
  expect(inMs).toBeLessThanOrEqual(60_000);
});

test('the next due time of an endpoint without a gate takes one statement', async () => {
  const { database } = core;
  const read: string[] = [];
  const counting = {
    ...core,
    database: {
      ...database,
      query: <Row>(sql: string, values?: readonly unknown[]) => {
        read.push(sql);
        return database.query<Row>(sql, values);
      },
    },
  };
  await readNextDueInMs(counting, [{ id: endpoint, accountId: context.accountId, gated: false }], 60_000);
  expect(read).toHaveLength(1);
});

test('a lease is extended for its holder only', async () => {
  await emitMany(context, 3);
  const [mine, lost, ended] = await claimAll(core, endpoint);
  if (!mine || !lost || !ended) throw new Error('Three deliveries should have been due.');
  await core.database.query("UPDATE due SET lease_token = 'req_next' WHERE delivery_id = $1", [lost.deliveryId]);
  await recordAttempts(core, [attemptOf(ended, { kind: 'succeeded' })]);
  await passTime(core, mine.deliveryId, 70_000);
  const kept = await extendLeases(core, [mine, lost, ended], 60_000);
  expect([...kept]).toEqual([[mine.deliveryId, mine.endpointVersion]]);
  expect(await claimAll(core, endpoint)).toEqual([]);
});
