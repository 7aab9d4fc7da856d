// Risk: a manual retry, a test send or a redelivery disturbs the automatic schedule or is itself repeated.
import { beforeEach, expect, test } from 'vitest';
import { claimAll, claimOne, emitMany, newEndpoint, passTime, readDue, settle } from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { openRawClient, waitForBlocked } from '../../../test/raw-client.ts';
import { readFeed } from '../../../test/read-all.ts';
import type { Context } from '../../verbs/context.ts';
import { createCompany } from '../companies/create.ts';
import { listEvents } from '../events/read.ts';
import { redeliverEvent } from '../events/redeliver.ts';
import { testEndpoint } from '../events/test-endpoint.ts';
import { deleteEndpoint } from '../webhooks/delete.ts';
import { updateEndpoint } from '../webhooks/update.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { getDelivery, listDeliveries } from './read.ts';
import { retryDelivery } from './retry.ts';

const fixture = useFixture();
const { core } = fixture;
let context: Context;
let endpoint: string;
beforeEach(async () => {
  context = (await fixture.otherAccount()).context;
  endpoint = await newEndpoint(context);
});

/** A delivery that failed once and waits five minutes for its second attempt. */
async function waitingDelivery(): Promise<ClaimedDelivery> {
  await emitMany(context, 1);
  const claim = await claimOne(core, endpoint);
  await settle(core, [claim], { kind: 'retry', delayMs: 300_000 });
  return claim;
}

test('a manual retry that fails leaves the automatic schedule as it was', async () => {
  const { deliveryId } = await waitingDelivery();
  const before = await readDue(core, deliveryId);
  const answer = await retryDelivery(context, { delivery_id: deliveryId });
  expect(answer).toMatchObject({
    status: 'retrying',
    attempt_count: 1,
    next_attempt_at: before?.next_attempt_at?.toISOString(),
  });
  const manual = await claimOne(core, endpoint);
  expect(manual).toMatchObject({ deliveryId, trigger: 'manual', scheduled: true, attempt: 2, step: 1 });
  await settle(core, [manual], { kind: 'restore' });
  expect(await readDue(core, deliveryId)).toEqual({ ...before, due_at: before?.next_attempt_at, attempt_count: 2 });
  const delivery = await getDelivery(context, { delivery_id: deliveryId });
  expect(delivery.next_attempt_at).toBe(before?.next_attempt_at?.toISOString());
  expect(delivery.attempts.map(({ trigger }) => trigger)).toEqual(['automatic', 'manual']);
  await passTime(core, deliveryId, 300_000);
  expect(await claimOne(core, endpoint)).toMatchObject({ deliveryId, trigger: 'automatic', attempt: 3, step: 1 });
});

test('a manual retry that succeeds ends the delivery, and nothing is left scheduled', async () => {
  const { deliveryId } = await waitingDelivery();
  await retryDelivery(context, { delivery_id: deliveryId });
  await settle(core, [await claimOne(core, endpoint)]);
  expect(await readDue(core, deliveryId)).toBeUndefined();
  expect(await getDelivery(context, { delivery_id: deliveryId })).toMatchObject({
    status: 'succeeded',
    attempt_count: 2,
    next_attempt_at: null,
  });
  await expect(retryDelivery(context, { delivery_id: deliveryId })).rejects.toMatchObject({
    code: 'invalid_state_transition',
    extra: { current_status: 'succeeded' },
  });
});

test('a manual retry asked for several times is made once', async () => {
  const { deliveryId } = await waitingDelivery();
  await Promise.all([1, 2, 3].map(() => retryDelivery(context, { delivery_id: deliveryId })));
  await settle(core, [await claimOne(core, endpoint)], { kind: 'restore' });
  expect(await claimAll(core, endpoint)).toEqual([]);
});

test('a manual retry during an attempt waits for its result and leaves the schedule', async () => {
  await emitMany(context, 1);
  const running = await claimOne(core, endpoint);
  await retryDelivery(context, { delivery_id: running.deliveryId });
  expect(await claimAll(core, endpoint)).toEqual([]);
  expect((await settle(core, [running], { kind: 'retry', delayMs: 300_000 })).size).toBe(1);
  const scheduled = (await getDelivery(context, { delivery_id: running.deliveryId })).next_attempt_at;
  const manual = await claimOne(core, endpoint);
  expect(manual).toMatchObject({ trigger: 'manual', attempt: 2, scheduled: true, step: 1 });
  await settle(core, [manual], { kind: 'restore' });
  expect(await claimAll(core, endpoint)).toEqual([]);
  expect((await getDelivery(context, { delivery_id: running.deliveryId })).next_attempt_at).toBe(scheduled);
});

test('a retry requested before a due automatic attempt is that attempt', async () => {
  await emitMany(context, 1);
  const [waiting] = (await listDeliveries(context, { limit: 1, order: 'desc' })).data;
  await retryDelivery(context, { delivery_id: waiting?.id ?? '' });
  const claim = await claimOne(core, endpoint);
  expect(claim).toMatchObject({ deliveryId: waiting?.id, trigger: 'automatic', attempt: 1 });
  await settle(core, [claim], { kind: 'retry', delayMs: 300_000 });
  expect(await claimAll(core, endpoint)).toEqual([]);
});

