// Risk: the sender signs with a broken secret, a wrong unit of time, or its own clock.
import { describe, expect, test } from 'vitest';
import { generateWebhookSecret } from './keys.ts';
import { createSigner } from './sign.ts';

const secret = generateWebhookSecret((size) => new Uint8Array(size).fill(7));
const body = Buffer.from('{"a":1}');

describe('createSigner', () => {
  test('both headers come from the one t that the caller gives; signing reads no clock', () => {
    const signer = createSigner(secret);
    expect(signer.service(1_700_000_000, body)).toMatch(/^t=1700000000,v1=[0-9a-f]{64}$/);
    expect(signer.service(1_700_000_000, body)).toBe(createSigner(secret).service(1_700_000_000, body));
    expect(signer.standard('evt_1', 1_700_000_000, body)).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(signer.standard('evt_1', 1_700_000_000, body)).toBe(
      createSigner(secret).standard('evt_1', 1_700_000_000, body),
    );
  });

  test('the body is read as bytes: a view into a larger buffer is signed as the view', () => {
    const larger = Buffer.from('xx{"a":1}yy');
    const view = new Uint8Array(larger.buffer, larger.byteOffset + 2, body.length);
    expect(createSigner(secret).service(1, view)).toBe(createSigner(secret).service(1, body));
  });

  test.for([
    ['milliseconds', 1_700_000_000_000],
    ['a fraction', 1.5],
    ['a negative number', -1],
    ['not a number', Number.NaN],
  ] as const)('a timestamp that is %s is rejected in both schemes', ([, timestamp]) => {
    const signer = createSigner(secret);
    expect(() => signer.service(timestamp, body)).toThrow(RangeError);
    expect(() => signer.standard('evt_1', timestamp, body)).toThrow(RangeError);
  });

  test.for(['', 'evt.1', 'evt 1', 'évt', 'e'.repeat(256)])('the id %j is rejected', (id) => {
    expect(() => createSigner(secret).standard(id, 1, body)).toThrow(RangeError);
  });

  test.for(['', 'whsec_', 'whsec_dG9vIHNob3J0', secret.slice(6), `${secret} `])(
    'the malformed secret %j is rejected by a message that does not repeat it',
    (malformed) => {
      expect(() => createSigner(malformed)).toThrow(
        new TypeError('webhook secret must be whsec_ and the base64 of 24 to 64 bytes'),
      );
    },
  );
});
