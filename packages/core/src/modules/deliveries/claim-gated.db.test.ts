// Risk: an endpoint gets more requests than its limits allow, in another order, or waits without a reason.
import { beforeEach, expect, test } from 'vitest';
import {
  applyFlows,
  attemptOf,
  claimAll,
  claimThrough,
  emitMany,
  findDueIds,
  newEndpoint,
  openBreaker,
  passTime,
  readDue,
  settle,
} from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { useRawClient, waitForBlocked } from '../../../test/raw-client.ts';
import type { Context } from '../../verbs/context.ts';
import { redeliverEvent } from '../events/redeliver.ts';
import { testEndpoint } from '../events/test-endpoint.ts';
import { getEndpoint, listEndpoints } from '../webhooks/read.ts';
import { updateEndpoint } from '../webhooks/update.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { claimGated, releaseClaims } from './claim-gated.ts';
import { loadTargets } from './load-targets.ts';
import { getDelivery, listDeliveries } from './read.ts';
import { readNextDueInMs } from './read-gates.ts';
import { recordAttempts } from './record-attempts.ts';
import { retryDelivery } from './retry.ts';

const fixture = useFixture();
const raw = useRawClient(fixture);
const { core } = fixture;
let context: Context;
beforeEach(async () => {
  context = (await fixture.otherAccount()).context;
});

const claim = (id: string, limit?: number) => claimThrough(core, id, limit);
const idsOf = (claims: readonly ClaimedDelivery[]) => claims.map(({ deliveryId }) => deliveryId);
/** The deliveries of an endpoint in feed order. */
const inFeedOrder = async (id: string) =>
  (
    await core.database.query<{ id: string }>(
      'SELECT d.id FROM delivery d JOIN event e ON e.id = d.event_id WHERE d.endpoint_id = $1 ORDER BY e.position',
      [id],
    )
  ).map((row) => row.id);
const set = (id: string, columns: string) =>
  core.database.query(`UPDATE webhook_endpoint SET ${columns} WHERE id = $1`, [id]);
const refsOf = (...ids: string[]) => ids.map((id) => ({ id, accountId: context.accountId }));
const load = (...ids: string[]) => loadTargets(core, refsOf(...ids));
const lookAgainIn = async (id: string) =>
  (await readNextDueInMs(core, [{ id, accountId: context.accountId, gated: true }], 60_000))[0];

test('an endpoint with a limit is claimed through its gate only, one without a limit as before', async () => {
  const plain = await newEndpoint(context);
  const bounded = await newEndpoint(context, { max_concurrency: 64 });
  await emitMany(context, 3);
  const targets = new Map((await load(plain, bounded)).map((target) => [target.endpointId, target]));
  expect(targets.get(plain)).toMatchObject({ gated: false, degraded: false });
  expect(targets.get(bounded)).toMatchObject({ gated: true, maxConcurrency: 64 });
  expect([(await claimAll(core, plain)).length, (await claimAll(core, bounded)).length]).toEqual([3, 0]);
  expect((await claim(bounded)).claims).toHaveLength(3);
});

test('clearing its limits with null wakes the endpoint, which is no longer gated', async () => {
  const options = { rate_limit: { requests: 10, per_seconds: 60 }, max_concurrency: 4, ordered: true };
  const id = await newEndpoint(context, options);
  const cleared = { rate_limit: null, max_concurrency: null, ordered: false };
  fixture.woken.length = 0;
  expect(await updateEndpoint(context, { endpoint_id: id, ...cleared })).toMatchObject(cleared);
  expect(fixture.woken).toEqual([id]);
  expect(await load(id)).toMatchObject([{ gated: false, degraded: false }]);
});

test('max_concurrency: concurrent claimers together hold no more, and a delivery that ends or is released frees its slot', async () => {
  const id = await newEndpoint(context, { max_concurrency: 5 });
  await emitMany(context, 12);
  const found = await Promise.all(Array.from({ length: 8 }, () => claim(id, 3)));
  const held = found.flatMap(({ claims }) => claims);
  expect(held).toHaveLength(5);
  expect(new Set(idsOf(held)).size).toBe(5);
  expect(await claim(id)).toEqual({ claims: [], full: true });
  expect(await lookAgainIn(id)).toBeNull();
  await settle(core, held.slice(0, 2));
  await releaseClaims(core, held.slice(2, 3));
  expect((await claim(id)).claims).toHaveLength(3);
  const [expired] = held.slice(3);
  await passTime(core, expired?.deliveryId ?? '', 60_001);
  expect(idsOf((await claim(id)).claims)).toEqual([expired?.deliveryId]);
});

