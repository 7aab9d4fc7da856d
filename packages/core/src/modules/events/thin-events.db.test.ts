// Risk: a thin event has content, is too large or not JSON, or its bytes change between two attempts.
import { type AnyEventType, allEventTypes, eventDefinition, maxThinBytes, thinData } from '@finhook/contracts';
import { createSigner } from '@finhook/signing';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import {
  attemptOf,
  claimAll,
  claimOne,
  claimThrough,
  newEndpoint,
  passTime,
  settle,
} from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { ReplayStage } from '../../../test/replay-stage.ts';
import { thinSql } from '../../outbox/subscription-sql.ts';
import type { Context } from '../../verbs/context.ts';
import { ingestTransactions } from '../bank/transactions/ingest.ts';
import { getCurl, getDelivery, listDeliveries } from '../deliveries/read.ts';
import { recordAttempts } from '../deliveries/record-attempts.ts';
import { retryDelivery } from '../deliveries/retry.ts';
import { rotateSecret } from '../webhooks/rotate-secret.ts';
import { updateEndpoint } from '../webhooks/update.ts';
import { verifySignature } from '../webhooks/verify-signature.ts';
import { getEvent } from './read.ts';
import { redeliverEvent } from './redeliver.ts';
import { testEndpoint } from './test-endpoint.ts';

const fixture = useFixture();
const { core } = fixture;
let context: Context;
let companyId: string;
let stage: ReplayStage;
let endpoint: string;
beforeEach(async () => {
  ({ context, companyId } = await fixture.otherAccount());
  stage = new ReplayStage(core, context, companyId);
  endpoint = await stage.endpointOf({ payload: 'thin' });
});

const thinOf = async (event_id: string) => {
  const { data, ...envelope } = await getEvent(context, { event_id });
  return JSON.stringify({ ...envelope, data: thinData(envelope.type as AnyEventType, data) });
};

const quoted = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '\n', '\u0001', 'é', '😀', ',"data":'),
  maxLength: 255,
});
const longest = [fc.constant('z'.repeat(255)), fc.constant('😀'.repeat(255)), fc.constant('"'.repeat(255))];
const label = fc.oneof(quoted, ...longest);
const value = fc.oneof(label, fc.maxSafeInteger(), fc.boolean(), fc.constant(null));
const rows = fc
  .integer({ min: 0, max: 500 })
  .map((count) =>
    Array.from({ length: count }, (_, n) => ({ id: `txn_${`${n}`.padStart(26, '0')}`, description: 'x' })),
  );

/** Arbitrary values in the fields of a type's thin form, and content in others. */
function dataOf(type: AnyEventType): fc.Arbitrary<Record<string, unknown>> {
  const { sample, thin } = eventDefinition(type);
  const fields = Object.values(thin.sources).map(([field, key]): [string, fc.Arbitrary<unknown>] => [
    field,
    Array.isArray(sample[field])
      ? rows
      : key === undefined
        ? value
        : fc.option(fc.dictionary(fc.constantFrom('id', 'company_id', 'case_id', 'approval_id'), value)),
  ]);
  const both = fc.record({ named: fc.record(Object.fromEntries(fields)), more: fc.string({ maxLength: 3_000 }) });
  return both.map(({ named, more }) => ({ ...sample, more, ...named }));
}

test('the database makes the documented thin form of any event, with the envelope as it is, in at most 24 KiB', async () => {
  const anyEvent = fc.constantFrom(...allEventTypes).chain((type) => fc.tuple(fc.constant(type), dataOf(type)));
  await fc.assert(
    fc.asyncProperty(anyEvent, async ([type, data]) => {
      const envelope = { id: 'evt_1', type, created_at: '2026-03-02T09:30:00.000Z', account_id: 'acct_1' };
      const stored = JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
      const [row] = await core.database.query<{ thin: string }>(`SELECT ${thinSql('$1::text')} AS thin`, [
        JSON.stringify({ ...envelope, data }),
      ]);
      const thin = row?.thin ?? '';
      const expected = JSON.parse(JSON.stringify(thinData(type, stored))) as unknown;
      expect(thin.startsWith(JSON.stringify({ ...envelope, data: {} }).slice(0, -2))).toBe(true);
      expect(JSON.parse(thin)).toEqual({ ...envelope, data: expected });
      expect(Buffer.byteLength(thin) - Buffer.byteLength(JSON.stringify(envelope))).toBeLessThan(maxThinBytes);
    }),
    { numRuns: 300 },
  );
});

