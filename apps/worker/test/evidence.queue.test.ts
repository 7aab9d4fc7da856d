// Risk: what really happened on the wire is not what the log of attempts shows, or a secret gets into that log.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { handlers } from '@finhook/core';
import { makeCertificate, queueBackends, startReceiver } from '@finhook/testing';
import { describe, expect as globalExpect } from 'vitest';
import type { WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

const subscribeTo = ({ context }: WorkerFixture, url: string, headers?: Record<string, string>) =>
  handlers.webhookEndpoints.create(context, { url, events: ['bank.balance.updated'], ...(headers && { headers }) });

const ms = globalExpect.any(Number);

describe.each(queueBackends())('what is recorded of an attempt, the queue on %s', (name) => {
  const test = workerTest(name);

  test('each way to fail or to succeed leaves its own evidence', async ({ fixture, expect, onTestFinished }) => {
    const certificate = makeCertificate();
    const before = getCACertificates();
    setDefaultCACertificates([certificate.cert]);
    onTestFinished(() => setDefaultCACertificates(before));
    const secure = createServer(certificate, (request, response) => {
      request.resume().on('end', () => response.setHeader('x-request-id', 'req-7').end('ok'));
    });
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => secure.close().closeAllConnections());
    const { port } = addressOf(secure.address());

    const tls = await subscribeTo(fixture, `https://localhost:${port}/hook?token=abc`);
    // A receiver of its own: endpoints of one origin share its connections.
    const alone = await startReceiver();
    onTestFinished(() => alone.close());
    const plain = await subscribeTo(fixture, `${alone.url}/plain`);
    const reset = await fixture.subscribe('/reset');
    // The shortest that can be asked for.
    const hang = await fixture.subscribe('/hang', { timeout_ms: 1_000 });
    const busy = await fixture.subscribe('/busy');
    const rejected = await subscribeTo(fixture, 'http://127.0.0.1:9/hook');
    fixture.receiver.script('/reset', { fault: 'reset' });
    fixture.receiver.script('/hang', { fault: 'hang' });
    fixture.receiver.script('/busy', { status: 503, headers: { 'retry-after': '9', server: 'busy/1' }, body: 'later' });
    const worker = await fixture.startWorker();
    await fixture.post();
    await worker.drain();
    await fixture.post();
    await worker.drain();

    const attemptsOf = async ({ id }: { id: string }) =>
      (await fixture.deliveriesTo(id)).map(({ attempts }) => attempts[0]);
    const fresh = { connection_reused: false, timings: { dns_ms: null, connect_ms: ms, tls_ms: null } };
    const kept = {
      connection_reused: true,
      timings: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: ms },
    };
    expect((await attemptsOf(plain)).slice(0, 2)).toMatchObject([
      { url: plain.url, remote_address: '127.0.0.1', hint: null, ...fresh, response_headers: null },
      { url: plain.url, remote_address: '127.0.0.1', hint: null, ...kept },
    ]);
    expect((await attemptsOf(tls)).slice(0, 2)).toMatchObject([
      {
        url: `https://localhost:${port}/hook?token=abc`,
        connection_reused: false,
        timings: { dns_ms: ms, connect_ms: ms, tls_ms: ms, first_byte_ms: ms, total_ms: ms },
        response_headers: { 'x-request-id': 'req-7' },
        response_snippet: 'ok',
      },
      { ...kept, remote_address: '127.0.0.1' },
    ]);
    const noResponse = { status_code: null, response_headers: null, response_snippet: null, hint: expect.any(String) };
    expect((await attemptsOf(reset))[0]).toMatchObject({ ...noResponse, error: 'reset', ...fresh });
    expect((await attemptsOf(hang))[0]).toMatchObject({ ...noResponse, error: 'timeout', ...fresh });
    expect((await attemptsOf(rejected))[0]).toMatchObject({
      ...noResponse,
      error: 'connect_refused',
      remote_address: '127.0.0.1',
      connection_reused: null,
      request_headers: null,
    });
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
    await worker.drain();
    const once = { status: 'failed', attempt_count: 1, last_status_code: 410, next_attempt_at: null };
    expect(await fixture.deliveriesTo(id)).toMatchObject([once]);
    await fixture.post();
    await worker.drain();
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
    await worker.drain();
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
    await worker.drain();
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

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.');
  return address;
}