test('the reason of a failed delivery mentions a waiting retry', async () => {
  await emitMany(context, 1);
  const claim = await claimOne(core, endpoint);
  await settle(core, [claim], { kind: 'failed' });
  const reasons = async () =>
    (await listDeliveries(context, { limit: 10, order: 'desc' })).data.map((row) => row.reason);
  const givenUp = expect.stringMatching(
    /^The only attempt failed .* Retry it, or replay the endpoint’s failed events\.$/,
  );
  expect(await reasons()).toEqual([givenUp]);
  await retryDelivery(context, { delivery_id: claim.deliveryId });
  await updateEndpoint(context, { endpoint_id: endpoint, status: 'paused' });
  expect(await reasons()).toEqual([expect.stringMatching(/A retry was requested and is sent as soon as/)]);
});

test('a failed test send is final and not outstanding', async () => {
  await testEndpoint(context, { endpoint_id: endpoint });
  const outstanding = async () =>
    (await listDeliveries(context, { limit: 10, order: 'desc', status: 'undelivered' })).data.length;
  expect(await outstanding()).toBe(1);
  await settle(core, [await claimOne(core, endpoint)], { kind: 'failed' });
  expect(await outstanding()).toBe(0);
});

test('a permanently failed delivery is retried once manually and keeps no schedule', async () => {
  await emitMany(context, 1);
  const claim = await claimOne(core, endpoint);
  await settle(core, [claim], { kind: 'failed' });
  await retryDelivery(context, { delivery_id: claim.deliveryId });
  const manual = await claimOne(core, endpoint);
  expect(manual).toMatchObject({ trigger: 'manual', scheduled: false, attempt: 2 });
  await settle(core, [manual], { kind: 'failed' });
  expect(await readDue(core, claim.deliveryId)).toBeUndefined();
  expect(await getDelivery(context, { delivery_id: claim.deliveryId })).toMatchObject({
    status: 'failed',
    attempt_count: 2,
  });
});

test.each(['paused', 'disabled'])('nothing is sent manually to an endpoint that is %s', async (status) => {
  const { deliveryId } = await waitingDelivery();
  await core.database.query('UPDATE webhook_endpoint SET status = $2 WHERE id = $1', [endpoint, status]);
  const rejected = { code: 'invalid_state_transition', extra: { current_status: status, allowed: ['active'] } };
  await expect(retryDelivery(context, { delivery_id: deliveryId })).rejects.toMatchObject(rejected);
  await expect(testEndpoint(context, { endpoint_id: endpoint })).rejects.toMatchObject(rejected);
});

test('a delivery that had failed is not tried again at an endpoint that was deleted', async () => {
  await emitMany(context, 1);
  const claim = await claimOne(core, endpoint);
  const { deliveryId } = claim;
  await settle(core, [claim], { kind: 'failed' });
  await deleteEndpoint(context, { endpoint_id: endpoint });
  await expect(retryDelivery(context, { delivery_id: deliveryId })).rejects.toMatchObject({
    code: 'invalid_state_transition',
    extra: { current_status: 'deleted', allowed: [] },
  });
  expect(await readDue(core, deliveryId)).toBeUndefined();
});

test('a test send is tried once, marked, and in no feed', async () => {
  fixture.woken.length = 0;
  const before = await readFeed(context);
  const answer = await testEndpoint(context, { endpoint_id: endpoint, event: 'financial.snapshot.updated' });
  expect(answer).toMatchObject({ event_type: 'financial.snapshot.updated', status: 'pending', attempts: [] });
  expect(fixture.woken).toEqual([endpoint]);
  const claim = await claimOne(core, endpoint);
  expect(claim).toMatchObject({ trigger: 'test', scheduled: false, attempt: 1 });
  const envelope = JSON.parse(claim.body.toString());
  expect(envelope).toMatchObject({
    id: claim.eventId,
    type: 'financial.snapshot.updated',
    account_id: context.accountId,
  });
  await settle(core, [claim], { kind: 'failed' });
  expect(await readDue(core, claim.deliveryId)).toBeUndefined();
  expect(await readFeed(context)).toEqual(before);
  expect((await listEvents(context, { limit: 50, order: 'desc', type: 'financial.snapshot.updated' })).data).toEqual(
    [],
  );
});

test('a test send that is tried again manually is still marked as a test, and its sample is never redelivered', async () => {
  const { id } = await testEndpoint(context, { endpoint_id: endpoint });
  const claim = await claimOne(core, endpoint);
  await settle(core, [claim], { kind: 'failed' });
  await retryDelivery(context, { delivery_id: id });
  expect(await claimOne(core, endpoint)).toMatchObject({
    deliveryId: id,
    trigger: 'test',
    scheduled: false,
    attempt: 2,
  });
  await expect(redeliverEvent(context, { event_id: claim.eventId })).rejects.toMatchObject({
    code: 'invalid_state_transition',
    message: expect.stringContaining('Test events'),
  });
});

