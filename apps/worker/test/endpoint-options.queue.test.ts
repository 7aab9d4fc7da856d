// Risk: an endpoint's options are stored and not honoured, or a receiver rejects deliveries while a secret changes.
import { handlers } from '@finhook/core';
import { verifyServiceSignature, verifyStandardWebhook } from '@finhook/signing';
import { queueBackends, type ReceivedRequest } from '@finhook/testing';
import { Webhook } from 'standardwebhooks';
import { describe } from 'vitest';
import { headerOf } from './receipts.ts';
import type { WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

describe.concurrent.each(queueBackends())('endpoint options in a running worker on %s', (name) => {
  const test = workerTest(name);

  const subscribe = (
    fixture: WorkerFixture,
    options: Omit<Parameters<typeof handlers.webhookEndpoints.create>[1], 'url'> = {},
  ) =>
    handlers.webhookEndpoints.create(fixture.context, {
      url: `${fixture.receiver.url}/hook`,
      events: ['bank.balance.updated'],
      ...options,
    });

  /** Posts one event and waits for its request. */
  async function deliver(fixture: WorkerFixture): Promise<ReceivedRequest> {
    const eventId = await fixture.post();
    const arrived = (request: ReceivedRequest) => headerOf(request, 'webhook-id') === eventId;
    const requests = await fixture.receiver.waitFor((all) => all.some(arrived), { timeoutMs: 10_000 });
    const request = requests.find(arrived);
    if (!request) throw new Error('nothing arrived');
    return request;
  }

  function standardHeaders(request: ReceivedRequest) {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    return Object.fromEntries(names.map((header) => [header, headerOf(request, header)]));
  }

  const acceptsStandard = (secret: string, request: ReceivedRequest): boolean => {
    try {
      return new Webhook(secret).verify(request.body, standardHeaders(request)) !== undefined;
    } catch {
      return false;
    }
  };
  const acceptsService = async (secret: string, request: ReceivedRequest): Promise<boolean> => {
    const header = headerOf(request, 'x-service-signature');
    return (await verifyServiceSignature({ header, body: request.body, secrets: [secret], now: Date.now() / 1_000 }))
      .ok;
  };

  test('D44: a receiver with the old secret and one with the new accept every delivery of the overlap, and no other', async ({
    fixture,
    expect,
  }) => {
    const { id, secret: old } = await subscribe(fixture);
    await fixture.startWorker();
    const before = await deliver(fixture);
    expect([acceptsStandard(old, before), await acceptsService(old, before)]).toEqual([true, true]);

    const { secret: next } = await handlers.webhookEndpoints.rotateSecret(fixture.context, { endpoint_id: id });
    const during = await deliver(fixture);
    expect(headerOf(during, 'webhook-signature').split(' ')).toHaveLength(2);
    expect([acceptsStandard(old, during), acceptsStandard(next, during)]).toEqual([true, true]);
    expect([await acceptsService(old, during), await acceptsService(next, during)]).toEqual([true, false]);

    await handlers.webhookEndpoints.completeRotation(fixture.context, { endpoint_id: id });
    const after = await deliver(fixture);
    expect([acceptsStandard(old, after), acceptsStandard(next, after)]).toEqual([false, true]);
    expect([await acceptsService(old, after), await acceptsService(next, after)]).toEqual([false, true]);
    expect(headerOf(after, 'webhook-signature').split(' ')).toHaveLength(1);

    const { secret: last } = await handlers.webhookEndpoints.rotateSecret(fixture.context, {
      endpoint_id: id,
      overlap_seconds: 0,
    });
    const changed = await deliver(fixture);
    expect([acceptsStandard(next, changed), acceptsStandard(last, changed)]).toEqual([false, true]);
  });

  test('v1a verifies with the published key alone, beside v1, which the official library accepts', async ({
    fixture,
    expect,
  }) => {
    const { secret, public_key } = await subscribe(fixture, { signature_versions: ['v1', 'v1a'] });
    const other = await subscribe(fixture, { signature_versions: ['v1', 'v1a'], events: ['company.created'] });
    await fixture.startWorker();
    const request = await deliver(fixture);
    const verifyWith = (key: string | null) =>
      verifyStandardWebhook({
        headers: {
          id: headerOf(request, 'webhook-id'),
          timestamp: headerOf(request, 'webhook-timestamp'),
          signature: headerOf(request, 'webhook-signature'),
        },
        body: request.body,
        secrets: [key ?? ''],
        now: Date.now() / 1_000,
      });
    expect(headerOf(request, 'webhook-signature')).toMatch(/^v1,[\w+/=]+ v1a,[\w+/=]+$/);
    expect(await verifyWith(public_key)).toMatchObject({ ok: true });
    expect(await verifyWith(other.public_key)).toEqual({ ok: false, reason: 'no_matching_signature' });
    expect([acceptsStandard(secret, request), await acceptsService(secret, request)]).toEqual([true, true]);
  });

  test('S20: own headers are sent with every attempt and are in no log and no record of it', async ({
    fixture,
    expect,
  }) => {
    const token = 'Bearer opensesame-0123456789';
    const { id } = await subscribe(fixture, { headers: { Authorization: token, 'X-Env': 'prod' } });
    fixture.receiver.script('/hook', { status: 500, body: `you sent ${token}` }, {});
    const worker = await fixture.startWorker({ retryScale: 1e-5 });
    await fixture.post();
    const requests = await fixture.receiver.waitFor((all) => all.length >= 2, { timeoutMs: 10_000 });
    await worker.drain();
    for (const request of requests) expect(request.headers).toMatchObject({ authorization: token, 'x-env': 'prod' });
    const [delivery] = (await handlers.deliveries.list(fixture.context, { limit: 1, order: 'desc', endpoint_id: id }))
      .data;
    const record = await handlers.deliveries.get(fixture.context, { delivery_id: delivery?.id ?? '' });
    expect(record.attempts).toHaveLength(2);
    expect(JSON.stringify(record)).not.toContain('opensesame');
    expect(fixture.logLines.join('')).not.toContain('opensesame');
  });

  test('an endpoint’s own schedule says when and how often it is tried', async ({ fixture, expect }) => {
    const { id } = await subscribe(fixture, { retry_schedule: [1, 2] });
    const single = await handlers.webhookEndpoints.create(fixture.context, {
      url: `${fixture.receiver.url}/once`,
      retry_schedule: [],
    });
    fixture.receiver.script('/hook', { status: 500 });
    fixture.receiver.script('/once', { status: 500 });
    const worker = await fixture.startWorker({ retryScale: 0.2 });
    await fixture.post();
    const to = (path: string) => fixture.receiver.requests.filter((request) => request.path === path);
    await fixture.receiver.waitFor(() => to('/hook').length >= 3 && to('/once').length > 0, { timeoutMs: 10_000 });
    await worker.drain();
    for (const [endpoint_id, attempt_count] of [
      [id, 3],
      [single.id, 1],
    ] as const) {
      const { data } = await handlers.deliveries.list(fixture.context, { limit: 5, order: 'desc', endpoint_id });
      expect(data).toMatchObject([{ status: 'failed', attempt_count, next_attempt_at: null }]);
    }
    const times = to('/hook').map(({ receivedAt }) => receivedAt.getTime());
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(155);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(315);
    expect(to('/once')).toHaveLength(1);
  });

  test('an endpoint’s own timeout cuts its requests, also above that of the worker', async ({ fixture, expect }) => {
    const short = await subscribe(fixture, { timeout_ms: 1_000, retry_schedule: [] });
    fixture.receiver.script('/hook', { delayMs: 1_500 });
    const worker = await fixture.startWorker();
    await fixture.post();
    await fixture.receiver.waitFor((all) => all.length >= 1, { timeoutMs: 10_000 });
    await worker.drain();
    const attemptsOf = async () => {
      const { data } = await handlers.deliveries.list(fixture.context, {
        limit: 1,
        order: 'desc',
        endpoint_id: short.id,
      });
      return (await handlers.deliveries.get(fixture.context, { delivery_id: data[0]?.id ?? '' })).attempts;
    };
    expect(await attemptsOf()).toMatchObject([{ error: 'timeout', status_code: null }]);
    await worker.close();

    const patient = await fixture.startWorker({ timeoutMs: 500 });
    await handlers.webhookEndpoints.update(fixture.context, { endpoint_id: short.id, timeout_ms: 5_000 });
    await fixture.post();
    await fixture.receiver.waitFor((all) => all.length >= 2, { timeoutMs: 10_000 });
    await patient.drain();
    expect(await attemptsOf()).toMatchObject([{ error: null, status_code: 200 }]);
  });
});
