// Risk: a delivery is signed with a key that was replaced, or a damaged key signs all the same.
import type { SealedKey } from '@finhook/core';
import { createSigner, generateWebhookSecret } from '@finhook/signing';
import { expect, test } from 'vitest';
import { createSignerCache } from './signer-cache.ts';

/** Keys as they are stored, that note when they are opened. */
function stored() {
  const opened: string[] = [];
  const seal = (id: string, secret: string): SealedKey => ({
    id,
    open: () => {
      opened.push(id);
      return secret;
    },
  });
  return { opened, seal };
}

const body = Buffer.from('{}');
const sign = (secret: string) => createSigner(secret).service(1_760_000_000, body);

test('a key is opened once, and the one that replaced it signs from then on', () => {
  const { opened, seal } = stored();
  const { symmetric } = createSignerCache(10);
  const [old, next] = [generateWebhookSecret(), generateWebhookSecret()];
  expect(symmetric(seal('row old', old)).service(1_760_000_000, body)).toBe(sign(old));
  expect(symmetric(seal('row old', old))).toBe(symmetric(seal('row old', old)));
  expect(symmetric(seal('row next', next)).service(1_760_000_000, body)).toBe(sign(next));
  expect(opened).toEqual(['row old', 'row next']);
});

test('a key that cannot be opened throws each time, and no others', () => {
  const { seal } = stored();
  const { symmetric } = createSignerCache(10);
  const damaged: SealedKey = {
    id: 'row damaged',
    open: () => {
      throw new Error('damaged');
    },
  };
  const secret = generateWebhookSecret();
  for (let n = 0; n < 2; n++) {
    expect(() => symmetric(damaged)).toThrow('damaged');
    expect(symmetric(seal('row', secret)).service(1_760_000_000, body)).toBe(sign(secret));
  }
});

test('the key that was used longest ago makes room', () => {
  const { opened, seal } = stored();
  const { symmetric } = createSignerCache(2);
  const secret = generateWebhookSecret();
  for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) symmetric(seal(id, secret));
  expect(opened).toEqual(['a', 'b', 'c', 'b']);
});
