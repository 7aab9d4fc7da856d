// Risk: two endpoints share a secret, or a secret has fewer random bytes than it seems.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { generateWebhookSecret } from './keys.ts';
import { createSigner } from './sign.ts';

test('a secret is whsec_ and the standard base64 of exactly the 32 bytes drawn', () => {
  const bytes = randomBytes(32);
  const sizes: number[] = [];
  const secret = generateWebhookSecret((size) => {
    sizes.push(size);
    return bytes;
  });
  expect(sizes).toEqual([32]);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(Buffer.from(secret.slice(6), 'base64')).toEqual(bytes);
});

test('ten thousand secrets from the default source are all different and all usable', () => {
  const secrets = new Set(Array.from({ length: 10_000 }, () => generateWebhookSecret()));
  expect(secrets.size).toBe(10_000);
  for (const secret of secrets) createSigner(secret);
});

test('a source that gives too few bytes is rejected', () => {
  expect(() => generateWebhookSecret(() => new Uint8Array(16))).toThrow('expected 32 random bytes, got 16');
});
