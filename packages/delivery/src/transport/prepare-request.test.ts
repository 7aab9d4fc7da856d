// Risk: a header is missing, signed over other bytes, or reused between attempts, and receivers reject deliveries.
import { createHmac } from 'node:crypto';
import { createAsymmetricSigner, createSigner, generateSigningKeyPair, verifyStandardWebhook } from '@finhook/signing';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { prepareRequest } from './prepare-request.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const newSecret = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const body = Buffer.from('{"id":"evt_1","amount":"12,50 €"}');
const delivery = { id: 'dlv_1', eventId: 'evt_1', eventType: 'bank.balance.updated', attempt: 3, body, test: false };
const target = { url: 'https://example.com/h', signer: createSigner(secret), overlapSigners: [] };

test('D42 D43: the headers are exactly these and signed with whole seconds', () => {
  const { headers, url, body: sent } = prepareRequest(delivery, target, new Date(1_700_000_000_999));
  const hmac = createHmac('sha256', secret).update('1700000000.').update(body).digest('hex');
  expect(headers).toEqual({
    'content-type': 'application/json',
    'content-length': String(body.byteLength),
    'user-agent': 'finhook/1',
    'x-service-signature': `t=1700000000,v1=${hmac}`,
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1700000000',
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    'x-service-event': 'bank.balance.updated',
    'x-service-delivery': 'dlv_1',
    'x-service-attempt': '3',
  });
  expect(url).toBe('https://example.com/h');
  expect(sent).toBe(body);
});

test('D43: the official Standard Webhooks library accepts the request', () => {
  const { headers } = prepareRequest(delivery, target, new Date());
  expect(new Webhook(secret).verify(body, { ...headers })).toMatchObject({ id: 'evt_1' });
});

test('D44: during a rotation both secrets verify, and the service signature stays with the first', () => {
  const rotating = { ...target, overlapSigners: [createSigner(newSecret)] };
  const at = new Date();
  const { headers } = prepareRequest(delivery, rotating, at);
  for (const each of [secret, newSecret]) {
    expect(new Webhook(each).verify(body, { ...headers })).toMatchObject({ id: 'evt_1' });
  }
  expect(headers['x-service-signature']).toBe(prepareRequest(delivery, target, at).headers['x-service-signature']);
});

test('D46: every attempt is signed anew over the same id and bytes', () => {
  const first = prepareRequest({ ...delivery, attempt: 1 }, target, new Date(1_700_000_000_000)).headers;
  const second = prepareRequest({ ...delivery, attempt: 2 }, target, new Date(1_700_000_005_000)).headers;
  expect(second['webhook-id']).toBe(first['webhook-id']);
  expect(second['webhook-timestamp']).toBe('1700000005');
  expect(second['x-service-signature']).not.toBe(first['x-service-signature']);
  expect(second['webhook-signature']).not.toBe(first['webhook-signature']);
});

test('D51: a test send says so', () => {
  expect(prepareRequest({ ...delivery, test: true }, target, new Date()).headers['x-service-test']).toBe('true');
});

test('an endpoint’s own headers are sent along, and none takes the place of ours', () => {
  const headers = { authorization: 'Bearer x', 'webhook-id': 'forged', 'content-length': '1' };
  const prepared = prepareRequest(delivery, { ...target, headers }, new Date());
  expect(prepared.headers).toMatchObject({
    authorization: 'Bearer x',
    'webhook-id': 'evt_1',
    'content-length': String(body.byteLength),
  });
});

test('v1a stands beside v1, and the official library passes over it', () => {
  const { privateKey, publicKey } = generateSigningKeyPair();
  const asymmetric = { ...target, overlapSigners: [createAsymmetricSigner(privateKey)] };
  const at = new Date();
  const { headers } = prepareRequest(delivery, asymmetric, at);
  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/);
  expect(new Webhook(secret).verify(body, { ...headers })).toMatchObject({ id: 'evt_1' });
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers[name],
  );
  const check = { headers: { id, timestamp, signature }, body, secrets: [publicKey], now: at.getTime() / 1_000 };
  expect(verifyStandardWebhook(check)).toMatchObject({ ok: true });
});