test('rate_limit: concurrent claimers share one token bucket', async () => {
  const perSecond = 10;
  const id = await newEndpoint(context, { rate_limit: { requests: 2 * perSecond, per_seconds: 2 } });
  await emitMany(context, 15);
  expect((await claim(id)).claims).toHaveLength(1);
  expect(await lookAgainIn(id)).toBeLessThanOrEqual(1_000 / perSecond);
  const flow = async (change: string) => {
    const [row] = await core.database.query<{ tokens: number; at: number }>(
      `${change} WHERE endpoint_id = $1 RETURNING tokens, extract(epoch FROM tokens_at)::float8 AS at`,
      [id],
    );
    return row ?? { tokens: Number.NaN, at: Number.NaN };
  };
  const before = await flow("UPDATE endpoint_flow SET tokens = 0, tokens_at = now() - interval '500 ms'");
  const found = await Promise.all(Array.from({ length: 6 }, () => claim(id, 4)));
  const after = await flow('UPDATE endpoint_flow SET tokens = tokens');
  const count = found.flatMap(({ claims }) => claims).length;
  expect(count).toBeGreaterThanOrEqual(5);
  // Claimed or not, all tokens came in by time.
  expect(count + after.tokens).toBeLessThanOrEqual((after.at - before.at) * perSecond + 0.01);
});

test('a released claim returns its token, so only requests that are sent count for the rate', async () => {
  const id = await newEndpoint(context, { rate_limit: { requests: 1, per_seconds: 3_600 } });
  await emitMany(context, 2);
  const { claims } = await claim(id);
  expect(claims).toHaveLength(1);
  await releaseClaims(core, claims);
  const again = (await claim(id)).claims;
  expect(again).toMatchObject([{ attempt: 1 }]);
  // Deliveries that another worker holds, or that were sent, return no tokens.
  await releaseClaims(core, claims);
  expect((await claim(id)).claims).toEqual([]);
  await settle(core, again);
  await releaseClaims(core, again);
  expect((await claim(id)).claims).toEqual([]);
});

test('ordered: one worker claims a batch in the order of the feed, and no other claims before it is recorded', async () => {
  const id = await newEndpoint(context, { ordered: true });
  await emitMany(context, 6);
  const order = await inFeedOrder(id);
  const { claims } = await claim(id, 4);
  expect(idsOf(claims)).toEqual(order.slice(0, 4));
  expect(await claim(id)).toEqual({ claims: [], full: true });
  await settle(core, claims.slice(0, 1));
  expect((await claim(id)).claims).toEqual([]);
  await releaseClaims(core, claims.slice(1));
  expect(idsOf((await claim(id)).claims)).toEqual(order.slice(1));
});

test('ordered: positions decide, not the clocks that made the ids, and an open transaction delays no delivery', async () => {
  const id = await newEndpoint(context, { ordered: true });
  const other = await fixture.otherAccount();
  await raw.query('BEGIN');
  await raw.query('SELECT FROM account_sequence WHERE account_id = $1 FOR UPDATE', [other.context.accountId]);
  await raw.query('SELECT pg_current_xact_id()');
  await emitMany(context, 3);
  const [first = '', second = '', third = ''] = await inFeedOrder(id);
  await core.database.query(
    `UPDATE due SET position = CASE delivery_id WHEN $1 THEN position + 2 ELSE position - 2 END
     WHERE delivery_id IN ($1, $2)`,
    [first, third],
  );
  expect(await lookAgainIn(id)).toBe(0);
  expect(idsOf((await claim(id)).claims)).toEqual([third, second, first]);
  await raw.query('COMMIT');
});

