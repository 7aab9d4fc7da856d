// Risk: a ping reaches a private network, is sent too often, or looks like an event.
import { verifyServiceSignature, verifyStandardWebhook } from '@finhook/signing';
import { createTestClock, type ReceivedRequest, type Receiver, startReceiver } from '@finhook/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { readAudits } from '../../../test/read-audits.ts';
import { openCore } from '../../open-core.ts';
import type { Context } from '../../verbs/context.ts';
import { listDeliveries } from '../deliveries/read.ts';
import { createEndpoint } from './create.ts';
import { pingEndpoint } from './ping.ts';
import { getEndpoint } from './read.ts';
import { rotateSecret } from './rotate-secret.ts';
import { updateEndpoint } from './update.ts';

const closing: (() => Promise<void>)[] = [];
const clock = createTestClock(new Date());
const fixture = useFixture(clock);
let context: Context;
beforeEach(async () => {
  context = (await fixture.otherAccount()).context;
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function receiver(respond: (request: ReceivedRequest) => object): Promise<Receiver> {
  const started = await startReceiver({ respond });
  closing.push(() => started.close());
  return started;
}

function challengeOf({ body }: ReceivedRequest): string {
  return String(Reflect.get(Object(Reflect.get(Object(JSON.parse(body.toString())), 'data')), 'challenge'));
}

const echo = (request: ReceivedRequest) => ({ body: JSON.stringify({ challenge: challengeOf(request) }) });
const text = (value: string | string[] | undefined) => String(value);
const auditsOf = (id: string) => readAudits(context, { resource_id: id, action: 'webhookEndpoints.ping' }, 'after');

test('one signed request with a challenge, whose answer is reported; nothing of it is an event', async () => {
  const { url, requests } = await receiver(echo);
  const { id, secret, public_key } = await createEndpoint(context, {
    url,
    headers: { 'x-own': 'value' },
    signature_versions: ['v1', 'v1a'],
  });
  const rotated = await rotateSecret(context, { endpoint_id: id });
  const ping = await pingEndpoint(context, { endpoint_id: id });
  expect(ping).toMatchObject({
    ok: true,
    challenge_answered: true,
    status_code: 200,
    error: null,
    error_message: null,
  });
  expect(requests).toHaveLength(1);
  const [request] = requests;
  if (!request) throw new Error('nothing arrived');
  expect(challengeOf(request)).toBe(ping.challenge);
  expect(request.headers).toMatchObject({
    'x-own': 'value',
    'x-service-test': 'true',
    'x-service-event': 'webhook_endpoint.ping',
  });
  const { body, headers } = request;
  const signed = { id: text(headers['webhook-id']), timestamp: text(headers['webhook-timestamp']) };
  const now = clock.now().getTime() / 1_000;
  for (const key of [secret, rotated.secret, public_key ?? '']) {
    const check = { headers: { ...signed, signature: text(headers['webhook-signature']) }, body, secrets: [key], now };
    expect(await verifyStandardWebhook(check)).toMatchObject({ ok: true });
  }
  const header = text(headers['x-service-signature']);
  expect(await verifyServiceSignature({ header, body, secrets: [secret], now })).toMatchObject({ ok: true });

  const stored = await context.database.query('SELECT type FROM event WHERE type = $1', ['webhook_endpoint.ping']);
  expect(stored).toEqual([]);
  expect((await listDeliveries(context, { limit: 10, order: 'asc' })).data).toEqual([]);
  expect(await auditsOf(id)).toEqual([
    {
      after: {
        ok: true,
        challenge_answered: true,
        status_code: 200,
        error: null,
        error_message: null,
        duration_ms: ping.duration_ms,
      },
    },
  ]);
});

test('a secret whose overlap is over signs no ping, even before the cleanup', async () => {
  const { url, requests } = await receiver(echo);
  const { id, secret } = await createEndpoint(context, { url });
  const rotated = await rotateSecret(context, { endpoint_id: id, overlap_seconds: 60 });
  clock.advance(60_000);
  await pingEndpoint(context, { endpoint_id: id });
  const [request] = requests;
  if (!request) throw new Error('nothing arrived');
  const { body, headers } = request;
  const now = clock.now().getTime() / 1_000;
  const verify = async (key: string) =>
    (await verifyServiceSignature({ header: text(headers['x-service-signature']), body, secrets: [key], now })).ok;
  expect([await verify(secret), await verify(rotated.secret)]).toEqual([false, true]);
});

test('a failure is returned as it is, is not retried, and does not change the health of the endpoint', async () => {
  const { url, requests } = await receiver((request) => ({ ...echo(request), status: 410 }));
  const { id } = await createEndpoint(context, { url });
  await updateEndpoint(context, { endpoint_id: id, status: 'paused' });
  const before = await getEndpoint(context, { endpoint_id: id });
  expect(await pingEndpoint(context, { endpoint_id: id })).toMatchObject({
    ok: false,
    challenge_answered: false,
    status_code: 410,
    error: 'http_410',
  });
  expect(requests).toHaveLength(1);
  expect(await getEndpoint(context, { endpoint_id: id })).toEqual(before);

  const silent = await receiver(() => ({}));
  const other = await createEndpoint(context, { url: silent.url });
  expect(await pingEndpoint(context, { endpoint_id: other.id })).toMatchObject({ ok: true, challenge_answered: false });

  const gone = await createEndpoint(context, { url: 'http://127.0.0.1:9/hook' });
  expect(await pingEndpoint(context, { endpoint_id: gone.id })).toMatchObject({
    ok: false,
    status_code: null,
    error: 'connect_refused',
  });
});

test('one ping in ten seconds, however many come at once', async () => {
  const { url, requests } = await receiver(echo);
  const { id } = await createEndpoint(context, { url });
  const ping = () => pingEndpoint(context, { endpoint_id: id });
  const results = await Promise.allSettled([ping(), ping(), ping()]);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(ping()).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 10 });
  expect(requests).toHaveLength(1);
  clock.advance(10_000);
  await ping();
  expect(requests).toHaveLength(2);
  expect(await auditsOf(id)).toHaveLength(2);
});

test('the socket is checked like that of a delivery, whatever URL was stored', async () => {
  const { url, requests } = await receiver(echo);
  const { id } = await createEndpoint(context, { url });
  const strict = await openCore({
    databaseUrl: fixture.database.url,
    secretsKey: Buffer.alloc(32, 7).toString('base64'),
    allowInsecureWebhooks: false,
  });
  closing.push(() => strict.database.close());
  const ping = await pingEndpoint({ ...context, outgoing: strict.outgoing }, { endpoint_id: id });
  expect(ping).toMatchObject({ ok: false, error: 'blocked_address', status_code: null });
  expect(requests).toEqual([]);
});

test('a ping that this service could not send is its own error, and names no proxy', async () => {
  const { url } = await receiver(echo);
  const { id } = await createEndpoint(context, { url });
  const cutOff = await openCore({
    databaseUrl: fixture.database.url,
    secretsKey: Buffer.alloc(32, 7).toString('base64'),
    allowInsecureWebhooks: true,
    proxyUrl: 'http://127.0.0.1:9',
  });
  closing.push(() => cutOff.database.close());
  const ping = pingEndpoint({ ...context, outgoing: cutOff.outgoing }, { endpoint_id: id });
  await expect(ping).rejects.toMatchObject({ code: 'unavailable', message: expect.not.stringContaining('127.0.0.1') });
});
