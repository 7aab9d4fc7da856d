// Risk: an operational event is missing, is sent twice, or reaches endpoints that did not ask for it.
import { eventTypes, operationalEventTypes } from '@finhook/contracts';
import { beforeEach, expect, test } from 'vitest';
import { attemptOf, claimAll, claimOne, passTime, readDue, settle } from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { readFeed } from '../../../test/read-all.ts';
import { readAudits } from '../../../test/read-audits.ts';
import type { Context, Core } from '../../verbs/context.ts';
import { ingestTransactions } from '../bank/transactions/ingest.ts';
import { updateTransaction } from '../bank/transactions/update.ts';
import { upsertCashBalance } from '../cash/balances/upsert.ts';
import { listEventTypes } from '../events/event-types.ts';
import { redeliverEvent } from '../events/redeliver.ts';
import { testEndpoint } from '../events/test-endpoint.ts';
import { createEndpoint } from '../webhooks/create.ts';
import { updateEndpoint } from '../webhooks/update.ts';
import { applyHealth } from './apply-health.ts';
import { getDelivery } from './read.ts';
import { recordAttempts } from './record-attempts.ts';
import { reportBacklogs } from './report-backlogs.ts';
import { retryDelivery } from './retry.ts';

const fixture = useFixture();
const { core } = fixture;
let context: Context;
let company: string;
beforeEach(async () => {
  ({ context, companyId: company } = await fixture.otherAccount());
});

type Options = Omit<Parameters<typeof createEndpoint>[1], 'url'>;
const make = async (options: Options = {}) =>
  (await createEndpoint(context, { url: 'http://127.0.0.1:4010/hook?token=x', ...options })).id;
const post = (day = '10') =>
  upsertCashBalance(context, { company_id: company, as_of: `2026-01-${day}`, balance_cents: 1, currency: 'USD' });
const failure = { statusCode: 500, message: 'The endpoint answered 500.', eventId: 'evt_00000000000000000000000000' };
const fail = (id: string, count: number) =>
  applyHealth(core, {
    accountId: context.accountId,
    endpointId: id,
    outcomes: Array.from({ length: count }, () => ({ kind: 'failure' as const, at: new Date() })),
    lastFailure: failure,
  });
const succeed = (id: string) =>
  applyHealth(core, { accountId: context.accountId, endpointId: id, outcomes: [{ kind: 'success', at: new Date() }] });
const reportGone = (id: string, lastFailure = failure) =>
  applyHealth(core, {
    accountId: context.accountId,
    endpointId: id,
    outcomes: [{ kind: 'gone', at: new Date() }],
    lastFailure,
  });
const reportsOf = async (type: (typeof operationalEventTypes)[number]) =>
  (await readFeed(context, type)).map(({ data }) => data);
const auditsOf = async (action: string) =>
  (await readAudits(context, { action }, 'resource_id')).map(({ resource_id }) => resource_id);
const received = async (...ids: string[]) => {
  const claims = await Promise.all(ids.map((id) => claimAll(core, id)));
  return claims.map((list) => list.map(({ eventType }) => eventType));
};

test('only endpoints that name it or ask for all operational events get one, and never the one it is about', async () => {
  const about = await make({ operational: true });
  const all = await make();
  const named = await make({ events: ['webhook_endpoint.disabled'] });
  const asked = await make({ events: ['company.created'], operational: true });
  const others = await make({ events: ['company.created', 'delivery.exhausted'] });
  await reportGone(about, { ...failure, statusCode: 410 });
  const type = 'webhook_endpoint.disabled';
  expect(await received(about, all, named, asked, others)).toEqual([[], [], [type], [type], []]);
  expect(await reportsOf(type)).toEqual([
    {
      object: 'webhook_endpoint',
      id: about,
      url: 'http://127.0.0.1:4010/hook',
      status: 'disabled',
      disabled_reason: 'gone',
      disabled_at: expect.any(String),
      consecutive_failures: 1,
      first_failed_at: expect.any(String),
      last_failed_at: expect.any(String),
      last_status_code: 410,
      last_error: failure.message,
      last_event_id: failure.eventId,
      waiting: 0,
    },
  ]);
  expect(await auditsOf('webhookEndpoints.disable')).toEqual([about]);
});

test('an event of the interface goes where it went before: operational endpoints get what their list says', async () => {
  const [all, asked] = [
    await make({ operational: true }),
    await make({ events: ['company.created'], operational: true }),
  ];
  await post();
  expect(await received(all, asked)).toEqual([['bank.balance.updated'], []]);
});