test('a thin delivery whose stored form is gone is not sent in the full form', async () => {
  await stage.post(1);
  await core.database.owner.query('UPDATE delivery SET thin_body = NULL WHERE endpoint_id = $1', [endpoint]);
  expect(await claimAll(core, endpoint)).toEqual([]);
});

test('a thin endpoint gets IDs in place of content, and another endpoint of the same event the whole', async () => {
  const full = await stage.endpointOf();
  const [event_id = ''] = await stage.post(1);
  const [thin, whole] = [await claimOne(core, endpoint), await claimOne(core, full)];
  expect(thin.body.toString()).toBe(await thinOf(event_id));
  expect(thin.bodyBytes).toBe(thin.body.length);
  expect(JSON.parse(whole.body.toString())).toEqual(await getEvent(context, { event_id }));
  const shown = await listDeliveries(context, { limit: 10, order: 'asc', event_id });
  expect(shown.data.map(({ endpoint_id, payload }) => [endpoint_id, payload])).toEqual(
    expect.arrayContaining([
      [endpoint, 'thin'],
      [full, 'full'],
    ]),
  );
  expect(JSON.stringify(shown)).not.toContain('thin_body');
});

test('a batch of 500 rows is sent to a thin endpoint with the IDs of all, and its claim has the body with it', async () => {
  const batch = await newEndpoint(context, { payload: 'thin', events: ['bank.transaction.posted'] });
  const transactions = Array.from({ length: 500 }, (_, n) => ({
    external_id: `row-${n}`,
    posted_at: '2026-01-05T10:00:00Z',
    amount_cents: n,
    description: 'é'.repeat(2_000),
  }));
  await ingestTransactions(context, { company_id: companyId, transactions });
  const { body, eventId } = await claimOne(core, batch);
  expect(body.toString()).toBe(await thinOf(eventId));
  expect(body.length).toBeLessThan(maxThinBytes);
  expect(JSON.parse(body.toString())).toMatchObject({ data: { count: 500, received: 500, skipped: 0 } });
});

test('an attempt, a retry and a manual one send the same bytes, whatever the endpoint becomes meanwhile', async () => {
  await stage.post(1);
  const first = await claimOne(core, endpoint);
  await settle(core, [first], { kind: 'retry', delayMs: 1_000 });
  await updateEndpoint(context, { endpoint_id: endpoint, payload: 'full' });
  await passTime(core, first.deliveryId, 1_000);
  const second = await claimOne(core, endpoint);
  await settle(core, [second], { kind: 'failed' });
  await retryDelivery(context, { delivery_id: first.deliveryId });
  const third = await claimOne(core, endpoint);
  expect([second, third].map(({ body }) => body.toString())).toEqual(Array(2).fill(first.body.toString()));
  const [event_id = ''] = await stage.post(1);
  await settle(core, [third]);
  expect(JSON.parse((await claimOne(core, endpoint)).body.toString())).toEqual(await getEvent(context, { event_id }));
});

test('a delivery that was due in the full form when the endpoint became thin is sent in full; a redelivery is thin', async () => {
  const full = await stage.endpointOf();
  const [event_id = ''] = await stage.post(1);
  await updateEndpoint(context, { endpoint_id: full, payload: 'thin' });
  const whole = await claimOne(core, full);
  expect(JSON.parse(whole.body.toString())).toEqual(await getEvent(context, { event_id }));
  await settle(core, [whole], { kind: 'failed' });
  const { data } = await redeliverEvent(context, { event_id, endpoint_id: full });
  expect(data).toMatchObject([{ payload: 'thin' }]);
  expect((await claimOne(core, full)).body.toString()).toBe(await thinOf(event_id));
});

