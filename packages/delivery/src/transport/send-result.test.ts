// Risk: the request shown for an attempt is not the one that was sent, or contains a secret.
import { createSigner, generateWebhookSecret } from '@finhook/signing';
import { expect, test } from 'vitest';
import { prepareRequest } from './prepare-request.ts';
import { evidenceOf, type SendResult, sentHeaders } from './send-result.ts';

const secret = generateWebhookSecret();
const at = new Date('2026-01-15T12:00:00.789Z');
const response = (statusCode: number): SendResult => ({
  kind: 'response',
  statusCode,
  headers: { date: 'Thu, 15 Jan 2026 12:00:00 GMT', server: 'nginx', 'x-request-id': 'r-1' },
  bodySnippet: '',
  durationMs: 3,
});

function prepare(isTest: boolean, headers?: Record<string, string>) {
  const delivery = {
    id: 'dlv_1',
    eventId: 'evt_1',
    eventType: 'company.created',
    attempt: 3,
    body: Buffer.from('{}'),
    test: isTest,
  };
  return prepareRequest(
    delivery,
    { url: 'https://example.com/', signer: createSigner(secret), overlapSigners: [], headers },
    at,
  );
}

test.each([true, false])('the stored headers and the record give back those that were sent (test: %s)', (isTest) => {
  const request = prepare(isTest);
  const { requestHeaders } = evidenceOf(request, response(200));
  expect(Object.keys(requestHeaders).sort()).toEqual(['accept', 'webhook-signature', 'x-service-signature']);
  const facts = { deliveryId: 'dlv_1', eventId: 'evt_1', eventType: 'company.created', attempt: 3, at, test: isTest };
  expect(sentHeaders(requestHeaders, { ...facts, bodyBytes: 2 })).toEqual(request.headers);
  expect(sentHeaders(requestHeaders, { ...facts, bodyBytes: undefined })).not.toHaveProperty('content-length');
});

test('what is recorded already reads the same when the service calls itself otherwise one day', () => {
  const { headers, ...request } = prepare(false);
  const renamed = { ...request, headers: { ...headers, 'user-agent': 'finhook/2' } };
  expect(evidenceOf(renamed, response(200)).requestHeaders).toHaveProperty('user-agent', 'finhook/2');
  const facts = { deliveryId: 'd', eventId: 'e', eventType: 't', attempt: 1, at, test: false, bodyBytes: 2 };
  expect(sentHeaders({}, facts)).toMatchObject({ 'user-agent': 'finhook/1', 'content-type': 'application/json' });
});

test('an attempt from before `accept` was sent is shown without it, and the value of an owner is masked', () => {
  const facts = { deliveryId: 'd', eventId: 'e', eventType: 't', attempt: 1, at, test: false, bodyBytes: 2 };
  expect(Object.keys(sentHeaders({}, facts)).filter((name) => name.startsWith('accept'))).toEqual([]);
  const { requestHeaders } = evidenceOf(prepare(false, { accept: 'canary' }), response(200));
  expect(sentHeaders(requestHeaders, facts)).toMatchObject({ accept: '***', 'accept-encoding': 'identity' });
});

test('the endpoint’s own headers are named, and their values are not', () => {
  const evidence = evidenceOf(prepare(false, { authorization: 'Bearer canary', 'x-gate': 'canary' }), response(500));
  expect(evidence.requestHeaders).toMatchObject({ authorization: '***', 'x-gate': '***' });
  const told = JSON.stringify(evidence);
  for (const hidden of ['canary', secret.slice(6, 20)]) expect(told).not.toContain(hidden);
});

test('a failure keeps the headers of its response, a success what names the request', () => {
  expect(evidenceOf(prepare(false), response(503)).responseHeaders).toHaveProperty('server');
  expect(evidenceOf(prepare(false), response(204)).responseHeaders).toEqual({ 'x-request-id': 'r-1' });
});
