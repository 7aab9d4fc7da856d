// Risk: keys or v1a signatures have a private format, or a private key signs for another public key.
import { sign } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePublicKey } from './key-text.ts';
import { generateSigningKeyPair, parsePrivateKey } from './keys.ts';
import { createAsymmetricSigner } from './sign.ts';
import { verifyStandardWebhook } from './verify.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
/** RFC 8032, section 7.1, test 3. */
const rfc = {
  seed: hex('c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7'),
  point: hex('fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025'),
  message: hex('af82'),
  signature:
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
};
const privateOf = (seed: Buffer, point: Buffer): string => `whsk_${Buffer.concat([seed, point]).toString('base64')}`;
const publicOf = (point: Buffer): string => `whpk_${point.toString('base64')}`;

test('keys in text form are the keys of RFC 8032', () => {
  const key = parsePrivateKey(privateOf(rfc.seed, rfc.point));
  if (key === undefined) throw new Error('The key was not read.');
  expect(sign(null, rfc.message, key).toString('hex')).toBe(rfc.signature);
  expect(decodePublicKey(publicOf(rfc.point))).toEqual(Uint8Array.from(rfc.point));
});

test.each([
  ['an empty text', ''],
  ['no prefix', Buffer.concat([rfc.seed, rfc.point]).toString('base64')],
  ['a shared secret', `whsec_${rfc.seed.toString('base64')}`],
  ['the seed alone', `whsk_${rfc.seed.toString('base64')}`],
  ['the point of another key', privateOf(rfc.seed, hex(`d75a980182b10ab7${'00'.repeat(24)}`))],
  ['a line break', `${privateOf(rfc.seed, rfc.point)}\n`],
])('a private key with %s is rejected without being repeated', (_what, key) => {
  expect(parsePrivateKey(key)).toBeUndefined();
  expect(() => createAsymmetricSigner(key)).toThrow(/^signing key must be whsk_ and the base64/);
});

test('what a generated pair signs, its public key verifies, and one changed byte does not', async () => {
  const { privateKey, publicKey } = generateSigningKeyPair();
  const signer = createAsymmetricSigner(privateKey);
  const now = 1_772_355_600;
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1 }), fc.nat(), async (body, place) => {
      const headers = { id: 'evt_1', timestamp: String(now), signature: signer.standard('evt_1', now, body) };
      const check = async (bytes: Uint8Array) =>
        (await verifyStandardWebhook({ headers, body: bytes, secrets: [publicKey], now })).ok;
      const changed = Uint8Array.from(body, (byte, i) => (i === place % body.length ? byte ^ 1 : byte));
      expect([await check(body), await check(changed)]).toEqual([true, false]);
    }),
    { numRuns: 30 },
  );
});

test('two pairs share nothing', () => {
  const [one, other] = [generateSigningKeyPair(), generateSigningKeyPair()];
  expect(one.privateKey).not.toBe(other.privateKey);
  expect(one.publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
});
