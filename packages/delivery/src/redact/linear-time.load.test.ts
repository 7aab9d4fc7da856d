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

test.each([
  ['words that begin alike', Array.from({ length: 110 }, (_, i) => `aaaaaa${i}`).join(' '), 'aaaaaab'],
  ['one long word', 'a'.repeat(1_000), `${'a'.repeat(900)}b`],
  ['escapes', 'aaaaaa', '\\'],
  ['escapes in escapes', 'aaaaaa', '%25'],
])('an echo is looked for in time that grows with the text alone: %s', (_what, value, unit) => {
  const headers = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`x-${i}`, value.slice(i)]));
  const echo = redactEcho(headers);
  const timeOf = (text: string) => fastest(() => void echo.redact(text));
  const plain = timeOf('ordinary words '.repeat(2_000));
  expect(timeOf(unit.repeat(30_000 / unit.length))).toBeLessThan(20 * plain + 1);
});
