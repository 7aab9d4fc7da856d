// Risk: an event is delivered wrongly: unsigned, to the wrong endpoint, after a rollback, or retried off its schedule.
import { createHmac } from 'node:crypto';
import { handlers } from '@finhook/core';
import { retryScheduleMs } from '@finhook/delivery';
import { queueBackends, type ReceiverResponse } from '@finhook/testing';
import { Webhook } from 'standardwebhooks';
import { describe } from 'vitest';
import { defaultTiming } from '../src/timing.ts';
import { headerOf } from './receipts.ts';
import type { WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

describe.concurrent.each(queueBackends())('the worker on %s', (name) => {
  const test = workerTest(name);

  const onlyDelivery = async (fixture: WorkerFixture, endpointId: string) => {
    const rows = await fixture.query<{ id: string }>('SELECT id FROM delivery WHERE endpoint_id = $1 ORDER BY id', [
      endpointId,
    ]);
    const [row] = rows;
    if (row === undefined || rows.length !== 1) throw new Error(`There are ${rows.length} deliveries.`);
    return handlers.deliveries.get(fixture.context, { delivery_id: row.id });
  };

  test('C45: an event arrives at once, with its exact bytes and both signatures', async ({ fixture, expect }) => {
    const { id, secret } = await fixture.subscribe('/hook');
    const worker = await fixture.startWorker();
    const eventId = await fixture.post();
    const [request] = await fixture.received(1);
    if (request === undefined) throw new Error('nothing arrived');
    await worker.drain();

    const [stored] = await fixture.query<{ body: string }>('SELECT body FROM event WHERE id = $1', [eventId]);
    expect(request.body).toEqual(Buffer.from(stored?.body ?? ''));
    expect(headerOf(request, 'webhook-id')).toBe(eventId);
    const standard = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((header) => [
      header,
      headerOf(request, header),
    ]);
    expect(() => new Webhook(secret).verify(request.body, Object.fromEntries(standard))).not.toThrow();

    const [t = '', signature] = headerOf(request, 'x-service-signature')
      .split(',')
      .map((part) => part.slice(part.indexOf('=') + 1));
    expect(createHmac('sha256', secret).update(`${t}.${request.body.toString()}`).digest('hex')).toBe(signature);
    expect(Number(t) * 1000).toBeLessThanOrEqual(request.receivedAt.getTime() + 1_000);
    expect(Number(t) * 1000).toBeGreaterThan(request.receivedAt.getTime() - 5_000);

    const delivery = await onlyDelivery(fixture, id);
    expect(delivery).toMatchObject({ status: 'succeeded', attempt_count: 1, last_status_code: 200, last_error: null });
    expect(delivery.attempts).toMatchObject([{ n: 1, trigger: 'automatic', status_code: 200, error: null }]);
    expect((await handlers.webhookEndpoints.get(fixture.context, { endpoint_id: id })).last_success_at).not.toBeNull();
  });

  test('S23: nothing that belongs to us is sent along, and little of the response is kept', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { body: 'x'.repeat(200_000), headers: { 'set-cookie': 'a=b' } });
    const worker = await fixture.startWorker();
    await fixture.post();
    await worker.drain();
    await fixture.post();
    await worker.drain();
    for (const request of fixture.receiver.requests) {
      expect(Object.keys(request.headers)).not.toEqual(expect.arrayContaining(['authorization']));
      expect(Object.keys(request.headers)).not.toEqual(expect.arrayContaining(['cookie']));
    }
    const rows = await fixture.query<{ size: number }>('SELECT octet_length(response_snippet) AS size FROM attempt');
    expect(rows).toHaveLength(2);
    for (const { size } of rows) expect(size).toBeLessThanOrEqual(4_096);
    expect((await handlers.webhookEndpoints.get(fixture.context, { endpoint_id: id })).consecutive_failures).toBe(0);
  });

  test('C22: a request that was rolled back is never delivered', async ({ fixture, expect }) => {
    await fixture.subscribe('/hook');
    const worker = await fixture.startWorker();
    const broken = {
      ...fixture.context,
      idempotency: {
        complete: async () => {
          throw new Error('the commit is prevented');
        },
      },
    };
    const input = {
      company_id: fixture.companyId,
      as_of: '2026-01-01',
      balance_cents: 1,
      currency: 'USD',
      source: 'test',
    };
    await expect(handlers.cash.balances.upsert(asContext(broken), input)).rejects.toThrow('the commit is prevented');
    const eventId = await fixture.post();
    await fixture.received(1);
    await worker.drain();
    expect(fixture.receiver.requests.map((request) => headerOf(request, 'webhook-id'))).toEqual([eventId]);
  });

  test('C45: ten attempts on the schedule, each with a fresh timestamp, the same id and the same bytes', async ({
    fixture,
    expect,
  }) => {
    const scale = 1e-5;
    const { id, secret } = await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { status: 500, body: 'no' });
    // The reconciler would need a minute for each: the wake-ups come in time.
    const timing = { ...defaultTiming, reconcileMs: 60_000 };
    const worker = await fixture.startWorker({ retryScale: scale, timing });
    const eventId = await fixture.post();
    const requests = await fixture.received(10);
    await worker.drain();

    expect(requests).toHaveLength(10);
    for (const [index, request] of requests.entries()) {
      expect(headerOf(request, 'webhook-id')).toBe(eventId);
      expect(headerOf(request, 'x-service-attempt')).toBe(String(index + 1));
      expect(request.body).toEqual(requests[0]?.body);
      const t = Number(headerOf(request, 'webhook-timestamp')) * 1000;
      expect(t).toBeLessThanOrEqual(request.receivedAt.getTime() + 1_000);
      expect(t).toBeGreaterThan(request.receivedAt.getTime() - 2_000);
      const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((header) => [
        header,
        headerOf(request, header),
      ]);
      expect(() => new Webhook(secret).verify(request.body, Object.fromEntries(headers))).not.toThrow();
      const previous = requests[index - 1];
      if (previous === undefined) continue;
      const waited = request.receivedAt.getTime() - previous.receivedAt.getTime();
      expect(waited).toBeGreaterThanOrEqual((retryScheduleMs[index] ?? 0) * scale * 0.8 - 5);
    }
    const delivery = await onlyDelivery(fixture, id);
    expect(delivery).toMatchObject({
      status: 'failed',
      attempt_count: 10,
      next_attempt_at: null,
      last_error: 'http_500',
    });
    expect(delivery.attempts.map(({ n, error }) => `${n} ${error}`)).toEqual(
      Array.from({ length: 10 }, (_, index) => `${index + 1} http_500`),
    );
    expect((await fixture.tally()).scheduled).toBe(0);
  });

  const failures: readonly (readonly [string, ReceiverResponse, number | null, string])[] = [
    [
      'S22: a 3xx is a failure and is never followed',
      { status: 302, headers: { location: '/elsewhere' } },
      302,
      'http_302',
    ],
    ['a 500 is a failure', { status: 500 }, 500, 'http_500'],
    ['a 404 is a failure', { status: 404 }, 404, 'http_404'],
    ['an endpoint that hangs times out', { fault: 'hang' }, null, 'timeout'],
    ['a body that drips past the deadline times out', { body: 'x'.repeat(1_000), dripMs: 20 }, 200, 'timeout'],
  ];
  test.for(failures)(
    '%s, and is tried again on the schedule',
    async ([, response, statusCode, error], { fixture, expect }) => {
      const { id } = await fixture.subscribe('/hook');
      fixture.receiver.script('/hook', response);
      const worker = await fixture.startWorker(error === 'timeout' ? { timeoutMs: 400 } : {});
      await fixture.post();
      await fixture.received(1);
      await worker.drain();

      expect(fixture.receiver.requests.map(({ path }) => path)).toEqual(['/hook']);
      const delivery = await onlyDelivery(fixture, id);
      expect(delivery).toMatchObject({ status: 'retrying', last_status_code: statusCode, last_error: error });
      expect(delivery.attempts).toMatchObject([{ n: 1, status_code: statusCode, error }]);
      expect(delivery.attempts[0]?.error_message).toMatch(/^(The|200 arrived;) .*\.( \(\w+\))?$/);
      const wait = Date.parse(delivery.next_attempt_at ?? '') - Date.parse(delivery.attempts[0]?.at ?? '');
      expect(wait).toBeGreaterThan(3_900);
      expect(wait).toBeLessThan(10_000);
      expect((await handlers.webhookEndpoints.get(fixture.context, { endpoint_id: id })).consecutive_failures).toBe(1);
    },
  );

  test('a connection that breaks is a failure after a second try at once, and is then tried on the schedule', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { fault: 'reset' });
    const worker = await fixture.startWorker();
    await fixture.post();
    await fixture.received(2);
    await worker.drain();
    const delivery = await onlyDelivery(fixture, id);
    expect(delivery).toMatchObject({ status: 'retrying', attempt_count: 2, last_error: 'reset' });
    expect(delivery.attempts.map(({ n, error }) => `${n} ${error}`)).toEqual(['1 reset', '2 reset']);
    const [first, second] = fixture.receiver.requests;
    expect([first, second].map((request) => request && headerOf(request, 'x-service-attempt'))).toEqual(['1', '2']);
    expect((second?.receivedAt.getTime() ?? 0) - (first?.receivedAt.getTime() ?? 0)).toBeLessThan(2_000);
    const wait = Date.parse(delivery.next_attempt_at ?? '') - Date.parse(delivery.attempts[1]?.at ?? '');
    expect(wait).toBeGreaterThan(3_900);
    expect(wait).toBeLessThan(10_000);
    expect((await handlers.webhookEndpoints.get(fixture.context, { endpoint_id: id })).consecutive_failures).toBe(1);
  });

  test('Retry-After puts the next attempt off, unscaled', async ({ fixture, expect }) => {
    const { id } = await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { status: 503, headers: { 'retry-after': '120' } });
    const worker = await fixture.startWorker({ retryScale: 1e-5 });
    await fixture.post();
    await fixture.received(1);
    await worker.drain();
    const delivery = await onlyDelivery(fixture, id);
    const wait = Date.parse(delivery.next_attempt_at ?? '') - Date.parse(delivery.attempts[0]?.at ?? '');
    expect(wait).toBeGreaterThan(119_000);
    expect(wait).toBeLessThan(125_000);
  });

  test('410 disables the endpoint at once; what was due to it is kept and not sent', async ({ fixture, expect }) => {
    const { id } = await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { status: 410 });
    await fixture.postMany(100);
    const worker = await fixture.startWorker();
    await fixture.received(1);
    await worker.drain();
    expect(await handlers.webhookEndpoints.get(fixture.context, { endpoint_id: id })).toMatchObject({
      status: 'disabled',
      disabled_reason: 'gone',
    });
    // Those of the first window were under way together.
    expect(fixture.receiver.requests.length).toBeLessThanOrEqual(8);
    const sent = fixture.receiver.requests.length;
    expect(await fixture.tally()).toMatchObject({ accepted: 100, terminal: sent, scheduled: 100 - sent, leased: 0 });
    await fixture.post();
    await worker.drain();
    expect(fixture.receiver.requests).toHaveLength(sent);
  });

  test('410 of an address that was replaced while it responded disables nothing; beside any other change it disables', async ({
    fixture,
    expect,
  }) => {
    const [moved, renamed] = [await fixture.subscribe('/old'), await fixture.subscribe('/gone')];
    for (const path of ['/old', '/gone']) fixture.receiver.script(path, { status: 410, delayMs: 500 });
    const worker = await fixture.startWorker();
    await fixture.post();
    await fixture.received(2);
    await handlers.webhookEndpoints.update(fixture.context, {
      endpoint_id: moved.id,
      url: `${fixture.receiver.url}/new`,
    });
    await handlers.webhookEndpoints.update(fixture.context, { endpoint_id: renamed.id, description: 'Nightly' });
    await worker.drain();
    expect(await onlyDelivery(fixture, moved.id)).toMatchObject({ status: 'failed', last_status_code: 410 });
    expect(await handlers.webhookEndpoints.get(fixture.context, { endpoint_id: moved.id })).toMatchObject({
      status: 'active',
    });
    expect(await handlers.webhookEndpoints.get(fixture.context, { endpoint_id: renamed.id })).toMatchObject({
      status: 'disabled',
    });
  });

  test('webhook_endpoint.failing goes to the other endpoint, once per streak', async ({ fixture, expect }) => {
    const failing = await fixture.subscribe('/failing', []);
    // The notice comes before the second attempts, however busy the machine is.
    const later = { endpoint_id: failing.id, retry_schedule: [3_600] };
    await handlers.webhookEndpoints.update(fixture.context, later);
    await fixture.subscribe('/other', ['webhook_endpoint.failing']);
    fixture.receiver.script('/failing', { status: 500, body: 'no' });
    const worker = await fixture.startWorker();
    await fixture.postMany(12);
    await fixture.receiver.waitFor((requests) => requests.some(({ path }) => path === '/other'), { timeoutMs: 30_000 });
    await worker.drain();
    const paths = fixture.receiver.requests.map(({ path }) => path);
    expect(paths.filter((path) => path === '/other')).toHaveLength(1);
    expect(paths.filter((path) => path === '/failing')).toHaveLength(12);
    const notice = fixture.receiver.requests.find(({ path }) => path === '/other');
    const { type, data } = JSON.parse(notice?.body.toString() ?? '{}');
    expect(type).toBe('webhook_endpoint.failing');
    expect(data).toMatchObject({ id: failing.id, last_status_code: 500 });
    expect(data.last_error).toContain('500');
    expect(notice?.body.toString()).not.toContain(failing.secret);
  });

  test('what is due to a paused endpoint waits for its resumption', async ({ fixture, expect }) => {
    const { id } = await fixture.subscribe('/hook');
    await handlers.webhookEndpoints.update(fixture.context, { endpoint_id: id, status: 'paused' });
    const worker = await fixture.startWorker();
    await fixture.postMany(20);
    await worker.drain();
    expect(fixture.receiver.requests).toHaveLength(0);
    expect(await fixture.tally()).toMatchObject({ accepted: 20, scheduled: 20 });
    await handlers.webhookEndpoints.update(fixture.context, { endpoint_id: id, status: 'active' });
    await fixture.received(20);
    await worker.drain();
    expect(await fixture.tally()).toMatchObject({ succeeded: 20, scheduled: 0 });
  });

  test('S39: deleting an endpoint cancels what was to be tried again', async ({ fixture, expect }) => {
    const { id } = await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { status: 500 });
    const worker = await fixture.startWorker();
    await fixture.post();
    await fixture.received(1);
    await worker.drain();
    await handlers.webhookEndpoints.delete(fixture.context, { endpoint_id: id });
    expect(await onlyDelivery(fixture, id)).toMatchObject({ status: 'cancelled', attempt_count: 1 });
    await worker.drain();
    expect(fixture.receiver.requests).toHaveLength(1);
  });

  test('a test send is marked, made once, and never retried', async ({ fixture, expect }) => {
    const { id } = await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { status: 500 });
    const worker = await fixture.startWorker();
    await handlers.webhookEndpoints.test(fixture.context, { endpoint_id: id });
    const [request] = await fixture.received(1);
    await worker.drain();
    expect(request?.headers['x-service-test']).toBe('true');
    expect(await onlyDelivery(fixture, id)).toMatchObject({
      status: 'failed',
      attempt_count: 1,
      next_attempt_at: null,
    });
  });

  test('a manual attempt that fails leaves the schedule as it was; one that succeeds ends the delivery', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { status: 500 }, { status: 500 }, { status: 200 });
    const worker = await fixture.startWorker();
    await fixture.post();
    await fixture.received(1);
    await worker.drain();
    const before = await onlyDelivery(fixture, id);
    await handlers.deliveries.retry(fixture.context, { delivery_id: before.id });
    await fixture.received(2);
    await worker.drain();
    const after = await onlyDelivery(fixture, id);
    expect(after).toMatchObject({ status: 'retrying', attempt_count: 2, next_attempt_at: before.next_attempt_at });
    expect(after.attempts[1]).toMatchObject({ trigger: 'manual', error: 'http_500' });
    await handlers.deliveries.retry(fixture.context, { delivery_id: before.id });
    await fixture.received(3);
    await worker.drain();
    expect(await onlyDelivery(fixture, id)).toMatchObject({
      status: 'succeeded',
      attempt_count: 3,
      next_attempt_at: null,
    });
  });

  test('an endpoint that hangs holds few connections and delays nobody', async ({ fixture, expect }) => {
    await fixture.subscribe('/hanging');
    fixture.receiver.script('/hanging', { fault: 'hang' });
    for (const index of [1, 2, 3]) await fixture.subscribe(`/healthy/${index}`);
    await fixture.postMany(200);
    await fixture.startWorker({ timeoutMs: 60_000 });
    const hung = () => fixture.arrivals('/hanging').length;
    // Long before the first of the hanging ones is given up.
    const requests = await fixture.receiver.waitFor((all) => all.length - hung() === 600, { timeoutMs: 30_000 });
    expect(requests.length - 600).toBeLessThanOrEqual(8);
    await expect.poll(async () => (await fixture.tally()).succeeded).toBe(600);
  });

  test('S20: no secret, key or body is in any log line', async ({ fixture, expect }) => {
    const failing = await fixture.subscribe('/failing');
    const healthy = await fixture.subscribe('/healthy');
    fixture.receiver.script('/failing', { status: 500, body: 'canary-in-the-response' });
    const worker = await fixture.startWorker();
    await fixture.postMany(3);
    await fixture.received(6);
    await worker.drain();
    const log = fixture.logLines.join('');
    expect(log).toContain('delivery attempt failed');
    expect(log).toContain('"delivered"');
    const canaries = [
      failing.secret,
      healthy.secret,
      fixture.apiKey,
      'canary-in-the-response',
      'balance_cents',
      'whsec_',
    ];
    for (const canary of canaries) expect(log).not.toContain(canary);
  });
});

/** Only `complete` is used by the verb. */
function asContext(
  context: Omit<WorkerFixture['context'], 'idempotency'> & { idempotency: object },
): WorkerFixture['context'] {
  return context as WorkerFixture['context'];
}
