// Risk: a credential that a receiver echoes is stored, or the token of a webhook URL gets into events and logs.
import { expect, test } from 'vitest';
import { redactPath, redactText, redactUrl } from './redact-text.ts';

// Split, so that secret scanners find nothing in this file.
const canary = 'C4n4ryC4n4ryC4n4ry';

test.each([
  `key ${'sk_'}live_${canary}`,
  `key ${'sk_'}test_${canary}`,
  `{"signing":"${'whsec'}_${canary}+/="}`,
  `Authorization: Bearer ${canary}`,
  `authorization=Basic ${canary}`,
  `{"authorization":"Digest username=${canary}, x=${canary}"}`,
  `Bearer ${canary}.${canary}`,
  `Set-Cookie: sid=${canary}; Path=/`,
  `{"access_token":"${canary}","ok":true}`,
  `?token=${canary}&x=1`,
  `client_secret=${canary}`,
  `"api_key": "${canary}"`,
  `x-api-key: ${canary}`,
  `password = '${canary}'`,
  `ey${'J'}hbGciOi.${canary}.${canary}`,
  `-----BEGIN ${'PRIVATE'} KEY-----\n${canary}\n${canary}`,
])('%s loses its secret', (text) => {
  expect(redactText(text)).not.toContain(canary);
  expect(redactText(text)).toContain('[redacted]');
});

test.each(['ok', '{"received":true,"id":"evt_1"}', 'Internal Server Error', 'author: Jane', 'the basics are fine'])(
  '%s stays as it is',
  (text) => {
    expect(redactText(text)).toBe(text);
  },
);

test('what surrounds a secret stays', () => {
  expect(redactText(`{"access_token":"${canary}","ok":true}`)).toBe('{"access_token":"[redacted]","ok":true}');
});

test.each([
  ['https://example.com/hook?token=abc', 'https://example.com/hook'],
  ['https://user:pass@example.com:8443/a/b#x', 'https://example.com:8443/a/b'],
  ['https://example.com', 'https://example.com/'],
  ['not a url?token=abc', '[invalid url]'],
])('%s becomes %s', (url, redacted) => {
  expect(redactUrl(url)).toBe(redacted);
});

test.each([
  ['https://user:pass@example.com:8443/hooks/T0/secret?token=abc', 'https://example.com:8443/[redacted]'],
  ['not a url', '[invalid url]'],
])('of %s the origin is left', (url, redacted) => {
  expect(redactPath(url)).toBe(redacted);
});
