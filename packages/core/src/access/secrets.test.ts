// Risk: a stolen database reveals secrets, or a ciphertext copied to another row is accepted.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecrets } from './secrets.ts';

const key = (): string => randomBytes(32).toString('base64');

test('a secret decrypts with its own aad, and its ciphertext never repeats', () => {
  const secrets = createSecrets(key());
  const sealed = secrets.encrypt('whsec_näm€', 'webhook_endpoint|we_1');
  expect(secrets.decrypt(sealed, 'webhook_endpoint|we_1')).toBe('whsec_näm€');
  expect(sealed).not.toContain('whsec_');
  expect(secrets.encrypt('whsec_näm€', 'webhook_endpoint|we_1')).not.toBe(sealed);
});

test('a ciphertext with another aad is rejected', () => {
  const secrets = createSecrets(key());
  const sealed = secrets.encrypt('whsec_a', 'webhook_endpoint|we_1');
  expect(() => secrets.decrypt(sealed, 'webhook_endpoint|we_2')).toThrow();
  expect(() => secrets.decrypt(sealed, 'idempotency_key|we_1')).toThrow();
});

test('a change of any character of a ciphertext is rejected', () => {
  const secrets = createSecrets(key());
  const sealed = secrets.encrypt('whsec_a', 'place');
  for (let i = 0; i < sealed.length - 1; i++) {
    const changed = sealed.slice(0, i) + (sealed.charAt(i) === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
    expect(() => secrets.decrypt(changed, 'place'), `character ${i}`).toThrow();
  }
});

test('after rotation the first key encrypts, older ones still decrypt, and without them nothing does', () => {
  const [old, fresh] = [key(), key()];
  const before = createSecrets(old);
  const sealed = before.encrypt('whsec_a', 'place');
  const rotated = createSecrets(`${fresh}, ${old}`);
  expect(rotated.decrypt(sealed, 'place')).toBe('whsec_a');
  expect([sealed, 'v1.other.a.b'].map((text) => rotated.isReadable(text))).toEqual([true, false]);
  expect(sealed.startsWith(rotated.currentPrefix)).toBe(false);
  const again = rotated.encrypt('whsec_a', 'place');
  expect(again.startsWith(rotated.currentPrefix)).toBe(true);
  expect(createSecrets(fresh).decrypt(again, 'place')).toBe('whsec_a');
  expect(() => before.decrypt(again, 'place')).toThrow('not configured');
  expect(() => createSecrets(fresh).decrypt(sealed, 'place')).toThrow('not configured');
  expect(rotated.peppers).toHaveLength(2);
  expect(rotated.peppers[1]).toEqual(before.peppers[0]);
  expect(rotated.peppers[0]).not.toEqual(before.peppers[0]);
});

test('a master key of another length is rejected at the start', () => {
  expect(() => createSecrets(randomBytes(16).toString('base64'))).toThrow('32 bytes');
  expect(() => createSecrets('')).toThrow('32 bytes');
});
