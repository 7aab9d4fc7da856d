// Risk: the attempt log differs from the request on the wire, or contains a secret.
import { handlers } from '@finhook/core';
import { queueBackends, startReceiver } from '@finhook/testing';
import { describe, expect as globalExpect } from 'vitest';
import type { WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

const subscribeTo = ({ context }: WorkerFixture, url: string, headers?: Record<string, string>) =>
  handlers.webhookEndpoints.create(context, { url, events: ['bank.balance.updated'], ...(headers && { headers }) });

const ms = globalExpect.any(Number);

describe.each(queueBackends())('what is recorded of an attempt, the queue on %s', (name) => {
  const test = workerTest(name);

  test('a success and a failure leave their own evidence, a connection that is kept too', async ({
    fixture,
    expect,
    onTestFinished,
  }) => {
    // Endpoints of one origin share its connections, so this test has its own receiver.
    const alone = await startReceiver();
    onTestFinished(() => alone.close());
    const plain = await subscribeTo(fixture, `${alone.url}/plain?token=abc`);
    const busy = await fixture.subscribe('/busy');
    fixture.receiver.script('/busy', { status: 503, headers: { 'retry-after': '9', server: 'busy/1' }, body: 'later' });
    const worker = await fixture.startWorker();
    for (let posts = 0; posts < 2; posts++) {
      await fixture.post();
      await fixture.drain(worker);
    }
    const attemptsOf = async ({ id }: { id: string }) =>
      (await fixture.deliveriesTo(id)).map(({ attempts }) => attempts[0]);
    const sent = { url: plain.url, remote_address: '127.0.0.1', hint: null, response_headers: null };
    const first = { dns_ms: null, connect_ms: ms, tls_ms: null, first_byte_ms: ms, total_ms: ms };
    expect((await attemptsOf(plain)).slice(0, 2)).toMatchObject([
      { ...sent, connection_reused: false, timings: first },
      { ...sent, connection_reused: true, timings: { ...first, connect_ms: null } },
    ]);
    expect((await attemptsOf(busy))[0]).toMatchObject({
      error: 'http_503',
      response_headers: { 'retry-after': '9', server: 'busy/1' },
      response_snippet: 'later',
      hint: expect.stringContaining('Retry-After'),
    });
  });

  test('a test send is marked, made once, and disables nothing when it gets a 410', async ({ fixture, expect }) => {
    const { id } = await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { status: 410 }, {});
    const worker = await fixture.startWorker();
    await handlers.webhookEndpoints.test(fixture.context, { endpoint_id: id });
    await fixture.drain(worker);
    const once = { status: 'failed', attempt_count: 1, last_status_code: 410, next_attempt_at: null };
    expect(await fixture.deliveriesTo(id)).toMatchObject([once]);
    await fixture.post();
    await fixture.drain(worker);
    expect(fixture.receiver.requests.map(({ headers }) => headers['x-service-test'])).toEqual(['true', undefined]);
    expect((await fixture.readEndpoint(id)).status).toBe('active');
  });

  test('the headers shown are those that arrived, verify as such, and are in the command', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/hook');
    const worker = await fixture.startWorker();
    await fixture.post();
    await fixture.drain(worker);
    const [request] = fixture.receiver.requests;
    const [delivery] = await fixture.deliveriesTo(id);
    const { host, connection, ...arrived } = request?.headers ?? {};
    expect({ host, connection }).toEqual({ host: new URL(fixture.receiver.url).host, connection: 'keep-alive' });
    const shown = delivery?.attempts[0]?.request_headers ?? {};
    expect(shown).toEqual(arrived);
    const body = request?.body.toString() ?? '';
    expect(
      await handlers.webhookEndpoints.verifySignature(fixture.context, { endpoint_id: id, headers: shown, body }),
    ).toMatchObject({
      valid: true,
    });
    const { command } = await handlers.deliveries.curl(fixture.context, {
      delivery_id: delivery?.id ?? '',
      attempt: '1',
    });
    for (const value of [shown['x-service-signature'], shown['webhook-signature'], body])
      expect(command).toContain(value);
  });

  test('own headers go with every attempt; they, secrets, keys and bodies are in no log and no record', async ({
    fixture,
    expect,
  }) => {
    const headers = { authorization: 'Bearer canary-bearer-1', 'x-gate': 'canary gate "2"' };
    const { secret, id } = await subscribeTo(fixture, `${fixture.receiver.url}/echo`, headers);
    const body = JSON.stringify({ seen: headers, secret, nested: JSON.stringify(headers) });
    fixture.receiver.script('/echo', { status: 500, headers: { 'x-seen': headers['x-gate'] }, body }, {});
    const worker = await fixture.startWorker({ retryScale: 1e-5 });
    await fixture.post();
    await fixture.received(2);
    await fixture.drain(worker);
    for (const request of fixture.receiver.requests) expect(request.headers).toMatchObject(headers);
    const [delivery] = await fixture.deliveriesTo(id);
    for (const { request_headers } of delivery?.attempts ?? []) {
      expect(request_headers).toMatchObject({ authorization: '***', 'x-gate': '***' });
    }
    const curl = await handlers.deliveries.curl(fixture.context, { delivery_id: delivery?.id ?? '', attempt: '1' });
    expect(curl.masked_headers.sort()).toEqual(['authorization', 'x-gate']);
    const rows = await fixture.query('SELECT * FROM attempt');
    expect(rows).toHaveLength(2);
    const log = fixture.logLines.join('');
    for (const line of ['delivery attempt failed', '"delivered"']) expect(log).toContain(line);
    for (const canary of [fixture.apiKey, 'balance_cents', 'whsec_']) expect(log).not.toContain(canary);
    const kept = JSON.stringify([rows, delivery, curl]) + log;
    for (const canary of ['canary-bearer', 'canary gate', secret.slice(6)]) expect(kept).not.toContain(canary);
  });
});
