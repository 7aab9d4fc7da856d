// Risk: the dashboard says that webhooks arrive while they do not, or counts deliveries that the caller may not see.
import { expect, test } from 'vitest';
import { attemptOf, claimAll, emitMany, newEndpoint } from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { idTime } from '../../ids/ids.ts';
import { createEndpoint } from '../webhooks/create.ts';
import { getDeliveryHealth } from './health.ts';
import { recordAttempts } from './record-attempts.ts';

const fixture = useFixture();
let endpoint: string;

test('without deliveries there is nothing to count and no latency', async () => {
  const health = await getDeliveryHealth(fixture.context, {});
  expect(health).toMatchObject({
    succeeded: 0,
    failed: 0,
    waiting: 0,
    latency_p50_ms: null,
    hours: [],
    counted_from: null,
  });
});

test('each delivery of the last day counts once, under what became of it, whole and in its hour', async () => {
  endpoint = await newEndpoint(fixture.context);
  await emitMany(fixture.context, 5);
  const [arrived, again, lost, old] = await claimAll(fixture.core, endpoint, 4);
  if (!arrived || !again || !lost || !old) throw new Error('Four deliveries should be due.');
  await recordAttempts(fixture.core, [
    attemptOf(arrived, { kind: 'succeeded' }),
    attemptOf(again, { kind: 'retry', delayMs: 60_000 }),
    attemptOf(lost, { kind: 'failed' }),
    attemptOf(old, { kind: 'succeeded' }),
  ]);
  await fixture.core.database.query(
    `UPDATE delivery SET updated_at = created_at + interval '420 milliseconds' WHERE id IN ($1, $2)`,
    [arrived.deliveryId, old.deliveryId],
  );
  const health = await getDeliveryHealth(fixture.context, {});
  const counts = { succeeded: 2, failed: 1, retrying: 1, waiting: 1, cancelled: 0 };
  expect(health).toMatchObject({ ...counts, latency_p50_ms: 420, latency_p95_ms: 420 });
  expect(health.hours.map(({ succeeded }) => succeeded).reduce((a, b) => a + b)).toBe(2);
  expect(health.hours[0]?.from).toMatch(/T\d\d:00:00\.000Z$/);
});

test('a caller restricted to companies sees only their deliveries', async () => {
  const restricted = { ...fixture.context, access: { companyIds: ['co_00000000000000000000000000'] } };
  expect(await getDeliveryHealth(restricted, {})).toMatchObject({ succeeded: 0, failed: 0, waiting: 0, hours: [] });
});

test('of an account with very many deliveries the newest are looked at, whichever company is asked for', async () => {
  const { context, companyId: company_id } = await fixture.otherAccount();
  const { id } = await createEndpoint(context, { url: 'http://127.0.0.1:9/hook' });
  await fixture.core.database.query(
    `INSERT INTO delivery (id, account_id, company_id, event_id, event_type, endpoint_id, status, created_at, updated_at)
     SELECT 'dlv_' || $4 || lpad(n::text, 16, '0'), $1, CASE WHEN n % 10000 = 1 THEN $2 END,
       'evt_' || $4 || lpad(n::text, 16, '0'), 'api_key.created', $3, 'succeeded', now(), now()
     FROM generate_series(1, 20001) n`,
    [context.accountId, company_id, id, idTime(Date.now())],
  );
  const health = await getDeliveryHealth(context, { company_id });
  expect(health).toMatchObject({ succeeded: 2, counted_from: expect.any(String) });
  expect((await getDeliveryHealth(context, {})).succeeded).toBe(20_000);
  const { context: small } = await fixture.otherAccount();
  expect((await getDeliveryHealth(small, {})).counted_from).toBeNull();
});