test('ordered: redeliveries follow earlier events, in the order of their requests', async () => {
  const id = await newEndpoint(context, { ordered: true });
  await emitMany(context, 3);
  const events = await core.database.query<{ id: string }>(
    "SELECT id FROM event WHERE account_id = $1 AND type = 'api_key.created' ORDER BY position DESC LIMIT 3",
    [context.accountId],
  );
  const emitted = await inFeedOrder(id);
  const again: string[] = [];
  for (const { id: event_id } of events) {
    const { data } = await redeliverEvent(context, { event_id, endpoint_id: id });
    again.push(...data.map((delivery) => delivery.id));
  }
  await emitMany(context, 1);
  const last = (await inFeedOrder(id)).at(-1);
  expect(idsOf((await claim(id)).claims)).toEqual([...emitted, ...again, last]);
});

test('ordered: a failed head blocks until its next attempt, is reported, and stops blocking when it fails permanently', async () => {
  const id = await newEndpoint(context, { ordered: true });
  await emitMany(context, 3);
  const order = await inFeedOrder(id);
  const { claims } = await claim(id);
  await settle(core, claims.slice(0, 1), { kind: 'retry', delayMs: 300_000 });
  await releaseClaims(core, claims.slice(1));
  expect((await claim(id)).claims).toEqual([]);
  expect(await findDueIds(core, 0)).not.toContain(id);
  expect(await lookAgainIn(id)).toBeGreaterThan(299_000);
  const blocked = { delivery_id: order[0], attempts: 1, since: expect.stringMatching(/Z$/) };
  expect((await getEndpoint(context, { endpoint_id: id })).blocked_by).toEqual(blocked);
  expect((await listEndpoints(context, { limit: 5, order: 'desc' })).data[0]?.blocked_by).toEqual(blocked);
  await passTime(core, order[0] ?? '', 300_000);
  expect(await findDueIds(core, 0)).toContain(id);
  const again = (await claim(id)).claims;
  expect(idsOf(again)).toEqual(order);
  await settle(core, again.slice(0, 1), { kind: 'failed' });
  await releaseClaims(core, again.slice(1));
  expect(idsOf((await claim(id)).claims)).toEqual(order.slice(1));
  expect((await getEndpoint(context, { endpoint_id: id })).blocked_by).toBeNull();
});

test.each([
  ['leases it for an immediate retry', "lease_until = now() + interval '1 minute'"],
  [
    'puts it off',
    "lease_until = NULL, due_at = now() + interval '5 minutes', next_attempt_at = now() + interval '5 minutes'",
  ],
])('ordered: nothing passes a head whose late record %s at the moment of a claim', async (_case, change) => {
  const id = await newEndpoint(context, { ordered: true });
  await emitMany(context, 3);
  const [head = '', ...others] = await inFeedOrder(id);
  const { claims } = await claim(id, 1);
  expect(idsOf(claims)).toEqual([head]);
  await passTime(core, head, 60_001);
  await raw.query('BEGIN');
  await raw.query(`UPDATE due SET ${change} WHERE delivery_id = $1`, [head]);
  expect((await claim(id)).claims).toEqual([]);
  await raw.query('COMMIT');
  expect((await claim(id)).claims).toEqual([]);
  await passTime(core, head, 300_000);
  expect(idsOf((await claim(id)).claims)).toEqual([head, ...others]);
});

test('ordered: nothing passes a head that a late record reschedules between the read of the queue and its lock', async () => {
  const id = await newEndpoint(context, { ordered: true });
  await emitMany(context, 3);
  const [head] = await inFeedOrder(id);
  // The lock below stops whoever reads the queue, with the snapshot that it has.
  await raw.query('SELECT pg_advisory_lock(1)');
  await raw.query(
    'CREATE POLICY stop ON due AS RESTRICTIVE FOR SELECT USING (pg_advisory_xact_lock_shared(1) IS NOT NULL)',
  );
  const claiming = claim(id);
  await waitForBlocked(raw);
  const later = "now() + interval '5 minutes'";
  await raw.query(`UPDATE due SET due_at = ${later}, next_attempt_at = ${later} WHERE delivery_id = $1`, [head]);
  await raw.query('SELECT pg_advisory_unlock(1)');
  expect((await claiming).claims).toEqual([]);
  await raw.query('DROP POLICY stop ON due');
});

