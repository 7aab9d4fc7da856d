// Risk: redacting a response takes more than linear time.
import { expect, test } from 'vitest';
import { redactEcho } from './redact-echo.ts';
import { redactText } from './redact-text.ts';

/** In ms. */
function fastest(run: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now();
    run();
    return performance.now() - began;
  });
  return Math.min(...times);
}

test.each([
  'eyJ-',
  'eyJ.',
  '-----BEGIN ',
  `-----BEGIN ${'PRIVATE KEY'}-----`,
  'BEGIN PRIVATE KEY-----END ',
  'cookie ',
  'cookie"',
  'set-',
  'bearer ',
  'basic\t',
  'sk_live_',
  'whsec_',
  'token',
  'api_',
  'access-token" ',
  ' ',
  '-',
  'a',
])('%j over and over is read in time that grows with the text alone', (unit) => {
  const timeOf = (length: number) => {
    const text = `token ${unit.repeat(length / unit.length)}`;
    return fastest(() => void redactText(text));
  };
  // Eight times the length takes eight times as long if linear, 64 times if quadratic.
  expect(timeOf(32_000)).toBeLessThan(24 * timeOf(4_000) + 1);
});

const headersOf = (value: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`x-${i}`, value.slice(i)]));

test.each([
  ['escapes', 'aaaaaa', (length: number) => '\\'.repeat(length)],
  ['escapes in escapes', 'aaaaaa', (length: number) => '%25'.repeat(length / 3)],
  ['entities', 'aaaaaa', (length: number) => '&amp;'.repeat(length / 5)],
  ['echoes', 'aaaaaa', (length: number) => 'a'.repeat(length)],
  ['one long word that almost matches', 'a'.repeat(40_000), (length: number) => `${'a'.repeat(length)}b`],
])('an echo is looked for in time that grows with the text alone: %s', (_what, secret, textOf) => {
  const echo = redactEcho(headersOf(secret));
  const timeOf = (length: number) => {
    const text = textOf(length);
    return fastest(() => void echo.redact(text));
  };
  expect(timeOf(32_000)).toBeLessThan(24 * timeOf(4_000) + 1);
});

test('sixty times the secrets that begin alike do not take longer to look for', () => {
  const text = 'aaaaaab'.repeat(600);
  const timeOf = (count: number) => {
    const echo = redactEcho(headersOf(Array.from({ length: count }, (_, i) => `aaaaaa${i}`).join(' ')));
    return fastest(() => void echo.redact(text));
  };
  expect(timeOf(6_000)).toBeLessThan(20 * timeOf(100) + 1);
});
