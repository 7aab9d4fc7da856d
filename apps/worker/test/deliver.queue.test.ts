// Risk: an event is delivered wrongly: unsigned, to the wrong endpoint, after a rollback, or retried off its schedule.
import { createHmac } from 'node:crypto';
import { eventDefinition } from '@finhook/contracts';
import { handlers } from '@finhook/core';
import { queueBackends, type ReceiverResponse } from '@finhook/testing';
import { describe } from 'vitest';
import { quickTiming } from './quick-timing.ts';
import { headerOf, isSignedWith } from './receipts.ts';
import type { WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

const secondsOf = (at: string | undefined) => Math.floor(Date.parse(at ?? '') / 1_000);

describe.each(queueBackends())('the worker on %s', (name) => {
  const test = workerTest(name);

  test('sends an event with its exact bytes, both signatures, and no credential', async ({ fixture, expect }) => {
    const { id, secret } = await fixture.subscribe('/hook');
    const worker = await fixture.startWorker();
    const eventId = await fixture.post();
    const [request] = await fixture.received(1);
    if (request === undefined) throw new Error('nothing arrived');
    await fixture.drain(worker);

    const [stored] = await fixture.query<{ body: string }>('SELECT body FROM event WHERE id = $1', [eventId]);
    expect(request.body).toEqual(Buffer.from(stored?.body ?? ''));
    expect(headerOf(request, 'webhook-id')).toBe(eventId);
    expect(isSignedWith(secret, request)).toBe(true);
    const [t = '', signature] = headerOf(request, 'x-service-signature')
      .split(',')
      .map((part) => part.slice(part.indexOf('=') + 1));
    expect(createHmac('sha256', secret).update(`${t}.${request.body.toString()}`).digest('hex')).toBe(signature);
    for (const credential of ['authorization', 'cookie']) expect(request.headers).not.toHaveProperty(credential);

    const [delivery] = await fixture.deliveriesTo(id);
    expect(delivery).toMatchObject({ status: 'succeeded', attempt_count: 1, last_status_code: 200, last_error: null });
    expect(delivery?.attempts).toMatchObject([{ n: 1, trigger: 'automatic', status_code: 200, error: null }]);
    expect(Number(t)).toBe(secondsOf(delivery?.attempts[0]?.at));
    expect((await fixture.readEndpoint(id)).last_success_at).not.toBeNull();
  });

  test('never delivers an event of a rolled-back transaction', async ({ fixture, expect }) => {
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
    const input = { company_id: fixture.companyId, as_of: '2026-01-01', balance_cents: 1, currency: 'USD' };
    await expect(handlers.cash.balances.upsert(asContext(broken), input)).rejects.toThrow('the commit is prevented');
    const eventId = await fixture.post();
    await fixture.received(1);
    await fixture.drain(worker);
    expect(fixture.receiver.requests.map((request) => headerOf(request, 'webhook-id'))).toEqual([eventId]);
  });

  test('makes ten attempts, each with a fresh timestamp, the same id and the same bytes', async ({
    fixture,
    expect,
  }) => {
    const { id, secret } = await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { status: 500, body: 'no' });
    // Wake-ups arrive in time: the reconciler would need a minute for each retry.
    const worker = await fixture.startWorker({ retryScale: 1e-5, timing: { ...quickTiming, reconcileMs: 60_000 } });
    const eventId = await fixture.post();
    const requests = await fixture.received(10);
    await fixture.drain(worker);

    const [delivery] = await fixture.deliveriesTo(id);
    expect(delivery).toMatchObject({
      status: 'failed',
      attempt_count: 10,
      next_attempt_at: null,
      last_error: 'http_500',
    });
    expect(delivery?.attempts.map(({ n, error }) => `${n} ${error}`)).toEqual(
      Array.from({ length: 10 }, (_, index) => `${index + 1} http_500`),
    );
    expect((await fixture.tally()).scheduled).toBe(0);
    expect(requests).toHaveLength(10);
    for (const [index, request] of requests.entries()) {
      expect(headerOf(request, 'webhook-id')).toBe(eventId);
      expect(headerOf(request, 'x-service-attempt')).toBe(String(index + 1));
      expect(request.body).toEqual(requests[0]?.body);
      expect(isSignedWith(secret, request)).toBe(true);
      expect(Number(headerOf(request, 'webhook-timestamp'))).toBe(secondsOf(delivery?.attempts[index]?.at));
    }
  });

  // The second attempt comes after five seconds, times ten.
  const scheduled = [40_000, 65_000] as const;
  const failures: readonly (readonly [string, ReceiverResponse, number | null, string, readonly [number, number]])[] = [
    ['redirect', { status: 302, headers: { location: '/elsewhere' } }, 302, 'http_302', scheduled],
    ['500', { status: 500 }, 500, 'http_500', scheduled],
    ['404', { status: 404 }, 404, 'http_404', scheduled],
    ['hang', { fault: 'hang' }, null, 'timeout', scheduled],
    ['drip', { body: 'x'.repeat(1_000), dripMs: 20 }, 200, 'timeout', scheduled],
    ['reset', { fault: 'reset' }, null, 'reset', scheduled],
    ['retry-after', { status: 503, headers: { 'retry-after': '120' } }, 503, 'http_503', [119_000, 130_000]],
  ];
  test('retries on the schedule or after Retry-After, and follows no redirect', async ({ fixture, expect }) => {
    const endpoints = new Map<string, string>();
    for (const [path, response] of failures) {
      fixture.receiver.script(`/${path}`, response);
      endpoints.set(path, (await fixture.subscribe(`/${path}`)).id);
    }
    const worker = await fixture.startWorker({ timeoutMs: 300, retryScale: 10 });
    await fixture.post();
    await fixture.received(failures.length + 1);
    await fixture.drain(worker);

    for (const [path, , statusCode, error, [least, most]] of failures) {
      // A reset connection gets an immediate retry.
      const numbers = error === 'reset' ? [1, 2] : [1];
      const sent = fixture.arrivals(`/${path}`).map((request) => Number(headerOf(request, 'x-service-attempt')));
      expect(sent, path).toEqual(numbers);
      const [delivery] = await fixture.deliveriesTo(endpoints.get(path) ?? '');
      expect(delivery, path).toMatchObject({
        status: 'retrying',
        attempt_count: numbers.length,
        last_status_code: statusCode,
        last_error: error,
        attempts: numbers.map((n) => ({ n, error })),
      });
      expect(delivery?.attempts[0]?.error_message).toMatch(/^(The|200 arrived;) .*\.( \(\w+\))?$/);
      const wait = Date.parse(delivery?.next_attempt_at ?? '') - Date.parse(delivery?.attempts.at(-1)?.at ?? '');
      expect(wait, path).toBeGreaterThan(least);
      expect(wait, path).toBeLessThan(most);
      expect((await fixture.readEndpoint(endpoints.get(path) ?? '')).consecutive_failures, path).toBe(1);
    }
    expect(fixture.arrivals('/elsewhere')).toEqual([]);
  });

  test('disables an endpoint at once that returns 410; its due deliveries are kept and not sent', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { status: 410 });
    await fixture.postMany(30);
    const worker = await fixture.startWorker();
    await fixture.received(1);
    await fixture.drain(worker);
    expect(await fixture.readEndpoint(id)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    // The first window is sent at the same time.
    const sent = fixture.receiver.requests.length;
    expect(sent).toBeLessThanOrEqual(8);
    expect(await fixture.tally()).toMatchObject({ accepted: 30, terminal: sent, scheduled: 30 - sent, leased: 0 });
    await fixture.post();
    await fixture.drain(worker);
    expect(fixture.receiver.requests).toHaveLength(sent);
  });

  test('disables no endpoint for a 410 of a replaced URL, but does after any other change', async ({
    fixture,
    expect,
  }) => {
    const [moved, renamed] = [await fixture.subscribe('/old'), await fixture.subscribe('/gone')];
    for (const path of ['/old', '/gone']) fixture.receiver.script(path, { status: 410, held: true });
    const worker = await fixture.startWorker();
    await fixture.post();
    await fixture.received(2);
    await fixture.updateEndpoint(moved.id, { url: `${fixture.receiver.url}/new` });
    await fixture.updateEndpoint(renamed.id, { description: 'Nightly' });
    fixture.receiver.release();
    await fixture.drain(worker);
    expect(await fixture.deliveriesTo(moved.id)).toMatchObject([{ status: 'failed', last_status_code: 410 }]);
    expect((await fixture.readEndpoint(moved.id)).status).toBe('active');
    expect((await fixture.readEndpoint(renamed.id)).status).toBe('disabled');
  });

  test('notifies the other endpoint once per streak of a failing one', async ({ fixture, expect }) => {
    // The notice is sent before the second attempts, even on a busy machine.
    const failing = await fixture.subscribe('/failing', { events: [], retry_schedule: [3_600] });
    await fixture.subscribe('/other', { events: ['webhook_endpoint.failing'] });
    fixture.receiver.script('/failing', { status: 500, body: 'no' });
    const worker = await fixture.startWorker();
    await fixture.postMany(12);
    await fixture.receiver.waitFor(() => fixture.arrivals('/other').length > 0, { timeoutMs: 30_000 });
    await fixture.drain(worker);
    expect(fixture.arrivals('/failing')).toHaveLength(12);
    const [notice, ...others] = fixture.arrivals('/other');
    expect(others).toEqual([]);
    const { type, data } = JSON.parse(notice?.body.toString() ?? '{}');
    expect(type).toBe('webhook_endpoint.failing');
    expect(data).toMatchObject({ id: failing.id, last_status_code: 500 });
    expect(eventDefinition('webhook_endpoint.failing').data.parse(data)).toEqual(data);
    expect(data.last_error).toContain('500');
    expect(notice?.body.toString()).not.toContain(failing.secret);
  });

  test('a hanging endpoint gets few connections, and delays no other', async ({ fixture, expect }) => {
    await fixture.subscribe('/hanging');
    fixture.receiver.script('/hanging', { fault: 'hang' });
    for (const index of [1, 2, 3]) await fixture.subscribe(`/healthy/${index}`);
    await fixture.postMany(30);
    await fixture.startWorker({ timeoutMs: 60_000 });
    const hung = () => fixture.arrivals('/hanging').length;
    await fixture.receiver.waitFor((all) => all.length - hung() === 90, { timeoutMs: 30_000 });
    expect(hung()).toBeLessThanOrEqual(8);
    await expect.poll(async () => (await fixture.tally()).succeeded).toBe(90);
  });
});

/** The verb reads only `idempotency.complete`. */
function asContext(
  context: Omit<WorkerFixture['context'], 'idempotency'> & { idempotency: object },
): WorkerFixture['context'] {
  return context as WorkerFixture['context'];
}