test('ordered: a manual retry of the head is sent at once, others wait; a retry of a delivery that had ended does not wait', async () => {
  const id = await newEndpoint(context, { ordered: true });
  await emitMany(context, 4);
  const [gone = '', head = '', next = ''] = await inFeedOrder(id);
  const first = (await claim(id)).claims;
  await settle(core, first.slice(0, 1), { kind: 'failed' });
  await settle(core, first.slice(1, 2), { kind: 'retry', delayMs: 300_000 });
  await releaseClaims(core, first.slice(2));
  await retryDelivery(context, { delivery_id: next });
  expect((await claim(id)).claims).toEqual([]);
  await retryDelivery(context, { delivery_id: gone });
  const outside = (await claim(id)).claims;
  expect(outside.map(({ deliveryId, trigger }) => [deliveryId, trigger])).toEqual([[gone, 'manual']]);
  await settle(core, outside);
  const before = await readDue(core, head);
  await retryDelivery(context, { delivery_id: head });
  const byHand = (await claim(id)).claims;
  expect(byHand[0]).toMatchObject({ deliveryId: head, trigger: 'manual', scheduled: true, step: 1 });
  await settle(core, byHand.slice(0, 1), { kind: 'restore' });
  expect((await readDue(core, head))?.next_attempt_at).toEqual(before?.next_attempt_at);
});

test('Retry-After holds due deliveries without an attempt; a manual retry is sent and changes no schedule', async () => {
  const id = await newEndpoint(context);
  await emitMany(context, 3);
  expect(await applyFlows(context, id, { kind: 'slow_down', waitMs: 3_600_000 })).toBe(true);
  const { health } = await getEndpoint(context, { endpoint_id: id });
  expect(Date.parse(health.wait_until ?? '') - Date.now()).toBeGreaterThan(3_590_000);
  expect([(await claimAll(core, id)).length, (await claim(id)).claims.length]).toEqual([0, 0]);
  expect(await findDueIds(core, 0)).not.toContain(id);
  expect(await lookAgainIn(id)).toBeGreaterThan(3_590_000);
  const [waiting = ''] = await inFeedOrder(id);
  const due = await readDue(core, waiting);
  await retryDelivery(context, { delivery_id: waiting });
  await testEndpoint(context, { endpoint_id: id });
  expect(await findDueIds(core, 0)).toContain(id);
  const triggers: string[] = [];
  for (let turn = 0; turn < 2; turn++) {
    // It is paced too, so tokens arrive one by one.
    await core.database.query('UPDATE endpoint_flow SET tokens = 1 WHERE endpoint_id = $1', [id]);
    const { claims } = await claim(id);
    triggers.push(...claims.map(({ trigger }) => trigger));
    await settle(core, claims, turn === 0 ? { kind: 'restore' } : { kind: 'failed' });
  }
  expect(triggers.toSorted()).toEqual(['manual', 'test']);
  expect(await readDue(core, waiting)).toMatchObject({ next_attempt_at: due?.next_attempt_at, step: 0 });
  await set(id, "hold_until = now() - interval '1 second'");
  await core.database.query('UPDATE endpoint_flow SET tokens = 1 WHERE endpoint_id = $1', [id]);
  expect((await claim(id)).claims.map(({ trigger }) => trigger)).toEqual(['automatic']);
});

test('an open breaker allows one probe when it is due, over all workers, and a success closes it', async () => {
  const id = await newEndpoint(context);
  await emitMany(context, 4);
  expect(await openBreaker(context, id)).toBe(true);
  expect((await getEndpoint(context, { endpoint_id: id })).health).toMatchObject({
    state: 'open',
    consecutive_failures: 5,
  });
  expect((await claim(id)).claims).toEqual([]);
  expect(await findDueIds(core, 0)).not.toContain(id);
  await set(id, "next_probe_at = now() - interval '100 ms'");
  expect((await getEndpoint(context, { endpoint_id: id })).health.state).toBe('half_open');
  expect(await findDueIds(core, 0)).toContain(id);
  const found = (await Promise.all(Array.from({ length: 6 }, () => claim(id)))).flatMap(({ claims }) => claims);
  expect(found).toMatchObject([{ probe: true, attempt: 1 }]);
  // Recorded but not applied yet: a second probe must not start in between.
  await settle(core, found, { kind: 'retry', delayMs: 1 });
  expect((await claim(id)).claims).toEqual([]);
  await applyFlows(context, id, { kind: 'unreachable', probe: true });
  const waits = await core.database.query('SELECT probe_wait_ms FROM webhook_endpoint WHERE id = $1', [id]);
  expect(waits).toEqual([{ probe_wait_ms: 10_000 }]);
  expect(await load(id)).toMatchObject([{ gated: true, breakerOpen: true, unreachable: 6 }]);
  expect(await applyFlows(context, id, { kind: 'success' })).toBe(false);
  expect((await getEndpoint(context, { endpoint_id: id })).health).toMatchObject({
    state: 'closed',
    next_probe_at: null,
  });
  expect(await claimAll(core, id)).toHaveLength(4);
});

