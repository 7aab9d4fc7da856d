// Risk: our signatures differ from those of the interface and the Standard Webhooks libraries.
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readVectors, type SignatureVector } from '../vectors/read-vectors.ts';
import { createSigner } from './sign.ts';
import { signatureRejectionHints, verifyServiceSignature, verifyStandardWebhook } from './verify.ts';

const service = readVectors('service');
const standard = readVectors('standard');
const bytesOf = ({ body }: SignatureVector) => Buffer.from(body.content, body.encoding);
const standardHeaders = ({ headers }: SignatureVector) => ({
  id: headers['webhook-id'],
  timestamp: headers['webhook-timestamp'],
  signature: headers['webhook-signature'],
});
/** Standard Webhooks libraries support no public keys. */
const shared = standard.filter(({ secrets }) => secrets.every((secret) => !secret.startsWith('whpk_')));
const accepted = (vectors: readonly SignatureVector[]) => vectors.filter((vector) => vector.expected.ok);

afterEach(() => {
  vi.useRealTimers();
});

describe('every vector has the outcome that it names', () => {
  test.for(service)('$name', async (vector) => {
    const { secrets, now } = vector;
    const header = vector.headers['x-service-signature'];
    expect(await verifyServiceSignature({ header, body: bytesOf(vector), secrets, now })).toEqual(vector.expected);
  });

  test.for(standard)('$name', async (vector) => {
    const { secrets, now } = vector;
    const headers = standardHeaders(vector);
    expect(await verifyStandardWebhook({ headers, body: bytesOf(vector), secrets, now })).toEqual(vector.expected);
  });

  test.for([
    ['service', service],
    ['standard', standard],
  ] as const)('the %s vectors reach every rejection that the scheme has', ([scheme, vectors]) => {
    const reached = new Set(vectors.flatMap(({ expected }) => (expected.ok ? [] : [expected.reason])));
    // Only Standard Webhooks signs an id.
    const reasons = Object.keys(signatureRejectionHints).filter((r) => scheme === 'standard' || r !== 'malformed_id');
    expect([...reached].sort()).toEqual(reasons.sort());
  });
});

describe('accepted vectors are what an independent computation gives', () => {
  test.for(accepted(service))('$name', (vector) => {
    const [, timestamp = '', hex] = /^t=(\d+),v1=(.*)$/.exec(vector.headers['x-service-signature'] ?? '') ?? [];
    const signed = Buffer.concat([Buffer.from(`${timestamp}.`), bytesOf(vector)]);
    const digests = vector.secrets.map((secret) => createHmac('sha256', secret).update(signed).digest('hex'));
    expect(digests).toContain(hex);
    const headers = vector.secrets.map((secret) => createSigner(secret).service(Number(timestamp), bytesOf(vector)));
    expect(headers).toContain(vector.headers['x-service-signature']);
  });

  test.for(accepted(shared))('$name', (vector) => {
    const { id = '', timestamp = '', signature = '' } = standardHeaders(vector);
    const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), bytesOf(vector)]);
    const entries = vector.secrets.map((secret) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    });
    const ours = vector.secrets.map((secret) => createSigner(secret).standard(id, Number(timestamp), bytesOf(vector)));
    expect(ours).toEqual(entries);
    expect(signature.split(' ').some((entry) => ours.includes(entry))).toBe(true);
  });
});

// The library reads a body as text and takes one secret.
const oracleCanRead = ({ body, secrets }: SignatureVector) => body.encoding === 'utf8' && secrets.length === 1;

describe('the official library verifies and makes the same Standard Webhooks signatures', () => {
  test.for(accepted(shared).filter(oracleCanRead))('$name', (vector) => {
    vi.useFakeTimers({ now: vector.now * 1000, toFake: ['Date'] });
    const webhook = new Webhook(vector.secrets[0] ?? '');
    const { id = '', timestamp = '', signature = '' } = standardHeaders(vector);
    webhook.verify(vector.body.content, vector.headers, { jsonParse: false });
    const made = webhook.sign(id, new Date(Number(timestamp) * 1000), vector.body.content);
    expect(signature.split(' ')).toContain(made);
  });

  test('what the library rejects as unsigned, we reject too', () => {
    const rejections = shared.filter(({ expected }) => !expected.ok && expected.reason === 'no_matching_signature');
    expect(rejections.length).toBeGreaterThan(4);
    for (const vector of rejections) {
      vi.useFakeTimers({ now: vector.now * 1000, toFake: ['Date'] });
      const webhook = new Webhook(vector.secrets[0] ?? '');
      expect(() => webhook.verify(vector.body.content, vector.headers), vector.name).toThrow('No matching signature');
    }
  });
});
