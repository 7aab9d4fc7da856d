// Risk removed: an installed receiver accepts a forged delivery, or rejects a genuine one because of its framework.
import { Readable } from 'node:stream';
import { createSigner } from '@finhook/signing';
import { readVectors } from '@finhook/signing/vectors';
import { describe, expect, test } from 'vitest';
import { verifyWebhook, webhookRejectionHints } from './verify-webhook.ts';

const secretOf = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`;
const [oldSecret, newSecret, otherSecret] = [secretOf(1), secretOf(2), secretOf(3)];
const id = 'evt_01kgw3q2m8v7d5n0r4t6x9zabc';
const timestamp = 1_772_355_600;
const text = JSON.stringify({ id, type: 'bank.balance.updated', label: 'Zürich' });
const bytes = Buffer.from(text);
const now = () => timestamp * 1000 + 250;

/** Headers as the service sends them: the first secret signs its own header, all of them the standard one. */
function sent(...secrets: readonly string[]): Record<string, string> {
  return {
    'x-service-signature': createSigner(secrets[0] ?? '').service(timestamp, bytes),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => createSigner(secret).standard(id, timestamp, bytes)).join(' '),
  };
}

function without(headers: Record<string, string>, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

const genuine = { body: bytes, headers: sent(oldSecret), secret: oldSecret, now };
const accepted = { ok: true, id, timestamp };

describe('vectors through the installed receiver', () => {
  test.for([...readVectors('service'), ...readVectors('standard')])('$name', async (vector) => {
    const body = Buffer.from(vector.body.content, vector.body.encoding);
    const { headers, secrets: secret, now: seconds, expected } = vector;
    const result = await verifyWebhook({ body, headers, secret, now: () => seconds * 1000 });
    if (!expected.ok) return expect(result).toMatchObject(expected);
    // Some accepted vectors sign bytes that are no event; those pass the signature and stop after it.
    const signedOnly = ['malformed_json', 'malformed_event'];
    if (!vector.body.content.startsWith('{"id"')) {
      return expect(result).toMatchObject({ ok: false, reason: expect.toBeOneOf(signedOnly) });
    }
    return expect(result).toMatchObject(expected);
  });
});

describe('the body in every form that frameworks hand over', () => {
  const padded = Buffer.from(`xx${text}yy`);
  test.for([
    ['a Buffer', bytes],
    ['a Uint8Array', Uint8Array.from(bytes)],
    ['a view into a larger buffer', new Uint8Array(padded.buffer, padded.byteOffset + 2, bytes.length)],
    ['an ArrayBuffer', Uint8Array.from(bytes).buffer],
    ['text', text],
  ] as const)('%s is accepted', async ([, body]) => {
    expect(await verifyWebhook({ ...genuine, body })).toEqual(accepted);
  });

  test.for([
    ['a parsed object', JSON.parse(text), 'body_already_parsed'],
    ['a parsed array', [1], 'body_already_parsed'],
    ['a number', 1, 'body_already_parsed'],
    ['a parsed object that has a field of a stream', { pipe: 'a', arrayBuffer: null }, 'body_already_parsed'],
    ['a promise', Promise.resolve(text), 'body_not_read'],
    ['a stream of Node', Readable.from([bytes]), 'body_not_read'],
    ['a stream of the web', new Blob([text]).stream(), 'body_not_read'],
    ['a whole Request', new Request('http://127.0.0.1/', { method: 'POST', body: text }), 'body_not_read'],
    ['undefined', undefined, 'missing_body'],
    ['null', null, 'missing_body'],
  ] as const)('%s is rejected with its own reason', async ([, body, reason]) => {
    const result = await verifyWebhook({ ...genuine, body: asCallerWithoutTypes(body) });
    expect(result).toEqual({ ok: false, reason, hint: webhookRejectionHints[reason] });
  });

  test('the hint for a parsed body says how to get the raw bytes', () => {
    expect(webhookRejectionHints.body_already_parsed).toContain('express.raw');
    expect(webhookRejectionHints.body_already_parsed).toContain('request.text()');
  });
});

describe('the headers in every form that frameworks hand over', () => {
  const upper = Object.fromEntries(Object.entries(sent(oldSecret)).map(([name, value]) => [name.toUpperCase(), value]));
  const lists = Object.fromEntries(Object.entries(sent(oldSecret)).map(([name, value]) => [name, [value]]));
  test.for([
    ['a Headers object', new Headers(sent(oldSecret))],
    ['a record in upper case', upper],
    ['a record of lists', lists],
    ['a record with absent values', { ...sent(oldSecret), 'x-other': undefined }],
  ] as const)('%s is accepted', async ([, headers]) => {
    expect(await verifyWebhook({ ...genuine, headers })).toEqual(accepted);
  });

  test.for([
    ['a list of two', { 'x-service-signature': [sent(oldSecret)['x-service-signature'] ?? '', 't=1,v1=0'] }],
    ['two spellings of the name', { 'x-service-signature': 't=1,v1=0', 'X-Service-Signature': 't=1,v1=0' }],
  ] as const)('a signature header that came twice as %s is rejected', async ([, headers]) => {
    expect(await verifyWebhook({ ...genuine, headers })).toMatchObject({ ok: false, reason: 'malformed_header' });
  });
});

describe('the overlap of a rotation', () => {
  const rotating = sent(oldSecret, newSecret);
  test.for([
    ['the old secret', oldSecret, true],
    ['the new secret', newSecret, true],
    ['both', [newSecret, oldSecret], true],
    ['neither', otherSecret, false],
  ] as const)('a receiver that knows %s', async ([, secret, ok]) => {
    expect((await verifyWebhook({ ...genuine, headers: rotating, secret })).ok).toBe(ok);
  });

  test.for([
    ['only the service header', ['webhook-id', 'webhook-timestamp', 'webhook-signature'], undefined],
    ['only the standard headers', ['x-service-signature'], undefined],
    ['no signature at all', ['x-service-signature', 'webhook-signature'], 'missing_header'],
  ] as const)('%s', async ([, absent, reason]) => {
    const headers = without(sent(oldSecret), ...absent);
    const expected = reason === undefined ? accepted : { ok: false, reason, hint: webhookRejectionHints[reason] };
    expect(await verifyWebhook({ ...genuine, headers })).toEqual(expected);
  });

  test.for([undefined, null])('%s instead of headers is a rejection, not an exception', async (headers) => {
    // Callers in JavaScript have no types.
    const received = JSON.parse(JSON.stringify({ ...genuine, body: '{}', headers }));
    expect(await verifyWebhook(received)).toMatchObject({ ok: false, reason: 'missing_header' });
  });

  test('a service header that is stale or malformed is not rescued by a good standard one', async () => {
    const good = sent(oldSecret);
    const stale = createSigner(oldSecret).service(timestamp - 301, bytes);
    for (const [header, reason] of [
      [stale, 'timestamp_too_old'],
      [`t=${timestamp},v1=00`, 'malformed_signature'],
    ]) {
      const headers = { ...good, 'x-service-signature': header };
      expect(await verifyWebhook({ ...genuine, headers })).toMatchObject({ ok: false, reason });
    }
  });
});

describe('the verdict', () => {
  test('the id comes from the signed body, not from a header that the service scheme leaves unsigned', async () => {
    const headers = { ...sent(oldSecret), 'webhook-id': 'evt_replayed' };
    expect(await verifyWebhook({ ...genuine, headers })).toEqual(accepted);
  });

  test('the tolerance and the clock are the caller’s', async () => {
    const later = () => (timestamp + 600) * 1000;
    expect(await verifyWebhook({ ...genuine, now: later })).toMatchObject({ ok: false, reason: 'timestamp_too_old' });
    expect(await verifyWebhook({ ...genuine, now: later, toleranceSeconds: 600 })).toEqual(accepted);
  });

  test('without a clock of the caller’s the machine’s is used', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const headers = { 'x-service-signature': createSigner(oldSecret).service(seconds, bytes) };
    expect(await verifyWebhook({ body: bytes, headers, secret: oldSecret })).toEqual({
      ok: true,
      id,
      timestamp: seconds,
    });
  });

  test('a secret that is not configured is a named rejection, not an exception', async () => {
    for (const secret of [undefined, '', [], [oldSecret, undefined]]) {
      const result = await verifyWebhook({ ...genuine, secret: asSecretWithoutTypes(secret) });
      expect(result).toMatchObject({ ok: false, reason: 'invalid_secret' });
    }
  });
});

function asCallerWithoutTypes(body: unknown): string {
  return body as string;
}

function asSecretWithoutTypes(secret: unknown): string {
  return secret as string;
}