test('a released probe is allowed again at once, and only once', async () => {
  const id = await newEndpoint(context);
  await emitMany(context, 2);
  await openBreaker(context, id);
  await set(id, "next_probe_at = now() - interval '100 ms'");
  const { claims } = await claim(id);
  expect([claims, (await claim(id)).claims]).toMatchObject([[{ probe: true, attempt: 1 }], []]);
  await releaseClaims(core, claims);
  expect((await claim(id)).claims).toMatchObject([{ probe: true, attempt: 1 }]);
  expect((await claim(id)).claims).toEqual([]);
});

test('reactivation and a new URL close the breaker, and its waiting deliveries remain', async () => {
  const id = await newEndpoint(context);
  await emitMany(context, 2);
  await openBreaker(context, id);
  await updateEndpoint(context, { endpoint_id: id, status: 'paused' });
  expect((await claim(id)).claims).toEqual([]);
  await updateEndpoint(context, { endpoint_id: id, status: 'active' });
  expect((await getEndpoint(context, { endpoint_id: id })).health.state).toBe('closed');
  await openBreaker(context, id);
  await updateEndpoint(context, { endpoint_id: id, url: 'http://127.0.0.1:4011/other' });
  expect((await getEndpoint(context, { endpoint_id: id })).health.state).toBe('closed');
  expect(await claimAll(core, id)).toHaveLength(2);
});

test('an immediate retry stays with its worker, has its own number and keeps the schedule', async () => {
  const id = await newEndpoint(context);
  await emitMany(context, 1);
  const [first] = await claimAll(core, id);
  if (!first) throw new Error('Nothing was due.');
  const before = await readDue(core, first.deliveryId);
  const record = attemptOf(first, { kind: 'again', leaseMs: 60_000 });
  for (let i = 0; i < 2; i++) expect((await recordAttempts(core, [record])).size).toBe(1);
  expect(await readDue(core, first.deliveryId)).toEqual({ ...before, attempt_count: 2 });
  expect(await claimAll(core, id)).toEqual([]);
  const { data } = await listDeliveries(context, { limit: 5, order: 'desc', endpoint_id: id });
  expect(data[0]).toMatchObject({ status: 'retrying', attempt_count: 1 });
  await settle(core, [{ ...first, attempt: 2 }], { kind: 'retry', delayMs: 5_000 });
  expect((await readDue(core, first.deliveryId))?.step).toBe(1);
  const { attempts } = await getDelivery(context, { delivery_id: first.deliveryId });
  expect(attempts.map(({ n }) => n)).toEqual([1, 2]);
});

test('ordered and rate_limit: a test send and the head together use no more than the bucket has, and delay no other endpoint', async () => {
  const id = await newEndpoint(context, { ordered: true, rate_limit: { requests: 1, per_seconds: 3_600 } });
  const other = await newEndpoint(context, { max_concurrency: 5 });
  await testEndpoint(context, { endpoint_id: id });
  await emitMany(context, 2);
  const { claims } = await claim(id);
  const count = claims.length;
  await settle(core, claims);
  const { accountId } = context;
  const requests = [id, other].map((endpointId) => ({ accountId, endpointId, limit: 10 }));
  const found = await claimGated(core, requests, { leaseMs: 60_000, probeMs: 60_000 });
  expect([count, found.map((one) => one.claims.length)]).toEqual([1, [0, 2]]);
});
