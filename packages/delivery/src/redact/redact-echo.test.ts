// Risk: a receiver echoes the credentials of an endpoint's owner, and they are stored for others to read.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactEcho } from './redact-echo.ts';

const secret = 'aB3/dE5"fG&h<7>i+J9';
const { redact, longest } = redactEcho({
  'x-gate': secret,
  authorization: 'Hawk kQ8xkQ8x;mac=s3cr3t+mac',
  'user-agent': 'finhook/1',
});
const json = JSON.stringify(secret).slice(1, -1);
const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const numbered = (form: (code: number) => string): string => secret.replace(/\W/g, (one) => form(one.charCodeAt(0)));
const hex = (code: number): string => code.toString(16).padStart(2, '0');

test.each([
  ['as it is', secret],
  ['as JSON', json],
  ['as JSON of PHP', json.replaceAll('/', '\\/')],
  ['as JSON that is safe in HTML', numbered((code) => `\\u00${hex(code)}`)],
  ['as JSON in JSON', JSON.stringify(json.replaceAll('/', '\\/')).slice(1, -1)],
  ['in a URL', encodeURIComponent(secret)],
  ['in a URL, in lower case', numbered((code) => `%${hex(code)}`)],
  ['in a URL in a URL', encodeURIComponent(encodeURIComponent(secret))],
  ['in HTML', html],
  ['in HTML, by number', numbered((code) => `&#${code};`)],
  ['in HTML, by hexadecimal number', numbered((code) => `&#x${hex(code).toUpperCase()};`)],
  ['in HTML in JSON', JSON.stringify(html).slice(1, -1)],
])('a header value that is repeated %s is redacted, and nothing else is', (_how, form) => {
  expect(redact(`<p>\\u00e9 100% &amp; "${form}"</p>`)).toBe('<p>\\u00e9 100% &amp; "[redacted]"</p>');
});

test('the credentials of a value are secrets by themselves, and its short words are not', () => {
  expect(redact('kQ8xkQ8x, s3cr3t+mac, s3cr3t%2Bmac, Hawk mac finhook/1')).toBe(
    '[redacted], [redacted], [redacted], Hawk mac finhook/1',
  );
});

test('of a value that the end of the text cuts off nothing is left, however it is written', () => {
  for (const form of [secret, numbered((code) => `\\u00${hex(code)}`), encodeURIComponent(secret), html]) {
    expect(form.length).toBeLessThanOrEqual(longest);
    for (let end = 20; end < form.length; end++) expect(redact(`- ${form.slice(0, end)}`)).toBe('- [redacted]');
  }
});

test('a value is redacted whatever it contains and whatever surrounds it', () => {
  const around = fc.string({
    unit: fc.constantFrom('a', '/', '"', '&', '%', '2', 'F', '\\', 'u', ';', ' '),
    maxLength: 8,
  });
  const value = fc.stringMatching(/^[!-~]{6,12}$/);
  fc.assert(
    fc.property(around, value, around, (before, one, after) => {
      const echo = redactEcho({ 'x-gate': one });
      expect(echo.redact(before + one + after)).not.toContain(one);
      expect(echo.redact(`{"it":${JSON.stringify(before + one + after)}}`)).not.toContain(
        JSON.stringify(one).slice(1, -1),
      );
    }),
    { numRuns: 1_000 },
  );
});