test('a reported streak ends with one recovery event, a shorter one with none', async () => {
  const [endpoint, listener] = [await make(), await make({ events: ['webhook_endpoint.recovered'] })];
  await fail(endpoint, 4);
  await succeed(endpoint);
  expect(await reportsOf('webhook_endpoint.recovered')).toEqual([]);
  await fail(endpoint, 7);
  await Promise.all(Array.from({ length: 6 }, () => succeed(endpoint)));
  expect(await reportsOf('webhook_endpoint.recovered')).toMatchObject([
    { id: endpoint, status: 'active', failed_attempts: 7 },
  ]);
  expect(await auditsOf('webhookEndpoints.recover')).toEqual([endpoint]);
  expect(await received(listener)).toEqual([['webhook_endpoint.recovered']]);
});

test('a permanent failure emits one event, in the transaction that records it', async () => {
  const endpoint = await make();
  const listener = await make({ events: ['delivery.exhausted'], company_id: company });
  await post();
  const claim = await claimOne(core, endpoint);
  const cut: Core = {
    ...core,
    newId: (prefix) => {
      if (prefix === 'aud') throw new Error('cut');
      return core.newId(prefix);
    },
  };
  await expect(recordAttempts(cut, [attemptOf(claim, { kind: 'failed' })])).rejects.toThrow('cut');
  expect(await readDue(core, claim.deliveryId)).toMatchObject({ lease_token: claim.leaseToken });
  expect(await reportsOf('delivery.exhausted')).toEqual([]);

  for (let again = 0; again < 2; again++) await settle(core, [claim], { kind: 'failed' });
  const delivery = await getDelivery(context, { delivery_id: claim.deliveryId });
  expect(delivery.status).toBe('failed');
  expect(await readFeed(context, 'delivery.exhausted')).toMatchObject([
    {
      company_id: company,
      data: {
        object: 'delivery',
        id: claim.deliveryId,
        event_id: claim.eventId,
        event_type: 'bank.balance.updated',
        endpoint_id: endpoint,
        company_id: company,
        status: 'failed',
        attempt_count: 1,
        last_status_code: 500,
        last_error: 'http_500',
        created_at: delivery.created_at,
      },
    },
  ]);
  expect(await auditsOf('deliveries.exhaust')).toEqual([claim.deliveryId]);
  expect(await received(endpoint, listener)).toEqual([[], ['delivery.exhausted']]);
  expect(fixture.woken).toContain(listener);
});

test('a batch reports each permanently failed delivery, and no other', async () => {
  const [one, two] = [await make({ operational: true }), await make({ operational: true })];
  for (const day of ['10', '11', '12', '13']) await post(day);
  const claims = [...(await claimAll(core, one)), ...(await claimAll(core, two))];
  const kinds = ['failed', 'succeeded', 'failed', 'restore'] as const;
  await recordAttempts(
    core,
    claims.map((claim, i) => attemptOf(claim, { kind: kinds[i % 4] ?? 'failed' })),
  );
  const reported = (await reportsOf('delivery.exhausted')).map((data) => Reflect.get(data, 'id'));
  expect(reported.toSorted()).toEqual(
    claims.flatMap(({ deliveryId }, i) => (i % 2 === 0 ? [deliveryId] : [])).toSorted(),
  );
  const [toOne = [], toTwo = []] = await received(one, two);
  expect([toOne, toTwo].map((types) => types.filter((type) => type === 'delivery.exhausted').length)).toEqual([2, 2]);
});

test('a permanently failed event about transactions is reported like any event about data', async () => {
  const endpoint = await make({ events: ['bank.transaction.updated'] });
  const row = { external_id: '1', posted_at: '2026-01-10T12:00:00Z', amount_cents: -1, currency: 'USD' };
  const { transactions } = await ingestTransactions(context, { company_id: company, transactions: [row] });
  const transaction_id = transactions[0]?.id ?? '';
  await updateTransaction(context, { company_id: company, transaction_id, voided: true });
  const claim = await claimOne(core, endpoint);
  await settle(core, [claim], { kind: 'failed' });
  expect(await reportsOf('delivery.exhausted')).toMatchObject([
    { id: claim.deliveryId, event_type: 'bank.transaction.updated' },
  ]);
});

test('tests, manual attempts, lost leases and events about deliveries fail without an event', async () => {
  const endpoint = await make({ operational: true });
  await testEndpoint(context, { endpoint_id: endpoint });
  await settle(core, [await claimOne(core, endpoint)], { kind: 'failed' });
  await post();
  const claim = await claimOne(core, endpoint);
  await recordAttempts(core, [attemptOf({ ...claim, leaseToken: 'req_other' }, { kind: 'failed' })]);
  expect(await reportsOf('delivery.exhausted')).toEqual([]);
  await settle(core, [claim], { kind: 'failed' });
  expect(await reportsOf('delivery.exhausted')).toHaveLength(1);
  await retryDelivery(context, { delivery_id: claim.deliveryId });
  await settle(core, [await claimOne(core, endpoint)], { kind: 'failed' });
  const other = await make();
  await reportGone(other);
  const operational = await claimOne(core, endpoint);
  expect(operational.eventType).toBe('webhook_endpoint.disabled');
  await settle(core, [operational], { kind: 'failed' });
  expect(await reportsOf('delivery.exhausted')).toHaveLength(1);
});

