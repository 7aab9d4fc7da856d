// Risk: an endpoint's options are stored but ignored, or a receiver rejects deliveries during a rotation of its secret.
import { handlers } from '@finhook/core';
import { verifyServiceSignature, verifyStandardWebhook } from '@finhook/signing';
import { queueBackends, type ReceivedRequest } from '@finhook/testing';
import { describe } from 'vitest';
import { headerOf, isSignedWith } from './receipts.ts';
import type { WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

describe.each(queueBackends())('endpoint options in a running worker on %s', (name) => {
  const test = workerTest(name);

  async function deliver(fixture: WorkerFixture): Promise<ReceivedRequest> {
    const eventId = await fixture.post();
    const arrived = (request: ReceivedRequest) => headerOf(request, 'webhook-id') === eventId;
    const requests = await fixture.receiver.waitFor((all) => all.some(arrived), { timeoutMs: 10_000 });
    const request = requests.find(arrived);
    if (!request) throw new Error('nothing arrived');
    return request;
  }

  const acceptsService = async (secret: string, request: ReceivedRequest): Promise<boolean> => {
    const header = headerOf(request, 'x-service-signature');
    return (await verifyServiceSignature({ header, body: request.body, secrets: [secret], now: Date.now() / 1_000 }))
      .ok;
  };

  test('a receiver with the old secret and one with the new accept every delivery of the overlap, and no other', async ({
    fixture,
    expect,
  }) => {
    const { id, secret: old } = await fixture.subscribe('/hook');
    await fixture.startWorker();
    const before = await deliver(fixture);
    expect([isSignedWith(old, before), await acceptsService(old, before)]).toEqual([true, true]);

    const { secret: next } = await handlers.webhookEndpoints.rotateSecret(fixture.context, { endpoint_id: id });
    const during = await deliver(fixture);
    expect(headerOf(during, 'webhook-signature').split(' ')).toHaveLength(2);
    expect([isSignedWith(old, during), isSignedWith(next, during)]).toEqual([true, true]);
    expect([await acceptsService(old, during), await acceptsService(next, during)]).toEqual([true, false]);

    await handlers.webhookEndpoints.completeRotation(fixture.context, { endpoint_id: id });
    const after = await deliver(fixture);
    expect([isSignedWith(old, after), isSignedWith(next, after)]).toEqual([false, true]);
    expect([await acceptsService(old, after), await acceptsService(next, after)]).toEqual([false, true]);
    expect(headerOf(after, 'webhook-signature').split(' ')).toHaveLength(1);

    const { secret: last } = await handlers.webhookEndpoints.rotateSecret(fixture.context, {
      endpoint_id: id,
      overlap_seconds: 0,
    });
    const changed = await deliver(fixture);
    expect([isSignedWith(next, changed), isSignedWith(last, changed)]).toEqual([false, true]);
  });

  test('v1a verifies with the published key alone, beside v1, which the official library accepts', async ({
    fixture,
    expect,
  }) => {
    const { secret, public_key } = await fixture.subscribe('/hook', { signature_versions: ['v1', 'v1a'] });
    const other = await fixture.subscribe('/other', { signature_versions: ['v1', 'v1a'], events: ['company.created'] });
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
    expect([isSignedWith(secret, request), await acceptsService(secret, request)]).toEqual([true, true]);
  });

  test('an endpoint’s own schedule says how often it is tried', async ({ fixture, expect }) => {
    const often = await fixture.subscribe('/often', { retry_schedule: [1, 2] });
    const once = await fixture.subscribe('/once', { retry_schedule: [] });
    for (const path of ['/often', '/once']) fixture.receiver.script(path, { status: 500 });
    const worker = await fixture.startWorker({ retryScale: 0.01 });
    await fixture.post();
    await fixture.received(4);
    await fixture.drain(worker);
    const failed = { status: 'failed', next_attempt_at: null };
    expect(await fixture.deliveriesTo(often.id)).toMatchObject([{ ...failed, attempt_count: 3 }]);
    expect(await fixture.deliveriesTo(once.id)).toMatchObject([{ ...failed, attempt_count: 1 }]);
    expect(fixture.receiver.requests).toHaveLength(4);
  });

  test('an endpoint’s own timeout cuts its requests, also above that of the worker', async ({ fixture, expect }) => {
    const options = { retry_schedule: [] };
    // The minimum.
    const short = await fixture.subscribe('/short', { ...options, timeout_ms: 1_000 });
    const long = await fixture.subscribe('/long', { ...options, timeout_ms: 60_000 });
    const worker = await fixture.startWorker({ timeoutMs: 300 });
    const plain = await fixture.subscribe('/plain', options);
    for (const path of ['/short', '/long', '/plain']) fixture.receiver.script(path, { held: true });
    await fixture.post();
    await fixture.received(3);
    await expect.poll(async () => (await fixture.tally()).leased, { timeout: 10_000 }).toBe(1);
    fixture.receiver.release('/long');
    await fixture.drain(worker);
    const timedOut = [{ attempts: [{ error: 'timeout', status_code: null }] }];
    for (const { id } of [short, plain]) expect(await fixture.deliveriesTo(id)).toMatchObject(timedOut);
    expect(await fixture.deliveriesTo(long.id)).toMatchObject([{ attempts: [{ error: null, status_code: 200 }] }]);
  });
});
