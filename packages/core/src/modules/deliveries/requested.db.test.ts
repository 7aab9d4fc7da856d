// Risk: a manual request waits for an unhealthy endpoint, or the reason of a wait is hidden.
import { beforeEach, expect, test } from 'vitest';
import {
  applyFlows,
  claimAll,
  claimThrough,
  emitMany,
  findDueIds,
  newEndpoint,
  openBreaker,
  readDue,
  settle,
} from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import type { Context } from '../../verbs/context.ts';
import { testEndpoint } from '../events/test-endpoint.ts';
import { updateEndpoint } from '../webhooks/update.ts';
import { getDelivery, listDeliveries } from './read.ts';

const fixture = useFixture();
const { core } = fixture;
let context: Context;
beforeEach(async () => {
  context = (await fixture.otherAccount()).context;
});

const claim = async (endpointId: string) => (await claimThrough(core, endpointId)).claims;

test.each([
  ['an endpoint', {}],
  ['an ordered endpoint', { ordered: true }],
])('resuming %s tries its next delivery now, though its retry is a day away', async (_, options) => {
  const id = await newEndpoint(context, options);
  await emitMany(context, 3);
  const take = () => ('ordered' in options ? claim(id) : claimAll(core, id));
  const claims = await take();
  const [first] = claims;
  const deliveryId = first?.deliveryId ?? '';
  await settle(core, claims.slice(0, 1), { kind: 'retry', delayMs: 86_000_000 });
  await settle(core, claims.slice(1), { kind: 'retry', delayMs: 86_400_000 });
  await openBreaker(context, id);
  expect(await claim(id)).toEqual([]);
  await updateEndpoint(context, { endpoint_id: id, status: 'paused' });
  const schedule = (await readDue(core, deliveryId))?.next_attempt_at;
  await updateEndpoint(context, { endpoint_id: id, status: 'active' });
  expect(await findDueIds(core, 0)).toContain(id);
  expect(await take()).toMatchObject([{ deliveryId, trigger: 'manual', attempt: 2 }]);
  expect((await readDue(core, deliveryId))?.next_attempt_at).toEqual(schedule);
});

test('a retry and a test go at once at an endpoint that is paced, and the success of one ends pause and pace', async () => {
  const id = await newEndpoint(context);
  await emitMany(context, 2);
  await applyFlows(context, id, { kind: 'slow_down', waitMs: 3_600_000 });
  await testEndpoint(context, { endpoint_id: id });
  await core.database.query(
    'INSERT INTO endpoint_flow (endpoint_id, account_id, tokens, tokens_at) VALUES ($1, $2, 0, now())',
    [id, context.accountId],
  );
  const claims = await claim(id);
  expect(claims.map(({ trigger }) => trigger)).toEqual(['test']);
  await settle(core, claims);
  expect(await applyFlows(context, id, { kind: 'success', requested: true })).toBe(false);
  expect(await claimAll(core, id)).toHaveLength(2);
});

test('a delivery that is read by itself says what it waits for, as a list does', async () => {
  const id = await newEndpoint(context);
  await emitMany(context, 1);
  await openBreaker(context, id);
  const { data } = await listDeliveries(context, { limit: 5, order: 'desc', endpoint_id: id });
  expect(data).toMatchObject([
    { next_attempt_at: null, waiting_for: 'endpoint_unreachable', reason: expect.stringContaining('probe') },
  ]);
  expect(await getDelivery(context, { delivery_id: data[0]?.id ?? '' })).toEqual({ ...data[0], attempts: [] });
  expect(await testEndpoint(context, { endpoint_id: id })).toMatchObject({
    waiting_for: null,
    reason: 'Waiting for the first attempt.',
  });
});