test('a backlog is reported once per episode, and a paused endpoint has none', async () => {
  const [endpoint, paused] = [await make({ events: ['bank.balance.updated'] }), await make()];
  const listener = await make({ events: ['webhook_endpoint.backlog'] });
  await updateEndpoint(context, { endpoint_id: paused, status: 'paused' });
  const age = async (minutes: number) => {
    await post(String(10 + minutes));
    const rows = await core.database.query<{ delivery_id: string }>(
      'SELECT delivery_id FROM due WHERE account_id = $1 AND due_at > now() - interval $$1 minute$$ AND endpoint_id <> $2',
      [context.accountId, listener],
    );
    for (const { delivery_id } of rows) await passTime(core, delivery_id, minutes * 60_000);
  };
  const reported = () => reportsOf('webhook_endpoint.backlog');
  await age(14);
  await reportBacklogs(core);
  expect(await reported()).toEqual([]);
  await age(16);
  await Promise.all([reportBacklogs(core), reportBacklogs(core)]);
  await reportBacklogs(core);
  expect(await reported()).toMatchObject([
    { id: endpoint, status: 'active', threshold_seconds: 900, waiting: 2, age_seconds: expect.closeTo(960, -1) },
  ]);
  expect(await auditsOf('webhookEndpoints.backlog')).toEqual([endpoint]);
  expect(await received(listener)).toEqual([['webhook_endpoint.backlog']]);

  const settleAll = async () => settle(core, await claimAll(core, endpoint));
  await settleAll();
  await reportBacklogs(core);
  await age(17);
  await reportBacklogs(core);
  expect(await reported()).toHaveLength(2);
});

test('a backlog that shrinks and grows again is one backlog, with one event', async () => {
  const endpoint = await make({ events: ['bank.balance.updated'] });
  await post();
  const [delivery] = await core.database.query<{ delivery_id: string }>(
    'SELECT delivery_id FROM due WHERE endpoint_id = $1',
    [endpoint],
  );
  for (const minutes of [16, -6, 6]) {
    await passTime(core, delivery?.delivery_id ?? '', minutes * 60_000);
    await reportBacklogs(core);
  }
  expect(await reportsOf('webhook_endpoint.backlog')).toMatchObject([{ id: endpoint }]);
});

test('sent again, an operational event goes where it would go today, and not to the one it is about', async () => {
  const [about, all] = [await make({ operational: true }), await make()];
  await reportGone(about);
  const [event] = await readFeed(context, 'webhook_endpoint.disabled');
  if (event === undefined) throw new Error('nothing was reported');
  await expect(redeliverEvent(context, { event_id: event.id })).rejects.toMatchObject({
    code: 'invalid_state_transition',
  });
  const asked = await make({ operational: true });
  const { data } = await redeliverEvent(context, { event_id: event.id });
  expect(data.map(({ endpoint_id }) => endpoint_id)).toEqual([asked]);
  expect(await received(all)).toEqual([[]]);
});

test('the operational types are marked in the catalogue', async () => {
  const { data } = await listEventTypes();
  expect(data.filter(({ operational }) => !operational).map(({ type }) => type)).toEqual([...eventTypes]);
  expect(data.filter(({ operational }) => operational).map(({ type }) => type)).toEqual([...operationalEventTypes]);
});

test('twenty endpoints that fail together get no events about failures, and the healthy one gets all', async () => {
  const failing = await Promise.all(Array.from({ length: 20 }, () => make({ operational: true })));
  const healthy = await make({ events: ['webhook_endpoint.failing', 'webhook_endpoint.disabled'] });
  await Promise.all(failing.map((id) => fail(id, 3)));
  await Promise.all(failing.map((id) => fail(id, 2)));
  await Promise.all(failing.map((id) => reportGone(id)));
  expect(await reportsOf('webhook_endpoint.disabled')).toHaveLength(20);
  const [toHealthy = [], ...toFailing] = await received(healthy, ...failing);
  expect(toFailing.flat()).toEqual([]);
  expect(toHealthy.filter((type) => type === 'webhook_endpoint.failing')).toHaveLength(20);
  expect(toHealthy).toHaveLength(40);
});

test('one failure among successes keeps no notice back, a breaker that is open does', async () => {
  const [about, once, open] = [await make(), await make(), await make()];
  await fail(once, 1);
  await core.database.query("UPDATE webhook_endpoint SET breaker = 'open' WHERE id = $1", [open]);
  await fail(about, 5);
  const receivers = await core.database.query<{ endpoint_id: string }>(
    "SELECT endpoint_id FROM delivery WHERE account_id = $1 AND event_type = 'webhook_endpoint.failing'",
    [context.accountId],
  );
  expect(receivers).toEqual([{ endpoint_id: once }]);
});