test('a manual retry that meets the success of the attempt in flight sends nothing again', async () => {
  await emitMany(context, 1);
  const { deliveryId } = await claimOne(core, endpoint);
  const raw = await openRawClient(fixture.database.url);
  await raw.query('BEGIN');
  await raw.query('DELETE FROM due WHERE delivery_id = $1', [deliveryId]);
  await raw.query("UPDATE delivery SET status = 'succeeded', attempt_count = 1 WHERE id = $1", [deliveryId]);
  const rejected = expect(retryDelivery(context, { delivery_id: deliveryId })).rejects.toMatchObject({
    code: 'invalid_state_transition',
    extra: { current_status: 'succeeded' },
  });
  await waitForBlocked(raw);
  await raw.query('COMMIT');
  await rejected;
  expect(await readDue(core, deliveryId)).toBeUndefined();
  await raw.end();
});

test('a test send goes to its endpoint alone, whatever that subscribes to', async () => {
  const restricted = await newEndpoint(context, { events: ['company.created'] });
  await testEndpoint(context, { endpoint_id: restricted, event: 'bank.balance.updated' });
  expect([(await claimAll(core, restricted)).length, (await claimAll(core, endpoint)).length]).toEqual([1, 0]);
});

test.each([
  [['company.created', 'filing.due'], 'company.created'],
  [['webhook_endpoint.disabled'], 'webhook_endpoint.disabled'],
  [[], 'bank.balance.updated'],
])('a test send to an endpoint of %j without a type sends %s', async (events, event_type) => {
  expect(await testEndpoint(context, { endpoint_id: await newEndpoint(context, { events }) })).toMatchObject({
    event_type,
  });
});

test('a test send of a type that has no sample is rejected', async () => {
  const event = 'no.such.event';
  await expect(testEndpoint(context, { endpoint_id: endpoint, event })).rejects.toMatchObject({
    fields: [{ pointer: '/event', code: 'unknown_event_type' }],
  });
});

test('an event is sent again to all that receive its type, as new deliveries of the same bytes', async () => {
  await newEndpoint(context, { events: ['company.created'] });
  await emitMany(context, 1);
  const first = await claimOne(core, endpoint);
  await settle(core, [first]);
  const answer = await redeliverEvent(context, { event_id: first.eventId });
  expect(answer.data.map((delivery) => [delivery.endpoint_id, delivery.event_id, delivery.status])).toEqual([
    [endpoint, first.eventId, 'pending'],
  ]);
  const again = await claimOne(core, endpoint);
  expect(again).toMatchObject({ eventId: first.eventId, attempt: 1, trigger: 'automatic' });
  expect(again.deliveryId).toBe(answer.data[0]?.id);
  expect(again.body.equals(first.body)).toBe(true);
  expect((await listDeliveries(context, { limit: 50, order: 'asc', event_id: first.eventId })).data).toHaveLength(2);
});

test('an event is sent to the endpoint that is named, also when that is newer or does not subscribe', async () => {
  await emitMany(context, 1);
  const { eventId } = await claimOne(core, endpoint);
  const restricted = await newEndpoint(context, { events: ['company.created'] });
  fixture.woken.length = 0;
  const answer = await redeliverEvent(context, { event_id: eventId, endpoint_id: restricted });
  expect(answer.data.map(({ endpoint_id }) => endpoint_id)).toEqual([restricted]);
  expect(fixture.woken).toEqual([restricted]);
  expect((await claimOne(core, restricted)).eventId).toBe(eventId);
});

test('an event without receivers is not redelivered', async () => {
  const [event] = await readFeed(context);
  await updateEndpoint(context, { endpoint_id: endpoint, events: ['bank.balance.updated'] });
  await expect(redeliverEvent(context, { event_id: event?.id ?? '' })).rejects.toMatchObject({
    code: 'invalid_state_transition',
  });
});

test('an event of one company is not sent again to an endpoint that is for another', async () => {
  const { id: ours } = await createCompany(context, { name: 'Ours' });
  const { id: theirs } = await createCompany(context, { name: 'Theirs' });
  const [own = '', foreign = ''] = await Promise.all(
    [ours, theirs].map((company_id) => newEndpoint(context, { company_id })),
  );
  const event = (await readFeed(context, 'company.created')).find(({ company_id }) => company_id === ours);
  const again = (endpoint_id: string) => redeliverEvent(context, { event_id: event?.id ?? '', endpoint_id });
  await expect(again(foreign)).rejects.toMatchObject({ code: 'invalid_state_transition' });
  const since = await listDeliveries(context, { limit: 10, order: 'asc', endpoint_id: foreign });
  expect(since.data).toEqual([]);
  expect((await again(own)).data).toMatchObject([{ endpoint_id: own, company_id: ours }]);
});
