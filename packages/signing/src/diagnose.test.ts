// Risk: the diagnosis names the wrong mistake, or accepts a wrong signature.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { type DiagnosisInput, diagnoseServiceSignature, diagnoseStandardWebhook } from './diagnose.ts';
import { generateSigningKeyPair, generateWebhookSecret } from './keys.ts';
import { createAsymmetricSigner, createSigner } from './sign.ts';

const secret = generateWebhookSecret();
const previousSecret = generateWebhookSecret();
const t = 1_768_478_400;
const sent = Buffer.from('{"id":"evt_1","type":"company.created","data":{"name":"Café","amount":10.50,"list":[1,2]}}');

function delivery(key = secret, body: Uint8Array = sent): DiagnosisInput {
  const signer = createSigner(key);
  const headers = {
    service: signer.service(t, body),
    id: 'evt_1',
    timestamp: String(t),
    signature: signer.standard('evt_1', t, body),
  };
  return { headers, body, secret };
}

const both = (input: DiagnosisInput) => Promise.all([diagnoseServiceSignature(input), diagnoseStandardWebhook(input)]);
const reasons = async (input: DiagnosisInput) =>
  (await both(input)).map((found) => (found.ok ? found.secret : found.reason));

test('what verifies names its secret', async () => {
  expect(await reasons(delivery())).toEqual(['current', 'current']);
  expect(await reasons({ ...delivery(previousSecret), previousSecret })).toEqual(['previous', 'previous']);
  expect(await reasons(delivery(previousSecret))).toEqual(['no_matching_signature', 'no_matching_signature']);
});

test('v1a is verified with the public key', async () => {
  const { privateKey, publicKey } = generateSigningKeyPair();
  const signature = createAsymmetricSigner(privateKey).standard('evt_1', t, sent);
  const input = { ...delivery(), headers: { ...delivery().headers, signature } };
  expect((await reasons({ ...input, publicKey }))[1]).toBe('current');
  expect((await reasons(input))[1]).toBe('unsupported_version');
});

const python =
  '{"id": "evt_1", "type": "company.created", "data": {"name": "Caf\\u00e9", "amount": 10.5, "list": [1, 2]}}';
const bodies: readonly (readonly [string, string, string])[] = [
  ['parsed and written by another language', python, 'body_reserialised'],
  [
    'with its keys in another order',
    '{"type":"company.created","id":"evt_1","data":{"list":[1,2],"amount":10.50,"name":"Café"}}',
    'body_reserialised',
  ],
  ['with a line break at its end', `${sent.toString()}\n`, 'body_reserialised'],
  ['read as Latin-1', sent.toString('latin1'), 'body_reencoded'],
  ['empty', '', 'body_empty'],
  ['of another event', '{"id":"evt_2"}', 'other_event'],
  ['changed', sent.toString().replace('10.50', '99.50'), 'body_altered'],
  ['not JSON', 'id=evt_1', 'body_altered'],
];
test.each(bodies)('a body %s is diagnosed when the sent one is known', async (_title, body, reason) => {
  expect(await reasons({ ...delivery(), body: Buffer.from(body), sentBody: sent })).toEqual([reason, reason]);
});

test('without the sent body, what receivers usually do to it is found as well', async () => {
  const compact = Buffer.from(JSON.stringify(JSON.parse(sent.toString())));
  const received = async (body: string) =>
    (await reasons({ ...delivery(secret, compact), body: Buffer.from(body) }))[0];
  expect(await received(JSON.stringify(JSON.parse(sent.toString()), null, 2))).toBe('body_reserialised');
  expect(await received(compact.toString('latin1'))).toBe('body_reencoded');
  expect(await received('{"id":"evt_2"}')).toBe('other_event');
  expect(await received(compact.toString().replace('10.5', '99'))).toBe('no_matching_signature');
});

test('a timestamp of another request, and a signature made in the wrong way', async () => {
  const input = delivery();
  const { headers } = input;
  const hex = headers.service?.slice(-64);
  const late = { ...input, headers: { ...headers, service: `t=${t + 1},v1=${hex}` } };
  expect((await reasons(late))[0]).toBe('timestamp_altered');
  expect((await reasons({ ...input, headers: { ...headers, timestamp: String(t + 1) } }))[1]).toBe('timestamp_altered');

  const bare = secret.slice(6);
  const bytes = Buffer.from(bare, 'base64');
  const hmac = (key: string | Buffer, start: string) => createHmac('sha256', key).update(start).update(sent);
  const service = async (key: string | Buffer, start = `${t}.`) =>
    (await reasons({ ...input, headers: { ...headers, service: `t=${t},v1=${hmac(key, start).digest('hex')}` } }))[0];
  expect([await service(bare), await service(bytes), await service(secret, '')]).toEqual([
    'key_without_prefix',
    'key_decoded',
    'timestamp_not_signed',
  ]);
  const standard = async (key: string | Buffer, start = `evt_1.${t}.`) =>
    (await reasons({ ...input, headers: { ...headers, signature: `v1,${hmac(key, start).digest('base64')}` } }))[1];
  expect([await standard(secret), await standard(bare), await standard(bytes, '')]).toEqual([
    'key_not_decoded',
    'key_not_decoded',
    'timestamp_not_signed',
  ]);
});

test('malformed headers have the reasons of verification', async () => {
  const input = delivery();
  const service = async (value: string | undefined) =>
    (await reasons({ ...input, headers: { ...input.headers, service: value } }))[0];
  expect(await service(undefined)).toBe('missing_header');
  expect(await service('t=x,v1=00')).toBe('malformed_timestamp');
  expect(await service(`t=${t},v1=00`)).toBe('malformed_signature');
  expect(await reasons({ ...input, secret: 'whsec_' })).toEqual(['invalid_secret', 'invalid_secret']);
});
