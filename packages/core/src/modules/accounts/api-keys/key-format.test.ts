// Risk: keys that can be guessed, or mistyped and foreign strings that cost a database look-up each.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { cellOf, generateKey, hashKey, isWellFormedKey, prefixOf } from './key-format.ts';

test('a key is sk_live_ or sk_test_, 30 random base62 characters and a checksum of six', () => {
  expect(generateKey('live')).toMatch(/^sk_live_[0-9A-Za-z]{36}$/);
  expect(generateKey('test')).toMatch(/^sk_test_[0-9A-Za-z]{36}$/);
  expect(isWellFormedKey(generateKey('live'))).toBe(true);
  expect(30 * Math.log2(62)).toBeGreaterThanOrEqual(178);
});

test('in a named cell the name comes before the random characters, and its prefix shows it', () => {
  const key = generateKey('live', 'eu1');
  expect(key).toMatch(/^sk_live_eu1_[0-9A-Za-z]{36}$/);
  expect([isWellFormedKey(key), prefixOf(key), cellOf(key)]).toEqual([true, key.slice(0, 16), 'eu1']);
  const plain = generateKey('test');
  expect([prefixOf(plain), cellOf(plain)]).toEqual([plain.slice(0, 12), undefined]);
  // The checksum covers the name, so another name makes the key invalid.
  const moved = key.replace('eu1', 'us1');
  expect([isWellFormedKey(moved), cellOf(moved)]).toEqual([false, undefined]);
});

test.each([
  [`eu.${'a'.repeat(43)}`, 'eu'],
  ['a'.repeat(43), undefined],
  [`EU.${'a'.repeat(43)}`, undefined],
  [`eu.${'a'.repeat(42)}`, undefined],
  [`${'e'.repeat(13)}.${'a'.repeat(43)}`, undefined],
])('the token %s names the cell %s', (token, cell) => {
  expect(cellOf(token)).toBe(cell);
});

test('the checksum is CRC-32 of the preceding text, in base62, so that scanners can check it offline', () => {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const key = generateKey('live');
  const value = key
    .slice(-6)
    .split('')
    .reduce((sum, character) => sum * 62 + alphabet.indexOf(character), 0);
  expect(value).toBe(crc32(key.slice(0, -6)));
});

test('the shell script for BOOTSTRAP_API_KEY generates a new key of this form each time', () => {
  const script = fileURLToPath(new URL('../../../../../../tools/bootstrap-key.sh', import.meta.url));
  const run = (...options: string[]) => execFileSync('sh', [script, ...options], { encoding: 'utf8' }).trim();
  const live = Array.from({ length: 5 }, () => run());
  for (const key of [...live, run('test')]) expect(isWellFormedKey(key), key).toBe(true);
  expect(live[0]).toMatch(/^sk_live_/);
  expect(run('test')).toMatch(/^sk_test_/);
  const named = run('live', 'eu');
  expect([isWellFormedKey(named), cellOf(named)]).toEqual([true, 'eu']);
  expect(new Set(live).size).toBe(live.length);
});

test('every character of the random part takes all 62 values and no two keys agree', () => {
  const keys = Array.from({ length: 3_000 }, () => generateKey('live').slice('sk_live_'.length, -6));
  expect(new Set(keys).size).toBe(keys.length);
  for (let i = 0; i < 30; i++) expect(new Set(keys.map((key) => key.charAt(i))).size, `character ${i}`).toBe(62);
});

test('a change of any single character is detected', () => {
  const key = generateKey('live');
  for (let i = 0; i < key.length; i++) {
    const changed = key.slice(0, i) + (key.charAt(i) === 'a' ? 'b' : 'a') + key.slice(i + 1);
    expect(isWellFormedKey(changed), `character ${i}`).toBe(false);
  }
});

test.each([
  '',
  'sk_live_',
  'Bearer x',
  `sk_prod_${'a'.repeat(36)}`,
  `sk_live_${'a'.repeat(36)}`,
  generateKey('live', 'EU'),
  generateKey('live', '1eu'),
  `${generateKey('live')} `,
  generateKey('live').toUpperCase(),
])('%j is no key', (text) => {
  expect(isWellFormedKey(text)).toBe(false);
});

test('the stored hash depends on the key and on the pepper', () => {
  const [a, b] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  expect(hashKey('sk_live_x', a)).toHaveLength(32);
  expect(hashKey('sk_live_x', a)).toEqual(hashKey('sk_live_x', a));
  expect(hashKey('sk_live_x', a)).not.toEqual(hashKey('sk_live_x', b));
  expect(hashKey('sk_live_x', a)).not.toEqual(hashKey('sk_live_y', a));
});