test('an event that was sent in a thin form is sent in it again, also where the catalogue has another one today', async () => {
  const [event_id = ''] = await stage.post(1);
  const earlier = '{"id":"evt_1","data":{"object":"of an earlier version"}}';
  await core.database.query('UPDATE delivery SET thin_body = $2 WHERE endpoint_id = $1', [endpoint, earlier]);
  await settle(core, await claimAll(core, endpoint));
  await redeliverEvent(context, { event_id, endpoint_id: endpoint });
  expect((await claimOne(core, endpoint)).body.toString()).toBe(earlier);
});

test('a replay of events from before the endpoint sends it their thin form', async () => {
  const ids = await stage.post(3);
  const later = await stage.endpointOf({ payload: 'thin' });
  await stage.begin(later);
  await stage.stepTo(3);
  const claims = await claimAll(core, later);
  expect(claims.map(({ body }) => body.toString())).toEqual(await Promise.all(ids.map(thinOf)));
});

test('an ordered endpoint gets its thin events in the order of the feed', async () => {
  const ordered = await stage.endpointOf({ payload: 'thin', ordered: true });
  const ids = await stage.post(2);
  const { claims } = await claimThrough(core, ordered);
  expect(claims.map(({ body }) => body?.toString())).toEqual(await Promise.all(ids.map(thinOf)));
});

test('a filter sees fields that a thin endpoint does not receive', async () => {
  const filter = { op: 'gte', field: 'data.balance_cents', value: 1 } as const;
  const filtered = await stage.endpointOf({ payload: 'thin', filter });
  const [, second = ''] = await stage.post(2);
  expect((await claimAll(core, filtered)).map(({ body }) => body.toString())).toEqual([await thinOf(second)]);
});

test('a test send has the form of its endpoint', async () => {
  const { payload } = await testEndpoint(context, { endpoint_id: endpoint, event: 'directive.issued' });
  expect(payload).toBe('thin');
  const { body } = await claimOne(core, endpoint);
  const { sample } = eventDefinition('directive.issued');
  expect(JSON.parse(body.toString())).toMatchObject({ data: thinData('directive.issued', sample) });
});

test('the evidence of a thin delivery has the bytes that were sent: headers, command and check of the signature', async () => {
  await stage.post(1);
  const claim = await claimOne(core, endpoint);
  const { secret } = await rotateSecret(context, { endpoint_id: endpoint, overlap_seconds: 0 });
  const t = Math.floor(context.clock.now().getTime() / 1000);
  const headers = {
    'x-service-signature': createSigner(secret).service(t, claim.body),
    'webhook-id': claim.eventId,
  };
  const timings = { reused: false, dnsMs: 1, connectMs: 1, tlsMs: null, firstByteMs: 1 };
  const evidence = {
    url: 'http://127.0.0.1:4010/hook',
    requestHeaders: { 'webhook-signature': 'v1,AAAA' },
    responseHeaders: {},
    remoteAddress: '127.0.0.1',
    timings,
  };
  await recordAttempts(core, [{ ...attemptOf(claim, { kind: 'failed' }), evidence }]);
  const { attempts } = await getDelivery(context, { delivery_id: claim.deliveryId });
  expect(attempts[0]?.request_headers).toMatchObject({ 'content-length': `${claim.body.length}` });
  const { command } = await getCurl(context, { delivery_id: claim.deliveryId, attempt: '1' });
  expect(command).toContain(claim.body.toString());
  // The full body is needed to tell this from a wrong secret.
  const body = claim.body.toString().replace('cash_balance', 'cash_Balance');
  for (const named of [headers, { ...headers, 'x-service-delivery': claim.deliveryId }]) {
    const verified = await verifySignature(context, { endpoint_id: endpoint, headers: named, body });
    expect(verified).toMatchObject({ valid: false, reason: 'body_altered', event_id: claim.eventId });
  }
});
